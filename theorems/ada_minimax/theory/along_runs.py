"""What a run records, and formulas of the records at it."""

from sympy import Expr, Rational, Symbol

from workbench import Form
from workbench.vocabulary import T, delta

DELTA = Rational(1, 10)
t = Symbol("t", positive=True)


def measured(form: Form, symbol: Symbol, **names: str) -> Expr:
    """A form's constant in terms of assumption constants, at delta = `DELTA` and T = t, the iteration of the record.

    names: the names that an algorithm gives to free parameters of the theorem (eta is eta_x, eta_y in Ada-Minimax).
    """
    other = {s: Symbol(names[s.name], positive=True) for s in form.parameters if s.name in names}
    return form.in_parameters(symbol).xreplace({delta: DELTA, T: t, **other})

"""What a run records, and formulas of the records at it."""

from sympy import Expr, Rational, Symbol

from workbench import Form
from workbench.vocabulary import T, delta

DELTA = Rational(1, 10)
C_STORM = 3 ** Rational(-1, 2)
t = Symbol("t", positive=True)


def measured(form: Form, symbol: Symbol | None = None, at: Expr = t) -> Expr:
    """A constant of a form (its bound, if none is named) at delta = `DELTA` and T = `at`."""
    return form.in_parameters(symbol).xreplace({delta: DELTA, T: at})

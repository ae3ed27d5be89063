"""How what a run records replaces what a formula of the record has."""

from sympy import Expr, Rational, S, Symbol, symbols

from workbench import Form
from workbench.theory import expansion

from . import symbols as s

t = Symbol("t", positive=True)
V_seen, H_seen, E_f_seen, E_g_seen = symbols("V_seen H_seen E_f_seen E_g_seen", nonnegative=True)
_RECORDED: dict[Symbol, Expr] = {
    s.lam_1: Symbol("lam", positive=True),
    s.r_beta: Rational(1, 2),
    s.c: S.One,
    s.V_T: V_seen,
    s.H_2T: H_seen,
    s.E_fT: E_f_seen,
    s.E_gT: E_g_seen,
}
QUARTER = Rational(1, 4)


def as_recorded(e: Expr, form: Form, r_alpha: Expr = QUARTER) -> Expr:
    """An expression in the constants of a form, in terms of what a run records; gamma stays a field of `Steps`.

    The horizon becomes t, the number of rounds so far: the theorems hold for each of them.
    """
    in_parameters = expansion(
        tuple((symbol, value) for symbol, value in form.definitions if symbol != s.gamma)
    )
    return in_parameters(e).xreplace(_RECORDED).xreplace({s.r_alpha: r_alpha, s.T: t})

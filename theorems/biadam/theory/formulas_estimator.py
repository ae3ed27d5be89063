"""Constants of Lemma 4's record, at the instances of O-3 and O-4."""

from sympy import Expr, Integer, Rational, Symbol, symbols

from . import common
from . import symbols as s
from .symbols import L_g, mu_g

k = Symbol("k", integer=True, nonnegative=True)
cross_sq, slope_sq = symbols("cross_sq slope_sq", nonnegative=True)
K, below = symbols("K below", positive=True)
BELOW = 2 * mu_g * L_g - mu_g**2
L_K_SQUARE = {"printed": common.L_K_PRINTED[1] ** 2, "repaired": common.L_K_REPAIRED[1] ** 2}
y_1, y_2 = symbols("y_1 y_2", real=True)


def second_moment(of: Expr, K: int, L: Expr) -> Expr:
    """E of the square of (K/L) times an expression in k, over k uniform on 0, ..., K-1."""
    return sum((Rational(1, K) * (Integer(K) / L * of.subs(k, j)) ** 2 for j in range(K)), Integer(0))


def constant(form: str, **values: object) -> Expr:
    """L_K^2 of a form at an instance's constants."""
    e = L_K_SQUARE[form]
    return e.subs({x: values[x.name] for x in e.free_symbols})


def curvature(y: Symbol) -> Expr:
    """phi'' of the O-3 instance: between 1 and 2, and 1-Lipschitz."""
    return Rational(3, 2) + y / (1 + y**2)


O_3 = {
    "mu_g": 1,
    "L_g": 2,
    "L_f": 0,
    "C_fy": 1,
    "C_gxy": 1,
    "L_gxy": 0,
    "L_gyy": 1,
    "K": 2,
    "sigma_fy": 0,
    "sigma_gxy": 0,
}
O_4 = {
    "mu_g": 1,
    "L_g": 4,
    "L_f": 1,
    "C_fy": Rational(1, 2),
    "C_gxy": 0,
    "L_gxy": 0,
    "L_gyy": 0,
    "K": 2,
    "sigma_fy": 0,
    "sigma_gxy": 4,
}
O_3_STRETCH = second_moment((1 - curvature(y_1) / 2) ** k - (1 - curvature(y_2) / 2) ** k, 2, Integer(2))
O_4_STRETCH = (
    second_moment(Rational(3, 4) ** k, 2, Integer(4)) * 16 * (y_1 / (1 + y_1**2) - y_2 / (1 + y_2**2)) ** 2
)

FORMULAS = {
    "L_K_sq_O_3": constant("printed", **O_3),
    "L_K_sq_O_3_repaired": constant("repaired", **O_3),
    "L_K_sq_O_4": constant("printed", **O_4),
    "L_K_sq_O_4_repaired": constant("repaired", **O_4),
    "stretch_O_3": O_3_STRETCH,
    "stretch_O_4": O_4_STRETCH,
    "estimator_sq_of_record": common.estimator_square(cross_sq, slope_sq, slope_sq, L_g**2).xreplace(
        {s.K: K, BELOW: below}
    ),
}

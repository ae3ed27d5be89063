"""D and Q_T of Theorem 4.1's record, and at what a run records."""

from sympy import Expr, Rational, sqrt

from workbench.vocabulary import L, eta_y, gamma, mu, sigma_y

from . import hierarchical as h
from .along_runs import measured, t
from .hierarchical import D
from .theorem_4_1 import PRINTED, REPAIRED

D_PRINTED, D_REPAIRED = (measured(form, D, eta="eta_y") for form in (PRINTED, REPAIRED))
Q_T = measured(REPAIRED, h.Q_T, eta="eta_y")


def printed(D: Expr) -> tuple[Expr, Expr]:
    """Right-hand sides of (22) and (23)."""
    squares = 4 * D**2 * L**2 + 2 * D * gamma + 2 * sqrt(2) * D * sigma_y * sqrt(t)
    near = (sqrt(2) * D * L + sqrt(D * gamma)) * sqrt(t)
    return squares / (mu * eta_y) ** 2, (near + sqrt(2 * D * sigma_y) * t ** Rational(3, 4)) / (mu * eta_y)


SQUARES, DISTANCES = printed(D_PRINTED)

FORMULAS = {
    "D_of_record": PRINTED[D],
    "D_repaired": REPAIRED[D],
    "Q_T_of_record": REPAIRED[h.Q_T],
    "D_seen": D_PRINTED,
    "D_repaired_seen": D_REPAIRED,
    "Q_T_seen": Q_T,
    "squares_seen": SQUARES,
    "distances_seen": DISTANCES,
}

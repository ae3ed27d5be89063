"""Bounds on the error of STORM along a run, Lemma 3."""

from sympy import Expr, log, sqrt

from .along_runs import C_STORM, DELTA, t
from .constants import D, L_g, d, sigma_g


def storm_printed(L_: Expr, sigma_: Expr) -> Expr:
    """(14) at x_(t-1), with the admissible c."""
    return C_STORM * sqrt(2) * (4 * L_ * D + 3 * sigma_) * sqrt(log(4 * d / DELTA) / t)


def storm_own(L_: Expr, sigma_: Expr) -> Expr:
    """This project's bound for one level."""
    return (4 * L_ * D + 2 * sigma_) * sqrt(2 * log(2 / DELTA) / (3 * t))


FORMULAS = {
    "storm_own_seen": storm_own(L_g, sigma_g),
    "storm_printed_seen": storm_printed(L_g, sigma_g),
}

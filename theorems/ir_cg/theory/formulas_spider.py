"""The bound on the error of SPIDER, Lemma 7."""

from sympy import Expr, log, sqrt

from .along_runs import DELTA
from .constants import D, L_g


def spider(shape: Expr) -> Expr:
    """A threshold of Lemma 7, one level: 8 L D sqrt(shape) sqrt(log(8/delta))."""
    return 8 * L_g * D * sqrt(shape) * sqrt(log(8 / DELTA))

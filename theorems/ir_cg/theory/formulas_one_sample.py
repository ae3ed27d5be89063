"""Bounds of Theorem 1's record along a run."""

from sympy import Expr

from . import theorem_1
from .along_runs import C_STORM, measured
from .common import C, C_bar
from .constants import c

OWN_OUTER, OWN_INNER = theorem_1.OUTER.form("own"), theorem_1.INNER.form("own")
REPAIRED_OUTER, REPAIRED_INNER = theorem_1.OUTER.form("repaired"), theorem_1.INNER.form("repaired")


def at_c(e: Expr) -> Expr:
    """The expression at the admissible value of Lemma 3's constant c."""
    return e.xreplace({c: C_STORM})


FORMULAS = {
    "constants_1_at_c": at_c(measured(REPAIRED_INNER, C) + measured(REPAIRED_INNER, C_bar)),
    "constants_1_own": measured(OWN_INNER, C) + measured(OWN_INNER, C_bar),
    "outer_1_of_record": REPAIRED_OUTER.bound,
    "outer_1_at_c": at_c(measured(REPAIRED_OUTER)),
    "outer_1_own": measured(OWN_OUTER),
    "inner_1_at_c": at_c(measured(REPAIRED_INNER)),
    "inner_1_own": measured(OWN_INNER),
}

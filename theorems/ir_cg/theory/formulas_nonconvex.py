"""Bounds of Theorem 5's record along a run."""

from . import theorems_5_6
from .along_runs import measured, t

OUTER_5, INNER_5 = theorems_5_6.THEOREM_5["outer"], theorems_5_6.THEOREM_5["inner"]

FORMULAS = {
    "outer_5_seen": measured(OUTER_5.form("own"), at=t - 1),
    "inner_5_seen": measured(INNER_5.form("own")),
}

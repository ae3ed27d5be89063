"""Bounds of Theorem 6's record along a run."""

from workbench.vocabulary import delta

from . import nonconvex, theorems_5_6
from .along_runs import DELTA, measured, t
from .theorems_5_6 import P_6

OUTER_6, INNER_6 = theorems_5_6.THEOREM_6["outer"], theorems_5_6.THEOREM_6["inner"]

FORMULAS = {
    "outer_6_seen": measured(OUTER_6.form("repaired"), at=t - 1),
    "inner_6_seen": measured(INNER_6.form()),
    "early_6_seen": nonconvex.lemma_14(t, P_6).xreplace({delta: DELTA}),
}

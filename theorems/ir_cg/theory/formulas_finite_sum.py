"""Bounds of Theorem 2's record along a run."""

from . import theorem_2
from .along_runs import measured
from .common import C, C_bar, bound

OUTER = {f: theorem_2.OUTER.form(f) for f in ("printed", "repaired", "own")}
INNER = {f: theorem_2.INNER.form(f) for f in ("printed", "repaired", "own")}

FORMULAS = {
    "late_term": OUTER["repaired"][bound] - OUTER["printed"][bound],
    "constants_2_seen": measured(INNER["repaired"], C) + measured(INNER["repaired"], C_bar),
    "outer_2_printed_seen": measured(OUTER["printed"]),
    "outer_2_repaired_seen": measured(OUTER["repaired"]),
    "outer_2_own_seen": measured(OUTER["own"]),
    "inner_2_repaired_seen": measured(INNER["repaired"]),
    "inner_2_own_seen": measured(INNER["own"]),
}

"""Bounds of this project's refinements of Theorems 5 and 6, along a run."""

from . import theorems_5_6
from .along_runs import measured, t

FORMULAS = {
    "own_inner_seen": measured(theorems_5_6.OWN["inner"].form("own")),
    "own_outer_seen": measured(theorems_5_6.OWN["outer"].form("own"), at=t - 1),
    "own_fs_inner_seen": measured(theorems_5_6.OWN_FS["inner"].form("own")),
    "own_fs_outer_seen": measured(theorems_5_6.OWN_FS["outer"].form("own"), at=t - 1),
}

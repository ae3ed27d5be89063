"""Claims about Theorem 3 (RE-RSVRB), and its falsifiers.

Runs follow the listing as printed. The repaired bound is about stages that hand on other estimators (E26): it is read
by exact claims only, and no run is compared with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sympy import Integer

from workbench import LONG, Claimed, Result
from workbench.claims import Constants, Count, View, exponents, law_exponents

from ..theory import witness
from . import stages
from .levels import stage
from .region import inside
from .study import STUDY, THEOREM_3, D, tasks, wave_tasks

SIMS = stages.SIMS
LEVEL = witness.STAGE.title
CASE = THEOREM_3.case("samples")
# N = O(1/eps) samples: F - F_* is O(1/N).
INVERTED = Claimed(float(-1 / CASE.claimed), "the inverse of that of the case samples")


def outputs(result: Result, table: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outputs of the stages, and the samples made up to their ends; the last iterate if no stage has ended."""
    ends = [m for m in stages.MARKS if m <= result.horizon] or [result.horizon]
    columns = np.searchsorted(result.marks, ends)
    return table[mask][:, columns], np.array(ends, float) - 1.0


at_ends = View(outputs, label="{} at the ends of stages", whole=True)
gap = STUDY.reader(THEOREM_3, claimed=INVERTED, metric="gap", view=at_ends)
GAP = gap(SIMS["stages"], tol=0.12, drift_tol=0.24)
# Where steps are not reduced the outputs scatter about one level: slopes are told from 0 only roughly.
TOLERANCE = {"stages-constant": 0.3, "stages-quarter": 0.12}
WRONG = {name: gap(SIMS[f"wrong-{name}"], tol=tol, profiles=LONG) for name, tol in TOLERANCE.items()}


def level(T: np.ndarray, **_: Any) -> np.ndarray:
    """(M,) E[F - F_*] after the stages that end at T samples, on average over the noise that the steps see."""
    k = np.log2(T / stages.T_1 + 1.0)
    problem, eta, length = (
        wave_tasks(stages.M),
        stages.ETA_1 * 2 ** (-(k - 1) / 2),
        stages.T_1 * 2 ** (k - 1),
    )
    return stage(problem.spread(0.0, D), stages.B * stages.M, eta, length, problem.curvature())


E22 = "E8: beta_gy in C_5 grows with m; E22: the entry of T_k with C is not covered"
FINDINGS = {(form, "m and mu"): E22 for form in ("printed", "repaired")}

CLAIMS = (
    Constants(THEOREM_3, "8 tasks", lambda: tasks(8), {"x": np.full((1, 2), stages.FIRST)}),
    Constants(THEOREM_3, "8 waves", lambda: wave_tasks(8), {"x": np.full((1, 2), 2.0)}),
    *exponents(THEOREM_3),
    *law_exponents(THEOREM_3, FINDINGS, {"theta": Integer(0), "nu": Integer(0)}),
    replace(inside(THEOREM_3, SIMS["stages"], ("outside_x_max",)), profiles=LONG),
    *GAP.rate(profiles=LONG),
    *GAP.tight(profiles=LONG),
    *GAP.level(level, LEVEL, 0.2, profiles=LONG),
    *(Count(THEOREM_3, SIMS["stages"], f"evaluation_{part}", 2, profiles=LONG) for part in "fg"),
    *(claim for readings in WRONG.values() for claim in readings.caught()),
)  # fmt: skip

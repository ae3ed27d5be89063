"""Claims about Theorem 3 (RE-RSVRB), and its falsifiers.

Runs follow the listing as printed. The repaired bound is about stages that hand on other estimators (E26): it is read
by exact claims only, and no run is compared with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sympy import Integer

from workbench import evidence
from workbench.engine.records import Result
from workbench.evidence import Finding
from workbench.experiments.claims import Count, Custom, Results, exponents, law_exponents
from workbench.experiments.constants import Constants
from workbench.experiments.readings import Claimed
from workbench.experiments.rsvrb import stages
from workbench.experiments.rsvrb.levels import stage
from workbench.experiments.rsvrb.region import inside
from workbench.experiments.rsvrb.study import STUDY, THEOREM_3, D, tasks
from workbench.experiments.study import LONG, named
from workbench.experiments.views import View

SIMS = named(stages)
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
GAP = gap(SIMS["stages"], tol=0.12)
# Where steps are not reduced the outputs scatter about one level: slopes are told from 0 only roughly.
TOLERANCE = {"stages-constant": 0.3, "stages-quarter": 0.12}
WRONG = {name: gap(SIMS[f"wrong-{name}"], tol=tol, profiles=LONG) for name, tol in TOLERANCE.items()}
SETTLED, MARGIN = 2, 2.0  # stages before the level is that of the noise; room for the spread of the runs


def level(T: np.ndarray, L_F: Any, **_: Any) -> np.ndarray:
    k = np.log2(T / stages.T_1 + 1.0)
    S, eta, length = (
        tasks(stages.M).spread(0.0, D),
        stages.ETA_1 * 2 ** (-(k - 1) / 2),
        stages.T_1 * 2 ** (k - 1),
    )
    return stage(S, stages.B * stages.M, eta, length, L_F)


def halved(results: Results) -> Finding:
    """The exponent of 2^(k-1) in E[F - F_*] after stage k: that of eps_k."""
    values, samples = GAP[0].curve(results)
    doubled = 2.0 ** (np.arange(len(samples)) - SETTLED)
    return evidence.scaling(values[:, SETTLED:], doubled[SETTLED:], INVERTED.value, tol=0.2, drift_tol=0.6)


def under_level(results: Results) -> Finding:
    """After each stage from `SETTLED` on E[F - F_*] is at most a fixed multiple of a level that each stage halves."""
    values, samples = GAP[0].curve(results)
    known = GAP[0].knowledge(results[SIMS["stages"].key])
    allowed = MARGIN * level(samples[SETTLED:], **known)
    return evidence.bound(values[:, SETTLED:], allowed, samples[SETTLED:])


E22 = "E8: beta_gy in C_5 grows with m; E22: the entry of T_k with C is not covered"
FINDINGS = {(form, "m and mu"): E22 for form in ("printed", "repaired")}

CLAIMS = (
    Constants(THEOREM_3, f"{stages.M} tasks", lambda: tasks(stages.M), {"x": np.full((1, 2), stages.FIRST)}),
    *exponents(THEOREM_3),
    *law_exponents(THEOREM_3, FINDINGS, {"theta": Integer(0), "nu": Integer(0)}),
    replace(inside(THEOREM_3, SIMS["stages"], ("outside_x_max",)), profiles=LONG),
    *GAP.rate(profiles=LONG),
    Custom(
        THEOREM_3.key, "scaling", "RE-RSVRB; E[F - F_*] after stage k against 2^k", halved, (SIMS["stages"].key,),
        profiles=LONG,
    ),
    Custom(
        THEOREM_3.key, "bound", f"RE-RSVRB; E[F - F_*] after stage k at most {MARGIN:g} times a level that is halved",
        under_level, (SIMS["stages"].key,), profiles=LONG,
    ),
    *(Count(THEOREM_3, SIMS["stages"], f"evaluation_{part}", 2, profiles=LONG) for part in "fg"),
    *(claim for found in WRONG.values() for claim in found.caught()),
)  # fmt: skip

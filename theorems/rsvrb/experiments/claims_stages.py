"""Claims about Theorem 3 (RE-RSVRB), and its falsifiers.

Runs follow the listing as printed. The repaired bound is about stages that hand on other estimators (E26): it is read
by exact claims only, and no run is compared with it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from sympy import Integer

from workbench import FULL, LONG, Claimed, Custom, Result, evidence
from workbench.claims import Constants, Count, Results, View, caught, exponents, law_exponents
from workbench.evidence import Finding

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


def _columns(result: Result) -> list[int]:
    """Of the outputs of the stages; of the last iterate if no stage has ended."""
    ends = [m for m in stages.MARKS if m <= result.horizon] or [result.horizon]
    return list(np.searchsorted(result.marks, ends))


def outputs(result: Result, table: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outputs of the stages at 2 T_k, which is T_1 more than the samples until then: the level is a power of it."""
    columns = _columns(result)
    return table[mask][:, columns], result.marks[columns] - 1.0 + stages.T_1


at_ends = View(outputs, label="{} at the ends of stages", whole=True)
gap = STUDY.reader(THEOREM_3, claimed=INVERTED, metric="gap", view=at_ends)
GAP = gap(SIMS["stages"], tol=0.12, drift_tol=0.24)
WRONG = {name: gap(SIMS[f"wrong-{name}"]) for name in stages.MUTATIONS}
# Whether the level is left again beyond the horizon is asked of the exponent of T_k.
OF_LEVEL = GAP.but(without=("slower terms",))


def exponent_of_length(key: str, results: Results) -> Finding:
    """The exponent of T_k in E[F - F_*] of the output of stage k, without the first stage, which begins at x_0."""
    result = results[key]
    columns = _columns(result)[1:]
    lengths = stages.T_1 * 2.0 ** np.arange(1, 1 + len(columns))
    return evidence.scaling(result.table("gap")[:, columns], lengths, INVERTED.value, 0.1, drift_tol=0.3)


def _exponent(name: str) -> Custom:
    sim = SIMS[name]
    title = f"{sim.title}; exponent of T_k in F - F_* after stage k"
    return Custom(
        THEOREM_3.key,
        "scaling",
        title,
        partial(exponent_of_length, sim.key),
        (sim.key,),
        ("gap",),
        profiles=LONG,
    )


def level(T: np.ndarray, **_: Any) -> np.ndarray:
    """(M,) E[F - F_*] after the stages of length T/2, on average over the noise that the steps see."""
    k = np.log2(T / stages.T_1)
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
    _exponent("stages"),
    *GAP.rate(profiles=FULL),
    *GAP.tight(profiles=FULL),
    *OF_LEVEL.level(level, LEVEL, 0.2, profiles=LONG),
    *(Count(THEOREM_3, SIMS["stages"], f"evaluation_{part}", 2, profiles=LONG) for part in "fg"),
    *(caught(_exponent(f"wrong-{name}")) for name in stages.MUTATIONS),
)  # fmt: skip

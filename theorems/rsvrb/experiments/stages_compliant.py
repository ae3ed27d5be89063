"""RE-RSVRB with all parameters of Theorem 3 as printed, on one task whose constants make the stages short.

The theorem says E[F(x_k) - F_*] <= eps_k at the end of stage k, after T_1 + ... + T_k iterations; it says something
once eps_k < Delta = F(x_0) - F_*. The task and the factors of tau and gamma below their bounds were found by minimizing
the number of iterations until then over h, a, A, B, tau and gamma (noise 1/20): 2e6. With the parameters of the form
`repaired`, whose C_5 contains beta_gy, the least number found in this family for eps_k = Delta/4 was 1e11, so no run
can test that one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np

from workbench import FULL, Batch, Custom, Grid, always, evidence
from workbench.claims import Results, named
from workbench.evidence import Finding

from ..methods import re_rsvrb
from ..problems.tasks import QuadraticTasks
from ..theory import sampling, theorem_2, theorem_3
from .region import inside
from .study import STUDY, THEOREM_3, begin

H, SLOPE, A, B, NOISE = 0.065, 0.27, 0.25, 0.135, 0.05  # NOISE: over the size of each function
FIRST, STAGES = 0.9, 7  # x_0 = 0.9 R_x; eps_7 is the first one below Delta
OF_TAU, OF_GAMMA = 0.78, 0.9  # tau and gamma over their bounds


@cache
def task() -> QuadraticTasks:
    """One task with its minimum at 0, on |x| <= 1."""
    column = {"h": H, "a": SLOPE, "s": 1.0, "c": 0.0, "e": 0.0, "Q": 1.0}
    size = {"s_u": A, "s_v": B, "s_w": H * SLOPE, "s_V": H * SLOPE, "s_H": H}
    noise = {name: NOISE * value for name, value in size.items()}
    fields: dict[str, Any] = {name: np.array([[value]]) for name, value in column.items()}
    return QuadraticTasks(**fields | noise, A=A, B=B, R_x=1.0, R_y=SLOPE * 1.001)


@cache
def constants() -> dict[str, float]:
    """All constants of Theorem 3 with tau and gamma: y_0 = y*(x_0), one sample for the first estimators, exact d_1."""
    start = {"x": np.full((1, 1), FIRST), "y": np.full((1, 1), SLOPE * FIRST)}
    one = task().task(0)
    declared = {n: float(np.max(v)) for n, v in {**one.constants(start), **task().constants(start)}.items()}
    values: dict[str, float] = {
        **declared,
        **sampling.of_tasks(task().of_tasks(1), [1.0], H),
        "delta_0": sum(declared[f"sigma_{n}"] ** 2 for n in ("fx", "fy", "gy", "gxy", "gyy")),
        "delta_y": 0.0,
        "delta_d": 0.0,
        "sigma_z": 0.0,
    }
    values["tau"] = OF_TAU / (3.0 * values["L_g"])
    return {**values, "gamma": OF_GAMMA * theorem_2.GAMMA_PRINTED.value(**values)}


def compliant(horizon: int, runs: int) -> Batch:
    grid = Grid([{}], runs)
    steps = THEOREM_3.steps("printed", **constants())
    return Batch(task(), re_rsvrb.Steps(**steps), begin(grid, FIRST, SLOPE, d=1), grid)


PLAN = theorem_3.plan(STAGES, "printed", **constants())
ENDS = tuple(accumulate(T for _, _, T in PLAN))
MARKS = tuple(end + 1 for end in ENDS)

SIMS = named(
    STUDY.simulation_from(
        "bound-3", "RE-RSVRB, all of Theorem 3 as printed", "re_rsvrb", compliant, always(MARKS[-1]), always(24),
        kind="compliant", marks=MARKS,
        chosen=f"one task, tau = {OF_TAU:g} and gamma = {OF_GAMMA:g} of their bounds, {STAGES} stages",
    ),
)  # fmt: skip


def halved(results: Results) -> Finding:
    """The mean of F - F_* at the end of each stage against eps_k."""
    result = results[SIMS["bound-3"].key]
    columns = np.searchsorted(result.marks, MARKS)
    allowed = np.array([eps for _, eps, _ in PLAN])
    return evidence.bound(result.table("gap")[:, columns], allowed, np.array(ENDS, float))


CLAIMS = (
    Custom(
        THEOREM_3.key, "bound", "RE-RSVRB, all of Theorem 3 as printed; E[F - F_*] after stage k at most eps_k",
        halved, (SIMS["bound-3"].key,), profiles=FULL,
    ),
    replace(inside(THEOREM_3, SIMS["bound-3"], ("outside_x_max",)), profiles=FULL),
)  # fmt: skip

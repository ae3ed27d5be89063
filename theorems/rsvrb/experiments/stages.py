"""Simulations of RE-RSVRB (Theorem 3) on tasks whose F is gradient-dominant where the runs go, and its falsifiers.

Practical stages have eta_k = eta_1 2^(-(k-1)/2) and T_k = T_1 2^(k-1), the theorem's T_k once B/eta_k^2 is its largest
entry, with beta_k = m eta_k^2. Compliant ones are in `stages_compliant`: here eps_1 of the theorem is 1e4 times
F(x_0) - F_* or more, so that tens of stages, each twice as long, pass before its claim says anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench import Batch, Grid, Mutation, profile
from workbench.claims import AS_READ, named

from ..methods import re_rsvrb
from .many_tasks import SLOPE, TAU, B, chosen_steps
from .study import STUDY, begin, wave_tasks

GAMMA, M = 1.0, 2
FIRST = 1.0  # x_0, well inside of the region of gradient dominance
ETA_1, T_1 = 0.1, 256
BATCH = 64  # samples of each task in the first mini-batch: of the order of 1/eta_1, as Theorem 2 has it (E13)
LAST = 12  # stages of the longest profile


def end(k: int) -> int:
    """The mark that shows the output of stage k."""
    return T_1 * (2**k - 1) + 1


@dataclass(frozen=True)
class Practical:
    """(horizon, runs) -> Batch of RE-RSVRB on m tasks."""

    m: int = M

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid([{}], runs)
        problem = wave_tasks(self.m)
        usual = chosen_steps(self.m, problem.h, gamma=GAMMA)
        fields = {n: v for n, v in usual.items() if n in re_rsvrb.Steps._fields}
        steps: dict[str, Any] = {
            **fields,
            "c": ETA_1,
            "T_1": float(T_1),
            "A": 0.0,
            "B": T_1 * ETA_1**2,
            "S": BATCH,
        }
        return Batch(problem, re_rsvrb.Steps(**steps), begin(grid, FIRST, SLOPE), grid)


MUTATIONS = {
    "stages-constant": Mutation("steps not reduced", "eta", becomes="c.c + 0.0 * s.k"),
    "stages-quarter": Mutation(
        "steps reduced by 2^(1/4)", "eta", becomes="c.c * power(xp.asarray(2.0), -(s.k - 1.0) / 4.0, xp)"
    ),
}
CHOSEN = (
    f"gamma = {GAMMA:g}, tau = {TAU:g}, m = {M}, eta_1 = {ETA_1:g}, T_1 = {T_1}, T_k = T_1 2^(k-1), "
    f"beta_k = {B * M:g} eta_k^2"
)
LENGTH = profile(end(4), end(7), end(LAST - 1))
MARKS = tuple(end(k) for k in range(1, LAST))

SIMS = named(
    STUDY.simulation_from(
        "stages", "RE-RSVRB", "re_rsvrb", Practical(), LENGTH, profile(64, 1536, 1024), chosen=CHOSEN, marks=MARKS,
        record=AS_READ,
    ),
    *(
        STUDY.simulation_from(
            f"wrong-{name}", f"RE-RSVRB, {m.name}", "re_rsvrb", Practical(), profile(end(4), end(7), end(9)),
            profile(64, 320, 512), chosen=CHOSEN, marks=MARKS, mutation=m, record=AS_READ,
        )
        for name, m in MUTATIONS.items()
    ),
)  # fmt: skip

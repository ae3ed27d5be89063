"""Simulations of SVRB (Theorem 1) on one quadratic task, and its falsifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench import Batch, Grid, Mutation, powers, profile
from workbench.claims import named

from ..methods import svrb
from ..problems.quadratic import Quadratic
from ..theory import theorem_1
from .study import BETAS, GENTLE, LAMBDA_PART, OFFSET, ON_MEAN, STUDY, THEOREM_1, begin

GAMMA, TAU, B = 2.0, 1.0, 1.0  # of practical runs
NOISY = Quadratic()
FIRST, FIRST_GENTLE = 1.0, 2.0  # x_0


@dataclass(frozen=True)
class Practical:
    """(horizon, runs) -> Batch of SVRB on `NOISY`, eta_t = (10 + t)^(-1/3). wrong: field of Steps -> wrong value."""

    wrong: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid([{}], runs)
        start = begin(grid, FIRST, NOISY.a)
        constants = NOISY.constants(start)
        chosen = {
            "gamma": GAMMA, "tau": TAU, "c": 1.0, "c_0": OFFSET, **dict.fromkeys(BETAS, B),
            "C_fy": constants["C_fy"], "C_gxy": constants["C_gxy"], "lam": LAMBDA_PART * constants["lam"], **self.wrong,
        }  # fmt: skip
        return Batch(NOISY, svrb.Steps(**chosen), start, grid)


def compliant(horizon: int, runs: int) -> Batch:
    """All parameters of Theorem 1, from y_0 = y*(x_0), with c = 1."""
    grid = Grid([{}], runs)
    start = begin(grid, FIRST_GENTLE, GENTLE.a, d=1)
    constants = {**GENTLE.constants(start), "delta_y": 0.0, "delta_0": 0.0}
    constants |= theorem_1.parameters(1.0, **constants)
    return Batch(GENTLE, svrb.Steps(**THEOREM_1.steps("repaired", **constants)), start, grid)


MUTATIONS = {
    "constant-beta": Mutation("constant beta", "eta_old", becomes="0.8 + 0.0 * eta"),
    "beta-eta": Mutation("beta of order eta", "eta_old", becomes="xp.sqrt(0.3 * eta)"),
    "misread-v": Mutation(
        "line 5 read as (1 - beta) V - old + new",
        "V = (1.0 - wide(c.b_gxy * eta_old**2, s.V)) * (s.V - gxy_old) + gxy",
        becomes="(1.0 - wide(c.b_gxy * eta_old**2, s.V)) * s.V - gxy_old + gxy",
    ),
    "fresh": Mutation(
        "fresh samples of f at the old point",
        "fx_old, fy_old",
        part="xi",
        becomes="draw(7)",
    ),
    "uncorrected": Mutation(
        "momentum without the correction term",
        "w",
        becomes="(1.0 - c.b_gy * eta_old**2) * s.w + c.b_gy * eta_old**2 * gy",
    ),
}
SLOW = 1.0 / 4.0  # decay of the steps in place of 1/3
WRONG, WRONG_RUNS = powers(13, 15, 17), profile(64, 256, 256)

SIMS = named(
    ON_MEAN.simulation_from(
        "one-task", "SVRB", "svrb", Practical(), powers(14, 17, 20), profile(1024, 4096, 512),
        chosen=f"gamma = {GAMMA:g}, tau = {TAU:g}, c = 1, c_0 = {OFFSET:g}, {STUDY.chosen}",
    ),
    STUDY.simulation_from(
        "bound-1", "SVRB, all of Theorem 1", "svrb", compliant, powers(15, 18, 21), profile(24, 24, 32),
        kind="compliant", chosen="c = 1, largest tau and gamma, least c_0, little noise",
    ),
    ON_MEAN.simulation_from(
        "wrong-slow", "SVRB, steps of order t^(-1/4)", "svrb", Practical({"a": SLOW}), WRONG, profile(256, 256, 256),
        wrong="steps of order t^(-1/4)",
    ),
    *(
        ON_MEAN.simulation_from(f"wrong-{name}", f"SVRB, {m.name}", "svrb", Practical(), WRONG, WRONG_RUNS, mutation=m)
        for name, m in MUTATIONS.items()
    ),
)  # fmt: skip

"""Simulations of RSVRB (Theorem 2) on m heterogeneous tasks, and its falsifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench import Grid
from workbench.claims import Batch, Mutation, Simulation, always, named, over, powers, profile

from ..methods import rsvrb
from ..theory import theorem_2
from .study import (
    ACCURACY,
    BETAS,
    FIRST_GENTLE,
    LAMBDA_PART,
    OFFSET,
    ON_MEAN,
    SLOPE_GENTLE,
    STUDY,
    THEOREM_2,
    begin,
    constants_of_tasks,
    gentle_tasks,
    tasks,
)

GAMMA, TAU, B = 1.0, 1.0, 1.0  # of practical runs
SIZES = (1, 8, 64, 512)
FIRST, SLOPE = 1.0, 0.6  # x_0, and y_0 over x_0 of every task: the mean slope of the y_i*
LATE = 128  # T/m at which the sizes are compared
ALPHA, UNEVEN = 1.0, 8  # sizes i^(-alpha) of 8 tasks
GENTLY = 0.8  # gamma there: the largest task is nearly three times as steep as on average
MIXES = (0.0, 0.5, 1.0)  # of p with the probabilities in proportion to the sizes


def chosen_steps(m: int, lam: float, **changed: Any) -> dict[str, Any]:
    """Steps of practical runs: eta_t = m^(-2/3) (10 m + t)^(-1/3), all beta_t = m eta_(t-1)^2."""
    betas = dict.fromkeys((*BETAS, "b_d"), B * m)
    steps = {"gamma": GAMMA, "tau": TAU, "c": m ** (-2 / 3), "c_0": OFFSET * m, "a": 1 / 3}
    return {**steps, **betas, "lam": LAMBDA_PART * lam, **changed}


@dataclass(frozen=True)
class Practical:
    """(horizon, runs) -> Batch of RSVRB on m tasks of sizes i^(-alpha).

    points: of the grid, whose parameters are fields of Steps. drawn: the alpha by which tasks are drawn, if not that of
    the weights. wrong: field of Steps -> wrong value.
    """

    m: int
    alpha: float = 0.0
    points: tuple[Mapping[str, float], ...] = ({},)
    drawn: float | None = None
    wrong: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid(self.points, runs)
        problem = tasks(self.m, self.alpha)
        steps = chosen_steps(self.m, float(problem.h.min()), **{n: grid[n] for n in grid.params})
        if self.drawn is not None:
            problem = replace(problem, Q=tasks(self.m, self.drawn).Q)
        return Batch(problem, rsvrb.Steps(**{**steps, **self.wrong}), begin(grid, FIRST, SLOPE), grid)


HORIZONS = over("until", [float(1 << k) for k in range(9, 15)])  # of Theorem 2's constant steps


def fixed(horizon: int, runs: int) -> Batch:
    """Theorem 2's constant steps, eta = (m/T)^(1/3)/m for each horizon T, on eight tasks."""
    m, grid = SIZES[1], Grid(HORIZONS, runs)
    problem = tasks(m)
    eta = (m / grid["until"]) ** (1 / 3) / m
    steps = chosen_steps(m, float(problem.h.min()), c=eta, c_0=1.0, a=0.0)
    return Batch(problem, rsvrb.Steps(**steps), begin(grid, FIRST, SLOPE), grid)


@dataclass(frozen=True)
class Compliant:
    """(horizon, runs) -> Batch with all parameters of Theorem 2 for the accuracy `ACCURACY`."""

    m: int

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid([{}], runs)
        start = begin(grid, FIRST_GENTLE, SLOPE_GENTLE, d=1)
        constants = constants_of_tasks(self.m, start)
        constants |= theorem_2.parameters(ACCURACY, **constants)
        return Batch(
            gentle_tasks(self.m), rsvrb.Steps(**THEOREM_2.steps("repaired", **constants)), start, grid
        )


STEP = "return iterate(s, eta, eta_old, c, oracle, draw, xp)"
MUTATIONS = {
    "tasks-uncorrected": Mutation(
        "momentum without the correction term",
        STEP,
        becomes="iterate(s._replace(x_old=s.x, way_old=s.way), eta, eta_old, c, oracle, draw, xp)",
    ),
    "tasks-beta-eta": Mutation("beta of order eta", "eta_old", becomes="xp.sqrt(eta) / 8.0"),
}
LENGTHS = {1: powers(12, 14, 16), 8: powers(13, 16, 18), 64: powers(12, 14, 17), 512: powers(12, 16, 16)}
RUNS = {
    1: profile(128, 512, 512),
    8: profile(1024, 512, 1024),
    64: profile(64, 128, 512),
    512: profile(24, 128, 128),
}


def practical(name: str, what: str, make: Any, *size: Any, **more: Any) -> Simulation:
    """size: horizon and runs by profile."""
    chosen = (
        f"gamma = {make.wrong.get('gamma', GAMMA):g}, tau = {TAU:g}, eta_t = m^(-2/3) (10 m + t)^(-1/3), "
        "beta_t = m eta_(t-1)^2"
    )
    return ON_MEAN.simulation_from(name, f"RSVRB, {what}", "rsvrb", make, *size, chosen=chosen, **more)


SIMS = named(
    *(practical(f"tasks-{m}", f"m = {m}", Practical(m), LENGTHS[m], RUNS[m]) for m in SIZES),
    STUDY.simulation_from(
        "fixed", "RSVRB, steps fixed by the horizon", "rsvrb", fixed, always(1 << 14), profile(64, 256, 512),
        chosen=f"gamma = {GAMMA:g}, tau = {TAU:g}, m = {SIZES[1]}, eta = (m/T)^(1/3)/m, beta = m eta^2",
    ),
    practical(
        "uneven", "tasks of sizes 1/i", Practical(UNEVEN, ALPHA, tuple(over("mix", MIXES)), wrong={"gamma": GENTLY}),
        powers(12, 14, 17), profile(64, 512, 512),
    ),
    *(
        STUDY.simulation_from(
            f"bound-2-{m}", f"RSVRB, m = {m}, all of Theorem 2", "rsvrb", Compliant(m), powers(10, 17, 20),
            profile(24, 24, 32), kind="compliant",
            chosen=f"eps = {ACCURACY:g}, largest tau, gamma and eta, little noise",
        )
        for m in (1, 2)
    ),
    practical(
        "wrong-weights", "weights of other probabilities", Practical(SIZES[1], drawn=ALPHA, wrong={"mix": 1.0}),
        powers(13, 15, 17), profile(256, 256, 256), wrong="tasks drawn in proportion to 1/i, weighted by m",
    ),
    *(
        practical(f"wrong-{name}", m.name, Practical(SIZES[1]), powers(13, 15, 17), profile(64, 128, 256), mutation=m)
        for name, m in MUTATIONS.items()
    ),
)  # fmt: skip

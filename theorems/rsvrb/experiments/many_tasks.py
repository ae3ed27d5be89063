"""Simulations of RSVRB (Theorem 2) on m heterogeneous tasks, and its falsifiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from workbench import Grid, Result
from workbench.claims import AS_READ, Batch, Mutation, Simulation, always, named, over, powers, profile

from ..methods import rsvrb
from ..problems.wave_tasks import WaveTasks
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
    wave_tasks,
)

GAMMA, TAU, B = 1.0, 1.0, 1.0  # of practical runs
SIZES = (1, 8, 64, 512)
FIRST, SLOPE = 2.0, 0.6  # x_0, and y_0 over x_0 of every task: a little more than y_i*(x_0)
LATE = 128  # T/m at which the sizes are compared
ALPHA, UNEVEN = 1.0, 8  # sizes i^(-alpha) of 8 tasks
GENTLY = 0.8  # gamma there: the largest task is nearly three times as steep as on average
MIXES = (0.0, 0.5, 1.0)  # of p with the probabilities in proportion to the sizes


def chosen_steps(m: int, lam: float, **changed: Any) -> dict[str, Any]:
    """Steps of practical runs: eta_t = m^(-2/3) (10 m + t)^(-1/3), all beta_t = m eta_(t-1)^2."""
    betas = dict.fromkeys((*BETAS, "b_d"), B * m)
    steps = {"gamma": GAMMA, "tau": TAU, "c": m ** (-2 / 3), "c_0": OFFSET * m, "a": 1 / 3}
    return {**steps, **betas, "lam": LAMBDA_PART * lam, **changed}


class _Unweighted(WaveTasks):
    """Tasks that are drawn uniformly, and whose samples count as they are: p_i = 1 in every weight, with mix = 1."""

    def sampling(self, xp: Any) -> tuple[Any, Any]:
        return 0.0 * self.s + 1.0, self.Q


@dataclass(frozen=True)
class Practical:
    """(horizon, runs) -> Batch of RSVRB on m tasks of sizes i^(-alpha).

    points: of the grid, whose parameters are fields of Steps. drawn: the alpha by which tasks are drawn, if not that of
    the weights. weighted: False for samples that are not divided by p_i. wrong: field of Steps -> wrong value.
    """

    m: int
    alpha: float = 0.0
    points: tuple[Mapping[str, float], ...] = ({},)
    drawn: float | None = None
    weighted: bool = True
    wrong: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid(self.points, runs)
        problem = wave_tasks(self.m, self.alpha)
        steps = chosen_steps(self.m, problem.h, **{n: grid[n] for n in grid.params})
        if self.drawn is not None:
            problem = replace(problem, Q=wave_tasks(self.m, self.drawn).Q)
        if not self.weighted:
            problem = _Unweighted(**vars(problem))
        return Batch(problem, rsvrb.Steps(**{**steps, **self.wrong}), begin(grid, FIRST, SLOPE), grid)


# Horizons of Theorem 2's constant steps, by m, and runs.
HORIZONS = {
    8: over("until", [float(1 << k) for k in range(9, 14)]),
    64: over("until", [float(1 << k) for k in (12, 14, 16)]),
}
OF_FIXED = {8: profile(64, 1024, 1024), 64: profile(24, 1024, 1536)}


@dataclass(frozen=True)
class Fixed:
    """(horizon, runs) -> Batch with Theorem 2's constant steps, eta = (m/T)^(1/3)/m for each horizon T."""

    m: int

    def __call__(self, horizon: int, runs: int) -> Batch:
        m, grid = self.m, Grid(HORIZONS[self.m], runs)
        problem = wave_tasks(m)
        eta = (m / grid["until"]) ** (1 / 3) / m
        steps = chosen_steps(m, problem.h, c=eta, c_0=1.0, a=0.0)
        return Batch(problem, rsvrb.Steps(**steps), begin(grid, FIRST, SLOPE), grid)


FLOOR_SIZES = (8, 16, 32)  # of the same kinds of tasks
FLOOR_ETA, FLOOR_BETA = 0.01, 0.0001  # constant, and so small that beta m is still small
FLOOR_BATCH = 16  # samples of each task in the first mini-batch, whose error lasts 1/beta iterations
FLOOR_FIRST, FLOOR_SLOPE = 0.77, 0.9  # near the minimizer: no run starts far out
ROOTS = (0.0, 0.5)  # beta_d = m^root beta


@dataclass(frozen=True)
class Constant:
    """(horizon, runs) -> Batch of RSVRB with constant steps, for each beta_d of `ROOTS`, or of one."""

    m: int
    roots: tuple[float, ...] = ROOTS

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid(over("root", self.roots), runs)
        problem = wave_tasks(self.m)
        b = FLOOR_BETA / FLOOR_ETA**2
        steps = {"gamma": GAMMA, "tau": TAU, "c": FLOOR_ETA, "lam": LAMBDA_PART * problem.h, "S": FLOOR_BATCH}
        betas = {**dict.fromkeys(BETAS, b), "b_d": b * self.m ** grid["root"]}
        return Batch(problem, rsvrb.Steps(**steps, **betas), begin(grid, FLOOR_FIRST, FLOOR_SLOPE), grid)


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


def frozen(horizon: int, runs: int) -> Batch:
    """Eight tasks at an x that does not move."""
    return Practical(SIZES[1], wrong={"gamma": 0.0})(horizon, runs)


CALL = "iterate(s, eta, eta_old, c, oracle, draw, xp"
STEP = f"return {CALL})"
MUTATIONS = {
    "tasks-uncorrected": Mutation(
        "momentum without the correction term",
        STEP,
        becomes="iterate(s._replace(x_old=s.x, way_old=s.way), eta, eta_old, c, oracle, draw, xp)",
    ),
    "tasks-beta-eta": Mutation("beta of order eta", "eta_old", becomes="xp.sqrt(eta) / 8.0"),
    "tasks-unshrunk": Mutation(
        "blocks that are not sampled do not shrink",
        STEP,
        becomes=f"{CALL}, shrinks=False)",
    ),
}
OF_MEAN = Mutation("d is the mean of the z_i", STEP, becomes=f"{CALL}, of_i=1.0 / s.way_stored.shape[1])")
FLOOR = powers(12, 16, 16), profile(24, 64, 512)
LENGTHS = {1: powers(12, 14, 16), 8: powers(12, 15, 18), 64: powers(12, 16, 18), 512: powers(12, 16, 16)}
RUNS = {
    1: profile(64, 1024, 1024),
    8: profile(64, 2048, 2048),
    64: profile(64, 2048, 2048),
    512: profile(24, 72, 128),
}
# Decay of steps that is too slow, and their factor: for m = 64 with the right eta_0, since larger ones are unstable.
SLOW = {8: (1 / 4, 8 ** (-2 / 3)), 64: (1 / 6, 64 ** (-2 / 3) * (OFFSET * 64) ** (-1 / 6))}
WRONG = {  # m -> falsifier -> horizon and runs by profile
    8: {
        "unweighted": (powers(12, 14, 17), profile(64, 128, 256)),
        "tasks-slow": (powers(13, 17, 17), profile(64, 256, 256)),
        "tasks-uncorrected": (powers(12, 14, 17), profile(64, 128, 256)),
        "tasks-unshrunk": (powers(12, 14, 17), profile(64, 384, 384)),
    },
    64: {
        "unweighted": (powers(12, 15, 17), profile(64, 64, 256)),
        "tasks-slow": (powers(12, 16, 17), profile(64, 128, 256)),
        "tasks-uncorrected": (powers(12, 14, 16), profile(64, 192, 256)),
        "tasks-beta-eta": (powers(12, 16, 17), profile(64, 128, 256)),
        "tasks-unshrunk": (powers(12, 15, 17), profile(64, 64, 256)),
    },
}


def practical(name: str, what: str, make: Any, *size: Any, **more: Any) -> Simulation:
    """size: horizon and runs by profile."""
    chosen = (
        f"gamma = {make.wrong.get('gamma', GAMMA):g}, tau = {TAU:g}, eta_t = m^(-2/3) (10 m + t)^(-1/3), "
        "beta_t = m eta_(t-1)^2"
    )
    return ON_MEAN.simulation_from(name, f"RSVRB, {what}", "rsvrb", make, *size, chosen=chosen, **more)


def _key_of(name: str, m: int) -> str:
    return f"wrong-{name}" if m == SIZES[1] else f"wrong-{name}-{m}"


def falsifier(name: str, m: int) -> Simulation:
    """RSVRB on m tasks with one part wrong."""
    key, size = _key_of(name, m), WRONG[m][name]
    if mutation := MUTATIONS.get(name):
        return practical(key, f"m = {m}, {mutation.name}", Practical(m), *size, mutation=mutation)
    if name == "unweighted":  # u is 1/m of the right one; where m is large, gamma makes up for it
        wrong = {"mix": 1.0} if m == SIZES[1] else {"mix": 1.0, "gamma": GAMMA * m}
        make, what = Practical(m, weighted=False, wrong=wrong), "samples that are not divided by p_i"
        return practical(key, f"m = {m}, {what}", make, *size, wrong="weights 1 in place of 1/p_i")
    a, c = SLOW[m]
    make, what = Practical(m, wrong={"a": a, "c": c}), f"steps of order t^(-1/{1 / a:g})"
    return practical(key, f"m = {m}, {what}", make, *size, wrong=what)


SIMS = named(
    *(practical(f"tasks-{m}", f"m = {m}", Practical(m), LENGTHS[m], RUNS[m]) for m in SIZES),
    *(
        STUDY.simulation_from(
            name, f"RSVRB, m = {m}, steps fixed by the horizon", "rsvrb", Fixed(m),
            always(int(HORIZONS[m][-1]["until"])), OF_FIXED[m],
            chosen=f"gamma = {GAMMA:g}, tau = {TAU:g}, eta = (m/T)^(1/3)/m, beta = m eta^2",
        )
        for m, name in ((8, "fixed"), (64, "fixed-64"))
    ),
    *(
        ON_MEAN.simulation_from(
            f"floor-{m}", f"RSVRB, m = {m}, constant steps", "rsvrb", Constant(m), *FLOOR,
            chosen=f"gamma = {GAMMA:g}, tau = {TAU:g}, eta = {FLOOR_ETA:g}, beta = {FLOOR_BETA:g}",
        )
        for m in FLOOR_SIZES
    ),
    *(
        ON_MEAN.simulation_from(
            f"floor-mean-{m}", f"RSVRB, m = {m}, constant steps, d the mean of the z_i", "rsvrb",
            Constant(m, ROOTS[:1]), *FLOOR, mutation=OF_MEAN,
            chosen=f"gamma = {GAMMA:g}, tau = {TAU:g}, eta = {FLOOR_ETA:g}, beta = {FLOOR_BETA:g}",
        )
        for m in FLOOR_SIZES
    ),
    practical(
        "uneven", "tasks of sizes 1/i", Practical(UNEVEN, ALPHA, tuple(over("mix", MIXES)), wrong={"gamma": GENTLY}),
        powers(12, 14, 17), profile(64, 576, 576),
    ),
    *(
        STUDY.simulation_from(
            f"bound-2-{m}", f"RSVRB, m = {m}, all of Theorem 2", "rsvrb", Compliant(m), powers(10, 17, 20),
            profile(24, 24, 32), kind="compliant",
            chosen=f"eps = {ACCURACY:g}, largest tau, gamma and eta, little noise",
        )
        for m in (1, 2)
    ),
    *(
        STUDY.simulation_from(
            name, f"RSVRB, x does not move{what}", "rsvrb", frozen, always(1 << 13), always(192), record=AS_READ,
            chosen=f"m = {SIZES[1]}, gamma = 0, all beta_t = m eta_(t-1)^2", mutation=mutation,
        )
        for name, what, mutation in (
            ("frozen", "", None),
            ("wrong-frozen", ", j = i", Mutation("j is i", STEP, becomes=f"{CALL}, of_i=1.0)")),
        )
    ),
    practical(
        "wrong-weights", "weights of other probabilities", Practical(SIZES[1], drawn=ALPHA, wrong={"mix": 1.0}),
        powers(12, 14, 17), profile(64, 384, 384), wrong="tasks drawn in proportion to 1/i, weighted by m",
    ),
    *(falsifier(name, m) for m in WRONG for name in WRONG[m]),
)  # fmt: skip

FALSIFIERS = tuple(_key_of(name, m) for m in WRONG for name in WRONG[m])


def late(result: Result) -> np.ndarray:
    """(rows, M): the mean of |grad F|^2 over T/2 < t <= T at the marks T, with the nearest mark below T/2."""
    half = np.maximum(np.searchsorted(result.marks, result.marks / 2, side="right") - 1, 0)
    T, mean = result.marks, result.table("grad_sq_mean")
    span = np.maximum(T - T[half], 1)
    return (T * mean - T[half] * mean[:, half]) / span

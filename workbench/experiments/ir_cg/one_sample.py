"""Simulations of IR-SCG (Theorems 1, 3, 5) on the witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.ir_cg.ir_scg import Steps
from workbench.engine.records import Grid
from workbench.experiments.ir_cg.choices import (
    INNER_OWN,
    ONE_SAMPLE_P,
    OUTER_1,
    OUTER_5,
    SMALL_VARSIGMA,
    VARSIGMA,
    simulation,
)
from workbench.experiments.records import Batch, Mutation, Simulation
from workbench.instances.ir_cg.least_norm import hadamard_least_norm
from workbench.instances.ir_cg.nonconvex import SaddleOuter
from workbench.instances.ir_cg.witness import Exponential, HuberCosh

HORIZON = {"quick": 20_000, "default": 100_000, "full": 4_000_000}
SHORT = {"quick": 10_000, "default": 200_000, "full": 1_000_000}
STEPPING = {"quick": 10_000, "default": 20_000, "full": 200_000}
MANY = {"quick": 64, "default": 9216, "full": 9216}
RUNS = {"quick": 64, "default": 96, "full": 200}
SMOOTH_RUNS = {"quick": 64, "default": 3072, "full": 3072}
WRONG_RUNS = {"quick": 64, "default": 1024, "full": 1024}
WRONG_P = 0.6  # outside (0, 1/2)
LEVEL_NOISE = 0.05


def corner(grid: Grid, d: int) -> dict[str, np.ndarray]:
    """The upper corner of the box; immaterial after one step, since alpha_0 = 1."""
    return {"x": grid.full(1.0, d)}


def convex(grid: Grid, **more: Any) -> Steps:
    return Steps(**OUTER_1.steps("own", **{"varsigma": VARSIGMA, "p": grid["p"], **more}))


def on(instance: Callable[[], Any], d: int, ps: tuple[float, ...], horizon: int, runs: int) -> Batch:
    """The schedule of Theorem 1 for several p."""
    grid = Grid([{"p": p} for p in ps], runs)
    return Batch(instance(), convex(grid), corner(grid, d), grid)


def wrong_decay(horizon: int, runs: int) -> Batch:
    """p >= 1/2: the theorem's own schedule refuses it."""
    grid = Grid([{"p": WRONG_P}], runs)
    return Batch(HuberCosh(), Steps(VARSIGMA, grid["p"], 2, 2, 1), corner(grid, 2), grid)


def least_norm(horizon: int, runs: int) -> Batch:
    grid = Grid([{"p": p, "varsigma": SMALL_VARSIGMA} for p in ONE_SAMPLE_P], runs)
    return Batch(
        hadamard_least_norm(),
        convex(grid, varsigma=SMALL_VARSIGMA),
        {"x": np.tile(np.eye(8)[:1], (grid.rows, 1))},
        grid,
    )


def saddle(horizon: int, runs: int, theorem: Any = OUTER_5, **change: float) -> Batch:
    """Theorem 5's schedule; ``change`` replaces entries (a falsifier)."""
    grid = Grid([{}], runs)
    steps = {**theorem.steps("own", varsigma=VARSIGMA), **change}
    return Batch(SaddleOuter(), Steps(**steps), corner(grid, 3), grid)


def slow_inner(horizon: int, runs: int) -> Batch:
    """The schedule of this project's sharper theorem on EXP, whose inner gap follows sigma_t."""
    grid = Grid([{}], runs)
    steps = INNER_OWN.steps("own", varsigma=VARSIGMA)
    return Batch(Exponential(b=LEVEL_NOISE), Steps(**steps), corner(grid, 1), grid)


PLAIN = Mutation("plain stochastic gradient", "G", becomes="g")
HEAVY = Mutation("constant momentum 0.1", "keep", becomes="0.9")
UNCORRECTED = Mutation("momentum without the correction term", "G", becomes="keep * s.G + (1.0 - keep) * g")
CONSTANT_STEP = Mutation("step not decaying", "x", part="a", becomes="0.1")
CONSTANT_SIGMA = Mutation("sigma constant", "sigma", becomes="s.sigma")
BIG_HUBER: Callable[[], Any] = HuberCosh
LEVEL_EXP: Callable[[], Any] = partial(Exponential, b=LEVEL_NOISE)
MIDDLE = (0.25,)
WIDE = 9  # coordinates where the inner gap of single ones scatters too much


def _sim(
    name: str, title: str, make: Callable, horizon: dict[str, int] = SHORT, **options: Any
) -> Simulation:
    return simulation(
        name,
        title,
        "ir_scg",
        make,
        horizon,
        **{"runs": WRONG_RUNS if "mutation" in options or "wrong" in options else RUNS, **options},
    )


SIMULATIONS = (
    _sim("hc", "IR-SCG on HC", partial(on, BIG_HUBER, 2, ONE_SAMPLE_P), HORIZON, runs=MANY),
    _sim("exp", "IR-SCG on EXP", partial(on, LEVEL_EXP, 1, ONE_SAMPLE_P), HORIZON),
    _sim("ls", "IR-SCG on least norm", least_norm, {"quick": 10_000, "default": 30_000, "full": 1_000_000}),
    _sim("nc", "IR-SCG on NC, Theorem 5", saddle, HORIZON, runs=SMOOTH_RUNS),
    _sim("nc-own", "IR-SCG on NC, p = 1/5", partial(saddle, theorem=INNER_OWN), HORIZON, runs=SMOOTH_RUNS),
    _sim("exp-own", "IR-SCG on EXP, (p, omega) = (1/5, 4/5)", slow_inner, HORIZON),
    _sim("hc-plain", "IR-SCG on HC, plain gradients", partial(on, BIG_HUBER, 2, MIDDLE), mutation=PLAIN),
    _sim("hc-heavy", "IR-SCG on HC, constant momentum", partial(on, BIG_HUBER, 2, MIDDLE), mutation=HEAVY),
    _sim(
        "hc-uncorrected",
        "IR-SCG on HC, no correction term",
        partial(on, BIG_HUBER, 2, MIDDLE),
        mutation=UNCORRECTED,
    ),
    _sim(
        "hc-step",
        "IR-SCG on HC, constant step",
        partial(on, BIG_HUBER, WIDE, MIDDLE),
        mutation=CONSTANT_STEP,
        horizon=STEPPING,
    ),
    _sim(
        "exp-sigma",
        "IR-SCG on EXP, constant sigma",
        partial(on, LEVEL_EXP, 1, MIDDLE),
        mutation=CONSTANT_SIGMA,
    ),
    _sim("hc-decay", "IR-SCG on HC, p = 0.6", wrong_decay, wrong="p outside (0, 1/2)"),
    _sim(
        "nc-decay",
        "IR-SCG on NC, p = 3/7",
        partial(saddle, p=3 / 7),
        HORIZON,
        wrong="p = 3/7 where Theorem 5 takes 2/7",
        runs=SMOOTH_RUNS,
    ),
)
SIMS = {s.key.removeprefix("ir_cg/sim-"): s for s in SIMULATIONS}

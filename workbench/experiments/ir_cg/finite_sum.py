"""Simulations of IR-FSCG (Theorems 2, 4, 6) on the witnesses, and its negative controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.ir_cg.ir_fscg import Steps
from workbench.engine.records import Grid
from workbench.experiments.ir_cg.choices import (
    FINITE_SUM_P,
    OUTER_2,
    OUTER_6,
    OUTER_OWN_FS,
    RESIDUES,
    VARSIGMA,
    Q,
    simulation,
)
from workbench.experiments.ir_cg.one_sample import CONSTANT_SIGMA
from workbench.experiments.records import Batch, Mutation, Simulation
from workbench.instances.ir_cg.least_norm import hadamard_least_norm
from workbench.instances.ir_cg.nonconvex import SaddleComponents
from workbench.instances.ir_cg.witness import Exponential, SpreadComponents

HORIZON = {"quick": 20_000, "default": 400_000, "full": 4_000_000}
SHORT = {"quick": 10_000, "default": 400_000, "full": 1_000_000}
MANY_HORIZON = {"quick": 20_000, "default": 400_000, "full": 4_000_000}
MANY = {"quick": 64, "default": 384, "full": 400}
RUNS = {"quick": 64, "default": 96, "full": 400}
N = Q * Q
WRONG_P = 1.2  # outside (0, 1)


def convex(grid: Grid, q: int = Q, varsigma: float = VARSIGMA) -> Steps:
    return Steps(**OUTER_2.steps("own", varsigma=varsigma, p=grid["p"], q=q))


def on(instance: Callable[[], Any], d: int, ps: tuple[float, ...], horizon: int, runs: int) -> Batch:
    grid = Grid([{"p": p} for p in ps], runs)
    return Batch(instance(), convex(grid), {"x": grid.full(1.0, d)}, grid)


def spread_starts(horizon: int, runs: int) -> Batch:
    """EXP without noise: runs differ in their start alone."""
    grid = Grid([{"p": p} for p in FINITE_SUM_P], runs)
    return Batch(Exponential(kappa=20.0), convex(grid), {"x": grid.random_start(0.5, 1.0)}, grid)


def least_norm(horizon: int, runs: int) -> Batch:
    """q = S = 2, n = 4."""
    grid = Grid([{"p": p} for p in FINITE_SUM_P], runs)
    start = {"x": np.tile(np.eye(8)[:1], (grid.rows, 1))}
    return Batch(hadamard_least_norm(), convex(grid, 2), start, grid)


def slow_inner(horizon: int, runs: int, theorem: Any = OUTER_6) -> Batch:
    """A non-convex schedule on EXP, whose inner gap follows sigma_t."""
    grid = Grid([{}], runs)
    steps = Steps(**theorem.steps(theorem.forms[-1].name, varsigma=VARSIGMA, q=Q))
    return Batch(Exponential(kappa=20.0), steps, {"x": grid.random_start(0.5, 1.0)}, grid)


def wrong_decay(horizon: int, runs: int) -> Batch:
    grid = Grid([{"p": WRONG_P}], runs)
    steps = Steps(**{**OUTER_2.steps("own", varsigma=VARSIGMA, p=0.5, q=Q), "p": grid["p"]})
    return Batch(SpreadComponents(n=N), steps, {"x": grid.full(1.0, 2)}, grid)


def saddle(horizon: int, runs: int, theorem: Any = OUTER_6) -> Batch:
    grid = Grid([{}], runs)
    steps = Steps(**theorem.steps(theorem.forms[-1].name, varsigma=VARSIGMA, q=Q))
    return Batch(SaddleComponents(n=N), steps, {"x": grid.full(1.0, 3)}, grid)


UNREFRESHED = Mutation("no full gradients", "F, G", part="c.q", becomes="10**9")
UNRECURSIVE = Mutation(  # -0.0 + g is g, bit by bit
    "mini-batches without recursion",
    "F, G",
    becomes="spider((-0.0, -0.0), t, c.q, full, lambda: "
    "(oracle.pair_f(s.x, s.x_old, draw(0), c.S)[0], oracle.pair_g(s.x, s.x_old, draw(1), c.S)[0]), xp)",
)
COMPONENTS: Callable[[], Any] = partial(SpreadComponents, n=N)
MIDDLE = (0.5,)
EARLY = (*range(1, Q + 3), *RESIDUES)  # the weights of the average differ for t <= q


def _sim(
    name: str, title: str, make: Callable, horizon: dict[str, int] = SHORT, **options: Any
) -> Simulation:
    marks = options.pop("marks", RESIDUES)
    return simulation(name, title, "ir_fscg", make, horizon, **{"runs": RUNS, "marks": marks, **options})


SIMULATIONS = (
    _sim("fs-exp", "IR-FSCG on FS-EXP", partial(on, COMPONENTS, 2, FINITE_SUM_P), MANY_HORIZON, runs=MANY),
    _sim("fs-inner", "IR-FSCG on EXP", spread_starts, HORIZON),
    _sim(
        "fs-ls", "IR-FSCG on least norm", least_norm, {"quick": 5_000, "default": 20_000, "full": 1_000_000}
    ),
    _sim("fs-nc", "IR-FSCG on NC, Theorem 6", saddle, HORIZON, marks=EARLY),
    _sim("fs-nc-own", "IR-FSCG on NC, p = 1/3", partial(saddle, theorem=OUTER_OWN_FS), HORIZON, marks=EARLY),
    _sim(
        "fs-exp-own",
        "IR-FSCG on EXP, (p, omega) = (1/3, 2/3)",
        partial(slow_inner, theorem=OUTER_OWN_FS),
        HORIZON,
    ),
    _sim("fs-exp-6", "IR-FSCG on EXP, Theorem 6", slow_inner, HORIZON),
    _sim(
        "fs-unrefreshed",
        "IR-FSCG on FS-EXP, no refresh",
        partial(on, COMPONENTS, 2, MIDDLE),
        mutation=UNREFRESHED,
    ),
    _sim(
        "fs-unrecursive",
        "IR-FSCG on FS-EXP, plain mini-batches",
        partial(on, COMPONENTS, 2, MIDDLE),
        mutation=UNRECURSIVE,
    ),
    _sim("fs-decay", "IR-FSCG on FS-EXP, p = 1.2", wrong_decay, wrong="p outside (0, 1)"),
    _sim("fs-sigma", "IR-FSCG on EXP, constant sigma", spread_starts, mutation=CONSTANT_SIGMA),
)
SIMS = {s.key.removeprefix("ir_cg/sim-"): s for s in SIMULATIONS}

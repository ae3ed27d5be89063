"""Runs on which the proof ledger measures the lines of this paper's proofs (`theorems.ir_cg.lemmas_*`).

The claims themselves are made from the lemma records. Short runs: the lines concern every iteration, early ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from theorems.ir_cg.theorems_5_6 import OWN_FS
from workbench.algorithms.ir_cg.ir_fscg import Steps as FiniteSteps
from workbench.algorithms.ir_cg.ir_scg import Steps
from workbench.engine.records import Grid
from workbench.experiments.ir_cg.choices import (
    CHOSEN,
    FINITE_SUM_P,
    ONE_SAMPLE_P,
    OUTER_1,
    OUTER_2,
    OUTER_5,
    OUTER_6,
    OUTER_OWN,
    VARSIGMA,
    Q,
)
from workbench.experiments.records import Batch, Simulation
from workbench.instances.ir_cg.nonconvex import SaddleComponents, SaddleOuter
from workbench.instances.ir_cg.witness import Exponential, HuberCosh, SpreadComponents

# A line of probability 0.9 that no run breaks has p = 0.9^runs; among m statistical claims it needs p <= 0.01/m.
# 80 runs suffice for m = 45, 160 runs for m = 10^4 even if one run breaks the line; m counts the claims of all papers.
RUNS = {"quick": 160, "default": 200, "full": 1000}
HORIZON = {"quick": 1000, "default": 10_000, "full": 100_000}
COMPONENTS = Q**2


def huber_cosh(horizon: int, runs: int) -> Batch:
    """HC with additive and multiplicative noise of the inner gradient, random starts."""
    grid = Grid([{"p": p} for p in ONE_SAMPLE_P], runs)
    steps = Steps(**OUTER_1.steps("own", varsigma=VARSIGMA, p=grid["p"]))
    return Batch(HuberCosh(b=0.3, h=0.3), steps, {"x": _random(grid, -1.0, 3)}, grid)


def exponential(horizon: int, runs: int) -> Batch:
    """EXP with a little noise: Delta_F = 1, the inner level is what moves."""
    grid = Grid([{"p": p} for p in ONE_SAMPLE_P], runs)
    steps = Steps(**OUTER_1.steps("own", varsigma=VARSIGMA, p=grid["p"]))
    return Batch(Exponential(b=0.1), steps, {"x": _random(grid, 0.0, 1)}, grid)


def saddle(horizon: int, runs: int, theorem: Any = OUTER_5) -> Batch:
    grid = Grid([{}], runs)
    steps = Steps(**theorem.steps("own", varsigma=VARSIGMA))
    return Batch(SaddleOuter(), steps, {"x": _random(grid, -1.0, 3)}, grid)


def components(horizon: int, runs: int) -> Batch:
    """FS-EXP: components with curvatures of both signs."""
    grid = Grid([{"p": p} for p in FINITE_SUM_P], runs)
    steps = FiniteSteps(**OUTER_2.steps("own", varsigma=VARSIGMA, p=grid["p"], q=Q))
    return Batch(SpreadComponents(n=COMPONENTS), steps, {"x": _random(grid, 0.0, 2)}, grid)


def saddle_components(horizon: int, runs: int, theorem: Any = OUTER_6, form: str = "repaired") -> Batch:
    grid = Grid([{}], runs)
    steps = FiniteSteps(**theorem.steps(form, varsigma=VARSIGMA, q=Q))
    return Batch(SaddleComponents(n=COMPONENTS), steps, {"x": _random(grid, 0.0, 3)}, grid)


def _random(grid: Grid, low: float, d: int):
    """(rows, d): all coordinates at the same random height."""
    return grid.full(1.0, d) * grid.random_start(low, 1.0)


def _sim(name: str, title: str, algorithm: str, make: Callable[[int, int], Batch], probe: str) -> Simulation:
    return Simulation(
        key=f"ir_cg/sim-ledger-{name}",
        title=title,
        algorithm=f"ir_cg.{algorithm}",
        make=make,
        horizon=HORIZON,
        runs=RUNS,
        kind="compliant",
        chosen=CHOSEN,
        marks=tuple(range(1, 41)),
        probe=f"ir_cg.{probe}",
    )


SIMULATIONS = (
    _sim("hc", "IR-SCG on HC, lines of its proof", "ir_scg", huber_cosh, "one_sample"),
    _sim("exp", "IR-SCG on EXP, lines of its proof", "ir_scg", exponential, "one_sample"),
    _sim("saddle", "IR-SCG on NC, lines of its proof", "ir_scg", saddle, "nonconvex"),
    _sim("components", "IR-FSCG on FS-EXP, lines of its proof", "ir_fscg", components, "finite_sum"),
    _sim("saddle-fs", "IR-FSCG on NC, lines of its proof", "ir_fscg", saddle_components, "nonconvex_finite"),
    _sim(
        "saddle-own", "IR-SCG on NC, omega = 4/5", "ir_scg", partial(saddle, theorem=OUTER_OWN), "nonconvex"
    ),
    _sim(
        "saddle-fs-own",
        "IR-FSCG on NC, omega = 2/3",
        "ir_fscg",
        partial(saddle_components, theorem=OWN_FS["outer"], form="own"),
        "nonconvex_finite",
    ),
)

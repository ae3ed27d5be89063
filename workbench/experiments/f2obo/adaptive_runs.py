"""AF2OBO (Theorem 4.1) on the oscillation D and on the drift C, and the example of section 4.2 in both readings.

delta_y and delta_z depend on the horizon. A grid point ``until`` is a horizon: its rows use that horizon's tolerances
and are read at that round.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from workbench.algorithms.f2obo.af2obo import Steps
from workbench.algorithms.f2obo.f2obo import Steps as FixedSteps
from workbench.engine.records import Grid
from workbench.experiments.f2obo.study import GAMMA_PART, STUDY, THEOREM_3_1, THEOREM_4_1, beginning, schedule
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.example import Example
from workbench.instances.f2obo.sine import Drift, Oscillation

K_MAX = 2000  # the longest loops seen take some 200 steps
START = {"x": 0.1, "y": 0.0, "z": 0.0}  # of the example: near its maximum x = 0
RUNS = profile(4, 24, 32)
EXAMPLE_RUNS = profile(2, 2, 2)


def horizons(last: int) -> list[float]:
    """2^8, ..., last: the horizons of a grid. Short ones, of the quick profile, begin at 2^5; else the last alone."""
    first = 8 if last > 1 << 10 else 5
    return [float(1 << j) for j in range(first, int(np.log2(last)) + 1)] or [float(last)]


def adaptive(
    make: Callable[[], Any],
    taus: tuple[float, ...],
    horizon: int,
    runs: int,
    wrong: str = "",
    begin: Callable[[Grid], dict[str, np.ndarray]] = beginning,
) -> Batch:
    """Algorithm 2 with every parameter from the theorem, one grid point per horizon and tau."""
    grid = Grid([{"tau": tau, "until": T} for tau in taus for T in horizons(horizon)], runs)
    instance, start = make(), begin(grid)
    steps = schedule(THEOREM_4_1, "repaired", instance, start, tau=grid["tau"], T=grid["until"])
    if wrong == "loose z":
        steps["delta_z"] = steps["delta_y"]
    if wrong == "constant":
        steps["delta_y"] = steps["delta_z"] = 0.1
    instance = dataclasses.replace(instance, gamma=steps["gamma"])
    return Batch(instance, Steps(**steps, K_max=K_MAX), start, grid)


def few_steps(K: float, horizon: int, runs: int) -> Batch:
    """F2OBO on D with a constant number of inner steps."""
    grid = Grid([{"tau": 0.75}], runs)
    instance, start = Oscillation(), beginning(grid)
    steps = schedule(THEOREM_3_1, "repaired", instance, start, GAMMA_PART, tau=grid["tau"], T=horizon)
    instance = dataclasses.replace(instance, gamma=steps["gamma"])
    return Batch(instance, FixedSteps(**{**steps, "K": K}), start, grid)


def example(adapts: bool, horizon: int, runs: int) -> Batch:
    """Section 4.2 with c = 1/2, tau = 1/2: F2OBO with the theorem's K for each horizon, or AF2OBO.

    ``part``: gamma is 1/(2 L_F) (1), or the theorem's own (0; the same for AF2OBO).
    """
    parts = (1.0,) if adapts else (1.0, 0.0)
    grid = Grid([{"tau": 0.5, "until": T, "part": p} for p in parts for T in horizons(horizon)], runs)
    start = {name: grid.full(value) for name, value in START.items()}
    instance: Any = Example()
    free: dict[str, Any] = {"tau": grid["tau"], "T": grid["until"]}
    if adapts:
        steps = schedule(THEOREM_4_1, "repaired", instance, start, **free)
        batch_steps: Any = Steps(**steps, K_max=K_MAX)
    else:
        steps = schedule(THEOREM_3_1, "repaired", instance, start, **free)
        large = schedule(THEOREM_3_1, "repaired", instance, start, GAMMA_PART, **free)["gamma"]
        steps["gamma"] = np.where(grid["part"] == 1.0, large, steps["gamma"])
        batch_steps = FixedSteps(**steps)
    return Batch(dataclasses.replace(instance, gamma=steps["gamma"]), batch_steps, start, grid)


MAIN, WRONG = powers(9, 15, 18), powers(11, 15, 18)
NEAR = "x_1 = 0.1, y_1 = z_1 = 0: near the maximum"
COMPLIANT = "everything from the theorem; starts drawn from [0.3, 0.9]"

SIMULATIONS = (
    STUDY.simulation(
        "af-oscillation", "AF2OBO on D", "af2obo", partial(adaptive, Oscillation, (0.5, 1.0)), MAIN, RUNS,
        kind="compliant", chosen=COMPLIANT,
    ),
    STUDY.simulation(
        "af-drift", "AF2OBO on C", "af2obo", partial(adaptive, Drift, (0.5,)), MAIN, RUNS, kind="compliant",
        chosen=COMPLIANT
    ),
    STUDY.simulation(
        "af-loose-z", "AF2OBO on D, delta_z = T^-1/2", "af2obo",
        partial(adaptive, Oscillation, (1.0,), wrong="loose z"), MAIN, RUNS, kind="falsifier",
    ),
    STUDY.simulation(
        "af-constant", "AF2OBO on D, constant tolerances", "af2obo",
        partial(adaptive, Oscillation, (1.0,), wrong="constant"), WRONG, RUNS, kind="falsifier",
    ),
    STUDY.simulation(
        "oscillation-k5", "F2OBO on D, five inner steps", "f2obo", partial(few_steps, 5.0), powers(12, 16, 20), RUNS,
        kind="falsifier", chosen="K = 5 whatever the horizon",
    ),
    STUDY.simulation(
        "example-f2obo", "F2OBO on the example of section 4.2", "f2obo", partial(example, False), MAIN, EXAMPLE_RUNS,
        kind="compliant", chosen=NEAR,
    ),
    STUDY.simulation(
        "example-af2obo", "AF2OBO on the example of section 4.2", "af2obo", partial(example, True), MAIN, EXAMPLE_RUNS,
        kind="compliant", chosen=NEAR,
    ),
)  # fmt: skip

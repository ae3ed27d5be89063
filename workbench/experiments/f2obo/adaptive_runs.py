"""AF2OBO (Theorem 4.1) on the oscillation D and on the drift C, and the example of section 4.2 in both readings.

delta_y and delta_z depend on the horizon. A grid point ``until`` is a horizon: its rows use that horizon's tolerances
and are read at that round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from workbench.engine.records import Grid
from workbench.experiments.f2obo.study import (
    DRAWN,
    GAMMA_PART,
    THEOREM_3_1,
    THEOREM_4_1,
    Points,
    Scheduled,
    Start,
    compliant,
    falsifier,
    over,
)
from workbench.experiments.records import Batch
from workbench.experiments.study import powers, profile
from workbench.instances.f2obo.example import Example
from workbench.instances.f2obo.sine import Drift, Oscillation

HALF, STEEP = 0.5, 1.0  # tau where sum lambda_t^-2 grows like log T, and where it converges
FEW_STEPS_TAU = 0.75
TOLERANCE = 0.1  # whatever the horizon, where it is wrong


def horizons(last: int) -> list[float]:
    """2^8, ..., last: the horizons of a grid. Short ones, of the quick profile, begin at 2^5; else the last alone."""
    first = 8 if last > 1 << 10 else 5
    return [float(1 << j) for j in range(first, int(np.log2(last)) + 1)] or [float(last)]


def until(name: str, *values: float, **fixed: float) -> Callable[[int], Points]:
    """Horizon -> one grid point per value and horizon up to it."""
    return lambda last: over(f"{name} until", [(v, T) for v in values for T in horizons(last)], **fixed)


adaptive = partial(Scheduled, THEOREM_4_1, "repaired", part=None)
constant = {"delta_y": TOLERANCE, "delta_z": TOLERANCE}


def near_maximum(grid: Grid) -> Start:
    """Of the example, x = 0."""
    return {"x": grid.full(0.1), "y": grid.full(0.0), "z": grid.full(0.0)}


def remeasured(batch: Batch, gamma: np.ndarray) -> Batch:
    """F2OBO with another gamma. gamma_p is 0.0 as in the instance: stored results are keyed by that very number."""
    instance = replace(batch.instance, gamma=gamma, gamma_p=0.0)
    return replace(batch, instance=instance, steps=batch.steps._replace(gamma=gamma))


def few_steps(horizon: int, runs: int) -> Batch:
    """F2OBO on D with five inner steps whatever the horizon."""
    points = over("tau", [FEW_STEPS_TAU])
    batch = Scheduled(THEOREM_3_1, "repaired", points, Oscillation(), wrong={"K": 5.0})(horizon, runs)
    return remeasured(batch, batch.steps.gamma)


def example(horizon: int, runs: int) -> Batch:
    """F2OBO on section 4.2 with c = 1/2 and the theorem's K for each horizon.

    ``part``: gamma is 1/(2 L_F) (1), or the theorem's own (0; the same for AF2OBO).
    """
    points = until("part", 1.0, 0.0, tau=HALF)
    own, large = (
        Scheduled(THEOREM_3_1, "repaired", points, Example(), part, near_maximum)(horizon, runs)
        for part in (None, GAMMA_PART)
    )
    gamma = np.where(own.grid["part"] == 1.0, large.steps.gamma, own.steps.gamma)
    return remeasured(own, gamma)


MAIN, WRONG = powers(9, 15, 18), powers(11, 15, 18)
RUNS, EXAMPLE_RUNS = profile(4, 24, 32), profile(2, 2, 2)
NEAR = "x_1 = 0.1, y_1 = z_1 = 0: near the maximum"
COMPLIANT = f"everything from the theorem; {DRAWN}"

SIMULATIONS = (
    compliant(
        "af-oscillation", "AF2OBO on D", "af2obo", adaptive(until("tau", HALF, STEEP), Oscillation()), MAIN, RUNS,
        chosen=COMPLIANT,
    ),
    compliant(
        "af-drift", "AF2OBO on C", "af2obo", adaptive(until("tau", HALF), Drift()), MAIN, RUNS, chosen=COMPLIANT
    ),
    falsifier(
        "af-loose-z", "AF2OBO on D, delta_z = T^-1/2", "af2obo",
        adaptive(until("tau", STEEP), Oscillation(), wrong=lambda steps: {"delta_z": steps["delta_y"]}), MAIN, RUNS,
    ),
    falsifier(
        "af-constant", "AF2OBO on D, constant tolerances", "af2obo",
        adaptive(until("tau", STEEP), Oscillation(), wrong=constant), WRONG, RUNS,
    ),
    falsifier(
        "oscillation-k5", "F2OBO on D, five inner steps", "f2obo", few_steps, powers(12, 16, 20), RUNS,
        chosen="K = 5 whatever the horizon",
    ),
    compliant(
        "example-f2obo", "F2OBO on the example of section 4.2", "f2obo", example, MAIN, EXAMPLE_RUNS, chosen=NEAR
    ),
    compliant(
        "example-af2obo", "AF2OBO on the example of section 4.2", "af2obo",
        adaptive(until("tau", HALF, part=1.0), Example(), begin=near_maximum), MAIN, EXAMPLE_RUNS, chosen=NEAR,
    ),
)  # fmt: skip

"""AF2OBO (Theorem 4.1) on the oscillation D and on the drift C; F2OBO and AF2OBO on the example of section 4.2.

delta_y and delta_z depend on the horizon. The grid parameter ``until`` is a horizon: its rows use that horizon's
tolerances and are read at that round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from workbench import Batch, Grid, always, over, powers
from workbench.claims import named

from ..problems.example import Example
from ..problems.sine import Drift, Oscillation
from .study import (
    DRAWN,
    GAMMA_PART,
    RUNS,
    THEOREM_3_1,
    THEOREM_4_1,
    Points,
    Scheduled,
    Start,
    compliant,
    falsifier,
)

HALF, STEEP = 0.5, 1.0  # tau where sum lambda_t^-2 grows like log T, and where it converges
FEW_STEPS_TAU = 0.75
TOLERANCE = 0.1  # the same at every horizon, which is wrong


def horizons(last: int) -> list[float]:
    """2^8, ..., last; from 2^5 if ``last`` is at most 2^10; ``last`` alone if it is shorter than that."""
    first = 8 if last > 1 << 10 else 5
    return [float(1 << j) for j in range(first, int(np.log2(last)) + 1)] or [float(last)]


def until(name: str, *values: float, **fixed: float) -> Callable[[int], Points]:
    """Horizon -> one grid point per value and horizon up to it."""
    return lambda last: over(f"{name} until", [(v, T) for v in values for T in horizons(last)], **fixed)


adaptive = partial(Scheduled, THEOREM_4_1, "repaired", part=None)
constant = {"delta_y": TOLERANCE, "delta_z": TOLERANCE}


def near_maximum(grid: Grid) -> Start:
    """Near x = 0, the maximum of the example."""
    return {"x": grid.full(0.1), "y": grid.full(0.0), "z": grid.full(0.0)}


def example(horizon: int, runs: int) -> Batch:
    """F2OBO with the theorem's K for each horizon. gamma is 1/(2 L_F) in the rows of part = 1, else the theorem's."""
    points = until("part", 1.0, 0.0, tau=HALF)
    own, large = (
        Scheduled(THEOREM_3_1, "repaired", points, Example(), part, near_maximum)(horizon, runs)
        for part in (None, GAMMA_PART)
    )
    gamma = np.where(own.grid["part"] == 1.0, large.steps.gamma, own.steps.gamma)
    instance, steps = replace(own.instance, gamma=gamma), own.steps._replace(gamma=gamma)
    return replace(own, instance=instance, steps=steps)


MAIN, WRONG = powers(9, 15, 18), powers(11, 15, 18)
EXAMPLE_RUNS = always(2)
NEAR = "x_1 = 0.1, y_1 = z_1 = 0: near the maximum"
COMPLIANT = f"everything from the theorem; {DRAWN}"

SIMS = named(
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
        "oscillation-k5", "F2OBO on D, five inner steps", "f2obo",
        Scheduled(THEOREM_3_1, "repaired", over("tau", [FEW_STEPS_TAU]), Oscillation(), wrong={"K": 5.0}),
        powers(12, 16, 20), RUNS, chosen="K = 5 at every horizon",
    ),
    compliant(
        "example-f2obo", "F2OBO on the example of section 4.2", "f2obo", example, MAIN, EXAMPLE_RUNS, chosen=NEAR
    ),
    compliant(
        "example-af2obo", "AF2OBO on the example of section 4.2", "af2obo",
        adaptive(until("tau", HALF, part=1.0), Example(), begin=near_maximum), MAIN, EXAMPLE_RUNS, chosen=NEAR,
    ),
)  # fmt: skip

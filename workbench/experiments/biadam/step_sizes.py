"""The rule that chooses the step sizes of Figures 1 and 2, the same for every method, and what it chose.

Each method is run on a grid of inner and outer steps with pilot runs, whose noise no drawn run sees, for the budget of
the default profile. The point with the smallest loss is chosen, averaged over the budget and over the problems of the
figure; a run that fails counts as infinite. Where the best point lay on the edge of the grid, the grid of this method
was moved until it did not; ``GRIDS`` are the final ones. For
Figure 2 that is the upper loss of the 5-way tasks. To choose again, as was done for what is committed::

    python tests/biadam/choose_steps.py fig-1
    python tests/biadam/choose_steps.py fig-2
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.engine.records import Result, Status
from workbench.experiments.biadam.compared import calls_of
from workbench.experiments.readings import Point

PILOT_RUNS, FIRST_PILOT = 2, 1_000_000  # noise identities from here on belong to the pilot


def score(result: Result, metric: str, where: Point) -> float:
    """Mean of the loss over the budget (trapezoidal rule between marks) and over the runs at a grid point."""
    rows, x = result.rows(**where), calls_of(result)
    if (result.status[rows] != Status.OK).any():
        return float("inf")
    return float(np.mean(np.trapezoid(result.data[metric][rows], x, axis=1) / (x[-1] - x[0])))


def best(scores: np.ndarray) -> tuple[int, int]:
    """Indices of the smallest entry of (inner, outer); the first of equal ones."""
    found = np.unravel_index(np.argmin(scores), scores.shape)
    return int(found[0]), int(found[1])


def on_edge(scores: np.ndarray) -> bool:
    """Whether the smallest entry lies in the first or last row or column."""
    return any(i in (0, n - 1) for i, n in zip(best(scores), scores.shape, strict=True))


def ladder(middle: float, around: int = 2) -> list[float]:
    """Three steps per decade (1, 2, 5), ``around`` of them on either side of the middle."""
    digits = [f"{m}e{e}" for e in range(-8, 9) for m in (1, 2, 5)]
    values = [float(d) for d in digits]
    i = int(np.argmin([abs(np.log(v / middle)) for v in values]))
    return values[i - around : i + around + 1]


def points(inner: Sequence[float], outer: Sequence[float]) -> list[dict[str, float]]:
    return [{"inner": i, "outer": o} for i in inner for o in outer]

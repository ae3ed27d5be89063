"""A rule that chooses step sizes on a grid from pilot runs, the same for every method that a figure compares.

Each method is run on a grid of inner and outer steps with pilot runs, whose noise no drawn run sees. The point with the
smallest loss is chosen, averaged over the budget; a run that fails counts as infinite. Where the best point lies on the
edge of the grid, the grid of this method is moved until it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from workbench.claims.readings import Point
from workbench.engine.records import Result, Status

PILOT_RUNS, FIRST_PILOT = 2, 1_000_000  # noise identities from here on belong to the pilot


def score(result: Result, metric: str, where: Point, budget: Callable[[Result], np.ndarray]) -> float:
    """Mean of the loss over the budget (trapezoidal rule between marks) and over the runs at a grid point.

    budget: result -> (M,), what is spent up to each mark.
    """
    rows, x = result.rows(**where), budget(result)
    if (result.status[rows] != Status.OK).any():
        return float("inf")
    return float(np.mean(np.trapezoid(result.data[metric][rows], x, axis=1) / (x[-1] - x[0])))


def best(scores: np.ndarray) -> tuple[int, int]:
    """Indices of the smallest entry of (inner, outer); the first of equal ones."""
    best = np.unravel_index(np.argmin(scores), scores.shape)
    return int(best[0]), int(best[1])


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
    """The grid points of all pairs of an inner and an outer step size."""
    return [{"inner": i, "outer": o} for i in inner for o in outer]

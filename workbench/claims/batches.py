"""What a simulation is put together from: numbers per profile, grid points, and the parts of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np

from workbench.claims.records import PROFILES, Batch, Simulation
from workbench.engine.records import Grid
from workbench.homes.keys import Key
from workbench.homes.records import Record

Size = int | Mapping[str, int]  # one number, or one per profile
LONG = PROFILES[1:]  # profiles with horizons long enough for slower claims
FULL = PROFILES[2:]  # for claims whose slower terms only the longest horizon, or many more runs, can exclude


def profile(quick: int, default: int, full: int) -> dict[str, int]:
    """A number per profile: a horizon, or the number of runs per grid point."""
    return dict(zip(PROFILES, (quick, default, full), strict=True))


def powers(quick: int, default: int, full: int) -> dict[str, int]:
    """Horizons 2^quick, 2^default, 2^full, for which dyadic increments are exact."""
    return profile(1 << quick, 1 << default, 1 << full)


def always(number: int) -> dict[str, int]:
    """The same number in every profile."""
    return profile(number, number, number)


def over(names: str, values: Iterable[Any], **fixed: float) -> list[dict[str, float]]:
    """Grid points: one name with its values, or several names ("tau b") with tuples; ``fixed`` is in every point."""
    rows = (v if isinstance(v, tuple) else (v,) for v in values)
    return [{**dict(zip(names.split(), row, strict=True)), **fixed} for row in rows]


def named(*simulations: Simulation) -> dict[str, Simulation]:
    """Simulations by name: the part of the key after "sim-"."""
    return {Key.of(s.key).rest: s for s in simulations}


def points_of(
    grid: Sequence[Mapping[str, float]] | Mapping[str, Iterable[float]],
) -> list[Mapping[str, float]]:
    """The points of a grid: all combinations of values, or those that are listed."""
    if isinstance(grid, Mapping):
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())] if grid else []
    return list(grid)


@dataclass(frozen=True)
class Parts(Record):
    """Makes a batch from its parts (see `Study.simulation`): (horizon, runs) -> Batch."""

    problem: Any
    steps: Any
    start: Mapping[str, Any]
    grid: Sequence[Mapping[str, float]] | Mapping[str, Iterable[float]]

    def __call__(self, horizon: int, runs: int) -> Batch:
        grid = Grid(self._points(horizon), runs)
        start = {name: _column(value, grid) for name, value in self.start.items()}
        problem = self.problem
        if callable(problem):
            problem = problem(grid) if len(signature(problem).parameters) == 1 else problem(grid, start)
        steps = self.steps(problem, start, grid) if callable(self.steps) else self.steps
        return Batch(problem, steps, start, grid)

    def _points(self, horizon: int) -> list[Mapping[str, float]]:
        """Of the grid; of the horizons ``until`` those that are not beyond the one that is run, or the first."""
        points = points_of(self.grid) or [{}]
        return [p for p in points if p.get("until", 0) <= horizon] or points[:1]


def _column(value: Any, grid: Grid) -> np.ndarray:
    """(rows, d): of a number, of the coordinates (d,) of one point, of a function of the grid."""
    values = np.asarray(value(grid) if callable(value) else value, float)
    return np.tile(values, (grid.rows, 1)) if values.ndim < 2 else values


def _sizes(what: str, given: Size) -> Mapping[str, int]:
    if isinstance(given, Mapping):
        return given
    if not isinstance(given, Integral):
        raise ValueError(
            f"{what} is {given!r}; wanted a whole number, or one per profile: wb.profile(quick, default, full)"
        )
    return always(int(given))

"""What is simulated, and what is claimed of it: the two records an `experiments/<paper>` package is made of.

A ``Simulation`` is data: algorithm, instance, grid, horizon per profile. It is hashed for the store, run by
`workbench.run.pool` and read by claims and figures. Kinds, never mixed up:

* ``compliant``: every parameter from the theorem's conditions (tests the *bound*);
* ``practical``: the theorem's schedule, its free multiplicative constants chosen (tests *rate*, *tight*, *scaling*);
* ``paper``: the settings of a figure of the paper, with stated defaults for what it leaves out;
* ``falsifier``: deliberately not the theorem's method (a line of the algorithm or a schedule is wrong).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from workbench.arrays.random import Draws

PROFILES = ("quick", "default", "full")
Kind = Literal["compliant", "practical", "paper", "falsifier"]


@dataclass(frozen=True)
class Grid:
    """Rows of a batch: every parameter point with every noise identity 0..runs-1 (points share the noise).

    ``grid["sigma"]`` is the (rows, 1) column of a parameter; rows are ordered point by point.
    """

    points: Sequence[Mapping[str, float]]
    runs: int

    @property
    def rows(self) -> int:
        return len(self.points) * self.runs

    @property
    def run_ids(self) -> np.ndarray:
        return np.tile(np.arange(self.runs), len(self.points))

    @property
    def params(self) -> dict[str, np.ndarray]:
        names = dict.fromkeys(name for point in self.points for name in point)
        return {n: np.repeat([float(p[n]) for p in self.points], self.runs) for n in names}

    def __getitem__(self, name: str) -> np.ndarray:
        return self.params[name][:, None]

    def full(self, value: float, d: int = 1) -> np.ndarray:
        """(rows, d) filled with one value."""
        return np.full((self.rows, d), float(value))

    def random_start(self, low: float, high: float) -> np.ndarray:
        """(rows, 1): a start drawn uniformly from [low, high] for each noise identity.

        Noiseless runs differ in nothing but their start; a random start is what makes them a sample.
        """
        unit = Draws(0, self.run_ids, np).at(0)(0).uniform(1)
        return low + (high - low) * unit


@dataclass(frozen=True)
class Batch:
    """What ``simulate`` is handed, apart from marks and seed."""

    instance: Any
    steps: Any
    start: Mapping[str, np.ndarray]
    grid: Grid


@dataclass(frozen=True)
class Mutation:
    """A falsifier: one statement of the algorithm's ``step`` replaced by a nearby wrong one (see `mutation`).

    statement: what it assigns to, as in the listing ("h", "xi, xi2"); the whole statement where that names several, or
    none (a return). becomes: its new right-hand side; or, where ``part`` is given, what stands in the place of this
    sub-expression, which the right-hand side holds exactly once.
    """

    name: str
    statement: str
    becomes: str
    part: str = ""


@dataclass(frozen=True)
class Simulation:
    """key: "<paper>/sim-<name>". algorithm: dotted module below `workbench.algorithms`. make: (horizon, runs) -> Batch.

    horizon, runs: profile -> number. marks: extra iterations to record. probe: dotted module below
    `workbench.probes`, if any.
    """

    key: str
    title: str
    algorithm: str
    make: Callable[[int, int], Batch]
    horizon: Mapping[str, int]
    runs: Mapping[str, int]
    kind: Kind
    chosen: str = ""
    mutation: Mutation | None = None
    marks: tuple[int, ...] = ()
    probe: str = ""

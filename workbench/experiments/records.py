"""What is simulated, and what is claimed of it: the two records an `experiments/<paper>` package is made of.

A ``Simulation`` is data: algorithm, instance, grid, horizon per profile. It is hashed for the store, run by
`workbench.run.pool` and read by claims and figures. Kinds, never mixed up:

* ``compliant``: every parameter from the theorem's conditions (tests the *bound*);
* ``practical``: the theorem's schedule, its free multiplicative constants chosen (tests *rate*, *tight*, *scaling*);
* ``paper``: the settings of a figure of the paper, with stated defaults for what it leaves out;
* ``falsifier``: deliberately not the theorem's method (a line of the algorithm or a schedule is wrong).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from workbench.engine.records import Grid

PROFILES = ("quick", "default", "full")
Kind = Literal["compliant", "practical", "paper", "falsifier"]


@dataclass(frozen=True)
class Batch:
    """A `workbench.engine.records.Problem` but for the algorithm, which its `Simulation` names."""

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

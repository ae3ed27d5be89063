"""The claim of an exponent in another parameter than T, of several readings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.claims import Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.readings import Reading
from workbench.claims.usable_rows import unless_random
from workbench.claims.views import (
    read_by,
    row_mask,
)
from workbench.evidence.parameters import SCALING_TOL
from workbench.evidence.verdicts import Finding


@dataclass(frozen=True)
class Scaling(Claim):
    """The exponent of the value at the horizon in a grid parameter: with sigma^(1/2), four times sigma doubles it.

    readings: of one simulation, at grid points that differ in ``parameter``; each is read at its last mark, or at
    ``until`` where its grid point says so. Fewer than three values of the parameter decide nothing. claimed: the
    exponent. name: what the line is called. tol: the tolerance of the exponent; that of its change over the values is
    twice as wide.

    Raises ValueError for readings of several simulations or theorems, or without the parameter, and for a tolerance
    that is not positive.
    """

    readings: Sequence[Reading]
    parameter: str
    claimed: float
    name: str
    tol: float = SCALING_TOL

    def __post_init__(self) -> None:
        super().__post_init__()
        if len({(r.key, r.sim.key) for r in self.readings}) != 1:
            raise ValueError(f"{self.name}: the readings must be of one simulation and one theorem")
        if any(self.parameter not in r.where for r in self.readings):
            raise ValueError(f"{self.name}: not every grid point has a value of {self.parameter}")
        if not 0.0 < self.tol < math.inf:
            raise ValueError(f"{self.name}: tol is {self.tol:g}; wanted a positive number")

    @property
    def key(self) -> str:
        return self.readings[0].key

    evidence: ClassVar[str] = "scaling"

    @property
    def experiment(self) -> str:
        return self.name

    @property
    def parts(self) -> tuple[str, ...]:
        first = self.readings[0]
        return (identifiers.simulation(first.sim.key), identifiers.metric(first.metric), self.parameter)

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.readings[0].sim.key,)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(name for r in self.readings for name in read_by(r.metric))

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        result = results[self.readings[0].sim.key]
        readings = [r for r in self.readings if r.where.get("until", 0.0) <= result.horizon]
        if len(readings) < min(len(self.readings), 3):
            raise evidence.NotEnough(f"fewer than three horizons of the grid are within {result.horizon}")
        columns = []
        for r in readings:
            values, marks = r.curve(results)
            end = r.where.get("until") or marks[-1]
            if end not in marks:
                raise ValueError(f"{self.name}: the view has no value at T = {end:g}; take view=as_recorded")
            columns.append(values[:, int(np.searchsorted(marks, end))])
        params = [r.where[self.parameter] for r in readings]
        finding = evidence.scaling(np.stack(columns, axis=1), params, self.claimed, self.tol)
        rows = np.any([row_mask(result, r.where) for r in readings], axis=0)
        return unless_random(finding, result, rows, *dict.fromkeys(r.metric for r in readings))

"""Families of instances in which the least favourable one is searched for (`workbench.verdicts.studies.adversary`).

A `Family` is data: a compliant batch for every point of a box of parameters, each point admissible under the theorem.
Found instances are kept as JSON in the paper's folder, so that anybody can replay them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from workbench.claims.batches import always
from workbench.claims.claims import Bound
from workbench.claims.records import Batch, Simulation
from workbench.engine.records import Result
from workbench.homes import disk
from workbench.homes.keys import Key
from workbench.homes.papers import home_of
from workbench.homes.records import Record
from workbench.theory.record import Theorem

Point = Mapping[str, float]
FILE = "worst_found.json"


class BadFound(ValueError):
    """A file that does not hold found instances. The message is one sentence addressed to the user."""


@dataclass(frozen=True)
class Parameter:
    """One side of the box; logarithmic: searched on that scale."""

    name: str
    low: float
    high: float
    logarithmic: bool = False

    def __post_init__(self) -> None:
        """Raises ValueError for an empty side, and for one that has no logarithm."""
        if not self.low < self.high or (self.logarithmic and self.low <= 0):
            raise ValueError(f"{self.name}: [{self.low:g}, {self.high:g}] is no side of a box")

    def at(self, share: float) -> float:
        """The value at a share in [0, 1] of the side."""
        if self.logarithmic:
            return float(self.low * (self.high / self.low) ** share)
        return float(self.low + (self.high - self.low) * share)

    def share(self, value: float) -> float:
        """The inverse of `at`."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Family(Record):
    """name: within the paper. make: (point, horizon, runs) -> Batch, every parameter from the theorem.

    algorithm: as in `Simulation`. metric: the quantity that the form bounds. claimed: point -> the exponent of T.
    usual: the point that the other experiments use. known, shift: as in `Bound`. horizon, runs: of one evaluation.
    """

    name: str
    title: str
    theorem: Theorem
    form: str
    algorithm: str
    metric: str
    make: Callable[[Point, int, int], Batch]
    parameters: tuple[Parameter, ...]
    usual: Point
    claimed: Callable[[Point], float]
    known: Callable[[Result], Mapping[str, Any]]
    horizon: int = 4096
    runs: int = 24
    shift: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError unless the usual point has the family's parameters and lies in the box."""
        if set(self.usual) != {p.name for p in self.parameters}:
            raise ValueError(f"{self.key}: the usual point must have the family's parameters")
        for p in self.parameters:
            if not p.low <= self.usual[p.name] <= p.high:
                raise ValueError(f"{self.key}: the usual {p.name} lies outside [{p.low:g}, {p.high:g}]")

    @property
    def key(self) -> str:
        return f"{self.theorem.key}, {self.name}"

    @property
    def file(self) -> Path:
        """Where found instances of this paper are kept."""
        return home_of(self.theorem.paper.key).beside(FILE)  # type: ignore[union-attr]

    def worst_instances(self) -> list[dict[str, Any]]:
        """The records of this family's found instances that are kept with the paper (`Found.record`).

        Raises BadFound for a file of another content.
        """
        try:
            records = disk.read_json(self.file)["worst_found"]
            about = (
                Key.of(self.theorem.key).name,
                self.name,
            )  # in a copy of the folder the paper has another key
            mine = [r for r in records if (Key.of(r["theorem"]).name, r["family"]) == about]
            for record in mine:
                values = [
                    record[noise][end] for noise in ("fresh", "usual") for end in ("value", "low", "high")
                ]
                counts = [record[name] for name in ("horizon", "runs", "evaluations")]
                for number in (*values, *counts, *record["parameters"].values()):
                    math.isfinite(number)  # or TypeError
            return mine
        except FileNotFoundError:
            return []
        except (OSError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            again = f"`workbench ledger {self.theorem.key} --search --json FILE` makes a new one"
            raise BadFound(
                f"{self.file} does not hold the worst instances found ({error!r}); {again}"
            ) from None

    def simulation(self, point: Point) -> Simulation:
        """One instance of the family; it is not part of the catalog."""
        return Simulation(
            key=f"{self.theorem.paper.key}/sim-family-{self.name}",
            title=self.title,
            algorithm=self.algorithm,
            make=partial(self.make, point),
            horizon=always(self.horizon),
            runs=always(self.runs),
            kind="compliant",
        )

    def bound(self, simulation: Simulation) -> Bound:
        return Bound(self.theorem, self.form, simulation, self.metric, known=self.known, shift=self.shift)

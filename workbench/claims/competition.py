"""Several methods on one problem, as a figure or table of a paper compares them: one simulation for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from workbench.claims.records import Batch, Kind, Simulation
from workbench.claims.study import Study
from workbench.engine.records import Result


@dataclass(frozen=True)
class Method:
    """name: ends the key of its simulation. title: in legends. algorithm: module of the paper, or dotted.

    steps: makes its ``Steps``, of whatever the competition's ``make`` hands to it.
    """

    name: str
    title: str
    algorithm: str
    steps: Callable[..., Any]


@dataclass(frozen=True)
class Competition:
    """figure: "fig-1", "table-1". make: (method, horizon, runs) -> Batch, the same problem and starts for each method.

    kind: of the simulations.
    """

    study: Study
    figure: str
    methods: tuple[Method, ...]
    make: Callable[[Method, int, int], Batch]
    kind: Kind = "paper"

    def key(self, method: Method) -> str:
        return f"{self.study.paper.key}/sim-{self.figure}-{method.name}"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.key(m) for m in self.methods)

    def simulation(
        self, method: Method, horizon: Mapping[str, int], runs: Mapping[str, int], **more: Any
    ) -> Simulation:
        """more: of `Study.simulation`."""
        figure = self.figure.replace("fig-", "figure ").replace("-", " ").capitalize()
        return self.study.simulation_from(
            f"{self.figure}-{method.name}",
            f"{figure}, {method.title}",
            method.algorithm,
            partial(self.make, method),
            horizon,
            runs,
            kind=self.kind,
            **more,
        )

    def simulations(
        self,
        horizon: Mapping[str, int] | Callable[[Method], Mapping[str, int]],
        runs: Mapping[str, int],
        parts: int = 0,
        **more: Any,
    ) -> tuple[Simulation, ...]:
        """All methods, over the same horizon or each over its own.

        parts: of equal length, at whose ends a run is recorded besides the logarithmic marks, in each profile.
        """
        sims = []
        for method in self.methods:
            length = horizon(method) if callable(horizon) else horizon
            if parts:
                even = {round(T * j / parts) for T in length.values() for j in range(1, parts)} - {0}
                more["marks"] = tuple(sorted(even))
            sims.append(self.simulation(method, length, runs, **more))
        return tuple(sims)

    def results(self, results: Mapping[str, Result]) -> list[tuple[Method, Result]]:
        """Each method with its result."""
        return [(m, results[self.key(m)]) for m in self.methods]


@dataclass(frozen=True)
class Ordering:
    """What the paper's figure shows: one method ends better than others; all others where none are named.

    phrase: the others in a sentence, if not by their titles.
    """

    better: str
    worse: tuple[str, ...] = ()
    phrase: str = ""

    def holds(self, ends: Mapping[str, float], lower: bool) -> bool:
        """ends: name -> value at the end; one that is not a number loses."""
        others = self.worse or tuple(name for name in ends if name != self.better)
        own, rest = ends[self.better], [ends[name] for name in others]
        return all(own < v or v != v for v in rest) if lower else all(own > v or v != v for v in rest)

    def sentence(self, titles: Mapping[str, str], lower: bool) -> str:
        """ "BiAdam ends below stocBiO and MRBO"."""
        *most, last = [titles[name] for name in self.worse] or ["all other methods"]
        others = self.phrase or (f"{', '.join(most)} and {last}" if most else last)
        return f"{titles[self.better]} ends {'below' if lower else 'above'} {others}"

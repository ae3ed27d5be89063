"""A reading along a size: the value at the horizon as a function of a dimension, a number of workers, a cache.

`along` is the view of one simulation whose grid holds the sizes. Where the arrays themselves have another size (a
dimension d), each size is a simulation of its own, and `AlongSizes` reads their ends as one curve. Either way the
claims' T is the size: ``claimed=1/2`` says that the value grows like the root of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from workbench.claims.claims import Results
from workbench.claims.readings import Reading
from workbench.claims.records import Simulation
from workbench.claims.views import View
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding

FEWEST = 5  # sizes: three in each half of what is read


def too_few(what: str, number: int) -> str:
    """A sentence."""
    return f"an exponent in {what} needs {FEWEST} sizes, there {'is' if number == 1 else 'are'} {number}"


def _read(
    result: Result, table: np.ndarray, mask: np.ndarray, parameter: str
) -> tuple[np.ndarray, np.ndarray]:
    if parameter not in result.params:
        raise KeyError(
            f"no grid parameter {parameter!r}; the grid holds {', '.join(sorted(result.params)) or 'none'}"
        )
    sizes = np.unique(result.params[parameter][mask])
    if sizes.size < FEWEST:
        raise KeyError(too_few(parameter, sizes.size))
    columns = []
    for size in sizes:
        rows = mask & (result.params[parameter] == size)
        if rows.sum() != result.runs:
            raise KeyError(
                f"{rows.sum()} rows have {parameter} = {size:g}, not {result.runs}: give the other parameters"
            )
        columns.append(table[rows, -1])
    return np.stack(columns, axis=1), sizes


def along(parameter: str) -> View:
    """The view of the last value as a function of a grid parameter."""
    return View(
        partial(_read, parameter=parameter), label=f"{{}} at the horizon, along {parameter}", whole=True
    )


@dataclass(frozen=True)
class AlongSizes(Reading):
    """The last values of one reading in several simulations, one per size, as a curve along the size.

    sims: size -> simulation, with runs of the same numbers. size: what it is called. `Study.along` makes it.
    """

    sims: Mapping[float, Simulation] = field(default_factory=dict)
    size: str = "size"

    def __post_init__(self) -> None:
        """Raises ValueError for fewer than five sizes, and as `Reading` does."""
        super().__post_init__()
        if len(self.sims) < FEWEST:
            raise ValueError(f"{self.key}: {too_few(self.size, len(self.sims))}")
        if not all(size > 0 for size in self.sims):
            raise ValueError(f"{self.key}: sizes are positive numbers, not {min(self.sims):g}")

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(sim.key for sim in self.sims.values())

    def in_words(self, more: str = "") -> str:
        return f"{super().in_words(more)}; along {self.size}"

    def _each(self) -> list[tuple[float, Reading]]:
        names = [f.name for f in Reading.__dataclass_fields__.values()]
        fields: dict[str, Any] = {name: getattr(self, name) for name in names}
        return [(size, Reading(**{**fields, "sim": sim})) for size, sim in sorted(self.sims.items())]

    def curve(self, results: Results) -> tuple[np.ndarray, np.ndarray]:
        ends = [reading.curve(results)[0][:, -1] for _, reading in self._each()]
        if len({end.size for end in ends}) > 1:
            raise KeyError(f"{self.key}: the simulations along {self.size} have different numbers of runs")
        return np.stack(ends, axis=1), np.array([size for size, _ in self._each()], float)

    def window(self, marks: np.ndarray, plan: Any = None) -> tuple[float, float]:
        return float(marks[0]), float(marks[-1])

    def exact_if_certain(self, finding: Finding, results: Results) -> Finding:
        """Exact only if it is on every simulation."""
        part = finding
        for _, reading in self._each():
            part = reading.exact_if_certain(finding, results)
            if part.exact != finding.exact or part.p_if_wrong != finding.p_if_wrong:
                return part
        return part

"""Readings of curves that are no mean of one sample: the worst member of a family at each T, times of first passage.

A supremum over instances, starts or drifts at each T is another statement than that about each of them: every member
may have a linear rate while the worst one at T falls like 1/T. `Supremum` reads it over the values of a grid parameter;
what the choice of the worst member may miss is bounded, and has its part in the error budget
(`workbench.evidence.enclosed`).

`FirstPassage` reads how long runs take until a quantity is below a level, as a curve in 1/level. A simulation sees the
time between two marks only; it counts as the later one, and may be as early as the one before. One that rises between
marks, as a noisy one does, may have been below the level before, unseen: its times are not known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench.claims.claims import Results
from workbench.claims.exact_curves import ExactCurve
from workbench.claims.readings import Reading
from workbench.claims.sizes import FEWEST, too_few
from workbench.claims.views import row_mask
from workbench.evidence import Window, enclosed
from workbench.evidence.enclosed import Enclosed
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding, NotEnough

Test = Callable[[Floats, Floats, float], Finding]


@dataclass(frozen=True)
class EnclosedReading(Reading):
    """A reading of a curve that is known up to a factor, mark by mark."""

    def enclosure(self, results: Results) -> Enclosed:
        """The curve and how much larger it may be. Raises as `Reading.curve` does."""
        raise NotImplementedError

    def curve(self, results: Results) -> tuple[np.ndarray, np.ndarray]:
        data = self.enclosure(results)
        return data.values, data.marks

    def finding_of(
        self, results: Results, test: Test, tol: float, window: Window | None, of_level: bool = False
    ) -> Finding:
        data = self.enclosure(results)
        off = float(data.excess.max(initial=0.0)) if of_level else enclosed.shift(data, window)
        return self.exact_if_certain(enclosed.finding_of(data, test, tol, off), results)

    def finding_without_tolerance(
        self, results: Results, test: Callable[[Floats, Floats], Finding]
    ) -> Finding:
        data = self.enclosure(results)
        return self.exact_if_certain(enclosed.undecided(test(data.values, data.marks), data), results)


@dataclass(frozen=True)
class Supremum(EnclosedReading):
    """The largest mean over the values of a grid parameter, ``over``, at each T. `Study.supremum` makes it."""

    over: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, f"sup-{self.over}")

    @property
    def suffix(self) -> str:
        return f"the worst {self.over} at each T"

    def enclosure(self, results: Results) -> Enclosed:
        result = results[self.sim.key]
        rows = row_mask(result, self.where)
        self._check_absent(result, rows)
        if self.over not in result.params:
            grid_names = ", ".join(sorted(result.params)) or "none"
            raise KeyError(f"no grid parameter {self.over!r}; the grid holds {grid_names}")
        members = np.unique(result.params[self.over][rows])
        if members.size < 2:
            raise KeyError(f"a supremum over {self.over} needs two values of it, there is {members.size}")
        curves = [
            self.view(result, self.metric, rows & (result.params[self.over] == value)) for value in members
        ]
        if {values.shape for values, _ in curves} != {(result.runs, curves[0][1].size)}:
            raise KeyError(f"the members along {self.over} differ in their rows: give the other parameters")
        return enclosed.worst(np.stack([values for values, _ in curves]), curves[0][1])


@dataclass(frozen=True)
class FirstPassage(EnclosedReading):
    """The mean time until a quantity is at most a level, as a curve in 1/level. `Study.first_passage` makes it.

    levels: increasing in 1/level, five at least.
    """

    levels: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Raises ValueError for fewer than five levels, for some that are not positive, and as `Reading` does."""
        super().__post_init__()
        if len(self.levels) < FEWEST:
            raise ValueError(f"{self.key}: {too_few('a level', len(self.levels)).replace('sizes', 'levels')}")
        if not all(level > 0 for level in self.levels) or len(set(self.levels)) < len(self.levels):
            raise ValueError(f"{self.key}: levels are positive numbers, each once")

    @property
    def parts(self) -> tuple[str, ...]:
        return (*super().parts, "first-passage")

    @property
    def suffix(self) -> str:
        return "time to fall to a level, in 1/level"

    def window(self, marks: np.ndarray, plan: object = None) -> tuple[float, float]:
        return float(marks[0]), float(marks[-1])

    def enclosure(self, results: Results) -> Enclosed:
        result = results[self.sim.key]
        rows = row_mask(result, self.where)
        values, marks = self._whole(result.horizon) or self.view(result, self.metric, rows)
        levels = np.array(sorted(self.levels, reverse=True))
        below = values[:, :, None] <= levels
        never = np.logical_not(below.any(axis=1))  # (runs, levels)
        if never.any():
            raise NotEnough(
                f"{never.any(axis=1).sum()} of {len(values)} runs have not fallen to"
                f" {levels[never.any(axis=0)][0]:g} by T = {marks[-1]:g}, so that their mean time is not known"
            )
        first = below.argmax(axis=1)
        if rises := _rise_unseen(values, marks, first.max(axis=1)):
            raise NotEnough(
                f"in {rises} of {len(values)} runs the metric rises from one mark to the next before it falls to"
                f" {levels[-1]:g}, so that it may have been below a level between them",
                "a metric that never rises, as the smallest so far or a running mean, or every iteration as a mark",
            )
        late, early = marks[first], np.where(first > 0, marks[np.maximum(first, 1) - 1] + 1, marks[0])
        excess = late.mean(axis=0) / early.mean(axis=0) - 1
        return Enclosed(
            early.astype(float), 1 / levels, excess, 0.0, "more marks (marks=... of the simulation)"
        )

    def _whole(self, horizon: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Of an exact curve the numbers at every t, in two equal rows; None for a simulation."""
        if not isinstance(self.sim, ExactCurve):
            return None
        numbers = self.sim.numbers(horizon, self.where)
        values = np.array([[float(x) for x in numbers.values()]])
        return np.repeat(values, 2, axis=0), np.array(list(numbers), float)


def _rise_unseen(values: Floats, marks: np.ndarray, last: np.ndarray) -> int:
    """How many runs (runs, M) rise between marks with iterations between them, up to the mark of number ``last``."""
    rises = (np.diff(values, axis=1) > 0) & (np.diff(marks) > 1)
    return int((rises & (np.arange(marks.size - 1) < last[:, None])).any(axis=1).sum())

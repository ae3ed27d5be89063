"""Exact curves: what a method does is computed by a function, not by runs, and claimed and drawn like any simulation.

A trajectory in fractions, a recursion of second moments, a dynamic program: the function gives the number that a mean
over runs would only estimate. So a verdict on it has no error probability; what remains is the horizon. Numbers that
are all rational (int, Fraction, flint's fmpq) can be compared with a formula without any rounding
(`workbench.claims.exact_claims`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from numbers import Rational, Real
from typing import Any, ClassVar

import numpy as np

from workbench.claims.method import state, steps
from workbench.claims.records import Batch, Simulation
from workbench.engine.records import Grid, Problem, Result
from workbench.evidence.verdicts import Finding

State, Steps = state("x"), steps()
EVEN = 64  # marks of a trajectory besides the usual ones, evenly spaced: a geometric rate is read at its end
COPIES = 2  # rows of one point, which are equal: evidence on equal runs is exact
SAME = "; all runs are identical: exact for this start, no evidence about others"
EXACT = "; computed exactly, without runs"


def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
    """What the engine's own checks see of an exact curve: a state that stays."""
    return State(start["x"])


def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
    return s


def rational(number: Any) -> Fraction | None:
    """A number as a fraction, or None for what is not rational. A float is not: what it stands for is unknown."""
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if hasattr(number, "p") and hasattr(number, "q"):  # of flint and SymPy
        return Fraction(int(number.p), int(number.q))
    return None


@dataclass(frozen=True)
class ExactValues:
    """The instance of an exact curve. table: (rows, M), its numbers at the marks (M,)."""

    metric: str
    table: np.ndarray
    marks: np.ndarray
    COSTS: ClassVar[dict[str, Any]] = {}

    @property
    def RECORD(self) -> dict[str, tuple[str, ...]]:
        return {self.metric: ("last",)}

    def metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        column = int(np.clip(np.searchsorted(self.marks, float(t)), 0, len(self.marks) - 1))
        return {self.metric: xp.asarray(self.table[: len(s.x), column : column + 1])}

    def result(self, problem: Problem, marks: np.ndarray, seed: int = 0) -> Result:
        """The result that a run with this seed would have."""
        rows = problem.size
        none, zeros = np.zeros(rows, dtype=np.int64), np.zeros(len(marks))
        tables: dict[str, Any] = {"data": {self.metric: self.table}, "params": problem.params, "calls": {}}
        return Result(
            marks=np.asarray(marks),
            **tables,
            run_ids=problem.run_ids,
            status=none,
            failed_at=none,
            elapsed=zeros,
            meta={"engine": "exact", "backend": "numpy", "seed": seed},
        )


@dataclass(frozen=True)
class ExactCurve(Simulation):
    """A simulation whose numbers a function gives.

    values: (T, **point) -> the numbers at t = 1, ..., T, of which a generator may go on; with ``at``: (n, **point) ->
    the number at this size or horizon n. at: the marks, where they are sizes. points: of the grid, as they are written.
    metric: what the number is called.
    """

    values: Callable[..., Any] = field(default=lambda T: (), compare=False)
    at: tuple[int, ...] = ()
    points: tuple[Mapping[str, Any], ...] = ({},)
    metric: str = "value"

    def marks_up_to(self, horizon: int, ends: Iterable[int] = ()) -> np.ndarray:
        if not self.at:
            even = np.linspace(1, horizon, min(horizon, EVEN)).round().astype(np.int64)
            return np.union1d(super().marks_up_to(horizon, ends), even)
        marks = np.array([n for n in self.at if n <= horizon], dtype=np.int64)
        return marks if marks.size else np.array(self.at[:1], dtype=np.int64)

    def numbers(self, horizon: int, where: Mapping[str, float]) -> dict[int, Any]:
        """t -> number at every t = 1, ..., horizon, or at the sizes up to it. Raises ValueError as `_number` does."""
        where = self._point(where)
        if self.at:
            marks = self.marks_up_to(horizon).tolist()
            return {n: self._number(self.values(n, **where), n) for n in marks}
        given = list(islice(iter(self.values(horizon, **where)), horizon))
        if len(given) < horizon:
            raise ValueError(
                f"{self.key}: values({horizon}) gives {len(given)} numbers; wanted one for each t = 1, ..., {horizon}"
            )
        return {t: self._number(number, t) for t, number in enumerate(given, start=1)}

    def _point(self, where: Mapping[str, float]) -> Mapping[str, Any]:
        """The first point of the grid with these values, as its author wrote it: a fraction stays one."""

        def has(point: Mapping[str, Any]) -> bool:
            return all(
                np.isclose(float(point[name]), float(value), 1e-12, 0.0) for name, value in where.items()
            )

        return next((point for point in self.points if has(point)), where)

    def _number(self, number: Any, t: int) -> Any:
        """The number. Raises ValueError for what is none."""
        if type(number) is not float and rational(number) is None and not isinstance(number, Real):
            raise ValueError(f"{self.key}: the value at {t} is a {type(number).__name__}; wanted a number")
        return number


def as_float(number: Any) -> float:
    if type(number) is float:
        return number
    fraction = rational(number)
    try:
        return float(number if fraction is None else fraction)
    except OverflowError:
        return float("inf")


@dataclass(frozen=True)
class Make:
    """Makes the batch of an exact curve: (horizon, runs) -> Batch, whatever the runs."""

    curve: list[ExactCurve]  # the one that it belongs to, which is made after it
    memory: dict[int, np.ndarray] = field(default_factory=dict, compare=False)

    def __call__(self, horizon: int, runs: int) -> Batch:
        (curve,) = self.curve
        marks = curve.marks_up_to(horizon)
        if horizon not in self.memory:
            rows = []
            for point in curve.points:
                numbers = curve.numbers(horizon, point)
                rows.append([as_float(numbers[int(t)]) for t in marks])
            self.memory[horizon] = np.repeat(np.array(rows), COPIES, axis=0)
        grid = Grid([{name: float(x) for name, x in point.items()} for point in curve.points], COPIES)
        instance = ExactValues(curve.metric, self.memory[horizon], marks)
        return Batch(instance, Steps(), {"x": grid.full(0.0)}, grid)


def check_function(values: Any, names: Iterable[str]) -> None:
    """Raises ValueError for what is no function of the horizon and the parameters of the grid."""
    if not callable(values):
        raise ValueError(f"values is a {type(values).__name__}; wanted a function of T that gives numbers")
    parameters = inspect.signature(values).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    if missing := [name for name in names if name not in {p.name for p in parameters}]:
        raise ValueError(f"values takes no {missing[0]!r}, which is a parameter of the grid")


def without_runs(finding: Finding, sim: Simulation) -> Finding:
    """The finding; of an exact curve without the words about runs that there are not."""
    if not isinstance(sim, ExactCurve):
        return finding
    return replace(finding, runs=0, note=finding.note.replace(SAME, EXACT))

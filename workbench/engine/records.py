"""The records of a run: what is simulated (`Problem`), how (`Run`), and the outcome (`Result`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from workbench.arrays.random import Draws

Array = Any
Progress = Callable[[int, int], None]  # iterations done, of how many


@dataclass(frozen=True)
class Grid:
    """The rows of a batch: every grid point with every run 0..runs-1. Points share the noise of a run.

    points: a list of parameter -> value; ``[{}]`` for one point without parameters. runs: per point. Rows are ordered
    point by point, and ``grid["sigma"]`` is the (rows, 1) column of a parameter (KeyError for one that it lacks).

    Raises ValueError if there are no points, and for what is no list of them.
    """

    points: Sequence[Mapping[str, float]]
    runs: int

    def __post_init__(self) -> None:
        if isinstance(self.points, str | Mapping) or not isinstance(self.points, Sequence):
            raise ValueError(
                f"points is a {type(self.points).__name__}; a grid takes a list of points, as Grid([{{}}], runs)"
            )
        if not self.points:
            raise ValueError(
                "a grid needs at least one point; for one without parameters write Grid([{}], runs). Horizons that are "
                "filtered by the horizon asked for need one that is always kept: [...] or HORIZONS[:1]"
            )
        if other := next((p for p in self.points if not isinstance(p, Mapping)), None):
            raise ValueError(
                f"the point {other!r} is a {type(other).__name__}; wanted name -> value, as {{'sigma': 0.1}}"
            )

    @property
    def rows(self) -> int:
        """How many rows there are: points times runs."""
        return len(self.points) * self.runs

    @property
    def run_ids(self) -> np.ndarray:
        """(rows,): the run of each row."""
        return np.tile(np.arange(self.runs), len(self.points))

    @property
    def params(self) -> dict[str, np.ndarray]:
        """Parameter -> (rows,)."""
        names = dict.fromkeys(name for point in self.points for name in point)
        return {n: np.repeat([float(p[n]) for p in self.points], self.runs) for n in names}

    def __getitem__(self, name: str) -> np.ndarray:
        return self.params[name][:, None]

    def full(self, value: float, d: int = 1) -> np.ndarray:
        """(rows, d) filled with one value."""
        return np.full((self.rows, d), float(value))

    def random_start(self, low: float, high: float, d: int = 1) -> np.ndarray:
        """(rows, d): coordinates drawn uniformly from [low, high] for each run, the same at every grid point.

        Noiseless runs differ only in their start, so a random start is needed to make them a sample.
        """
        unit = Draws(0, self.run_ids, np).at(0)(0).uniform(d)
        return low + (high - low) * unit


@dataclass(frozen=True)
class Rows:
    """Rows that do not form a full grid. run_ids: (rows,), their noise identities. params: name -> (rows,)."""

    run_ids: np.ndarray
    params: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """What is simulated: a batch of rows that never interact. `simulate` checks it, with a sentence for each mistake.

    algorithm: a module (or namespace) with ``init(start, c, oracle, draw, xp)`` and ``step(s, t, c, oracle, draw,
    xp)``. instance: the problem, which has ``COSTS`` (oracle method -> resource -> calls), ``RECORD`` (metric ->
    reductions among last, mean, sum, max) and ``metrics(state, t, xp)`` -> metric -> (rows, 1); optionally
    ``checkpoint_metrics(state, t, xp)``, evaluated at marks only, and ``constants(start)`` and ``drift(marks)``, kept
    in the result: numbers and columns, nothing else. steps: the algorithm's ``Steps``. Every number in instance and
    steps may be a (rows, 1) column. start: name -> (rows, d). grid: which run and parameters each row stands for;
    without a grid the rows are runs 0, 1, 2, ... of a single point. is_typed: whether arrays per row are marked as such
    (`workbench.engine.per_row.with_row_types`).
    """

    algorithm: Any
    instance: Any
    steps: Any
    start: Mapping[str, np.ndarray]
    grid: Grid | Rows | None = None
    is_typed: bool = False

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.run_ids)

    @property
    def run_ids(self) -> np.ndarray:
        """(rows,) noise identities: rows with the same one see the same noise."""
        if self.grid is None:
            return np.arange(len(next(iter(self.start.values()))))
        return np.asarray(self.grid.run_ids, dtype=np.int64)

    @property
    def params(self) -> dict[str, np.ndarray]:
        """name -> (rows,): the grid's parameters."""
        return {} if self.grid is None else {k: np.asarray(v) for k, v in self.grid.params.items()}


@dataclass(frozen=True)
class Run:
    """How a problem is run.

    marks: (M,) increasing integers from 1 on, the iterations that are recorded; the last one is the horizon. seed: of
    the noise, in [0, 2^64). backend: "numpy", "cupy" or the name of another array library. engine: "auto", "eager" (the
    step as it stands) or "fused" (compiled). fast: compiled kernels may fuse a * b + c, which changes the last bits.
    threads: of a compiled CPU kernel. progress: called with the iterations done and the horizon. keep: reads and writes
    checkpoints (`workbench.run.store.checkpoint.Checkpointer`).
    """

    marks: np.ndarray
    seed: int = 0
    backend: str = "numpy"
    engine: str = "auto"
    fast: bool = False
    threads: int = 1
    progress: Progress | None = None
    keep: Any = None


# Of a metric: at x_t, over iterations 1..t, and ("peak") the largest value over the iterations since the mark before.
REDUCTIONS = ("last", "mean", "sum", "max", "peak")
LARGEST = ("max", "peak")  # those that keep the largest value


def quantity(metric: str, reduction: str) -> str:
    """The name in a result of a metric's reduction."""
    return metric if reduction == "last" else f"{metric}_{reduction}"


def quantities(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a result of what an instance records. record: metric -> reductions."""
    return tuple(quantity(metric, r) for metric, reductions in record.items() for r in reductions)


@dataclass(frozen=True)
class Wrapped:
    """An instance of which something is changed; everything else is delegated to it."""

    instance: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "instance":  # copying looks attributes up before the fields exist
            raise AttributeError(name)
        return getattr(self.instance, name)


def class_of(instance: Any) -> type:
    """The class that a mistake in an instance is told of: its own, not that of what wraps it."""
    while isinstance(instance, Wrapped):
        instance = instance.instance
    return type(instance)


class Status(IntEnum):
    """The status of one row."""

    OK = 0
    # A metric or an iterate overflowed or became NaN; the other rows of the batch are unaffected.
    NONFINITE = 1


TABLES = (
    "data",
    "params",
    "calls",
    "constants",
    "steps",
)  # of a result: name -> one row for each, or one for all


@dataclass(frozen=True)
class Result:
    """One simulated batch, as NumPy arrays.

    marks: (M,) recorded iterations. data: name -> (rows, M): ``<metric>`` at x_t, before step t; ``<metric>_mean``,
    ``<metric>_sum`` and ``<metric>_max`` over iterations 1..t, ``<metric>_peak`` the largest since the mark before.
    params: name -> (rows,), the grid. run_ids: (rows,), noise identities. status, failed_at: (rows,), the status and
    the first mark at which it was seen (0: never). calls: resource -> calls per run so far, (1, M) if they are the same
    for all rows, else (rows, M). elapsed: (M,) wall-clock seconds of the whole batch. constants: name -> (rows or 1, M
    or 1), the instance's constants at this start, and its drift up to each mark. steps: name -> (rows or 1, 1), the
    numbers in the algorithm's ``Steps``. meta: provenance (strings and numbers).
    """

    marks: np.ndarray
    data: dict[str, np.ndarray]
    params: dict[str, np.ndarray]
    run_ids: np.ndarray
    status: np.ndarray
    failed_at: np.ndarray
    calls: dict[str, np.ndarray]
    elapsed: np.ndarray
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    steps: dict[str, np.ndarray] = field(default_factory=dict)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.status)

    @cached_property
    def runs(self) -> int:
        """How many noise identities there are: the size of the sample."""
        return len(np.unique(self.run_ids))

    @property
    def horizon(self) -> int:
        """The last mark."""
        return int(self.marks[-1])

    def rows(self, **where: float) -> np.ndarray:
        """(rows,) mask of the rows whose parameters equal the given values (to 1e-12 relative)."""
        mask = np.ones(self.size, dtype=bool)
        for name, value in where.items():
            mask &= np.isclose(self.params[name], value, rtol=1e-12, atol=0.0)
        return mask

    def keeping(self, mask: np.ndarray) -> Result:
        """The result of the rows of a (rows,) mask alone; or of the rows with these numbers, in their order."""

        tables: dict[str, Any] = {
            n: {m: self.part(v, mask) for m, v in getattr(self, n).items()} for n in TABLES if n != "params"
        }
        tables["params"] = {name: column[mask] for name, column in self.params.items()}
        each = {n: getattr(self, n)[mask] for n in ("run_ids", "status", "failed_at")}
        return replace(self, **tables, **each)

    def part(self, value: Any, mask: np.ndarray) -> Any:
        """The rows of a mask in a table of two axes with a row for each; anything else is the same for all rows."""
        return value[mask] if np.ndim(value) == 2 and len(value) == self.size else value

    def table(self, metric: str) -> np.ndarray:
        """(rows, M) of a recorded quantity. Raises KeyError, with a sentence, if it is not recorded."""
        if metric not in self.data:
            names = ", ".join(sorted(self.data))
            hint = "; a simulation with record=wb.claims.AS_READ records the peaks that claims read"
            raise KeyError(
                f"no quantity {metric!r} is recorded; there are {names}{hint * metric.endswith('_peak')}"
            )
        return self.data[metric]

    def curve(self, metric: str, **where: float) -> np.ndarray:
        """(rows, M) of a recorded quantity on the rows selected by ``rows``.

        Raises KeyError, with a sentence, for an empty slice and for a quantity that is not recorded.
        """
        mask = self.rows(**where)
        if not mask.any():
            raise KeyError(f"no run with {where}; the grid holds {sorted(self.params)}")
        return self.table(metric)[mask]

    def by_run(self, table: np.ndarray) -> np.ndarray:
        """(rows of some grid points, M) -> (runs, points * M): the rows of one run side by side, as one sample."""
        return np.concatenate(np.split(table, len(table) // self.runs), axis=1)

    def at(self, t: int) -> int:
        """Index of the mark at iteration t. Raises ValueError if t was not recorded."""
        index = int(np.searchsorted(self.marks, t))
        if index == len(self.marks) or self.marks[index] != t:
            raise ValueError(
                f"iteration {t:g} is no mark of this result, which has {self.horizon} iterations"
            )
        return index

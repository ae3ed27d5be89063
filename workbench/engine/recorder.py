"""The records of both engines at the marks: quantities, calls, status and time of every row so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from workbench.arrays import backends, meter
from workbench.engine.records import Problem, Result, Run, Status


class Recorded:
    """Filled mark by mark, in the form of a `workbench.engine.records.Result`."""

    def __init__(self, rows: int, marks: int) -> None:
        self._shape = (rows, marks)
        self.data: dict[str, np.ndarray] = {}
        self.calls: dict[str, np.ndarray] = {}
        self.elapsed = np.zeros(marks)
        self.status = np.zeros(rows, dtype=np.int64)
        self._failed = np.full(rows, marks, dtype=np.int64)

    def put(self, name: str, index: int, column: np.ndarray) -> None:
        """A quantity of every row at mark ``index``."""
        self.data.setdefault(name, np.full(self._shape, np.nan))[:, index] = column.reshape(-1)

    def count(self, resource: str, index: int, column: np.ndarray) -> None:
        """Calls so far: one number, or one per row."""
        counts = self.calls.get(resource, np.zeros((1, self._shape[1]), dtype=np.int64))
        if len(column) > len(counts):
            counts = np.repeat(counts, len(column), axis=0)
        counts[:, index] = column
        self.calls[resource] = counts

    def close(self, index: int, state: Iterable[Any], seconds: float) -> None:
        """Completes mark ``index`` after its step: records which rows became non-finite, and the time.

        The arrays of the state may lie on a device; only a mask of the rows is copied from there.
        """
        rows = self._shape[0]
        finite = np.ones(rows, dtype=bool)
        for values in self.data.values():
            finite &= np.isfinite(values[:, index])
        for leaf in state:
            if leaf.ndim and leaf.shape[0] == rows:
                finite &= backends.to_host(np.isfinite(leaf).all(axis=tuple(range(1, leaf.ndim))))
        self.status[~finite] = Status.NONFINITE
        self._failed[~finite] = np.minimum(self._failed[~finite], index)
        self.elapsed[index] = seconds

    def result(self, problem: Problem, run: Run, engine: str) -> Result:
        """The result: all records, with row labels and metadata on how they were computed."""
        marks = np.asarray(run.marks, dtype=np.int64)
        meta: dict[str, Any] = {"backend": run.backend, "engine": engine, "seed": int(run.seed)}
        if run.fast and engine == "fused":
            meta["arithmetic"] = "fast"
        return Result(
            marks=marks,
            data=self.data,
            params=problem.params,
            run_ids=problem.run_ids,
            status=self.status,
            failed_at=np.where(self.status == Status.OK, 0, np.append(marks, 0)[self._failed]),
            calls=meter.compact(self.calls),
            elapsed=self.elapsed,
            meta=meta,
        )

    def position(self) -> dict[str, Any]:
        """All records as plain arrays, from which `resume` continues."""
        return {
            "data": self.data,
            "calls": self.calls,
            "elapsed": self.elapsed,
            "status": self.status,
            "failed": self._failed,
        }

    def resume(self, checkpoint: dict[str, Any]) -> None:
        self.data, self.calls = checkpoint["data"], checkpoint["calls"]
        self.elapsed, self.status, self._failed = (
            checkpoint["elapsed"],
            checkpoint["status"],
            checkpoint["failed"],
        )

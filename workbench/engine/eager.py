"""The eager engine: ``step`` called once per iteration on whole batches, on any array-API library.

One loop for all algorithms and backends. A batch is ``runs`` rows: seeds times parameter grid on one axis; rows never
mix, so a row that overflows gets a status and leaves the others as they are.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench import backend, meter
from workbench.engine.start import begin
from workbench.records import Result, Status

Progress = Callable[[int, int], None]


def simulate(
    algorithm: Any,
    instance: Any,
    steps: Any,
    start: Mapping[str, np.ndarray],
    *,
    marks: np.ndarray,
    run_ids: np.ndarray,
    seed: int,
    backend_name: str = "numpy",
    params: Mapping[str, np.ndarray] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Runs ``algorithm`` on ``instance`` up to ``marks[-1]`` and records the instance's metrics at the marks.

    algorithm: a module (or namespace) with ``init(start, c, oracle, draw, xp)`` and ``step(s, t, c, oracle, draw,
    xp)``. instance: has ``COSTS``, ``RECORD`` (metric -> reductions among last, mean, sum, max) and ``metrics(state, t,
    xp)``; optionally ``checkpoint_metrics(state, t, xp)``, evaluated at marks only. start: name -> (runs, d). steps:
    the algorithm's ``Steps`` with numbers or (runs, 1) columns. marks: (M,) increasing. run_ids: (runs,).
    """
    made = begin(algorithm, instance, steps, start, run_ids, seed, backend.namespace(backend_name))
    state, xp = made.state, made.xp
    recorder = _Recorder(made.instance, len(run_ids), len(marks), xp)
    with np.errstate(all="ignore"):  # overflow of one row is that row's status, not the batch's warning
        began, index = time.perf_counter(), 0
        for t in range(1, int(marks[-1]) + 1):
            now = xp.asarray(float(t))
            recorder.observe(state, now)
            if t == marks[index]:
                recorder.write(index, t, state, now)
            state = algorithm.step(state, now, made.c, made.oracle, made.draw.at(t), xp)
            if t == marks[index]:
                recorder.close(index, state, made.calls, time.perf_counter() - began)
                index += 1
                if progress is not None:
                    progress(t, int(marks[-1]))
    return Result(
        marks=np.asarray(marks, dtype=np.int64),
        data=recorder.data,
        params={k: np.asarray(v) for k, v in (params or {}).items()},
        run_ids=np.asarray(run_ids, dtype=np.int64),
        status=recorder.status,
        failed_at=recorder.failed_at(marks),
        calls=meter.compact(recorder.calls),
        elapsed=recorder.elapsed,
        meta={"backend": backend_name, "engine": "eager", "seed": int(seed)},
    )


class _Recorder:
    """Running sums and maxima of the metrics, and what was recorded at each mark."""

    def __init__(self, instance: Any, runs: int, marks: int, xp: Any) -> None:
        self._instance, self._xp, self._shape = instance, xp, (runs, marks)
        self._reductions = {n: frozenset(r) for n, r in instance.RECORD.items()}
        self._sums: dict[str, Any] = {}
        self._maxima: dict[str, Any] = {}
        self._now: dict[str, Any] = {}
        self.data: dict[str, np.ndarray] = {}
        self.calls: dict[str, np.ndarray] = {}
        self.elapsed = np.zeros(marks)
        self.status = np.zeros(runs, dtype=np.int64)
        self._failed = np.full(runs, marks, dtype=np.int64)

    def observe(self, state: Any, now: Any) -> None:
        """Adds the metrics at x_t; called before step t, so means run over the iterates x_1..x_t."""
        xp = self._xp
        self._now = self._instance.metrics(state, now, xp)
        for name, reductions in self._reductions.items():
            value = self._now[name]
            if reductions & {"mean", "sum"}:
                self._sums[name] = self._sums[name] + value if name in self._sums else value
            if "max" in reductions:
                held = self._maxima.get(name)
                # NaN must win, also over what comes after it: a run that left the finite numbers has no maximum.
                keep = None if held is None else (value <= held) | (held != held)
                self._maxima[name] = value if held is None else xp.where(keep, held, value)

    def write(self, index: int, t: int, state: Any, now: Any) -> None:
        """Records the metrics at mark ``index``."""
        for name, reductions in self._reductions.items():
            if "last" in reductions:
                self._put(name, index, self._now[name])
            if "mean" in reductions:
                self._put(f"{name}_mean", index, self._sums[name] / float(t))
            if "sum" in reductions:
                self._put(f"{name}_sum", index, self._sums[name])
            if "max" in reductions:
                self._put(f"{name}_max", index, self._maxima[name])
        if hasattr(self._instance, "checkpoint_metrics"):
            for name, value in self._instance.checkpoint_metrics(state, now, self._xp).items():
                self._put(name, index, value)

    def close(self, index: int, state: Any, calls: Counter[str], seconds: float) -> None:
        """Completes mark ``index`` after its step: runs that left the finite numbers, calls, time."""
        finite = np.ones(self._shape[0], dtype=bool)
        for values in self.data.values():
            finite &= np.isfinite(values[:, index])
        for leaf in state:
            host = backend.to_host(leaf)
            if host.ndim and host.shape[0] == self._shape[0]:
                finite &= np.isfinite(host).reshape(self._shape[0], -1).all(axis=1)
        self.status[~finite] = Status.NONFINITE
        self._failed[~finite] = np.minimum(self._failed[~finite], index)
        for resource, count in calls.items():
            column = backend.to_host(count).reshape(-1)  # one number, or one per run
            held = self.calls.get(resource, np.zeros((1, self._shape[1]), dtype=np.int64))
            if len(column) > len(held):
                held = np.repeat(held, len(column), axis=0)
            held[:, index] = column
            self.calls[resource] = held
        self.elapsed[index] = seconds

    def failed_at(self, marks: np.ndarray) -> np.ndarray:
        return np.where(self.status == Status.OK, 0, np.append(marks, 0)[self._failed])

    def _put(self, name: str, index: int, value: Any) -> None:
        column = backend.to_host(value)
        self.data.setdefault(name, np.full(self._shape, np.nan))[:, index] = column.reshape(-1)

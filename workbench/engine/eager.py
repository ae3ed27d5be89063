"""The eager engine: ``step`` called once per iteration on whole batches, on any array-API library.

One loop for all algorithms and backends. The rows of a batch are seeds times parameter grid on one axis. They never
interact, so a row that overflows gets a status and does not affect the others.
"""

from __future__ import annotations

import copy
import time
from collections import Counter
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.patch import Patch
from workbench.engine.recorder import Recorded
from workbench.engine.records import LARGEST, Problem, Result, Run, quantity
from workbench.engine.start import Start, begin
from workbench.engine.trial import check_shapes, freeze
from workbench.engine.validate import ProblemError, guard


def simulate(problem: Problem, run: Run) -> Result:
    """Runs the problem up to ``run.marks[-1]`` and records it at the marks.

    Ignores ``engine``, ``fast`` and ``threads`` of the `Run`.
    """
    algorithm, marks, keep = problem.algorithm, run.marks, run.keep
    start = begin(guard(problem), run.seed, backends.namespace(run.backend))
    state, xp = start.state, start.xp
    recorder = _Recorder(start.instance, problem.size, len(marks), xp)
    with np.errstate(all="ignore"):  # overflow is recorded in the status of its row, without warnings
        began, index, last, stacks = time.perf_counter(), 0, 0, _Stacks()
        if keep is not None and (checkpoint := keep.resume("eager", run.backend)) is not None:
            state, index, last = _resume(checkpoint, start, recorder)
            began -= checkpoint["seconds"]
        for t in range(last + 1, int(marks[-1]) + 1):
            now = xp.asarray(float(t))
            recorder.observe(state, now)
            if t == marks[index]:
                recorder.write(index, t, state, now)
            new = algorithm.step(freeze(state), now, start.c, start.oracle, start.draw.at(t), xp)
            check_shapes(state, new)  # in each iteration: NumPy would broadcast a row that stands for all
            state = stacks.commit(new)
            if t == marks[index]:
                recorder.finish(index, state, start.calls, time.perf_counter() - began)
                index += 1
                if run.progress is not None:
                    run.progress(t, int(marks[-1]))
            if keep is not None and keep.due(index == len(marks)):
                seconds = time.perf_counter() - began
                keep.write(_position(t, index, seconds, state, start, recorder))
    return recorder.result(problem, run, "eager")


def _position(
    t: int, index: int, seconds: float, state: Any, start: Start, recorder: _Recorder
) -> dict[str, Any]:
    """The position of the loop after iteration ``t``, as plain data; the noise is a function of t and has no state."""
    return {
        "t": t,
        "index": index,
        "seconds": seconds,
        "state": list(state),
        "counter": dict(start.calls),
        "sums": recorder.sums,
        "maxima": recorder.maxima,
        "recorded": recorder.position(),
    }


def _resume(checkpoint: dict[str, Any], start: Start, recorder: _Recorder) -> tuple[Any, int, int]:
    """Restores a position, including sums and counts; returns state, number of marks passed and iterations done."""
    xp = start.xp
    recorder.resume(checkpoint["recorded"])
    recorder.sums = {n: xp.asarray(v) for n, v in checkpoint["sums"].items()}
    recorder.maxima = {n: xp.asarray(v) for n, v in checkpoint["maxima"].items()}
    for resource, count in checkpoint["counter"].items():
        start.calls[resource] = count if isinstance(count, int) else xp.asarray(count)
    state = type(start.state)(*(xp.asarray(v) for v in checkpoint["state"]))
    return state, checkpoint["index"], checkpoint["t"]


class _Stacks:
    """The arrays of the state that steps change task by task: after a step its patches are written into them.

    An array becomes the engine's own when it is patched for the first time, by a copy. From then on a patch is written
    into it, unless another field of the new state still refers to it; then it is copied again.
    """

    def __init__(self) -> None:
        self._own: dict[int, Any] = {}

    def commit(self, state: Any) -> Any:
        """The state with arrays in place of patches."""
        patches = {n: leaf for n, leaf in enumerate(state) if isinstance(leaf, Patch)}
        if not patches:
            return state
        parts = [leaf.parts() if n in patches else [leaf] for n, leaf in enumerate(state)]
        uses = Counter(id(_owner(part)) for group in parts for part in group)
        leaves = list(state)
        for n, patch in patches.items():
            own = self._own.get(n)
            if own is None or _owner(patch.root()) is not own or uses[id(own)] > 1:
                own = self._own[n] = patch.whole()
            else:
                patch.write(own)
            leaves[n] = own
        return type(state)(*leaves)


def _owner(array: Any) -> Any:
    """The array whose memory a view shows."""
    while getattr(array, "base", None) is not None and hasattr(array.base, "shape"):
        array = array.base
    return array


class _Recorder(Recorded):
    """`Recorded` with running sums and maxima of the metrics."""

    def __init__(self, instance: Any, rows: int, marks: int, xp: Any) -> None:
        super().__init__(rows, marks)
        self._instance, self._xp = instance, xp
        self._reductions = {n: frozenset(r) for n, r in instance.RECORD.items()}
        self.sums: dict[str, Any] = {}
        self.maxima: dict[str, Any] = {}
        self._now: dict[str, Any] = {}

    def observe(self, state: Any, now: Any) -> None:
        """Adds the metrics at x_t; called before step t, so means run over the iterates x_1..x_t."""
        xp = self._xp
        self._now = self._instance.metrics(state, now, xp)
        for name, reductions in self._reductions.items():
            value = self._now[name]
            if reductions & {"mean", "sum"}:
                # A copy, since the value may be a part of the state, which `_Stacks` writes into.
                self.sums[name] = self.sums[name] + value if name in self.sums else copy.copy(value)
            for key in (quantity(name, r) for r in LARGEST if r in reductions):
                largest = self.maxima.get(key)
                # NaN must propagate, also past later values: a run that became non-finite has no maximum.
                keep = None if largest is None else (value <= largest) | (largest != largest)
                self.maxima[key] = copy.copy(value) if largest is None else xp.where(keep, largest, value)

    def write(self, index: int, t: int, state: Any, now: Any) -> None:
        """Records the metrics at mark ``index``."""
        for name, reductions in self._reductions.items():
            if "last" in reductions:
                self._record(name, index, self._now[name])
            if "mean" in reductions:
                self._record(f"{name}_mean", index, self.sums[name] / float(t))
            if "sum" in reductions:
                self._record(f"{name}_sum", index, self.sums[name])
            if "max" in reductions:
                self._record(f"{name}_max", index, self.maxima[f"{name}_max"])
            if "peak" in reductions:
                self._record(f"{name}_peak", index, self.maxima.pop(f"{name}_peak"))
        if hasattr(self._instance, "checkpoint_metrics"):
            for name, value in self._instance.checkpoint_metrics(state, now, self._xp).items():
                self._record(name, index, value)

    def finish(self, index: int, state: Any, calls: Counter[str], seconds: float) -> None:
        """Completes mark ``index`` after its step."""
        self.close(index, map(backends.to_host, state), seconds)
        for resource, count in calls.items():
            self.count(resource, index, backends.to_host(count).reshape(-1))

    def _record(self, name: str, index: int, value: Any) -> None:
        column = backends.to_host(value)
        if column.size != self._shape[0]:
            raise ProblemError(
                f"the metric {name!r} turns into shape {column.shape}; wanted one number per run", "metrics"
            )
        self.put(name, index, column)

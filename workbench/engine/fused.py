"""The fused engine: the whole trajectory of every run in a few launches of one compiled kernel.

The loop over t is split at the marks, where results are copied out, and into launches short enough (about half a
second) for progress reports and interrupts. Between launches only the state of the runs and the recorded sums are kept,
so memory grows with runs times marks, independently of the horizon.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.engine.pools import Pools
from workbench.engine.program import Program, measured_at_marks, trace, trace_marks
from workbench.engine.recorder import Recorded
from workbench.engine.records import Problem, Result, Run
from workbench.engine.refusal import TraceError
from workbench.engine.start import begin

LAUNCH_SECONDS = 0.5


class Fused:
    """A prepared simulation: traced, with generated code and pools. ``is_cached``: whether the kernel is compiled."""

    def __init__(self, problem: Problem, run: Run, make_kernel: Callable[..., Any] | None = None) -> None:
        make = make_kernel or kernel_for(run.backend)
        make = partial(make, runs=problem.size, fast=run.fast, threads=run.threads)
        self.problem = problem
        self.state = begin(problem, run.seed, backends.namespace("numpy")).state
        self.program = trace(problem, self.state)
        self.kernel = make(self.program)
        self.at_marks: Program | None = None
        self.mark_kernel: Any = None
        self._mark_pools: Pools | None = None
        self.pauses = True  # is something measured at marks only?
        # Unless the fused engine was requested, the eager library may measure at marks, if compiling takes longer.
        self._is_auto = run.engine == "auto"
        self._eager_seconds = 0.0  # that it took at the last mark
        try:
            self.at_marks = trace_marks(problem, self.state)
            self.mark_kernel = None if self.at_marks is None else make(self.at_marks)
            self.pauses = self.at_marks is not None
        except TraceError:
            self.at_marks = None  # by the eager library, then

    @property
    def is_cached(self) -> bool:
        return self.kernel.is_cached and (self.mark_kernel is None or self.mark_kernel.is_cached)

    @property
    def identity(self) -> str:
        """Identifies the kernels; a checkpoint is valid only for the kernels that wrote it."""
        texts = [self.kernel.text, "" if self.mark_kernel is None else self.mark_kernel.text]
        return "fused " + hashlib.sha256("\0".join(texts).encode()).hexdigest()

    def start(self) -> Pools:
        """The memory of the kernel before the first iteration."""
        return Pools(self.program, self.kernel, self.problem, self.state)

    def result(self, run: Run) -> Result:
        """Runs the simulation. ``run`` may differ from the prepared one only in marks, progress and checkpoints.

        Between launches ``run.keep`` (`workbench.run.store.checkpoint.Checkpointer`) may request a checkpoint;
        before the first one it may supply a position to resume from.
        """
        marks, progress, keep = run.marks, run.progress, run.keep
        key = (run.seed & 0xFFFFFFFF, run.seed >> 32)
        out = _Output(self.problem, self.program, len(marks))
        began = time.perf_counter()
        now, first, pools = 1, 0, self.start()
        if keep is not None and (checkpoint := keep.resume(self.identity, run.backend)) is not None:
            now, first = checkpoint["t"] + 1, checkpoint["index"]
            began -= checkpoint["seconds"]
            out.resume(checkpoint["recorded"])
            pools.resume(checkpoint)
        pace = _Pace()

        def border(index: int) -> None:
            """After iteration now - 1, with ``index`` marks recorded."""
            if keep is not None and keep.due(index == len(marks)):
                at = {"t": now - 1, "index": index, "seconds": time.perf_counter() - began}
                keep.write({**pools.position(), **at, "recorded": out.position()})

        for index, mark in list(enumerate(int(m) for m in marks))[first:]:
            before = mark - 1 if self.pauses else mark
            while now <= before:
                last = min(before, now + pace.steps - 1)
                pace.of(last - now + 1, partial(pools.launch, now, last, key))
                now = last + 1
                if progress is not None and last < mark:
                    progress(last, int(marks[-1]))
                if last < mark:
                    border(index)
            if self.pauses:
                out.measured(index, self._measured(mark, key, pools, len(marks) - index))
                pools.launch(mark, mark, key)
                now = mark + 1
            out.write(index, mark, pools, time.perf_counter() - began)
            pools.begin_peaks()
            if progress is not None:
                progress(mark, int(marks[-1]))
            border(index + 1)
        return out.result(self.problem, run, "fused")

    def _by_kernel(self, remaining: int) -> bool:
        """Should a kernel measure at the marks, given how many marks remain?"""
        if self.mark_kernel is None:
            return False
        return not self._is_auto or self._eager_seconds * remaining >= self.mark_kernel.compile_seconds

    def _measured(self, t: int, key: tuple[int, int], pools: Pools, remaining: int) -> dict[str, np.ndarray]:
        """The metrics recorded only at marks, at x_t. remaining: number of marks from this one on."""
        if self._by_kernel(remaining):
            assert self.at_marks is not None
            if self._mark_pools is None:
                self._mark_pools = Pools(self.at_marks, self.mark_kernel, self.problem, self.state)
            self._mark_pools.take_state(pools)
            self._mark_pools.launch(t, t, key)
            return {name: self._mark_pools.record(at) for name, at in self.at_marks.records.items()}
        began, state = time.perf_counter(), pools.state(self.state)
        xp = backends.namespace("numpy")
        instance = backends.place(self.problem.instance, xp)
        with np.errstate(all="ignore"):
            metrics = measured_at_marks(instance, state, xp.asarray(float(t)), xp)
        self._eager_seconds = time.perf_counter() - began
        return {name: np.asarray(v).reshape(-1) for name, v in metrics.items()}


class _Pace:
    """Controls the number of iterations per launch so that one takes about LAUNCH_SECONDS."""

    def __init__(self) -> None:
        self.steps = 64

    def of(self, steps: int, launch: Callable[[], None]) -> None:
        began = time.perf_counter()
        launch()
        seconds = max(time.perf_counter() - began, 1e-6)
        target = steps * LAUNCH_SECONDS / seconds
        self.steps = int(max(1, min(4 * max(self.steps, steps), target)))


class _Output(Recorded):
    """The records so far, read from the carried values."""

    def __init__(self, problem: Problem, program: Program, marks: int) -> None:
        super().__init__(problem.size, marks)
        self._reductions, self._program = problem.instance.RECORD, program

    def measured(self, index: int, values: Mapping[str, np.ndarray]) -> None:
        for name, value in values.items():
            self.put(name, index, value)

    def write(self, index: int, t: int, pools: Pools, seconds: float) -> None:
        program = self._program
        for name, at in program.records.items():
            value, metric = pools.record(at), name.removesuffix("_sum")
            reductions = self._reductions.get(metric, ()) if name.endswith("_sum") else ()
            if "mean" in reductions:
                self.put(f"{metric}_mean", index, value / float(t))
            if not reductions or "sum" in reductions:
                self.put(name, index, value)
        self.close(index, pools.fields(), seconds)
        for resource, count in program.calls.items():
            self.count(resource, index, np.array([count * t]))
        for resource, at in program.counters.items():
            self.count(resource, index, pools.record(at))


def kernel_for(backend: str) -> Callable[..., Any]:
    """The kernel class of a backend."""
    if backend == "cupy":
        from workbench.engine.gpu import GpuKernel

        return GpuKernel
    from workbench.engine.cpu import CpuKernel

    return CpuKernel

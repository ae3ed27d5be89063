"""The fused engine: the whole trajectory of every run in a few launches of one compiled kernel.

The loop over t is cut at the marks, where results are copied out, and into launches short enough (about half a second)
for a progress bar and an interrupt. What is kept between launches is the state of the runs and the recorded sums, so
memory grows with runs times marks, whatever the horizon.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.engine.emit import layout, rows_of
from workbench.engine.program import Program, measured_at_marks, start_of, trace, trace_marks
from workbench.engine.recorded import Recorded
from workbench.engine.records import Result
from workbench.engine.refusal import TraceError
from workbench.engine.start import begin

LAUNCH_SECONDS = 0.5
Progress = Callable[[int, int], None]


class Fused:
    """A simulation made ready: traced, printed, with its pools. ``cached`` says whether the kernel is compiled."""

    def __init__(
        self,
        algorithm: Any,
        instance: Any,
        steps: Any,
        start: Mapping[str, np.ndarray],
        run_ids: np.ndarray,
        seed: int,
        *,
        fast: bool = False,
        threads: int = 1,
        make_kernel: Callable[..., Any] | None = None,
    ) -> None:
        make = partial(make_kernel or kernel_for("numpy"), runs=len(run_ids), fast=fast, threads=threads)
        self.fast, self.runs = fast, len(run_ids)
        self.instance, self.run_ids, self.seed = instance, run_ids, seed
        host = backends.namespace("numpy")
        self.state = begin(algorithm, instance, steps, start, run_ids, seed, host).state
        self.program = trace(algorithm, instance, steps, self.state, self.runs)
        self.kernel = make(self.program)
        self.at_marks: Program | None = None
        self.mark_kernel: Any = None
        self.pauses = True  # is something measured at marks only?
        # Hurried: the eager library measures at marks where the kernel for it would take longer to compile.
        self.hurried, self._eager_seconds = False, 0.0  # seconds: that the library took at the last mark
        try:
            self.at_marks = trace_marks(instance, self.state, self.runs)
            self.mark_kernel = None if self.at_marks is None else make(self.at_marks)
            self.pauses = self.at_marks is not None
        except TraceError:
            self.at_marks = None  # by the eager library, then

    @property
    def cached(self) -> bool:
        return self.kernel.is_cached and (self.mark_kernel is None or self.mark_kernel.is_cached)

    @property
    def identity(self) -> str:
        """Names the kernels: positions fit the kernels that they come from."""
        texts = [self.kernel.text, "" if self.mark_kernel is None else self.mark_kernel.text]
        return "fused " + hashlib.sha256("\0".join(texts).encode()).hexdigest()

    def run(
        self,
        marks: np.ndarray,
        progress: Progress | None = None,
        keep: Any = None,
        backend_name: str = "numpy",
    ) -> dict[str, Any]:
        """Data, calls, status and times at the marks (the fields of a `Result` that the run decides).

        Between two launches ``keep`` (`workbench.store.checkpoint.Keeper`) may ask for the position, or hold one to
        go on from.
        """
        kernel, runs = self.kernel, self.runs
        out = _Output(self.instance, self.program, runs, len(marks))
        began = time.perf_counter()
        now, passed, pools = 1, 0, self._pools(self.program, kernel)
        if keep is not None and (held := keep.taken_up(self.identity, backend_name)) is not None:
            now, passed = held["t"] + 1, held["index"]
            began -= held["seconds"]
            out.take_up(held["recorded"])
            pools = (*pools[:2], kernel.pool(held["floats"]), kernel.pool(held["integers"]))
        pace = _Pace()

        def border(index: int) -> None:
            """After iteration now - 1, with ``index`` marks recorded."""
            if keep is not None and keep.due(index == len(marks)):
                keep.write(self._position(now - 1, index, time.perf_counter() - began, pools, out))

        for index, mark in list(enumerate(int(m) for m in marks))[passed:]:
            before = mark - 1 if self.pauses else mark
            while now <= before:
                last = min(before, now + pace.steps - 1)
                pace.of(last - now + 1, partial(kernel.launch, now, last, self._key, pools))
                now = last + 1
                if progress is not None and last < mark:
                    progress(last, int(marks[-1]))
                if last < mark:
                    border(index)
            if self.pauses:
                out.measured(index, self._measured(mark, pools, len(marks) - index))
                kernel.launch(mark, mark, self._key, pools)
                now = mark + 1
            out.write(index, mark, self._columns(self.program, pools, kernel), time.perf_counter() - began)
            if progress is not None:
                progress(mark, int(marks[-1]))
            border(index + 1)
        return out.fields(marks)

    def _position(
        self, t: int, index: int, seconds: float, pools: tuple[Any, ...], out: _Output
    ) -> dict[str, Any]:
        """Where the run is after iteration ``t``, as plain data: the carried values without the padding."""
        floats, integers = (self.kernel.host(pool)[:, : self.runs] for pool in pools[2:])
        return {
            "t": t,
            "index": index,
            "seconds": seconds,
            "floats": floats,
            "integers": integers,
            "recorded": out.position(),
        }

    def result(
        self,
        marks: np.ndarray,
        params: Mapping[str, np.ndarray] | None = None,
        backend_name: str = "numpy",
        progress: Progress | None = None,
        keep: Any = None,
    ) -> Result:
        """`run` as a `Result`."""
        meta = {"backend": backend_name, "engine": "fused", "seed": int(self.seed)}
        return Result(
            marks=np.asarray(marks, dtype=np.int64),
            params={k: np.asarray(v) for k, v in (params or {}).items()},
            run_ids=np.asarray(self.run_ids, dtype=np.int64),
            meta={**meta, **({"arithmetic": "fast"} if self.fast else {})},
            **self.run(np.asarray(marks), progress, keep, backend_name),
        )

    @property
    def _key(self) -> tuple[int, int]:
        return self.seed & 0xFFFFFFFF, self.seed >> 32

    def _pools(self, program: Program, kernel: Any, state: Any = None) -> tuple[Any, ...]:
        """Noise identities, parameters, floats and integers, as the kernel wants them."""
        rows = rows_of(program)
        floats, integers = (
            np.zeros((max(rows["F"], 1), self.runs)),
            np.zeros((max(rows["I"], 1), self.runs), dtype=np.int64),
        )
        names = {index: name for name, index in program.records.items()}
        for index, (phi, pool, row) in enumerate(layout(program)):
            size = phi.leaf.shape[0] * phi.leaf.shape[1]
            target = floats if pool == "F" else integers
            if index < program.fields:
                value = np.asarray((self.state if state is None else state)[index])
                target[row : row + size] = value.reshape(self.runs, -1).T
            elif index in names:
                target[row] = start_of(names[index])
        params = np.zeros((max(len(program.params), 1), self.runs))
        for number, value in enumerate(program.params):
            params[number] = np.asarray(value, dtype=np.float64).reshape(-1)
        identities = np.asarray(self.run_ids, dtype=np.int64)[None, :]
        padded = kernel.pool(identities)
        return padded[0], kernel.pool(params), kernel.pool(floats), kernel.pool(integers)

    def _columns(self, program: Program, pools: tuple[Any, ...], kernel: Any) -> list[np.ndarray]:
        """Every carried value as (runs, size), on the host."""
        floats, integers = kernel.host(pools[2]), kernel.host(pools[3])
        out = []
        for phi, pool, row in layout(program):
            size = phi.leaf.shape[0] * phi.leaf.shape[1]
            held = (floats if pool == "F" else integers)[row : row + size, : self.runs]
            out.append(held.T)
        return out

    def _by_kernel(self, left: int) -> bool:
        """Is what is measured at marks, of which so many are left, the kernel's to do?"""
        if self.mark_kernel is None:
            return False
        return not self.hurried or self._eager_seconds * left >= self.mark_kernel.compile_seconds

    def _measured(self, t: int, pools: tuple[Any, ...], left: int) -> dict[str, np.ndarray]:
        """What is recorded at marks only, at x_t; ``left``: marks from here to the end."""
        columns = self._columns(self.program, pools, self.kernel)[: self.program.fields]
        shapes = [np.asarray(v).shape for v in self.state]
        dtypes = [np.asarray(v).dtype for v in self.state]
        state = type(self.state)(
            *(
                np.ascontiguousarray(c).reshape(s).astype(d)
                for c, s, d in zip(columns, shapes, dtypes, strict=True)
            )
        )
        if self._by_kernel(left):
            assert self.at_marks is not None
            own = self._pools(self.at_marks, self.mark_kernel, state)
            self.mark_kernel.launch(t, t, self._key, own)
            values = self._columns(self.at_marks, own, self.mark_kernel)
            return {name: values[index][:, 0] for name, index in self.at_marks.records.items()}
        began = time.perf_counter()
        xp = backends.namespace("numpy")
        placed = backends.place(self.instance, xp)
        with np.errstate(all="ignore"):
            found = measured_at_marks(placed, state, xp.asarray(float(t)), xp)
        self._eager_seconds = time.perf_counter() - began
        return {name: np.asarray(v).reshape(-1) for name, v in found.items()}


class _Pace:
    """How many iterations one launch may make to last about LAUNCH_SECONDS."""

    def __init__(self) -> None:
        self.steps = 64

    def of(self, steps: int, launch: Callable[[], None]) -> None:
        began = time.perf_counter()
        launch()
        seconds = max(time.perf_counter() - began, 1e-6)
        wanted = steps * LAUNCH_SECONDS / seconds
        self.steps = int(max(1, min(4 * max(self.steps, steps), wanted)))


class _Output(Recorded):
    """What was recorded so far, read off the carried values."""

    def __init__(self, instance: Any, program: Program, runs: int, marks: int) -> None:
        super().__init__(runs, marks)
        self._instance, self._program = instance, program

    def measured(self, index: int, values: Mapping[str, np.ndarray]) -> None:
        for name, value in values.items():
            self.put(name, index, value)

    def write(self, index: int, t: int, columns: list[np.ndarray], seconds: float) -> None:
        program = self._program
        for name, at in program.records.items():
            value, metric = columns[at][:, 0], name.removesuffix("_sum")
            reductions = self._instance.RECORD.get(metric, ()) if name.endswith("_sum") else ()
            if "mean" in reductions:
                self.put(f"{metric}_mean", index, value / float(t))
            if not reductions or "sum" in reductions:
                self.put(name, index, value)
        self.close(index, columns[: program.fields], seconds)
        for resource, count in program.calls.items():
            self.count(resource, index, np.array([count * t]))
        for resource, at in program.counted.items():
            self.count(resource, index, columns[at][:, 0])


def kernel_for(backend_name: str) -> Callable[..., Any]:
    """What makes the kernels of a backend."""
    if backend_name == "cupy":
        from workbench.engine.gpu import GpuKernel

        return GpuKernel
    from workbench.engine.cpu import CpuKernel

    return CpuKernel


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
    fast: bool = False,
    threads: int = 1,
    keep: Any = None,
) -> Result:
    """As `workbench.engine.eager.simulate`, compiled. Raises TraceError where the step cannot be."""
    kernel = kernel_for(backend_name)
    made = Fused(
        algorithm, instance, steps, start, run_ids, seed, fast=fast, threads=threads, make_kernel=kernel
    )
    return made.result(marks, params, backend_name, progress, keep)

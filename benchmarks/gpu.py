"""The competitors on a GPU: fused, CuPy step by step, CuPy with one step captured in a CUDA graph, and JAX."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.case import SEED, Case
from benchmarks.competitors import Eager, FusedCpu, Jax, Turn, generators, jax_problem
from workbench.arrays import backends
from workbench.arrays.random import Sample, from_words, philox4x32, place
from workbench.engine.records import Problem
from workbench.engine.start import begin
from workbench.homes import disk

LOCK = "BENCHMARKS_GPU_LOCK"  # a file; whoever times something on the device holds it
UNASKED = ("jax unsafe_rbg",)  # on XLA's GPU backend the generator of jax rbg


def problem() -> str | None:
    """None if a GPU can be used, else one sentence."""
    return backends.cupy_problem()


def name() -> str:
    import cupy

    return cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()


def undisturbed() -> contextlib.AbstractContextManager[None]:
    """In the block no other race times anything on the device; it may compile beside it, on the host."""
    path = os.environ.get(LOCK)
    return disk.lock(Path(path)) if path else contextlib.nullcontext()


def on_gpu(case: Case) -> dict[str, Callable[..., Any]]:
    """Name -> class of the competitors available here, the workbench's own first."""
    from workbench.engine.gpu import GpuKernel

    found: dict[str, Callable[..., Any]] = {
        "fused": partial(FusedCpu, make_kernel=GpuKernel),
        "eager": partial(Eager, backend_name="cupy"),
        "captured": Captured,
    }
    if jax_problem() is None:
        asked = {n: g for n, g in generators(case).items() if n not in UNASKED}
        found |= {n: partial(Jax, generator=g, platform="gpu") for n, g in asked.items()}
    return found


def remembering(xp: Any) -> Any:
    """The namespace with cached constants, since a captured step must not copy numbers from the host."""
    held: dict[Any, Any] = {}

    def asarray(value: Any, dtype: Any = None) -> Any:
        if not isinstance(value, (bool, int, float)):
            return xp.asarray(value, dtype=dtype)
        key = (type(value), repr(value), dtype)
        if key not in held:
            held[key] = xp.asarray(value, dtype=dtype)
        return held[key]

    return SimpleNamespace(**{**vars(xp), "asarray": asarray})


class AddressedDraws:
    """``draw(i)`` whose iteration is a 0-d array, so that a captured step can advance it on the device.

    The numbers are those of `workbench.arrays.random`, computed one iteration at a time.
    """

    def __init__(self, seed: int, run_ids: Any, t: Any, xp: Any) -> None:
        self.xp, self._t = xp, t
        self._key = (seed & 0xFFFFFFFF, seed >> 32)
        self._rid = xp.reshape(xp.astype(xp.asarray(run_ids), xp.uint64), (-1, 1))

    def __call__(self, i: int) -> Sample:
        return Sample(self, i)

    def number(self, kind: str, stream: int, d: Any, k: Any) -> Any:
        """(runs, d) or (runs, m, d) numbers of this iteration; ``kind`` is one of uniform, sign, normal."""
        xp, (block, word) = self.xp, place(kind, stream)
        size = int(np.prod(d))
        if kind == "sign":
            packed = self._words(block, size, k, self._t // 32)[word]
            bit = (packed >> xp.astype(self._t % 32, xp.uint64)) & xp.asarray(1, dtype=xp.uint64)
            out = xp.where(bit == 1, xp.asarray(1.0), xp.asarray(-1.0))
        else:
            out = from_words(kind, word, self._words(block, size, k, self._t), xp)
        return xp.reshape(out, (-1, *d)) if isinstance(d, tuple) else out

    def _words(self, block: int, size: int, k: Any, t: Any) -> tuple[Any, ...]:
        xp = self.xp
        coordinate = xp.reshape(xp.arange(size, dtype=xp.uint64), (1, -1))
        last = xp.asarray(block + 256 * (k + 1), dtype=xp.uint64)
        return philox4x32((xp.astype(t, xp.uint64), self._rid, coordinate, last), self._key, xp)


class Captured:
    """One step and its metrics, captured once as a CUDA graph and launched once per iteration.

    Raises RuntimeError (from CuPy) for a step that reads a value from the device, such as an inner loop's length.
    """

    def __init__(self, case: Case, problem: Problem, threads: int) -> None:
        import cupy

        self.problem, self.cupy = problem, cupy
        xp = remembering(backends.namespace("cupy"))
        self.made = begin(problem, SEED, xp)
        self.first = [leaf.copy() for leaf in self.made.state]
        self.state = type(self.made.state)(*(leaf.copy() for leaf in self.first))
        self.t = cupy.asarray(1, dtype=cupy.int64)
        self.draws = AddressedDraws(SEED, problem.run_ids, self.t, xp)
        self.reduced: dict[str, Any] = {}
        self._graph = self._capture()

    def _capture(self) -> Any:
        cupy = self.cupy
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            for _ in range(2):  # fills the memory pool: nothing may be allocated during capture
                self._step()
            stream.synchronize()
            stream.begin_capture()
            self._step()
            graph = stream.end_capture()
        self._stream = stream
        return graph

    def _step(self) -> None:
        made, xp = self.made, self.made.xp
        now = xp.astype(self.t, xp.float64)
        instance = made.instance
        for metric, value in instance.metrics(self.state, now, xp).items():
            for reduction in instance.RECORD.get(metric, ()):
                self._reduce(f"{metric}_{reduction}", reduction, value)
        new = self.problem.algorithm.step(self.state, now, made.c, made.oracle, self.draws, xp)
        values = [leaf + 0 for leaf in new]  # a new field may alias another's old value
        for held, value in zip(self.state, values, strict=True):
            held[...] = value
        self.t += 1

    def _reduce(self, key: str, reduction: str, value: Any) -> None:
        cupy = self.cupy
        start = -np.inf if reduction == "max" else 0.0
        held = self.reduced.setdefault(key, cupy.full(value.shape, start))
        if reduction == "last":
            held[...] = value
        elif reduction == "max":
            cupy.maximum(held, value, out=held)
        else:
            held += value

    def prepare(self, horizon: int) -> Turn:
        def run() -> dict[str, np.ndarray]:
            for held, first in zip(self.state, self.first, strict=True):
                held[...] = first
            for key, value in self.reduced.items():
                value[...] = -np.inf if key.endswith("_max") else 0.0
            self.t[...] = 1
            self.cupy.cuda.get_current_stream().synchronize()
            for _ in range(horizon):
                self._graph.launch(self._stream)
            self._stream.synchronize()
            found = {k: v.get()[:, 0] for k, v in self.reduced.items()}
            return {k: v / horizon if k.endswith("_mean") else v for k, v in found.items()}

        return run

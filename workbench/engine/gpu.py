"""Runs a compiled kernel on a CUDA device: one thread per run, pools in device memory.

Contraction of a * b + c is disabled, so that the device gives the same bits as the CPU.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from workbench.engine.cuda_text import THREADS, CudaText
from workbench.engine.program import Program

EXACT = ("--fmad=false", "--std=c++17")
FAST = ("--fmad=true", "--std=c++17")


class GpuKernel:
    """One program, ready to launch; the counterpart of `workbench.engine.cpu.CpuKernel` on CuPy arrays."""

    is_cached = True  # compiling takes a fraction of a second, and CuPy has a disk cache
    compile_seconds = 0.0

    def __init__(self, program: Program, runs: int, fast: bool = False, threads: int = 1) -> None:
        self._cupy: Any = importlib.import_module("cupy")
        self.runs = runs
        emitter = CudaText(program)
        self.text = emitter.text()
        self._tables = tuple(self._cupy.asarray(t) for t in (emitter.tables.floats, emitter.tables.integers))
        module = self._cupy.RawModule(code=self.text, options=FAST if fast else EXACT, backend="nvrtc")
        self._kernel = module.get_function("kernel")

    def pool(self, values: np.ndarray) -> Any:
        return self._cupy.asarray(np.ascontiguousarray(values))

    stack_pool = pool

    def launch(self, first: int, last: int, key: tuple[int, int], pools: tuple[Any, ...]) -> None:
        """Runs iterations first .. last of every run and waits for the device."""
        blocks = -(-self.runs // THREADS)
        numbers = tuple(np.int64(n) for n in (first, last, self.runs, *key))
        self._kernel((blocks,), (THREADS,), (*numbers, *pools, *self._tables))
        self._cupy.cuda.get_current_stream().synchronize()

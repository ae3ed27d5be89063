"""Runs a compiled kernel on a CUDA device: one thread per run, pools in device memory.

`cubin` compiles without a device, so that every kernel is compiled (and its registers and spills are seen) where there
is no GPU. Contraction of a * b + c is off: the device gives the bits that the CPU gives.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.engine.cuda_text import THREADS, CudaText
from workbench.engine.program import Program

OPTIONS = ("--fmad=false", "--std=c++17")
FAST = ("--fmad=true", "--std=c++17")
NVRTC_HINT = (
    "install a CUDA compiler with `pip install nvidia-cuda-nvrtc` (it comes with the extras cuda12, cuda13)"
)


@dataclass(frozen=True)
class Resources:
    """What ptxas reports for one architecture: registers, bytes of stack and of spills per thread."""

    architecture: str
    registers: int
    stack: int
    spills: int


def compiler_problem() -> str | None:
    """None if CUDA text can be compiled here, else one sentence that says what is missing."""
    try:
        from cupy_backends.cuda.libs import nvrtc

        nvrtc.getVersion()
    except ImportError as error:
        return f"CuPy's compiler bindings are not there ({error}): {NVRTC_HINT}"
    except Exception as error:  # the library itself cannot be loaded; CuPy raises several classes
        return f"no CUDA compiler was found ({str(error).splitlines()[0]}): {NVRTC_HINT}"
    return None


@functools.cache
def cubin(text: str, architecture: str, fast: bool = False) -> tuple[bytes, Resources]:
    """Machine code for ``sm_80``, ``sm_90`` ... and its resources. Raises RuntimeError with the compiler's log."""
    from cupy_backends.cuda.libs import nvrtc

    program = nvrtc.createProgram(text, "kernel.cu", (), ())
    options = (f"--gpu-architecture={architecture}", "--ptxas-options=-v", *(FAST if fast else OPTIONS))
    try:
        nvrtc.compileProgram(program, options)
    except nvrtc.NVRTCError as error:
        raise RuntimeError(nvrtc.getProgramLog(program)) from error
    log = nvrtc.getProgramLog(program)
    return nvrtc.getCUBIN(program), _resources(log, architecture)


def _resources(log: str, architecture: str) -> Resources:
    def number(pattern: str) -> int:
        return sum(int(n) for n in re.findall(pattern, log))

    return Resources(
        architecture,
        number(r"Used (\d+) registers"),
        number(r"(\d+) bytes stack frame"),
        number(r"(\d+) bytes spill (?:stores|loads)"),
    )


class GpuKernel:
    """One program, ready to launch; the counterpart of `workbench.engine.cpu.CpuKernel` on CuPy arrays."""

    is_cached = True  # NVRTC takes a fraction of a second, and CuPy keeps what it made

    def __init__(self, program: Program, runs: int, fast: bool = False, threads: int = 1) -> None:
        import cupy

        self.runs = runs
        emitter = CudaText(program)
        self.text = emitter.text()
        self._cupy = cupy
        self._tables = tuple(cupy.asarray(t) for t in (emitter.tables.floats, emitter.tables.integers))
        module = cupy.RawModule(code=self.text, options=FAST if fast else OPTIONS, backend="nvrtc")
        self._kernel = module.get_function("kernel")

    def pool(self, values: np.ndarray) -> Any:
        return self._cupy.asarray(np.ascontiguousarray(values))

    def host(self, pool: Any) -> np.ndarray:
        return pool.get()

    def launch(self, first: int, last: int, key: tuple[int, int], pools: tuple[Any, ...]) -> None:
        blocks = -(-self.runs // THREADS)
        numbers = tuple(np.int64(n) for n in (first, last, self.runs, *key))
        self._kernel((blocks,), (THREADS,), (*numbers, *pools, *self._tables))
        self._cupy.cuda.get_current_stream().synchronize()

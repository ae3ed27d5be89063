"""Runs a compiled kernel on the CPU: blocks of runs on a pool of threads."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from workbench.engine import kernels
from workbench.engine.emit import LINE
from workbench.engine.llvm_text import LANES, LlvmText
from workbench.engine.program import Program
from workbench.engine.refusal import TraceError
from workbench.engine.schedule import Plan, plan
from workbench.engine.vectors import NATIVE

MANY = 64  # lanes for a small state
SEVERAL = 4 * NATIVE  # lanes for larger states, given enough runs: four independent vectors
FIRST_CACHE = 1 << 15  # L1 budget for the buffers in use at once, and for the resident stacks, in bytes
FEW = 4  # up to this many runs lanes would mostly be padding
ROOM = (1 << 20) + (1 << 16)  # stack budget for buffers, in bytes; larger states are faster as whole arrays


def lanes_for(program: Program, runs: int) -> int:
    """The number of runs processed side by side: one for a few runs, many if what they hold stays in the L1 cache.

    More lanes give more independent work, which hides the latency of divisions and of an inner recursion: on an AMD
    Zen 4, 64 lanes instead of 16 save a fifth of the time of F2OBO. For larger states 16 lanes would be faster than 32
    there, by a seventh for Ada-Minimax with d = 10, but their kernels take half as long again to compile: two vectors
    need no loop over the runs, so that LLVM sees a straight line. Resident stacks are the exception: the rows of
    their pool compete with the buffers for the caches, and 32 lanes cost RSVRB a seventh.
    """
    if runs < FEW:
        return 1
    buffers, stacks = 8 * entries(plan(program.graph, program.phis)), 8 * program.stacks.width
    if runs >= 4 * MANY and MANY * max(buffers, stacks) <= FIRST_CACHE:
        return MANY
    if stacks:  # a kernel that can update all tasks at once has large buffers
        return LANES if LANES * buffers <= ROOM else LANES // 2
    return max(LANES, SEVERAL) if runs >= 4 * SEVERAL and SEVERAL * buffers <= ROOM else LANES


def entries(schedule: Plan) -> int:
    """The number of buffer entries per run."""
    return sum(size for _, size in schedule.sizes)


def _align(values: np.ndarray) -> np.ndarray:
    """A contiguous copy, of numbers of 8 bytes, that begins with a line of the cache."""
    room = np.empty(values.size + LINE, values.dtype)
    begin = -room.ctypes.data % (8 * LINE) // 8
    copy = room[begin : begin + values.size].reshape(values.shape)
    copy[...] = values
    return copy


class CpuKernel:
    """One program, ready to launch. Pools are NumPy arrays (rows, padded runs).

    Raises TraceError if the buffers of one block of runs do not fit on the stack.
    """

    def __init__(self, program: Program, runs: int, fast: bool = False, threads: int = 1) -> None:
        self.lanes = lanes_for(program, runs)
        self.runs = -(-runs // self.lanes) * self.lanes
        emitter = LlvmText(program, self.lanes, fast)
        room = 8 * self.lanes * entries(emitter.plan)
        if room > ROOM:
            raise TraceError(
                f"a kernel with {room} bytes of buffers for {self.lanes} runs cannot be compiled (the limit is "
                f"{ROOM}); use --engine eager"
            )
        self.text = emitter.text()
        self._tables = (_align(emitter.tables.floats), _align(emitter.tables.integers))
        self._threads = max(1, min(threads, self.runs // self.lanes))
        self._ready = False

    @property
    def is_cached(self) -> bool:
        return kernels.is_cached(self.text)

    @property
    def compile_seconds(self) -> float:
        """Estimated cost of the first launch; zero if the kernel is cached, and for every later one."""
        return 0.0 if self._ready or self.is_cached else kernels.compile_seconds(self.text)

    def pool(self, values: np.ndarray) -> np.ndarray:
        """Columns (rows, runs), padded with copies of the last run."""
        return _align(np.pad(values, ((0, 0), (0, self.runs - values.shape[1])), mode="edge"))

    def stack_pool(self, values: np.ndarray) -> np.ndarray:
        """Rows (runs, width), padded likewise."""
        return _align(self.pool(values.T).T)

    def launch(self, first: int, last: int, key: tuple[int, int], pools: tuple[np.ndarray, ...]) -> None:
        """Runs iterations first .. last. ``pools`` are the noise identities and P, F, I; F and I are updated."""
        kernel = kernels.load(self.text)
        self._ready = True

        def part(low: int, high: int) -> Any:
            return kernel(first, last, low, high, *key, self.runs, *pools, *self._tables)

        if self._threads == 1:
            part(0, self.runs)
            return
        blocks = self.runs // self.lanes
        cuts = [self.lanes * (blocks * n // self._threads) for n in range(self._threads + 1)]
        with ThreadPoolExecutor(self._threads) as threads:
            for future in [threads.submit(part, a, b) for a, b in itertools.pairwise(cuts)]:
                future.result()

"""Upper limits of the machine, measured with the same compiler: arithmetic throughput and memory bandwidth.

``multiply_add``: 10^9 operations per second with one instruction for a * b + c (two operations); ``separate``: with
two, as the fused kernels compute, whose bits must not depend on the compiler. ``divide`` and ``root``: 10^9 divisions
or square roots per second; one unit does both. ``first_cache`` and ``memory``: 10^9 bytes per second of a = b + s c on
arrays of 8 kB and of 64 MB.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

from workbench.engine.lanes import floats, root

LANES, BLOCKS = 16, 32  # same structure as the fused kernels: blocks of 16 runs side by side
CHAIN = 16  # multiplications and additions on each entry
SLOW = 4  # divisions or roots on each entry
SMALL, LARGE = 1024, 8 << 20  # entries
SECONDS, TRIES = 0.003, 8  # short tries, so that the best was not interrupted


# Three loops of one shape: with the body as a function, even one that is inlined, the first reaches half of its rate.
def _horner(turns: int) -> Any:
    b = floats(512)
    for e in range(LANES * BLOCKS):
        b[e] = 0.25
    for _ in range(turns):
        for k in range(BLOCKS):
            for l in range(LANES):
                r = b[k * LANES + l]
                r = ((r * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5
                r = ((r * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5
                r = ((r * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5
                r = ((r * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5
                b[k * LANES + l] = (((r * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5) * 0.5 + 0.5
    return b[0]


def _divide(turns: int) -> Any:
    b = floats(512)
    for e in range(LANES * BLOCKS):
        b[e] = 0.75
    for _ in range(turns):
        for k in range(BLOCKS):
            for l in range(LANES):
                r = b[k * LANES + l]
                b[k * LANES + l] = 1.2 / (0.8 / (0.6 / (0.9 / r)))  # r again: 1.2 0.6 = 0.8 0.9
    return b[0]


def _root(turns: int) -> Any:
    b = floats(512)
    for e in range(LANES * BLOCKS):
        b[e] = 0.75
    for _ in range(turns):
        for k in range(BLOCKS):
            for l in range(LANES):
                r = b[k * LANES + l]
                b[k * LANES + l] = root(root(root(root(r) + 0.2) + 0.3) + 0.4) - 0.5  # stays in (0.6, 0.8)
    return b[0]


def _triad(a: Any, b: Any, c: Any, turns: int) -> None:
    for turn in range(turns):
        s = 1e-9 * turn
        for i in range(len(a)):
            a[i] = b[i] + s * c[i]


# Without a disk cache, since Numba's would not distinguish the two.
_contracted: Any = njit(nogil=True, fastmath={"contract"})(_horner)
_separate: Any = njit(nogil=True)(_horner)
_divisions: Any = njit(nogil=True, error_model="numpy")(_divide)
_roots: Any = njit(nogil=True)(_root)
_stream: Any = njit(nogil=True, cache=True)(_triad)


class Ceilings:
    """Arrays of one thread each; ``measure`` takes about a tenth of a second."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._small = [self._arrays(SMALL) for _ in range(threads)]
        self._large = [self._arrays(LARGE // threads) for _ in range(threads)]
        self._turns: dict[str, int] = {}

    @staticmethod
    def _arrays(n: int) -> tuple[np.ndarray, ...]:
        return np.full(n, 0.5), np.full(n, 0.25), np.full(n, 0.125)

    def measure(self) -> dict[str, float]:
        work, slow = 2 * CHAIN * LANES * BLOCKS, SLOW * LANES * BLOCKS
        return {
            "multiply_add": self._rate("fma", lambda k, n: _contracted(n), work),
            "separate": self._rate("separate", lambda k, n: _separate(n), work),
            "divide": self._rate("divide", lambda k, n: _divisions(n), slow),
            "root": self._rate("root", lambda k, n: _roots(n), slow),
            "first_cache": self._rate("cache", lambda k, n: _stream(*self._small[k], n), 24 * SMALL),
            "memory": self._rate("memory", lambda k, n: _stream(*self._large[k], n), 24 * (LARGE // self.threads)),
        }  # fmt: skip

    def _rate(self, name: str, kernel: Callable[[int, int], None], amount: float) -> float:
        """10^9 units per second of all threads together, in the best try."""
        if name not in self._turns:
            self._everywhere(kernel, 1)
            turns, spent = 1, self._everywhere(kernel, 1)
            while spent < SECONDS:
                turns *= 4
                spent = self._everywhere(kernel, turns)
            self._turns[name] = turns
        turns = self._turns[name]
        best = min(self._everywhere(kernel, turns) for _ in range(TRIES))
        return amount * turns * self.threads / best / 1e9

    def _everywhere(self, kernel: Callable[[int, int], None], turns: int) -> float:
        """Seconds: processor time for one thread (see `benchmarks.race`), wall time for several."""
        if self.threads == 1:
            began = time.thread_time()
            kernel(0, turns)
            return max(time.thread_time() - began, 1e-9)
        began = time.perf_counter()
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(lambda k: kernel(k, turns), range(self.threads)))
        return time.perf_counter() - began

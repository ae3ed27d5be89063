"""Kernels for the tests: the CUDA text compiled as C++ for the host, and pairs that cover the catalog."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np
from discover import decomposes, holds_sparse_rows, pairs

from workbench.engine.cuda_text import CudaText

COMPILER = shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")


class HostKernel:
    """A program's CUDA text as a C++ library; a replacement for `workbench.engine.cpu.CpuKernel`."""

    is_cached = True
    compile_seconds = 0.0

    def __init__(self, program, runs, fast=False, threads=1):
        emitter = CudaText(program)
        self.text, self.runs = emitter.text(), runs
        self._tables = (emitter.tables.floats, emitter.tables.integers)
        self._kernel = library(self.text).kernel

    def pool(self, values):
        return np.ascontiguousarray(values)

    stack_pool = pool

    def launch(self, first, last, key, pools):
        numbers = [ctypes.c_longlong(n) for n in (first, last, self.runs, *key)]
        self._kernel(*numbers, *(ctypes.c_void_p(a.ctypes.data) for a in (*pools, *self._tables)))


@functools.cache
def library(text):
    """Compiles without contraction and reassociation, so that the C++ compiler keeps the arithmetic as written."""
    options = ["-O1", "-std=c++17", "-ffp-contract=off", "-DON_HOST", "-shared", "-fPIC"]
    with tempfile.TemporaryDirectory(prefix="host-kernel-") as folder:
        source = Path(folder) / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.cpp"
        source.write_text(text)
        subprocess.run([COMPILER, *options, "-o", source.with_suffix(".so"), source], check=True)
        return ctypes.CDLL(str(source.with_suffix(".so")))  # loaded, it needs its file no longer


Pair = tuple[ModuleType, type, int]


@functools.cache
def covering() -> list[Pair]:
    """Pairs that cover every algorithm and every instance, with d = 3 for every algorithm that supports it."""
    return _covering(pairs())


@functools.cache
def covering_kernels() -> list[Pair]:
    """The same for the kernels, of the pairs that they do not refuse."""
    return _covering([pair for pair in pairs() if not _is_refused(pair)])


def refused_pairs() -> list[Pair]:
    """The other pairs: all on sparse data, and one of each algorithm that decomposes matrices."""
    dense = [pair for pair in pairs() if decomposes(pair[0])]
    return [p for p in pairs() if holds_sparse_rows(p[1])] + list({p[0].__name__: p for p in dense}.values())


def _is_refused(pair: Pair) -> bool:
    return holds_sparse_rows(pair[1]) or decomposes(pair[0])


def _covering(candidates: list[Pair]) -> list[Pair]:
    """First the pairs that bring a new algorithm and a new instance, so that there are few."""
    chosen: list[Pair] = []
    seen_algorithms, seen_instances = set(), set()
    for wanted in (3, 1):
        for news in (2, 1):
            for algorithm, instance, d in candidates:
                new = (algorithm.__name__ not in seen_algorithms) + (instance not in seen_instances)
                if d == wanted and new >= news:
                    chosen.append((algorithm, instance, d))
                    seen_algorithms.add(algorithm.__name__)
                    seen_instances.add(instance)
    return chosen

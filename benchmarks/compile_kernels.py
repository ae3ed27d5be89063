"""Processor seconds that the kernels of the shipped papers take: printed and compiled, each once.

``python benchmarks/compile_kernels.py N`` takes every N-th simulation of the default profile and prints the number of
kernels, their lines and the seconds. Imports come before, and what prepares a problem is not counted. It needs of the
tree that it measures only what earlier commits had too.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.records import Run
from workbench.engine.refusal import TraceError
from workbench.run import catalog, jobs
from workbench.run.options import Options

KEY = (1, 2)


def launch(kernel: Any, program: Any, problem: Any, state: Any) -> None:
    """No iteration: only compiles the kernel."""
    from workbench.engine.pools import Pools

    Pools(program, kernel, problem, state).launch(1, 0, KEY)


def kernels_of(simulation: Any, seen: set[str]) -> tuple[int, int, float]:
    """The kernels of a simulation that were not seen before: their number, their lines, and the seconds."""
    problem = jobs.problem_of(jobs.prepare(simulation, Options()))
    began = time.process_time()
    made = Fused(problem, Run(np.array([1, 2]), 7, engine="fused"), CpuKernel)
    seconds, count, lines = time.process_time() - began, 0, 0
    for kernel, program in ((made.kernel, made.program), (made.mark_kernel, made.at_marks)):
        if kernel is not None and kernel.text not in seen:
            seen.add(kernel.text)
            began = time.process_time()
            launch(kernel, program, problem, made.state)
            seconds += time.process_time() - began
            count, lines = count + 1, lines + kernel.text.count("\n")
    return count, lines, seconds if count else 0.0


def main() -> None:
    every, seen = int(sys.argv[1]), set[str]()
    count, lines, seconds = 0, 0, 0.0
    for simulation in list(catalog.simulations().values())[::every]:
        try:
            more = kernels_of(simulation, seen)
        except TraceError:
            continue
        count, lines, seconds = count + more[0], lines + more[1], seconds + more[2]
        print(f"{simulation.key} {more[2]:.2f} s", file=sys.stderr, flush=True)
    print(count, lines, seconds)


if __name__ == "__main__":
    main()

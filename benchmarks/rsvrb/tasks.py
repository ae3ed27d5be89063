"""Time of one RSVRB step against the number m of tasks, delayed and with all tasks updated in every step.

    python -m benchmarks.rsvrb.tasks [--runs 1024] [--steps 4096] [--tasks 8,32,128,256,512]

Prints processor nanoseconds per step and run, on one thread: for the compiled and the eager engine, each with the
package's step (which touches two tasks) and with the listing's (`benchmarks.rsvrb.every_task`); and for JAX, which
has the listing and the delayed form, where it is installed. "-": the kernel does not fit.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits
from workbench.theorems.rsvrb.methods import rsvrb

from benchmarks import competitors
from benchmarks.cases import rsvrb as cases
from benchmarks.rsvrb import every_task
from workbench.arrays.backends.compiled import Patient
from workbench.engine.refusal import TraceError

COLUMNS = ("fused", "fused, all", "eager", "eager, all", "JAX, all", "JAX, delayed")
TURNS = 5
EAGER = 64  # times fewer steps of the eager engine


def per_step(prepare: Callable[[int], Callable[[], Any]], steps: int, runs: int) -> float:
    """Processor nanoseconds per step and run, from two horizons, so that the start does not count.

    Of each horizon the fastest of `TURNS`, taken in turns: what else the machine does only adds time.
    """
    both = prepare(steps), prepare(2 * steps)
    fastest = [np.inf, np.inf]
    for turn in range(TURNS + 1):
        for n, run in enumerate(both):
            began = time.process_time()
            run()
            if turn:  # the first one compiles
                fastest[n] = min(fastest[n], time.process_time() - began)
    return (fastest[1] - fastest[0]) / steps / runs * 1e9


def measured(column: str, m: int, runs: int, steps: int) -> float:
    """nan where the column has no number for this m."""
    algorithm: ModuleType = every_task if column.endswith(", all") else rsvrb
    problem = cases.make(runs, m, algorithm)
    case: Any = cases.CASES[0]
    made: Any
    if column.startswith("JAX"):
        if competitors.jax_problem():
            return np.nan
        simulate = cases.jax_delayed if column.endswith("delayed") else cases.jax_simulate
        case = partial(simulate, m=m)
        case.jax_simulate = case  # type: ignore[attr-defined]
        made = competitors.Jax(case, problem, 1, "threefry2x32")
        return per_step(made.prepare, max(steps // 16, 32), runs)
    if column.startswith("eager"):
        return per_step(competitors.Eager(case, problem, 1).prepare, max(steps // EAGER, 32), runs)
    try:
        made = competitors.FusedCpu(case, problem, 1)
    except TraceError:
        return np.nan
    return per_step(made.prepare, steps, runs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=4096)
    parser.add_argument("--tasks", default="8,32,128,256,512")
    options = parser.parse_args()
    Patient.spent = np.inf  # compiled functions from the start, as in a run of any length
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"nanoseconds per step and run, {options.runs} runs, one thread")
    print(f"{'m':>5s}" + "".join(f"{name:>14s}" for name in COLUMNS))
    with threadpool_limits(1):
        for m in map(int, options.tasks.split(",")):
            print(f"{m:5d}", end="", flush=True)
            for name in COLUMNS:
                value = measured(name, m, options.runs, options.steps)
                print(f"{'-' if np.isnan(value) else format(value, '.3g'):>14s}", end="", flush=True)
            print()


if __name__ == "__main__":
    main()

"""The race: all competitors of one case take turns in one process, so that ratios come from the same minute.

On a GPU several races may be under way, since compiling takes most of their time. Only one at a time runs anything on
the device (`gpu.LOCK`), but for what a compiler tries there.

A single CPU thread is timed by processor time. On an idle machine this equals wall time, since the process is pinned to
one core and never waits, and on a busy machine it remains accurate. Several threads and GPUs are timed by wall time.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks import gpu
from benchmarks.case import Case
from benchmarks.competitors import on_cpu
from benchmarks.table import SLOW
from workbench.arrays.backends.compiled import Patient

PATIENCE = 4.0  # multiple of the target time that one turn of a slow competitor may take
SHORT = {
    "cpu": 0.01,
    "gpu": 0.05,
}  # shortest time that is measured reliably; a GPU's includes copies of the state
LONGEST = {"cpu": 4096, "gpu": 100_000}  # iterations after which any time is accepted
WALL, PROCESSOR = 0, 1  # indices of the two times of `timed`
WHOLE, MOST = (
    100_000,
    30.0,
)  # iterations of the longest run on a GPU, and the seconds that it may be expected to take


def timed(run: Callable[[], Any]) -> tuple[float, float]:
    """Wall and processor seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def race(case: Case, runs: int, threads: int, seconds: float, repeats: int, device: str) -> dict[str, Any]:
    """One row of the table. seconds: target time of the fastest competitor's turn; medians over ``repeats`` turns."""
    Patient.seconds = np.inf  # eager uses its compiled functions from the start
    clock = PROCESSOR if device == "cpu" and threads == 1 else WALL
    alone = gpu.undisturbed if device == "gpu" else contextlib.nullcontext
    made, skipped = entered(case, runs, threads, device, alone)
    horizons = choose(made, seconds, device, clock, case.least, alone)
    ready = {name: made[name].prepare(horizon) for name, horizon in horizons.items()}
    with alone():
        slow = {name for name, run in ready.items() if timed(run)[WALL] > SLOW}
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in ready}
    with alone():
        for turn in range(repeats):
            for name, run in ready.items():
                if turn == 0 or name not in slow:
                    turns[name].append(timed(run))
    row: dict[str, Any] = {"case": case.key, "runs": runs, "threads": threads, "device": device}
    row |= summary(turns, horizons, runs, clock)
    row["skipped"] = skipped
    if device == "gpu" and row["ns"]["fused"] * 1e-9 * runs * WHOLE < MOST:
        with alone():
            row["whole"] = {"iterations": WHOLE, "seconds": timed(made["fused"].prepare(WHOLE))[WALL]}
    return row


def entered(
    case: Case, runs: int, threads: int, device: str, alone: Callable[[], Any] = contextlib.nullcontext
) -> tuple[dict[str, Any], dict[str, str]]:
    """The competitors that can run this case, and why the others cannot. The fused engine must run it."""
    problem, made, skipped = case.make(runs), dict[str, Any](), dict[str, str]()
    for name, make in (on_cpu(case) if device == "cpu" else gpu.on_gpu(case)).items():
        try:
            with alone():  # a captured step runs while it is made
                competitor = make(case, problem, threads)
            run = competitor.prepare(2)
            with alone():
                run()
            made[name] = competitor
        except Exception as error:  # another library may raise any class
            if name == "fused":
                raise
            skipped[name] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return made, skipped


def choose(
    made: Mapping[str, Any], seconds: float, device: str, clock: int, least: int, alone: Callable[[], Any]
) -> dict[str, int]:
    """Iterations per turn: equal for all compiled competitors, fewer for those that call a library per step."""
    rates = {name: pace(competitor, device, clock, alone) for name, competitor in made.items()}
    compiled = [name for name in made if "eager" not in name]
    common = min(seconds / rates["fused"], *(PATIENCE * seconds / rates[name] for name in compiled))
    own = {name: common if name in compiled else min(common, seconds / rates[name]) for name in made}
    return {name: max(least, int(n)) for name, n in own.items()}


def pace(competitor: Any, device: str, clock: int, alone: Callable[[], Any]) -> float:
    """Seconds per iteration, from as few iterations as can be timed reliably.

    On a GPU without what a run costs before its first iteration, copies above all, which can be as much as many
    iterations. A competitor that compiles for each number of iterations is asked for few numbers.
    """
    first, iterations = 0.0, 8
    if device == "gpu":
        first = _least(competitor.prepare(1), clock, alone)
    while True:
        spent = _least(competitor.prepare(iterations), clock, alone) - first
        if spent > max(SHORT[device], first) or iterations >= LONGEST[device]:
            return max(spent / (iterations - (device == "gpu")), 1e-9)
        more = 1.5 * max(SHORT[device], first) / max(spent, 1e-9)
        iterations = min(LONGEST[device], int(iterations * min(max(8.0, more), 512.0)))


def _least(run: Callable[[], Any], clock: int, alone: Callable[[], Any]) -> float:
    """The least time of three, of a slow competitor of one, after another that may do what is done only once."""
    with alone():
        times = 1 if timed(run)[clock] > SLOW else 3
        return min(timed(run)[clock] for _ in range(times))


def summary(
    turns: Mapping[str, list[tuple[float, float]]], horizons: Mapping[str, int], runs: int, clock: int
) -> dict[str, Any]:
    """Medians in nanoseconds per step and run, and medians of the ratios turn by turn; a slow competitor has one turn.

    busy: wall over processor time of the fused engine; well above 1 on one thread if other processes used the core.
    """
    per = {n: np.array(t) * 1e9 / (horizons[n] * runs) for n, t in turns.items()}
    used = {n: np.maximum(v[:, clock], 1e-12) for n, v in per.items()}
    return {
        "horizons": dict(horizons),
        "clock": ("wall", "processor")[clock],
        "ns": {n: float(np.median(v)) for n, v in used.items()},
        "ns_wall": {n: float(np.median(v[:, WALL])) for n, v in per.items()},
        "spread": {n: float(np.ptp(v) / np.median(v)) for n, v in used.items()},
        "ratios": {
            n: float(np.median(v / (used["fused"] if len(v) > 1 else np.median(used["fused"]))))
            for n, v in used.items()
        },
        "busy": float(np.median(per["fused"][:, WALL] / np.maximum(per["fused"][:, PROCESSOR], 1e-12))),
    }

"""The race: all competitors of one case in one process, turn by turn, so that a ratio comes from the same minute.

The clock of one CPU thread is processor time: on an idle machine that is wall time, since the process is pinned to one
core and waits for nothing, and on a busy one it is still right. Several threads and a GPU take wall time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks import ceilings, counts, gpu
from benchmarks.case import Case
from benchmarks.competitors import on_cpu
from workbench.arrays.backends.compiled import Patient

PATIENCE = 4.0  # times the target that one turn of a slow competitor may take
LEAST = 32  # iterations of a turn: eager noise is made for blocks of them
SHORT, LONGEST = 0.01, 4096  # seconds that say something about the pace; iterations after which any do
WALL, PROCESSOR = 0, 1  # which of the two times of `timed`
COUNTED = 64  # iterations over which oracle calls are averaged


def timed(run: Callable[[], Any]) -> tuple[float, float]:
    """Wall and processor seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - cpu


def race(case: Case, runs: int, threads: int, seconds: float, repeats: int, device: str) -> dict[str, Any]:
    """One row of the table. seconds: what a turn of the fastest competitor should take; medians over ``repeats``."""
    Patient.spent = np.inf  # eager uses its compiled functions from the start
    made, skipped = entered(case, runs, threads, device)
    clock = PROCESSOR if device == "cpu" and threads == 1 else WALL
    horizons = choose(made, seconds, clock)
    ready = {name: made[name].prepare(horizon) for name, horizon in horizons.items()}
    for run in ready.values():
        run()
    limits = ceilings.Ceilings(threads) if device == "cpu" else gpu.Ceilings()
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in ready}
    reached: list[dict[str, float]] = []
    for _ in range(repeats):
        for name, run in ready.items():
            turns[name].append(timed(run))
        reached.append(limits.measure())
    row: dict[str, Any] = {"case": case.key, "runs": runs, "threads": threads, "device": device}
    row |= summary(turns, horizons, runs, clock)
    row["ceilings"] = {k: float(np.median([r[k] for r in reached])) for k in reached[0]}
    row["skipped"] = skipped
    row["work"] = work(case, made["fused"])
    return row


def entered(case: Case, runs: int, threads: int, device: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The competitors that can run this case, and why the others cannot. The fused engine must."""
    problem, made, skipped = case.make(runs), dict[str, Any](), dict[str, str]()
    for name, make in (on_cpu(case) if device == "cpu" else gpu.on_gpu(case)).items():
        try:
            competitor = make(case, problem, threads)
            competitor.prepare(2)()
            made[name] = competitor
        except Exception as error:  # of another library: any class
            if name == "fused":
                raise
            skipped[name] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return made, skipped


def choose(made: Mapping[str, Any], seconds: float, clock: int) -> dict[str, int]:
    """Iterations per turn. Compiled competitors make the same ones; those that call a library per step make fewer."""
    rates = {name: pace(competitor, clock) for name, competitor in made.items()}
    compiled = [name for name in made if "eager" not in name]
    common = min(seconds / rates["fused"], *(PATIENCE * seconds / rates[name] for name in compiled))
    own = {name: common if name in compiled else min(common, seconds / rates[name]) for name in made}
    return {name: max(LEAST, int(n)) for name, n in own.items()}


def pace(competitor: Any, clock: int) -> float:
    """Seconds per iteration, from as few iterations as can be timed."""
    iterations = 8
    while True:
        run = competitor.prepare(iterations)
        run()
        spent = min(timed(run)[clock] for _ in range(3))
        if spent > SHORT or iterations >= LONGEST:
            return max(spent / iterations, 1e-9)
        iterations *= 8


def summary(
    turns: Mapping[str, list[tuple[float, float]]], horizons: Mapping[str, int], runs: int, clock: int
) -> dict[str, Any]:
    """Medians in nanoseconds per step and run, and the medians of the ratios turn by turn.

    busy: wall over processor time of the fused engine; well above 1 on one thread where others used the core too.
    """
    per = {n: np.array(t) * 1e9 / (horizons[n] * runs) for n, t in turns.items()}
    used = {n: np.maximum(v[:, clock], 1e-12) for n, v in per.items()}
    return {
        "horizons": dict(horizons),
        "clock": ("wall", "processor")[clock],
        "ns": {n: float(np.median(v)) for n, v in used.items()},
        "ns_wall": {n: float(np.median(v[:, WALL])) for n, v in per.items()},
        "spread": {n: float(np.ptp(v) / np.median(v)) for n, v in used.items()},
        "ratios": {n: float(np.median(v / used["fused"])) for n, v in used.items()},
        "busy": float(np.median(per["fused"][:, WALL] / np.maximum(per["fused"][:, PROCESSOR], 1e-12))),
    }


def work(case: Case, fused: Any) -> dict[str, float]:
    """What one step of one run takes, counted from the graph."""
    calls = {n: float(np.mean(v[:, -1])) / COUNTED for n, v in fused.run(COUNTED).calls.items()}
    return counts.count(fused.made.program, case.turns(calls)).as_dict()

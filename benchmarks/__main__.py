"""``python -m benchmarks``: races every case, prints the table, writes it as JSON and Markdown.

The two files are rewritten after every race, so an interrupt loses only the remaining races. On each device, the CPU
before the GPU, the races that decide the goals come first, then the comparisons with JAX, then the other races. On a
GPU several races are prepared at once, since compiling takes longest; one at a time runs there. The status is 1 if JAX
runs another method or nothing was measured, 2 for bad usage.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import child, gpu, machine, table
from benchmarks.case import Case, cases, chosen
from benchmarks.competitors import jax_problem

RUNS = (1, 64, 1024, 16384)
GPU_RUNS = (*RUNS, 100_000)
RESULTS = Path(__file__).parent / "results"
BEGAN = time.monotonic()
AT_ONCE = 8  # races under way on a GPU
Entries = list[tuple[str, Any]]
Start = Callable[..., dict[str, Any]]  # see `within`
# Seconds of the fastest competitor's turn, and turns. A GPU's are long, since a turn begins with a copy of the start.
FULL, QUICK = {"cpu": (0.1, 5), "gpu": (0.5, 5)}, {"cpu": (0.03, 3), "gpu": (0.2, 3)}


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--cases", default="all", help="comma-separated keys, or all")
    parser.add_argument(
        "--runs", help="comma-separated numbers of runs (default 1,64,1024,16384; on a GPU also 100000)"
    )
    parser.add_argument(
        "--threads", help="comma-separated numbers of CPU threads (default 1 and all cores, at most 2)"
    )
    parser.add_argument(
        "--device", choices=("auto", "cpu", "gpu"), default="auto", help="auto: both, if there is a GPU"
    )
    parser.add_argument(
        "--quick", action="store_true", help="short turns, one thread, 1024 runs (on a GPU also 100000)"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="stop after so many minutes and list what was not measured",
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of the two files")
    return parser.parse_args(arguments)


def numbers(text: str | None, default: tuple[int, ...]) -> tuple[int, ...]:
    """The comma-separated numbers of a text. Raises ValueError unless all are positive."""
    found = tuple(int(n) for n in text.split(",")) if text else default
    if min(found) < 1:
        raise ValueError(f"numbers of runs and threads must be at least 1, got {text}")
    return found


def devices(wanted: str) -> tuple[list[str], list[str]]:
    """The devices to race on, and notes on omitted ones. Raises ValueError if a requested GPU is unavailable."""
    notes = []
    problem = gpu.problem()
    if wanted == "gpu" and problem:
        raise ValueError(f"the requested GPU cannot be used: {problem}")
    if problem and wanted == "auto":
        notes.append(f"Nothing was measured on a GPU: {problem}.")
    found = [d for d in ("cpu", "gpu") if wanted in (d, "auto") and (d == "cpu" or not problem)]
    if missing := jax_problem():
        notes.append(missing + ".")
    return found, notes


def measure(
    wanted: list[Case],
    device: str,
    runs: tuple[int, ...],
    threads: tuple[int, ...],
    quick: bool,
    start: Start,
) -> Iterator[tuple[str, Any]]:
    """Yields (section of the results, entry): races, guards and cold starts on one device, and notes.

    A failing case leaves a note, and the others continue.
    """
    sizes = [(n, width) for n in runs for width in (threads if device == "cpu" else (1,))]
    races = {size: [partial(raced, case, device, *size, quick, start) for case in wanted] for size in sizes}
    first = races.pop((table.GOAL_RUNS[device], 1), [])
    compared = (
        [] if jax_problem() else [partial(guarded, case, device, max(threads), start) for case in wanted]
    )
    works = [*first, *compared, *(race for others in races.values() for race in others)]
    with tempfile.TemporaryDirectory() as folder:
        if device == "gpu":
            os.environ[gpu.LOCK] = str(Path(folder) / "lock")
        yield from done(works, min(AT_ONCE, machine.cores()) if device == "gpu" else 1)
    for case in () if quick else wanted:
        for competitor in ("fused", *(() if jax_problem() else ("jax",))):
            yield from alone(case, device, competitor, start)


def done(works: Iterable[Callable[[], Entries]], at_once: int) -> Iterator[tuple[str, Any]]:
    """The entries of each work, in the order in which they come; an interrupt starts no more."""
    if at_once == 1:
        for work in works:
            yield from work()
        return
    with ThreadPoolExecutor(at_once) as pool:
        try:
            for future in as_completed([pool.submit(work) for work in works]):
                yield from future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def attempted(about: str, case: Case, device: str, work: Callable[[], Entries]) -> Entries:
    """The entries from ``work``, or why there are none: a note, or ``about`` among what is late."""
    try:
        return work()
    except TimeoutError:
        return [("late", f"{case.key} on the {device}: {about}")]
    except (RuntimeError, subprocess.SubprocessError) as error:
        return [("notes", f"{case.key} on the {device}: {' '.join(str(error).split())[-400:]}")]


def guarded(case: Case, device: str, threads: int, start: Start) -> Entries:
    """The comparison of one case with its rivals."""
    about = "comparison with JAX"
    order = {"what": "guard", "case": case.key, "device": device}
    return attempted(about, case, device, lambda: [("guards", start(about, order, threads))])


def raced(case: Case, device: str, runs: int, threads: int, quick: bool, start: Start) -> Entries:
    """The row of one race, and a note on each competitor that could not run."""
    about = f"{runs} runs, {threads} threads"
    seconds, repeats = (QUICK if quick else FULL)[device]
    how = {"what": "race", "runs": runs, "seconds": seconds, "repeats": repeats}

    def entries() -> Entries:
        row = start(about, {"case": case.key, "device": device, **how}, threads)
        notes = [f"{case.key}, {runs} runs: no {name}: {why}" for name, why in row["skipped"].items()]
        return [("races", row), *(("notes", note) for note in notes)]

    return attempted(about, case, device, entries)


def alone(case: Case, device: str, competitor: str, start: Start) -> Entries:
    """Time to the first result of a compiled competitor, with a cold and a warm disk cache."""
    about = f"{competitor} alone"
    order = {"case": case.key, "runs": table.GOAL_RUNS[device], "competitor": competitor, "device": device}

    def entries() -> Entries:
        with tempfile.TemporaryDirectory() as folder:
            places = {
                "WORKBENCH_KERNELS": folder,
                "CUPY_CACHE_DIR": folder,
                "JAX_COMPILATION_CACHE_DIR": folder,
                "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
                "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            }
            cold, cached = (
                start(f"{about}, {disk}", {"what": "alone", **order}, 1, places)
                for disk in ("cold", "cached")
            )
        times = {"cold": cold["first_seconds"], "cached": cached["first_seconds"]}
        return [("alone", {**order, **times, "memory": cached["memory"]})]

    return attempted(about, case, device, entries)


def write(results: dict[str, Any], folder: Path) -> Path:
    """Writes the two files; returns their path without suffix."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / machine.slug(results["meta"])
    path.with_suffix(".json").write_text(json.dumps(results, indent=1) + "\n")
    path.with_suffix(".md").write_text(table.markdown(results, cases()))
    return path


def within(minutes: float) -> Start:
    """`child.start` after a line of progress; raises TimeoutError where the time for all measurements is up."""

    def start(
        about: str, order: Mapping[str, Any], threads: int, variables: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        passed = time.monotonic() - BEGAN
        left = 60.0 * minutes - passed
        if left <= 0.0:
            raise TimeoutError
        print(
            f"{passed:6.0f} s  {order['case']}: {about} on the {order['device']}", file=sys.stderr, flush=True
        )
        try:
            return child.start(order, threads, variables, min(left, child.LIMIT))
        except subprocess.TimeoutExpired:
            if left <= child.LIMIT:
                raise TimeoutError from None
            raise RuntimeError(f"{about} took longer than {child.LIMIT} s") from None

    return start


def main(arguments: list[str]) -> int:
    asked = options(arguments)
    path: Path | None = None
    try:
        if not asked.minutes > 0.0:
            raise ValueError(f"--minutes must be positive, got {asked.minutes:g}")
        wanted = chosen(asked.cases)
        found, notes = devices(asked.device)
        widths = tuple(n for n in (1, 2) if n <= machine.cores())
        threads = numbers(asked.threads, (1,) if asked.quick else widths)
        results: dict[str, Any] = {
            "meta": machine.describe(gpu.name() if "gpu" in found else None),
            "guards": [], "races": [], "alone": [], "late": [], "notes": notes,
        }  # fmt: skip
        start = within(asked.minutes)
        for device in found:
            every = {"cpu": RUNS, "gpu": GPU_RUNS}[device]
            if asked.quick:
                every = (1024, *every[len(RUNS) :])
            runs = numbers(asked.runs, every)
            for part, entry in measure(wanted, device, runs, threads, asked.quick, start):
                results[part].append(entry)
                if results["races"] or results["guards"] or results["alone"]:
                    path = write(results, asked.out)
    except ValueError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        kept = "nothing was measured" if path is None else f"what was measured is in {path}.md"
        print(f"benchmarks: interrupted; {kept}", file=sys.stderr)
        return 130
    if path is None:
        why = "; ".join([*results["late"], *results["notes"]])
        print(f"benchmarks: nothing was measured: {why}", file=sys.stderr)
        return 1
    print(table.markdown(results, cases()))
    print(f"written: {path}.md, {path}.json", file=sys.stderr)
    compared = [entry for g in results["guards"] for entry in g.values() if isinstance(entry, dict)]
    return 0 if all(entry["agree"] for entry in compared) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

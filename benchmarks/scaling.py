"""How long a profile would take on a cluster: a simulation on paper, from what the simulations have cost here.

    python -m benchmarks.scaling STORE [--workers 1,8,64,512] [--profile full] [--measured default] [--out FILE]

STORE holds the results of ``make figures`` in the profile default (``--measured``). Their seconds per row and
iteration, once they are under way, are taken for those of the other profile, whose rows are scaled by its number of
runs (a few batches grow otherwise); pieces and their order are those of ``--cluster`` (`workbench.run.row_blocks`). All
simulations count, those of figures included. What else costs time is measured here, once: a worker's start, the first
compilation of a kernel on a worker, reading a piece and writing a result, which the command that collects does one
after the other.
Waiting for the batch system, the network and slower machines are not in it.
"""

from __future__ import annotations

import argparse
import heapq
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import machine

WORKERS = "1,8,64,512"
SETTLED = 0.1  # share of the horizon after which an iteration costs what it will cost later
PROFILES = ("quick", "default", "full")
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Load:
    """One simulation of the profile. seconds: of all its rows on one core; bytes: of its result; order: when sent."""

    name: str
    order: float
    kernel: str
    pieces: int
    seconds: float
    bytes: float
    compiled: bool = True


@dataclass(frozen=True)
class Overheads:
    """Seconds of a worker's start and of a kernel's compilation; bytes per second that are decoded and stored."""

    start: float
    compile: float
    read: float
    write: float


@dataclass(frozen=True)
class Forecast:
    """hours: until everything is stored; busy: share of the workers' time that simulates; last: name of the latest."""

    workers: int
    hours: float
    busy: float
    collecting: float
    last: str


def loads(store: Path, measured: str, profile: str) -> tuple[list[Load], list[str]]:
    """The simulations of ``profile`` in the order in which they are sent, and those that the store has no result of."""
    from workbench.engine.marks import log_marks
    from workbench.run import catalog
    from workbench.run.jobs import prepare
    from workbench.run.options import Options
    from workbench.run.row_blocks import count
    from workbench.run.store.fingerprint import multiplies_matrices
    from workbench.run.store.results import Store

    held, made, missing = Store(store), [], []
    for sim in catalog.simulations().values():
        job = prepare(sim, Options(profile=measured))
        path = store / f"{job.key}.nc"
        if not path.exists():
            missing.append(sim.key)
            continue
        result = held.load(job.key)
        assert result is not None
        rows = round(result.size * sim.runs[profile] / sim.runs[measured])
        horizon = sim.horizon[profile]
        marks = len(log_marks(horizon)) / len(log_marks(sim.horizon[measured]))
        cost = pace(result) / result.size
        made.append(
            Load(
                sim.key,
                -horizon * (100 + rows),
                f"{sim.algorithm} {type(job.batch.instance).__name__} {sim.mutation} {sim.probe}",
                1 if multiplies_matrices(job.batch) else count(rows, horizon),
                cost * rows * horizon,
                path.stat().st_size * rows / result.size * marks,
                result.meta["engine"] == "fused",
            )
        )
    return sorted(made, key=lambda load: load.order), missing


def pace(result: Any) -> float:
    """Seconds per iteration of all rows together, from `SETTLED` of the horizon on.

    The first iterations also compile functions and fill caches, which short runs on data sets mostly consist of.
    """
    at = int(np.searchsorted(result.marks, SETTLED * result.marks[-1]))
    seconds, iterations = (float(x[-1] - x[at]) for x in (result.elapsed, result.marks))
    return seconds / iterations


def forecast(work: list[Load], workers: int, given: Overheads) -> Forecast:
    """Pieces go to whoever is free first; one process reads them, and stores a simulation when its last is there."""
    free = [(given.start, n) for n in range(workers)]
    known: list[set[str]] = [set() for _ in range(workers)]
    arrivals: list[tuple[float, str, float, bool]] = []
    for load in work:
        ends = []
        for _ in range(load.pieces):
            at, n = heapq.heappop(free)
            at += load.seconds / load.pieces + given.compile * (load.compiled and load.kernel not in known[n])
            known[n].add(load.kernel)
            heapq.heappush(free, (at, n))
            ends.append(at)
        ends.sort()
        arrivals += [(end, load.name, load.bytes / load.pieces, False) for end in ends[:-1]]
        arrivals.append((ends[-1], load.name, load.bytes / load.pieces, True))
    sizes = {load.name: load.bytes for load in work}
    collected, last, spent = 0.0, "", 0.0
    for at, name, size, complete in sorted(arrivals):
        took = size / given.read + (sizes[name] / given.write if complete else 0.0)
        spent += took
        collected = max(collected, at) + took
        last = name
    simulated = sum(load.seconds for load in work)
    return Forecast(workers, collected / 3600, simulated / (workers * collected), spent / 3600, last)


def overheads(store: Path, name: str) -> Overheads:
    """Measured here: one import of everything, one cold kernel, one large result."""
    from workbench.run.store.format import decode, encode, seal

    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "from workbench import catalog; catalog.claims()"], check=True)
    start = time.perf_counter() - began
    path = max(store.glob("*.nc"), key=lambda p: p.stat().st_size)
    sealed = path.read_bytes()
    began = time.perf_counter()
    result = decode(path.stem, sealed)
    read = len(sealed) / (time.perf_counter() - began)
    with tempfile.NamedTemporaryFile(dir=store) as file:
        began = time.perf_counter()
        body = encode(path.stem, result)
        file.write(body + seal(body))
        file.flush()
        write = len(sealed) / (time.perf_counter() - began)
    return Overheads(start, cold_compilation(name) if name else 0.0, read, write)


def cold_compilation(name: str) -> float:
    """Seconds until a kernel that no cache knows has run a few steps, less those of the same call with the cache."""
    code = f"""if True:
        import time
        from workbench import papers
        papers.narrow([{name!r}])
        from workbench.run.jobs import execute, named
        from workbench.run.options import Options
        options = Options(profile="quick", horizon=64, runs=64, engine="fused")
        job, spent = named({name!r}, options), []
        for _ in range(2):
            began = time.perf_counter()
            execute(job, "numpy", options)
            spent.append(time.perf_counter() - began)
        print(spent[0] - spent[1])"""
    with tempfile.TemporaryDirectory() as cache:
        own = {**os.environ, "XDG_CACHE_HOME": cache}
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=own
        )
    return float(done.stdout)


def text(work: list[Load], missing: list[str], given: Overheads, found: list[Forecast], profile: str) -> str:
    """The table, as Markdown."""
    total = sum(load.seconds for load in work)
    largest = max(work, key=lambda load: load.seconds / load.pieces)
    piece = largest.seconds / largest.pieces / 60
    lines = [
        f"# `--profile {profile}` on a cluster, simulated on paper",
        "",
        f"From the costs of the default profile on {machine.processor()}, one core per worker:",
        f"{len(work)} simulations in {sum(load.pieces for load in work)} pieces, {total / 3600:.1f} hours of one core, "
        f"{sum(load.bytes for load in work) / 1e9:.1f} GB of results. The largest piece takes {piece:.1f} minutes",
        f"({largest.name}, {largest.pieces} pieces). A worker starts in {given.start:.0f} s and compiles a kernel in",
        f"{given.compile:.1f} s at first; pieces are read at {given.read / 1e6:.0f} MB/s and results stored at "
        f"{given.write / 1e6:.0f} MB/s by the one",
        "process that collects."
        + f" Without {len(missing)} simulations of which there was no result." * bool(missing),
        "",
        "| workers | hours | speed-up | workers simulate | collecting, hours | last to be stored |",
        "|---:|---:|---:|---:|---:|---|",
    ]
    lines += [
        f"| {f.workers} | {f.hours:.2f} | {total / 3600 / f.hours:.1f} | {f.busy:.0%} | {f.collecting:.2f} | {f.last} |"
        for f in found
    ]
    slow = sorted(work, key=lambda load: -load.seconds / load.pieces)[:8]
    lines += ["", "Largest pieces:", "", "| simulation | pieces | minutes per piece |", "|---|---:|---:|"]
    lines += [f"| {x.name} | {x.pieces} | {x.seconds / x.pieces / 60:.1f} |" for x in slow]
    return "\n".join([*lines, ""])


def numbers(text: str) -> list[int]:
    """ "1,8" -> [1, 8]. Raises ValueError unless all are positive."""
    found = [int(part) for part in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.scaling", description=__doc__.partition("\n")[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("--workers", type=numbers, default=WORKERS)
    parser.add_argument("--profile", choices=PROFILES, default="full")
    parser.add_argument("--measured", choices=PROFILES, default="default")
    parser.add_argument("--out", type=Path, default=RESULTS / "scaling.md")
    given = parser.parse_args()
    work, missing = loads(given.store, given.measured, given.profile)
    if not work:
        parser.error(f"{given.store} holds no result of the profile {given.measured}")
    costs = overheads(given.store, next((load.name for load in work if load.compiled), ""))
    found = [forecast(work, n, costs) for n in given.workers]
    said = text(work, missing, costs, found, given.profile)
    print(said)
    given.out.write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main()

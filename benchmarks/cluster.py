"""The process pool of one machine against Dask workers on the same machine: what sending work to a cluster costs.

    python -m benchmarks.cluster PREFIX KEY [--workers 2] [--times 3] [--horizons 20000,100000] [--out FILE]

Both compute the same simulations into an empty store, with all runs at once and compiled kernels at hand, and take
turns. A time is that of a whole process, from its start to its end, and so includes starting the workers, or the
scheduler and its workers. Two cases: the simulations whose keys begin with PREFIX, of which the pool gives one to each
process; and one large simulation, KEY, which the pool leaves to a single process (whose compiled kernel uses one thread
per worker that was asked for) and the cluster cuts into pieces. The results must have the same bits. Longer horizons
tell the start, which is paid once, from what sending work costs.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.scaling import numbers

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Case:
    """prefix: of the keys of the simulations. runs, horizon: of each."""

    name: str
    prefix: str
    runs: int
    horizon: int


def cases(prefix: str, key: str, horizon: int) -> tuple[Case, Case]:
    return Case("many simulations", prefix, 256, horizon), Case("one large simulation", key, 16_384, horizon)


def simulations(prefix: str) -> list[Any]:
    from workbench.run import catalog

    return [sim for key, sim in catalog.simulations().items() if key.startswith(prefix)]


def simulate(case: Case, workers: int, cluster: str | None, store: Path) -> tuple[int, str]:
    """How many simulations there were, and a digest of what they recorded."""
    from workbench.run.options import Options
    from workbench.run.pool import ensure
    from workbench.run.store.results import Store

    sims = simulations(case.prefix)
    options = Options("default", runs=case.runs, horizon=case.horizon, jobs=workers, cluster=cluster)
    found = ensure(sims, options, Store(store))
    digest = hashlib.sha256()
    for key in sorted(found):
        for name, values in sorted(found[key].data.items()):
            digest.update(f"{key} {name}".encode() + values.tobytes())
    return len(found), digest.hexdigest()


def timed(case: Case, workers: int, cluster: bool) -> tuple[float, str]:
    """Wall-clock seconds of a process that computes a case, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        words = [case.prefix, case.prefix, "--child", case.name, "--workers", str(workers), "--store", folder]
        words += ["--horizons", str(case.horizon)]
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.cluster", *words, *(["--cluster"] if cluster else [])],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return time.perf_counter() - began, done.stdout.splitlines()[-1]


@dataclass(frozen=True)
class Row:
    """Seconds of each turn. ratios: pool over cluster, turn by turn."""

    case: Case
    sims: int
    pool: list[float]
    cluster: list[float]

    @property
    def ratios(self) -> list[float]:
        return [p / c for p, c in zip(self.pool, self.cluster, strict=True)]


def race(case: Case, workers: int, times: int) -> Row:
    """Raises RuntimeError where the two have different bits."""
    said = {timed(case, workers, cluster)[1] for cluster in (False, True)}  # compiles what is compiled once
    pool: list[float] = []
    remote: list[float] = []
    for _ in range(times):
        for cluster, spent in ((False, pool), (True, remote)):
            seconds, printed = timed(case, workers, cluster)
            spent.append(seconds)
            said.add(printed)
    if len(said) > 1:
        raise RuntimeError(f"{case.name}: the pool and the cluster computed different bits: {sorted(said)}")
    return Row(case, int(said.pop().split()[0]), pool, remote)


def text(rows: Sequence[Row], given: argparse.Namespace) -> str:
    """The table, as Markdown. given: the command's arguments."""
    lines = [
        "# Dask workers against the process pool, on one machine",
        "",
        f"{machine.processor()}, {machine.cores()} cores; {given.workers} worker processes each. Seconds of a whole "
        "process, start included,",
        f"medians of {given.times} turns; the same bits in every turn. Above 1 the cluster is faster.",
        f"`python -m benchmarks.cluster {given.prefix} {given.key} --workers {given.workers} --times {given.times} "
        f"--horizons {','.join(map(str, given.horizons))}`",
        "makes this file.",
        "",
        "| case | simulations | runs | T | pool | cluster | pool / cluster | of the turns |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in rows:
        pool, remote, ratio = map(statistics.median, (row.pool, row.cluster, row.ratios))
        turns = f"{min(row.ratios):.2f} to {max(row.ratios):.2f}"
        lines.append(
            f"| {row.case.name} | {row.sims} | {row.case.runs} | {row.case.horizon} | {pool:.1f} | {remote:.1f} "
            f"| {ratio:.2f} | {turns} |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.cluster", description=__doc__.partition("\n")[0])
    parser.add_argument("prefix", help="of the keys of many simulations")
    parser.add_argument("key", help="of one simulation")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--horizons", type=numbers, default=(20_000, 100_000), help="comma-separated")
    parser.add_argument("--out", type=Path, default=RESULTS / "cluster.md")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--cluster", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        case = next(c for c in cases(given.prefix, given.key, *given.horizons) if c.name == given.child)
        print(
            *simulate(case, given.workers, f"local:{given.workers}" if given.cluster else None, given.store)
        )
        return
    todo = [case for horizon in given.horizons for case in cases(given.prefix, given.key, horizon)]
    for case in todo:
        if not simulations(case.prefix):
            parser.error(f"there is no simulation whose key begins with {case.prefix}")
    rows: list[Row] = []
    for case in todo:  # what is measured is kept if the rest is interrupted
        rows.append(race(case, given.workers, given.times))
        said = text(rows, given)
        given.out.write_text(said, encoding="utf-8")
    print(said)


if __name__ == "__main__":
    main()

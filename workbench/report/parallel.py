"""Figures drawn in worker processes, from results that a worker reads from the store, and what is known of the ledger.

Most of the time of a figure is matplotlib's, which uses one core.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from figures.figure import Figure
from workbench import catalog
from workbench.experiments.looks import with_looks
from workbench.ledger import outcomes, status
from workbench.ledger import study as studies
from workbench.ledger.outcomes import Outcome
from workbench.ledger.status import Measured
from workbench.ledger.study import Study
from workbench.report.figure_files import files_of
from workbench.run import processes
from workbench.run.options import Options
from workbench.store.results import Store

MANY = 8  # figures that are worth the seconds in which workers import the papers and matplotlib
Paths = list[Path]


@dataclass(frozen=True)
class Order:
    """What a worker needs to draw one figure. results: simulation -> its key in the store and its looks."""

    figure: str
    results: Mapping[str, tuple[str, tuple[int, ...]]]
    options: Options
    store: Path
    folder: Path
    endings: tuple[str, ...]


@dataclass(frozen=True)
class Ledger:
    """What a figure of a proof shows besides results."""

    measured: Measured
    decided: Mapping[str, Outcome]
    studied: Mapping[str, Study]


class Workers:
    """Processes that draw figures; without a pool, none."""

    def __init__(self, pool: ProcessPoolExecutor | None) -> None:
        self._pool = pool
        self._futures: dict[str, Future[Paths | None]] = {}

    def begin(self, orders: Iterable[Order], ledger: Ledger | None = None) -> None:
        """Has figures drawn from now on. ledger: for those of proofs."""
        if self._pool is not None:
            for order in orders:
                self._futures[order.figure] = self._pool.submit(_draw, order, ledger)

    def paths(self, figure: Figure) -> Paths | None:
        """The paths of a figure's files, once they are written.

        None for a figure that the caller has to draw: none was begun, or a result was not in the store any more. Raises
        what drawing it raised, and UsageError if a worker was killed.
        """
        if (future := self._futures.get(figure.key)) is None:
            return None
        if isinstance(future.exception(), BrokenExecutor):
            with processes.told(f"drawing {figure.key}"):
                future.result()
        return future.result()


@contextmanager
def workers(figures: int, jobs: int | None) -> Iterator[Workers]:
    """As many as there are cores, or ``jobs``; none for a few figures. An exception in the block ends them."""
    count = min(figures, jobs or os.cpu_count() or 1)
    if count < 2 or figures < MANY:
        yield Workers(None)
        return
    with processes.pool(count, processes.begin, (processes.environment(),)) as pool:
        yield Workers(pool)


def ledger() -> Ledger:
    """What this process knows."""
    return Ledger(dict(status.remembered()), outcomes.held(), studies.held())


def _draw(order: Order, ledger: Ledger | None) -> Paths | None:
    """In a worker."""
    if ledger is not None:
        status.remember({link.split("/")[0] for link, _ in ledger.measured}, ledger.measured)
        outcomes.take(ledger.decided)
        studies.take(ledger.studied)
    store, results = Store(order.store), {}
    for name, (key, looks) in order.results.items():
        if (held := store.load(key)) is None:
            return None
        results[name] = with_looks(held, looks)
    return files_of(catalog.figures()[order.figure], results, order.options, order.folder, order.endings)

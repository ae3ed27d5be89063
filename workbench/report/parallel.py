"""Figures drawn in worker processes, from results that a worker reads from the store, and what is known of the ledger.

Most of the time of a figure is matplotlib's, which uses one core.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from figures.figure import Figure
from workbench.experiments.looks import with_looks
from workbench.ledger import outcomes, status
from workbench.ledger import study as studies
from workbench.ledger.outcomes import Outcome
from workbench.ledger.status import Measured
from workbench.ledger.study import Study
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


@contextmanager
def drawn(orders: Sequence[Order], jobs: int | None) -> Iterator[Callable[[Figure], Paths | None]]:
    """A function from a figure to the paths of its files, once they are written.

    None for a figure that is not drawn apart: no order was given for it, there are too few of them, or a result was
    not in the store any more. It raises what drawing the figure raised, and UsageError if a worker was killed.
    """
    workers = min(len(orders), jobs or os.cpu_count() or 1)
    if workers < 2 or len(orders) < MANY:
        yield lambda figure: None
        return
    ledger = dict(status.remembered()), outcomes.held(), studies.held()
    with processes.pool(workers, _begin, (processes.environment(), *ledger)) as pool:
        futures: dict[str, Future[Paths | None]] = {o.figure: pool.submit(_draw, o) for o in orders}

        def paths(figure: Figure) -> Paths | None:
            if figure.key not in futures:
                return None
            future = futures[figure.key]
            if isinstance(future.exception(), BrokenExecutor):
                with processes.told(f"drawing {figure.key}"):
                    future.result()
            return future.result()

        yield paths


def _begin(
    environment: dict[str, str],
    measured: Measured,
    decided: Mapping[str, Outcome],
    studied: Mapping[str, Study],
) -> None:
    processes.begin(environment)
    status.remember({link.split("/")[0] for link, _ in measured}, measured)
    outcomes.take(decided)
    studies.take(studied)


def _draw(order: Order) -> Paths | None:
    """In a worker."""
    from workbench import catalog
    from workbench.report.drawing import files_of

    store, results = Store(order.store), {}
    for name, (key, looks) in order.results.items():
        if (held := store.load(key)) is None:
            return None
        results[name] = with_looks(held, looks)
    return files_of(catalog.figures()[order.figure], results, order.options, order.folder, order.endings)

"""Figures drawn in worker processes, from results that a worker reads from the store, and what is known of the ledger.

Most of the time of a figure is matplotlib's, which uses one core.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from workbench.claims.interim_analyses import with_looks
from workbench.engine.records import Result
from workbench.homes.keys import Key
from workbench.ledger import outcomes, status
from workbench.ledger import study as studies
from workbench.ledger.outcomes import Outcome
from workbench.ledger.status import Measured
from workbench.ledger.study import Study
from workbench.report.drawing.figure import Figure
from workbench.report.figure_files import files_of
from workbench.run import catalog, processes
from workbench.run.options import Options
from workbench.run.store.results import Store, StoreError
from workbench.run.store.sources import stamp

MANY = 8  # figures that are worth the seconds in which workers import the papers and matplotlib
Paths = list[Path]
PRINTED = "printed"  # attribute of what a worker raises: the text that was printed before


@dataclass(frozen=True)
class StoredResult:
    """A result as the caller has it. seal: of its file in the store (`Store.state`)."""

    key: str
    looks: tuple[int, ...]
    seal: str
    runs: int
    backend: str


@dataclass(frozen=True)
class Order:
    """What a worker needs to draw one figure. sources: digest of what the caller has imported."""

    figure: str
    results: Mapping[str, StoredResult]
    sources: str
    options: Options
    store: Path
    folder: Path
    endings: tuple[str, ...]


@dataclass(frozen=True)
class FigureFiles:
    """The paths of a figure's files; None where the caller has to draw it, as paper or results are not the same.

    printed: by the paper's code. notices: what the store has to say.
    """

    paths: Paths | None = None
    printed: str = ""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ledger:
    """What a figure of a proof shows besides results."""

    measured: Measured
    outcomes: Mapping[str, Outcome]
    studies: Mapping[str, Study]


class Workers:
    """Processes that draw figures; without a pool, none."""

    def __init__(self, pool: ProcessPoolExecutor | None) -> None:
        self._pool = pool
        self._futures: dict[str, Future[FigureFiles]] = {}

    @property
    def any(self) -> bool:
        return self._pool is not None

    def begin(self, order: Order, ledger: Ledger | None = None) -> None:
        """Has a figure drawn from now on. ledger: for one of proofs."""
        if self._pool is not None:
            with processes.explaining_a_kill(f"drawing {order.figure}"):
                self._futures[order.figure] = self._pool.submit(_draw, order, ledger)

    def files(self, figure: Figure) -> FigureFiles:
        """A figure's files, once they are written.

        Raises what drawing it raised, after printing what was printed before, and UsageError if a worker was killed.
        """
        if (future := self._futures.get(figure.key)) is None:
            return FigureFiles()
        if isinstance(future.exception(), BrokenExecutor):
            with processes.explaining_a_kill(f"drawing {figure.key}"):
                future.result()
        if (error := future.exception()) is not None:
            print(getattr(error, PRINTED, ""), end="")
        return future.result()


@contextmanager
def workers(figures: int, jobs: int | None) -> Iterator[Workers]:
    """As many as there are cores, or ``jobs``; none for a few figures. An exception in the block ends them."""
    count = processes.count(figures, jobs)
    if count < 2 or figures < MANY:
        yield Workers(None)
        return
    with processes.pool(count, processes.begin, (processes.environment(),)) as pool:
        yield Workers(pool)


def ledger() -> Ledger:
    """What this process knows."""
    return Ledger(dict(status.verdicts()), outcomes.snapshot(), studies.snapshot())


def _draw(order: Order, ledger: Ledger | None) -> FigureFiles:
    """In a worker."""
    if ledger is not None:
        status.remember({Key.of(link).paper for link, _ in ledger.measured}, ledger.measured)
        outcomes.take(ledger.outcomes)
        studies.take(ledger.studies)
    figure, store = catalog.figures().get(order.figure), Store(order.store)
    if figure is None or stamp(Key.of(figure.key).paper) != order.sources:
        return FigureFiles()
    results = {}
    for name, reference in order.results.items():
        if (result := _same(store, reference)) is None:
            return FigureFiles(notices=tuple(store.take_notices()))
        results[name] = with_looks(result, reference.looks)
    with _ended_tidily(), redirect_stdout(StringIO()) as printed:
        try:
            paths = files_of(figure, results, order.options, order.folder, order.endings)
        except Exception as error:
            with suppress(AttributeError, TypeError):  # of one that takes no attributes
                setattr(error, PRINTED, printed.getvalue())
            raise
    return FigureFiles(paths, printed.getvalue())


class _Ended(BaseException):
    """This process was asked to end."""


@contextmanager
def _ended_tidily() -> Iterator[None]:
    """A process that is asked to end in the block removes its temporary files first."""

    def end(number: int, frame: Any) -> None:
        raise _Ended

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except _Ended:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, before)


def _same(store: Store, reference: StoredResult) -> Result | None:
    """The result in the store, if it is the one that the caller has. A damaged one is set aside."""
    state = store.state(reference.key)
    if state is None or state[0] != reference.seal:
        return None
    try:
        result = store.load(reference.key)
    except StoreError:
        return None
    same = result is not None and (result.runs, result.meta["backend"]) == (reference.runs, reference.backend)
    return result if same and store.state(reference.key) == state else None

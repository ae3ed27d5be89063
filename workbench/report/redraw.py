"""Draws the figures that are out of date: those whose inputs or files differ from their stamp.

The inputs are everything that a picture and its caption depend on: the sources, the stored results, the ledger's
outcomes, the libraries and matplotlib's settings.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from workbench.claims import interim_analyses, plan
from workbench.engine.records import Result
from workbench.homes.keys import Key
from workbench.ledger import status
from workbench.ledger import study as studies
from workbench.ledger.claims import exact_verdicts
from workbench.report import parallel
from workbench.report.drawing.figure import Figure
from workbench.report.drawing.stamps import Stamps
from workbench.report.figure_files import files_of, not_judged
from workbench.report.parallel import Ledger, Order, StoredResult, Workers
from workbench.run import catalog
from workbench.run.jobs import identity
from workbench.run.options import Options
from workbench.run.store.content import content_hash
from workbench.run.store.results import Store
from workbench.run.store.sources import stamp
from workbench.verdicts import verify

LIBRARIES = ("matplotlib", "numpy", "scipy", "sympy")


class Drawing:
    """One call of the command: figures from one store into one folder."""

    def __init__(
        self,
        options: Options,
        store: Store,
        folder: Path,
        endings: tuple[str, ...] = ("pdf", "png"),
        warn: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self._fixed = {"libraries": _versions()}
        self._options, self._store, self._folder, self._endings = options, store, folder, endings
        self._stamps, self._warn = Stamps(folder), warn
        self._seals: dict[str, str | None] = {}  # simulation -> seal of the result that is drawn

    def stale(self, figures: Iterable[Figure]) -> list[Figure]:
        """The figures to draw; all of them if a backend was requested, since a stored result may come from another."""
        if self._options.backend != "auto":
            return list(figures)
        return [f for f in figures if not self._current(f)]

    def can_be_repeated(self, figures: Iterable[Figure]) -> bool:
        """Whether it is known from what they were drawn: files of the library, of papers and of results."""
        return all(self._stamps.has(figure.key) and not figure.of_proof for figure in figures)

    def files(self, figures: Iterable[Figure]) -> list[Path]:
        """The files of figures that were drawn, and the results from which they were."""
        files = [path for figure in figures for path in self._stamps.files(figure.key)]
        return files + [self._store.path(self._key(name)) for figure in figures for name in figure.needs]

    def draw(self, figures: Iterable[Figure], results: Mapping[str, Result]) -> Iterator[Path]:
        """Draws figures from stored results; yields the paths of the files as they are written."""
        figures = list(figures)
        # Of the results in memory: another command may have replaced one in the store since.
        self._seals = {
            name: self._store.last_seal(self._key(name)) for figure in figures for name in figure.needs
        }
        with parallel.workers(len(figures), self._options.jobs) as workers:
            inputs_begun = self._begin(workers, (f for f in figures if not f.of_proof), results)
            of_proof = [f for f in figures if f.of_proof]
            self._prepare_ledger(of_proof)
            proofs = {Key.of(f.key).paper for f in of_proof}
            lines = verify.measured_lines(proofs, results, self._options, self._store)
            status.remember(proofs, verify.measured(lines))
            inputs_begun |= self._begin(workers, of_proof, results, parallel.ledger())
            for figure in figures:
                files = workers.files(figure)
                for notice in files.notices:
                    self._warn(notice)
                if files.printed:
                    print(files.printed, end="")
                if files.paths is None:
                    paths = files_of(figure, results, self._options, self._folder, self._endings)
                    inputs = self.inputs(figure)
                else:
                    paths, inputs = files.paths, inputs_begun[figure.key]
                yield from paths
                if inputs is not None:
                    self._stamps.note(figure.key, inputs, paths)

    def _begin(
        self,
        workers: Workers,
        figures: Iterable[Figure],
        results: Mapping[str, Result],
        ledger: Ledger | None = None,
    ) -> dict[str, str | None]:
        """Figure -> inputs, of those that other processes draw from now on: those whose results are in the store."""
        inputs_begun: dict[str, str | None] = {}
        for figure in figures:
            if not workers.any or any(name not in results for name in figure.needs):
                continue
            references = {name: self._reference(name, results[name]) for name in figure.needs}
            available = {name: r for name, r in references.items() if r is not None}
            if len(available) == len(references):
                sources = stamp(Key.of(figure.key).paper)
                about = self._options, self._store.folder, self._folder, self._endings
                order = Order(figure.key, available, sources, *about)
                inputs_begun[figure.key] = self.inputs(figure)
                workers.begin(order, ledger)
        return inputs_begun

    def _reference(self, name: str, result: Result) -> StoredResult | None:
        seal = self._seals[name]
        backend = str(result.meta["backend"])
        if seal is None:
            return None
        return StoredResult(self._key(name), interim_analyses.of(result), seal, result.runs, backend)

    def inputs(self, figure: Figure) -> str | None:
        """Digest of the figure's inputs; of its results those that are drawn, if any. None if one was never stored."""
        seals = {
            name: self._seals[name] if name in self._seals else self._seal(name) for name in figure.needs
        }
        if None in seals.values():
            return None
        ledger = self._ledger(Key.of(figure.key).paper) if figure.of_proof else None

        return content_hash(
            {
                **self._fixed,
                "sources": stamp(Key.of(figure.key).paper),
                "results": seals,
                "ledger": ledger,
                "not_judged": not_judged(figure, self._options),
            }
        )

    def _current(self, figure: Figure) -> bool:
        if not self._stamps.has(figure.key) or any(self._seal(name) is None for name in figure.needs):
            return False
        self._prepare_ledger([figure])
        inputs = self.inputs(figure)
        return inputs is not None and self._stamps.current(figure.key, inputs)

    def _seal(self, name: str) -> str | None:
        """The seal at the end of a simulation's stored result: a hash of its content."""
        state = self._store.state(self._key(name))
        return None if state is None else state[0]

    def _key(self, name: str) -> str:
        return identity(catalog.simulations()[name], self._options).key

    def _prepare_ledger(self, figures: Iterable[Figure]) -> None:
        """Loads or computes the outcomes that the ledger's figures read.

        Brackets and mutants take longer than everything else together: they are computed by `workbench ledger` and on
        profile full, and only loaded here on the other profiles.
        """
        papers = {Key.of(f.key).paper for f in figures if f.of_proof}
        lemmas = [x for x in catalog.lemmas().values() if x.paper.key in papers]
        folder, jobs = self._store.folder, self._options.jobs
        exact_verdicts(lemmas, folder, jobs)
        if self._options.profile == "full":
            studies.ensure(lemmas, folder, jobs)
        else:
            studies.recall(lemmas, folder)

    def _ledger(self, paper: str) -> tuple[Any, ...]:
        """Verdicts of the paper's exact checks, known brackets of constants and fates of mutants, what is measured."""
        lemmas = [x for x in catalog.lemmas().values() if x.paper.key == paper]
        verdicts = exact_verdicts(lemmas, self._store.folder, self._options.jobs)
        study_records = [asdict(s) for x in lemmas if (s := studies.in_memory(x))]
        measured = self._options.profile, plan.of(paper).text()  # decide besides the results
        return sorted((*name, verdict) for name, verdict in verdicts.items()), study_records, measured


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in LIBRARIES}}

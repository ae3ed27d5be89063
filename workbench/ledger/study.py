"""How sharp the ledger is: brackets of constants and fates of mutants, stored next to the certificates."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench.homes import disk
from workbench.ledger import outcomes
from workbench.ledger.brackets import brackets
from workbench.ledger.certificate import seal, unseal
from workbench.ledger.checkers import checkers_hash
from workbench.ledger.mutants import SECONDS, Mutant, kill_rate, run
from workbench.run import processes
from workbench.theory.lemma import MEASURED, Exact, Lemma

_studies: dict[str, Study] = {}


def in_memory(lemma: Lemma) -> Study | None:
    """The study of a lemma if it was made or read in this process, else None."""
    return _studies.get(lemma.key)


@dataclass(frozen=True)
class Study:
    """The study of one lemma. brackets: (check name, sentence). mutants: with their fates."""

    lemma: str
    brackets: tuple[tuple[str, str], ...]
    mutants: tuple[Mutant, ...]

    @property
    def rate(self) -> float:
        return kill_rate(list(self.mutants))

    def count(self, fate: str) -> int:
        return sum(t.fate == fate for t in self.mutants)


def study(lemma: Lemma) -> Study:
    """Computes the brackets and mutants of one lemma in this process."""
    sentences = [
        (check.name, str(b))
        for check in lemma.checks
        if isinstance(check, Exact) and check.expected == "holds"
        for b in brackets(check)
    ]
    return Study(lemma.key, tuple(sentences), tuple(run(lemma, SECONDS)))


def ensure(
    lemmas: Iterable[Lemma],
    folder: Path | None,
    jobs: int | None = None,
    progress: Callable[[Lemma], None] = lambda lemma: None,
) -> dict[str, Study]:
    """Studies by lemma key: read from the folder, or computed in parallel processes and stored there."""
    studies: dict[str, Study] = {}
    missing = []
    for lemma in lemmas:
        if (result := read(lemma, folder)) is not None:
            studies[lemma.key] = result
            progress(lemma)
        else:
            missing.append(lemma)
    for lemma, result in _results(missing, processes.count(len(missing), jobs)) if missing else ():
        studies[lemma.key] = result
        _keep(lemma, result, folder)
        progress(lemma)
    _studies.update(studies)
    return studies


def _results(lemmas: Sequence[Lemma], workers: int) -> Iterator[tuple[Lemma, Study]]:
    """Each lemma with its study, as soon as it is made; in this process where no others can be started."""
    if processes.obstacle():
        yield from ((lemma, study(lemma)) for lemma in lemmas)
        return
    with processes.pool(workers, processes.begin, (processes.environment(),)) as pool:
        with processes.explaining_a_kill("studying the ledger"):
            waiting = {pool.submit(study, lemma): lemma for lemma in lemmas}
        for future in as_completed(waiting):
            lemma = waiting[future]
            with processes.explaining_a_kill(f"studying {lemma.key}"):
                result = future.result()
            yield lemma, result


def recall(lemmas: Iterable[Lemma], folder: Path | None) -> None:
    """Reads the stored studies without computing missing ones."""
    _studies.update({x.key: result for x in lemmas if (result := read(x, folder)) is not None})


def snapshot() -> dict[str, Study]:
    """All studies that this process knows, by lemma, for another process to `take`."""
    return dict(_studies)


def take(studies: Mapping[str, Study]) -> None:
    _studies.update(studies)


def _path(lemma: Lemma, folder: Path) -> Path:
    checks = [outcomes.content_key(c) for c in lemma.checks if not isinstance(c, MEASURED)]
    text = checkers_hash("brackets", "mutants", "study") + " ".join(checks)
    name = "".join(c if c.isalnum() or c in ".-" else "-" for c in lemma.key)
    return folder / "ledger" / f"{name}.study.{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"


def read(lemma: Lemma, folder: Path | None) -> Study | None:
    """The stored study of exactly these checks, or None; a damaged file counts as missing."""
    if folder is not None:
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
            data = json.loads(unseal(disk.read(_path(lemma, folder))))
            mutants = tuple(Mutant(**t) for t in data["mutants"])
            return Study(data["lemma"], tuple((c, b) for c, b in data["brackets"]), mutants)
    return None


def _keep(lemma: Lemma, result: Study, folder: Path | None) -> None:
    if folder is None:
        return
    with contextlib.suppress(OSError):
        target = _path(lemma, folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        disk.replace(target, seal(json.dumps(asdict(result)).encode()))

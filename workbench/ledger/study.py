"""How sharp the ledger is: brackets of constants and the fate of negative twins, kept beside the certificates."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from theorems.lemma import MEASURED, Lemma
from workbench.ledger import outcomes
from workbench.ledger.brackets import brackets
from workbench.ledger.mutants import SECONDS, Twin, kill_rate, run
from workbench.run import processes

_known: dict[str, Study] = {}


def known(lemma: Lemma) -> Study | None:
    """A study made or read in this process."""
    return _known.get(lemma.key)


@dataclass(frozen=True)
class Study:
    """brackets: (check name, sentence). twins: what became of each."""

    lemma: str
    brackets: tuple[tuple[str, str], ...]
    twins: tuple[Twin, ...]

    @property
    def rate(self) -> float:
        return kill_rate(list(self.twins))

    def count(self, fate: str) -> int:
        return sum(t.fate == fate for t in self.twins)


def study(lemma: Lemma) -> Study:
    """Both studies of one lemma, computed here."""
    found = [
        (check.name, str(b))
        for check in lemma.checks
        if getattr(check, "constants", ()) and check.expected == "holds"
        for b in brackets(check)  # type: ignore[arg-type]
    ]
    return Study(lemma.key, tuple(found), tuple(run(lemma, SECONDS)))


def ensure(
    lemmas: Iterable[Lemma],
    folder: Path | None,
    jobs: int | None = None,
    done: Callable[[Lemma], None] = lambda lemma: None,
) -> dict[str, Study]:
    """Studies by lemma key: from the folder, or computed (in parallel processes) and kept there."""
    found: dict[str, Study] = {}
    missing = []
    for lemma in lemmas:
        if (held := stored(lemma, folder)) is not None:
            found[lemma.key] = held
            done(lemma)
        else:
            missing.append(lemma)
    if missing:
        workers = min(len(missing), jobs or os.cpu_count() or 1)
        with ProcessPoolExecutor(workers, processes.context(), processes.begin, (dict(os.environ),)) as pool:
            waiting = {pool.submit(study, lemma): lemma for lemma in missing}
            for future in as_completed(waiting):
                lemma = waiting[future]
                found[lemma.key] = future.result()
                _keep(lemma, found[lemma.key], folder)
                done(lemma)
    _known.update(found)
    return found


def recall(lemmas: Iterable[Lemma], folder: Path | None) -> None:
    """Reads what is stored, and computes nothing."""
    _known.update({x.key: held for x in lemmas if (held := stored(x, folder)) is not None})


def _path(lemma: Lemma, folder: Path) -> Path:
    checks = [outcomes.content_key(c) for c in lemma.checks if not isinstance(c, MEASURED)]
    text = outcomes.checkers_hash("brackets", "mutants", "study") + " ".join(checks)
    name = "".join(c if c.isalnum() or c in ".-" else "-" for c in lemma.key)
    return folder / "ledger" / f"{name}.study.{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"


def stored(lemma: Lemma, folder: Path | None) -> Study | None:
    """A study of exactly these checks, or None; a damaged file counts as none."""
    if folder is not None:
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            data = json.loads(_path(lemma, folder).read_text())
            twins = tuple(Twin(**t) for t in data["twins"])
            return Study(data["lemma"], tuple((c, b) for c, b in data["brackets"]), twins)
    return None


def _keep(lemma: Lemma, found: Study, folder: Path | None) -> None:
    if folder is None:
        return
    with contextlib.suppress(OSError):
        target = _path(lemma, folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_suffix(f".{os.getpid()}.tmp")
        temporary.write_text(json.dumps(asdict(found)))
        os.replace(temporary, target)

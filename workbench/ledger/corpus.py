"""Calibration of the exact checkers on statements of known truth, one a line in text files of the source tree.

In: false statements (subtle, or malformed so that a careless checker would prove them) and true ones that are hard to
prove. Out: how many of the false ones were called true (none may be), and the share of the true ones that was proved.

    # a comment
    [what misleads, or what is hard]
    name: statement | x = 1/2, y = 3

Behind the bar is a point at which a false statement fails; `tests/redteam/test_corpus.py` confirms it without the
checkers. The file `truths.txt` has the true ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.evidence.verdicts import Verdict
from workbench.homes import papers
from workbench.ledger import parser
from workbench.ledger.decide import decide_statement
from workbench.ledger.trees import Wrong

FOLDER = papers.ROOT / "tests" / "ledger_corpus"
TRUE = "truths"
# Fates. A refused statement is outside the grammar or not well-formed; any other error is a crash, a defect by itself.
REFUSED, CRASHED = "refused", "crashed"
HOLDS, VIOLATED, INCONCLUSIVE = map(str, (Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE))
SECONDS = 1.0  # time limit of one statement


@dataclass(frozen=True)
class Entry:
    """A line with known truth. mechanism: how it misleads, or why it is hard. point: where a false one fails, or ""."""

    mechanism: str
    name: str
    line: str
    false: bool
    point: str = ""


def entries(folder: Path = FOLDER) -> tuple[Entry, ...]:
    """Every entry, false ones first; none where the folder is missing, as in an installed copy."""
    files = sorted(folder.glob("*.txt"), key=lambda path: (path.stem == TRUE, path.stem))
    return tuple(entry for path in files for entry in _entries(path))


def _entries(path: Path) -> Iterator[Entry]:
    mechanism = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            mechanism = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, rest = line.partition(": ")
            statement, _, point = rest.partition(" | ")
            yield Entry(mechanism, name, statement, path.stem != TRUE, point)


def digest(folder: Path = FOLDER) -> str:
    """A hash of all entries."""
    return hashlib.sha256(repr(entries(folder)).encode()).hexdigest()


def sample(entries_given: Iterable[Entry], every: int) -> tuple[Entry, ...]:
    """The first entry of each mechanism, and every `every`-th of the rest, in the order of the corpus."""
    counts: Counter[str] = Counter()
    part = []
    for entry in entries_given:
        if counts[entry.mechanism] % every == 0:
            part.append(entry)
        counts[entry.mechanism] += 1
    return tuple(part)


@dataclass(frozen=True)
class Fate:
    """The fate of one entry, with the checker's note or the error's message."""

    entry: Entry
    fate: str
    note: str = ""

    @property
    def wrong(self) -> bool:
        """Is this an error of the checker: a false statement called true, a true one called violated, or a crash?"""
        return self.fate in (HOLDS if self.entry.false else VIOLATED, CRASHED)


def fate(entry: Entry, seconds: float = SECONDS) -> Fate:
    """Reads and decides the statement within about this many seconds."""
    try:
        outcome = decide_statement(parser.statement(entry.line), seconds)
    except (parser.SyntaxFault, Wrong) as error:
        return Fate(entry, REFUSED, str(error))
    except Exception as error:
        return Fate(entry, CRASHED, f"{type(error).__name__}: {error}")
    return Fate(entry, str(outcome.verdict), outcome.note)


def judge(entries_given: Iterable[Entry], seconds: float = SECONDS) -> list[Fate]:
    """The fates of many entries, in their order."""
    return [fate(entry, seconds) for entry in entries_given]


def table(fates: Iterable[Fate]) -> list[dict[str, object]]:
    """Rows: one per mechanism and truth, then the totals. `proved_%` is the share of the true statements proved.

    `ok`: no false statement was called true, no true one violated, and none crashed the checker.
    """
    fates = list(fates)
    groups: dict[tuple[str, bool], list[Fate]] = {}
    for one in fates:
        groups.setdefault((one.entry.mechanism, one.entry.false), []).append(one)
    rows = [_row(name, false, members) for (name, false), members in groups.items()]
    for false in (True, False):
        if members := [one for one in fates if one.entry.false == false]:
            rows.append(_row("all", false, members))
    return rows


def _row(name: str, false: bool, fates: list[Fate]) -> dict[str, object]:
    counts = Counter(one.fate for one in fates)
    return {
        "statements": name,
        "truth": "false" if false else "true",
        "number": len(fates),
        "called_true": counts[HOLDS],
        "violated": counts[VIOLATED],
        "inconclusive": counts[INCONCLUSIVE],
        "refused": counts[REFUSED],
        "crashed": counts[CRASHED],
        "proved_%": "" if false else 100 * counts[HOLDS] / len(fates),
        "ok": not any(one.wrong for one in fates),
    }


def failures(fates: Iterable[Fate]) -> list[str]:
    """One line per error of the checker."""
    words_for = {HOLDS: "called true", VIOLATED: "called violated"}
    return [
        f"{one.entry.mechanism}: {one.entry.name}: a {'false' if one.entry.false else 'true'} statement is "
        + words_for.get(one.fate, f"answered by {one.note}")
        for one in fates
        if one.wrong
    ]

"""What the exact checkers say about the corpora: one fate per entry, and the table of `workbench calibrate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.evidence.verdicts import Verdict
from workbench.ledger.corpus.corpus import FALSE, TRUE
from workbench.ledger.corpus.entry import Entry
from workbench.ledger.decide import decide

# Fates. A refused statement raises ValueError when it is made or decided; any other error is a crash, a defect by
# itself, since malformed statements must be refused with a sentence.
REFUSED, CRASHED = "refused", "crashed"
HOLDS, VIOLATED, INCONCLUSIVE = map(str, (Verdict.HOLDS, Verdict.VIOLATED, Verdict.INCONCLUSIVE))
SECONDS = 1.0  # time limit of one statement


@dataclass(frozen=True)
class Fate:
    """The fate of one entry, with the checker's note or the error's message."""

    entry: Entry
    false: bool
    fate: str
    note: str = ""

    @property
    def wrong(self) -> bool:
        """Is this an error of the checker: a false statement called true, a true one called violated, or a crash?"""
        return self.fate in (HOLDS if self.false else VIOLATED, CRASHED)


def fate(entry: Entry, seconds: float = SECONDS) -> Fate:
    """Makes and decides the statement within about this many seconds."""
    false = entry.witness is not None
    try:
        found = decide(entry.build(), seconds)
    except ValueError as error:
        return Fate(entry, false, REFUSED, str(error))
    except Exception as error:
        return Fate(entry, false, CRASHED, f"{type(error).__name__}: {error}")
    return Fate(entry, false, str(found.verdict), found.note)


def judge(entries: Iterable[Entry] = (*FALSE, *TRUE), seconds: float = SECONDS) -> list[Fate]:
    """The fates of many entries, in their order."""
    return [fate(e, seconds) for e in entries]


def table(fates: Iterable[Fate]) -> list[dict[str, object]]:
    """Rows: one per mechanism and truth, then the totals. `proved_%` is the share of the true statements proved.

    `ok`: no false statement was called true, no true one violated, and none crashed the checker.
    """
    fates = list(fates)
    groups: dict[tuple[str, bool], list[Fate]] = {}
    for f in fates:
        groups.setdefault((f.entry.mechanism, f.false), []).append(f)
    rows = [_row(name, false, held) for (name, false), held in groups.items()]
    for false in (True, False):
        if held := [f for f in fates if f.false == false]:
            rows.append(_row("all", false, held))
    return rows


def _row(name: str, false: bool, fates: list[Fate]) -> dict[str, object]:
    counts = Counter(f.fate for f in fates)
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
        "ok": not any(f.wrong for f in fates),
    }


def failures(fates: Iterable[Fate]) -> list[str]:
    """One line per error of the checker."""
    return [
        f"{f.entry.mechanism}: {f.entry.name}: a {'false' if f.false else 'true'} statement is {_said(f)}"
        for f in fates
        if f.wrong
    ]


def _said(f: Fate) -> str:
    return {HOLDS: "called true", VIOLATED: "called violated", CRASHED: f"answered by {f.note}"}[f.fate]

"""Prints verdicts: a sentence per claim, on the claim's row where there is room, else below it; or all numbers.

A verdict is a word as well as a colour.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from workbench.claims.claims import EVIDENCE
from workbench.claims.power import FACTORS
from workbench.report.card import Card, Outcome
from workbench.report.wording import sentence, what_is_open
from workbench.verdicts import near_misses
from workbench.verdicts.verify import Line

STYLES = {"holds": "green", "violated": "red", "inconclusive": "yellow"}
_NEAR = {"caught": "green", "holds as well": "", "open": "yellow"}
ROOM = 140  # columns from which on a claim and its sentence share a row
NAME = 60  # columns of the longest name that is not folded
_OUTCOME_STYLES = {
    Outcome.REFUTED: "red",
    Outcome.FAILS: "yellow",
    Outcome.UNDECIDED: "yellow",
    Outcome.UNMEASURED: "yellow",
    Outcome.HOLDS: "green",
    Outcome.ATTAINED: "green",
}
_OUTCOME = max(map(len, Outcome)) + 2
FEW = 4  # rows of a card that need no answer above them
_KIND, _VERDICT = max(map(len, EVIDENCE)) + 2, max(map(len, STYLES))


def show(lines: list[Line], console: Console, notes: bool = False, wide: bool = False) -> None:
    """Prints the verdicts of some claims.

    notes: print every note, and not only those of inconclusive or unexpected verdicts. wide: print all numbers.
    """
    if wide:
        console.print(_numbers(lines, notes))
    elif lines and console.width >= ROOM:
        _rows(lines, console, notes)
    else:
        _below(lines, console, notes)


def show_near_misses(rows: list[near_misses.Outcome], console: Console) -> None:
    """Prints what becomes of the near misses of some claims, and from which horizon on one is caught."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("claim", "evidence", "near miss", "is", "from T ="):
        table.add_column(name, overflow="fold")
    for row in rows:
        since = "" if row.since is None else f"{row.since:g}"
        claim = Text(f"{row.claim.key}; {row.claim.experiment}")
        table.add_row(claim, row.claim.evidence, row.words, Text(row.word, _NEAR[row.word]), since)
    if rows:
        console.print(table)
    console.print(near_misses.summary(rows), soft_wrap=True)


def show_cards(cards: Iterable[Card], console: Console) -> None:
    """Prints the cards of some theorems: per row its outcome, what the theorem says, and the number that decides."""
    for card in cards:
        if not card.rows:  # lines about wrong methods alone
            continue
        console.print(Text(f"{card.key}: {card.title}", style="bold"))
        if len(card.rows) > FEW or card.claims:
            answer = Table.grid(padding=(0, 2, 0, 0))
            answer.add_column(style="bold")
            answer.add_column(overflow="fold")
            for name, words in card.answer.items():
                answer.add_row(f"  {name}", Text(words))
            console.print(answer)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=_OUTCOME)
        table.add_column(overflow="fold")
        for row in card.rows:
            text = Text(f"{row.subject}: {row.evidence}")
            table.add_row(Text(f"  {row.outcome}", style=_OUTCOME_STYLES[row.outcome]), text)
        console.print(table)


def _below(lines: list[Line], console: Console, notes: bool) -> None:
    """A heading per theorem; per claim its kind, verdict and name, and below it what was found."""
    for key, group in itertools.groupby(lines, lambda line: line.claim.key):
        console.print(Text(key, style="bold"))
        for line in group:
            row = Table.grid(padding=(0, 2, 0, 0))
            for width in (_KIND, _VERDICT, None):
                row.add_column(width=width, overflow="fold")
            row.add_row(f"  {line.claim.evidence}", _verdict(line), Text(line.claim.experiment))
            console.print(row)
            for text in [Text(sentence(line)), *_remarks(line, notes)]:
                console.print(Padding(text, (0, 0, 0, 6), expand=False))


def _rows(lines: list[Line], console: Console, notes: bool) -> None:
    """The same with the sentence beside the name."""
    name = min(NAME, max(len(line.claim.experiment) for line in lines))
    for key, group in itertools.groupby(lines, lambda line: line.claim.key):
        console.print(Text(key, style="bold"))
        table = Table.grid(padding=(0, 2, 0, 0))
        for width in (_KIND, _VERDICT, name, None):
            table.add_column(width=width, overflow="fold")
        for line in group:
            text = Text("\n").join([Text(sentence(line)), *_remarks(line, notes)])
            table.add_row(f"  {line.claim.evidence}", _verdict(line), Text(line.claim.experiment), text)
        console.print(table)


def _verdict(line: Line) -> Text:
    verdict = str(line.decision.verdict)
    if line.error:
        return Text("error", style="bold red")
    return Text(line.word, style=STYLES[verdict] if line.as_expected else f"bold {STYLES[verdict]}")


def _remarks(line: Line, notes: bool) -> list[Text]:
    """The erratum behind an expected violation; what was expected instead; what an open line needs; notes if wanted."""
    record, remarks = line.record(), []
    if not line.as_expected:
        remarks.append(Text(f"unexpected (expected {record['expected']})", style="bold red"))
    elif line.refuted:
        remarks.append(Text(f"false as published: {line.claim.refutes}", style="dim"))
    elif record["verdict"] == "violated":
        remarks.append(Text(f"as expected: {line.claim.note or 'a known erratum'}", style="dim"))
    if notes or line.error:
        remarks.append(Text(record["note"], style="dim"))
    elif record["verdict"] == "inconclusive":
        remarks.append(Text(what_is_open(line), style="dim"))
    elif not line.as_expected:
        remarks.append(Text(record["note"].partition(";")[0], style="dim"))
    return [text for text in remarks if text.plain]


def _numbers(lines: list[Line], notes: bool) -> Table:
    """All numbers, one row per claim."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("evidence", no_wrap=True)
    table.add_column("experiment", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    for name in ("claimed", "value", "interval", "admits", "rejects", "slack", "runs", "T"):
        table.add_column(name, justify="right", no_wrap=True)
    section = None
    for line in lines:
        r: dict[str, Any] = line.record()
        if r["key"] != section:
            section = r["key"]
            table.add_row(Text(section, style="bold"))
        interval = "exact" if line.decision.finding.exact else f"[{_short(r['low'])}, {_short(r['high'])}]"
        table.add_row(
            f"  {r['evidence']}", Text(r["experiment"]), _verdict(line), _short(r["claimed"]), _short(r["value"]),
            Text(interval), _short(r["admitted"]), _rejects(line), _short(r["slack"]), str(r["runs"] or ""),
            f"{r['horizon']:.0e}" if r["horizon"] else "",
        )  # fmt: skip
        for text in _remarks(line, notes):
            table.add_row("", text)
    return table


def _rejects(line: Line) -> str:
    """The sensitivity: the error of the claim that these data would have noticed."""
    if line.void:
        return "void"
    number = line.record()["sensitivity"]
    if number is None:
        return ""
    return f"x {number:.3g}" if line.decision.finding.evidence in FACTORS else f"{number:.3g}"


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"

"""What many verdicts come to: one sentence, in which a known erratum is no violation and a void line does not hold."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.evidence.verdicts import Verdict
from workbench.verdicts.verify import Line

# What a line is counted as, in this order: a word for one line, and for several.
HOLDS, ERRATUM, VIOLATED = ("holds", "hold"), ("known erratum", "known errata"), ("violated", "violated")
UNDECIDED, VOID = ("undecided", "undecided"), ("void (no evidence)", "void (no evidence)")
ALWAYS = (HOLDS, ERRATUM, UNDECIDED)  # said even of none


def counted_as(line: Line) -> tuple[str, str]:
    """What a line is counted as; a void one is no evidence, whatever its verdict."""
    if line.void:
        return VOID
    if line.decision.verdict == Verdict.VIOLATED:
        return ERRATUM if line.as_expected else VIOLATED
    return HOLDS if line.decision.verdict == Verdict.HOLDS else UNDECIDED


def outcome(lines: Iterable[Line]) -> str:
    """ "All 1,979 verdicts are as expected: 1,770 hold, 165 are known errata, 0 undecided, ..." """
    lines = list(lines)
    if not lines:
        return "No claim was decided."
    kinds = [counted_as(line) for line in lines]
    counts = {kind: kinds.count(kind) for kind in (HOLDS, ERRATUM, VIOLATED, UNDECIDED, VOID)}
    are = {ERRATUM: ("is a ", "are ")}
    parts = [
        f"{n:,} {are.get(kind, ('', ''))[n != 1]}{kind[n != 1]}"
        for kind, n in counts.items()
        if n or kind in ALWAYS
    ]
    surprises = sum(not line.as_expected for line in lines)
    if surprises:
        begin = f"NOT all as expected: {surprises:,} of {_verdicts(len(lines))} {'is' if surprises == 1 else 'are'} not"
        return f"{begin}. {', '.join(parts)}."
    begin = "The verdict is" if len(lines) == 1 else f"All {_verdicts(len(lines))} are"
    return f"{begin} as expected: {', '.join(parts)}."


def _verdicts(count: int) -> str:
    return f"{count:,} verdict{'' if count == 1 else 's'}"

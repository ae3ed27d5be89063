"""What the ledger shows of each displayed line of a proof: exact, measured, quoted, or not checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from workbench.theory.coverage import Display
from workbench.theory.lemma import MEASURED, Lemma

KINDS = ("exact", "measured", "arithmetic", "quoted", "not checked")


def kind(display: Display, lemmas: Mapping[str, Lemma]) -> str:
    """One of `KINDS`: the weakest way in which one of its checks shows the line."""
    if display.quoted:
        return "quoted"
    if not display.checks:
        return "not checked"
    lemma = lemmas[f"{display.paper}/{display.link}"]
    checks = [lemma.check(name) for name in display.checks]
    if all(c.shows == "arithmetic" for c in checks):
        return "arithmetic"
    return "measured" if any(isinstance(c, MEASURED) for c in checks) else "exact"


def counts(displays: Iterable[Display], lemmas: Mapping[str, Lemma]) -> dict[str, Counter[str]]:
    """Paper -> number of displayed lines of each kind."""
    kinds: dict[str, Counter[str]] = {}
    for display in displays:
        kinds.setdefault(display.paper, Counter())[kind(display, lemmas)] += 1
    return kinds

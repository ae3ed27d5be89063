"""The two corpora: FALSE, whose statements no checker may call true, and TRUE, of which it should prove many."""

from __future__ import annotations

from workbench.ledger.corpus import algebra, domains, inductions, malformed, needles, truths
from workbench.ledger.corpus.entry import Entry

FALSE: tuple[Entry, ...] = (
    *needles.ENTRIES,
    *inductions.ENTRIES,
    *malformed.ENTRIES,
    *domains.ENTRIES,
    *algebra.ENTRIES,
)
TRUE: tuple[Entry, ...] = truths.ENTRIES


def sample(entries: tuple[Entry, ...], every: int) -> tuple[Entry, ...]:
    """The first entry of each mechanism, and every `every`-th of the rest, in the order of the corpus."""
    seen: dict[str, int] = {}
    chosen = []
    for e in entries:
        place = seen.get(e.mechanism, 0)
        seen[e.mechanism] = place + 1
        if place % every == 0:
            chosen.append(e)
    return tuple(chosen)

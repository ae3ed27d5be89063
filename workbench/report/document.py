"""The verdicts as data: what `verify --json` writes, and a dossier beside its pages (docs/for-programs.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workbench.report.card import Card
from workbench.run.installation import meta
from workbench.verdicts.omissions import Omission
from workbench.verdicts.verify import Line


def verdicts(
    lines: Iterable[Line],
    cards: Iterable[Card],
    options: Any,
    keys: Sequence[str],
    left_out: Iterable[Omission] = (),
) -> dict[str, Any]:
    """The lines and the cards of their theorems, what was asked for, and what was not judged."""
    return {
        "meta": meta(options, keys),
        "claims": [line.record() for line in lines],
        "theorems": [card.record() for card in cards],
        "left_out": [omission.record() for omission in left_out],
    }

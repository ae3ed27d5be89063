"""The status of every link of a proof, from exact checks and from the verdicts on lines measured along runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench.homes.keys import Key
from workbench.ledger.claims import exact_verdicts
from workbench.ledger.graph import Link, link
from workbench.theory.lemma import Lemma

Measured = Mapping[tuple[str, str], str]  # (link, check) -> verdict
_verdicts: dict[tuple[str, str], str] = {}


def links(
    lemmas: Iterable[Lemma], measured: Measured, folder: Path | None, jobs: int | None = None
) -> dict[str, Link]:
    """Key -> link with its status. A line without a verdict is said to be unmeasured."""
    lemmas = list(lemmas)
    verdicts = exact_verdicts(lemmas, folder, jobs) | dict(measured)
    return {x.key: link(x, verdicts) for x in lemmas}


def remember(papers: Iterable[str], measured: Measured) -> None:
    """Keeps the verdicts of papers, which their figures and captions show from now on."""
    papers = set(papers)
    for key, check in [*_verdicts]:
        if Key.of(key).paper in papers:
            del _verdicts[key, check]
    _verdicts.update(measured)


def verdicts() -> Measured:
    return _verdicts

"""What simulations showed at the horizon of the profile full, run once with few runs and kept in a file.

That profile takes a night, so no command runs it by itself; captions of shorter runs quote what is kept here.
`python -m workbench.studies.longer` makes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench import papers

NAME = "longer.json"


@dataclass(frozen=True)
class Longer:
    """One simulation. date: when it was kept. ends: recorded quantity -> median of |value|, at the horizon."""

    date: str
    runs: int
    horizon: int
    ends: Mapping[str, float]


def file_of(paper: str) -> Path | None:
    """Where what is kept of a paper lies or would lie; None for a key that is no paper."""
    home = papers.home_of(paper)
    return home.beside("experiments", NAME) if home else None


def kept(paper: str) -> dict[str, Longer]:
    """Simulation key -> what is kept of it."""
    file = file_of(paper)
    if file is None or not file.exists():
        return {}
    return {key: Longer(**found) for key, found in json.loads(file.read_text(encoding="utf-8")).items()}


def text(found: Mapping[str, Longer]) -> str:
    """As written to the file."""
    return json.dumps({key: asdict(found[key]) for key in sorted(found)}, indent=1) + "\n"

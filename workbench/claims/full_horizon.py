"""What simulations showed at the horizon of the profile full, run once with few runs and kept in a file.

That profile takes a night, so no command runs it by itself; captions of shorter runs quote what is kept here.
`python -m workbench.verdicts.studies.full_horizon` makes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench.claims.families import BadFound
from workbench.homes import disk, papers
from workbench.homes.keys import Key

NAME = "full_horizon.json"


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
    return home.beside(NAME) if home else None


def load(paper: str) -> dict[str, Longer]:
    """Simulation key (in the file without the paper) -> what is kept of it. Raises BadFound for another content."""
    file = file_of(paper)
    try:
        entries = disk.read_json(file) if file else {}
        return {str(Key(paper, name)): Longer(**entry) for name, entry in entries.items()}
    except FileNotFoundError:
        return {}
    except (OSError, AttributeError, TypeError, ValueError, RecursionError) as error:
        again = "`python -m workbench.verdicts.studies.full_horizon` makes a new one where there is none"
        raise BadFound(f"{file} does not hold the ends of longer runs ({error!r}); {again}") from None


def text(outcomes: Mapping[str, Longer]) -> str:
    """As written to the file: without the paper's key, so that a copy of the folder has it too."""
    return json.dumps({Key.of(key).name: asdict(outcomes[key]) for key in sorted(outcomes)}, indent=1) + "\n"

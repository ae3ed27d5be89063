"""What is known of the checker itself: outcomes of `workbench calibrate`, kept in the store, and verdicts by seed.

A kept outcome counts only while the code that it is about is the same; a changed comment does not matter. A checkout
has one more, so that the page of the checker is never empty: it may be of earlier code, which the page then says.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.homes import disk, papers
from workbench.homes.usage import UsageError
from workbench.ledger import corpus
from workbench.run.store.sources import code_hash

NAME = "calibration.json"  # in the store's folder
SHIPPED = papers.ROOT / "benchmarks" / "results" / NAME  # of a checkout
TABLES = papers.ROOT / "tests" / "verdict_seeds"  # of `by_seed`
CODE = {
    "workbench.verdicts.calibration.calibrate",
    "workbench.verdicts.calibration.papers",
    "workbench.ledger.corpus",
}

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Calibration:
    """What one call of `workbench calibrate` measured.

    curves: false alarms and power on planted curves, the pooled row last. sizes: error rates of the test of a mean,
    over its level. statements: how many false and true statements were refuted or certified, one row per mechanism,
    then the totals. calls: how often calls about planted papers are wrong, those of one claim together last. The other
    fields are the options of the call.
    """

    repeats: int
    seed: int
    seconds: float
    curves: Rows
    sizes: Rows
    statements: Rows
    calls: Rows
    of_this_code: bool = True


def save(calibration: Calibration, folder: Path) -> None:
    """Writes an outcome into a store's folder. Raises UsageError if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        record = {"code": _code(), **asdict(calibration)}
        del record["of_this_code"]
        body = json.dumps(record, indent=1, default=float)
        disk.replace(folder / NAME, body.encode())
    except OSError as error:
        raise UsageError(f"cannot write {folder / NAME}: {error.strerror}") from None


def _code() -> str:
    """A hash of the code, and of the statements of known truth."""
    return f"{code_hash(CODE)} {corpus.digest()}"


def load(folder: Path) -> Calibration | None:
    """The outcome in a store's folder; None if there is none, or one of other code or in another form."""
    outcome = _read(folder / NAME)
    return outcome if outcome and outcome.of_this_code else None


def at_hand(folder: Path, of_checkout: Path = SHIPPED) -> Calibration | None:
    """`load`, or else the outcome that the checkout has, which may be of earlier code; None outside a checkout."""
    return load(folder) or _read(of_checkout)


def _read(path: Path) -> Calibration | None:
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
        record = disk.read_json(path)
        return Calibration(of_this_code=record.pop("code") == _code(), **record)
    return None


@dataclass(frozen=True)
class Seeds:
    """Verdicts of one profile with many seeds, as `python -m tests.verdict_seeds` writes them in a checkout.

    rows: the cells of its table. summary: its last sentence.
    """

    profile: str
    head: list[str]
    rows: list[list[str]]
    summary: str


def by_seed(folder: Path = TABLES) -> list[Seeds]:
    """The tables in a folder, by profile; none where the folder is missing, as outside a checkout."""
    tables = []
    for path in sorted(folder.glob("*.md")):
        with contextlib.suppress(OSError, ValueError):
            text = disk.read(path).decode()
            table = [_cells(row) for row in text.splitlines() if row.startswith("|")]
            if len(table) > 2:
                tables.append(Seeds(path.stem, table[0], table[2:], text.strip().splitlines()[-1]))
    return tables


def _cells(row: str) -> list[str]:
    """The cells of a row of a Markdown table, in which a bar is written with a backslash before it."""
    cells = row.replace(r"\|", "\0").strip().strip("|").split("|")
    return [cell.replace("\0", "|").strip() for cell in cells]

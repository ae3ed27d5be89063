"""Whether two files of ``verify --json`` say the same, line by line: ``python -m tests.same_verdicts OLD NEW``.

A line is known by its theorem, evidence, experiment and place among those of the same three. Compared are the verdict
and all numbers but the time; a note is compared with ``--notes``. Ends with 1 if anything differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]
NAMED = ("key", "evidence", "experiment")
LEFT_OUT = {*NAMED, "seconds", "note"}


def numbered(rows: Iterable[Row]) -> dict[tuple[Any, ...], Row]:
    """Lines by name; several of one name by the order in which they come."""
    found: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        name = tuple(row[n] for n in NAMED)
        found[(*name, sum(1 for known in found if known[:3] == name))] = row
    return found


def differences(old: Iterable[Row], new: Iterable[Row], notes: bool = False) -> Iterator[str]:
    """One sentence for each line that is in one list only, and for each value that is another."""
    a, b = numbered(old), numbered(new)
    yield from (f"only in the old file: {name}" for name in a.keys() - b.keys())
    yield from (f"only in the new file: {name}" for name in b.keys() - a.keys())
    for name in a.keys() & b.keys():
        for entry in a[name].keys() | b[name].keys():
            was, now = a[name].get(entry), b[name].get(entry)
            if was != now and (entry not in LEFT_OUT or (notes and entry == "note")):
                yield f"{name}: {entry} was {was}, is {now}"


def main(words: list[str]) -> int:
    files = [w for w in words if w != "--notes"]
    old, new = (json.loads(Path(f).read_text())["claims"] for f in files)
    found = sorted(differences(old, new, "--notes" in words))
    print("\n".join(found) or f"{len(new)} lines say the same")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

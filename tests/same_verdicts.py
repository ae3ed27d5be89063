"""Whether two files of ``verify --json`` say the same, line by line: ``python -m tests.same_verdicts OLD NEW``.

A line is known by its paper and its id; where one of the files has no ids, by its theorem, evidence, experiment and
place among those of the same three. Compared are the verdict and all numbers but the time; a note is compared with
``--notes``. Ends with 1 if anything differs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]
NAMED = ("key", "evidence", "experiment")
LEFT_OUT = {*NAMED, "id", "seconds", "note", "error"}


def by_id(rows: Iterable[Row]) -> dict[tuple[Any, ...], Row]:
    return {(row["key"].partition("/")[0], row["id"]): row for row in rows}


def by_words(rows: Iterable[Row]) -> dict[tuple[Any, ...], Row]:
    """Several lines of the same words by the order in which they come."""
    lines: dict[tuple[Any, ...], Row] = {}
    seen: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        words = tuple(row[n] for n in NAMED)
        lines[(*words, seen[words])] = row
        seen[words] += 1
    return lines


def differences(old: Iterable[Row], new: Iterable[Row], notes: bool = False) -> Iterator[str]:
    """One sentence for each line that is in one list only, and for each value that is another."""
    rows = list(old), list(new)
    named = by_id if all("id" in row for row in (*rows[0], *rows[1])) else by_words
    a, b = map(named, rows)
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

"""What `workbench list` says of the shipped papers, shipped with them: SymPy and the papers are not imported for it.

``listing.json`` beside the papers' folders holds the rows of each, and a digest of the sources that they were gathered
from. It counts for a paper as long as that is the digest of what lies in the folder; any other is gathered
(`entry_cache`, which writes it anew where it is run as a program).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from workbench.homes import disk, papers

FIELDS = ("kind", "key", "paper", "title", "source")

Rows = list[dict[str, str]]


def rows() -> dict[str, Rows]:
    """Key -> rows, of each shipped paper whose folder is as it was when they were gathered; competitors have none."""
    return {
        key: entry["rows"]
        for key, entry in _content().items()
        if (home := papers.built_in().get(key)) is not None and entry["sources"] == digest(home)
    }


def are_rows(content: object) -> bool:
    return isinstance(content, list) and all(
        isinstance(row, dict) and tuple(row) == FIELDS and all(isinstance(v, str) for v in row.values())
        for row in content
    )


def digest(home: papers.Home) -> str:
    """SHA-256 of the names and contents of a paper's Python and JSON files; its plan is one of them."""
    of_all = hashlib.sha256()
    for path in home.contents():
        if path.suffix in (".py", ".json"):
            body = path.read_bytes()
            of_all.update(f"{path.relative_to(home.path).as_posix()} {len(body)}\n".encode() + body)
    return of_all.hexdigest()


def _file() -> Path:
    return next(iter(papers.built_in().values())).path.with_name("listing.json")


def _content() -> dict[str, dict[str, Any]]:
    """What the file holds; nothing where it is missing or damaged."""
    try:
        content = disk.read_json(_file())
    except (OSError, ValueError, StopIteration):
        return {}
    whole = isinstance(content, dict) and all(
        isinstance(entry, dict) and set(entry) == {"sources", "rows"} and are_rows(entry["rows"])
        for entry in content.values()
    )
    return content if whole else {}


def write(all_rows: Rows) -> None:
    """Writes the file: the rows of all shipped papers, as gathered just now."""
    content = {
        key: {"sources": digest(home), "rows": [row for row in all_rows if row["paper"] == key]}
        for key, home in papers.built_in().items()
    }
    disk.replace(_file(), json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n")

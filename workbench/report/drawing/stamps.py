"""Stamps that tell which figures are up to date: digests of a figure's inputs and files, stored next to the files.

A figure is current only if its inputs are identical and every file still has the bytes that were written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from workbench.homes import disk

NAME = ".drawn.json"


class Stamps:
    """The stamps of one output folder: figure key -> digests of inputs and files. Empty if the file is unreadable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, dict] = {}
        with contextlib.suppress(OSError, ValueError):
            table = disk.read_json(folder / NAME)
            self._stamps = (
                {k: v for k, v in table.items() if isinstance(v, dict)} if isinstance(table, dict) else {}
            )

    def has(self, key: str) -> bool:
        return key in self._stamps

    def current(self, key: str, inputs: str) -> bool:
        """Was the figure drawn from exactly these inputs, and are its files unchanged?"""
        stamp = self._stamps.get(key, {})
        files = stamp.get("files")
        if stamp.get("inputs") != inputs or not isinstance(files, dict) or not files:
            return False
        return all(_digest(self._folder / name) == digest for name, digest in files.items())

    def files(self, key: str) -> list[Path]:
        """The files of a figure that was drawn."""
        files = self._stamps.get(key, {}).get("files")
        return [self._folder / name for name in files] if isinstance(files, dict) else []

    def note(self, key: str, inputs: str, paths: Iterable[Path]) -> None:
        """Records a figure that was just written. If this fails, the next call draws it again."""
        self._stamps[key] = {"inputs": inputs, "files": {p.name: _digest(p) for p in paths}}
        with contextlib.suppress(OSError):
            disk.replace(self._folder / NAME, json.dumps(self._stamps, indent=1, sort_keys=True).encode())


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(disk.read(path)).hexdigest()
    except OSError:
        return None

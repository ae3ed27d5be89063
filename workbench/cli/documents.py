"""The JSON documents that commands write beside their tables."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from workbench.cli.console import fail
from workbench.homes import disk


def check_file(path: Path) -> None:
    """Raises an error early, before hours of computing, if this file could not be written at the end."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise fail(f"cannot write {path.name}: the folder {folder} does not exist")
    if path.is_dir():
        raise fail(f"{path} is a folder; name a file in it")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise fail(f"cannot write {path}: permission denied")


def written(path: Path | None, document: Any) -> str:
    """Writes JSON to a file, if one is named; returns why it cannot, or ""."""
    try:
        if path is not None:
            disk.replace(path, (json.dumps(document, indent=1) + "\n").encode())
    except OSError as error:
        return f"cannot write {path}: {error.strerror}"
    return ""


def meta(options: Any, keys: list[str]) -> dict[str, Any]:
    """What a document says about its making."""
    from workbench.run.installation import versions

    return {"keys": keys, **vars(options), "versions": versions()}

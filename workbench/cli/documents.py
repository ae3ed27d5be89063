"""The JSON documents that commands write beside their tables."""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path
from typing import Any

from workbench.cli.console import fail
from workbench.homes import disk

STDOUT = Path("-")  # in place of a file: standard output


def check_file(path: Path) -> None:
    """Raises an error early, before hours of computing, if this file could not be written at the end."""
    if path == STDOUT:
        return
    folder = path.absolute().parent
    if not folder.is_dir():
        raise fail(f"cannot write {path.name}: the folder {folder} does not exist")
    if path.is_dir():
        raise fail(f"{path} is a folder; name a file in it")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise fail(f"cannot write {path}: permission denied")


def write_json(path: Path | None, document: Any) -> str:
    """Writes strict JSON to a file, if one is named; returns why it cannot, or "".

    Raises ValueError for a number that JSON does not have: documents say null for what is not known.
    """
    if path is None:
        return ""
    text = json.dumps(document, indent=1, allow_nan=False) + "\n"
    try:
        if path == STDOUT:
            sys.stdout.write(text)
        else:
            disk.replace(path, text.encode())
    except OSError as error:
        return f"cannot write {path}: {error.strerror}"
    return ""


def beside(path: Path | None) -> AbstractContextManager[object]:
    """What is printed in the block goes to standard error where the document has standard output for itself."""
    return redirect_stdout(sys.stderr) if path == STDOUT else nullcontext()

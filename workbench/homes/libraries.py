"""The installed libraries, by name and version, as told by the names of the files that describe them."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def releases() -> list[str]:
    """Names and versions of Python and of all that is installed."""
    return [
        f"python {platform.python_version()}",
        *sorted({entry for place in sys.path for entry in _in(place)}),
    ]


def _in(place: str) -> Iterator[str]:
    """What an entry of `sys.path` holds: mostly told by the names of the folders that describe it.

    To read a hundred descriptions takes a hundred times as long.
    """
    folder = place or os.curdir
    with contextlib.suppress(OSError):  # not there, or not to be read
        if place.endswith(".egg") or os.path.isfile(folder):
            yield f"{place} {os.stat(place).st_mtime_ns}"
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            about, kind = os.path.splitext(name)
            if kind == ".dist-info" and "-" in about:
                yield _release(*about.split("-", 1))
            elif kind in (
                ".dist-info",
                ".egg-info",
            ):  # of sources under development: its name holds no version
                with contextlib.suppress(OSError, KeyError):
                    from importlib import metadata  # late: it takes longer than all the rest

                    description = metadata.PathDistribution(Path(folder, name)).metadata
                    yield _release(description["Name"] or name, description["Version"] or "")


def _release(name: str, version: str) -> str:
    """As `pip list` has it, for any spelling of the name."""
    return f"{re.sub('[-_.]+', '-', name).lower()} {version}"

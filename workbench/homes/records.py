"""What a paper's records have in common: each knows the line on which it was written."""

from __future__ import annotations

import sys
from typing import Any, Self

from workbench.homes.papers import PARENT


class Record:
    """A record of a paper. origin: the file and the line where it was made; None outside a paper.

    Errors that come up when a record is evaluated, long after it was written, are said with this place.
    """

    origin: tuple[str, int] | None

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        record = super().__new__(cls)
        object.__setattr__(record, "origin", _line_of_paper())
        return record


def _line_of_paper() -> tuple[str, int] | None:
    """The innermost line of a paper's module that is being run."""
    frame = sys._getframe(2)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(f"{PARENT}."):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None

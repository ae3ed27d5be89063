"""The error for operations that cannot be compiled: one sentence with the operation, its line and a remedy."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

_OURS = (  # files that raise the error but do not cause it
    str(Path(np.__file__).parent),
    str(Path(__file__).parent),
    *(str(Path(__file__).parents[1] / "arrays" / f) for f in ("ops.py", "random.py")),
)


class TraceError(ValueError):
    """The step cannot be compiled. The message is one sentence with the operation, the line and a remedy.

    file: where the operation stands, "" if that is not known.
    """

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file


def refusal(what: str, remedy: str) -> TraceError:
    """The error for an operation, located at the first line outside the engine and the shared primitives."""
    frame, place, file = sys._getframe(1), "a traced function", ""
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OURS):
            file = frame.f_code.co_filename
            place = f"{Path(file).name}:{frame.f_lineno}"
            break
        frame = frame.f_back  # type: ignore[assignment]
    return TraceError(f"{place}: {what} cannot be compiled; {remedy}, or use --engine eager", file)

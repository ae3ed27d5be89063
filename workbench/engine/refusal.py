"""What no kernel can be made of: one sentence with the operation, the line that asked for it, and the way out."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

_OURS = (  # where a refusal is raised, not where it is caused
    str(Path(np.__file__).parent),
    str(Path(__file__).parent),
    *(str(Path(__file__).parents[1] / "arrays" / f) for f in ("ops.py", "random.py")),
)


class TraceError(ValueError):
    """A step that no kernel can be made of; one sentence with the operation, the line and the remedy."""


def refused(what: str, remedy: str) -> TraceError:
    """The error for an operation, placed at the first line outside the engine and the shared primitives."""
    frame, place = sys._getframe(1), "a traced function"
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OURS):
            place = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}"
            break
        frame = frame.f_back  # type: ignore[assignment]
    return TraceError(f"{place}: {what} cannot be compiled; {remedy}, or use --engine eager")

"""Errors that mean that memory was lacking."""

from __future__ import annotations

import errno


def lacking(error: BaseException | None) -> bool:
    """Whether memory was lacking, which not everything that needs some says by a MemoryError."""
    while error is not None:
        said = str(error)
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(error, ImportError) and ("failed to map segment" in said or "allocate memory" in said):
            return True
        if isinstance(error, RuntimeError) and "can't start new thread" in said:
            return True
        error = error.__cause__
    return False

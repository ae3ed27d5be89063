"""Errors that mean that memory was lacking."""

from __future__ import annotations

import errno


def lacking(error: BaseException | None) -> bool:
    """Whether memory was lacking, by the class of an error (or of one that caused it) or the system's word."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(error, ImportError) and "failed to map segment" in str(error):  # a library to be loaded
            return True
        error = error.__cause__
    return False

"""Errors that mean that memory was lacking."""

from __future__ import annotations

import errno
import sys


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
        if isinstance(error, SystemError) and "without" in said and "exception" in said and _limited():
            return True  # an extension found no memory for its MemoryError
        error = error.__cause__
    return False


def _limited() -> bool:
    """Whether this process may have so much memory and no more (`ulimit -v`), so that an allocation can fail."""
    if sys.platform == "win32":
        return False
    import resource

    return any(
        resource.getrlimit(limit)[0] != resource.RLIM_INFINITY
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    )

"""Work that makes many objects at once, most of them for good, such as the expressions of a paper."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def no_collection() -> Iterator[None]:
    """Python collects no garbage meanwhile, which would take a tenth of the time of imports and compilers."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()

"""Work that makes many objects at once, most of them for good, such as the expressions of a paper."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Nothing is looked through for garbage meanwhile, which takes a tenth of the time of imports and compilers."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()

"""One thread each for the libraries of linear algebra: parallelism comes from processes.

The matrices here are small. On a busy machine, threads that wait for each other in a loop cost three times the work.
"""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

LIBRARIES = ("OMP", "OPENBLAS", "MKL")


def one_each() -> None:
    """For this process, if it has not yet imported NumPy, and for those that it starts; the user's setting counts."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def one_for_blas() -> AbstractContextManager[object]:
    """A context in which matrix products and solves of this process use one thread, whatever the user's setting."""
    return _libraries(len(sys.modules), next(reversed(sys.modules))).limit(limits=1, user_api="blas")


@lru_cache(maxsize=1)
def _libraries(modules: int, newest: str) -> ThreadpoolController:
    """The libraries that this process has loaded. Looking takes milliseconds; they come with modules."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()

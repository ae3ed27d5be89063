"""The runs for which an oracle call counts.

A call of a batched oracle method is one call per run, except in an inner loop whose length differs between runs.
There `workbench.arrays.ops.loop` registers the rows still going, and the engine's meter (`workbench.engine.oracle`)
counts only these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Array = Any

_ROWS: ContextVar[Array] = ContextVar("rows", default=1)


def rows() -> Array:
    """The current count of a call: 1 for every run, or (runs, 1) of 0 and 1."""
    return _ROWS.get()


def compact(calls: dict[str, Array]) -> dict[str, Array]:
    """Counts (runs, marks), reduced to one row (1, marks) where all runs agree."""
    return {name: v[:1] if (v == v[:1]).all() else v for name, v in calls.items()}


@contextmanager
def only(mask: Array | None, xp: Any) -> Iterator[None]:
    """Calls made inside count for the rows of ``mask`` (and of every ``only`` around it); None: for all of them."""
    if mask is None:
        yield
        return
    token = _ROWS.set(_ROWS.get() * xp.astype(mask, xp.int64))
    try:
        yield
    finally:
        _ROWS.reset(token)

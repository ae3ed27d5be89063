"""Bundled data or a paper's own data set: chosen by the caller, queried by experiments that can fetch one.

``with source("real") as data:`` wraps the construction of a batch. An experiment that can fetch its data set calls
`wants_real`; afterwards ``data.used`` tells whether one did.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

SOURCES = ("bundled", "real")


@dataclass
class Source:
    """The requested data. used: whether an experiment has queried it."""

    name: str = "bundled"
    used: bool = False


_SOURCE: ContextVar[Source | None] = ContextVar("source", default=None)


@contextmanager
def source(name: str) -> Iterator[Source]:
    """A context in which batches use these data, if there is a choice."""
    wanted = Source(name)
    token = _SOURCE.set(wanted)
    try:
        yield wanted
    finally:
        _SOURCE.reset(token)


def wants_real() -> bool:
    """Whether to fetch the paper's own data set. Called by experiments that can."""
    wanted = _SOURCE.get()
    if wanted is None or wanted.name != "real":
        return False
    wanted.used = True
    return True

"""Bundled data or a paper's own set: said by who runs an experiment, asked by the experiment that can fetch one.

``with source("real") as data:`` surrounds the making of a batch; an experiment asks `wants_real`; ``data.used`` says
afterwards whether one did.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

SOURCES = ("bundled", "real")


@dataclass
class Source:
    """Which data are wanted; ``used``: did anyone ask?"""

    name: str = "bundled"
    used: bool = False


_SOURCE: ContextVar[Source | None] = ContextVar("source", default=None)


@contextmanager
def source(name: str) -> Iterator[Source]:
    """Batches made inside are made of these data, where there is a choice."""
    wanted = Source(name)
    token = _SOURCE.set(wanted)
    try:
        yield wanted
    finally:
        _SOURCE.reset(token)


def wants_real() -> bool:
    """Should the paper's own data set be fetched? Asked by an experiment that can."""
    wanted = _SOURCE.get()
    if wanted is None or wanted.name != "real":
        return False
    wanted.used = True
    return True

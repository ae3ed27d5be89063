"""Where the time of a command goes: seconds by phase, kept while it runs and said at its end (``verify --timings``)."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # a command line that is about to start does without NumPy
    from workbench.engine.records import Result

T = TypeVar("T")
SIMULATING = "simulating"


class Timings:
    """Seconds by phase. A phase within another one does not count for the outer one.

    on_phase: called with the name of each phase that begins, and of the outer one when it ends.
    """

    on_phase: Callable[[str], object] | None = None

    def __init__(self) -> None:
        self.seconds_of: dict[str, float] = {}
        self.iterating, self.new_results = 0.0, 0
        self._began = self._since = time.perf_counter()
        self._open: list[str] = []

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Counts the time of the block for ``name``."""
        self._book()
        self._open.append(name)
        self._tell()
        try:
            yield
        finally:
            self._book()
            self._open.pop()
            self._tell()

    def over(self, name: str, items: Generator[T, None, None]) -> Iterator[T]:
        """The items; the time until each comes counts for ``name``, what is done with it does not."""
        with contextlib.closing(items):  # also where the caller fails: workers end with what they compute
            while True:
                with self.phase(name):
                    item = next(items, None)
                if item is None:
                    return
                yield item

    def note_simulation(self, result: Result, before: Result | None = None) -> None:
        """Notes a result that was computed now, by whatever process; before: what it was made from."""
        self.iterating += float(result.elapsed[-1]) - (0.0 if before is None else float(before.elapsed[-1]))
        self.new_results += before is None

    def sentence(self) -> str:
        """All phases, the longest first."""
        self._book()
        parts = [
            f"{seconds:.1f} s {name}"
            for name, seconds in sorted(self.seconds_of.items(), key=lambda x: -x[1])
        ]
        text = f"{self._since - self._began:.1f} s: {', '.join(parts)}."
        if self.new_results:
            text += (
                f" New simulations: {self.new_results}; all processes together iterated for {self.iterating:.1f} s,"
                " with what resumed ones had done before. The rest is starting, compiling, storing and waiting."
            )
        return text

    def _tell(self) -> None:
        if self.on_phase is not None and self._open:
            self.on_phase(self._open[-1])

    def _book(self) -> None:
        now, name = time.perf_counter(), self._open[-1] if self._open else "else"
        self.seconds_of[name] = self.seconds_of.get(name, 0.0) + now - self._since
        self._since = now


TIMINGS = Timings()  # of this process, from when this module is imported

"""Deferred signals: Ctrl-C and termination requests wait until a checkpoint is written or a file is read."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

GRACE = 10  # seconds after which a deferred termination takes effect without a checkpoint
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """A context manager that defers signals between `hold` and `deliver` (or the exit), noting them in ``asked``.

    `deliver` raises the deferred signal again. If the signal has a Python handler, a second one is not deferred (Ctrl-C
    twice); if it terminates the process, an alarm enforces that after `GRACE` seconds. Ignored signals stay ignored.
    Outside the main thread, where Python receives no signals, nothing is deferred.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._before: dict[int, Any] = {}

    def hold(self) -> None:
        """Defers signals from now on."""
        if self._before or threading.current_thread() is not threading.main_thread():
            return
        for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if handler is signal.SIG_DFL or callable(handler):
                self._before[number] = handler
                signal.signal(number, self._note)

    def deliver(self) -> None:
        """Raises the deferred signal, if any. Usually this does not return then."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        if self.number is not None:
            last, self.number = self.number, None
            signal.raise_signal(last)

    def _note(self, number: int, frame: Any) -> None:
        handler = self._before[number]
        if handler is signal.SIG_DFL:
            if hasattr(signal, "alarm"):
                signal.alarm(GRACE)
        elif self.number is not None:
            handler(number, frame)
        self.number = number

    def __enter__(self) -> Interrupts:
        return self

    def __exit__(self, *_: object) -> None:
        self.deliver()


@contextlib.contextmanager
def deferring() -> Iterator[None]:
    """Signals that arrive in the block take effect at its end. For calls that must not be left halfway."""
    with Interrupts() as interrupts:
        interrupts.hold()
        yield

"""Ctrl-C and its like, put off until the work stands where it can be kept."""

from __future__ import annotations

import signal
import threading
from typing import Any

GRACE = 10  # seconds after which a process that was asked to end does so wherever it stands
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """As a context: between `hold` and `deliver` (or the end) a signal is only noted, in ``asked``.

    Then it has the effect that it would have had. A second one is not put off where the first leads to a Python
    handler (Ctrl-C twice); where it ends the process, an alarm sees to it. Signals that are ignored stay ignored, and
    outside the main thread, where Python takes no signals, nothing is held.
    """

    def __init__(self) -> None:
        self.asked: int | None = None
        self._before: dict[int, Any] = {}

    def hold(self) -> None:
        """Puts signals off from now on."""
        if self._before or threading.current_thread() is not threading.main_thread():
            return
        for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if handler is signal.SIG_DFL or callable(handler):
                self._before[number] = handler
                signal.signal(number, self._note)

    def deliver(self) -> None:
        """Lets what was noted happen: usually this does not return."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        if self.asked is not None:
            asked, self.asked = self.asked, None
            signal.raise_signal(asked)

    def _note(self, number: int, frame: Any) -> None:
        handler = self._before[number]
        if handler is signal.SIG_DFL:
            if hasattr(signal, "alarm"):
                signal.alarm(GRACE)
        elif self.asked is not None:
            handler(number, frame)
        self.asked = number

    def __enter__(self) -> Interrupts:
        return self

    def __exit__(self, *_: object) -> None:
        self.deliver()

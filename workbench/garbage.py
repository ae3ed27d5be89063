"""Garbage collection for processes that import papers."""

import gc


def seldom() -> None:
    """Collects a hundred times less often than Python does by itself.

    The expressions of the papers are many, and stay to the end: looking through them for garbage again and again took a
    tenth of a command's time.
    """
    gc.set_threshold(100_000, 50, 100)

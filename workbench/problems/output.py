"""Which point of a state a method puts out."""

from __future__ import annotations

from typing import Any


def output(s: Any, name: str = "x", average: str = "z") -> Any:
    """The output of a method: its average z if it keeps one, else its iterate x."""
    return getattr(s, average) if hasattr(s, average) else getattr(s, name)

"""Waiting for other processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable


def wait_for(ready: Callable[[], object], seconds: float = 300.0) -> None:
    """Returns once ``ready`` is true; fails after some time."""
    until = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def group_lives(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True

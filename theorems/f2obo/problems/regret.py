"""The local regret of Eq. (2) on a box, and sums of drift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.ops import clip, power, sq

Array = Any
BLOCK = 1 << 15  # rounds whose drift is evaluated at a time


def gradient_mapping(x: Array, gradient: Array, t: Array, R: Array, gamma: Array, p: Array, xp: Any) -> Array:
    """|G_X(x, gradient, gamma_t)|^2 of Eq. (3) on the box [-R, R]^d, gamma_t = gamma t^-p; (runs, 1)."""
    rate = gamma * power(t, -p, xp)
    return sq((x - clip(x - rate * gradient, -R, R, xp)) / rate, xp)


def sums_over_rounds(
    steps: Callable[[Array], Mapping[str, Array]], marks: np.ndarray
) -> dict[str, np.ndarray]:
    """name -> (rows, M): sums over rounds 1..mark of what ``steps(t)`` gives for t of shape (1, n)."""
    last = int(marks[-1])
    totals: dict[str, list[np.ndarray]] = {}
    for first in range(1, last + 1, BLOCK):
        t = np.arange(first, min(first + BLOCK, last + 1), dtype=float)[None, :]
        here = marks[(marks >= first) & (marks < first + BLOCK)] - first
        for name, values in steps(t).items():
            sums = np.cumsum(np.broadcast_to(values, np.broadcast_shapes(np.shape(values), t.shape)), axis=1)
            pieces = totals.setdefault(name, [])
            before = pieces.pop() if pieces else np.zeros((1, 1))
            pieces += [sums[:, here] + before, sums[:, -1:] + before]
    return {name: np.concatenate(pieces[:-1], axis=1) for name, pieces in totals.items()}

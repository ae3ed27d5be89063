"""What the methods of rows share besides `baselines.estimators.row_wise`: several tasks at a time."""

from __future__ import annotations

from typing import Any

from workbench.ops import put

Array = Any


def at_tasks(a: Array, i: Array, xp: Any) -> Array:
    """The tasks i (runs, N) of a stack (runs, m, k): (runs, N, k)."""
    if xp.__name__ == "numpy":
        return a[xp.arange(a.shape[0])[:, None], i]
    return xp.take_along_axis(a, i[..., None] + xp.zeros((1, 1, a.shape[2]), dtype=xp.int64), axis=1)


def decay(a: Array, keep: Any, i: Array, new: Array, xp: Any) -> Array:
    """keep a, for a stack a (runs, m, k), with ``new`` (runs, N, k) at the different tasks i (runs, N) of each run."""
    a = keep * a
    if xp.__name__ == "numpy":  # the product is nobody else's
        a[xp.arange(a.shape[0])[:, None], i] = new
        return a
    for k in range(i.shape[1]):
        a = put(a, i[:, k : k + 1], new[:, k, :], xp)
    return a


def systematic(u: Array, prefix: Array, N: int, xp: Any) -> Array:
    """N different tasks, (runs, N), task i among them with probability q_i = prefix_i - prefix_(i-1) <= 1.

    prefix: (m,), the last one N. The tasks at u, u + 1, ..., u + N - 1 on a ruler with a part of length q_i for each.
    """
    places = u + xp.astype(xp.arange(N), xp.float64)
    below = xp.sum(xp.astype(places[..., None] >= prefix, xp.int64), axis=-1)
    m = prefix.shape[0]
    return xp.where(below < m, below, m - 1)  # the last prefix may round to less than N

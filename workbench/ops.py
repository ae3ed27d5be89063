"""Row-wise operations. Each takes the array namespace ``xp``; none branches on values or writes in place.

An array's leading axis is ``runs``, its last the coordinate: a vector of the paper is (runs, d), a scalar of the
paper is (runs, 1). Ties, zeros and sums are defined here once, so that every backend gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Array = Any

LEFT_TO_RIGHT = 64  # longest row summed in order; longer ones use the library's (pairwise) sum


def rowsum(v: Array, xp: Any) -> Array:
    """Sum over the last axis, kept: (runs, d) -> (runs, 1); left to right up to d = 64.

    A library's sum adds in an order of its own (NumPy: pairwise from 8 entries on), so its bits differ from any
    compiled loop's; beyond 64 entries the row is long enough for round-off agreement to be the right demand.
    """
    d = v.shape[-1]
    if d == 1:
        return v
    if d > LEFT_TO_RIGHT:
        return xp.sum(v, axis=-1, keepdims=True)
    total = v[..., 0:1]
    for j in range(1, d):
        total = total + v[..., j : j + 1]
    return total


def sq(v: Array, xp: Any) -> Array:
    """|v|^2 of each row."""
    return rowsum(v * v, xp)


def norm(v: Array, xp: Any) -> Array:
    """|v| of each row; exactly |v_1| for d = 1."""
    return xp.abs(v) if v.shape[-1] == 1 else xp.sqrt(sq(v, xp))


def dot(u: Array, v: Array, xp: Any) -> Array:
    """<u, v> of each row."""
    return rowsum(u * v, xp)


def unit(v: Array, xp: Any) -> Array:
    """v / |v| of each row, and the first basis vector where v = 0.

    The papers set 0/0 := 1. "Stay where you are" would be wrong: a noiseless run that hits the minimizer exactly
    would freeze there and show slope -1 in place of -1/2 (trap T1).
    """
    n = norm(v, xp)
    zero = n == 0.0
    safe = xp.where(zero, xp.asarray(1.0), n)
    if v.shape[-1] == 1:
        return xp.where(zero, xp.asarray(1.0), v / safe)
    first = xp.where(xp.arange(v.shape[-1]) == 0, xp.asarray(1.0), xp.asarray(0.0))
    return xp.where(zero, first, v / safe)


def maximum(a: Array, b: Array, xp: Any) -> Array:
    """Elementwise maximum through ``where``: the second argument where either is NaN, on every backend."""
    return xp.where(a > b, a, b)


def argsort(v: Array, axis: int, xp: Any) -> Array:
    """Stable order of ``v`` along an axis. CuPy 14 lacks the standard's keyword; its ``kind`` says the same."""
    how = {"kind": "stable"} if xp.__name__ == "cupy" else {"stable": True}
    return xp.argsort(v, axis=axis, **how)


def matvec(A: Array, x: Array, xp: Any) -> Array:
    """A x for each row: (n, d) times (runs, d) -> (runs, n). Round-off, not bits, agrees between backends."""
    return xp.matmul(x, xp.matrix_transpose(A))


def loop(
    n: int | Array,
    body: Callable[[Any, tuple[Array, ...]], tuple[Array, ...]],
    carry: tuple[Array, ...],
    xp: Any,
    going: Callable[[tuple[Array, ...]], Array] | None = None,
) -> tuple[Array, ...]:
    """``carry = body(k, carry)`` for k = 0, 1, ..., n-1; finished rows keep their carry.

    n: one count for the batch (int), or one per run, (runs, 1). going: condition per run, (runs, 1) of bool; a row
    stops for good the first time it is false.
    """
    if isinstance(n, int) and going is None:
        for k in range(n):
            carry = body(k, carry)
        return carry
    limit = n if isinstance(n, int) else int(xp.max(n))
    alive: Array = None
    for k in range(limit):
        mask = alive
        for condition in (None if isinstance(n, int) else n > k, None if going is None else going(carry)):
            if condition is not None:
                mask = condition if mask is None else mask & condition
        if going is not None and not bool(xp.any(mask)):
            break
        new = body(k, carry)
        carry = tuple(xp.where(mask, a, b) for a, b in zip(new, carry, strict=True))
        alive = mask
    return carry

"""Row-wise operations of a step. Each takes the array namespace ``xp`` and writes nothing in place.

The leading axis of an array is ``runs``, its last the coordinate: a vector of the paper is (runs, d), a scalar of the
paper (runs, 1). Ties, zeros and sums are defined here once, so every backend gives the same bits. Where a function
branches on values, the branch is a faster way to the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.arrays import meter, patch

Array = Any

LEFT_TO_RIGHT = 64  # longest row summed in order; longer ones use the library's (pairwise) sum


def rowsum(v: Array, xp: Any) -> Array:
    """Sum over the last axis, kept: (runs, d) -> (runs, 1); left to right up to d = 64.

    A library sums in an order of its own (NumPy: pairwise from 8 entries on), so its bits differ from those of a
    compiled loop. Rows of more than 64 entries are left to the library: they need to agree to round-off only.
    """
    d = v.shape[-1]
    if d == 1:
        return v
    if hasattr(xp, "row_sum"):  # a compiled loop adds in this order anyway
        return xp.row_sum(v)
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
    """|v| of each row; |v_1| exactly for d = 1."""
    return xp.abs(v) if v.shape[-1] == 1 else xp.sqrt(sq(v, xp))


def dot(u: Array, v: Array, xp: Any) -> Array:
    """<u, v> of each row."""
    return rowsum(u * v, xp)


def unit(v: Array, xp: Any) -> Array:
    """v / |v| of each row, and the first basis vector where v = 0.

    The papers set 0/0 := 1. With 0 instead, a noiseless run that hits the minimizer exactly would stay there and show
    slope -1 instead of -1/2. NaN stays NaN. An infinite v gives +-1 for d = 1 and NaN otherwise.
    """
    one = xp.asarray(1.0)
    if v.shape[-1] == 1:  # v / |v| without the division
        return xp.where(v < 0.0, -one, xp.where(v >= 0.0, one, v))
    n = norm(v, xp)
    zero = n == 0.0
    safe = xp.where(zero, one, n)
    first = xp.where(xp.arange(v.shape[-1]) == 0, xp.asarray(1.0), xp.asarray(0.0))
    return xp.where(zero, first, v / safe)


def column(value: Array, like: Array, xp: Any) -> Array:
    """``value`` for every run of ``like``: a number, () or (runs, 1) -> (runs, 1)."""
    return xp.zeros((like.shape[0], 1)) + value


def indicator(condition: Array, xp: Any) -> Array:
    """1.0 where the condition holds, else 0.0."""
    return xp.where(condition, xp.asarray(1.0), xp.asarray(0.0))


def maximum(a: Array, b: Array, xp: Any) -> Array:
    """Elementwise maximum, of arrays or of an array and a number; ``b`` where either is NaN, on every backend."""
    return xp.where(a > b, a, b)


def minimum(a: Array, b: Array, xp: Any) -> Array:
    """Elementwise minimum, of arrays or of an array and a number; ``b`` where either is NaN, on every backend."""
    return xp.where(a < b, a, b)


def clip(v: Array, low: Array, high: Array, xp: Any) -> Array:
    """The nearest number in [low, high]; NaN stays NaN."""
    return xp.where(v < low, low, xp.where(v > high, high, v))


def into_ball(v: Array, radius: Array, xp: Any) -> Array:
    """The projection of each row onto the ball |v| <= radius; a row inside keeps its bits."""
    return v / maximum(norm(v, xp) / radius, 1.0, xp)


def sign(v: Array, xp: Any) -> Array:
    """+1, -1, or 0 where v is 0 (of either sign); NaN gives 0 on every backend."""
    one, zero = xp.asarray(1.0), xp.asarray(0.0)
    return xp.where(v > 0.0, one, xp.where(v < 0.0, -one, zero))


def power(x: Array, p: Array, xp: Any) -> Array:
    """x^p for x >= 0. The namespaces of the engines share one formula, `maths.power`."""
    return xp.pow(x, p)


def argmax(v: Array, xp: Any) -> Array:
    """Index of the largest entry of each row, (runs, d) -> (runs, 1) of int64; the first of equal ones.

    NaN is never the largest; a row of NaN gives 0.
    """
    if hasattr(xp, "row_argmax"):
        return xp.row_argmax(v)
    d = v.shape[-1]
    if d > LEFT_TO_RIGHT:  # in a row of -inf and NaN the first -inf is chosen
        if xp.__name__ == "numpy":  # its argmax returns a NaN first; without one, a single pass suffices
            best = xp.argmax(v, axis=-1, keepdims=True)
            if not xp.isnan(xp.take_along_axis(v, best, axis=-1)).any():
                return best
        number = v == v
        best = xp.argmax(xp.where(number, v, xp.asarray(-xp.inf)), axis=-1, keepdims=True)
        only_inf = xp.all(~(v > -xp.inf), axis=-1, keepdims=True)
        first = xp.argmax(xp.astype(number, xp.int64), axis=-1, keepdims=True)
        return xp.where(only_inf, first, best)
    best, index = v[..., 0:1], xp.astype(v[..., 0:1] * 0.0 != 0.0, xp.int64) * 0
    for j in range(1, d):
        entry = v[..., j : j + 1]
        larger = (entry > best) | ((best != best) & (entry == entry))
        index = xp.where(larger, xp.asarray(j, dtype=xp.int64), index)
        best = xp.where(larger, entry, best)
    return index


def take(v: Array, i: Array, xp: Any) -> Array:
    """One entry of the task axis per run: (runs, m, d) and (runs, 1) indices in {0, ..., m-1} -> (runs, d)."""
    if hasattr(xp, "row_take"):
        return xp.row_take(v, i)
    return patch.take_task(v, i, xp)


def rows_at(a: Array, index: Array, xp: Any) -> Array:
    """a[index] for a table or vector a (n, ...) and index (runs, S): (runs, S, ...), e.g. a minibatch for each run."""
    return xp.reshape(xp.take(a, xp.reshape(index, (-1,)), axis=0), (*index.shape, *a.shape[1:]))


def entry(v: Array, i: Array, xp: Any) -> Array:
    """One entry of each vector: (..., d) and (..., 1) indices in {0, ..., d-1} -> (..., 1)."""
    if not hasattr(xp, "row_take"):
        return xp.take_along_axis(v, i, axis=-1)
    if v.ndim == 2:
        return take(v[..., None], i, xp)
    return rowsum(xp.where(xp.arange(v.shape[-1]) == i, v, xp.asarray(0.0)), xp)


def put(v: Array, i: Array, new: Array, xp: Any) -> Array:
    """``v`` (runs, m, d) with entry i (runs, 1) of each run's task axis replaced by ``new`` (runs, d).

    A field of the state that a step changes only in this way, and reads only by `take`, is never copied: the step costs
    the same for every m, on every engine (`workbench.arrays.patch`, `workbench.engine.schedule`). A whole-array update
    that few steps need belongs into a `loop` of 0 or 1 iterations. Raises ValueError for what is no (runs, m, d).
    """
    if len(v.shape) != 3:
        raise ValueError(
            f"put replaces a task of (rows, m, d), and this has the shape {tuple(v.shape)};"
            " an entry of a vector is changed by add_at(v, i, change, xp)"
        )
    if hasattr(xp, "row_put"):
        return xp.row_put(v, i, new)
    return patch.patch(v, i, new, xp)


def tasksum(v: Array, xp: Any) -> Array:
    """Sum over the task axis: (runs, m, d) -> (runs, d); left to right up to m = 64, as `rowsum`."""
    m = v.shape[1]
    if hasattr(xp, "row_sum") or m > LEFT_TO_RIGHT:
        return xp.sum(v, axis=1)
    total = v[:, 0, :]
    for i in range(1, m):
        total = total + v[:, i, :]
    return total


def argsort(v: Array, axis: int, xp: Any) -> Array:
    """Indices of the stable sort along an axis. CuPy 14 lacks the standard's keyword and takes ``kind`` instead."""
    how = {"kind": "stable"} if xp.__name__ == "cupy" else {"stable": True}
    return xp.argsort(v, axis=axis, **how)


def ranks(v: Array, xp: Any) -> Array:
    """The place of each entry in its sorted row, from 0: (runs, d) -> (runs, d) of int64; equal ones in their order.

    Of ``draw(0).uniform(n)`` it is a uniform permutation of n components: a compiled loop has no sort, so the d^2
    comparisons are written out.
    """
    place, at = xp.astype(v < v, xp.int64), xp.arange(v.shape[-1])
    for j in range(v.shape[-1]):
        other = v[..., j : j + 1]
        place = place + xp.astype((other < v) | ((other == v) & (at > j)), xp.int64)
    return place


def choice(weights: Array, u: Array, xp: Any) -> Array:
    """An index in proportion to the weights: (runs, d) and u (runs, 1), uniform on (0, 1) -> (runs, 1) of int64.

    Weights are not negative, and need not add up to 1; one of 0 is never chosen. Sums go from left to right.
    """
    sums = [weights[..., 0:1]]
    for j in range(1, weights.shape[-1]):
        sums.append(sums[-1] + weights[..., j : j + 1])
    at = u * sums[-1]
    index = xp.astype(u < u, xp.int64)
    for upper in sums[:-1]:
        index = index + xp.astype(upper <= at, xp.int64)
    return index


def add_at(v: Array, i: Array, change: Array, xp: Any) -> Array:
    """A table of numbers with ``change`` added to one entry: (runs, d), indices (runs, 1), (runs, 1) -> (runs, d)."""
    return v + xp.where(xp.arange(v.shape[-1]) == i, change, xp.asarray(0.0))


def matvec(A: Array, x: Array, xp: Any) -> Array:
    """A x for each row: (n, d) times (runs, d) -> (runs, n). Backends agree to round-off, not to the bit."""
    if hasattr(xp, "row_matvec"):
        return xp.row_matvec(A, x)
    return xp.matmul(x, xp.matrix_transpose(A))


def loop(
    n: int | Array,
    body: Callable[[Any, tuple[Array, ...]], tuple[Array, ...]],
    carry: tuple[Array, ...],
    xp: Any,
    going: Callable[[tuple[Array, ...]], Array] | None = None,
) -> tuple[Array, ...]:
    """``carry = body(k, carry)`` for k = 0, 1, ..., n-1; rows that have finished keep their carry.

    n: one count for the batch (an int, or a 0-dimensional array such as a schedule in t), or one per run, (runs, 1).
    Fractions are dropped, and a run whose count is not finite makes no iteration. carry: has the shapes and types that
    ``body`` returns. going: condition per run, (runs, 1) of bool; a row stops for good when it is false for the first
    time. Oracle calls in ``body`` are metered for the rows still going.
    """
    if hasattr(xp, "loop"):  # the tracer makes one loop of the kernel of it
        return xp.loop(n, body, carry, going)
    per_run = None if isinstance(n, int) or n.ndim == 0 else _whole(n, xp)
    limit = int(n if per_run is None else xp.max(per_run))
    alive: Array = None
    for k in range(limit):
        mask = alive
        if per_run is not None:
            mask = per_run > k if mask is None else mask & (per_run > k)
        if going is not None:
            with meter.only(mask, xp):
                go = going(carry)
            mask = go if mask is None else mask & go
        if going is not None and not bool(xp.any(mask)):
            break
        with meter.only(mask, xp):
            new = body(k, carry)
        carry = tuple(_select(mask, a, b, xp) for a, b in zip(new, carry, strict=True))
        alive = mask
    return carry


def _whole(n: Array, xp: Any) -> Array:
    """Counts rounded down; 0 where they are not finite."""
    return xp.floor(xp.where(n < xp.inf, n, xp.zeros_like(n))) if n.dtype == xp.float64 else n


def branch(
    condition: Array,
    yes: Callable[[], tuple[Array, ...]],
    no: Callable[[], tuple[Array, ...]],
    xp: Any,
) -> tuple[Array, ...]:
    """``yes()`` or ``no()``, by a condition that all runs share (0-dimensional, such as one on t).

    Only the chosen one runs and is metered. Both return arrays of the same shapes.
    """
    if hasattr(xp, "branch"):
        return xp.branch(condition, yes, no)
    return yes() if bool(condition) else no()


def _select(mask: Array, new: Array, old: Array, xp: Any) -> Array:
    """``new`` in the rows of ``mask`` (runs, 1), ``old`` elsewhere; None: all rows. The mask broadcasts over tasks."""
    if mask is None:
        return new
    return xp.where(xp.reshape(mask, (-1,) + (1,) * (new.ndim - 1)), new, old)

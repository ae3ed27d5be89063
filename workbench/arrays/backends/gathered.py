"""Means of losses and their gradients over rows of a data matrix on NumPy, reading each row once and in place.

An array library would gather the sampled rows, multiply, and multiply again by their transpose: every byte would move
through memory four times or more. Over all rows of a sparse matrix it would also allocate arrays (n, runs). Numba is
imported late; a compiled function is cached on disk, as in `workbench.arrays.backends.compiled`.
"""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.arrays.backends.compiled import compile_cached, source_stamp

# The ``xp`` of a loss in a kernel, and the prefetch instruction; global, so that cached kernels are found again.
NUMBERS: Any = None
PREFETCH: Any = None
# Sampled rows are scattered in memory, and each would wait for it unless its first lines were prefetched so many rows
# earlier. The processor prefetches the later lines of a long row itself, so a loop over them would not pay.
AHEAD = 8
LINE = 64  # bytes of a cache line
MANY, SOME = 64, 8  # runs that a pass over all rows takes side by side, and width of the passes for the rest
_Numbers = namedtuple("_Numbers", "where abs exp log")
# Sums of products may be reordered and fused, as in BLAS; the order depends on the row alone, never on the batch.
_FAST = {"reassoc", "contract"}
# Left to right: the entries of a sparse row are too few and too far apart to vectorize.
_IN_ORDER = {"contract"}
_DENSE, _SPARSE = "f8[:, ::1], f8[::1]", "f8[::1], i4[::1], i8[::1], f8[::1]"  # a matrix and its labels
# Accept writable samples and points too.
_SAMPLES, _POINTS = "Array(int64, 2, 'C', readonly=True)", "Array(float64, 2, 'C', readonly=True)"
_OUT = "f8[:, ::1]"
# (kernel, types of its arguments, fastmath flags)
_Made = tuple[Callable[..., None], str, set[str]]


def means(
    loss: Callable[..., Any],
    matrix: tuple[np.ndarray, ...],
    b: np.ndarray,
    index: np.ndarray,
    points: tuple[np.ndarray, ...],
) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """Over each run's rows i in index (runs, S): means of loss(<a_i, x>, b_i), and gradients, at one or two points.

    loss: (product, label, xp) -> (value, derivative in the product). matrix: (A,), or (values, columns, starts) of
    compressed sparse rows. points: one or two arrays (runs, d). Returns (runs, P), and (runs, d) for each point.
    """
    runs, P = len(index), len(points)
    values, grads = np.zeros((runs, P)), tuple(np.zeros(x.shape) for x in points)
    kernel = _kernel(_dense if len(matrix) == 1 else _sparse, loss)
    # A single point is passed twice; its second gradient has no columns.
    x, y = (np.ascontiguousarray(points[p]) for p in (0, P - 1))
    g, h = grads[0], grads[1] if P == 2 else np.zeros((runs, 0))
    kernel(*map(np.ascontiguousarray, (*matrix, b, index)), x, y, values, g, h)
    return values, grads


def differences(
    loss: Callable[..., Any],
    matrix: tuple[np.ndarray, ...],
    b: np.ndarray,
    index: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
) -> np.ndarray:
    """Over each run's rows, as `means`: the mean gradient at x less that at y, (runs, d), each row added once."""
    out = np.empty(x.shape)
    kernel = _kernel(_dense_differences if len(matrix) == 1 else _sparse_differences, loss)
    kernel(*map(np.ascontiguousarray, (*matrix, b, index, x, y)), out)
    return out


def mean_gradient(
    loss: Callable[..., Any], matrix: tuple[np.ndarray, ...], b: np.ndarray, x: np.ndarray
) -> np.ndarray:
    """The mean of the gradients over all rows of a sparse matrix, for each run: (runs, d)."""
    out = np.empty(x.shape)
    many = len(x) - len(x) % MANY
    for make, part in ((_pass_of_many, slice(0, many)), (_pass_of_some, slice(many, len(x)))):
        if len(x[part]):
            _kernel(make, loss)(*map(np.ascontiguousarray, (*matrix, b, x[part])), out[part])
    return out


@functools.cache
def _kernel(make: Callable[..., Any], loss: Callable[..., Any]) -> Callable[..., None]:
    """The kernel that ``make`` writes for a loss, compiled for the types that it names."""
    import numba

    _teach()
    _teach_loss(loss)
    kernel, arguments, fast = make(loss)
    jit = functools.partial(numba.njit, error_model="numpy", nogil=True, fastmath=fast)
    return compile_cached(jit, f"({arguments})", kernel)


@functools.cache
def _teach() -> None:
    """Makes what the kernels call known to Numba."""
    from numba.extending import register_jitable

    global NUMBERS, PREFETCH
    NUMBERS, PREFETCH = _numbers(), _prefetch()
    dense: tuple[Any, ...] = (_four_products, _eight_products, _add_four)
    for function in dense:
        register_jitable(fastmath=_FAST)(function)
    small: tuple[Any, ...] = (_four, _ask_ahead, _two_products)
    for function in small:
        register_jitable(fastmath=_IN_ORDER, forceinline=True)(function)


@functools.cache
def _teach_loss(loss: Callable[..., Any]) -> None:
    from numba.extending import register_jitable

    register_jitable(error_model="numpy", forceinline=True)(loss)


def _dense(loss: Callable[..., Any]) -> _Made:
    """Four rows at a time, at one point after the other."""
    stamp = source_stamp(loss)

    def dense(A: Any, b: Any, index: Any, x: Any, y: Any, values: Any, grads_x: Any, grads_y: Any) -> None:
        stamp  # noqa: B018  (see `source_stamp`)
        runs, S = index.shape
        for r in range(runs):
            for s in range(0, S, 4):
                h, i, j, k = _four(index, r, s)
                u, v, w = 1.0 * (s + 1 < S), 1.0 * (s + 2 < S), 1.0 * (s + 3 < S)
                for p in range(values.shape[1]):
                    point, grad = (x[r], grads_x[r]) if p == 0 else (y[r], grads_y[r])
                    products = _four_products(A[h], A[i], A[j], A[k], point)
                    value_h, slope_h = loss(products[0], b[h], NUMBERS)
                    value_i, slope_i = loss(products[1], b[i], NUMBERS)
                    value_j, slope_j = loss(products[2], b[j], NUMBERS)
                    value_k, slope_k = loss(products[3], b[k], NUMBERS)
                    values[r, p] += (value_h + u * value_i + v * value_j + w * value_k) / S
                    weights = (slope_h / S, u * slope_i / S, v * slope_j / S, w * slope_k / S)
                    _add_four(weights, A[h], A[i], A[j], A[k], grad)

    return dense, f"{_DENSE}, {_SAMPLES}, {_POINTS}, {_POINTS}" + f", {_OUT}" * 3, _FAST


def _dense_differences(loss: Callable[..., Any]) -> _Made:
    """Four rows at a time, at both points at once."""
    stamp = source_stamp(loss)

    def differences(A: Any, b: Any, index: Any, x: Any, y: Any, out: Any) -> None:
        stamp  # noqa: B018
        runs, S = index.shape
        for r in range(runs):
            out[r] = 0.0
            for s in range(0, S, 4):
                h, i, j, k = _four(index, r, s)
                at_x, at_y = _eight_products(A[h], A[i], A[j], A[k], x[r], y[r])
                u, v, w = 1.0 * (s + 1 < S), 1.0 * (s + 2 < S), 1.0 * (s + 3 < S)
                weights = (
                    (loss(at_x[0], b[h], NUMBERS)[1] - loss(at_y[0], b[h], NUMBERS)[1]) / S,
                    (loss(at_x[1], b[i], NUMBERS)[1] - loss(at_y[1], b[i], NUMBERS)[1]) / S * u,
                    (loss(at_x[2], b[j], NUMBERS)[1] - loss(at_y[2], b[j], NUMBERS)[1]) / S * v,
                    (loss(at_x[3], b[k], NUMBERS)[1] - loss(at_y[3], b[k], NUMBERS)[1]) / S * w,
                )
                _add_four(weights, A[h], A[i], A[j], A[k], out[r])

    return differences, f"{_DENSE}, {_SAMPLES}, {_POINTS}, {_POINTS}, {_OUT}", _FAST


def _sparse(loss: Callable[..., Any]) -> _Made:
    """One row at a time, at both points at once."""
    stamp = source_stamp(loss)

    def sparse(
        entries: Any, columns: Any, starts: Any, b: Any, index: Any, x: Any, y: Any, values: Any, grads_x: Any,
        grads_y: Any,
    ) -> None:  # fmt: skip
        stamp  # noqa: B018
        runs, S = index.shape
        for r in range(runs):
            grad_x, grad_y = grads_x[r], grads_y[r]
            for s in range(S):
                i, first, last = _ask_ahead(entries, columns, starts, index, r, s)
                p, q = _two_products(entries, columns, first, last, x[r], y[r])
                value, slope = loss(p, b[i], NUMBERS)
                values[r, 0] += value / S
                weight = slope / S
                if values.shape[1] == 1:
                    for k in range(first, last):
                        grad_x[np.uint32(columns[k])] += weight * entries[k]
                    continue
                value, slope = loss(q, b[i], NUMBERS)
                values[r, 1] += value / S
                other = slope / S
                for k in range(first, last):
                    j = np.uint32(columns[k])
                    grad_x[j] += weight * entries[k]
                    grad_y[j] += other * entries[k]

    return sparse, f"{_SPARSE}, {_SAMPLES}, {_POINTS}, {_POINTS}" + f", {_OUT}" * 3, _IN_ORDER


def _sparse_differences(loss: Callable[..., Any]) -> _Made:
    """One row at a time. A run's points are first copied in order, which brings them into the cache."""
    stamp = source_stamp(loss)

    def differences(
        entries: Any, columns: Any, starts: Any, b: Any, index: Any, x: Any, y: Any, out: Any
    ) -> None:
        stamp  # noqa: B018
        (runs, S), d = index.shape, x.shape[1]
        near_x, near_y = np.empty(d), np.empty(d)
        for r in range(runs):
            row = out[r]
            for j in range(d):
                near_x[j], near_y[j], row[j] = x[r, j], y[r, j], 0.0
            for s in range(S):
                i, first, last = _ask_ahead(entries, columns, starts, index, r, s)
                p, q = _two_products(entries, columns, first, last, near_x, near_y)
                weight = (loss(p, b[i], NUMBERS)[1] - loss(q, b[i], NUMBERS)[1]) / S
                for k in range(first, last):
                    row[np.uint32(columns[k])] += weight * entries[k]

    return differences, f"{_SPARSE}, {_SAMPLES}, {_POINTS}, {_POINTS}, {_OUT}", _IN_ORDER


def _sparse_pass(width: int, loss: Callable[..., Any]) -> _Made:
    """Every row once for ``width`` runs: the numbers that an entry is multiplied by are adjacent, one per run."""
    stamp = source_stamp(loss)

    def whole(entries: Any, columns: Any, starts: Any, b: Any, x: Any, out: Any) -> None:
        stamp  # noqa: B018
        (runs, d), n = x.shape, b.size
        X, G, slopes = np.empty((d, width)), np.empty((d, width)), np.empty(width)
        for run in range(0, runs, width):
            count = min(width, runs - run)
            for j in range(d):
                for r in range(width):  # beyond the last run it is repeated
                    X[j, r], G[j, r] = x[run + min(r, count - 1), j], 0.0
            for i in range(n):
                first, last = np.uint64(starts[i]), np.uint64(starts[i + 1])
                slopes[:] = 0.0
                for k in range(first, last):
                    entry, numbers = entries[k], X[np.uint32(columns[k])]
                    for r in range(width):
                        slopes[r] += entry * numbers[r]
                for r in range(width):
                    slopes[r] = loss(slopes[r], b[i], NUMBERS)[1] / n
                for k in range(first, last):
                    entry, numbers = entries[k], G[np.uint32(columns[k])]
                    for r in range(width):
                        numbers[r] += entry * slopes[r]
            for r in range(count):
                for j in range(d):
                    out[run + r, j] = G[j, r]

    return whole, f"{_SPARSE}, {_POINTS}, {_OUT}", _IN_ORDER


_pass_of_many, _pass_of_some = (functools.partial(_sparse_pass, width) for width in (MANY, SOME))


def _four(index: Any, r: Any, s: Any) -> tuple[Any, Any, Any, Any]:
    """Run r's samples s to s + 3; beyond the end the last one is repeated, with weight 0 later."""
    last = index.shape[1] - 1
    return index[r, s], index[r, min(s + 1, last)], index[r, min(s + 2, last)], index[r, min(s + 3, last)]


def _ask_ahead(entries: Any, columns: Any, starts: Any, index: Any, r: Any, s: Any) -> tuple[Any, Any, Any]:
    """Sample s of run r: its row, and where the row begins and ends. Prefetches the start of a later sample's row."""
    later = np.uint64(starts[index[r, min(s + AHEAD, index.shape[1] - 1)]])
    for line in range(4):
        PREFETCH(entries, later + np.uint64(line * (LINE // 8)))
    for line in range(3):
        PREFETCH(columns, later + np.uint64(line * (LINE // 4)))
    i = index[r, s]
    return i, np.uint64(starts[i]), np.uint64(starts[i + 1])


def _two_products(entries: Any, columns: Any, first: Any, last: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """<a, x> and <a, y> for a sparse row. Indices are unsigned, so that Numba need not handle negative ones."""
    p = q = 0.0
    for k in range(first, last):
        j = np.uint32(columns[k])
        p += entries[k] * x[j]
        q += entries[k] * y[j]
    return p, q


def _eight_products(a: Any, b: Any, c: Any, d: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """<a, x>, <b, x>, <c, x>, <d, x>, and the same with y: each entry of a row is loaded once for both."""
    p = q = u = v = 0.0
    k = m = n = o = 0.0
    for j in range(x.size):
        p += a[j] * x[j]
        q += b[j] * x[j]
        u += c[j] * x[j]
        v += d[j] * x[j]
        k += a[j] * y[j]
        m += b[j] * y[j]
        n += c[j] * y[j]
        o += d[j] * y[j]
    return (p, q, u, v), (k, m, n, o)


def _four_products(a: Any, b: Any, c: Any, d: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """<a, x>, <b, x>, <c, x>, <d, x>: x is loaded once for four rows."""
    p = q = u = v = 0.0
    for j in range(x.size):
        p += a[j] * x[j]
        q += b[j] * x[j]
        u += c[j] * x[j]
        v += d[j] * x[j]
    return p, q, u, v


def _add_four(weights: tuple[Any, Any, Any, Any], a: Any, b: Any, c: Any, d: Any, out: Any) -> None:
    p, q, u, v = weights
    for j in range(out.size):
        out[j] += (p * a[j] + q * b[j]) + (u * c[j] + v * d[j])


@functools.cache
def _prefetch() -> Any:
    """``prefetch(array, i)``: requests the cache line of array[i] without waiting."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typing_context: Any, array: Any, i: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(array)(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
            word = ir.IntType(32)
            shape = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
            function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
            builder.call(function, [place, word(0), word(3), word(1)])  # to read, into every cache, data
            return context.get_dummy_value()

        return types.none(array, i), codegen

    return prefetch


@functools.cache
def _numbers() -> Any:
    import numba

    jit = numba.njit(forceinline=True)
    return _Numbers(
        where=jit(lambda c, a, b: a if c else b),
        abs=jit(lambda x: abs(x)),
        exp=jit(lambda x: math.exp(x)),
        log=jit(lambda x: math.log(x)),
    )

"""Mean loss and gradient over sampled rows of a data matrix on NumPy: each row is read once, where it lies.

A library gathers the rows, multiplies, and multiplies again by their transpose: every byte of them moves through memory
four times or more. Numba is imported late; a compiled function is kept on disk, as in `workbench.backend.compiled`.
"""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.backend.compiled import cached, source_stamp

# What ``xp`` is to a loss in a kernel, and what fetches memory ahead; global, so that kernels are found on disk again.
NUMBERS: Any = None
PREFETCH: Any = None
# Sampled rows lie anywhere: each would wait for memory if it were not asked for so many rows earlier.
AHEAD = 8
LINE = 64  # bytes of a cache line
_Numbers = namedtuple("_Numbers", "where abs exp log")
# Sums of products may be reordered and fused, as in BLAS; the order depends on the row alone, never on the batch.
_FAST = {"reassoc", "contract"}
_ARRAYS = ", ".join(["f8[:, ::1]"] * 5)  # two points, the values, two gradients
_DENSE = f"(f8[:, ::1], f8[::1], i8[:, ::1], {_ARRAYS})"
_SPARSE = f"(f8[::1], i4[::1], i8[::1], f8[::1], i8[:, ::1], {_ARRAYS})"


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
    kernel = _kernel(loss, len(matrix) > 1)
    # One point goes in twice; what would be its second gradient has no columns.
    x, y = (np.ascontiguousarray(points[p]) for p in (0, P - 1))
    g, h = grads[0], grads[1] if P == 2 else np.zeros((runs, 0))
    kernel(*map(np.ascontiguousarray, (*matrix, b, index)), x, y, values, g, h)
    return values, grads


@functools.cache
def _kernel(loss: Callable[..., Any], sparse: bool) -> Callable[..., None]:
    import numba
    from numba.extending import register_jitable

    global NUMBERS, PREFETCH
    NUMBERS, PREFETCH = _numbers(), _prefetch()
    register_jitable(error_model="numpy", forceinline=True)(loss)
    for function in (_four_products, _add_four):
        register_jitable(fastmath=_FAST)(function)
    jit = functools.partial(numba.njit, error_model="numpy", nogil=True)
    if sparse:  # its entries are few and far apart: sums go from left to right
        return cached(functools.partial(jit, fastmath={"contract"}), _SPARSE, _compressed(loss))
    return cached(functools.partial(jit, fastmath=_FAST), _DENSE, _dense(loss))


def _dense(loss: Callable[..., Any]) -> Callable[..., None]:
    """Four rows at a time, at one point after the other."""
    stamp = source_stamp(loss)

    def dense(A: Any, b: Any, index: Any, x: Any, y: Any, values: Any, grads_x: Any, grads_y: Any) -> None:
        stamp  # noqa: B018  (see `source_stamp`)
        runs, S = index.shape
        for r in range(runs):
            for s in range(0, S, 4):  # past the end the last row stands in, with no weight
                h, i, j, k = (
                    index[r, s],
                    index[r, min(s + 1, S - 1)],
                    index[r, min(s + 2, S - 1)],
                    index[r, min(s + 3, S - 1)],
                )
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

    return dense


def _compressed(loss: Callable[..., Any]) -> Callable[..., None]:
    """One row at a time, at both points at once."""
    stamp = source_stamp(loss)

    def compressed(
        entries: Any, columns: Any, starts: Any, b: Any, index: Any, x: Any, y: Any, values: Any, grads_x: Any,
        grads_y: Any,
    ) -> None:  # fmt: skip
        stamp  # noqa: B018
        runs, S = index.shape
        for r in range(runs):
            x_r, y_r, grad_x, grad_y = x[r], y[r], grads_x[r], grads_y[r]
            for s in range(S):
                # Unsigned numbers: Numba need not ask whether an index counts from the end.
                i = index[r, min(s + AHEAD, S - 1)]
                first, last = np.uint64(starts[i]), np.uint64(starts[i + 1])
                for k in range(first, last, np.uint64(LINE // 8)):
                    PREFETCH(entries, k)
                for k in range(first, last, np.uint64(LINE // 4)):
                    PREFETCH(columns, k)
                i = index[r, s]
                first, last = np.uint64(starts[i]), np.uint64(starts[i + 1])
                p = q = 0.0
                for k in range(first, last):
                    j = np.uint32(columns[k])
                    p += entries[k] * x_r[j]
                    q += entries[k] * y_r[j]
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

    return compressed


def _four_products(a: Any, b: Any, c: Any, d: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """<a, x>, <b, x>, <c, x>, <d, x>. Four rows at a time: x is loaded once for them, and so are the sums below."""
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
    """``prefetch(array, i)``: asks for the cache line of array[i], and waits for nothing."""
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

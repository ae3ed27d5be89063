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

NUMBERS: Any = (
    None  # what ``xp`` is to a loss inside a kernel; global, so that kernels are found on disk again
)
_Numbers = namedtuple("_Numbers", "where abs exp log")
# Sums of products may be reordered and fused, as in BLAS; the order depends on the row alone, never on the batch.
_FAST = {"reassoc", "contract"}
_DENSE = "(f8[:, ::1], f8[::1], i8[:, ::1], f8[:, :, ::1], f8[:, ::1], f8[:, :, ::1])"
_SPARSE = "(f8[::1], i4[::1], i8[::1], f8[::1], i8[:, ::1], f8[:, :, ::1], f8[:, ::1], f8[:, :, ::1])"


def means(
    loss: Callable[..., Any],
    matrix: tuple[np.ndarray, ...],
    b: np.ndarray,
    index: np.ndarray,
    points: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Over each run's rows i in index (runs, S): means of loss(<a_i, x>, b_i), and their gradients, at P points x.

    loss: (product, label, xp) -> (value, derivative in the product). matrix: (A,), or (values, columns, starts) of
    compressed sparse rows. points: (runs, P, d). Returns (runs, P) and (runs, P, d).
    """
    values, grads = np.zeros(points.shape[:2]), np.zeros(points.shape)
    kernel = _kernel(loss, len(matrix) > 1)
    kernel(*map(np.ascontiguousarray, (*matrix, b, index, points)), values, grads)
    return values, grads


@functools.cache
def _kernel(loss: Callable[..., Any], sparse: bool) -> Callable[..., None]:
    import numba
    from numba.extending import register_jitable

    global NUMBERS
    NUMBERS = _numbers()
    register_jitable(error_model="numpy", forceinline=True)(loss)
    for function in (_four_products, _add_four):
        register_jitable(fastmath=_FAST)(function)
    stamp = source_stamp(loss)

    def dense(A: Any, b: Any, index: Any, points: Any, values: Any, grads: Any) -> None:
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
                for p in range(points.shape[1]):
                    products = _four_products(A[h], A[i], A[j], A[k], points[r, p])
                    value_h, slope_h = loss(products[0], b[h], NUMBERS)
                    value_i, slope_i = loss(products[1], b[i], NUMBERS)
                    value_j, slope_j = loss(products[2], b[j], NUMBERS)
                    value_k, slope_k = loss(products[3], b[k], NUMBERS)
                    u, v, w = 1.0 * (s + 1 < S), 1.0 * (s + 2 < S), 1.0 * (s + 3 < S)
                    values[r, p] += (value_h + u * value_i + v * value_j + w * value_k) / S
                    weights = (slope_h / S, u * slope_i / S, v * slope_j / S, w * slope_k / S)
                    _add_four(weights, A[h], A[i], A[j], A[k], grads[r, p])

    def compressed(
        entries: Any, columns: Any, starts: Any, b: Any, index: Any, points: Any, values: Any, grads: Any
    ) -> None:
        stamp  # noqa: B018
        runs, S = index.shape
        for r in range(runs):
            for s in range(S):
                i = index[r, s]
                for p in range(points.shape[1]):
                    product = 0.0
                    for k in range(starts[i], starts[i + 1]):
                        product += entries[k] * points[r, p, columns[k]]
                    value, slope = loss(product, b[i], NUMBERS)
                    values[r, p] += value / S
                    weight = slope / S
                    for k in range(starts[i], starts[i + 1]):
                        grads[r, p, columns[k]] += weight * entries[k]

    jit = functools.partial(numba.njit, fastmath=_FAST, error_model="numpy", nogil=True)
    return cached(jit, _SPARSE, compressed) if sparse else cached(jit, _DENSE, dense)


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
def _numbers() -> Any:
    import numba

    jit = numba.njit(forceinline=True)
    return _Numbers(
        where=jit(lambda c, a, b: a if c else b),
        abs=jit(lambda x: abs(x)),
        exp=jit(lambda x: math.exp(x)),
        log=jit(lambda x: math.log(x)),
    )

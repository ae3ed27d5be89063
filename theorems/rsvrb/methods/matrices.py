"""Operations on the estimates of Jacobians and Hessians, dense or diagonal, and on one block of a stack of tasks.

A dense estimate has one axis more than a vector: (runs, d, d') next to (runs, d'), or (runs, m, d, d') next to
(runs, m, d') for m tasks. A problem whose coordinates separate keeps only diagonals, in the shape of a vector; for
these, singular values and eigenvalues are entries up to the sign, and the steps can be compiled.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import clip, maximum, put, take

Array = Any


def times(V: Array, w: Array, xp: Any) -> Array:
    """V w."""
    return V * w if V.ndim == w.ndim else xp.sum(V * w[..., None, :], axis=-1)


def solve(H: Array, v: Array, xp: Any) -> Array:
    """H^-1 v."""
    return v / H if H.ndim == v.ndim else xp.linalg.solve(H, v[..., None])[..., 0]


def into_spectral_ball(V: Array, C: Array, like: Array, xp: Any) -> Array:
    """S^u_C: the nearest matrix with singular values at most C, L87. ``like``: a vector estimate beside V.

    C: a number, or an array that broadcasts with vectors.
    """
    if V.ndim == like.ndim:
        return clip(V, -C, C, xp)
    left, values, right = xp.linalg.svd(V, full_matrices=False)
    return xp.matmul(left * clip(values, 0.0, C, xp)[..., None, :], right)


def at_least(H: Array, lam: Array, like: Array, xp: Any) -> Array:
    """S^l_lambda: the nearest symmetric matrix with eigenvalues at least lambda, L87.

    The paper thresholds singular values (L88), which leaves negative eigenvalues of H: eigenvalues are clipped.
    """
    if H.ndim == like.ndim:
        return maximum(H, lam, xp)
    values, vectors = xp.linalg.eigh((H + xp.matrix_transpose(H)) / 2.0)
    scaled_vectors = vectors * maximum(values, lam, xp)[..., None, :]
    return xp.matmul(scaled_vectors, xp.matrix_transpose(vectors))


def block(a: Array, i: Array, xp: Any) -> Array:
    """The task i, (runs, 1), of a stack: (runs, m, ...) -> (runs, ...)."""
    if a.ndim == 3:
        return take(a, i, xp)
    flat = xp.reshape(a, (a.shape[0], a.shape[1], -1))
    return xp.reshape(take(flat, i, xp), (a.shape[0], *a.shape[2:]))


def replace_task(a: Array, i: Array, new: Array, xp: Any) -> Array:
    """The stack ``a`` with the task i replace_task by ``new``."""
    if a.ndim == 3:
        return put(a, i, new, xp)
    flat = xp.reshape(a, (a.shape[0], a.shape[1], -1))
    return xp.reshape(put(flat, i, xp.reshape(new, (a.shape[0], -1)), xp), a.shape)


def hypergradient(u: Array, v: Array, V: Array, H: Array, xp: Any) -> Array:
    """z = u - V H^-1 v."""
    return u - times(V, solve(H, v, xp), xp)

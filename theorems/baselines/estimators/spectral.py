"""Projections of estimated matrices: singular values from above, eigenvalues from below; the nearest in each set."""

from __future__ import annotations

from typing import Any

from workbench.ops import clip, maximum

Array = Any


def into_spectral_ball(V: Array, C: Array, xp: Any) -> Array:
    """The nearest matrices (..., d, p) with singular values at most C; C broadcasts with (..., min(d, p))."""
    left, values, right = xp.linalg.svd(V, full_matrices=False)
    return xp.matmul(left * clip(values, 0.0, C, xp)[..., None, :], right)


def at_least(H: Array, least: Array, xp: Any) -> Array:
    """The nearest symmetric (..., p, p) with eigenvalues at least ``least``, which broadcasts with (..., p)."""
    values, vectors = xp.linalg.eigh((H + xp.matrix_transpose(H)) / 2.0)
    scaled_vectors = vectors * maximum(values, least, xp)[..., None, :]
    return xp.matmul(scaled_vectors, xp.matrix_transpose(vectors))

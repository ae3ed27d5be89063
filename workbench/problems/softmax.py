"""Softmax regression for batches of runs: logits, mean cross-entropy, its gradient and Hessian-vector products.

y holds the (d, classes) weight matrix by rows, (runs, d classes); z is (n, d) or (runs, n, d), labels are one-hot.
weights: of the points in the mean, (runs, n), each divided by n; all 1 where none are given.
"""

from __future__ import annotations

from typing import Any

Array = Any


def logits(y: Array, z: Array, classes: int, xp: Any) -> Array:
    """(runs, n, classes)."""
    return xp.matmul(z, xp.reshape(y, (y.shape[0], z.shape[-1], classes)))


def softmax(o: Array, xp: Any) -> Array:
    """(..., classes): probabilities from scores, without overflow."""
    weights = xp.exp(o - xp.max(o, axis=-1, keepdims=True))
    return weights / xp.sum(weights, axis=-1, keepdims=True)


def cross_entropy(o: Array, labels: Array, xp: Any) -> Array:
    """(runs, 1): mean over the points of -log softmax of the right class."""
    top = xp.max(o, axis=-1, keepdims=True)
    total = top[..., 0] + xp.log(xp.sum(xp.exp(o - top), axis=-1))
    return xp.mean(total - xp.sum(labels * o, axis=-1), axis=-1, keepdims=True)


def loss(y: Array, z: Array, labels: Array, xp: Any) -> Array:
    """(runs, 1): the mean cross-entropy of a linear model."""
    return cross_entropy(logits(y, z, labels.shape[-1], xp), labels, xp)


def grad(y: Array, z: Array, labels: Array, xp: Any, weights: Array = None) -> Array:
    """(runs, d classes): gradient of the mean cross-entropy."""
    error = (softmax(logits(y, z, labels.shape[-1], xp), xp) - labels) / z.shape[-2]
    error = error if weights is None else error * weights[..., None]
    return xp.reshape(xp.matmul(xp.matrix_transpose(z), error), (y.shape[0], -1))


def hessian_vector(y: Array, v: Array, z: Array, classes: int, xp: Any, weights: Array = None) -> Array:
    """(runs, d classes): Hessian of the mean cross-entropy at y, times v."""
    probability = softmax(logits(y, z, classes, xp), xp)
    push = logits(v, z, classes, xp)
    push = push - xp.sum(probability * push, axis=-1, keepdims=True)
    push = push if weights is None else push * weights[..., None]
    return xp.reshape(xp.matmul(xp.matrix_transpose(z), probability * push / z.shape[-2]), (y.shape[0], -1))


def slopes(y: Array, v: Array, z: Array, labels: Array, xp: Any) -> Array:
    """(runs, n): derivative of each point's cross-entropy along v."""
    error = softmax(logits(y, z, labels.shape[-1], xp), xp) - labels
    return xp.sum(error * logits(v, z, labels.shape[-1], xp), axis=-1)

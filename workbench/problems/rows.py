"""An objective on data: a mean of losses over rows, dense or sparse, or half the squared norm.

``pair`` and ``difference`` take one sample of rows for both points. Values are (runs, 1), gradients (runs, d); indices
are drawn with replacement. Losses: ``square`` (p - b)^2, ``half_square`` (p - b)^2 / 2, ``logistic`` log(1 + exp(-b p))
with b = +-1, p = <a_i, x>.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.arrays.data_matrix import (
    Csr,
    largest_square,
    mean_gradient,
    sampled_difference,
    sampled_means,
    times,
)
from workbench.arrays.ops import sq

Array = Any


def _square(p: Array, b: Array, xp: Any) -> tuple[Array, Array]:
    return (p - b) ** 2, 2.0 * (p - b)


def _half_square(p: Array, b: Array, xp: Any) -> tuple[Array, Array]:
    return (p - b) ** 2 / 2.0, p - b


def _logistic(p: Array, b: Array, xp: Any) -> tuple[Array, Array]:
    margin = b * p
    small = xp.exp(-xp.abs(margin))  # no overflow on either side
    value = xp.log(1.0 + small) + xp.where(margin < 0.0, -margin, 0.0 * margin)
    return value, -b * xp.where(margin < 0.0, 1.0 + 0.0 * small, small) / (1.0 + small)


LOSSES: dict[str, Callable[[Array, Array, Any], tuple[Array, Array]]] = {
    "square": _square,
    "half_square": _half_square,
    "logistic": _logistic,
}
CURVATURE = {"square": 2.0, "half_square": 1.0, "logistic": 0.25}  # largest second derivative in p


@dataclass(frozen=True)
class HalfSquaredNorm:
    """|x|^2 / 2, exact: no sampling, no oracle cost."""

    exact = True
    n = 1

    def value(self, x: Array, xp: Any) -> Array:
        return sq(x, xp) / 2.0

    def grad(self, x: Array, xp: Any) -> Array:
        return x

    def at_sample(self, x: Array, sample: Any, S: int, xp: Any) -> tuple[Array, Array]:
        return self.value(x, xp), x

    def pair(self, x: Array, x_old: Array, sample: Any, S: int, xp: Any) -> tuple[Array, ...]:
        return self.value(x, xp), self.value(x_old, xp), x, x_old

    def difference(self, x: Array, x_old: Array, sample: Any, S: int, xp: Any) -> Array:
        return x - x_old

    def smoothness(self) -> float:
        return 1.0


@dataclass(frozen=True)
class Rows:
    """A mean of losses over the rows of a matrix A, (n, d), dense or `Csr`, with labels b, (n,).

    Raises ValueError for data that are not finite or do not fit.
    """

    A: Array
    b: Array
    loss: str = "square"

    exact = False

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise ValueError(f"unknown loss {self.loss!r}; choose one of {', '.join(LOSSES)}")
        if type(self.b).__module__ in ("builtins", "numpy"):  # copies on a GPU were checked before
            check_data(self.A, self.b, self.loss)

    @property
    def n(self) -> int:
        return self.A.shape[0]

    def value(self, x: Array, xp: Any) -> Array:
        value, _ = LOSSES[self.loss](times(self.A, x, xp), self.b, xp)
        return xp.mean(value, axis=-1, keepdims=True)

    def grad(self, x: Array, xp: Any) -> Array:
        return mean_gradient(LOSSES[self.loss], self.A, self.b, x, xp)

    def slopes(self, x: Array, xp: Any) -> tuple[Array, Array]:
        """Each row's loss and its derivative in <a_i, x>, (runs, n) both."""
        return LOSSES[self.loss](times(self.A, x, xp), self.b, xp)

    def at_sample(self, x: Array, sample: Any, S: int, xp: Any) -> tuple[Array, Array]:
        """(value, gradient) with S indices."""
        values, grads = self._batch((x,), sample, S, xp)
        return values, grads[0]

    def pair(self, x: Array, x_old: Array, sample: Any, S: int, xp: Any) -> tuple[Array, ...]:
        """(value at x, value at x_old, gradient at x, gradient at x_old), the same S indices."""
        values, grads = self._batch((x, x_old), sample, S, xp)
        return values[:, 0:1], values[:, 1:2], *grads

    def difference(self, x: Array, x_old: Array, sample: Any, S: int, xp: Any) -> Array:
        """The gradient at x less that at x_old, the same S indices."""
        index = sample.index(self.n, S)
        return sampled_difference(LOSSES[self.loss], self.A, self.b, index, x, x_old, xp)

    def _batch(
        self, points: tuple[Array, ...], sample: Any, S: int, xp: Any
    ) -> tuple[Array, tuple[Array, ...]]:
        """Values (runs, P), and a gradient (runs, d) for each point: means over the batch B of S rows."""
        index = sample.index(self.n, S)
        return sampled_means(LOSSES[self.loss], self.A, self.b, index, points, xp)

    def curvature(self) -> float:
        """Largest second derivative of the loss in <a_i, x>."""
        return CURVATURE[self.loss]

    def smoothness(self) -> float:
        """Largest of the components' constants."""
        return self.curvature() * largest_square(self.A)


def check_data(A: Any, b: np.ndarray, loss: str) -> None:
    """Raises ValueError with what is wrong."""
    entries = A.values if isinstance(A, Csr) else A
    if not all(isinstance(v, np.ndarray) and v.dtype == np.float64 for v in (entries, b)):
        raise ValueError(
            "the data must be NumPy arrays of float64, or a `Csr` of them, and so must the labels"
        )
    if len(A.shape) != 2 or b.shape != A.shape[:1] or not all(A.shape):
        raise ValueError(f"the data must be (n, d) with n labels, got {A.shape} and {b.shape}")
    if not (np.isfinite(entries).all() and np.isfinite(b).all()):
        raise ValueError("the data have entries that are NaN or infinite")
    if loss == "logistic" and not np.isin(b, (-1.0, 1.0)).all():
        raise ValueError("the labels of a logistic loss must be -1 or +1")


def logistic_minimizer(
    A: np.ndarray, b: np.ndarray, ridge: float = 0.0, steps: int = 50
) -> np.ndarray | None:
    """(d,): the minimizer of the mean logistic loss + (ridge/2) |x|^2 by Newton's method, in the row space of A.

    To round-off; None if the method does not converge (separable classes without a ridge).
    """
    values, vectors = np.linalg.eigh(A.T @ A)
    basis = vectors[:, values > 1e-10 * values[-1]]
    rows, w = A @ basis, np.zeros(basis.shape[1])
    for _ in range(steps):
        chance = 1.0 / (1.0 + np.exp(np.clip(b * (rows @ w), -700.0, 700.0)))
        g = -(rows.T @ (b * chance)) / len(b) + ridge * w
        H = (rows.T * (chance * (1.0 - chance))) @ rows / len(b) + ridge * np.eye(len(w))
        move = np.linalg.solve(H, g)
        w = w - move
        if g @ move < 1e-28:
            return basis @ w
    return None

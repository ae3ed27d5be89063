"""Least-norm solutions: F = |x|^2 / 2 over the minimizers of a least-squares or logistic inner problem.

`LeastNorm` has orthonormal rows (of a Hadamard matrix), so everything is in closed form. It is a realistic problem, on
which the outer rate is not tight: the outer gap is negative. `madelon_like` is the problem of section 3.2 (L247-260) on
data from the same generator, of the same size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from workbench import L1Ball, L2Ball
from workbench.instances import HalfSquaredNorm, Rows, logistic_minimizer
from workbench.samples import Noise, Samples, Space

from .data import TwoLevels

Array = Any

SEED = 2
ROWS, FEATURES = 2000, 500  # of Madelon, L255
BETA = 20.0  # radius of the l1 ball, L256
SCALE = 2.0  # of the standardized features: the unconstrained solution then lies inside the ball


@dataclass(frozen=True, kw_only=True)
class LeastNorm(TwoLevels):
    """G = |A x - b|^2 / (2 m) with m orthonormal rows, sampled by rows; X the l2 ball. The solution is A'b."""

    def regularized_gaps(self, sigma: Array) -> dict[str, Array]:
        """Gaps and distance of A'b / (1 + m sigma), the minimizer of sigma F + G."""
        m, weight = self.inner.n, float(self.inner.b @ self.inner.b)
        shrink = 1.0 / (1.0 + m * sigma)
        return {
            "outer_gap": weight / 2.0 * (shrink**2 - 1.0),
            "inner_gap": weight / (2.0 * m) * (m * sigma * shrink) ** 2,
            "distance": np.sqrt(weight) * m * sigma * shrink,
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """All exact. Noise: r_i a_i - (1/m) sum r_j a_j with |r_i| <= reach has norm at most reach sqrt((m-1)/m).

        G - G_opt = |A x - b|^2 / (2 m) = dist(x, X_opt)^2 / (2 m): the error bound with hoelder_a = 1/m, hoelder_r = 2.
        """
        m, length, radius = self.inner.n, float(np.linalg.norm(self.inner.b)), self.box.radius
        reach = radius + float(np.max(np.abs(self.inner.b)))
        return {
            **super().constants(start),
            "L_f": 1.0,
            "L_g": 1.0,
            "sigma_f": 0.0,
            "sigma_g": reach * np.sqrt((m - 1.0) / m),
            "Delta_F": length**2 / 2.0,
            "range_F": (radius**2 - length**2) / 2.0,
            "range_G": (radius + length) ** 2 / (2.0 * m),
            "sup_F": radius**2 / 2.0,
            "sup_grad_F": radius,
            "hoelder_a": 1.0 / m,
            "hoelder_r": 2.0,
        }

    unsampled: ClassVar[dict[str, str]] = {
        **TwoLevels.unsampled,
        "hoelder_a": "exact: the rows are orthonormal, so G is a multiple of a squared distance",
        "hoelder_r": "as for hoelder_a",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """The noise bound is loose: no point has the largest residual in every row."""
        space = Space((start["x"].shape[-1],), self.project)
        return {**super().samples(start), "sigma_g": Noise(space, self.grad_g, self.grad_G, reaches=0.5)}


def hadamard_least_norm(d: int = 8, m: int = 4, radius: float = 1.0, size: float = 0.2) -> LeastNorm:
    """`LeastNorm` with |b_i| = size. Raises ValueError unless the solution lies strictly inside X."""
    from scipy.linalg import hadamard  # here: listing the paper needs no linear algebra

    A = hadamard(d)[1 : m + 1] / np.sqrt(d)
    b = size * np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
    if not np.linalg.norm(b) < radius:
        raise ValueError(
            f"the least-norm point, of norm {np.linalg.norm(b):.3g}, must lie inside radius {radius}"
        )
    inner = Rows(A, b, "half_square")
    return LeastNorm(
        box=L2Ball(radius), outer=HalfSquaredNorm(), inner=inner, optimum=A.T @ b, F_opt=float(b @ b) / 2.0
    )


@cache
def madelon_like(n: int = ROWS, d: int = FEATURES) -> TwoLevels:
    """Minimal-norm logistic regression over |x|_1 <= 20; scikit-learn's generator of the Madelon data.

    5 informative features, 15 linear combinations of them, the rest noise. The class separation is half the default,
    so that no hyperplane separates the classes. The solution set is an affine set of dimension 15 within the ball.
    """
    from sklearn.datasets import make_classification

    features, labels = make_classification(
        n,
        d,
        n_informative=5,
        n_redundant=15,
        n_classes=2,
        n_clusters_per_class=16,
        class_sep=0.5,
        random_state=SEED,
    )
    return minimal_norm_logistic(SCALE * standardize(features), 2.0 * labels - 1.0)


def standardize(features: np.ndarray) -> np.ndarray:
    deviation = features.std(axis=0)
    return (features - features.mean(axis=0)) / np.where(deviation > 0.0, deviation, 1.0)


def minimal_norm_logistic(features: np.ndarray, labels: np.ndarray, beta: float = BETA) -> TwoLevels:
    """The problem with a certified optimum: x* = V w with w from Newton's method on the row space of the data.

    x* is orthogonal to every flat direction of G, so it is the least-norm minimizer; ``gap`` = max over the ball of
    <grad G(x*), x* - v> bounds the error of G_opt. Raises ValueError where the minimizer is not inside the ball.
    """
    inner = Rows(features, labels, "logistic")
    x = logistic_minimizer(features, labels)
    if x is None or np.abs(x).sum() >= beta:
        raise ValueError(
            f"the unconstrained logistic solution does not lie inside |x|_1 < {beta}: scale the features up, or solve "
            "the constrained problem elsewhere"
        )
    g = inner.grad(x[None], np)[0]
    gap = float(g @ x + beta * np.abs(g).max())
    G_opt = float(inner.value(x[None], np)[0, 0])
    return TwoLevels(
        box=L1Ball(beta),
        outer=HalfSquaredNorm(),
        inner=inner,
        optimum=x,
        F_opt=float(x @ x) / 2.0,
        G_opt=G_opt,
        gap=gap,
    )

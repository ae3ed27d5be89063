"""Hyper-parameter optimization of a regularized classifier (App. K, L1432): multinomial logistic regression.

    min_x f = validation loss(y*(x)),   y*(x) = argmin_y g = training loss(y) + exp(x)/2 |y|^2,   x = log lambda.

The paper's upper variable is lambda itself, which may become negative and destroy strong convexity; exp(x) may not.
Losses are means of the cross-entropy over minibatches drawn with replacement. y is the (d, classes) weight matrix by
rows.

The loss's Hessian lies between 0 and (1/2) max eig(E z z^T), so for x in ``x_range``: mu_g = exp(low) and, in y,
l_g1 = max eig(E z z^T)/2 + exp(high), both computed from the training features. x is not confined to the range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from workbench import softmax
from workbench.instances import digits_in_three
from workbench.ops import clip, dot, loop, rows_at, sq
from workbench.problems import ScalarBilevel
from workbench.samples import Lipschitz, Samples, Space, StronglyMonotone

Array = Any


@dataclass(frozen=True)
class RidgeLogistic:
    """Features (n, d) and one-hot labels (n, classes) of three parts. batch None: exact derivatives, no noise."""

    train: Array
    train_labels: Array
    validation: Array
    validation_labels: Array
    test: Array
    test_labels: Array
    batch: int | None = 32
    x_range: tuple[float, float] = (-10.0, 0.0)

    COSTS: ClassVar = ScalarBilevel.COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def dimension(self) -> int:
        return self.train.shape[1] * self.train_labels.shape[1]

    @property
    def per_epoch(self) -> int:
        """Iterations after which as many points were drawn (with replacement) as the training set holds."""
        return 1 if self.batch is None else -(-self.train.shape[0] // self.batch)

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) on a validation minibatch; the first is zero, since x enters only through y*(x)."""
        z, labels = self._sample(self.validation, self.validation_labels, xi, 0, xp)
        return xp.zeros_like(x), softmax.grad(y, z, labels, xp)

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        z, labels = self._sample(self.train, self.train_labels, zeta, 0, xp)
        return softmax.grad(y, z, labels, xp) + xp.exp(x) * y

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dxdy) v = exp(x) <y, v>, (runs, 1): the data do not enter, so there is no noise."""
        return xp.exp(x) * dot(y, v, xp)

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dydy(zeta_k)) v on training minibatch k."""
        z, labels = self._sample(self.train, self.train_labels, zeta, k, xp)
        return softmax.hessian_vector(y, v, z, labels.shape[-1], xp) + xp.exp(x) * v

    def hessian_is_exact(self, xp: Any) -> bool:
        return self.batch is None

    # Exact quantities.
    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return softmax.loss(y, self.validation, self.validation_labels, xp)

    def g(self, x: Array, y: Array, xp: Any) -> Array:
        return softmax.loss(y, self.train, self.train_labels, xp) + xp.exp(x) / 2 * sq(y, xp)

    def y_star(self, x: Array, xp: Any, newton: int = 12) -> Array:
        """argmin_y g(x, y) by Newton's method from zero; (runs, d classes)."""
        y = xp.zeros((x.shape[0], self.dimension))
        for _ in range(newton):
            gradient = softmax.grad(y, self.train, self.train_labels, xp) + xp.exp(x) * y
            y = y - self.solve(x, y, gradient, xp)
        return y

    def hypergradient(self, x: Array, y: Array, xp: Any) -> Array:
        """grad_x f - (d2g/dxdy) [d2g/dydy]^-1 grad_y f at (x, y); (runs, 1). At y*(x) it is Phi'(x)."""
        v = self.solve(x, y, softmax.grad(y, self.validation, self.validation_labels, xp), xp)
        return -xp.exp(x) * dot(y, v, xp)

    def solve(self, x: Array, y: Array, target: Array, xp: Any, tolerance: float = 1e-13) -> Array:
        """[d2g/dydy(x, y)]^-1 target by conjugate gradients, to a relative residual of ``tolerance``."""
        classes = self.train_labels.shape[1]
        size = sq(target, xp)

        def body(k: int, carry: tuple[Array, ...]) -> tuple[Array, ...]:
            v, r, p, rr = carry
            q = softmax.hessian_vector(y, p, self.train, classes, xp) + xp.exp(x) * p
            a = rr / dot(p, q, xp)
            r = r - a * q
            new = sq(r, xp)
            return v + a * p, r, r + new / rr * p, new

        carry = (xp.zeros_like(target), target, target, size)
        return loop(self.dimension, body, carry, xp, going=lambda c: c[3] > tolerance**2 * size)[0]

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over the data in every iteration would be too expensive

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Losses and accuracies of the current y on the three parts, and log lambda."""
        values = {"log_lambda": s.x}
        for name in ("train", "validation", "test"):
            z, labels = getattr(self, name), getattr(self, f"{name}_labels")
            scores = softmax.logits(s.y, z, labels.shape[1], xp)
            right = xp.argmax(scores, axis=-1) == xp.argmax(labels, axis=-1)
            values[f"{name}_accuracy"] = xp.mean(xp.astype(right, xp.float64), axis=-1)
            values[f"{name}_loss"] = softmax.cross_entropy(scores, labels, xp)
        return values

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """mu_g and l_g1 (in y) for x in ``x_range``; see the module's docstring."""
        low, high = (float(v) for v in self.x_range)
        z = np.asarray(self.train)
        return {
            "mu_g": float(np.exp(low)),
            "l_g1": float(np.linalg.eigvalsh(z.T @ z / len(z))[-1] / 2 + np.exp(high)),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """mu_g is attained where all classes move alike; l_g1 only if every point is undecided between two classes."""
        space = Space((1, self.dimension), lambda x, xp: clip(x, *self.x_range, xp))
        exact = replace(self, batch=None)

        def slope(x: Array, y: Array, xp: Any) -> Array:
            return exact.grad_y_g(x, y, None, xp)

        return {
            "mu_g": StronglyMonotone(space, slope),
            "l_g1": Lipschitz(space, slope, block=1, reaches=0.5),
        }

    def _sample(self, features: Array, labels: Array, xi: Any, k: int, xp: Any) -> tuple[Array, Array]:
        """A minibatch for each run: (runs, batch, d) and (runs, batch, classes)."""
        if self.batch is None:
            return features, labels
        index = xi.index(features.shape[0], self.batch, 0, k)
        return rows_at(features, index, xp), rows_at(labels, index, xp)


def make(
    batch: int | None = 32, train: int = 600, validation: int = 600, wrong: float = 0.0
) -> RidgeLogistic:
    """The problem on scikit-learn's digits; the rest of the 1797 images is the test part.

    wrong: share of the training labels that are replaced by random ones. Without them the validation loss hardly
    depends on a small lambda; with them the classifier overfits, and there is an optimum in between.
    """
    parts = [(p.features, p.one_hot(10)) for p in digits_in_three(train, validation)]
    (a, a_labels), (b, b_labels), (c, c_labels) = parts
    random = np.random.default_rng(5)
    is_wrong, other = random.random(train) < wrong, random.integers(0, 10, train)
    a_labels = np.where(is_wrong[:, None], np.eye(10)[other], a_labels)
    return RidgeLogistic(a, a_labels, b, b_labels, c, c_labels, batch)


def start(instance: RidgeLogistic, log_lambda: np.ndarray) -> dict[str, np.ndarray]:
    """x_1 = log_lambda, (runs, 1), and y_1 = 0: only the minibatches differ between runs."""
    return {"x": log_lambda, "y": np.zeros((len(log_lambda), instance.dimension))}

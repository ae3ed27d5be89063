"""Data hyper-cleaning (Figure 1, L61, L81): one weight per training point, learned from a clean validation set.

    f(tau, w) = mean cross-entropy of the linear classifier w on validation points
    g(tau, w) = mean of sigma(tau_i) cross-entropy on training points + C |w|^2,   sigma the logistic function

x = tau has one coordinate per training point, y = w is the (d, classes) weight matrix by rows. A portion of the
training labels, other points in every run, is replaced by uniformly random ones. The paper has 5000 + 5000 images of
MNIST and minibatches of 32; by default these are the bundled digits (8 x 8 pixels), minibatches of the same size drawn
with replacement. grad_x f = 0: the second moment of (4) vanishes, so that (4) literally means A_t = rho I.

Every number of the oracle is that of a minibatch. Samples of f use part 2, those of g part 0 of the noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench import softmax
from workbench.instances import Part, digits_in_three
from workbench.ops import rows_at
from workbench.samples import Lipschitz, Samples, Space, StronglyMonotone

Array = Any
COSTS = {
    "grad_f": {"gradient": 1},
    "grad_y_g": {"gradient": 1},
    "jac_xy_g": {"jacobian_vector": 1},
    "hess_yy_g": {"hessian_vector": 1},
    "nearest_x": {},
    "nearest_y": {},
}


@dataclass(frozen=True)
class Cleaning:
    """Features (n, d) of three parts; labels are class numbers, those of training (rows, n), with the corrupted ones.

    corruption: (rows, n) of 0.0 and 1.0. batch None: exact derivatives, no noise.
    """

    train: Array
    train_labels: Array = field(metadata={"per_run": True})
    corruption: Array = field(metadata={"per_run": True})
    validation: Array
    validation_labels: Array  # one-hot, (n, classes)
    test: Array
    test_labels: Array  # one-hot, (n, classes)
    batch: int | None = 32
    C: float = 1e-3

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def classes(self) -> int:
        return self.validation_labels.shape[1]

    @property
    def dimension(self) -> int:
        return self.train.shape[1] * self.classes

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f) on a validation minibatch; the first is zero, since tau enters only through w*."""
        z, labels = self.validation, self.validation_labels
        if self.batch is not None:
            index = xi.index(z.shape[0], self.batch, 2)
            z, labels = rows_at(z, index, xp), rows_at(labels, index, xp)
        return xp.zeros_like(x), softmax.grad(y, z, labels, xp)

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        z, labels, tau, _ = self._sample(x, zeta, 0, xp)
        return softmax.grad(y, z, labels, xp, _logistic(tau, xp)) + 2.0 * self.C * y

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_yy g(zeta_k)) v on training minibatch k."""
        z, _, tau, _ = self._sample(x, zeta, k, xp)
        return softmax.hessian_vector(y, v, z, self.classes, xp, _logistic(tau, xp)) + 2.0 * self.C * v

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_xy g(zeta_k)) v, (runs, n): only the minibatch's coordinates are not zero."""
        z, labels, tau, index = self._sample(x, zeta, k, xp)
        weight = _logistic(tau, xp)
        change = weight * (1.0 - weight) * softmax.slopes(y, v, z, labels, xp) / z.shape[-2]
        if index is None:
            return change
        hits = xp.astype(index[..., None] == xp.arange(x.shape[-1]), xp.float64)
        return xp.matmul(change[:, None, :], hits)[:, 0, :]

    def nearest_x(self, z: Array, A: Array, xp: Any) -> Array:
        """X = R^n."""
        return z

    def nearest_y(self, z: Array, xp: Any) -> Array:
        """Y = R^p."""
        return z

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over the data in every iteration would be too expensive

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Loss on the whole validation part and accuracy on the test part of the current y; mean weights sigma(tau) of
        intact and of corrupted training points (0 where there are none).
        """
        scores = softmax.logits(s.y, self.test, self.classes, xp)
        right = xp.argmax(scores, axis=-1) == xp.argmax(self.test_labels, axis=-1)
        weight, bad = _logistic(s.x, xp), self.corruption

        def mean_of(mask: Array) -> Array:
            count = xp.sum(mask, axis=-1, keepdims=True)
            return xp.sum(weight * mask, axis=-1, keepdims=True) / xp.where(count > 0.0, count, 1.0)

        return {
            "validation_loss": softmax.loss(s.y, self.validation, self.validation_labels, xp),
            "test_accuracy": xp.mean(xp.astype(right, xp.float64), axis=-1, keepdims=True),
            "intact_weight": mean_of(1.0 - bad),
            "corrupted_weight": mean_of(bad),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """mu_g = 2C, L_g = max eig(E z z^T)/2 + 2C: g in y, for all weights sigma(tau) in (0, 1)."""
        z = np.asarray(self.train)
        return {
            "mu_g": 2.0 * self.C,
            "L_g": float(np.linalg.eigvalsh(z.T @ z / len(z))[-1] / 2 + 2.0 * self.C),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """Both are those of all weights: mu_g is attained where every class moves alike, L_g by undecided points of
        weight 1.
        """
        one = Cleaning(
            self.train, self.train_labels[:1], self.corruption[:1], self.validation, self.validation_labels, self.test,
            self.test_labels, None, self.C,
        )  # fmt: skip
        space = Space((self.train.shape[0], self.dimension))

        def slope(x: Array, y: Array, xp: Any) -> Array:
            return one.grad_y_g(x, y, None, xp)

        return {
            "mu_g": StronglyMonotone(space, slope, reaches=0.0),
            "L_g": Lipschitz(space, slope, block=1, reaches=0.1),
        }

    def _sample(self, x: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array, Array]:
        """Minibatch k: features (runs, batch, d), one-hot labels, their tau, and their indices (None: all points)."""
        names = xp.arange(self.classes)
        if self.batch is None:
            labels = xp.astype(self.train_labels[..., None] == names, xp.float64)
            return self.train, labels, x, None
        index = zeta.index(self.train.shape[0], self.batch, 0, k)
        labels = xp.take_along_axis(self.train_labels, index, axis=1)
        one_hot = xp.astype(labels[..., None] == names, xp.float64)
        return rows_at(self.train, index, xp), one_hot, xp.take_along_axis(x, index, axis=1), index


def _logistic(tau: Array, xp: Any) -> Array:
    """1/(1 + exp(-tau)) without overflow."""
    return 0.5 * (1.0 + xp.tanh(0.5 * tau))


def make(
    portion: np.ndarray,
    run_ids: np.ndarray,
    parts: tuple[Part, Part, Part] | None = None,
    batch: int | None = 32,
) -> Cleaning:
    """portion: (rows,), the share of corrupted labels. run_ids: (rows,); rows of one run share the order in which its
    labels are corrupted. parts: (train, validation, test), by default 600, 600 and the remaining 597 of the digits.
    """
    parts = digits_in_three(600, 600) if parts is None else parts
    classes = 1 + max(int(p.labels.max()) for p in parts)
    n = len(parts[0])
    labels, bad = [], []
    for share, run in zip(portion, run_ids, strict=True):
        random = np.random.default_rng([17, int(run)])
        order, other = random.permutation(n), random.integers(classes, size=n)
        mask = np.zeros(n, bool)
        mask[order[: round(float(share) * n)]] = True
        labels.append(np.where(mask, other, parts[0].labels))
        bad.append(mask.astype(float))
    return Cleaning(
        parts[0].features, np.stack(labels), np.stack(bad), parts[1].features, parts[1].one_hot(classes),
        parts[2].features, parts[2].one_hot(classes), batch,
    )  # fmt: skip


def start(instance: Cleaning) -> dict[str, np.ndarray]:
    """tau = 0, that is all weights 1/2, and w = 0."""
    rows, n = instance.train_labels.shape
    return {"x": np.zeros((rows, n)), "y": np.zeros((rows, instance.dimension))}

"""Online hyper-parameter optimization with label noise (section 6.2, L317-331): one L2 weight per feature.

    inner g_t(x, y) = mean cross-entropy of a linear classifier on training points + (1/2) sum_i x_i |y_i|^2
    upper f_t(x, y) = mean cross-entropy on validation points,      x in [0, 0.1]^d

y is the (d, classes) weight matrix by rows. Labels of both streams are replaced by random ones with a probability that
increases at a quarter, a half and three quarters of the horizon. The paper trains on 20 Newsgroups with batches of 256;
this is a counterpart on the bundled digits with smaller batches. Every sample and k has its own batch, drawn with
replacement; the noise of its labels is that of the round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from workbench.instances import Part, digits_in_three
from workbench.ops import clip
from workbench.samples import Lipschitz, Samples, Space, StronglyMonotone
from workbench.softmax import cross_entropy, grad, hessian_vector, logits

from . import costs

Array = Any
LEVELS = (0.05, 0.10, 0.15)  # from a quarter, a half, three quarters of the horizon on


@dataclass(frozen=True)
class NoisyLabels:
    """Features (n, d) and one-hot labels (n, classes) of three parts."""

    train: Array
    train_labels: Array
    validation: Array
    validation_labels: Array
    test: Array
    test_labels: Array
    batch: int = 64
    horizon: float = 1e4
    high: float = 0.1

    COSTS: ClassVar = costs.COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def classes(self) -> int:
        return self.train_labels.shape[1]

    def noise(self, t: Array) -> float:
        """Probability that a label of round t is random."""
        quarter = int(4.0 * (float(t) - 1.0) // self.horizon)
        return 0.0 if quarter < 1 else LEVELS[min(quarter, 3) - 1]

    # The oracle. Without a sample the whole part is used, with the labels as they are.
    def grad_x_f(self, t: Array, x: Array, y: Array, xi: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        return xp.zeros_like(x)

    def grad_y_f(self, t: Array, x: Array, y: Array, xi: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        return grad(y, *self._points(self.validation, self.validation_labels, t, xi, k, xp), xp)

    def grad_x_g(self, t: Array, x: Array, y: Array, zeta: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        """|y_i|^2 / 2: the data do not enter."""
        rows = self._rows(y, xp)
        return 0.5 * xp.sum(rows * rows, axis=-1)

    def grad_y_g(self, t: Array, x: Array, y: Array, zeta: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        points = self._points(self.train, self.train_labels, t, zeta, k, xp)
        return grad(y, *points, xp) + self._scale(x, y, xp)

    def jac_xy_g(self, t: Array, x: Array, y: Array, v: Array, zeta: Any = None, k: Any = 0, *, xp: Any):
        return xp.sum(self._rows(y, xp) * self._rows(v, xp), axis=-1)

    def hess_yy_g(self, t: Array, x: Array, y: Array, v: Array, zeta: Any = None, k: Any = 0, *, xp: Any):
        z, _ = self._points(self.train, self.train_labels, t, zeta, k, xp)
        return hessian_vector(y, v, z, self.classes, xp) + self._scale(x, v, xp)

    def project(self, x: Array, xp: Any) -> Array:
        return clip(x, 0.0, self.high, xp)

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Loss on the (clean) training part and accuracy on the test part of the current y; mean of x."""
        guess = xp.argmax(logits(s.y, self.test, self.classes, xp), axis=-1)
        right = guess == xp.argmax(self.test_labels, axis=-1)
        return {
            "train_loss": cross_entropy(logits(s.y, self.train, self.classes, xp), self.train_labels, xp),
            "test_accuracy": xp.mean(xp.astype(right, xp.float64), axis=-1, keepdims=True),
            "mean_x": xp.mean(s.x, axis=-1, keepdims=True),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L_g1 is the smoothness of g in y. mu_g is the least x_i, which is 0 on the boundary of the box."""
        z = np.asarray(self.train)
        return {"mu_g": 0.0, "L_g1": float(np.linalg.eigvalsh(z.T @ z / len(z))[-1] / 2 + self.high)}

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """mu_g = 0 cannot be approached in relative terms. L_g1 needs all points undecided between two classes."""
        d = start["x"].shape[-1]
        space, slope = Space((d, d * self.classes), self.project), partial(self.grad_y_g, np.asarray(1.0))
        return {
            "mu_g": StronglyMonotone(space, slope, reaches=0.0),
            "L_g1": Lipschitz(space, slope, block=1, reaches=0.3),
        }

    def _points(self, z: Array, labels: Array, t: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """A batch for each run, (runs, batch, ...), some of its labels replaced."""
        if xi is None:
            return z, labels
        index = xp.reshape(xi.index(z.shape[0], self.batch, 0, k), (-1,))
        shape = (-1, self.batch)
        given_labels = xp.reshape(xp.take(labels, index, axis=0), (*shape, self.classes))
        points = xp.reshape(xp.take(z, index, axis=0), (*shape, z.shape[1]))
        if (level := self.noise(t)) == 0.0:
            return points, given_labels
        other = xi.index(self.classes, self.batch, 2, k)
        random_labels = xp.astype(other[..., None] == xp.arange(self.classes), xp.float64)
        return points, xp.where(
            (xi.uniform(self.batch, 4, k) < level)[..., None], random_labels, given_labels
        )

    def _rows(self, y: Array, xp: Any) -> Array:
        return xp.reshape(y, (y.shape[0], -1, self.classes))

    def _scale(self, x: Array, y: Array, xp: Any) -> Array:
        """x_i y_i, by rows."""
        return xp.reshape(x[..., None] * self._rows(y, xp), y.shape)


def make(horizon: float, batch: int = 64, parts: tuple[Part, Part, Part] | None = None) -> NoisyLabels:
    """parts: (train, validation, test), by default 600, 600 and the remaining 597 of the 1797 digits."""
    parts = digits_in_three(600, 600) if parts is None else parts
    classes = 1 + max(int(p.labels.max()) for p in parts)
    (a, a_labels), (b, b_labels), (c, c_labels) = ((p.features, p.one_hot(classes)) for p in parts)
    return NoisyLabels(a, a_labels, b, b_labels, c, c_labels, batch, float(horizon))


def start(instance: NoisyLabels, rows: int) -> dict[str, np.ndarray]:
    """x = 0.05, the middle of the box, and y = z = 0."""
    d = instance.train.shape[1]
    y = np.zeros((rows, d * instance.classes))
    return {"x": np.full((rows, d), 0.05), "y": y, "z": y}

"""Deep AUC maximization, Eq. (8) (L252), with a network of one hidden layer on data that fit in memory.

min over x = (w, a, b), max over y = alpha in R of the mean over the training set of

    (1-p) (h - a)^2 [pos] + p (h - b)^2 [neg] + 2 (1 + alpha) (p h [neg] - (1-p) h [pos]) - p (1-p) alpha^2

with the score h(w; z) = <v, tanh(W z + c)>. The score has no bias: shifting h, a and b together changes nothing. p is
the share of positives in the training set. In alpha the objective is strongly concave with modulus mu = 2 p (1-p), and
alpha*(x) = E[h | neg] - E[h | pos]. For the best a and b, Phi = p (1-p) (E(1 - h_+ + h_-)^2 - 1), the square loss over
pairs. Exchanging the labels, p with 1-p, and (h, a, b) with (-h, -b, -a) gives the same problem, so p = 0.9 as in the
paper and p = 0.1 are equivalent. In x the objective is smooth on bounded sets only, so no global L is stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.instances import Draws, binary
from workbench.ops import argsort, norm, rows_at
from workbench.samples import Samples, Space, StronglyMonotone

Array = Any

# Points per product when the whole set is scored. The hidden layer of a block stays in the cache, and the products stay
# below the size at which OpenBLAS starts threads, which do not pay off for such small matrices.
BLOCK = 128


@dataclass(frozen=True)
class DeepAuc:
    """features: (n, d). positive: (n,) of 0.0 and 1.0; the same for the test set. probes: (P, batch) indices of the
    minibatches on which the noise is measured at checkpoints, or None. x is (runs, hidden (d + 2) + 2), y (runs, 1).
    """

    features: Array
    positive: Array
    test_features: Array
    test_positive: Array
    p: float
    hidden: int = 32
    batch: int = 32
    probes: Array = None

    COSTS: ClassVar = {"grad": {"gradient_x": 1, "gradient_y": 1}, "grad_x": {"gradient_x": 1}}
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def dimension(self) -> int:
        return self.hidden * (self.features.shape[1] + 2) + 2

    @property
    def per_epoch(self) -> int:
        """Iterations after which as many points were drawn (with replacement) as the training set holds."""
        return -(-self.features.shape[0] // self.batch)

    # Exact quantities.
    def scores(self, x: Array, features: Array, xp: Any) -> Array:
        """(runs, n): h(w; z) for features (n, d)."""
        n = features.shape[0]
        blocks = [features[i : min(i + BLOCK, n), :] for i in range(0, n, BLOCK)]
        return xp.concat([self._forward(x, block, xp)[1] for block in blocks], axis=1)

    def f(self, x: Array, y: Array, xp: Any) -> Array:
        """(runs, 1): the objective on the training set."""
        return self._value(self.scores(x, self.features, xp), x, y, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f) on the training set."""
        return self._grads(x, y, self.features, self.positive, xp)

    def y_star(self, x: Array, xp: Any) -> Array:
        return self._dual(self.scores(x, self.features, xp), xp)

    def phi(self, x: Array, xp: Any) -> Array:
        h = self.scores(x, self.features, xp)
        return self._value(h, x, self._dual(h, xp), xp)

    # The oracle: minibatches drawn with replacement.
    def grad(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) on the minibatch xi."""
        return self._on(xi.index(self.features.shape[0], self.batch), x, y, xp)

    def grad_x(self, x: Array, y: Array, xi: Any, xp: Any) -> Array:
        return self.grad(x, y, xi, xp)[0]

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over the data in every iteration would be too expensive

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Training and test AUC and Phi; with ``probes`` also the largest and smallest |grad_x F - grad_x f|."""
        h = self.scores(s.x, self.features, xp)
        values = {
            "train_auc": auc(h, self.positive, xp),
            "test_auc": auc(self.scores(s.x, self.test_features, xp), self.test_positive, xp),
            "objective": self._value(h, s.x, self._dual(h, xp), xp),
        }
        if self.probes is None:
            return values
        noise = self.noise(s.x, s.y, xp)
        return {**values, "noise_max": xp.max(noise, axis=1), "noise_min": xp.min(noise, axis=1)}

    def noise(self, x: Array, y: Array, xp: Any) -> Array:
        """(runs, P): |grad_x F(x, y; xi) - grad_x f(x, y)| on each probe minibatch (App. L, L1448-1450)."""
        exact, _ = self.grads_f(x, y, xp)
        deviations = []
        for k in range(self.probes.shape[0]):
            index = xp.broadcast_to(self.probes[k, :][None, :], (x.shape[0], self.batch))
            deviations.append(norm(self._on(index, x, y, xp)[0] - exact, xp))
        return xp.concat(deviations, axis=1)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """The modulus of strong concavity; nothing else holds globally."""
        return {"mu": 2 * self.p * (1 - self.p)}

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        joint = Space((self.dimension, 1))
        return {"mu": StronglyMonotone(joint, lambda x, y, xp: -self.grads_f(x, y, xp)[1])}

    def _value(self, h: Array, x: Array, y: Array, xp: Any) -> Array:
        a, b, pos = x[:, -2:-1], x[:, -1:], self.positive
        loss = (1 - self.p) * pos * (h - a) ** 2 + self.p * (1 - pos) * (h - b) ** 2
        loss = loss + 2 * (1 + y) * (self.p * (1 - pos) - (1 - self.p) * pos) * h
        return xp.mean(loss, axis=-1, keepdims=True) - self.p * (1 - self.p) * y**2

    def _dual(self, h: Array, xp: Any) -> Array:
        weight = (1 - self.positive) / (1 - self.p) - self.positive / self.p
        return xp.mean(weight * h, axis=-1, keepdims=True)

    def _on(self, index: Array, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        """Gradients on the minibatches ``index`` (runs, batch), one a run."""
        return self._grads(x, y, rows_at(self.features, index, xp), rows_at(self.positive, index, xp), xp)

    def _weights(self, x: Array, xp: Any) -> tuple[Array, Array, Array]:
        """W (runs, hidden, d), c (runs, 1, hidden), v (runs, 1, hidden)."""
        d, k = self.features.shape[1], self.hidden
        W = xp.reshape(x[:, : k * d], (x.shape[0], k, d))
        return W, x[:, None, k * d : k * (d + 1)], x[:, None, k * (d + 1) : k * (d + 2)]

    def _forward(self, x: Array, features: Array, xp: Any) -> tuple[Array, Array]:
        """Hidden layer (runs, n, hidden) and scores (runs, n)."""
        W, c, v = self._weights(x, xp)
        z = xp.tanh(xp.matmul(features, xp.matrix_transpose(W)) + c)
        return z, xp.matmul(z, xp.matrix_transpose(v))[..., 0]

    def _grads(self, x: Array, y: Array, features: Array, pos: Array, xp: Any) -> tuple[Array, Array]:
        """(grad_x, grad_y) of the mean over features (n, d) or (runs, n, d), by hand from the last layer back."""
        p, n = self.p, features.shape[-2]
        z, h = self._forward(x, features, xp)
        _, _, v = self._weights(x, xp)
        a, b = x[:, -2:-1], x[:, -1:]
        pull_a, pull_b = 2 * (1 - p) * pos * (h - a) / n, 2 * p * (1 - pos) * (h - b) / n
        push = 2 * (p * (1 - pos) - (1 - p) * pos) / n
        to_h = (pull_a + pull_b + (1 + y) * push)[:, None, :]  # (runs, 1, n)
        to_z = xp.matrix_transpose(to_h) * v * (1 - z * z)  # (runs, n, hidden), before the tanh
        g_W = xp.matmul(xp.matrix_transpose(to_z), features)
        parts = (
            xp.reshape(g_W, (x.shape[0], -1)),
            xp.sum(to_z, axis=1),
            xp.matmul(to_h, z)[:, 0, :],
            -xp.sum(pull_a, axis=-1, keepdims=True),
            -xp.sum(pull_b, axis=-1, keepdims=True),
        )
        return xp.concat(parts, axis=1), xp.sum(push * h, axis=-1, keepdims=True) - 2 * p * (1 - p) * y


def auc(scores: Array, positive: Array, xp: Any) -> Array:
    """(runs, 1): share of (positive, negative) pairs in the right order, ties counting one half; exact.

    Ranks come from two stable sorts, one with the negatives in front and one with the positives in front: the first
    decides every tie for the positives, the second against them.
    """
    first = argsort(positive, 0, xp)
    count = xp.sum(positive)
    pairs = count * (positive.shape[0] - count)
    ranks = xp.astype(xp.arange(1, positive.shape[0] + 1), xp.float64)
    total = 0.0
    for order in (first, xp.flip(first)):
        ranking = argsort(xp.take(scores, order, axis=1), 1, xp)
        labels = rows_at(xp.take(positive, order), ranking, xp)
        total = total + xp.sum(labels * ranks, axis=1, keepdims=True) - count * (count + 1) / 2
    return total / (2 * pairs)


def make(data: str = "digits", p: float = 0.1, hidden: int = 32, batch: int = 32, probes: int = 0) -> DeepAuc:
    """The problem on a bundled data set (`workbench.problems.datasets.binary`), with ``probes`` noise probes."""
    train, test = binary(data, p)
    share = float(np.mean(train.labels))  # not p itself: mu and alpha* need the exact share
    probe_rows = np.random.default_rng(2).integers(0, len(train), size=(probes, batch)) if probes else None
    return DeepAuc(
        train.features, train.labels * 1.0, test.features, test.labels * 1.0, share, hidden, batch, probe_rows
    )  # fmt: skip


def start(instance: DeepAuc, run_ids: np.ndarray) -> dict[str, np.ndarray]:
    """x_1: weights N(0, 1/fan-in), no biases, a = b = 0, drawn for each noise identity; y_1 = 0."""
    d, k = instance.features.shape[1], instance.hidden
    draw = Draws(0, run_ids, np).at(0)
    W, v = draw(0).normal(k * d) / np.sqrt(d), draw(1).normal(k) / np.sqrt(k)
    x = np.hstack([W, np.zeros((len(run_ids), k)), v, np.zeros((len(run_ids), 2))])
    return {"x": x, "y": np.zeros((len(run_ids), 1))}

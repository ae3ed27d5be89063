"""Parametric loss tuning on imbalanced digits (section 6.1, L303-315): a small network, twenty upper variables.

    inner g_t(x, y) = cross-entropy of softmax(c * o + e) on the training part of the phase + (ridge/2) |y|^2
    upper f_t(x, y) = cross-entropy of softmax(o) on its validation part, each class weighted by its inverse frequency

o are the logits of a network 64 -> hidden (tanh) -> 10 with weights y; x = (c_1, ..., c_10, e_1, ..., e_10) scales and
shifts them. The paper trains a convolutional network on MNIST; this is a counterpart on the bundled digits, with the
same phases: class i has frequency proportional to r^i, r = 0.6, 0.7, 0.8, 0.9 (the paper gives both ends only).

The inner problem is not strongly convex, here as in the paper. The regret is measured at marks only, at a solution of
the inner problem found from the method's own y_t. Each row has its own data: (rows, phases, n, ...).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from workbench.instances import Part
from workbench.ops import clip, loop, sq
from workbench.samples import Samples
from workbench.softmax import cross_entropy, softmax

from . import costs

Array = Any
CLASSES, DECAYS = 10, (0.6, 0.7, 0.8, 0.9)
OWN = {"per_run": True}  # each run has data of its own


@dataclass(frozen=True)
class Imbalance:
    """train, validation: (rows, phases, n, d), labels one-hot; test: (n, d). ``weights``: (rows, phases, classes)."""

    train: Array = field(metadata=OWN)
    train_labels: Array = field(metadata=OWN)
    validation: Array = field(metadata=OWN)
    validation_labels: Array = field(metadata=OWN)
    weights: Array = field(metadata=OWN)
    test: Array
    test_labels: Array
    hidden: int = 8
    ridge: float = 1e-2
    rounds: float = 100.0  # per phase
    gamma: Array = 1e-3  # of the regret, that of the method
    solve_steps: int = 30
    solve_rate: float = 0.3
    solve_products: int = 25

    COSTS: ClassVar = costs.COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}
    LOW: ClassVar = np.repeat([0.5, -2.0], CLASSES)  # the box of x: scales in [0.5, 2], shifts in [-2, 2]
    HIGH: ClassVar = np.repeat([2.0, 2.0], CLASSES)

    @property
    def dimension(self) -> int:
        return self.train.shape[-1] * self.hidden + (self.hidden + 1) * CLASSES

    # The oracle.
    def grad_x_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return xp.zeros_like(x)

    def grad_y_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        z, labels, weights = self._validation(t)
        net = self._forward(y, z, xp)
        weight = xp.sum(labels * weights, axis=-1, keepdims=True)
        error = (softmax(net[2], xp) - labels) * weight / z.shape[-2]
        return self._backward(net, y, z, error, xp)

    def grad_x_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        z, labels = self._training(t)
        net = self._forward(y, z, xp)
        error = self._error(x, net[2], labels, xp)
        return xp.concat([xp.sum(error * net[2], axis=1), xp.sum(error, axis=1)], axis=-1)

    def grad_y_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        z, labels = self._training(t)
        net = self._forward(y, z, xp)
        error = self._error(x, net[2], labels, xp) * x[:, None, :CLASSES]
        return self._backward(net, y, z, error, xp) + self.ridge * y

    def jac_xy_g(self, t: Array, x: Array, y: Array, v: Array, xp: Any) -> Array:
        """(d2g/dxdy) v, (rows, 20): the change of grad_x g along v in y."""
        z, labels = self._training(t)
        net = self._forward(y, z, xp)
        push = self._forward_change(net, y, v, z, xp)[1]
        error, error_change = self._error(x, net[2], labels, xp), self._error_change(x, net[2], push, xp)
        return xp.concat(
            [xp.sum(error_change * net[2] + error * push, axis=1), xp.sum(error_change, axis=1)], axis=-1
        )

    def hess_yy_g(self, t: Array, x: Array, y: Array, v: Array, xp: Any) -> Array:
        """(d2g/dydy) v by differentiating the backward pass along v."""
        z, labels = self._training(t)
        scale, net = x[:, None, :CLASSES], self._forward(y, z, xp)
        h, (_, W), (_, V) = net[1], self._split(y, xp), self._split(v, xp)
        hidden_change, push = self._forward_change(net, y, v, z, xp)
        error = self._error(x, net[2], labels, xp) * scale
        error_change = self._error_change(x, net[2], push, xp) * scale
        back = _t(W[:, :-1, :], xp), _t(V[:, :-1, :], xp)
        slope = xp.matmul(error, back[0])
        slope_change = xp.matmul(error_change, back[0]) + xp.matmul(error, back[1])
        slope_change = slope_change * (1.0 - h * h) - 2.0 * slope * h * hidden_change
        hidden_change_padded = xp.concat([hidden_change, xp.zeros_like(hidden_change[..., :1])], axis=-1)
        last = xp.matmul(_t(_with_bias(h, xp), xp), error_change) + xp.matmul(
            _t(hidden_change_padded, xp), error
        )
        return self._join(xp.matmul(_t(z, xp), slope_change), last, xp) + self.ridge * v

    def project(self, x: Array, xp: Any) -> Array:
        return clip(x, xp.asarray(self.LOW), xp.asarray(self.HIGH), xp)

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over the data is too expensive for every round

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Training loss of y_t (scaled and shifted, without ridge), balanced test accuracy, regret of this round."""
        z, labels = self._training(t)
        loss = cross_entropy(self._scale(s.x, self._forward(s.y, z, xp)[2]), labels, xp)
        guess = xp.argmax(self._forward(s.y, self.test, xp)[2], axis=-1)
        right = guess == xp.argmax(self.test_labels, axis=-1)
        hits = xp.astype(right, xp.float64)[..., None] * self.test_labels
        share = xp.sum(hits, axis=1) / xp.sum(self.test_labels, axis=0)
        step = s.x - self.project(s.x - self.gamma * self.hypergradient(t, s.x, s.y, xp), xp)
        return {
            "train_loss": loss,
            "test_accuracy": xp.mean(share, axis=-1, keepdims=True),
            "regret": sq(step / self.gamma, xp),
        }

    def hypergradient(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        """-(d2g/dxdy) v with v = [d2g/dydy]^-1 grad_y f, at an inner solution found from y.

        y by heavy-ball steps, v by a fixed number of gradient steps. Unlike conjugate gradients, these stay bounded
        along directions of little or negative curvature.
        """

        def descend(k: int, carry: tuple[Array, ...]) -> tuple[Array, ...]:
            y, m = carry
            m = 0.8 * m + self.grad_y_g(t, x, y, xp)
            return y - self.solve_rate * m, m

        y, _ = loop(self.solve_steps, descend, (y, xp.zeros_like(y)), xp)
        target = self.grad_y_f(t, x, y, xp)

        def relax(k: int, carry: tuple[Array, ...]) -> tuple[Array, ...]:
            (v,) = carry
            return (v - self.solve_rate * (self.hess_yy_g(t, x, y, v, xp) - target),)

        (v,) = loop(self.solve_products, relax, (xp.zeros_like(y),), xp)
        return -self.jac_xy_g(t, x, y, v, xp)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Only the ridge: the theorems' constants do not exist, since the inner problem is not convex."""
        return {"mu_g": self.ridge}

    unsampled: ClassVar[dict[str, str]] = {
        "mu_g": "the ridge stands in for a modulus that does not exist: the inner problem is not convex"
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {}

    # The network: y holds W1 (d, hidden), then W2 (hidden + 1, classes), the last row of which is the bias.
    def _split(self, y: Array, xp: Any) -> tuple[Array, Array]:
        split_at = self.train.shape[-1] * self.hidden
        first = xp.reshape(y[:, :split_at], (y.shape[0], -1, self.hidden))
        return first, xp.reshape(y[:, split_at:], (y.shape[0], self.hidden + 1, CLASSES))

    def _join(self, first: Array, second: Array, xp: Any) -> Array:
        rows = first.shape[0]
        return xp.concat([xp.reshape(first, (rows, -1)), xp.reshape(second, (rows, -1))], axis=-1)

    def _forward(self, y: Array, z: Array, xp: Any) -> tuple[Array, Array, Array]:
        """(inputs of the hidden layer, its outputs, logits), (rows, n, ...)."""
        first, second = self._split(y, xp)
        a = xp.matmul(z, first)
        h = xp.tanh(a)
        return a, h, xp.matmul(_with_bias(h, xp), second)

    def _backward(self, net: tuple[Array, ...], y: Array, z: Array, error: Array, xp: Any) -> Array:
        """Gradient in y for the derivative ``error`` (rows, n, classes) in the logits."""
        h, (_, second) = net[1], self._split(y, xp)
        slope = xp.matmul(error, _t(second[:, :-1, :], xp)) * (1.0 - h * h)
        return self._join(xp.matmul(_t(z, xp), slope), xp.matmul(_t(_with_bias(h, xp), xp), error), xp)

    def _forward_change(
        self, net: tuple[Array, ...], y: Array, v: Array, z: Array, xp: Any
    ) -> tuple[Array, Array]:
        """Changes of the hidden outputs and of the logits along v."""
        h, (_, W), (V1, V2) = net[1], self._split(y, xp), self._split(v, xp)
        hidden_change = xp.matmul(z, V1) * (1.0 - h * h)
        return hidden_change, xp.matmul(hidden_change, W[:, :-1, :]) + xp.matmul(_with_bias(h, xp), V2)

    def _error(self, x: Array, o: Array, labels: Array, xp: Any) -> Array:
        """Derivative of the inner loss in c * o + e."""
        return (softmax(self._scale(x, o), xp) - labels) / o.shape[1]

    def _error_change(self, x: Array, o: Array, push: Array, xp: Any) -> Array:
        """Change of `_error` when the logits change by ``push``."""
        P = softmax(self._scale(x, o), xp)
        s = x[:, None, :CLASSES] * push
        return P * (s - xp.sum(P * s, axis=-1, keepdims=True)) / o.shape[1]

    def _scale(self, x: Array, o: Array) -> Array:
        """c * o + e."""
        return x[:, None, :CLASSES] * o + x[:, None, CLASSES:]

    def _phase(self, t: Array) -> int:
        return min(int((float(t) - 1.0) // self.rounds), self.train.shape[1] - 1)

    def _training(self, t: Array) -> tuple[Array, Array]:
        return self.train[:, self._phase(t), ...], self.train_labels[:, self._phase(t), ...]

    def _validation(self, t: Array) -> tuple[Array, Array, Array]:
        j = self._phase(t)
        return self.validation[:, j, ...], self.validation_labels[:, j, ...], self.weights[:, None, j, :]


PER_RUN = tuple(f.name for f in fields(Imbalance) if f.metadata == OWN)


def _t(a: Array, xp: Any) -> Array:
    return xp.matrix_transpose(a)


def _with_bias(h: Array, xp: Any) -> Array:
    return xp.concat([h, xp.ones_like(h[..., :1])], axis=-1)


def make(
    parts: tuple[Part, Part, Part],
    randoms: Sequence[np.random.Generator],
    n: int = 60,
    rounds: float = 100.0,
    **options: Any,
) -> Imbalance:
    """Samples, for each row and phase, n training and n validation points with class frequencies r^i.

    parts: (train, validation, test). The test part stays balanced as it is. randoms: a generator for each row. Weights
    are inverse frequencies of the validation sample, scaled to mean one over its points.
    """

    def sample_of(part: Part) -> tuple[np.ndarray, np.ndarray]:
        frequencies = [r ** np.arange(CLASSES) for r in DECAYS]
        index = np.array([[_sample(part, f, n, random) for f in frequencies] for random in randoms])
        return part.features[index], part.one_hot(CLASSES)[index]

    (train, train_labels), (validation, labels) = (sample_of(part) for part in parts[:2])
    count, test = labels.sum(axis=2), parts[2]
    weights = n / np.maximum(count, 1) / np.maximum((count > 0).sum(-1, keepdims=True), 1)
    weights = np.where(count > 0, weights, 0.0)
    data = train, train_labels, validation, labels, weights, test.features, test.one_hot(CLASSES)
    return Imbalance(*data, rounds=rounds, **options)


def _sample(part: Part, frequency: np.ndarray, n: int, random: np.random.Generator) -> np.ndarray:
    """n indices: classes drawn by frequency, points within a class with replacement."""
    labels = random.choice(CLASSES, size=n, p=frequency / frequency.sum())
    return np.array([random.choice(np.flatnonzero(part.labels == label)) for label in labels])


def start(instance: Imbalance, randoms: Sequence[np.random.Generator]) -> dict[str, np.ndarray]:
    """c = 1, e = 0 and random weights, (rows, ...), with one generator per row."""
    x = np.tile(np.repeat([1.0, 0.0], CLASSES), (len(randoms), 1))
    d, hidden = instance.train.shape[-1], instance.hidden
    scale = np.repeat([1 / np.sqrt(d), 1 / np.sqrt(hidden)], [d * hidden, (hidden + 1) * CLASSES])
    y = np.stack([scale * random.standard_normal(len(scale)) for random in randoms])
    return {"x": x, "y": y, "z": y}

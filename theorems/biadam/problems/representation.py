"""Hyper-representation learning (Figure 2, L65, L85): features shared by few-shot tasks, a linear head for each task.

    f(tau, w) = (1/M) sum_i mean cross-entropy of w_i' phi(z; tau) on the query points of task i
    g(tau, w) = sum_i [ mean cross-entropy of w_i' phi(z; tau) on its support points + C |w_i|^2 ],   i = 1, ..., M

x = tau are the weights of phi(z) = tanh(W_2' (tanh(W_1' z), 1)), y the heads w_1, ..., w_M, each (width, way) by rows.
The paper draws four tasks "in every hyper-iteration" (L85) and does not say of how many, nor what becomes of a head.
Drawn anew from all classes, in random order, they make its problem (1) trivial: by symmetry the one y that
minimizes the expected g is 0 for every x, and there f is log(way), without a slope in x (a test shows it). So M
training tasks are fixed, a head keeps its state ("warm start", L85), and a minibatch has four of them with
replacement. So grad_y g of a minibatch is M/4 times the sum over its tasks; the ridge is exact, and every sample is
2C-strongly convex. Tested on tasks of classes that were not trained on, with heads fitted from zero.

Samples of f use part 2, those of g part 0 of the noise. Rows may differ in ``shot``, the support points per class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import loop, rows_at
from workbench.samples import Samples, Space, StronglyMonotone
from workbench.softmax import cross_entropy, softmax

from .cleaning import COSTS

Array = Any
FIT_STEPS, FIT_RATE, FIT_MOMENTUM = 25, 1.0, 0.8  # of the heads of test tasks


@dataclass(frozen=True)
class Representation:
    """support, query: (M, way * shots, pixels), the points of a class in succession; likewise those of the test tasks.

    shot: (rows, 1), how many support points of each class count. batch: tasks in a minibatch; None: all, no noise.
    """

    support: Array
    query: Array
    test_support: Array
    test_query: Array
    shot: Array
    way: int = 5
    hidden: int = 16
    width: int = 16
    batch: int | None = 4
    C: float = 0.01

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}

    @property
    def tasks(self) -> int:
        return self.support.shape[0]

    @property
    def dimensions(self) -> tuple[int, int]:
        """(of x, of y)."""
        first = self.support.shape[-1] * self.hidden
        return first + (self.hidden + 1) * self.width, self.tasks * self.width * self.way

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f) on the query points of a minibatch of tasks."""
        index = self._index(xi, 2, 0, y, xp)
        z, heads = rows_at(self.query, index, xp), self._heads(y, index, xp)
        net, labels = self._features(x, z, xp), self._labels(self.query, xp)
        error = softmax(xp.matmul(net[1], heads), xp) - labels
        error = error / (z.shape[2] * z.shape[1])
        back = self._backward(x, z, net, xp.matmul(error, xp.matrix_transpose(heads)), xp)
        return back, self._scatter(xp.matmul(xp.matrix_transpose(net[1]), error), index, y, xp)

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        _, _, index, net, error, _ = self._inner(x, y, zeta, 0, xp)
        return self._scatter(xp.matmul(xp.matrix_transpose(net[1]), error), index, y, xp) + 2.0 * self.C * y

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_yy g(zeta_k)) v on minibatch k."""
        _, _, index, net, _, change = self._inner(x, y, zeta, k, xp, v)
        return self._scatter(xp.matmul(xp.matrix_transpose(net[1]), change), index, y, xp) + 2.0 * self.C * v

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_xy g(zeta_k)) v: the gradient in x of <grad_y g, v>."""
        z, heads, index, net, error, change = self._inner(x, y, zeta, k, xp, v)
        directions = self._heads(v, index, xp)
        slope = xp.matmul(error, xp.matrix_transpose(directions)) + xp.matmul(
            change, xp.matrix_transpose(heads)
        )
        return self._backward(x, z, net, slope, xp)

    def nearest_x(self, z: Array, A: Array, xp: Any) -> Array:
        """X = R^d."""
        return z

    def nearest_y(self, z: Array, xp: Any) -> Array:
        """Y = R^p."""
        return z

    # What is measured.
    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over all tasks in every iteration would be too expensive

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """Query loss of all training tasks with their own heads; query loss and accuracy of the test tasks."""
        rows = s.x.shape[0]
        every = xp.broadcast_to(xp.arange(self.tasks), (rows, self.tasks))
        z = rows_at(self.query, every, xp)
        scores = xp.matmul(self._features(s.x, z, xp)[1], self._heads(s.y, every, xp))
        train = cross_entropy(scores, self._labels(self.query, xp), xp)
        scores = self.test_scores(s.x, xp)
        labels = self._labels(self.test_query, xp)
        right = xp.argmax(scores, axis=-1) == xp.argmax(labels, axis=-1)
        return {
            "query_loss": xp.mean(train[..., 0], axis=-1, keepdims=True),
            "test_loss": xp.mean(cross_entropy(scores, labels, xp)[..., 0], axis=-1, keepdims=True),
            "test_accuracy": xp.mean(xp.astype(right, xp.float64), axis=(-2, -1))[:, None],
        }

    def test_scores(self, x: Array, xp: Any) -> Array:
        """(runs, tasks, n, way): scores of the test tasks' query points, heads fitted by heavy-ball steps from zero."""
        tasks = self.test_support.shape[0]
        every = xp.broadcast_to(xp.arange(tasks), (x.shape[0], tasks))
        phi = self._features(x, rows_at(self.test_support, every, xp), xp)[1]
        labels, weight = self._labels(self.test_support, xp), self._weights(self.test_support, xp)

        def fit(k: int, carry: tuple[Array, ...]) -> tuple[Array, ...]:
            w, m = carry
            error = (softmax(xp.matmul(phi, w), xp) - labels) * weight
            m = FIT_MOMENTUM * m + xp.matmul(xp.matrix_transpose(phi), error) + 2.0 * self.C * w
            return w - FIT_RATE * m, m

        zero = xp.zeros((x.shape[0], tasks, self.width, self.way))
        heads, _ = loop(FIT_STEPS, fit, (zero, zero), xp)
        return xp.matmul(self._features(x, rows_at(self.test_query, every, xp), xp)[1], heads)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """mu_g = 2C. L_g: of every minibatch, since |phi|^2 <= width and the weights of a task add up to 1; all tasks
        of a minibatch may be the same one.
        """
        share = 1.0 if self.batch is None else float(self.tasks)
        return {"mu_g": 2.0 * self.C, "L_g": share * self.width / 2.0 + 2.0 * self.C}

    unsampled: ClassVar[dict[str, str]] = {"L_g": "attained only by features of norm 4 and undecided points"}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """mu_g: of all minibatches; attained where every class of a head moves alike."""
        space = Space(self.dimensions)
        exact = Representation(
            self.support, self.query, self.test_support, self.test_query, np.max(self.shot), self.way, self.hidden,
            self.width, None, self.C,
        )  # fmt: skip
        return {"mu_g": StronglyMonotone(space, lambda x, y, xp: exact.grad_y_g(x, y, None, xp), reaches=0.0)}

    # Features and heads.
    def _features(self, x: Array, z: Array, xp: Any) -> tuple[Array, Array]:
        """(hidden layer with its 1, features), (runs, tasks, n, ...) of points z (runs, tasks, n, pixels)."""
        first, second = self._layers(x, xp)
        runs, tasks, n, pixels = z.shape
        a = xp.tanh(xp.matmul(xp.reshape(z, (runs, tasks * n, pixels)), first))
        a = xp.concat([a, xp.ones_like(a[..., :1])], axis=-1)
        phi = xp.tanh(xp.matmul(a, second))
        return a, xp.reshape(phi, (runs, tasks, n, self.width))

    def _backward(self, x: Array, z: Array, net: tuple[Array, Array], slope: Array, xp: Any) -> Array:
        """Gradient in x where that in the features is ``slope``, (runs, tasks, n, width)."""
        a, phi = net
        _, second = self._layers(x, xp)
        flat = (a.shape[0], a.shape[1], -1)
        back = xp.reshape(slope * (1.0 - phi * phi), flat)
        below = xp.matmul(back, xp.matrix_transpose(second[:, :-1, :])) * (1.0 - a[..., :-1] * a[..., :-1])
        W_1 = xp.matmul(xp.matrix_transpose(xp.reshape(z, flat)), below)
        W_2 = xp.matmul(xp.matrix_transpose(a), back)
        return xp.concat([xp.reshape(W, (x.shape[0], -1)) for W in (W_1, W_2)], axis=-1)

    def _layers(self, x: Array, xp: Any) -> tuple[Array, Array]:
        split_at = self.support.shape[-1] * self.hidden
        first = xp.reshape(x[:, :split_at], (x.shape[0], -1, self.hidden))
        return first, xp.reshape(x[:, split_at:], (x.shape[0], self.hidden + 1, self.width))

    def _inner(self, x: Array, y: Array, zeta: Any, k: Any, xp: Any, v: Array = None) -> tuple[Array, ...]:
        """Support points, heads, task indices, features, derivative of g in the scores, and its change along v."""
        index = self._index(zeta, 0, k, y, xp)
        z, heads = rows_at(self.support, index, xp), self._heads(y, index, xp)
        net = self._features(x, z, xp)
        P = softmax(xp.matmul(net[1], heads), xp)
        weight = self._weights(self.support, xp) * (self.tasks / z.shape[1])
        change = None
        if v is not None:
            push = xp.matmul(net[1], self._heads(v, index, xp))
            change = P * (push - xp.sum(P * push, axis=-1, keepdims=True)) * weight
        return z, heads, index, net, (P - self._labels(self.support, xp)) * weight, change

    def _index(self, xi: Any, part: int, k: Any, like: Array, xp: Any) -> Array:
        """(runs, batch): the tasks of minibatch k."""
        if self.batch is None:
            return xp.broadcast_to(xp.arange(self.tasks), (like.shape[0], self.tasks))
        return xi.index(self.tasks, self.batch, part, k)

    def _heads(self, y: Array, index: Array, xp: Any) -> Array:
        """(runs, batch, width, way): the heads of these tasks."""
        heads = xp.reshape(y, (y.shape[0], self.tasks, -1))
        selection = xp.matmul(self._hits(index, xp), heads)
        return xp.reshape(selection, (*index.shape, self.width, self.way))

    def _scatter(self, grads: Array, index: Array, like: Array, xp: Any) -> Array:
        """(runs, M width way): the sum of the tasks' gradients at their places."""
        flat = xp.reshape(grads, (*index.shape, -1))
        return xp.reshape(xp.matmul(xp.matrix_transpose(self._hits(index, xp)), flat), like.shape)

    def _hits(self, index: Array, xp: Any) -> Array:
        return xp.astype(index[..., None] == xp.arange(self.tasks), xp.float64)

    def _labels(self, points: Array, xp: Any) -> Array:
        """(n, way) one-hot: the points of a class follow each other."""
        each = points.shape[1] // self.way
        owner = xp.arange(points.shape[1]) // each
        return xp.astype(owner[:, None] == xp.arange(self.way), xp.float64)

    def _weights(self, points: Array, xp: Any) -> Array:
        """(runs, 1, n, 1): 1/(way shot) for the first ``shot`` points of each class, else 0."""
        each = points.shape[1] // self.way
        place = xp.astype(xp.arange(points.shape[1]) % each, xp.float64)
        shot = xp.reshape(xp.asarray(self.shot), (-1, 1))
        weight = xp.where(place[None, :] < shot, 1.0 / (self.way * shot), xp.asarray(0.0))
        return weight[:, None, :, None]


def make(
    shot: np.ndarray, way: int, alphabet: np.ndarray, tasks: int = 8, test_tasks: int = 8, queries: int = 3
) -> Representation:
    """shot: (rows, 1). alphabet: (classes, examples, pixels); the first two thirds of its classes train.

    Tasks draw ``way`` classes without replacement, and their support and query points are different examples. Raises
    ValueError where there are too few classes or examples.
    """
    most, random = int(np.max(shot)), np.random.default_rng(37)
    split_at = 2 * len(alphabet) // 3
    if min(split_at, len(alphabet) - split_at) < way or alphabet.shape[1] < most + queries:
        raise ValueError(
            f"{way}-way tasks need at least {3 * way} classes with {most + queries} examples, "
            f"got {len(alphabet)} with {alphabet.shape[1]}"
        )

    def tasks_of(first: int, last: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        support, query = [], []
        for _ in range(count):
            classes = first + random.permutation(last - first)[:way]
            examples = [alphabet[c][random.permutation(alphabet.shape[1])[: most + queries]] for c in classes]
            support.append(np.concatenate([points[:most] for points in examples]))
            query.append(np.concatenate([points[most:] for points in examples]))
        return np.stack(support), np.stack(query)

    train, test = tasks_of(0, split_at, tasks), tasks_of(split_at, len(alphabet), test_tasks)
    return Representation(*train, *test, np.asarray(shot, float), way)


def start(instance: Representation, run_ids: np.ndarray) -> dict[str, np.ndarray]:
    """Random weights N(0, 1/fan-in), one seed for each noise identity, and heads of zero."""
    pixels, hidden, width = instance.support.shape[-1], instance.hidden, instance.width
    fan = np.repeat([pixels, hidden + 1], [pixels * hidden, (hidden + 1) * width])
    x = [np.random.default_rng([41, int(run)]).standard_normal(len(fan)) / np.sqrt(fan) for run in run_ids]
    return {"x": np.stack(x), "y": np.zeros((len(run_ids), instance.dimensions[1]))}

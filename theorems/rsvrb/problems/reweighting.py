"""Weights for training rows (Figures 1 and 2, section E): one per row, learned from the loss on a validation part.

    f_i(w) = mean over validation rows of l_i(w; row),    l_i = log(1 + exp(-label <w, features>/sigma_i))
    g_i(x, w) = (1/n) sum over training rows j of p(x_j) l_i(w; row j) + (lam/2) |w|^2,   F = (1/m) sum f_i(w_i*(x))

The paper's weights p are free. Here they are p = 1/(1 + exp(-x_j)), since a negative weight may cost strong convexity.
Its F is the sum over the tasks, ours the mean. y stacks the m weight vectors of the lower problems, (runs, m d').

Every row j enters the lower problem through its own features a_j only, so that an estimate of the Jacobian
d2g_i/dxdy = (1/n) diag(nu_i) A is a vector nu_i of n numbers, and one of the Hessian (1/n) A' diag(h_i) A + lam I is a
vector h_i: A has the rows label_j a_j, nu_ij = p'(x_j) l'_ij/sigma_i and h_ij = p(x_j) l''_ij/sigma_i^2. Every linear
combination of such matrices has this form, STORM estimates included. ``both`` methods evaluate one minibatch at two
points; it counts as one sample.

Counted: samples (rows of data drawn, by every task for itself), and products of a vector with a row, forward or
transposed. Samples of f use part 2, those of g part 0 of the noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from workbench.instances import Csr, csr, largest_square, sampled_rows, times, transposed_times
from workbench.ops import maximum, rows_at
from workbench.samples import Lipschitz, Samples, Space, StronglyMonotone

from .libsvm import Points

Array = Any
NEWTON, INNER = 2, 2  # steps to the lower solution: Newton's, and of conjugate gradients in each; F to 1e-5
LOG_2 = float(np.log(2.0))
NODES = 10  # temperatures at which F is computed, where there are more tasks


def _toy() -> Csr:
    return csr(sparse.csr_matrix([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0], [-1.0, 1.0, 0.0]]))


@dataclass(frozen=True)
class Exact:
    """Where F is computed. nodes: (K,) temperatures. weights: (K,), so that F = sum weights_k F_k.

    w: (K, d'), their lower solutions at x = 0, from which Newton's method starts. inverse: (K, d', d'), of the Hessians
    there, which precondition its conjugate gradients.
    """

    nodes: np.ndarray
    weights: np.ndarray
    w: np.ndarray
    inverse: np.ndarray


def reference(train: Csr, sigma: np.ndarray, lam: float) -> Exact:
    """`Exact` for the mean over all temperatures: at each of them, or by interpolation in log sigma.

    F is analytic in log sigma, so the polynomial through its values at Chebyshev's points converges geometrically.
    """
    nodes, weights = _nodes(sigma)
    A, n = train.matrix, train.shape[0]
    solutions, inverses = [], []
    for node in nodes:
        w = np.zeros(train.shape[1])
        for _ in range(20):
            slope = 1.0 / (1.0 + np.exp(np.clip(A @ w / node, -700.0, 700.0)))
            curve = sparse.diags_array(0.5 * slope * (1.0 - slope) / (n * node**2))
            inverse = np.linalg.inv((A.T @ curve @ A).toarray() + lam * np.eye(len(w)))
            change = inverse @ (A.T @ (0.5 * slope) / (n * node) - lam * w)
            w = w + change
            if np.abs(change).max() < 1e-10 * (1.0 + np.abs(w).max()):
                break
        solutions.append(w)
        inverses.append(inverse)
    return Exact(nodes, weights, np.stack(solutions), np.stack(inverses))


def _nodes(sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if len(sigma) <= NODES:
        return sigma, np.full(len(sigma), 1.0 / len(sigma))
    low, high = np.log(sigma.min()), np.log(sigma.max())
    at = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    weights = [np.mean(np.prod([(np.log(sigma) - b) / (a - b) for b in at if b != a], axis=0)) for a in at]
    return np.exp(at), np.array(weights)


@dataclass(frozen=True)
class Reweighting:
    """train: (n, d') and validation: (., d') features times labels. sigma: (m,) temperatures.

    batch: rows in a minibatch. tasks_at_a_time, q, prefix: for methods that draw some tasks at a time, their number,
    the probability of each task to be among them, (m,), and its prefix sums. exact: where F is computed. squares: (n,)
    of |a_j|^2. reach: the largest norm of a row for validation.
    top: the largest eigenvalue of A'A/n. records: what is recorded.
    """

    train: Any = field(default_factory=_toy)
    validation: Any = field(default_factory=_toy)
    sigma: np.ndarray = field(default_factory=lambda: np.ones(1))
    q: np.ndarray = field(default_factory=lambda: np.ones(1))
    prefix: np.ndarray = field(default_factory=lambda: np.ones(1))
    lam: float = 0.1
    batch: int = 2
    tasks_at_a_time: int = 1
    exact: Exact = field(default_factory=lambda: reference(_toy(), np.ones(1), 0.1))
    squares: np.ndarray = field(default_factory=lambda: np.full(3, 2.0))
    reach: float = 2.0**0.5
    top: float = 4.0 / 3.0
    records: tuple[str, ...] = ("validation_loss", "objective")

    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {}
    unsampled: ClassVar[dict[str, str]] = {"round": "a number of rows: one minibatch for every task"}

    @property
    def rows(self) -> int:
        return self.train.shape[0]

    @property
    def tasks(self) -> int:
        return self.sigma.shape[0]

    @property
    def COSTS(self) -> dict[str, dict[str, int]]:
        """By the sizes of the problem; methods of chosen tasks cost as much for each of them."""
        n, m, B = self.rows, self.tasks, self.batch or self.rows
        rows_used = {
            "grad_f": 2,
            "grad_y_g": 2,
            "hess_yy_g": 3,
            "jac_xy_g": 2,
            "upper_at_both": 4,
            "lower_at_both": 4,
        }
        costs = {name: {"sample": m * B, "row_product": k * m * B} for name, k in rows_used.items()}
        for name in ("upper_of", "lower_of"):
            costs[name] = {"sample": self.tasks_at_a_time * B, "row_product": 4 * self.tasks_at_a_time * B}
        return {
            **costs,
            "times_jacobian": {"row_product": m * n}, "jacobian_times": {"row_product": m * n},
            "times_hessian": {"row_product": 2 * m * n}, "jacobian_of": {"row_product": self.tasks_at_a_time * n},
            "hessian_of": {"row_product": 2 * self.tasks_at_a_time * n},
            "sizes": {}, "inclusion": {}, "radii": {}, "jacobian_norm": {}, "stack": {}, "scatter_rows": {},
        }  # fmt: skip

    # ------------------------------------------------------------ the oracle of methods with plain samples

    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f), f = (1/m) sum f_i; the first is zero, since x enters only through w*."""
        (grad,) = self._upper((self._split(y, xp),), self.sigma, xi, xp)
        return xp.zeros_like(x), xp.reshape(grad, y.shape) / float(self.tasks)

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        """(runs, m d'), of sum g_i, on a minibatch of its own for every task."""
        w = self._split(y, xp)
        batch = self._training(w, zeta, 0, xp)
        _, slope, _ = self._slopes(x, batch, batch.times(w), self.sigma, xp)
        return xp.reshape(batch.back(slope), y.shape) + self.lam * y

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_yy g(zeta_k)) v, block by block."""
        w = self._split(y, xp)
        batch = self._training(w, zeta, k, xp)
        _, _, h = self._slopes(x, batch, batch.times(w), self.sigma, xp)
        return xp.reshape(batch.back(h * batch.times(self._split(v, xp))), y.shape) + self.lam * v

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_xy g(zeta_k)) v, (runs, n): only the rows of the minibatches are not zero."""
        w = self._split(y, xp)
        batch = self._training(w, zeta, k, xp)
        nu, _, _ = self._slopes(x, batch, batch.times(w), self.sigma, xp)
        change = nu * batch.times(self._split(v, xp)) / float(batch.size)
        runs = x.shape[0]
        index, change = xp.reshape(batch.index, (runs, 1, -1)), xp.reshape(change, (runs, 1, -1))
        return scatter(index, change, self.rows, xp)[:, 0, :]

    # ------------------------------------------------------------ the oracle of methods that estimate matrices

    def sizes(self, xp: Any) -> tuple[int, int, int]:
        """(n, m, tasks drawn at a time)."""
        return self.rows, self.tasks, self.tasks_at_a_time

    def inclusion(self, xp: Any) -> tuple[Array, Array]:
        """(q, prefix sums of q), each (m,): the probability q_i of task i to be among the tasks_at_a_time ones."""
        return self.q, self.prefix

    def radii(self, xp: Any) -> tuple[Array, Array, Array]:
        """Bounds of |grad f_i|, max |row|/sigma_i, and of |V_i|, both (m, 1), and of |y_i*|.

        The second is that of the Frobenius norm, with p'(x_j) <= 1/4 and |l'| <= 1, and the third is
        (2 log 2/lam)^(1/2), from g_i(y_i*) <= g_i(0) <= log 2.
        """
        sigma = self.sigma[:, None]
        largest = xp.sqrt(xp.sum(self.squares)) / (4.0 * float(self.rows))
        return self.reach / sigma, largest / sigma, (2.0 * LOG_2 / self.lam) ** 0.5

    def jacobian_norm(self, nu: Array, xp: Any) -> Array:
        """|V_i| = |diag(nu_i) A|/n, the Frobenius norm, (runs, N, 1)."""
        return xp.sqrt(xp.sum(nu**2 * self.squares, axis=-1, keepdims=True)) / float(self.rows)

    def stack(self, y: Array, xp: Any) -> Array:
        """A start of (runs, m d') as (runs, m, d'); one of (runs, d') is that of every task."""
        m, d = self.tasks, self.train.shape[1]
        return self._split(y, xp) if y.shape[1] == m * d else y[:, None, :] + xp.zeros((1, m, 1))

    def scatter_rows(self, index: Array, values: Array, xp: Any) -> Array:
        """(runs, N, n) with the sum of the values at each row, both (runs, N, B)."""
        return scatter(index, values, self.rows, xp)

    def upper_at_both(self, w: Array, w_old: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """grad f_i of every task on a minibatch of its own, at both points; (runs, m, d')."""
        return self._upper((w, w_old), self.sigma, xi, xp)

    def upper_of(self, i: Array, w: Array, w_old: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """The same for the tasks i, (runs, N)."""
        return self._upper((w, w_old), rows_at(self.sigma, i, xp), xi, xp)

    def lower_at_both(
        self, x: Array, w: Array, x_old: Array, w_old: Array, zeta: Any, xp: Any
    ) -> tuple[Array, ...]:
        """(grad g_i, nu_i, h_i) at (x, w), the same at the old point, and the rows j of the minibatches.

        Gradients are (runs, m, d'), the others (runs, m, B), with nu and h times n/B: the estimates of nu_i and h_i,
        which are zero at other rows.
        """
        return self._lower_at_both(self.sigma, x, w, x_old, w_old, zeta, xp)

    def lower_of(
        self, i: Array, x: Array, w: Array, x_old: Array, w_old: Array, zeta: Any, xp: Any
    ) -> tuple[Array, ...]:
        """The same for the tasks i, (runs, N)."""
        return self._lower_at_both(rows_at(self.sigma, i, xp), x, w, x_old, w_old, zeta, xp)

    def times_jacobian(self, nu: Array, w: Array, xp: Any) -> Array:
        """V_i w_i = (1/n) nu_i A w_i of every task, (runs, m, n)."""
        return nu * self._forward(w, xp) / float(self.rows)

    def jacobian_times(self, nu: Array, dx: Array, xp: Any) -> Array:
        """V_i' dx of every task, (runs, m, d'); dx: (runs, n)."""
        return self._back(nu * dx[:, None, :], xp) / float(self.rows)

    def times_hessian(self, h: Array, w: Array, xp: Any) -> Array:
        """H_i w_i of every task, (runs, m, d')."""
        return self._back(h * self._forward(w, xp), xp) / float(self.rows) + self.lam * w

    def jacobian_of(self, nu: Array, w: Array, xp: Any) -> Array:
        """V_i w_i of the tasks_at_a_time tasks."""
        return self.times_jacobian(nu, w, xp)

    def hessian_of(self, h: Array, w: Array, xp: Any) -> Array:
        """H_i w_i of the tasks_at_a_time tasks."""
        return self.times_hessian(h, w, xp)

    # ------------------------------------------------------------ what is measured

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {}  # a pass over the data in every iteration would be too expensive

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """validation_loss: (1/m) sum f_i(y_i) at the current y. objective: F(x)."""
        measured = {
            "validation_loss": lambda: xp.mean(
                self._losses(self._split(s.y, xp), self.sigma, xp), axis=-1, keepdims=True
            ),
            "objective": lambda: self.F(s.x, xp),
        }
        return {name: measured[name]() for name in self.records}

    def F(self, x: Array, xp: Any) -> Array:
        """(runs, 1), with the lower problems solved."""
        nodes = self.exact.nodes
        losses = self._losses(self.solution(x, xp), nodes, xp)
        return xp.sum(losses * self.exact.weights, axis=-1, keepdims=True)

    def solution(self, x: Array, xp: Any) -> Array:
        """argmin g(x, .) at each of the K temperatures of `Exact`, (runs, K, d')."""
        sigma, n = self.exact.nodes[:, None], float(self.rows)
        w = self.exact.w + xp.zeros((x.shape[0], 1, 1))
        weight = _logistic(x, xp)[:, None, :] / n
        for _ in range(NEWTON):
            slope = _logistic(-self._forward(w, xp) / sigma, xp)
            curve = weight * slope * (1.0 - slope) / sigma**2
            r = self._back(weight * slope / sigma, xp) - self.lam * w
            z = self._precondition(r, xp)
            p, rz = z, xp.sum(r * z, axis=-1, keepdims=True)
            for _ in range(INNER):
                q = self._back(curve * self._forward(p, xp), xp) + self.lam * p
                a = ratio(rz, xp.sum(p * q, axis=-1, keepdims=True), xp)
                w, r = w + a * p, r - a * q
                z = self._precondition(r, xp)
                new = xp.sum(r * z, axis=-1, keepdims=True)
                p, rz = z + ratio(new, rz, xp) * p, new
        return w

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """mu_g = lam and L_g = max eig(A'A/n)/(4 sigma^2) + lam for the smallest sigma: for all weights in (0, 1).

        round: rows in one minibatch for every task.
        """
        L_g = self.top / (4.0 * float(np.min(self.sigma)) ** 2) + self.lam
        return {"mu_g": self.lam, "L_g": L_g, "round": float(self.tasks * self.batch)}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """Both belong to all weights: mu_g is approached where p = 0, L_g by undecided rows of weight 1."""
        space = Space((self.rows, self.train.shape[1] * self.tasks))
        every = replace(self, batch=0)

        def slope(x: Array, y: Array, xp: Any) -> Array:
            return every.grad_y_g(x, y, None, xp)

        return {
            "mu_g": StronglyMonotone(space, slope, reaches=0.0),
            "L_g": Lipschitz(space, slope, block=1, reaches=0.1),
        }

    # ------------------------------------------------------------ parts

    def _split(self, y: Array, xp: Any) -> Array:
        """The weight vector of every task, (runs, m, d')."""
        return xp.reshape(y, (y.shape[0], self.tasks, self.train.shape[1]))

    def _training(self, w: Array, zeta: Any, k: Any, xp: Any) -> _Minibatch:
        """A minibatch for each of the tasks of w, (runs, N, d')."""
        if self.batch == 0:
            index = xp.zeros((*w.shape[:2], 1), dtype=xp.int64) + xp.arange(self.rows)
        else:
            index = zeta.index(self.rows, (w.shape[1], self.batch), 0, k)
        return _Minibatch(self.train, index, xp)

    def _slopes(
        self, x: Array, batch: _Minibatch, products: Array, sigma: Array, xp: Any
    ) -> tuple[Array, ...]:
        """(nu, slope of the weighted loss, h) at the rows of a minibatch, (runs, N, B)."""
        runs = x.shape[0]
        at = xp.take_along_axis(x, xp.reshape(batch.index, (runs, -1)), axis=1)
        p = _logistic(xp.reshape(at, batch.index.shape), xp)
        sigma = sigma[..., None]
        q = _logistic(-products / sigma, xp)  # -l'
        return -p * (1.0 - p) * q / sigma, -p * q / sigma, p * q * (1.0 - q) / sigma**2

    def _upper(self, points: tuple[Array, ...], sigma: Array, xi: Any, xp: Any) -> tuple[Array, ...]:
        """grad f_i on one minibatch for each task, at each point (runs, N, d')."""
        w = points[0]
        index = xi.index(self.validation.shape[0], (w.shape[1], max(self.batch, 1)), 2)
        batch = _Minibatch(self.validation, index, xp)
        sigma = sigma[..., None]
        return tuple(batch.back(-_logistic(-batch.times(w) / sigma, xp) / sigma) for w in points)

    def _lower_at_both(
        self, sigma: Array, x: Array, w: Array, x_old: Array, w_old: Array, zeta: Any, xp: Any
    ) -> tuple[Array, ...]:
        batch = self._training(w, zeta, 0, xp)
        scale = self.rows / batch.size
        results: list[Array] = []
        for at, point in ((x, w), (x_old, w_old)):
            nu, slope, h = self._slopes(at, batch, batch.times(point), sigma, xp)
            results += [batch.back(slope) + self.lam * point, scale * nu, scale * h]
        return (*results, batch.index)

    def _forward(self, w: Array, xp: Any) -> Array:
        """A w: (runs, N, d') -> (runs, N, n)."""
        flat = times(self.train, xp.reshape(w, (-1, w.shape[-1])), xp)
        return xp.reshape(flat, (*w.shape[:2], self.rows))

    def _back(self, r: Array, xp: Any) -> Array:
        """A' r: (runs, N, n) -> (runs, N, d')."""
        flat = transposed_times(self.train, xp.reshape(r, (-1, self.rows)), xp)
        return xp.reshape(flat, (*r.shape[:2], -1))

    def _precondition(self, r: Array, xp: Any) -> Array:
        return xp.matmul(self.exact.inverse, r[..., None])[..., 0]

    def _losses(self, w: Array, sigma: Array, xp: Any) -> Array:
        """The mean loss on the validation part, (runs, N)."""
        flat = times(self.validation, xp.reshape(w, (-1, w.shape[-1])), xp)
        s = xp.reshape(flat, (*w.shape[:2], -1)) / sigma[:, None]
        return xp.mean(xp.log1p(xp.exp(-xp.abs(s))) + maximum(-s, 0.0, xp), axis=-1)


class _Minibatch:
    """The rows index (runs, N, B) of a matrix, with means over the B rows."""

    def __init__(self, A: Csr, index: Array, xp: Any) -> None:
        self.index, self.size, self._xp = index, float(index.shape[-1]), xp
        self._rows = sampled_rows(A, xp.reshape(index, (-1, index.shape[-1])), xp)

    def times(self, w: Array) -> Array:
        """(runs, N, d') -> (runs, N, B)."""
        flat = self._rows.times(self._xp.reshape(w, (-1, 1, w.shape[-1])))
        return self._xp.reshape(flat, self.index.shape)

    def back(self, r: Array) -> Array:
        """(1/B) sum r_j row_j, (runs, N, B) -> (runs, N, d')."""
        flat = self._rows.transposed_times(self._xp.reshape(r / self.size, (-1, 1, r.shape[-1])))
        return self._xp.reshape(flat, (*r.shape[:2], -1))


@dataclass(frozen=True)
class OneTask(Reweighting):
    """One lower problem: Figure 1."""


FOUR = np.array([1.0, 2.0, 4.0, 8.0])


@dataclass(frozen=True)
class ManyTasks(Reweighting):
    """Several lower problems: Figure 2."""

    sigma: np.ndarray = field(default_factory=lambda: FOUR)
    q: np.ndarray = field(default_factory=lambda: np.array([0.2, 0.4, 0.6, 0.8]))
    prefix: np.ndarray = field(default_factory=lambda: np.array([0.2, 0.6, 1.2, 2.0]))
    tasks_at_a_time: int = 2
    exact: Exact = field(default_factory=lambda: reference(_toy(), FOUR, 0.1))


def scatter(index: Array, values: Array, n: int, xp: Any) -> Array:
    """(runs, N, n) with the sum of the values at each index, both (runs, N, B)."""
    runs, N = index.shape[:2]
    if not hasattr(xp, "bincount"):
        hits = xp.astype(index[..., None] == xp.arange(n), xp.float64)
        return xp.matmul(values[..., None, :], hits)[..., 0, :]
    flat = index + n * xp.reshape(xp.arange(runs * N), (runs, N, 1))
    sums = xp.bincount(xp.reshape(flat, (-1,)), xp.reshape(values, (-1,)), runs * N * n)
    return xp.reshape(sums, (runs, N, n))


def ratio(a: Array, b: Array, xp: Any) -> Array:
    """a / b where b > 0, else 0."""
    return xp.where(b > 0.0, a / xp.where(b > 0.0, b, 1.0), 0.0)


def _logistic(s: Array, xp: Any) -> Array:
    """1/(1 + exp(-s)) without overflow."""
    return 0.5 * (1.0 + xp.tanh(0.5 * s))


def make(
    parts: tuple[Points, Points],
    sigma: np.ndarray,
    lam: float,
    batch: int,
    bias: bool,
    tasks_at_a_time: int = 0,
    p: np.ndarray | None = None,
) -> Reweighting:
    """A problem of (train, validation) with one lower problem per temperature.

    bias: append a feature that is 1, so that the offset w_0 of E.2 is regularized as the other weights are.
    tasks_at_a_time: how many a method draws that samples tasks, with probabilities p each (default: all alike); 0: a
    single lower problem. Raises ValueError, with one sentence, for data or tasks that are none.
    """
    sigma = np.asarray(sigma, float)
    check_tasks(sigma, tasks_at_a_time, p)
    if not (0.0 < lam < np.inf and batch >= 1):
        raise ValueError(f"lam must be a positive number and batch at least 1, got {lam} and {batch}")
    if len({part.features.shape[1] for part in parts}) > 1:
        raise ValueError("the training and the validation part have different numbers of features")
    for part, of in zip(parts, ("training", "validation"), strict=True):
        if not len(part):
            raise ValueError(f"the {of} part has no rows, so every task is without data")
    train, validation = (_times_labels(part, bias) for part in parts)
    p = np.full(len(sigma), 1.0 / len(sigma)) if p is None else np.asarray(p, float)
    kind = ManyTasks if tasks_at_a_time else OneTask
    reach = float(np.sqrt(largest_square(validation)))
    q = (tasks_at_a_time or 1) * p
    squares = np.asarray(train.matrix.power(2).sum(axis=1)).ravel()
    top = float(np.linalg.eigvalsh((train.matrix.T @ train.matrix).toarray() / len(parts[0]))[-1])
    exact = reference(train, sigma, lam)
    return kind(
        train,
        validation,
        sigma,
        q,
        np.cumsum(q),
        lam,
        batch,
        tasks_at_a_time or 1,
        exact,
        squares,
        reach,
        top,
    )


def check_tasks(sigma: np.ndarray, tasks_at_a_time: int, p: np.ndarray | None) -> None:
    """Raises ValueError, with one sentence, for temperatures or probabilities that make no set of tasks."""
    m = len(sigma)
    if m == 0:
        raise ValueError("m = 0: there is no lower problem, give at least one temperature")
    if not (np.isfinite(sigma).all() and (sigma > 0.0).all()):
        wrong = sigma[~((sigma > 0.0) & np.isfinite(sigma))][0]
        raise ValueError(f"temperatures must be positive numbers, got {wrong}")
    if not 0 <= tasks_at_a_time <= m:
        raise ValueError(f"{tasks_at_a_time} of {m} tasks cannot be drawn at a time")
    if p is None:
        return
    p = np.asarray(p, float)
    if p.shape != (m,):
        raise ValueError(f"there are {m} tasks, but {p.size} probabilities")
    if not (p > 0.0).all():
        raise ValueError(
            f"task {int(np.argmin(p > 0.0)) + 1} has the probability {p[np.argmin(p > 0.0)]:g}: it must be > 0"
        )
    if abs(p.sum() - 1.0) > 1e-9:
        raise ValueError(f"the probabilities of the tasks sum to {p.sum():.6g}, not to 1")
    if tasks_at_a_time * p.max() > 1.0 + 1e-9:
        raise ValueError(
            f"task {int(np.argmax(p)) + 1} has the probability {p.max():g}: with {tasks_at_a_time} tasks at a time "
            f"at most {1.0 / tasks_at_a_time:g} is possible"
        )


def _times_labels(part: Points, bias: bool) -> Csr:
    """Features times labels, (n, d')."""
    features = part.features
    if bias:
        features = sparse.hstack([features, np.ones((len(part), 1))])
    return csr(sparse.diags_array(part.labels) @ features)


def start(instance: Reweighting, rows: int) -> dict[str, np.ndarray]:
    """x = 0, that is all weights 1/2, and w = 0 for every task."""
    return {
        "x": np.zeros((rows, instance.rows)),
        "y": np.zeros((rows, instance.tasks * instance.train.shape[1])),
    }

"""m heterogeneous tasks of the kind of `quadratic`, with closed-form constants for every m.

Task i = 0, ..., m - 1 has its own curvature h, slope a, size s and centres c, e: cosines of 2 pi (i + 1/2)/m, different
for every task but the same for a smooth picture of m, so that constants stay put as m grows; s is proportional to
(i + 1)^(-alpha) with mean 1. F is a quadratic: gradient dominance holds with twice its curvature (Theorem 3). All
constants hold on |x| <= R_x, |y_i| <= R_y, where Assumption 4 can hold for quadratics; R_y is also the radius of Y_i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.ops import entry, norm, rowsum, sq, tasksum
from workbench.samples import Gap, Lipschitz, Samples, Space, StronglyMonotone

from .quadratic import Quadratic

Array = Any

COSTS: dict[str, dict[str, int]] = {
    "upper": {"evaluation_f": 1},  # one for each of the two points at which a sample is evaluated
    "lower": {"evaluation_g": 1},
    "all_upper": {"first_f": 1},  # a sample of every task
    "all_lower": {"first_g": 1},
    "radii": {},
    "sampling": {},
}


def heterogeneous(m: int, alpha: float = 0.0) -> dict[str, np.ndarray]:
    """Fields of `QuadraticTasks`, (1, m) each.

    Raises ValueError for less than one task.
    """
    if m < 1:
        raise ValueError(f"the number of tasks is at least 1, got {m}")
    turn = 2 * np.pi * (np.arange(m) + 0.5) / m
    size = (np.arange(m) + 1.0) ** -alpha
    columns = {
        "h": 1.0 + 0.4 * np.cos(turn),
        "a": 0.6 + 0.3 * np.sin(turn),
        "s": size / size.mean(),
        "c": 0.5 + 0.5 * np.cos(turn + 1.0),
        "e": -0.7 + 0.4 * np.sin(turn + 2.0),
        "Q": np.cumsum(size / size.sum()),
    }
    return {name: column[None] for name, column in columns.items()}


class Tasks:
    """What problems of m tasks share: all of it follows from the tasks one by one.

    They have the columns s (sizes, of mean 1) and Q (sums of s_j/m over j <= i), (1, m) each, task(i), the problem of
    task i alone, and x_opt(), each coordinate of the minimizer.
    """

    @property
    def m(self: Any) -> int:
        return int(self.s.shape[1])

    def sampling(self: Any, xp: Any) -> tuple[Array, Array]:
        """(q, Q): weights of the tasks in proportion to their sizes s_i, and their sums, (1, m)."""
        return self.s / float(self.m), self.Q

    def spread(self: Any, mix: Array, d: int) -> Array:
        """(1/m) sum E|z_i|^2/p_i with p = (1 - mix)/m + mix q, for sampled hypergradients z_i at the minimizer.

        The part of C(p)/m that the iterates see. mix: a number or a column, the result has its shape.
        """
        at = self.x_opt()
        moments = np.array([self.task(i).sampled_moment(at) for i in range(self.m)])
        q, _ = self.sampling(np)
        p = (1.0 - mix) / self.m + mix * q
        return d * np.sum(moments / p, axis=-1, keepdims=True) / self.m

    def of_tasks(self: Any, d: int) -> list[dict[str, float]]:
        """L_fx, ..., L_gyy and C_fx, ..., C_gyy of every task."""
        each = [self.task(i) for i in range(self.m)]
        return [{**one.lipschitz(), **one.moments(d)} for one in each]


@dataclass(frozen=True)
class QuadraticTasks(Tasks):
    h: np.ndarray = field(
        default_factory=lambda: heterogeneous(8)["h"]
    )  # (1, m), as the others: see `heterogeneous`
    a: np.ndarray = field(default_factory=lambda: heterogeneous(8)["a"])
    s: np.ndarray = field(default_factory=lambda: heterogeneous(8)["s"])
    c: np.ndarray = field(default_factory=lambda: heterogeneous(8)["c"])
    e: np.ndarray = field(default_factory=lambda: heterogeneous(8)["e"])
    Q: np.ndarray = field(default_factory=lambda: heterogeneous(8)["Q"])  # sums of s_j/m over j <= i
    A: float = 1.0
    B: float = 0.5
    s_u: float = 0.5
    s_v: float = 0.4
    s_w: float = 0.3
    s_V: float = 0.2
    s_H: float = 0.3
    R_x: float = 3.0
    R_y: float = 3.0

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {
        "grad_sq": ("mean", "last"),
        "gap": ("mean", "last"),
        "outside_x": ("max",),
    }

    def __post_init__(self) -> None:
        if not isinstance(self.Q, np.ndarray):
            return  # columns on another device were checked on this one
        columns = (self.h, self.a, self.s, self.c, self.e, self.Q)
        if not (
            self.Q.ndim == 2 and self.Q.size and all(np.shape(v) == (1, self.Q.shape[1]) for v in columns)
        ):
            raise ValueError(f"m tasks need columns of shape (1, m), got {[np.shape(v) for v in columns]}")
        if not (np.all(self.s > 0) and np.all(self.h > 0)):
            raise ValueError(
                "every task needs a size s > 0 and a curvature h > 0: one without data has no lower level"
            )
        if not (
            np.all(np.diff(self.Q, prepend=0.0) > 0) and np.isclose(self.Q[0, -1], 1.0, rtol=1e-9, atol=0.0)
        ):
            raise ValueError(
                "Q holds the sums of positive probabilities of the tasks: it increases from above 0 to 1"
            )
        if not np.isclose(self.s.mean(), 1.0, rtol=1e-9, atol=0.0):
            raise ValueError(f"the weights s_i/m of the tasks must add up to 1, got {float(self.s.mean()):g}")
        if not all(np.isfinite(v).all() for v in columns):
            raise ValueError("the columns of the tasks are finite numbers")

    # The oracle. i: (runs, 1), the task whose functions are sampled; k: the number of the sample.
    def upper(self, i: Array, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f_i, grad_y f_i) at x and y, (runs, d)."""
        return self._noisy_upper(self._of(i, xp), x, y, xi, x.shape[-1], k)

    def lower(self, i: Array, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        """(grad_y g_i, diagonal of d2g_i/dxdy, diagonal of d2g_i/dydy)."""
        return self._noisy_lower(self._of(i, xp), x, y, zeta, x.shape[-1], k)

    def all_upper(self, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """A sample of every task, for y of (runs, m, d): the first mini-batch."""
        return self._noisy_upper(self._columns(), x[:, None, :], y, xi, y.shape[1:], k)

    def all_lower(self, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        return self._noisy_lower(self._columns(), x[:, None, :], y, zeta, y.shape[1:], k)

    def radii(self, x: Array, xp: Any) -> tuple[Array, Array, Array, Array]:
        """(C_fx, C_fy, C_gxy, R) of every task, (1, m, 1): the projections of Algorithm 2 in the dimension of x."""
        d = x.shape[-1]
        root = float(np.sqrt(d))
        h, a, s, c, e = self._columns()
        C_fx = s * xp.sqrt((self.A * (self.R_x + xp.abs(c) * root)) ** 2 + d * self.s_u**2)
        C_fy = s * xp.sqrt((self.B * (self.R_y + xp.abs(e) * root)) ** 2 + d * self.s_v**2)
        C_gxy = root * xp.sqrt((h * a) ** 2 + self.s_V**2)
        return C_fx, C_fy, C_gxy, 0.0 * h + self.R_y

    def _of(self, i: Array, xp: Any) -> tuple[Array, ...]:
        """h, a, s, c, e of task i for each run, (runs, 1)."""
        return tuple(entry(column, i, xp) for column in (self.h, self.a, self.s, self.c, self.e))

    def _columns(self) -> tuple[Array, ...]:
        """h, a, s, c, e of all tasks, (1, m, 1)."""
        return tuple(column[..., None] for column in (self.h, self.a, self.s, self.c, self.e))

    def _noisy_upper(
        self, tasks: tuple[Array, ...], x: Array, y: Array, xi: Any, d: Any, k: Any
    ) -> tuple[Array, Array]:
        _, _, s, c, e = tasks
        fx = s * (self.A * (x - c) + self.s_u * xi.sign(d, 0, k))
        return fx, s * (self.B * (y - e) + self.s_v * xi.sign(d, 1, k))

    def _noisy_lower(
        self, tasks: tuple[Array, ...], x: Array, y: Array, zeta: Any, d: Any, k: Any
    ) -> tuple[Array, ...]:
        h, a, *_ = tasks
        noise_H, noise_V, noise_w = (
            scale * zeta.sign(d, part, k) for part, scale in enumerate((self.s_H, self.s_V, self.s_w))
        )
        gy = h * (y - a * x) + noise_H * y - noise_V * x - noise_w
        return gy, -h * a - noise_V, h + noise_H

    # Exact quantities.
    def y_star(self, x: Array, xp: Any) -> Array:
        """(runs, m, d)."""
        return self.a[..., None] * x[:, None, :]

    def F(self, x: Array, xp: Any) -> Array:
        _, a, s, c, e = self._columns()
        wide = x[:, None, :]
        each = s / 2.0 * (self.A * (wide - c) ** 2 + self.B * (a * wide - e) ** 2)
        return rowsum(tasksum(each, xp), xp) / float(self.m)

    def grad_F(self, x: Array, xp: Any) -> Array:
        """Linear in x, so that it costs the same for every m."""
        _, a, s, c, e = self._columns()
        at_zero = tasksum(s * (self.A * c + a * self.B * e), xp) / float(self.m)
        return self._curvature(xp) * x - at_zero

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F(x_t)|^2, F - F_*, and |x_t|/R_x."""
        gradient = self.grad_F(s.x, xp)
        return {
            "grad_sq": sq(gradient, xp),
            "gap": sq(gradient, xp) / (2.0 * self._curvature(xp)),  # F is a quadratic
            "outside_x": norm(s.x, xp) / self.R_x,
        }

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|d_t - grad F(x_(t-1))| and root mean |y_i - y_i*|^2, which looks at all tasks."""
        error = tasksum((s.y - self.y_star(s.x, xp)) ** 2, xp) / float(self.m)
        return {
            "error_d": norm(s.d - self.grad_F(s.x_old, xp), xp),
            "lower_error": xp.sqrt(rowsum(error, xp)),
        }

    def _curvature(self, xp: Any) -> Array:
        """(1, 1): of F."""
        _, a, s, _, _ = self._columns()
        return tasksum(s * (self.A + a**2 * self.B), xp) / float(self.m)

    def task(self, i: int) -> Quadratic:
        """Task i alone."""
        h, a, s, c, e = (float(v[0, i, 0]) for v in self._columns())
        scales = {n: getattr(self, n) for n in ("A", "B", "s_u", "s_v", "s_w", "s_V", "s_H", "R_x", "R_y")}
        return Quadratic(h=h, a=a, s=s, c=c, e=e, **scales)

    def x_opt(self) -> float:
        """Each coordinate of the minimizer."""
        slope = np.sum(self.s * (self.A * self.c + self.a * self.B * self.e))
        return float(slope / np.sum(self.s * (self.A + self.a**2 * self.B)))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Of Theorems 2 and 3, without C(p) and L(p) (`of_tasks`); L_y is that of all y_i* together."""
        h, a, *_ = self._columns()
        curvature = float(self._curvature(np)[0, 0])
        x = start["x"]
        return {
            "m": self.m,
            "lam": float(h.min()),
            "L_g": float(h.max()),
            "L_y": float(np.sqrt((a**2).sum())),
            "L_F": curvature,
            "mu": 2.0 * curvature,
            "Delta": sq(self.grad_F(x, np), np) / (2.0 * curvature),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "m": "a count",
        "lam": "the least of the tasks', each of which is sampled alone",
        "L_g": "the largest of the tasks', each of which is sampled alone",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x = start["x"]
        line = Space((x.shape[-1],))
        return {
            "L_y": Lipschitz(line, lambda x, xp: xp.reshape(self.y_star(x, xp), (x.shape[0], -1))),
            "L_F": Lipschitz(line, self.grad_F),
            "mu": StronglyMonotone(line, lambda x, xp: 2.0 * self.grad_F(x, xp)),
            "Delta": Gap(self.F, self.grad_F, x),
        }

"""m tasks of the kind of `waves`: Assumptions 3 and 4 hold on the whole space, and F is not convex.

Tasks come in `KINDS` kinds that repeat, i = 0, ..., m - 1 being of kind i mod KINDS: the centres c, e and the shift
theta are cosines of the kind's number. So F and its gradient cost the same for every m, and are the same for every
multiple of `KINDS` where the tasks weigh alike. The size s_i of a task is proportional to (i + 1)^(-alpha), with
mean 1. R sqrt(d) is the radius of Y_i, which contains y_i*(x), of entries in [-1, 1].

Gradient dominance (Theorem 3) holds on `REGION` in every coordinate; it can hold nowhere else (E12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from workbench.ops import entry, maximum, norm, rowsum, sq, tasksum
from workbench.samples import Gap, Lipschitz, Samples, Space

from .tasks import COSTS, Tasks
from .waves import Wave, least_of, reach_of, slope_of_root

Array = Any

KINDS = 8
REGION = (-0.5, 2.05)
A, B = 1.0, 0.5  # of `waves`


def waves(m: int, alpha: float = 0.0) -> dict[str, np.ndarray]:
    """Fields of `WaveTasks`, (1, m), and those of the kinds, (1, min(m, KINDS)).

    Raises ValueError for less than one task.
    """
    if m < 1:
        raise ValueError(f"the number of tasks is at least 1, got {m}")
    kinds = min(m, KINDS)
    kind = np.arange(m) % kinds
    turn = 2 * np.pi * (np.arange(kinds) + 0.5) / kinds
    size = (np.arange(m) + 1.0) ** -alpha
    theta = 0.2 * np.cos(turn)
    of_kind = {
        "c": 0.5 + 0.5 * np.cos(turn + 1.0),
        "e": 1.5 + 0.25 * np.cos(turn + 2.0),
        "sin": np.sin(theta),
        "cos": np.cos(theta),
    }
    columns = {
        "s": size / size.mean(),
        "Q": np.cumsum(size / size.sum()),
        **{name: values[kind] for name, values in of_kind.items()},
        **{f"kind_{name}": values for name, values in of_kind.items()},
        "kind_s": np.bincount(kind, size / size.sum(), kinds),
    }
    fields = {name: column[None] for name, column in columns.items()}
    return {**fields, "F_least": np.full((1, 1), _shape(fields)[1])}


@dataclass(frozen=True)
class WaveTasks(Tasks):
    s: np.ndarray  # (1, m), as the others: see `waves`
    c: np.ndarray
    e: np.ndarray
    sin: np.ndarray  # of theta
    cos: np.ndarray
    Q: np.ndarray  # sums of s_j/m over j <= i
    kind_c: np.ndarray  # (1, kinds), as the next ones
    kind_e: np.ndarray
    kind_sin: np.ndarray
    kind_cos: np.ndarray
    kind_s: np.ndarray  # sums of s_i/m over the tasks of a kind
    F_least: np.ndarray  # F_* of one coordinate, (1, 1)
    h: float = 1.0
    q: float = 0.5
    a: float = A
    b: float = B
    s_u: float = 0.5
    s_v: float = 0.5
    s_w: float = 0.5
    s_V: float = 0.3
    s_H: float = 0.3
    R: float = 1.6

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {"grad_sq": ("mean", "last"), "outside_x": ("max",)}

    def __post_init__(self) -> None:
        if not isinstance(self.Q, np.ndarray):
            return  # columns on another device were checked on this one
        columns = (self.s, self.c, self.e, self.sin, self.cos, self.Q)
        if not (
            self.Q.ndim == 2 and self.Q.size and all(np.shape(v) == (1, self.Q.shape[1]) for v in columns)
        ):
            raise ValueError(f"m tasks need columns of shape (1, m), got {[np.shape(v) for v in columns]}")
        if not (np.all(np.diff(self.Q, prepend=0.0) > 0) and np.isclose(self.Q[0, -1], 1.0, rtol=1e-9)):
            raise ValueError(
                "Q holds the sums of positive probabilities of the tasks: it increases from above 0 to 1"
            )
        if not (np.all(self.s > 0) and np.isclose(self.s.mean(), 1.0, rtol=1e-9)):
            raise ValueError("the sizes s_i of the tasks are positive, with mean 1")
        if not self.a > self.b >= 0:
            raise ValueError("tasks need a > b >= 0: else F may have no minimum")
        if not np.isclose(float(self.F_least[0, 0]), _shape(vars(self))[1], rtol=1e-9):
            raise ValueError("F_least is not the least value of F")

    # The oracle. i: (runs, 1), the task whose functions are sampled; k: the number of the sample.
    def upper(self, i: Array, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f_i, grad_y f_i) at x and y, (runs, d)."""
        s, c, e = (entry(column, i, xp) for column in (self.s, self.c, self.e))
        return self._noisy_upper(s, c, e, x, y, xi, x.shape[-1], k, xp)

    def lower(self, i: Array, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        """(grad_y g_i, diagonal of d2g_i/dxdy, diagonal of d2g_i/dydy)."""
        turns = entry(self.sin, i, xp), entry(self.cos, i, xp)
        return self._noisy_lower(*turns, x, y, zeta, x.shape[-1], k, xp)

    def all_upper(self, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """A sample of every task, for y of (runs, m, d)."""
        s, c, e = (column[..., None] for column in (self.s, self.c, self.e))
        return self._noisy_upper(s, c, e, x[:, None, :], y, xi, y.shape[1:], k, xp)

    def all_lower(self, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        turns = self.sin[..., None], self.cos[..., None]
        return self._noisy_lower(*turns, x[:, None, :], y, zeta, y.shape[1:], k, xp)

    def radii(self, x: Array, xp: Any) -> tuple[Array, Array, Array, Array]:
        """(C_fx, C_fy, C_gxy, R) of every task, (1, m, 1): the projections of Algorithm 2 in the dimension of x."""
        root, s = float(np.sqrt(x.shape[-1])), self.s[..., None]
        C_fx, C_fy, C_gxy = (
            root * xp.sqrt(0.0 * s + (mean**2 + noise**2))
            for mean, noise in ((self.a, self.s_u), (self.b, self.s_v), (self.h + self.q, self.s_V))
        )
        return s * C_fx, s * C_fy, C_gxy, root * self.R + 0.0 * s

    def _noisy_upper(
        self, s: Array, c: Array, e: Array, x: Array, y: Array, xi: Any, d: Any, k: Any, xp: Any
    ) -> tuple[Array, Array]:
        fx = s * (self.a * slope_of_root(x - c, xp) + self.s_u * xi.sign(d, 0, k))
        return fx, s * (self.b * slope_of_root(y - e, xp) + self.s_v * xi.sign(d, 1, k))

    def _noisy_lower(
        self, sin: Array, cos: Array, x: Array, y: Array, zeta: Any, d: Any, k: Any, xp: Any
    ) -> tuple[Array, ...]:
        sin_x, cos_x = xp.sin(x), xp.cos(x)
        phi, turn = sin_x * cos - cos_x * sin, cos_x * cos + sin_x * sin  # of x - theta
        H, V, w = (scale * zeta.sign(d, part, k) for part, scale in enumerate((self.s_H, self.s_V, self.s_w)))
        tanh = xp.tanh(y - phi)
        bend = self.h + self.q * (1.0 - tanh * tanh)
        return self.h * (y - phi) + self.q * tanh + H * y - V * phi - w, -turn * (bend + V), bend + H

    # Exact quantities.
    def y_star(self, x: Array, xp: Any) -> Array:
        """(runs, m, d)."""
        wide = x[:, None, :]
        return xp.sin(wide) * self.cos[..., None] - xp.cos(wide) * self.sin[..., None]

    def F(self, x: Array, xp: Any) -> Array:
        s, c, e, phi, _ = self._kinds(x, xp)
        wide = x[:, None, :]
        each = self.a * xp.sqrt(1.0 + (wide - c) ** 2) + self.b * xp.sqrt(1.0 + (phi - e) ** 2)
        return rowsum(tasksum(s * each, xp), xp)

    def grad_F(self, x: Array, xp: Any) -> Array:
        s, c, e, phi, turn = self._kinds(x, xp)
        fy = self.b * slope_of_root(phi - e, xp)
        return tasksum(s * (self.a * slope_of_root(x[:, None, :] - c, xp) + turn * fy), xp)

    def _kinds(self, x: Array, xp: Any) -> tuple[Array, ...]:
        """Weights, c, e, (1, kinds, 1), and y* and its derivative, (runs, kinds, d), of the kinds of tasks."""
        s, c, e, sin, cos = (
            column[..., None]
            for column in (self.kind_s, self.kind_c, self.kind_e, self.kind_sin, self.kind_cos)
        )
        sin_x, cos_x = xp.sin(x)[:, None, :], xp.cos(x)[:, None, :]
        return s, c, e, sin_x * cos - cos_x * sin, cos_x * cos + sin_x * sin

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F(x_t)|^2, and how far x_t is from the middle of `REGION`, over half of its length."""
        middle, half = (REGION[0] + REGION[1]) / 2.0, (REGION[1] - REGION[0]) / 2.0
        away = xp.abs(s.x - middle) / half
        farthest = away[:, 0:1]
        for j in range(1, s.x.shape[-1]):
            farthest = maximum(farthest, away[:, j : j + 1], xp)
        return {"grad_sq": sq(self.grad_F(s.x, xp), xp), "outside_x": farthest}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """F(x_t) - F_*, |d_t - grad F(x_(t-1))|, <d_t, grad F(x_(t-1))> over |grad F|^2, root mean |y_i - y_i*|^2."""
        gradient = self.grad_F(s.x_old, xp)
        error = tasksum((s.y - self.y_star(s.x, xp)) ** 2, xp) / float(self.m)
        return {
            "gap": self.F(s.x, xp) - self.F_least * float(s.x.shape[-1]),
            "error_d": norm(s.d - gradient, xp),
            "along": rowsum(s.d * gradient, xp) / sq(gradient, xp),
            "lower_error": xp.sqrt(rowsum(error, xp)),
        }

    def task(self, i: int) -> Wave:
        """Task i alone."""
        s, c, e, sin, cos = (float(column[0, i]) for column in (self.s, self.c, self.e, self.sin, self.cos))
        names = ("h", "q", "a", "b", "s_u", "s_v", "s_w", "s_V", "s_H", "R")
        scales = {name: getattr(self, name) for name in names}
        return Wave(s=s, c=c, e=e, theta=float(np.arctan2(sin, cos)), **scales)

    def x_opt(self) -> float:
        """Each coordinate of the minimizer."""
        return _shape(vars(self))[0]

    def curvature(self) -> float:
        """F'' of one coordinate at the minimizer."""
        x = self.x_opt() + np.array([[-1e-4], [1e-4]])
        low, high = self.grad_F(x, np)[:, 0]
        return float((high - low) / 2e-4)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Of Theorems 2 and 3, without C(p) and L(p) (`of_tasks`); L_y is that of all y_i* together."""
        x = start["x"]
        return {
            "m": self.m,
            "lam": self.h,
            "L_g": self.h + self.q,
            "L_y": float(np.sqrt(self.m)),
            "L_F": self.a + 1.25 * self.b,
            "mu": _shape(vars(self))[2],
            "Delta": self.F(x, np) - self.F_least * x.shape[-1],
        }

    unsampled: ClassVar[dict[str, str]] = {
        "m": "a count",
        "lam": "that of every task, which is sampled alone",
        "L_g": "that of every task, which is sampled alone",
        "mu": "the least |F'|^2/(F - F_*) of one coordinate on `REGION`, of a grid; a test compares a finer one",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x = start["x"]
        line = Space((x.shape[-1],))
        return {
            # All y_i* are steepest at different x.
            "L_y": Lipschitz(
                line, lambda x, xp: xp.reshape(self.y_star(x, xp), (x.shape[0], -1)), reaches=0.9
            ),
            "L_F": Lipschitz(line, self.grad_F, reaches=0.7),
            "Delta": Gap(self.F, self.grad_F, x),
        }


def _shape(fields: Mapping[str, Any]) -> tuple[float, float, float]:
    """(minimizer, F_*, least |F'|^2/(F - F_*) on `REGION`) of one coordinate. fields: of `WaveTasks`."""
    columns = (fields[f"kind_{name}"] for name in ("s", "c", "e", "sin", "cos"))
    kinds = tuple(tuple(map(float, column[0])) for column in columns)
    return _searched_shape(kinds, float(fields.get("a", A)), float(fields.get("b", B)))


@lru_cache(maxsize=64)
def _searched_shape(kinds: tuple[tuple[float, ...], ...], a: float, b: float) -> tuple[float, float, float]:
    s, c, e, sin, cos = (np.array(column)[None] for column in kinds)

    def phi(x: np.ndarray) -> np.ndarray:
        return np.sin(x)[:, None] * cos - np.cos(x)[:, None] * sin

    def F(x: np.ndarray) -> np.ndarray:
        each = a * np.sqrt(1.0 + (x[:, None] - c) ** 2) + b * np.sqrt(1.0 + (phi(x) - e) ** 2)
        return np.sum(s * each, axis=1)

    reach = reach_of(b / a)
    at = least_of(F, float(c.min()) - reach, float(c.max()) + reach)
    least = float(F(np.array([at]))[0])
    x = np.linspace(*REGION, 20001)
    x = x[np.abs(x - at) > 1e-3]  # nearer, the quotient is twice the curvature up to round-off
    turn = np.cos(x)[:, None] * cos + np.sin(x)[:, None] * sin
    y = phi(x)
    slope = np.sum(s * (a * slope_of_root(x[:, None] - c, np) + b * turn * slope_of_root(y - e, np)), axis=1)
    return at, least, float(np.min(slope**2 / (F(x) - least)))

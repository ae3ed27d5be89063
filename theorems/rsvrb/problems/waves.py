"""One task that is not quadratic: bounded gradients of f on the whole space, a nonconvex F, five noisy oracles.

In every coordinate, with r = y - phi(x), independent signs xi, zeta in every coordinate, and d' = d,

    f(x, y) = s (a sqrt(1 + (x - c)^2) + b sqrt(1 + (y - e)^2) + s_u xi^1 x + s_v xi^2 y)
    g(x, y) = h r^2/2 + q log cosh r + s_H zeta^1 y^2/2 - s_V zeta^2 phi(x) y - s_w zeta^3 y

`Wave` has phi(x) = sin(x - theta), `Straight` phi(x) = x and q = 0. y*(x) = phi(x), since the derivative of g in y
vanishes where r does. So F'(x) = s (a (x - c)/sqrt(1 + (x - c)^2) + b phi'(x) (phi(x) - e)/sqrt(1 + (phi(x) - e)^2)).

All assumptions of Theorem 1 hold on the whole space but one: the variance of grad_y g is bounded for |y| <= R sqrt(d)
only (of `Straight` for such x, too), since Algorithm 1 does not project y. Jacobian and Hessian are diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import into_ball, norm, sq, unit
from workbench.samples import Deviation, Gap, Lipschitz, Norm, Samples, Space, StronglyMonotone

from .quadratic import COSTS

Array = Any

STEEPEST = 4.0 / (3.0 * np.sqrt(3.0))  # the largest derivative of sech^2, at tanh r = 1/sqrt(3)


def slope_of_root(v: Array, xp: Any) -> Array:
    """The derivative of sqrt(1 + v^2), of absolute value below 1."""
    return v / xp.sqrt(1.0 + v * v)


@dataclass(frozen=True)
class Wave:
    h: float = 1.0
    q: float = 0.5
    a: float = 1.0
    b: float = 0.5
    s: float = 1.0
    c: float = 0.5
    theta: float = 0.1
    e: float = 1.5
    s_u: float = 0.5
    s_v: float = 0.5
    s_w: float = 0.5
    s_V: float = 0.3
    s_H: float = 0.3
    R: float = 1.6

    COSTS: ClassVar = COSTS
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {
        "grad_sq": ("mean", "last"),
        "lower_error": ("last",),
        "outside_y": ("max",),
    }
    L_Y: ClassVar[float] = 1.0  # the largest |phi'|

    def __post_init__(self) -> None:
        if not (self.h > 0 and self.q >= 0 and self.a > self.b >= 0 and self.s > 0):
            raise ValueError(
                "a wave needs h > 0, q >= 0, s > 0 and a > b >= 0: with b >= a, F may have no minimum"
            )
        if not self.R >= 1:
            raise ValueError(f"y*(x) = sin(x - theta) leaves its ball: R = {self.R} is less than 1")

    # The lower-level solution and its derivative.
    def y_star(self, x: Array, xp: Any) -> Array:
        return xp.sin(x - self.theta)

    def turn(self, x: Array, xp: Any) -> Array:
        """The derivative of y*."""
        return xp.cos(x - self.theta)

    # The oracle: samples number k of xi or zeta.
    def upper(self, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f), both with the sample xi."""
        d = x.shape[-1]
        fx, fy = self.grad_f(x, y, xp)
        return fx + self.s * self.s_u * xi.sign(d, 0, k), fy + self.s * self.s_v * xi.sign(d, 1, k)

    def lower(self, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        """(grad_y g, diagonal of d2g/dxdy, diagonal of d2g/dydy), all with the sample zeta."""
        d, phi, turn = x.shape[-1], self.y_star(x, xp), self.turn(x, xp)
        H, V, w = (scale * zeta.sign(d, part, k) for part, scale in enumerate((self.s_H, self.s_V, self.s_w)))
        tanh = xp.tanh(y - phi)
        bend = self.h + self.q * (1.0 - tanh * tanh)
        return self.h * (y - phi) + self.q * tanh + H * y - V * phi - w, -turn * (bend + V), bend + H

    # Exact quantities.
    def grad_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        return (
            self.s * self.a * slope_of_root(x - self.c, xp),
            self.s * self.b * slope_of_root(y - self.e, xp),
        )

    def grad_g(self, x: Array, y: Array, xp: Any) -> Array:
        r = y - self.y_star(x, xp)
        return self.h * r + self.q * xp.tanh(r)

    def F(self, x: Array, xp: Any) -> Array:
        one = xp.asarray(1.0)
        y = self.y_star(x, xp)
        each = self.a * xp.sqrt(one + (x - self.c) ** 2) + self.b * xp.sqrt(one + (y - self.e) ** 2)
        return self.s * xp.sum(each, axis=-1, keepdims=True)

    def grad_F(self, x: Array, xp: Any) -> Array:
        fx, fy = self.grad_f(x, self.y_star(x, xp), xp)
        return fx + self.turn(x, xp) * fy

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F(x_t)|^2, |y_t - y*(x_t)|, and |y_t| over the radius of the region."""
        return {
            "grad_sq": sq(self.grad_F(s.x, xp), xp),
            "lower_error": norm(s.y - self.y_star(s.x, xp), xp),
            "outside_y": norm(s.y, xp) / (self.R * float(np.sqrt(s.y.shape[-1]))),
        }

    def x_opt(self) -> float:
        """Each coordinate of the minimizer of F."""
        reach = reach_of(self.b / self.a)
        return least_of(lambda x: self.F(x[:, None], np)[:, 0], self.c - reach, self.c + reach)

    def sampled_moment(self, x: float) -> float:
        """E z^2 of one coordinate for a sampled hypergradient z at x, to first order in the noise.

        The noise of z = u - V H^-1 v is that of u, v, V and H at y*(x), and that of w, which displaces y by -1/H of it.
        """
        at = np.array([[x]])
        y, turn = float(self.y_star(at, np)[0, 0]), float(self.turn(at, np)[0, 0])
        fx, fy = (float(part[0, 0]) for part in self.grad_f(at, self.y_star(at, np), np))
        bend = self.h + self.q
        lag = turn * self.s * self.b * (1.0 + (y - self.e) ** 2) ** -1.5 / bend  # what -w adds to z
        noise = (
            self.s * self.s_u,
            turn * self.s * self.s_v,
            self.s_H * (lag * y + turn * fy / bend),
            self.s_V * (lag * y + turn * fy / bend),
            lag * self.s_w,
        )
        return float((fx + turn * fy) ** 2 + sum(n * n for n in noise))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Of Theorem 1 for the start's dimension; C_fy and C_gxy bound the means, sigma are standard deviations.

        The Frobenius norm of a diagonal Jacobian grows with the root of d; C_gxy, of the spectral norm, does not.
        """
        x = start["x"]
        d = x.shape[-1]
        root = np.sqrt(d)
        return {
            "lam": self.h,
            "L_g": self.h + self.q,
            "L_y": self.L_Y,
            "L_F": self.smoothness,
            **self.lipschitz(),
            "C_fy": self.s * self.b * root,
            "C_gxy": self.h + self.q,
            "sigma_fx": self.s * self.s_u * root,
            "sigma_fy": self.s * self.s_v * root,
            "sigma_gy": self._deviation() * root,
            "sigma_gxy": self.s_V * root,
            "sigma_gyy": self.s_H * root,
            "Delta": self.F(x, np) - self.F(np.full((1, d), self.x_opt()), np),
        }

    def _deviation(self) -> float:
        """The largest deviation of grad_y g per coordinate in the region."""
        return float(np.sqrt((self.s_H * self.R) ** 2 + self.s_V**2 + self.s_w**2))

    @property
    def smoothness(self) -> float:
        """L_F: |phi'|^2 + |phi''| <= 5/4 for phi = sin, and sqrt(1 + v^2) has a second derivative of at most 1."""
        return self.s * (self.a + 1.25 * self.b)

    def lipschitz(self) -> dict[str, float]:
        """Of the sampled oracles in (x, y). L_gxy bounds its two partial derivatives apart; the others are attained."""
        steep = STEEPEST * self.q
        return {
            "L_fx": self.s * self.a,
            "L_fy": self.s * self.b,
            "L_gy": float(np.hypot(self.h + self.q + self.s_V, self.h + self.q + self.s_H)),
            "L_gxy": float(np.hypot(steep, self.h + self.q + self.s_V + steep)),
            "L_gyy": float(np.sqrt(2.0) * steep),
        }

    def moments(self, d: int) -> dict[str, float]:
        """C_fx, ..., C_gyy of Assumption 4: root mean squares, in the Frobenius norm, for |y| <= R sqrt(d)."""
        root, bend = np.sqrt(d), self.h + self.q
        gy = self.h * (self.R + 1.0) + self.q
        return {
            "C_fx": float(root * self.s * np.hypot(self.a, self.s_u)),
            "C_fy": float(root * self.s * np.hypot(self.b, self.s_v)),
            "C_gy": float(root * np.hypot(gy, self._deviation())),
            "C_gxy": float(root * np.hypot(bend, self.s_V)),
            "C_gyy": float(root * np.hypot(bend, self.s_H)),
        }

    unsampled: ClassVar[dict[str, str]] = {}
    REACHED: ClassVar[dict[str, float]] = {"L_F": 0.7, "L_gxy": 0.8}  # what is bounded, and not computed

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        d = start["x"].shape[-1]
        space, line = Space((d, d), self._region), Space((d,), self._region)
        grad_y = lambda x, y, xp: self.grad_g(x, y, xp)  # noqa: E731
        exact = lambda part: lambda x, y, xp: self._means(x, y, xp)[part]  # noqa: E731
        oracle = lambda part: lambda x, y, xi, xp: self._sampled_oracles(x, y, xi, xp)[part]  # noqa: E731
        free = lambda part: lambda x, y, xi, xp: self._oracles(x, y, xi, xp)[part]  # noqa: E731
        names = ("fx", "fy", "gy", "gxy", "gyy")
        edge = lambda x, y: (self._steepest(x), self.R * float(np.sqrt(d)) * unit(y, np))  # noqa: E731
        return {
            "lam": StronglyMonotone(Space((d, d)), grad_y),
            "L_g": Lipschitz(Space((d, d)), grad_y, block=1),
            "L_y": Lipschitz(line, self.y_star),
            "L_F": Lipschitz(line, self.grad_F, reaches=self.REACHED.get("L_F", 0.99)),
            **{
                f"L_{n}": Lipschitz(
                    Space((d, d)), free(i), noisy=True, reaches=self.REACHED.get(f"L_{n}", 0.99)
                )
                for i, n in enumerate(names)
            },
            "C_fy": Norm(space, lambda x, y, xp: self.grad_f(x, y, xp)[1]),
            "C_gxy": Norm(space, lambda x, y, xp: self._means(x, y, xp)[3][:, :1]),
            **{f"sigma_{n}": Deviation(space, oracle(i), exact(i), reaches=0.9) for i, n in enumerate(names)},
            "sigma_gxy": Deviation(  # largest where phi is steepest
                line,
                lambda x, xi, xp: self._sampled_oracles(0.0 * x + self.theta, x, xi, xp)[3],
                lambda x, xp: self._means(0.0 * x + self.theta, x, xp)[3],
                reaches=0.9,
            ),
            "sigma_gy": Deviation(  # largest on the boundary, where a search rarely goes
                space,
                lambda x, y, xi, xp: self._sampled_oracles(*edge(x, y), xi, xp)[2],
                lambda x, y, xp: self._means(*edge(x, y), xp)[2],
                reaches=0.9,
            ),
            "Delta": Gap(self.F, self.grad_F, start["x"]),
        }

    def _steepest(self, x: Array) -> Array:
        """A point x at which |phi| is largest."""
        return 0.0 * x + self.theta + np.pi / 2.0

    def _region(self, x: Array, xp: Any) -> Array:
        return x

    def _means(self, x: Array, y: Array, xp: Any) -> tuple[Array, ...]:
        """The five exact oracles, with y in its ball."""
        y = into_ball(y, self.R * float(np.sqrt(y.shape[-1])), xp)
        tanh = xp.tanh(y - self.y_star(x, xp))
        bend = self.h + self.q * (1.0 - tanh * tanh)
        return (*self.grad_f(x, y, xp), self.grad_g(x, y, xp), -self.turn(x, xp) * bend, bend)

    def _sampled_oracles(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, ...]:
        """The five sampled oracles, with y in its ball."""
        return self._oracles(x, into_ball(y, self.R * float(np.sqrt(y.shape[-1])), xp), xi, xp)

    def _oracles(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, ...]:
        return (*self.upper(x, y, xi, 0, xp), *self.lower(x, y, xi, 0, xp))


@dataclass(frozen=True)
class Straight(Wave):
    """The same with phi(x) = x and q = 0: the constants of Theorem 1 are small, so that its bound says something.

    The constants hold for |x|, |y| <= R sqrt(d).
    """

    h: float = 0.5
    q: float = 0.0
    c: float = 0.0
    theta: float = 0.0
    e: float = 1.0
    R: float = 2.5

    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {**Wave.RECORD, "outside_x": ("max",)}
    REACHED: ClassVar[dict[str, float]] = {"L_F": 0.7}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.q or self.theta:
            raise ValueError("a straight task has q = 0 and theta = 0")

    def y_star(self, x: Array, xp: Any) -> Array:
        return x

    def turn(self, x: Array, xp: Any) -> Array:
        return 0.0 * x + 1.0

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        outside = norm(s.x, xp) / (self.R * float(np.sqrt(s.x.shape[-1])))
        return {**super().metrics(s, t, xp), "outside_x": outside}

    def _deviation(self) -> float:
        return float(np.sqrt((self.s_H**2 + self.s_V**2) * self.R**2 + self.s_w**2))

    @property
    def smoothness(self) -> float:
        return self.s * (self.a + self.b)

    def lipschitz(self) -> dict[str, float]:
        return {
            "L_fx": self.s * self.a,
            "L_fy": self.s * self.b,
            "L_gy": float(np.hypot(self.h + self.s_V, self.h + self.s_H)),
            "L_gxy": 0.0,
            "L_gyy": 0.0,
        }

    def _steepest(self, x: Array) -> Array:
        return self.R * float(np.sqrt(x.shape[-1])) * unit(x, np)

    def _region(self, x: Array, xp: Any) -> Array:
        return into_ball(x, self.R * float(np.sqrt(x.shape[-1])), xp)


def least_of(F: Any, low: float, high: float, points: int = 40001) -> float:
    """The minimizer in [low, high] of a function of numbers (n,): the best point of a grid, by golden sections."""
    x = np.linspace(low, high, points)
    n = int(np.argmin(F(x)))
    low, high, golden = x[max(n - 1, 0)], x[min(n + 1, points - 1)], (np.sqrt(5.0) - 1.0) / 2.0
    for _ in range(80):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if F(np.array([left]))[0] < F(np.array([right]))[0]:
            high = right
        else:
            low = left
    return float((low + high) / 2.0)


def reach_of(ratio: float) -> float:
    """How far from c a minimizer of F can lie for b/a = ratio < 1: beyond, the upper part of F is the steeper one."""
    return ratio / float(np.sqrt(1.0 - ratio**2))

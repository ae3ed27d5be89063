"""One task: quadratic levels whose five oracles are all noisy, with closed-form constants on a region.

    f(x, y) = s (A |x - c 1|^2 + B |y - e 1|^2)/2 + s (s_u <xi^1, x> + s_v <xi^2, y>)
    g(x, y) = h |y - a x|^2/2 + sum_j (s_H zeta^1_j y_j^2/2 - s_V zeta^2_j x_j y_j - s_w zeta^3_j y_j)

with independent signs xi, zeta in every coordinate and d' = d. y*(x) = a x, and F is a quadratic with curvature
s (A + a^2 B): PL holds with mu = 2 s (A + a^2 B). Gradients of f are bounded on a region only; constants hold for
|x| <= R_x, |y| <= R_y, which contains y*(x) if a R_x <= R_y. Jacobian and Hessian are diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import into_ball, norm, sq, unit
from workbench.samples import Deviation, Gap, Lipschitz, Norm, Samples, Space, StronglyMonotone

Array = Any

# One evaluation for each of the two points at which a sample is used.
COSTS: dict[str, dict[str, int]] = {"upper": {"evaluation_f": 1}, "lower": {"evaluation_g": 1}}


@dataclass(frozen=True)
class Quadratic:
    h: float = 1.0
    a: float = 0.8
    s: float = 1.0
    c: float = 0.5
    e: float = -0.7
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
        "lower_error": ("last",),
        "outside_x": ("max",),
        "outside_y": ("max",),
    }

    def __post_init__(self) -> None:
        if abs(self.a) * self.R_x > self.R_y:
            raise ValueError(f"y*(x) leaves its ball: |a| R_x = {abs(self.a) * self.R_x} > R_y = {self.R_y}")
        if not (self.h > 0 and self.s > 0 and self.A > 0 and self.B >= 0):
            raise ValueError("a quadratic task needs h > 0, s > 0, A > 0 and B >= 0")

    # The oracle: samples number k of xi or zeta.
    def upper(self, x: Array, y: Array, xi: Any, k: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f), both with the sample xi."""
        d = x.shape[-1]
        fx, fy = self.grad_f(x, y, xp)
        return fx + self.s * self.s_u * xi.sign(d, 0, k), fy + self.s * self.s_v * xi.sign(d, 1, k)

    def lower(self, x: Array, y: Array, zeta: Any, k: Any, xp: Any) -> tuple[Array, Array, Array]:
        """(grad_y g, diagonal of d2g/dxdy, diagonal of d2g/dydy), all with the sample zeta."""
        d = x.shape[-1]
        H, V, w = (scale * zeta.sign(d, part, k) for part, scale in enumerate((self.s_H, self.s_V, self.s_w)))
        return self.grad_g(x, y, xp) + H * y - V * x - w, -self.h * self.a - V, self.h + H

    # Exact quantities.
    def grad_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        return self.s * self.A * (x - self.c), self.s * self.B * (y - self.e)

    def grad_g(self, x: Array, y: Array, xp: Any) -> Array:
        return self.h * (y - self.a * x)

    def y_star(self, x: Array, xp: Any) -> Array:
        return self.a * x

    def F(self, x: Array, xp: Any) -> Array:
        return self.s / 2.0 * (self.A * sq(x - self.c, xp) + self.B * sq(self.a * x - self.e, xp))

    def grad_F(self, x: Array, xp: Any) -> Array:
        fx, fy = self.grad_f(x, self.y_star(x, xp), xp)
        return fx + self.a * fy

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F(x_t)|^2, |y_t - y*(x_t)|, and |x_t|, |y_t| over the radii of the region."""
        return {
            "grad_sq": sq(self.grad_F(s.x, xp), xp),
            "lower_error": norm(s.y - self.y_star(s.x, xp), xp),
            "outside_x": norm(s.x, xp) / self.R_x,
            "outside_y": norm(s.y, xp) / self.R_y,
        }

    def x_opt(self) -> float:
        """Each coordinate of the minimizer."""
        return (self.A * self.c + self.a * self.B * self.e) / (self.A + self.a**2 * self.B)

    def sampled_moment(self, x: float) -> float:
        """E z^2 of one coordinate for a sampled hypergradient z at x, to first order in the noise.

        The noise of z = u - V H^-1 v is that of u, v, V and H at y*(x), and that of w, which displaces y by -1/h of it.
        """
        y = self.a * x
        v = self.s * self.B * (y - self.e)
        mean = self.s * self.A * (x - self.c) + self.a * v
        lag = -self.a * self.s * self.B / self.h  # what noise of w adds to z
        noise = (
            self.s * self.s_u,
            self.a * self.s * self.s_v,
            self.s_H * (lag * y - self.a * v / self.h),
            self.s_V * (v / self.h - lag * x),
            lag * self.s_w,
        )
        return float(mean**2 + sum(n * n for n in noise))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Of Theorem 1 for the start's dimension; C_fy and C_gxy bound the means, sigma are standard deviations."""
        d = start["x"].shape[-1]
        root = np.sqrt(d)
        return {
            "lam": self.h,
            "L_g": self.h,
            "L_y": abs(self.a),
            "L_F": self.curvature,
            "mu": 2.0 * self.curvature,
            **self.lipschitz(),
            "C_fy": self.s * self.B * (self.R_y + abs(self.e) * root),
            "C_gxy": self.h * abs(self.a),
            "sigma_fx": self.s * self.s_u * root,
            "sigma_fy": self.s * self.s_v * root,
            "sigma_gy": np.sqrt((self.s_H * self.R_y) ** 2 + (self.s_V * self.R_x) ** 2 + d * self.s_w**2),
            "sigma_gxy": self.s_V * root,
            "sigma_gyy": self.s_H * root,
            "Delta": self.F(start["x"], np) - self.F(np.full((1, d), self.x_opt()), np),
        }

    @property
    def curvature(self) -> float:
        return self.s * (self.A + self.a**2 * self.B)

    def lipschitz(self) -> dict[str, float]:
        """Of the sampled oracles in (x, y)."""
        slope = abs(self.h * self.a) + self.s_V
        return {
            "L_fx": self.s * self.A,
            "L_fy": self.s * self.B,
            "L_gy": float(np.hypot(slope, self.h + self.s_H)),
            "L_gxy": 0.0,
            "L_gyy": 0.0,
        }

    def moments(self, d: int) -> dict[str, float]:
        """C_fx, ..., C_gyy of Assumption 4: root mean squares on the region, in the Frobenius norm."""
        root = np.sqrt(d)
        fx = self.A * (self.R_x + abs(self.c) * root)
        fy = self.B * (self.R_y + abs(self.e) * root)
        gy = self.h * (self.R_y + abs(self.a) * self.R_x)
        spread = (self.s_H * self.R_y) ** 2 + (self.s_V * self.R_x) ** 2 + d * self.s_w**2
        return {
            "C_fx": float(self.s * np.sqrt(fx**2 + d * self.s_u**2)),
            "C_fy": float(self.s * np.sqrt(fy**2 + d * self.s_v**2)),
            "C_gy": float(np.sqrt(gy**2 + spread)),
            "C_gxy": float(root * np.hypot(self.h * self.a, self.s_V)),
            "C_gyy": float(root * np.hypot(self.h, self.s_H)),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "L_gxy": "sampled second derivatives do not depend on the point",
        "L_gyy": "sampled second derivatives do not depend on the point",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        d = start["x"].shape[-1]
        space, line = Space((d, d), self._region), Space((d,), self._region)
        grad_y = lambda x, y, xp: self.grad_g(x, y, xp)  # noqa: E731
        fixed = lambda part: lambda x, y, xp: self._means(x, y, xp)[part]  # noqa: E731
        oracle = lambda part: lambda x, y, xi, xp: self._sampled_oracles(x, y, xi, xp)[part]  # noqa: E731
        names = ("fx", "fy", "gy", "gxy", "gyy")
        noise = {
            f"sigma_{n}": Deviation(space, oracle(i), fixed(i), reaches=0.9) for i, n in enumerate(names)
        }
        edge = lambda x, y: (self.R_x * unit(x, np), self.R_y * unit(y, np))  # noqa: E731
        noise["sigma_gy"] = Deviation(  # largest on the boundary, where a search rarely goes
            space,
            lambda x, y, xi, xp: self._sampled_oracles(*edge(x, y), xi, xp)[2],
            lambda x, y, xp: self._means(*edge(x, y), xp)[2],
            reaches=0.9,
        )
        return {
            "lam": StronglyMonotone(Space((d, d)), grad_y),
            "L_g": Lipschitz(Space((d, d)), grad_y, block=1),
            "L_y": Lipschitz(line, self.y_star),
            "L_F": Lipschitz(line, self.grad_F),
            "mu": StronglyMonotone(line, lambda x, xp: 2.0 * self.grad_F(x, xp)),
            **{
                f"L_{n}": Lipschitz(Space((d, d)), self._free(i), noisy=True) for i, n in enumerate(names[:3])
            },
            "C_fy": Norm(space, fixed(1)),
            "C_gxy": Norm(space, lambda x, y, xp: self._means(x, y, xp)[3][:, :1]),
            **noise,
            "Delta": Gap(self.F, self.grad_F, start["x"]),
        }

    def _region(self, x: Array, xp: Any) -> Array:
        return into_ball(x, self.R_x, xp)

    def _means(self, x: Array, y: Array, xp: Any) -> tuple[Array, ...]:
        """The five exact oracles, with y in its ball."""
        y = into_ball(y, self.R_y, xp)
        one = 0.0 * x + 1.0
        return (
            *self.grad_f(x, y, xp),
            self.grad_g(x, y, xp),
            -self.h * self.a * one,
            self.h * one,
        )

    def _sampled_oracles(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, ...]:
        """The five sampled oracles, with y in its ball."""
        y = into_ball(y, self.R_y, xp)
        return (*self.upper(x, y, xi, 0, xp), *self.lower(x, y, xi, 0, xp))

    def _free(self, part: int) -> Any:
        return lambda x, y, xi, xp: (*self.upper(x, y, xi, 0, xp), *self.lower(x, y, xi, 0, xp))[part]

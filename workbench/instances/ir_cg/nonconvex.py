"""Witnesses with a non-convex outer objective (Theorems 5, 6): coordinates u, w and, all others, y.

The merit function is calF(x) = max over v in X_opt of <grad F(x), x - v> (L956); F is separable over a box and free
in y on X_opt = {y = c_y}, so it is a sum of maxima over intervals, coordinate by coordinate. The theorems bound its
average with weights sigma_t, which the state carries: the metrics are summed with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.ops import rowsum
from workbench.instances.declared import Norm, Samples, Space
from workbench.instances.ir_cg.base import Bilevel, check_start
from workbench.instances.ir_cg.witness import SpreadComponents, first

Array = Any

SUMS: dict[str, tuple[str, ...]] = {"weighted_calF": ("sum",), "weight": ("sum",)}


def second(d: int, xp: Any) -> Array:
    """(d,) of 1.0 at coordinate 1, 0.0 elsewhere."""
    return xp.where(xp.arange(d) == 1, xp.asarray(1.0), xp.asarray(0.0))


def merit(x: Array, g: Array, box: Any, xp: Any) -> Array:
    """sum_j max over v_j in [low, high] of g_j (x_j - v_j), for a gradient g that vanishes in the coordinates y."""
    return rowsum(g * (x - box.lmo(g, xp)), xp)


@dataclass(frozen=True)
class SaddleOuter(Bilevel):
    """NC on [-1, 1]^d: F = (u - c)^2 / 2 - w^2 / 2, G = sum (y - c_y)^2 / 2, grad g = grad G + b eps, signs.

    |F'| follows the estimator's error over sigma_t: t^-(omega/2 - p), which is the claimed t^-1/7.
    """

    c: float = 0.3
    c_y: float = 0.3
    b: Array = 0.3

    RECORD: ClassVar = SUMS
    UNIQUE = False

    def F(self, x: Array, xp: Any) -> Array:
        d = x.shape[-1]
        return rowsum((x - self.c) ** 2 * first(d, xp) - x**2 * second(d, xp), xp) / 2.0

    def grad_F(self, x: Array, xp: Any) -> Array:
        d = x.shape[-1]
        return (x - self.c) * first(d, xp) - x * second(d, xp)

    def _inner(self, d: int, xp: Any) -> Array:
        return 1.0 - first(d, xp) - second(d, xp)

    def G(self, x: Array, xp: Any) -> Array:
        return rowsum((x - self.c_y) ** 2 * self._inner(x.shape[-1], xp), xp) / 2.0

    def grad_G(self, x: Array, xp: Any) -> Array:
        return (x - self.c_y) * self._inner(x.shape[-1], xp)

    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        signs = xi.sign(x.shape[-1])
        for k in range(1, S):
            signs = signs + xi.sign(x.shape[-1], 0, k)
        return self.b * signs / float(S)

    @property
    def F_opt(self) -> float:  # type: ignore[override]
        """-1/2, at u = c, w = 1 or -1 (0 where there is no w; a line has only u)."""
        return -0.5

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {
            "weighted_calF": s.sigma * merit(s.x, self.grad_F(s.x, xp), self.box, xp),
            "weight": s.sigma,
        }

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {
            **super().checkpoint_metrics(s, t, xp),
            "calF": merit(s.x, self.grad_F(s.x, xp), self.box, xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """For d >= 3. sup |F|, sup |calF|, sup |grad F| are attained at corners (calF: in w at |w| = 1/2)."""
        x = start["x"]
        check_start(self.box, x)
        d, far = x.shape[-1], 1.0 + abs(self.c)
        return {
            "d": d,
            "D": self.box.diameter(d),
            "L_f": 1.0,
            "L_g": 1.0,
            "sigma_f": 0.0,
            "sigma_g": self.b * np.sqrt(d),
            "F_0": self.F(x, np),
            "gap_G0": self.G(x, np),
            "sup_F": max(far**2 / 2.0, 0.5),
            "sup_calF": 2.0 * far + 0.25,
            "sup_grad_F": np.sqrt(far**2 + 1.0),
        }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), **_sampled_merit(self, start)}


@dataclass(frozen=True)
class SaddleComponents(SpreadComponents):
    """NC for finite sums, on [0, 1]^d: FS-EXP with - w^2 / 2 added to F; calF in u is u F'(u), in w it is w (1 - w)."""

    RECORD: ClassVar = SUMS
    UNIQUE = False

    def F(self, x: Array, xp: Any) -> Array:
        return super().F(x, xp) - rowsum(x**2 * second(x.shape[-1], xp), xp) / 2.0

    def grad_F(self, x: Array, xp: Any) -> Array:
        return super().grad_F(x, xp) - x * second(x.shape[-1], xp)

    def G(self, x: Array, xp: Any) -> Array:
        inner = 1.0 - first(x.shape[-1], xp) - second(x.shape[-1], xp)
        return rowsum((x - self.c_y) ** 2 * inner, xp) / 2.0

    def grad_G(self, x: Array, xp: Any) -> Array:
        return (x - self.c_y) * (1.0 - first(x.shape[-1], xp) - second(x.shape[-1], xp))

    @property
    def F_opt(self) -> float:  # type: ignore[override]
        """-1/2, at u = 0, w = 1."""
        return -0.5

    metrics = SaddleOuter.metrics

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {
            **super().checkpoint_metrics(s, t, xp),
            "calF": merit(s.x, self.grad_F(s.x, xp), self.box, xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """For d >= 3; u F'(u) and |F'| are largest at u = 1."""
        x = start["x"]
        base = super().constants(start)
        top = float(SpreadComponents.F(self, np.array([[1.0]]), np)[0, 0])
        kept = ("d", "n", "D", "L_f", "L_g", "sigma_f", "sigma_g", "F_0", "gap_G0")
        return {
            **{name: base[name] for name in kept},
            "L_f": max(self.kappa, 1.0),
            "sup_F": max(top, 0.5),
            "sup_calF": 1.0 + 0.25,
            "sup_grad_F": np.sqrt(2.0),
            "F_0": self.F(x, np),
        }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), **_sampled_merit(self, start)}


def _sampled_merit(instance: Bilevel, start: Mapping[str, np.ndarray]) -> Samples:
    space = Space((start["x"].shape[-1],), instance.project)
    calF = Norm(space, lambda x, xp: merit(x, instance.grad_F(x, xp), instance.box, xp))
    return {"sup_calF": calF}

"""Witnesses with a non-convex outer objective (Theorems 5, 6): coordinates u, w and, all others, y.

The merit function is calF(x) = max over v in X_opt of <grad F(x), x - v> (L956). F is separable over a box and does not
depend on y, and X_opt = {y = c_y}, so calF is a sum of maxima over intervals, one per coordinate. The theorems bound
its average with weights sigma_t, which the state carries; the engine sums the weighted values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import rowsum
from workbench.samples import Norm, Samples, Space

from .base import UNIT, Bilevel
from .witness import QuadraticInner, SpreadComponents, first, sign_sum

Array = Any


def second(d: int, xp: Any) -> Array:
    """(d,) of 1.0 at coordinate 1, 0.0 elsewhere."""
    return xp.where(xp.arange(d) == 1, xp.asarray(1.0), xp.asarray(0.0))


class Saddle(Bilevel):
    """Recorded and sampled merit function of the witnesses below."""

    RECORD: ClassVar = {"weighted_calF": ("sum",), "weight": ("sum",)}
    UNIQUE = False
    F_opt = -0.5  # at w = 1 (or -1) and the minimizer of F in u

    def inner(self, d: int, xp: Any) -> Array:
        return 1.0 - first(d, xp) - second(d, xp)

    def calF(self, x: Array, xp: Any) -> Array:
        """sum_j max over v_j of g_j (x_j - v_j), for the gradient g of F, which vanishes in the coordinates y."""
        g = self.grad_F(x, xp)
        return rowsum(g * (x - self.box.lmo(g, xp)), xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {"weighted_calF": s.sigma * self.calF(s.x, xp), "weight": s.sigma}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {**super().checkpoint_metrics(s, t, xp), "calF": self.calF(s.x, xp)}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        space = Space((start["x"].shape[-1],), self.project)
        return {**super().samples(start), "sup_calF": Norm(space, self.calF)}


@dataclass(frozen=True)
class SaddleOuter(Saddle, QuadraticInner):
    """NC on [-1, 1]^d: F = (u - c)^2 / 2 - w^2 / 2, grad g = grad G + b eps with independent signs eps.

    |F'| follows the estimator's error over sigma_t: t^-(omega/2 - p), which is the claimed t^-1/7.
    """

    c: float = 0.3
    c_y: float = 0.3
    b: Array = 0.3

    def F(self, x: Array, xp: Any) -> Array:
        d = x.shape[-1]
        return rowsum((x - self.c) ** 2 * first(d, xp) - x**2 * second(d, xp), xp) / 2.0

    def grad_F(self, x: Array, xp: Any) -> Array:
        d = x.shape[-1]
        return (x - self.c) * first(d, xp) - x * second(d, xp)

    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return self.b * sign_sum(x.shape[-1], xi, S) / float(S)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """For d >= 3. sup |F|, sup |calF|, sup |grad F| are attained at corners (calF: in w at |w| = 1/2)."""
        common, far = super().constants(start), 1.0 + abs(self.c)
        return {
            **common,
            "L_f": 1.0,
            "L_g": 1.0,
            "sigma_f": 0.0,
            "sigma_g": self.b * np.sqrt(common["d"]),
            "F_0": self.F(start["x"], np),
            "sup_F": max(far**2 / 2.0, 0.5),
            "sup_calF": 2.0 * far + 0.25,
            "sup_grad_F": np.sqrt(far**2 + 1.0),
        }


@dataclass(frozen=True)
class SaddleComponents(Saddle, SpreadComponents):
    """NC for finite sums, on [0, 1]^d: FS-EXP with - w^2 / 2 added to F; calF in u is u F'(u), in w it is w (1 - w)."""

    box: Any = UNIT

    def F(self, x: Array, xp: Any) -> Array:
        return super().F(x, xp) - rowsum(x**2 * second(x.shape[-1], xp), xp) / 2.0

    def grad_F(self, x: Array, xp: Any) -> Array:
        return super().grad_F(x, xp) - x * second(x.shape[-1], xp)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """For d >= 3; u F'(u) and |F'| are largest at u = 1."""
        base = super().constants(start)
        names = ("d", "n", "D", "L_g", "sigma_f", "sigma_g", "F_0", "gap_G0")
        return {
            **{name: base[name] for name in names},
            "L_f": max(self.kappa, 1.0),
            "sup_F": max(base["sup_F"], 0.5),
            "sup_calF": 1.0 + 0.25,
            "sup_grad_F": np.sqrt(2.0),
        }


@dataclass(frozen=True)
class Linear(Saddle):
    """LIN on [0, 1]^d, no w: F = u - 1/2, G = b times the sum over y, one component each. No noise, and L_f = L_g = 0.

    So x_t = (1 - alpha_0) ... (1 - alpha_(t-1)) x_0, and of the bounds of Theorem 6 only the start is left and what
    sup |F| and sup |calF| contribute. The larger b, the nearer the inner gap comes to its bound; the smaller b, the
    nearer the outer merit to its.
    """

    box: Any = UNIT
    b: float = 1.0

    def inner(self, d: int, xp: Any) -> Array:
        return 1.0 - first(d, xp)

    def F(self, x: Array, xp: Any) -> Array:
        return x[..., 0:1] - 0.5

    def grad_F(self, x: Array, xp: Any) -> Array:
        return xp.zeros_like(x) + first(x.shape[-1], xp)

    def G(self, x: Array, xp: Any) -> Array:
        return self.b * rowsum(x * self.inner(x.shape[-1], xp), xp)

    def grad_G(self, x: Array, xp: Any) -> Array:
        return xp.zeros_like(x) + self.b * self.inner(x.shape[-1], xp)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        return {
            **super().constants(start),
            **dict.fromkeys(("L_f", "L_g", "sigma_f", "sigma_g"), 0.0),
            "F_0": self.F(start["x"], np),
            "sup_F": 0.5,
            "sup_calF": 1.0,
            "sup_grad_F": 1.0,
        }

"""Single-level witnesses I1, I1h, I1n: min_x f(x), additive noise (Assumptions 5.1, 5.2).

Each class states f, its gradient and its smoothness constant L; the rest is common. x is (runs, d), any d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import norm, sq
from workbench.instances.declared import Gap, Lipschitz, Noise, Samples, Space

Array = Any


@dataclass(frozen=True)
class SingleLevel:
    """f(x) with f* = 0 at x = 0. Subclasses define ``f``, ``grad_f`` and, in closed form, ``smoothness``."""

    noise: Any = field(default_factory=Sphere)

    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"grad_norm": ("last", "mean"), "x_norm": ("max",)}

    @property
    def smoothness(self) -> Array:
        raise TypeError(f"{type(self).__name__} must state its smoothness constant")

    def f(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define f")

    def grad_f(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define grad_f")

    def grad(self, x: Array, xi: Any, xp: Any) -> Array:
        """grad F(x; xi) = grad f(x) + noise."""
        return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {"grad_norm": norm(self.grad_f(s.x, xp), xp), "x_norm": norm(s.x, xp)}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L, sigma_low, sigma_bar and Delta_1 = f(x_1) - f*, for a start {"x": (runs, d)}."""
        return {
            "L": self.smoothness,
            "sigma_low": self.noise.low,
            "sigma_bar": self.noise.high,
            "Delta_1": self.f(start["x"], np),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        space = Space((start["x"].shape[-1],))
        return {
            "L": Lipschitz(space, self.grad_f),
            "sigma_low": Noise(space, self.grad, self.grad_f, lower=True),
            "sigma_bar": Noise(space, self.grad, self.grad_f),
            "Delta_1": Gap(self.f, self.grad_f, start["x"]),
        }


@dataclass(frozen=True)
class Quadratic(SingleLevel):
    """I1: f = (L/2) |x|^2. Strongly convex, yet exactly T^-1/4: normalization removes the usual speed-up."""

    L: Array = 1.0

    @property
    def smoothness(self) -> Array:
        return self.L

    def f(self, x: Array, xp: Any) -> Array:
        return self.L / 2 * sq(x, xp)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * x


@dataclass(frozen=True)
class Root(SingleLevel):
    """I1h: f = sqrt(1 + |x|^2) - 1, convex, L = 1 (attained at 0), gradient bounded by 1."""

    @property
    def smoothness(self) -> Array:
        return 1.0

    def f(self, x: Array, xp: Any) -> Array:
        return xp.sqrt(1.0 + sq(x, xp)) - 1.0

    def grad_f(self, x: Array, xp: Any) -> Array:
        return x / xp.sqrt(1.0 + sq(x, xp))


@dataclass(frozen=True)
class Logarithm(SingleLevel):
    """I1n: f = log(1 + |x|^2) / 2, non-convex with one stationary point; f'' in [-1/8, 1], so L = 1."""

    @property
    def smoothness(self) -> Array:
        return 1.0

    def f(self, x: Array, xp: Any) -> Array:
        return 0.5 * xp.log(1.0 + sq(x, xp))

    def grad_f(self, x: Array, xp: Any) -> Array:
        return x / (1.0 + sq(x, xp))

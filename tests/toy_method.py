"""Nobody's method and nobody's problem: momentum with a step that looks at the noise, on a noisy quadratic.

Tests of a mechanism (mutations, keys, probes, the eager loop) run these, so that they depend on no paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import column, norm, sq, unit

TITLE = "Toy momentum"
SOURCE = "this file"


class State(NamedTuple):
    x: Any  # (runs, d)
    m: Any  # (runs, d)
    S: Any  # sum_{k<t} |g_k - g'_k|^2, (runs, 1)


class Steps(NamedTuple):
    eta: Any
    alpha: Any


def init(start, c, oracle, draw, xp):
    x = start["x"]
    return State(x, oracle.grad(x, draw(0)), column(0.0, x, xp))


def step(s, t, c, oracle, draw, xp):
    """Two samples at one point; their difference is the noise."""
    g, g2 = oracle.grad(s.x, draw(0)), oracle.grad(s.x, draw(1))
    S = s.S + sq(g - g2, xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + S)
    eta = c.eta * xp.sqrt(a) / xp.sqrt(t)
    m = (1 - a) * s.m + a * g  # the momentum
    x = s.x - eta * unit(m, xp)  # the step
    return State(x, m, S)


@dataclass(frozen=True)
class Quadratic:
    """(L/2) |x|^2 with additive noise."""

    noise: Any = field(default_factory=Sphere)
    L: Any = 1.0

    COSTS: ClassVar = {"grad": {"gradient": 1}}
    RECORD: ClassVar = {"grad_norm": ("last", "mean"), "x_norm": ("max",)}

    def slope(self, x: Any, xp: Any) -> Any:
        return self.L * x

    def grad(self, x: Any, xi: Any, xp: Any) -> Any:
        return self.slope(x, xp) + self.noise(xi, x.shape[-1], 0, xp)

    def metrics(self, s: Any, t: Any, xp: Any) -> dict[str, Any]:
        return {"grad_norm": norm(self.slope(s.x, xp), xp), "x_norm": norm(s.x, xp)}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Any]:
        return {"L": self.L, "sigma_bar": self.noise.high}


@dataclass(frozen=True)
class Quartic(Quadratic):
    """(L/4) sum of the fourth powers."""

    def slope(self, x: Any, xp: Any) -> Any:
        return self.L * x * x * x


@dataclass(frozen=True)
class Dense(Quadratic):
    """A quadratic whose gradient is a matrix product."""

    def slope(self, x: Any, xp: Any) -> Any:
        return xp.matmul(x, self.L * xp.eye(x.shape[-1]))

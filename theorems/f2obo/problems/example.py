"""The example of section 4.2 (L246-254), separable in any number of coordinates.

    f_t = c exp(-y^2),   g_t = (mu/2) (y - (-1)^t x)^2,   X = [-1, 1]

y_t*(x) = (-1)^t x and F_t(x) = c exp(-x^2), so V_T = 0 and H_2,T = 4 (T - 1). The stationary points on X are the
maximum x = 0 and the two ends. A method that stays at an end has no regret, however wrong it is; on `sine.Oscillation`
there is no such point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .regret import sums_over_rounds
from .tracking import Tracking

Array = Any


@dataclass(frozen=True)
class Example(Tracking):
    c: Array = 0.5
    mu: Array = 1.0
    gamma: Array = 1.0
    gamma_p: Array = 0.0

    R = 1.0
    RECORD: ClassVar = {"regret": ("last", "sum"), "x_norm": ("last", "max")}

    def sign(self, t: Array, xp: Any) -> Array:
        return 1.0 - 2.0 * (t - 2.0 * xp.floor(t / 2.0))

    def f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self.c * xp.exp(-y * y)

    def g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self.mu / 2 * (y - self.y_star(t, x, xp)) ** 2

    def y_star(self, t: Array, x: Array, xp: Any) -> Array:
        return self.sign(t, xp) * x

    # The oracle.
    def grad_x_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return 0.0 * x

    def grad_y_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return -2.0 * self.c * y * xp.exp(-y * y)

    def grad_x_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return -self.mu * self.sign(t, xp) * (y - self.y_star(t, x, xp))

    def grad_y_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self.mu * (y - self.y_star(t, x, xp))

    def jac_xy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        return -self.mu * self.sign(t, xp) * u

    def hess_yy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        return self.mu * u

    def hypergradient(self, t: Array, x: Array, xp: Any) -> Array:
        return -2.0 * self.c * x * xp.exp(-x * x)

    def drift(self, marks: np.ndarray, d: int = 1) -> dict[str, np.ndarray]:
        """V_T = 0, H_2T = 4 d (T - 1) and what follows from it; f never changes."""

        def steps(t: np.ndarray) -> dict[str, np.ndarray]:
            later, zero = np.where(t > 1.0, 4.0 * d, 0.0), 0.0 * t
            inner = {"E_gT": self.mu**2 * later, "E_gxyT": self.mu**2 * later}
            return {"V_T": zero, "H_2T": later, "E_fT": zero, "E_fxT": zero, **inner}

        return sums_over_rounds(steps, marks)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """|f'| <= c sqrt(2/e), |f''| <= 2 c; the Hessian of g has eigenvalues 0 and 2 mu."""
        d = start["x"].shape[-1]
        return {
            "mu_g": self.mu,
            "L_g1": 2 * self.mu,
            "L_g2": 0.0,
            "L_f0": self.c * math.sqrt(2 * d / math.e),
            "L_f1": 2 * self.c,
            "M": self.c * d,
            "sigma": 0.0,
            **self.distances(start),
        }

    unsampled: ClassVar[dict[str, str]] = {"sigma": "the oracle is exact"}

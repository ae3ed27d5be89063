"""COUPLED: the lower problem of TRIG with a rank-one coupling of all its coordinates, so that it is not separable.

With the unit vector u = (1, ..., 1)/sqrt(d), m = <u, y>, and one more fair sign zeta_0,

    f = TRIG's, with targets d_0, 0, -d_0, -2 d_0, ... for the coordinates of y
    g = (h/2) |y|^2 + (q/2) m^2 - c <x, y> - <zeta, sigma_g y> + zeta_0 s_g cos m.

grad^2_yy g = h I + (q - zeta_0 s_g cos m) u u' and y*(x) = (c/h) (x - q/(h + q) u u'x). One product by a sampled
Hessian mixes all coordinates, also those of the noise. q >= s_g, so that mu = h and L_g = h + q + s_g.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from workbench.ops import maximum, rowsum
from workbench.samples import Lipschitz, Noise, Samples, Space, StronglyMonotone

from .trig import Trig

Array = Any
NEWTON = 60  # steps for F*; F is strongly convex for theta = 0


@dataclass(frozen=True)
class Coupled(Trig):
    """q: weight of the coupling. The parameters are numbers, theta is 0, and X is R^d."""

    q: float = 1.0

    def _targets(self, y: Array, xp: Any) -> Array:
        return self.d_0 - self.d_0 * xp.astype(xp.arange(y.shape[-1]), xp.float64)

    def _along(self, y: Array, xp: Any) -> Array:
        """m = <u, y>, (runs, 1)."""
        return rowsum(y, xp) / float(np.sqrt(y.shape[-1]))

    def _inverse(self, v: Array, xp: Any) -> Array:
        """The inverse of the mean of grad^2_yy g, applied."""
        shrink = self.q / (self.h + self.q) / float(np.sqrt(v.shape[-1]))
        return (v - shrink * self._along(v, xp)) / self.h

    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return super().f(x, y - self._targets(y, xp) + self.d_0, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        return super().grads_f(x, y - self._targets(y, xp) + self.d_0, xp)

    def slope_g(self, x: Array, y: Array, xp: Any) -> Array:
        return self.h * y + self.q * self._along(y, xp) / float(np.sqrt(y.shape[-1])) - self.c * x

    def y_star(self, x: Array, xp: Any) -> Array:
        return self.c * self._inverse(x, xp)

    def surrogate(self, x: Array, y: Array, xp: Any) -> Array:
        f_x, f_y = self.grads_f(x, y, xp)
        return f_x + self.c * self._inverse(f_y, xp)

    def least(self, d: int) -> Array:
        """By Newton's method on grad F = a x + c H^-1 s tanh(y*(x) - targets)."""
        map_ = self.c * self._inverse(np.eye(d), np)
        x = np.zeros((1, d))
        for _ in range(NEWTON):
            slope = 1.0 / np.cosh(self.y_star(x, np) - self._targets(x, np)) ** 2
            hessian = self.a * np.eye(d) + self.s * map_.T @ (slope.T * map_)
            x = x - np.linalg.solve(hessian, self.grad_phi(x, np)[0])
        return self.phi(x, np)

    def smoothness(self, xp: Any) -> tuple[Array, Array, Array]:
        _, _, L_f = super().smoothness(xp)
        return (
            xp.asarray(0.0) + self.h,
            maximum(xp.asarray(0.0) + self.h + self.q + self.s_g, self.c, xp),
            L_f,
        )

    def deviation(self, d: int, K: int) -> Array:
        """zeta_0 adds a variance of at most s_g^2 to grad_y g; the factors of (6) contract along u and across."""
        _, L_g, _ = self.smoothness(np)
        along = (1 - (self.h + self.q) / L_g) ** 2 + (self.s_g / L_g) ** 2
        r = np.maximum((1 - self.h / L_g) ** 2, along)
        sums = K / L_g**2 * sum(r**k for k in range(K))
        own = d * (self._noise_x() ** 2 + self.c**2 * sums * (self.s**2 + self.sigma_y**2))
        return np.sqrt(np.maximum(own, d * self.sigma_g**2 + self.s_g**2))

    def bias(self, x: Array, y: Array, K: int, xp: Any) -> Array:
        """Powers of I - H/L_g along u and across."""
        _, L_g, _ = self.smoothness(xp)
        f_y = self.grads_f(x, y, xp)[1]
        along = self._along(f_y, xp) / float(np.sqrt(y.shape[-1]))
        lower, upper = self.h, self.h + self.q
        remainder = (1 - lower / L_g) ** K / lower * (f_y - along) + (1 - upper / L_g) ** K / upper * along
        return -self.c * remainder

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        d = y.shape[-1]
        common = zeta.sign(1, 4) * self.s_g * xp.sin(self._along(y, xp)) / float(np.sqrt(d))
        return self.slope_g(x, y, xp) - zeta.sign(d, 2) * self.sigma_g - common

    def hess_yy_g(self, x: Array, y: Array, u: Array, zeta: Any, k: Any, xp: Any) -> Array:
        weight = self.q - zeta.sign(1, 5, k) * self.s_g * xp.cos(self._along(y, xp))
        return self.h * u + weight * self._along(u, xp) / float(np.sqrt(y.shape[-1]))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        if not (0 <= self.s_g <= self.q and self.theta == 0):
            raise ValueError(
                f"COUPLED: s_g must be at most q (got {self.s_g} and {self.q}) and theta 0 (got {self.theta})"
            )
        if np.isfinite(self.B):
            raise ValueError(f"COUPLED: F* is computed for X = R^d only, B must be infinite (got {self.B})")
        root = np.sqrt(start["x"].shape[-1])
        own = {"sigma_g": self.sigma_g * root + self.s_g, "sigma_gyy": self.s_g}
        return {**super().constants(start), **own}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        d = start["x"].shape[-1]
        plane, mean = Space((d, d), self._inside), replace(self, s_g=0.0)

        def along(instance: Coupled) -> Any:  # the Hessian, applied to u
            def product(x: Array, y: Array, xi: Any = None, *, xp: Any) -> Array:
                u = (0.0 * y + 1.0) / float(np.sqrt(d))
                return instance.hess_yy_g(x, y, u, xi, 1, xp) if xi is not None else self._mean(u, xp)

            return product

        return {
            **super().samples(start),
            "mu_g": StronglyMonotone(plane, mean.slope_g),
            "L_gyy": Lipschitz(plane, along(self), noisy=True),
            "sigma_gyy": Noise(plane, along(self), along(mean)),
        }

    def _mean(self, u: Array, xp: Any) -> Array:
        return self.h * u + self.q * self._along(u, xp) / float(np.sqrt(u.shape[-1]))

"""BENT: TRIG with a lower objective that is not quadratic, so that L_gxy > 0 and L_gyy > 0 for the means too.

The lower objective of TRIG becomes

    g = sum_i Psi(y_i) - Psi'(c x_i/h) y_i - zeta_i (sigma_g y_i - s_g cos y_i),    Psi' = h y - e cos y.

So y*(x) = c x/h as before, whereas grad^2_yy g = h + e sin y - zeta s_g cos y, grad^2_xy g = -(c/h) (h + e sin(c x/h)):
the surrogate gradient depends on y through both. e = 0 is TRIG.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.ops import maximum

from .trig import Trig

Array = Any


@dataclass(frozen=True)
class Bent(Trig):
    """e: amplitude of the mean curvature, with e^2 + s_g^2 < h^2."""

    e: Array = 0.25

    def slope_g(self, x: Array, y: Array, xp: Any) -> Array:
        return self.h * y - self.c * x - self.e * (xp.cos(y) - xp.cos(self.y_star(x, xp)))

    def curvature(self, y: Array, xp: Any) -> Array:
        return self.h + self.e * xp.sin(y)

    def surrogate(self, x: Array, y: Array, xp: Any) -> Array:
        f_x, f_y = self.grads_f(x, y, xp)
        ratio = self.curvature(self.y_star(x, xp), xp) / self.curvature(y, xp)
        return f_x + self.c / self.h * ratio * f_y

    def smoothness(self, xp: Any) -> tuple[Array, Array, Array]:
        _, _, L_f = super().smoothness(xp)
        reach = self._reach(xp)
        return self.h - reach, maximum(self.h + reach, self._cross(), xp), L_f

    def _reach(self, xp: Any) -> Array:
        """The largest |e sin y - zeta s_g cos y|, and its largest derivative."""
        return xp.sqrt(xp.asarray(0.0) + self.e**2 + self.s_g**2)

    def _cross(self) -> Array:
        """C_gxy."""
        return self.c / self.h * (self.h + self.e)

    def L_0(self, d: int, xp: Any) -> Array:
        mu, _, L_f = self.smoothness(xp)
        C_fy, C_gxy, slope = self.s * float(np.sqrt(d)), self._cross(), self.c / self.h
        cross, pure = slope**2 * self.e * C_fy / mu, self._reach(xp) * C_gxy * C_fy / mu**2
        return xp.sqrt(8.0 * (L_f**2 + cross**2 + pure**2 + (L_f * C_gxy / mu) ** 2))

    def deviation(self, d: int, K: int) -> Array:
        """As for TRIG, with the largest |grad^2_xy g| and, in the contraction, the least mean curvature."""
        _, L_g, _ = self.smoothness(np)
        r = (1 - (self.h - self.e) / L_g) ** 2 + (self.s_g / L_g) ** 2
        sums = K / L_g**2 * sum(r**k for k in range(K))
        own = self._noise_x() ** 2 + self._cross() ** 2 * sums * (self.s**2 + self.sigma_y**2)
        return np.sqrt(d * np.maximum(own, (self.sigma_g + self.s_g) ** 2))

    def bias(self, x: Array, y: Array, K: int, xp: Any) -> Array:
        _, L_g, _ = self.smoothness(xp)
        bend, f_y = self.curvature(y, xp), self.grads_f(x, y, xp)[1]
        cross = self.c / self.h * self.curvature(self.y_star(x, xp), xp)
        return -cross / bend * (1 - bend / L_g) ** K * f_y

    def jac_xy_g(self, x: Array, y: Array, u: Array, zeta: Any, k: Any, xp: Any) -> Array:
        return -self.c / self.h * self.curvature(self.y_star(x, xp), xp) * u

    def hess_yy_g(self, x: Array, y: Array, u: Array, zeta: Any, k: Any, xp: Any) -> Array:
        return (self.curvature(y, xp) - zeta.sign(y.shape[-1], 3, k) * self.s_g * xp.cos(y)) * u

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        if not np.all(self.smoothness(np)[0] > 0):
            raise ValueError(
                f"BENT: e^2 + s_g^2 must be less than h^2 (got e = {self.e}, s_g = {self.s_g}, h = {self.h}), or g is "
                "not convex in y"
            )
        own = {
            "L_gxy": (self.c / self.h) ** 2 * self.e,
            "L_gyy": self._reach(np),
            "C_gxy": self._cross(),
        }
        return {**super().constants(start), **own}

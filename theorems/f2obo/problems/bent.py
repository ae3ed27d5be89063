"""`vector.VectorSine` with second derivatives that change: L_g2 > 0, and the penalty solution has no closed form.

    g_t(x, y) = (1/2) u^T Q u + c sum_i (sqrt(1 + u_i^2) - 1),   u = y - y_t*(x)

The solution y_t*(x) and F_t stay as they were. The Hessian in y is H(u) = Q + c diag(1 + u_i^2)^(-3/2): it is largest
at u = 0, and mu_g is its infimum, far from there. Signs that oscillate are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np

from workbench.instances import backends
from workbench.ops import matvec
from workbench.samples import Lipschitz, Samples

from .vector import VectorSine

Array = Any
STEEPEST = 48 / 25 / math.sqrt(5)  # the largest third derivative of sqrt(1 + u^2), at u = -1/2


@dataclass(frozen=True)
class BentSine(VectorSine):
    c: float = 0.5

    def _pull(self, u: Array, xp: Any) -> Array:
        """The derivative of c (sqrt(1 + u^2) - 1)."""
        return self.c * u / xp.sqrt(1.0 + u * u)

    # The oracle.
    def grad_x_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self._through_solution(t, self.grad_y_g(t, x, y, xp), xp)

    def grad_y_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        u = y - self.y_star(t, x, xp)
        return matvec(self.Q, u, xp) + self._pull(u, xp)

    def jac_xy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        return self._through_solution(t, self.hess_yy_g(t, x, y, u, xp), xp)

    def hess_yy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        e = y - self.y_star(t, x, xp)
        root = xp.sqrt(1.0 + e * e)
        return matvec(self.Q, u, xp) + self.c * u / (root * root * root)

    def _through_solution(self, t: Array, v: Array, xp: Any) -> Array:
        """-(dy_t*/dx)^T v."""
        return -self.sign(t, xp) * matvec(xp.matrix_transpose(self.A), v, xp)

    def drift_steps(self, t: Array, xp: Any) -> dict[str, Array]:
        """As `VectorSine.drift_steps`, without E_gxy, which has no closed form here.

        E_g: the change of the pull of coordinate i is anything between 0 and that at u_i = moved/2, and their norm
        together with Q's is largest at a corner of this box.
        """
        still = super().drift_steps(t, xp)
        old = xp.where(t > 1.0, t - 1.0, t)
        shifts = xp.abs(self.shift(t, xp) - self.shift(old, xp))
        pulls, row_sums = 2.0 * self._pull(shifts / 2.0, xp), backends.to_host(self.Q).sum(axis=1)
        largest = 0.0 * shifts
        for corner in product((0.0, 1.0), repeat=len(row_sums)):
            both = 2.0 * float(row_sums @ np.asarray(corner)) * shifts * pulls
            largest = xp.maximum(
                largest, shifts * shifts * float(row_sums @ row_sums) + both + sum(corner) * pulls * pulls
            )
        return {**{name: still[name] for name in ("V", "H_2", "E_f", "E_fx")}, "E_g": largest}

    def sizes(self, xp: Any) -> tuple[Array, Array, Array]:
        mu, L, slope = super().sizes(xp)
        return mu, L + 2.0 * self.c, slope

    def penalty_map(self, t: Array, x: Array, y: Array, lam: Array, xp: Any) -> Array:
        """A map with the fixed point y*_(lambda,t)(x): a step with the inverse of the largest Hessian, H(0)."""
        slope = self.grad_y_g(t, x, y, xp) + self.grad_y_f(t, x, y, xp) / lam
        return y - matvec(xp.asarray(self._inverse), slope, xp)

    @cached_property
    def _inverse(self) -> np.ndarray:
        Q = backends.to_host(self.Q)
        return np.linalg.inv(Q + backends.to_host(self.c) * np.eye(len(Q)))

    def check(self) -> None:
        """Raises ValueError as `VectorSine.check` does, for signs that oscillate, and unless c >= 0."""
        if self.oscillates or self.c < 0:
            raise ValueError(f"it needs c >= 0 and signs that do not oscillate, got c = {self.c}")
        super().check()

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L_g2: |u - u'| <= sqrt(2) |(x, y) - (x', y')|, since A is orthogonal."""
        _, L, _ = self.sizes(np)
        return {**super().constants(start), "L_g1": L, "L_g2": math.sqrt(2.0) * self.c * STEEPEST}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """L_g2 holds for (y, y) and for (x, y) apart: the first axis, along which they are multiplied, tells it."""
        joint = self._joint(start["x"])

        def along(product: Any, t: Array, x: Array, y: Array, xp: Any) -> Array:
            return product(t, x, y, 0.0 * y + np.eye(len(self.A))[0], xp=xp)

        maps = (self.hess_yy_g, self.jac_xy_g)
        return {**super().samples(start), "L_g2": tuple(Lipschitz(joint, partial(along, m)) for m in maps)}

"""The sine family in R^n with coupled coordinates: one orthogonal A and one curvature matrix Q for all rounds.

    f_t(x, y) = sum_i sin(s_t y_i - d_{t,i} + phi) - p sum_i x_i,
    g_t(x, y) = (1/2) (y - y_t*(x))^T Q (y - y_t*(x)),   y_t*(x) = s_t (A x + d_t)

on X = [-R, R]^n. F_t(x) = sum_i sin((A x)_i + phi) - p sum_i x_i does not move. d_t = h t^((1+b)/2) u with the unit
vector u = (1, ..., 1)/sqrt(n), or s_t = (-1)^t. mu_g, L_g1 are the least eigenvalue of Q and twice the largest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from workbench.instances import backends
from workbench.ops import matvec, power, rowsum

from .regret import sums_over_rounds
from .tracking import Tracking

Array = Any
N = 3
DIGITS = 12  # of the matrices: the last bits of a decomposition are those of a processor, and would tell problems apart


def rotation(n: int) -> np.ndarray:
    """An orthogonal matrix without zeros: the reflection that exchanges a fixed direction with the first axis."""
    a = np.arange(1.0, n + 1)
    a = a / np.linalg.norm(a) + np.eye(n)[0]
    return np.round(np.eye(n) - 2.0 * np.outer(a, a) / (a @ a), DIGITS)


def curvature(n: int, condition: float = 2.0) -> np.ndarray:
    """A symmetric matrix with eigenvalues from 1 to ``condition``, not aligned with `rotation`."""
    basis = np.linalg.qr(np.vander(np.linspace(0.3, 1.0, n)))[0]
    return np.round((basis * np.linspace(1.0, condition, n)) @ basis.T, DIGITS)


@dataclass(frozen=True)
class VectorSine(Tracking):
    A: np.ndarray = field(default_factory=lambda: rotation(N))  # (n, n) orthogonal
    Q: np.ndarray = field(default_factory=lambda: curvature(N))  # (n, n) positive definite
    phi: Array = -math.pi / 2
    p: Array = 0.0
    h: Array = 0.0
    b: Array = 0.5
    R: Array = 2.0
    gamma: Array = 1.0
    gamma_p: Array = 0.0
    oscillates: bool = False

    def shift(self, t: Array, xp: Any) -> Array:
        """The common entry of d_t."""
        return self.h * power(t, (1.0 + self.b) / 2.0, xp) / math.sqrt(self.A.shape[0])

    def sign(self, t: Array, xp: Any) -> Array:
        return 1.0 - 2.0 * (t - 2.0 * xp.floor(t / 2.0)) if self.oscillates else 1.0

    def y_star(self, t: Array, x: Array, xp: Any) -> Array:
        return self.sign(t, xp) * (matvec(self.A, x, xp) + self.shift(t, xp))

    def f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        angle = self.sign(t, xp) * y - self.shift(t, xp) + self.phi
        return rowsum(xp.sin(angle), xp) - self.p * rowsum(x, xp)

    # The oracle.
    def grad_x_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return 0.0 * x - self.p

    def grad_y_f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        s = self.sign(t, xp)
        return s * xp.cos(s * y - self.shift(t, xp) + self.phi)

    def grad_x_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self.jac_xy_g(t, x, y, y - self.y_star(t, x, xp), xp)

    def grad_y_g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return matvec(self.Q, y - self.y_star(t, x, xp), xp)

    def jac_xy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        return -self.sign(t, xp) * matvec(xp.matrix_transpose(self.A), matvec(self.Q, u, xp), xp)

    def hess_yy_g(self, t: Array, x: Array, y: Array, u: Array, xp: Any) -> Array:
        return matvec(self.Q, u, xp)

    def hypergradient(self, t: Array, x: Array, xp: Any) -> Array:
        slope = xp.cos(matvec(self.A, x, xp) + self.phi)
        return matvec(xp.matrix_transpose(self.A), slope, xp) - self.p

    def drift_steps(self, t: Array, xp: Any) -> dict[str, Array]:
        """Suprema of the changes from round t - 1 to t, as `sine.Sine.drift_steps`; zero at t = 1."""
        n, old = len(self.A), xp.where(t > 1.0, t - 1.0, t)
        if self.oscillates:  # then d_t = 0
            flip = xp.where(t > 1.0, 1.0, 0.0)
            reach = 2.0 * self.R * math.sqrt(n)  # sup |2 A x| on the box, at its corners
            corner, curvature = self._largest
            return {
                "V": 0.0 * t,
                "H_2": flip * reach**2,
                "E_f": flip * n * (2.0 * math.cos(self.phi)) ** 2,
                "E_g": flip * (2.0 * self.R * corner) ** 2,
                "E_fx": 0.0 * t,
                "E_gxy": flip * (2.0 * curvature) ** 2,
            }
        shifts = self.shift(t, xp) - self.shift(old, xp)
        return {
            "V": 0.0 * t,
            "H_2": n * shifts**2,
            "E_f": n * (2.0 * xp.sin(shifts / 2)) ** 2,
            "E_g": shifts**2 * xp.sum(xp.sum(self.Q, axis=-1) ** 2),
            "E_fx": 0.0 * t,
            "E_gxy": 0.0 * t,
        }

    @cached_property
    def _largest(self) -> tuple[float, float]:
        """max |Q A c| over the corners c of [-1, 1]^n, and |Q|; on the host."""
        A, Q = backends.to_host(self.A), backends.to_host(self.Q)
        return max(float(np.linalg.norm(Q @ A @ c)) for c in _corners(len(A))), float(np.linalg.norm(Q, 2))

    def drift(self, marks: np.ndarray) -> dict[str, np.ndarray]:
        """Exact sums up to each mark, (1, M); with oscillating signs only for d_t = 0."""
        sums = sums_over_rounds(lambda t: self.drift_steps(t, np), marks)
        return {f"{n}T" if "_" in n else f"{n}_T": total for n, total in sums.items()}

    def sizes(self, xp: Any) -> tuple[Array, Array, Array]:
        """mu_g, L_g1, L_f0."""
        # The Hessian of g in (x, y) is [A, -I]^T Q [A, -I].
        eigenvalues = np.linalg.eigvalsh(backends.to_host(self.Q))
        slope = math.sqrt(len(self.A)) * xp.sqrt(xp.asarray(1.0) * (1 + self.p**2))
        return float(eigenvalues[0]), 2 * float(eigenvalues[-1]), slope

    def penalty_map(self, t: Array, x: Array, y: Array, lam: Array, xp: Any) -> Array:
        """y_t*(x) - Q^-1 grad_y f_t(x, y)/lambda, whose fixed point is y*_(lambda,t)(x)."""
        return self.y_star(t, x, xp) - matvec(xp.asarray(self._inverse), self.grad_y_f(t, x, y, xp), xp) / lam

    @cached_property
    def _inverse(self) -> np.ndarray:
        return np.linalg.inv(backends.to_host(self.Q))

    def slope_at_rest(self) -> np.ndarray:
        """q, (rows or 1, n), with A^T q = p 1: grad_y f = q where F_t or the penalty value is stationary."""
        return np.atleast_2d(self.p) * self.A.sum(axis=1)

    def check(self) -> None:
        """As `sine.Sine.check`; signs that oscillate come without a shift, since ``drift`` is exact only then."""
        q = self.slope_at_rest()
        if np.any(np.abs(q) > 1.0):
            raise ValueError(
                f"the tilt leaves F_t without a minimizer inside X: it needs |p (A 1)_i| <= 1, got p = {self.p}"
            )
        self._check_minimizer(-np.arccos(q) - self.phi, lambda angle: angle @ self.A)  # A^T of each row
        if np.any((np.asarray(self.h) != 0) & (np.asarray(self.b) <= 0)):
            raise ValueError(f"H_2,T of order T^b needs b > 0, got b = {self.b}")
        if self.oscillates and np.any(np.asarray(self.h) != 0):
            raise ValueError(f"signs that oscillate need d_t = 0, that is h = 0, got h = {self.h}")

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        eigenvalues = np.linalg.eigvalsh(self.Q)
        n = len(self.A)
        return {
            "mu_g": float(eigenvalues[0]),
            "L_g1": 2 * float(eigenvalues[-1]),  # the Hessian in (x, y) is [A, -I]^T Q [A, -I]
            "L_g2": 0.0,
            "L_f0": math.sqrt(n) * np.sqrt(1 + self.p**2),
            "L_f1": 1.0,
            "M": n * (1 + np.abs(self.p) * self.R),
            "sigma": 0.0,
            "tilt": self.p,
            **self.distances(start),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "sigma": "the oracle is exact",
        "tilt": "a parameter: F_t is tilted by p, and without it the penalty has no bias",
    }


def at_rest(instance: VectorSine) -> tuple[np.ndarray, np.ndarray]:
    """q of `VectorSine.slope_at_rest` and Q^-1 q: there Q (y*_lambda - y*) = -q/lambda, since g_t is quadratic."""
    q = instance.slope_at_rest()
    return q, np.linalg.solve(instance.Q, q.T).T


def _corners(n: int) -> np.ndarray:
    """(2^n, n): the corners of [-1, 1]^n."""
    return np.stack(np.meshgrid(*[[-1.0, 1.0]] * n), axis=-1).reshape(-1, n)

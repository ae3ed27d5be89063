"""A sine above, a moving parabola below: the scalar family that isolates every term of the regret bounds.

    f_t(x, y) = v_t sin(w_t (s_t y - d_t) + phi_t) - p_t x,    g_t(x, y) = (mu/2) (y - s_t (epsilon x + d_t))^2

on X = [-R, R], s_t = +-1. Then y_t*(x) = s_t (epsilon x + d_t) and F_t(x) = v_t sin(w_t epsilon x + phi_t) - p_t x. F_t
does not depend on d_t and s_t, so V_T and H_2,T can be set independently. In d dimensions the problem is separable.

Noise: N(0, sigma^2/2) in each of grad_x f, grad_y f, grad_x g, grad_y g, d = 1: sigma^2 for each full gradient. That
of g is a random field in y: a cos(omega y) + b sin(omega y) with normal a, b. Its variance is the same everywhere, and
its values at y and z have correlation cos(omega (y - z)): 1 for omega = 0 (additive noise), near 0 on average for large
omega (like independent draws), -1 for omega |y - z| = pi. Assumption 2.3 allows all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import power
from workbench.samples import Samples

from .regret import sums_over_rounds
from .tracking import Tracking

Array = Any


@dataclass(frozen=True)
class Sine(Tracking):
    """d_t = h t^((1+b)/2); s_t = (-1)^t where flip = 1; p_t = +-p changes sign at t = ceil(k^(1/a)), k = 2, 3, ...

    a = 0: never. All motions are in one class, so that the compiled engine needs one kernel.
    """

    v: Array = 1.0
    w: Array = 1.0
    epsilon: Array = 1.0
    mu: Array = 1.0
    phi: Array = -math.pi / 2
    p: Array = 0.0
    R: Array = 2.0
    h: Array = 0.0
    b: Array = 0.5
    flip: Array = 0.0
    a: Array = 0.0
    sigma: Array = 0.0
    omega: Array = 0.0
    gamma: Array = 1.0
    gamma_p: Array = 0.0

    # What moves: functions of t.
    def shift(self, t: Array, xp: Any) -> Array:
        """d_t."""
        return self.h * power(t, (1.0 + self.b) / 2.0, xp)

    def sign(self, t: Array, xp: Any) -> Array:
        """s_t."""
        return 1.0 - 2.0 * self.flip * _odd(t, xp)

    def tilt(self, t: Array, xp: Any) -> Array:
        """p_t."""
        jumps = xp.floor(power(t, self.a, xp) + 1e-9) - 1.0
        return self.p * (1.0 - 2.0 * _odd(jumps, xp))

    def phase(self, t: Array, xp: Any) -> Array:
        """phi_t."""
        return self.phi + 0.0 * t

    def height(self, t: Array, xp: Any) -> tuple[Array, Array]:
        """(v_t, w_t)."""
        return self.v + 0.0 * t, self.w + 0.0 * t

    # Exact quantities.
    def f(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        v, _ = self.height(t, xp)
        return v * xp.sin(self._angle(t, y, xp)) - self.tilt(t, xp) * x

    def g(self, t: Array, x: Array, y: Array, xp: Any) -> Array:
        return self.mu / 2 * (y - self.y_star(t, x, xp)) ** 2

    def y_star(self, t: Array, x: Array, xp: Any) -> Array:
        return self.sign(t, xp) * (self.epsilon * x + self.shift(t, xp))

    # The oracle. A sample (xi of f, zeta of g) makes the gradient that of a batch of size B; k: which draw of it.
    def grad_x_f(self, t: Array, x: Array, y: Array, xi: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        exact = 0.0 * x - self.tilt(t, xp)
        return exact if xi is None else exact + self._scale(B, xp) * xi.normal(x.shape[-1], 0, k)

    def grad_y_f(self, t: Array, x: Array, y: Array, xi: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        v, w = self.height(t, xp)
        exact = v * w * self.sign(t, xp) * xp.cos(self._angle(t, y, xp))
        return exact if xi is None else exact + self._scale(B, xp) * xi.normal(x.shape[-1], 1, k)

    def grad_x_g(self, t: Array, x: Array, y: Array, zeta: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        exact = -self.mu * self.epsilon * self.sign(t, xp) * (y - self.y_star(t, x, xp))
        return exact if zeta is None else exact + self._field(y, zeta, 0, k, B, xp)

    def grad_y_g(self, t: Array, x: Array, y: Array, zeta: Any = None, k: Any = 0, B: Any = 1.0, *, xp: Any):
        exact = self.mu * (y - self.y_star(t, x, xp))
        return exact if zeta is None else exact + self._field(y, zeta, 2, k, B, xp)

    def jac_xy_g(self, t: Array, x: Array, y: Array, u: Array, zeta: Any = None, k: Any = 0, *, xp: Any):
        """(d2g/dxdy) u. Second derivatives carry no noise."""
        return -self.mu * self.epsilon * self.sign(t, xp) * u

    def hess_yy_g(self, t: Array, x: Array, y: Array, u: Array, zeta: Any = None, k: Any = 0, *, xp: Any):
        """(d2g/dydy) u."""
        return self.mu * u

    def hypergradient(self, t: Array, x: Array, xp: Any) -> Array:
        """The exact F_t'(x), for OGD and the regret."""
        v, w = self.height(t, xp)
        return self.epsilon * v * w * xp.cos(w * self.epsilon * x + self.phase(t, xp)) - self.tilt(t, xp)

    def drift_steps(self, t: Array, xp: Any) -> dict[str, Array]:
        """Suprema of the changes from round t - 1 to t, one coordinate; zero at t = 1.

        V, H_2, E_f (grad_y f), E_g (grad_y g), E_fx (grad_x f), E_gxy; the second derivative in y never moves. The
        formula for V is exact where only one thing moves and, for a phase, X holds half a period.
        """
        old = xp.where(t > 1.0, t - 1.0, t)
        (v, w), (v_0, w_0) = self.height(t, xp), self.height(old, xp)
        d, d_0, phi, phi_0 = self.shift(t, xp), self.shift(old, xp), self.phase(t, xp), self.phase(old, xp)
        p, p_0, flip = self.tilt(t, xp), self.tilt(old, xp), self.sign(t, xp) != self.sign(old, xp)
        other = (v != v_0) | (w != w_0)
        H = xp.where(flip, 2 * self.epsilon * self.R + xp.abs(d + d_0), xp.abs(d - d_0))
        turn = xp.where(
            flip, xp.cos((phi + phi_0 - w * (d + d_0)) / 2), xp.sin((phi - phi_0 - w * (d - d_0)) / 2)
        )
        E_f = xp.where(other, v * w + v_0 * w_0, 2 * v * w * xp.abs(turn))
        V = xp.where(other, v + v_0, 2 * v * xp.abs(xp.sin((phi - phi_0) / 2)))
        E_gxy = xp.where(flip, 2 * self.mu * self.epsilon, 0.0 * self.mu)
        return {
            "V": V + xp.abs(p - p_0) * self.R,
            "H_2": H**2,
            "E_f": E_f**2,
            "E_g": self.mu**2 * H**2,
            "E_fx": (p - p_0) ** 2,
            "E_gxy": E_gxy**2,
        }

    def drift(self, marks: np.ndarray, d: int = 1) -> dict[str, np.ndarray]:
        """V_T, H_2T, E_fT, E_gT, E_fxT, E_gxyT, (rows, M): exact sums up to each mark, d coordinates."""
        return {
            f"{n}T" if "_" in n else f"{n}_T": d * s
            for n, s in sums_over_rounds(lambda t: self.drift_steps(t, np), marks).items()
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Constants of Assumptions 2.1-2.3 and the distances at the start."""
        d, (v, w) = start["x"].shape[-1], self.largest()
        slope = v * w
        return {
            "mu_g": self.mu,
            "L_g1": self.mu * (1 + self.epsilon**2),
            "L_g2": 0.0,
            "L_f0": math.sqrt(d) * np.sqrt(slope**2 + self.p**2),
            "L_f1": slope * w,
            "M": d * (v + np.abs(self.p) * self.R),
            "sigma": self.sigma,
            "tilt": self.p,
            **self.distances(start),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "tilt": "a parameter: F_t is tilted by p, and without it the penalty has no bias"
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        return {**super().samples(start), "sigma": self.deviations(start)}

    def check(self) -> None:
        """Raises ValueError unless the minimizer of F_t is inside X and the drift sums grow like T^b and T^a."""
        v, w = self.largest()
        slope, both = self.epsilon * v * w, np.where(np.asarray(self.a) > 0, -1.0, 1.0)
        if np.any(np.abs(self.p) > slope):
            raise ValueError(
                f"the tilt leaves F_t without a minimizer inside X: it needs |p| <= epsilon v w, got p = {self.p}"
            )
        for p in (self.p, both * self.p):
            angle = -np.arccos(np.clip(p / slope, -1.0, 1.0)) - self.phi
            self._check_minimizer(angle, lambda angle: angle / (w * self.epsilon))
        if np.any((np.asarray(self.h) != 0) & (np.asarray(self.b) <= 0)):
            raise ValueError(f"H_2,T of order T^b needs b > 0, got b = {self.b}")
        if np.any((np.asarray(self.a) < 0) | (np.asarray(self.a) > 1)):
            raise ValueError(
                f"V_T of order T^a needs 0 <= a <= 1 (at most a jump per round), got a = {self.a}"
            )

    def sizes(self, xp: Any) -> tuple[Array, Array, Array]:
        """mu_g, L_g1, L_f0 in one dimension."""
        v, w = self.largest()
        slope = xp.sqrt(xp.asarray(1.0) * (v * w) ** 2 + self.p**2)
        return self.mu, self.mu * (1.0 + self.epsilon**2), slope

    def penalty_map(self, t: Array, x: Array, y: Array, lam: Array, xp: Any) -> Array:
        """y_t*(x) - grad_y f_t(x, y)/(lambda mu), whose fixed point is y*_(lambda,t)(x)."""
        return self.y_star(t, x, xp=xp) - self.grad_y_f(t, x, y, xp=xp) / (lam * self.mu)

    def largest(self) -> tuple[Array, Array]:
        """(v, w) that give the largest Lipschitz constants over all rounds."""
        return self.v, self.w

    def _angle(self, t: Array, y: Array, xp: Any) -> Array:
        """w_t (s_t y - d_t) + phi_t. What depends on t alone is put together: kernels compute it once a round, not at
        each inner step. It costs a rounding of w_t d_t.
        """
        _, w = self.height(t, xp)
        return w * self.sign(t, xp) * y + (self.phase(t, xp) - w * self.shift(t, xp))

    def _scale(self, B: Any, xp: Any) -> Array:
        """Standard deviation of one half of a full gradient's noise, batch of size B."""
        return self.sigma / xp.sqrt(2.0 * B)

    def _field(self, y: Array, zeta: Any, part: int, k: Any, B: Any, xp: Any) -> Array:
        d, angle = y.shape[-1], self.omega * y
        waves = xp.cos(angle) * zeta.normal(d, part, k) + xp.sin(angle) * zeta.normal(d, part + 1, k)
        return self._scale(B, xp) * waves


def _odd(n: Array, xp: Any) -> Array:
    """1 for an odd whole number, 0 for an even one."""
    return n - 2.0 * xp.floor(n / 2.0)


@dataclass(frozen=True)
class Bias(Sine):
    """A: nothing moves, F has an interior minimum: only the bias of the penalty is left (sum of t^-2tau).

    Needs the tilt p: with p = 0 the penalty value, a Moreau envelope here, has the stationary points of F.
    """

    p: Array = 0.5


@dataclass(frozen=True)
class Drift(Sine):
    """C: the inner solution drifts in one direction, F does not move: H_2,T grows like T^b and V_T = 0.

    One direction on purpose: a drift of random sign leaves only noise filtered by gamma_t, and the slope is lower.
    """

    h: Array = 0.3


@dataclass(frozen=True)
class Oscillation(Sine):
    """D: the inner solution jumps back and forth while F_t does not move: H_2,T is linear, V_T = 0."""

    phi: Array = -math.pi / 2 - 0.5  # F = -cos(x - 1/2): not stationary where the jumps leave x unmoved
    flip: Array = 1.0


@dataclass(frozen=True)
class Jumps(Sine):
    """E: the tilt changes sign about T^a times: V_T grows like T^a, nothing else moves."""

    p: Array = 0.3
    a: Array = 0.5


@dataclass(frozen=True)
class Switching(Jumps):
    """The tilt changes sign about T/log T times: V_T = o(T), though larger than every T^a with a < 1, and P_T = 0."""

    def tilt(self, t: Array, xp: Any) -> Array:
        turns = xp.floor(t / xp.log(t + math.e))
        return self.p * (1.0 - 2.0 * _odd(turns, xp))


@dataclass(frozen=True)
class Ripple(Sine):
    """B: i.i.d.-like phases on X = R: no method can follow, and the regret is half the sum of v_t (term V_T).

    v_t = 2^(j (grow - 1)) on the dyadic block j = floor(log2 t), w = v^-1/2, so V_T grows like T^grow. Phases are
    2 pi frac(u_0 + u_1 t + golden t^2): for a random (u_0, u_1) pairwise independent and uniform.
    """

    grow: Array = 0.6
    R: Array = 1e300
    u_0: Array = 0.0
    u_1: Array = 0.0

    def height(self, t: Array, xp: Any) -> tuple[Array, Array]:
        j = xp.floor(xp.log(t + 0.5) / math.log(2.0))
        v = power(2.0 + 0.0 * t, j * (self.grow - 1.0), xp)
        return v, 1.0 / xp.sqrt(v)

    def phase(self, t: Array, xp: Any) -> Array:
        turns = self.u_0 + self.u_1 * t + 0.6180339887498949 * (t * t)
        return 2 * math.pi * (turns - xp.floor(turns))

    def largest(self) -> tuple[Array, Array]:
        return 1.0, 1.0  # v w = sqrt(v) and v w^2 = 1, both largest in the first block

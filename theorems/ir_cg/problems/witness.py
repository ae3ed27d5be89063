"""Witnesses of the rates on boxes. They are separable, so every constant and the solution are exact.

A coordinate is called u if it enters the outer objective, and y if it enters the inner one. Where both occur,
coordinate 0 is u and all others are y. The rates are tight because x tracks the root of regularized gradient plus
estimator error, with a lag that is logarithmic in t; the shape of F (or G) there determines the gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.ops import clip, minimum, rowsum

from .base import UNIT, Bilevel

Array = Any


def first(d: int, xp: Any) -> Array:
    """(d,) of 1.0 at coordinate 0, 0.0 elsewhere."""
    return xp.where(xp.arange(d) == 0, xp.asarray(1.0), xp.asarray(0.0))


def sign_sum(d: int, xi: Any, S: int) -> Array:
    """(runs, d): the sum of S independent vectors of signs."""
    signs = xi.sign(d)
    for k in range(1, S):
        signs = signs + xi.sign(d, 0, k)
    return signs


class QuadraticInner(Bilevel):
    """G = sum over y of (y - c_y)^2 / 2; y are the coordinates in ``inner``, all but coordinate 0 here."""

    c_y: float

    def inner(self, d: int, xp: Any) -> Array:
        """(d,) of 1.0 at the coordinates y, 0.0 elsewhere."""
        return 1.0 - first(d, xp)

    def G(self, x: Array, xp: Any) -> Array:
        return rowsum((x - self.c_y) ** 2 * self.inner(x.shape[-1], xp), xp) / 2.0

    def grad_G(self, x: Array, xp: Any) -> Array:
        return (x - self.c_y) * self.inner(x.shape[-1], xp)


@dataclass(frozen=True)
class HuberCosh(QuadraticInner):
    """HC: outer rate of Theorem 1, and of every estimator with error of order t^-1/2.

    On [-1, 1]^d: F = phi(u - c_u), phi'(w) = sinh(kappa w) / sinh(kappa r) for |w| <= r and sign(w) beyond;
    grad g = grad G + (b + h x_j) eps_j in coordinate j, with independent signs eps_j. G is constant in u, so
    sigma_t phi'(u - c_u) balances the estimator's error, and phi behaves like phi' / kappa there. c_u is not 0, because
    pure noise also finds a minimizer at the centre of the box, so that wrong methods would pass.
    """

    kappa: float = 40.0
    r: float = 0.22
    c_u: float = 0.3
    c_y: float = 0.3
    b: Array = 0.3
    h: Array = 0.0

    def F(self, x: Array, xp: Any) -> Array:
        w = x[..., 0:1] - self.c_u
        near = clip(w, -self.r, self.r, xp)
        grow = xp.exp(self.kappa * near)
        cosh = (grow + 1.0 / grow) / 2.0 - 1.0
        return cosh / (self.kappa * self._scale(xp)) + xp.abs(w - near)

    def grad_F(self, x: Array, xp: Any) -> Array:
        grow = xp.exp(self.kappa * clip(x[..., 0:1] - self.c_u, -self.r, self.r, xp))
        return (grow - 1.0 / grow) / (2.0 * self._scale(xp)) * first(x.shape[-1], xp)

    def _scale(self, xp: Any) -> Array:
        """sinh(kappa r)."""
        top = xp.exp(xp.asarray(1.0) * self.kappa * self.r)
        return (top - 1.0 / top) / 2.0

    def range_F(self) -> float:
        """max F - F_opt, attained at an end of the interval of u."""
        return float(np.max(self.F(np.array([[-1.0], [1.0]]), np)))

    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return (self.b + self.h * x) * sign_sum(x.shape[-1], xi, S) / float(S)

    def solution(self, d: int, xp: Any) -> Array:
        u = first(d, xp)
        return self.c_u * u + self.c_y * (1.0 - u)

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        common, F_0 = super().constants(start), self.F(start["x"], np)
        d = common["d"]
        return {
            **common,
            "L_f": self.kappa / np.tanh(self.kappa * self.r),
            "L_g": 1.0 + self.h,
            "sigma_f": 0.0,
            "sigma_g": (self.b + self.h) * np.sqrt(d),
            "Delta_F": 0.0,
            "gap_F0": F_0,
            "range_F": self.range_F(),
            "range_G": (d - 1) * (1.0 + abs(self.c_y)) ** 2 / 2.0,
            "F_0": F_0,
            "sup_F": self.range_F(),
        }


@dataclass(frozen=True)
class Exponential(Bilevel):
    """EXP: inner rate, both algorithms. On [0, 1]^d: F = -sum y, G = sum (e^(kappa (y-1)) - e^-kappa) / kappa.

    X_opt = {0}, F_opt = G_opt = 0, and the minimizer of sigma F + G has e^(kappa (y-1)) = sigma: its inner gap is
    (sigma - e^-kappa) / kappa per coordinate as long as e^-kappa << sigma <= 1. The outer gap is negative.
    """

    box: Any = UNIT
    kappa: float = 10.0
    b: Array = 0.0

    def F(self, x: Array, xp: Any) -> Array:
        return -rowsum(x, xp)

    def grad_F(self, x: Array, xp: Any) -> Array:
        return xp.zeros_like(x) - 1.0

    def G(self, x: Array, xp: Any) -> Array:
        return rowsum(self.grad_G(x, xp) - xp.exp(xp.asarray(-1.0) * self.kappa), xp) / self.kappa

    def grad_G(self, x: Array, xp: Any) -> Array:
        return xp.exp(self.kappa * (x - 1.0))

    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return self.b * sign_sum(x.shape[-1], xi, S) / float(S)

    def solution(self, d: int, xp: Any) -> Array:
        return xp.zeros((d,))

    def regularized_gap(self, sigma: Array, d: int) -> Array:
        """Inner gap of the minimizer of sigma F + G, for e^-kappa <= sigma <= 1."""
        return d * (sigma - np.exp(-self.kappa)) / self.kappa

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        common, F_0 = super().constants(start), self.F(start["x"], np)
        d = common["d"]
        return {
            **common,
            "L_f": 0.0,
            "L_g": self.kappa,
            "sigma_f": 0.0,
            "sigma_g": self.b * np.sqrt(d),
            "Delta_F": float(d),
            "gap_F0": F_0,
            "range_F": 0.0,
            "range_G": -d * np.expm1(-self.kappa) / self.kappa,
            "F_0": F_0,
            "sup_F": float(d),
        }


@dataclass(frozen=True)
class SpreadComponents(QuadraticInner):
    """FS-EXP: outer rate of Theorem 2. On [0, 1]^d, n components.

    F'(u) = e^(kappa (min(u, u_1) - u_1)), the same for every component; g_i = c_i (h/2) u^2 + sum over y of
    (y - c_y)^2 / 2 with c_i = (n - 1 - 2 i) / n. The c_i have mean zero: G is constant in u, and only G is convex.
    Additive noise cancels in SPIDER differences, so the error has to come from the components' curvature. With only two
    curvatures the error would take values on a lattice, and the curve would be a staircase. The minimizer u = 0 is an
    end of the interval, because the error decorrelates within q steps and an interior minimizer would average it out.
    """

    box: Any = UNIT
    kappa: float = 60.0
    u_1: float = 0.3
    h: Array = 1.0
    c_y: float = 0.3
    n: int = 64

    def __post_init__(self) -> None:
        if self.n < 2 or self.n % 2:
            raise ValueError(
                f"half of the components carry each sign: n must be even and at least 2, got {self.n}"
            )

    def F(self, x: Array, xp: Any) -> Array:
        u = x[..., 0:1]
        near = minimum(u, self.u_1, xp)
        low = xp.exp(xp.asarray(-1.0) * self.kappa * self.u_1)
        return (xp.exp(self.kappa * (near - self.u_1)) - low) / self.kappa + (u - near)

    def grad_F(self, x: Array, xp: Any) -> Array:
        u = x[..., 0:1]
        return xp.exp(self.kappa * (minimum(u, self.u_1, xp) - self.u_1)) * first(x.shape[-1], xp)

    def noise_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        """The mean over S indices of c_i h u, in coordinate u."""
        i = xp.astype(xi.index(self.n, S), xp.float64)
        curvature = rowsum((float(self.n) - 1.0 - 2.0 * i) / float(self.n), xp) / float(S)
        return self.h * x * first(x.shape[-1], xp) * curvature

    @property
    def curvature(self) -> Array:
        """The largest h |c_i|."""
        return self.h * (1.0 - 1.0 / self.n)

    def solution(self, d: int, xp: Any) -> Array:
        return self.c_y * (1.0 - first(d, xp))

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        common, F_0 = super().constants(start), self.F(start["x"], np)
        d, top = common["d"], float(self.F(np.array([[1.0]]), np)[0, 0])
        return {
            **common,
            "n": self.n,
            "L_f": self.kappa,
            "L_g": np.maximum(1.0, self.curvature) if d > 1 else self.curvature,
            "sigma_f": 0.0,
            "sigma_g": self.curvature,
            "Delta_F": 0.0,
            "gap_F0": F_0,
            "range_F": top,
            "range_G": (d - 1) * max(self.c_y, 1.0 - self.c_y) ** 2 / 2.0,
            "F_0": F_0,
            "sup_F": top,
        }

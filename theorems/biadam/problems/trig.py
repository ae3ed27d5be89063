"""TRIG(d): trigonometric and hyperbolic terms with every constant in closed form (Assumptions 1-6).

    f = sum_i (a/2) x_i^2 - (a theta/omega) cos(omega x_i) + s log cosh(y_i - d_0)
        + xi_1i (sigma_x x_i - s_x cos x_i) + xi_2i sigma_y y_i
    g = sum_i (h/2) y_i^2 - c x_i y_i - zeta_i (sigma_g y_i - s_g cos y_i)

with fair signs xi_1, xi_2, zeta, independent in each coordinate; one random length of (6) for all coordinates. So
y*(x) = c x/h and grad F = a (x + theta sin(omega x)) + (c s/h) tanh(c x/h - d_0). For theta omega > 1 the first term
is not convex. s_x, s_g > 0: multiplicative noise. X = [-B, B]^d and Y = [-B_y, B_y]^d; infinite: no constraint. The
assumptions need y*(X) in Y, that is c B <= h B_y.

The noise of grad_y g is zeta (sigma_g + s_g sin y), that of its Hessian -zeta s_g cos y, of both signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from workbench.ops import clip, maximum, norm, rowsum
from workbench.samples import Distance, Gap, Lipschitz, Noise, Norm, Samples, Space, StronglyMonotone

Array = Any
GRID, SHRINKS = 4097, 90  # points of the search for F*, and ternary steps of its refinement


@dataclass(frozen=True)
class Trig:
    """gamma, rho: those of the algorithm, for the metrics; the other parameters are those of the formulas."""

    a: Array = 1.0
    theta: Array = 0.0
    omega: Array = 1.0
    s: Array = 1.0
    d_0: Array = 1.0
    h: Array = 1.0
    c: Array = 0.5
    sigma_x: Array = 1.0
    s_x: Array = 0.0
    sigma_y: Array = 0.0
    sigma_g: Array = 0.5
    s_g: Array = 0.0
    B: Array = np.inf
    B_y: Array = np.inf
    gamma: Array = 1.0
    rho: Array = 1.0

    COSTS: ClassVar = {
        "grad_f": {"gradient_x_f": 1, "gradient_y_f": 1},
        "grad_y_g": {"gradient_y_g": 1},
        "jac_xy_g": {"jacobian_vector": 1},
        "hess_yy_g": {"hessian_vector": 1},
        "nearest_x": {},
        "nearest_y": {},
    }
    RECORD: ClassVar = {
        "metric": ("last", "mean"),
        "mapping": ("last", "mean"),
        "grad_norm": ("last", "mean"),
        "error_w": ("last", "mean"),
        "error_v": ("last", "mean"),
        "dist_y": ("last", "mean"),
        "A_squared": ("mean",),
        "b": ("last", "max"),
    }

    # Exact quantities.
    def f(self, x: Array, y: Array, xp: Any) -> Array:
        u = xp.abs(y - self.d_0)
        upper = u + xp.log(1.0 + xp.exp(-2.0 * u)) - float(np.log(2.0))  # log cosh without overflow
        wave = self.a / 2 * x**2 - self.a * self.theta / self.omega * xp.cos(self.omega * x)
        return rowsum(wave + self.s * upper, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f) without noise."""
        return self.a * (x + self.theta * xp.sin(self.omega * x)), self.s * xp.tanh(y - self.d_0)

    def slope_g(self, x: Array, y: Array, xp: Any) -> Array:
        """grad_y g without noise."""
        return self.h * y - self.c * x

    def y_star(self, x: Array, xp: Any) -> Array:
        return self.c / self.h * x

    def curvature(self, y: Array, xp: Any) -> Array:
        """Diagonal of the mean of grad^2_yy g at any x: (runs, d)."""
        return self.h + 0.0 * y

    def surrogate(self, x: Array, y: Array, xp: Any) -> Array:
        """grad f(x, y) of the paper, at a y that need not be y*(x): (runs, d)."""
        f_x, f_y = self.grads_f(x, y, xp)
        return f_x + self.c / self.h * f_y

    def phi(self, x: Array, xp: Any) -> Array:
        """F(x) = f(x, y*(x))."""
        return self.f(x, self.y_star(x, xp), xp)

    def grad_phi(self, x: Array, xp: Any) -> Array:
        return self.surrogate(x, self.y_star(x, xp), xp)

    def phi_min(self) -> Array:
        """F* of one coordinate, (rows, 1) or (1, 1).

        Searched once for all rows with the same parameters, of which a batch of many runs has few.
        """
        names = ("a", "theta", "omega", "s", "d_0", "h", "c", "B")
        columns = np.broadcast_arrays(*(np.reshape(getattr(self, name), (-1, 1)) for name in names))
        few, which = np.unique(np.hstack(columns), axis=0, return_inverse=True)
        different = replace(self, **dict(zip(names, np.split(few, len(names), axis=1), strict=True)))
        return different._search()[np.ravel(which)]

    def _search(self) -> Array:
        """F* of one coordinate, (rows, 1): the best point of a grid, refined by ternary search."""
        reach = self.theta + self.c * self.s / (self.h * self.a) + 1.0  # |F'| > 0 beyond
        end = np.reshape(np.minimum(reach, self.B), (-1, 1))
        x = end * np.linspace(-1.0, 1.0, GRID)
        best = np.take_along_axis(x, np.argmin(self._each(x), axis=1)[:, None], axis=1)
        width = 2.0 * end / (GRID - 1)
        low, high = np.maximum(best - width, -end), np.minimum(best + width, end)
        for _ in range(SHRINKS):
            low_third, high_third = low + (high - low) / 3, high - (high - low) / 3
            falling = self._each(low_third) > self._each(high_third)
            low, high = np.where(falling, low_third, low), np.where(falling, high, high_third)
        return self._each((low + high) / 2)

    def least(self, d: int) -> Array:
        """F* in d coordinates, (rows, 1) or (1, 1)."""
        return d * self.phi_min()

    def _each(self, x: Array) -> Array:
        """F of single coordinates, each entry by itself."""
        u = np.abs(self.c * x / self.h - self.d_0)
        wave = self.a / 2 * x**2 - self.a * self.theta / self.omega * np.cos(self.omega * x)
        return wave + self.s * (u + np.log1p(np.exp(-2 * u)) - np.log(2.0))

    # Constants that depend on more than the instance.
    def smoothness(self, xp: Any) -> tuple[Array, Array, Array]:
        """(mu, L_g, L_f); all samples obey them (Assumptions 1 and 3)."""
        bend = self.a * (1.0 + self.theta * self.omega) + self.s_x
        zero = xp.asarray(0.0)  # `maximum` takes an array
        return (
            self.h - self.s_g,
            maximum(zero + self.h + self.s_g, self.c, xp),
            maximum(zero + bend, self.s, xp),
        )

    def L_0(self, d: int, xp: Any) -> Array:
        """L_0 of Lemma 5 (L45), the weight of |y - y*| in calG_t; L_gxy = 0, L_gyy = s_g, C_fy = s sqrt(d)."""
        mu, _, L_f = self.smoothness(xp)
        square = L_f**2 + d * (self.s_g * self.c * self.s / mu**2) ** 2 + (L_f * self.c / mu) ** 2
        return xp.sqrt(8.0 * square)

    def deviation(self, d: int, K: int) -> Array:
        """sigma of Assumption 6 for sums (6) of K terms: a bound on the standard deviations of (6) and of grad_y g.

        That of (6) has the second moment of its last part in place of the variance, at sin x = 1, |tanh(y - d_0)| -> 1,
        cos y = 1, so that it is not attained; it grows with K.
        """
        _, L_g, _ = self.smoothness(np)
        r = (1 - self.h / L_g) ** 2 + (self.s_g / L_g) ** 2
        sums = K / L_g**2 * sum(r**k for k in range(K))
        own = self._noise_x() ** 2 + self.c**2 * sums * (self.s**2 + self.sigma_y**2)
        return np.sqrt(d * np.maximum(own, (self.sigma_g + self.s_g) ** 2))

    def _noise_x(self) -> Array:
        """The largest |sigma_x + s_x sin x| on X."""
        return self.sigma_x + self.s_x * np.sin(np.minimum(self.B, np.pi / 2))

    def bias(self, x: Array, y: Array, K: int, xp: Any) -> Array:
        """R(x, y) = E (6) - grad f(x, y), exact: (runs, d)."""
        _, L_g, _ = self.smoothness(xp)
        return -self.c / self.h * (1 - self.h / L_g) ** K * self.s * xp.tanh(y - self.d_0)

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f) with one sample xi."""
        f_x, f_y = self.grads_f(x, y, xp)
        d = x.shape[-1]
        return f_x + xi.sign(d, 0) * (self.sigma_x + self.s_x * xp.sin(x)), f_y + xi.sign(d, 1) * self.sigma_y

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        return self.slope_g(x, y, xp) - zeta.sign(y.shape[-1], 2) * (self.sigma_g + self.s_g * xp.sin(y))

    def jac_xy_g(self, x: Array, y: Array, u: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_xy g) u = -c u; its samples carry no noise."""
        return -self.c * u

    def hess_yy_g(self, x: Array, y: Array, u: Array, zeta: Any, k: Any, xp: Any) -> Array:
        """(grad^2_yy g(zeta_k)) u, zeta_k the k-th repeated draw."""
        return (self.h - zeta.sign(y.shape[-1], 3, k) * self.s_g * xp.cos(y)) * u

    def nearest_x(self, z: Array, A: Array, xp: Any) -> Array:
        """The point of X nearest to z in the norm of diag(A): on a box, coordinate by coordinate whatever A."""
        return clip(z, -self.B, self.B, xp)

    def nearest_y(self, z: Array, xp: Any) -> Array:
        return clip(z, -self.B_y, self.B_y, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """calG_t ("metric"), |G_X(x_t, grad F(x_t), gamma)| ("mapping"), |grad F|, |w - grad f|, |v - grad_y g|,
        |y - y*|, |A_t|^2 and b_t.
        """
        gradient = self.grad_phi(s.x, xp)
        error_w = norm(s.w - self.surrogate(s.x, s.y, xp), xp)
        dist_y = norm(s.y - self.y_star(s.x, xp), xp)
        update = self.nearest_x(s.x - self.gamma * s.w / s.A, s.A, xp) - s.x
        mapping = self.nearest_x(s.x - self.gamma * gradient / s.A, s.A, xp) - s.x
        largest = s.A[:, 0:1]
        for j in range(1, s.A.shape[-1]):
            largest = maximum(largest, s.A[:, j : j + 1], xp)
        errors = float(np.sqrt(2.0)) * error_w + self.L_0(s.x.shape[-1], xp) * dist_y
        return {
            "metric": norm(update, xp) / self.gamma + errors / self.rho,
            "mapping": norm(mapping, xp) / self.gamma,
            "grad_norm": norm(gradient, xp),
            "error_w": error_w,
            "error_v": norm(s.v - self.slope_g(s.x, s.y, xp), xp),
            "dist_y": dist_y,
            "A_squared": largest * largest,
            "b": s.b,
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """Names as in the theorems; sigma_fx, sigma_g, sigma_gyy: the other deviations of Assumption 5.

        The sigma of Assumption 6 depends on K (`deviation`). Raises ValueError for parameters outside the assumptions.
        """
        x, y = start["x"], start["y"]
        mu, L_g, L_f = self.smoothness(np)
        if not np.all(mu > 0):
            raise ValueError(
                f"TRIG: s_g must be less than h (got {self.s_g} and {self.h}), or g is not convex in y"
            )
        if not np.all((self.B_y == np.inf) | (self.c / self.h * self.B <= self.B_y)):
            raise ValueError("TRIG: c B must be at most h B_y, or y*(x) leaves Y for some x in X")
        root = np.sqrt(x.shape[-1])
        return {
            "mu_g": mu,
            "L_g": L_g,
            "L_f": L_f,
            "L_gxy": 0.0,
            "L_gyy": self.s_g,
            "C_fy": self.s * root,
            "C_gxy": self.c,
            "sigma_fx": self._noise_x() * root,
            "sigma_fy": self.sigma_y * root,
            "sigma_g": (self.sigma_g + self.s_g) * root,
            "sigma_gxy": 0.0,
            "sigma_gyy": self.s_g * root,
            "Delta_1": self.phi(x, np) - self.least(x.shape[-1]),
            "d_1": norm(y - self.y_star(x, np), np),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """Everything is attained; bounds for every sample at the worst sample, all of whose signs agree."""
        x, y = start["x"], start["y"]
        d = x.shape[-1]
        plane = Space((d, d), self._inside)

        def hessian(x: Array, y: Array, xi: Any, xp: Any) -> Array:
            return self.hess_yy_g(x, y, 0.0 * y + 1.0, xi, 1, xp)

        def jacobian(x: Array, y: Array, xi: Any = None, *, xp: Any) -> Array:
            return self.jac_xy_g(x, y, 0.0 * y + 1.0, xi, 0, xp)

        def steep(sign: float) -> Any:  # grad_y g of a sample whose signs are all ``sign``
            return lambda x, y, xp: self.slope_g(x, y, xp) - sign * (self.sigma_g + self.s_g * xp.sin(y))

        def upper(x: Array, y: Array, xi: Any, xp: Any) -> Array:
            return self.grad_f(x, y, xi, xp)[0]

        def lower(x: Array, y: Array, xi: Any, xp: Any) -> Array:
            return self.grad_f(x, y, xi, xp)[1]

        return {
            "mu_g": (StronglyMonotone(plane, steep(1.0)), StronglyMonotone(plane, steep(-1.0))),
            "L_g": (
                Lipschitz(plane, self.grad_y_g, block=0, noisy=True),
                Lipschitz(plane, self.grad_y_g, block=1, noisy=True),
            ),
            "L_f": (
                Lipschitz(plane, upper, block=0, noisy=True),
                Lipschitz(plane, lower, block=1, noisy=True),
            ),
            "L_gxy": Lipschitz(plane, jacobian),
            "L_gyy": Lipschitz(plane, hessian, noisy=True),
            "C_fy": Norm(plane, lambda x, y, xp: self.grads_f(x, y, xp)[1]),
            "C_gxy": Lipschitz(plane, self.slope_g, block=0),
            "sigma_fx": Noise(plane, self.grad_f, self.grads_f, 0),
            "sigma_fy": Noise(plane, self.grad_f, self.grads_f, 1),
            "sigma_g": Noise(plane, self.grad_y_g, self.slope_g),
            "sigma_gxy": Noise(plane, jacobian, jacobian),
            "sigma_gyy": Noise(plane, hessian, lambda x, y, xp: self.curvature(y, xp)),
            "Delta_1": Gap(self.phi, self.grad_phi, x, self._inside),
            "d_1": Distance(lambda v, xp: self.slope_g(x, v, xp), y),
        }

    def _inside(self, x: Array, xp: Any) -> Array:
        return self.nearest_x(x, None, xp)

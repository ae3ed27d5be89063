"""A bilevel problem on the line.

g = (h/2) (y - a x)^2,  f = sqrt(1 + (y - b)^2) + (r/2) x^2,  so y*(x) = a x and
Phi(x) = sqrt(1 + (a x - b)^2) + (r/2) x^2.

mu_g = h, l_g1 = h (1 + a^2), l_g2 = 0, l_f0 = 1, l_f1 = max(1, r). Only grad_x F and grad_y G are noisy, so the noise
of the hypergradient estimate is exactly that of grad_x F: kappa_sigma = 1 with sigma_phi = sigma_f. ``constants`` gives
this value. ``hessian_noise`` adds noise of that size and random sign to d2G/dydy, for tests of the full Neumann
estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.problems.hypergradients import KnowsHypergradient
from workbench.problems.samples import Distance, Gap, Lipschitz, Noise, Norm, Samples, Space, StronglyMonotone

Array = Any


@dataclass(frozen=True)
class ScalarBilevel(KnowsHypergradient):
    """g = (h/2) (y - a x)^2, f = sqrt(1 + (y - b)^2) + (r/2) x^2 on the line: y*(x) = a x."""

    noise_f: Any = field(default_factory=Sphere)
    noise_g: Any = field(default_factory=Sphere)
    hessian_noise: float = field(default=0.0, metadata={"structural": True})  # 0: another estimate is made
    a: float = 1.0
    h: float = 1.0
    r: float = 0.5
    b: float = 0.5

    shape: ClassVar[tuple[int, int]] = (1, 1)

    # Exact quantities.
    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return xp.sqrt(1.0 + (y - self.b) ** 2) + self.r / 2 * x**2

    def g(self, x: Array, y: Array, xp: Any) -> Array:
        return self.h / 2 * (y - self.a * x) ** 2

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        return self.r * x, (y - self.b) / xp.sqrt(1.0 + (y - self.b) ** 2)

    def grads_g(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        slope = self.h * (y - self.a * x)
        return -self.a * slope, slope

    def y_star(self, x: Array, xp: Any) -> Array:
        return self.a * x

    def surrogate(self, x: Array, y: Array, xp: Any) -> Array:
        """bar-grad f(x, y): the hypergradient with y in place of y*(x)."""
        f_x, f_y = self.grads_f(x, y, xp)
        return f_x + self.a * f_y

    def phi(self, x: Array, xp: Any) -> Array:
        return self.f(x, self.a * x, xp)

    def grad_phi(self, x: Array, xp: Any) -> Array:
        return self.surrogate(x, self.a * x, xp)

    def noiseless(self) -> ScalarBilevel:
        """The same problem with exact derivatives; samples have no effect on it."""
        return replace(self, noise_f=Sphere(0.0), noise_g=Sphere(0.0), hessian_noise=0.0)

    def minimum(self) -> tuple[float, float]:
        """(x*, Phi*): the root of the increasing Phi', found between two points where its sign is known."""
        from scipy.optimize import (
            brentq,
        )  # here: half a second that a paper with this problem need not wait for

        span = 1.0 + (abs(self.a) + abs(self.a * self.b)) / self.r
        x = float(brentq(lambda x: float(self.grad_phi(np.float64(x), np)), -span, span, xtol=1e-15))
        return x, float(self.phi(np.float64(x), np))

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) with one sample; grad_y F carries no noise."""
        f_x, f_y = self.grads_f(x, y, xp)
        return f_x + self.noise_f(xi, 1, 0, xp), f_y

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        return self.h * (y - self.a * x) + self.noise_g(zeta, 1, 2, xp)

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dxdy) v: here -a h v, without noise."""
        return -self.a * self.h * v

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dydy(zeta_k)) v = (h + hessian_noise * sign) v."""
        if self.hessian_noise == 0.0:
            return self.h * v
        return (self.h + self.hessian_noise * zeta.sign(1, 6, k)) * v

    def hessian_is_exact(self, xp: Any) -> bool:
        return self.hessian_noise == 0.0

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        x, y = start["x"], start["y"]
        l_g1, s = self.h * (1 + self.a**2), self.hessian_noise
        # Hessian noise s moves the inverse between 1/(h + s) and 1/(h - s), so the estimate by |a| h |f_y| times that;
        # beyond s < h, h + s <= l_g1 the factors of the Neumann product change sign or grow: no bound is claimed.
        spread = abs(self.a) * s / (self.h - s) if s < self.h and self.h + s <= l_g1 else np.inf if s else 0.0
        return {
            "mu_g": self.h,
            "l_g1": l_g1,
            "l_g2": 0.0,
            "l_f0": 1.0,
            "l_f1": max(1.0, self.r),
            **({"sigma_f": self.noise_f.high} if self.noise_f.bounded else {}),
            **({"sigma_g1": self.noise_g.high} if self.noise_g.bounded else {}),
            "sigma_g2": self.hessian_noise,
            "sigma_phi_low": np.maximum(self.noise_f.low - spread, 0.0),
            "sigma_phi_bar": self.noise_f.high + spread,  # the true one (see the module's docstring)
            "Delta_1": self.phi(x, np) - self.minimum()[1],
            "d_1": np.abs(y - self.y_star(x, np)),
        }

    unsampled: ClassVar[dict[str, str]] = {
        f"sigma_phi_{side}": "the noise of an algorithm's estimate, sampled together with the algorithm"
        for side in ("low", "bar")
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x, y = start["x"], start["y"]
        plane, exact = Space((1, 1)), replace(self, hessian_noise=0.0)

        def slope(x: Array, y: Array, xp: Any) -> Array:
            return self.grads_g(x, y, xp)[1]

        def bend(x: Array, y: Array, xi: Any = None, *, xp: Any) -> tuple[Array, Array]:
            """The second derivatives of g; exact without a sample."""
            of, one = exact if xi is None else self, 0.0 * y + 1.0
            return of.hess_yy_g(x, y, one, xi, 1, xp), of.jac_xy_g(x, y, one, xi, 1, xp)

        return {
            "mu_g": StronglyMonotone(plane, slope),
            "l_g1": Lipschitz(plane, self.grads_g),
            "l_g2": Lipschitz(plane, bend),
            "l_f0": Norm(plane, lambda x, y, xp: self.grads_f(x, y, xp)[1]),
            "l_f1": Lipschitz(plane, self.grads_f),
            "sigma_f": Noise(plane, self.grad_f, self.grads_f),
            "sigma_g1": Noise(plane, self.grad_y_g, slope),
            "sigma_g2": Noise(plane, bend, bend),
            "Delta_1": Gap(self.phi, self.grad_phi, x),
            "d_1": Distance(lambda v, xp: slope(x, v, xp), y),
        }

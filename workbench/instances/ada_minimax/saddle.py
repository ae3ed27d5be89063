"""Minimax witnesses I2, I2q, I2n and the paper's function: f(x, y) = h(x) + b <x, y> - (mu/2) |y|^2 (Assumption 3.1).

y*(x) = (b/mu) x and Phi(x) = h(x) + b^2 |x|^2 / (2 mu), so each class only states h. The Hessian is
[[h'', b], [b, -mu]]; L is the largest absolute eigenvalue of it over the range of h''.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import dot, norm, rowsum, sq
from workbench.instances.declared import Distance, Gap, Lipschitz, Noise, Samples, Space, StronglyMonotone

Array = Any


@dataclass(frozen=True)
class Saddle:
    """Common part; ``noise_x`` and ``noise_y`` disturb the two partial gradients independently (Assumption 3.2)."""

    noise_x: Any = field(default_factory=Sphere)
    noise_y: Any = field(default_factory=Sphere)
    b: Array = 1.0
    mu: Array = 1.0

    COSTS: ClassVar = {"grad": {"gradient_x": 1, "gradient_y": 1}, "grad_x": {"gradient_x": 1}}
    RECORD: ClassVar = {"grad_norm": ("last", "mean"), "x_norm": ("max",), "dist_y": ("max",)}

    # Defined by subclasses: h, its gradient, the range of h'' and the minimum of Phi.
    def h(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define h")

    def grad_h(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define grad_h")

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        raise TypeError(f"{type(self).__name__} must state the range of h''")

    def phi_min_value(self, d: int) -> Array:
        """Phi* for d coordinates."""
        return 0.0

    # Exact quantities.
    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return self.h(x, xp) + self.b * dot(x, y, xp) - self.mu / 2 * sq(y, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f)."""
        return self.grad_h(x, xp) + self.b * y, self.b * x - self.mu * y

    def y_star(self, x: Array, xp: Any) -> Array:
        return self.b / self.mu * x

    def phi(self, x: Array, xp: Any) -> Array:
        return self.h(x, xp) + self.b**2 / (2 * self.mu) * sq(x, xp)

    def grad_phi(self, x: Array, xp: Any) -> Array:
        return self.grad_h(x, xp) + self.b**2 / self.mu * x

    @property
    def smoothness(self) -> Array:
        """L: max over h'' = p of the spectral norm of [[p, b], [b, -mu]], attained at an end of the range."""
        norms = [
            (np.abs(p - self.mu) + np.sqrt((p + self.mu) ** 2 + 4 * self.b**2)) / 2 for p in self.h_curvature
        ]
        return np.maximum(*norms)

    # The oracle.
    def grad(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) with one sample xi."""
        g_x, g_y = self.grads_f(x, y, xp)
        return g_x + self.noise_x(xi, x.shape[-1], 0, xp), g_y + self.noise_y(xi, y.shape[-1], 1, xp)

    def grad_x(self, x: Array, y: Array, xi: Any, xp: Any) -> Array:
        """grad_x F alone; the x half of ``grad`` for the same sample."""
        return self.grad_h(x, xp) + self.b * y + self.noise_x(xi, x.shape[-1], 0, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {
            "grad_norm": norm(self.grad_phi(s.x, xp), xp),
            "x_norm": norm(s.x, xp),
            "dist_y": norm(s.y - self.y_star(s.x, xp), xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L, mu, the noise bounds, Delta_1 = Phi(x_1) - Phi* and d_1 = |y_1 - y*(x_1)|; start {"x", "y"}."""
        x, y = start["x"], start["y"]
        return {
            "L": self.smoothness,
            "mu": self.mu,
            "sigma_x_low": self.noise_x.low,
            "sigma_x_bar": self.noise_x.high,
            "sigma_y": self.noise_y.high,
            "Delta_1": self.phi(x, np) - self.phi_min_value(x.shape[-1]),
            "d_1": norm(y - self.y_star(x, np), np),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """Includes L_Phi and L_y, which theorems derive from L and mu; how loose they are depends on the parameters."""
        x, y = start["x"], start["y"]
        space, joint = Space((x.shape[-1],)), Space((x.shape[-1], y.shape[-1]))

        def down(x: Array, y: Array, xp: Any) -> Array:
            return -self.grads_f(x, y, xp)[1]

        return {
            "L": Lipschitz(joint, self.grads_f),
            "mu": StronglyMonotone(joint, down),
            "L_Phi": Lipschitz(space, self.grad_phi, reaches=0.0),
            "L_y": Lipschitz(space, self.y_star, reaches=0.0),
            "sigma_x_low": Noise(joint, self.grad, self.grads_f, 0, lower=True),
            "sigma_x_bar": Noise(joint, self.grad, self.grads_f, 0),
            "sigma_y": Noise(joint, self.grad, self.grads_f, 1),
            "Delta_1": Gap(self.phi, self.grad_phi, x),
            "d_1": Distance(lambda v, xp: down(x, v, xp), y),
        }


@dataclass(frozen=True)
class QuadraticSaddle(Saddle):
    """I2: h = -(c/2) |x|^2 with c < b^2/mu: concave in x, Phi = (b^2/mu - c)/2 |x|^2."""

    c: Array = 0.5

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        return -self.c, -self.c

    def h(self, x: Array, xp: Any) -> Array:
        return -self.c / 2 * sq(x, xp)

    def grad_h(self, x: Array, xp: Any) -> Array:
        return -self.c * x


@dataclass(frozen=True)
class CosineSaddle(Saddle):
    """I2q: h = q sum cos x_i, 0 <= q <= b^2/mu. Phi* = q per coordinate, at x = 0.

    q = 1 is the paper's function (section 6.1), whose Phi is flat at 0; q = 1/2 keeps Phi'' in [1/2, 3/2] and shows the
    exponents.
    """

    q: float = 0.5

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        return -self.q, self.q

    def h(self, x: Array, xp: Any) -> Array:
        return self.q * rowsum(xp.cos(x), xp)

    def grad_h(self, x: Array, xp: Any) -> Array:
        return -self.q * xp.sin(x)

    def phi_min_value(self, d: int) -> Array:
        return d * self.q


@dataclass(frozen=True)
class LogarithmSaddle(Saddle):
    """I2n: h = log(1 + |x|^2)/2 - b^2 |x|^2 / (2 mu), so Phi = log(1 + |x|^2)/2, non-convex.

    Phi is flat at infinity, so a divergent method looks convergent here (trap T8): no falsifier uses this instance.
    """

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        return -0.125 - self.b**2 / self.mu, 1.0 - self.b**2 / self.mu

    def h(self, x: Array, xp: Any) -> Array:
        return 0.5 * xp.log(1.0 + sq(x, xp)) - self.b**2 / (2 * self.mu) * sq(x, xp)

    def grad_h(self, x: Array, xp: Any) -> Array:
        return x / (1.0 + sq(x, xp)) - self.b**2 / self.mu * x

"""Saddles: f(x, y) = h(x) + b <x, y> - (mu/2) |y|^2, strongly concave in y, with convex or non-convex h; and b <x, y>.

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
from workbench.arrays.sets import L2Ball
from workbench.problems.output import output
from workbench.problems.samples import (
    Deviation,
    Distance,
    Gap,
    Lipschitz,
    Noise,
    Samples,
    Space,
    StronglyMonotone,
)
from workbench.problems.two_levels import TwoLevels

Array = Any


@dataclass(frozen=True)
class Saddle(TwoLevels):
    """Common part; ``noise_x`` and ``noise_y`` disturb the two partial gradients independently."""

    noise_x: Any = field(default_factory=Sphere)
    noise_y: Any = field(default_factory=Sphere)
    b: Array = 1.0
    mu: Array = 1.0

    COSTS: ClassVar = {"grad": {"gradient_x": 1, "gradient_y": 1}, "grad_x": {"gradient_x": 1}}

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

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L, mu, the noise, Delta_1 = Phi(x_1) - Phi* and d_1 = |y_1 - y*(x_1)|; start {"x", "y"}.

        sigma is the root mean square of the noise of both parts together.
        """
        x, y = start["x"], start["y"]
        return {
            "L": self.smoothness,
            "mu": self.mu,
            **_noise_constants(self, x, y),
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
            "sigma": Deviation(joint, self.grad, self.grads_f),
        }


@dataclass(frozen=True)
class QuadraticSaddle(Saddle):
    """h = -(c/2) |x|^2 with c < b^2/mu: concave in x, Phi = (b^2/mu - c)/2 |x|^2."""

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
    """h = q sum cos x_i, 0 <= q <= b^2/mu. Phi* = q per coordinate, at x = 0.

    With b = mu = 1: for q = 1 Phi is flat at 0, and q = 1/2 keeps Phi'' in [1/2, 3/2] and shows the exponents.
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
    """h = log(1 + |x|^2)/2 - b^2 |x|^2 / (2 mu), so Phi = log(1 + |x|^2)/2, non-convex.

    Phi is flat at infinity, so a divergent method looks convergent here: use it for no falsifier.
    """

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        return -0.125 - self.b**2 / self.mu, 1.0 - self.b**2 / self.mu

    def h(self, x: Array, xp: Any) -> Array:
        return 0.5 * xp.log(1.0 + sq(x, xp)) - self.b**2 / (2 * self.mu) * sq(x, xp)

    def grad_h(self, x: Array, xp: Any) -> Array:
        return x / (1.0 + sq(x, xp)) - self.b**2 / self.mu * x


@dataclass(frozen=True)
class StrongSaddle(Saddle):
    """h = (mu_x/2) |x|^2: strongly convex in x, strongly concave in y. The saddle point is 0.

    ``saddle_sq`` is |x|^2 + |y|^2; as a monotone operator the gradients have the modulus min(mu_x, mu).
    """

    mu_x: Array = 1.0

    RECORD: ClassVar = {**Saddle.RECORD, "saddle_sq": ("last", "mean")}

    @property
    def h_curvature(self) -> tuple[Array, Array]:
        return self.mu_x, self.mu_x

    def h(self, x: Array, xp: Any) -> Array:
        return self.mu_x / 2 * sq(x, xp)

    def grad_h(self, x: Array, xp: Any) -> Array:
        return self.mu_x * x

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {**super().metrics(s, t, xp), "saddle_sq": sq(s.x, xp) + sq(s.y, xp)}

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        x, y = start["x"], start["y"]
        return {**super().constants(start), "mu_x": self.mu_x, "D_1": np.sqrt(sq(x, np) + sq(y, np))}

    unsampled: ClassVar[dict[str, str]] = {"D_1": "the distance from the saddle point 0"}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x, y = start["x"], start["y"]
        dual_space = Space((y.shape[-1], x.shape[-1]))
        up = StronglyMonotone(dual_space, lambda y, x, xp: self.grads_f(x, y, xp)[0])
        return {**super().samples(start), "mu_x": up}


@dataclass(frozen=True)
class BilinearSaddle:
    """f = b <x, y> on |x|, |y| <= radius: convex-concave and nothing more; gradient descent-ascent spirals outwards.

    At checkpoints, for the averages z and w that a method keeps, else for x and y: ``gap``, the duality gap
    max over |v| <= radius of f(z, v) - min over |u| <= radius of f(u, w) = b radius (|z| + |w|), and ``saddle_sq``.
    The sets are not enforced: a method may project by ``project``.
    """

    noise_x: Any = field(default_factory=Sphere)
    noise_y: Any = field(default_factory=Sphere)
    b: Array = 1.0
    radius: Array = 1.0

    COSTS: ClassVar = {"grad": {"gradient_x": 1, "gradient_y": 1}, "project": {"projection": 1}}
    RECORD: ClassVar = {"x_norm": ("max",), "y_norm": ("max",)}

    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return self.b * dot(x, y, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        """(grad_x f, grad_y f)."""
        return self.b * y, self.b * x

    # The oracle.
    def grad(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) with one sample xi."""
        g_x, g_y = self.grads_f(x, y, xp)
        return g_x + self.noise_x(xi, x.shape[-1], 0, xp), g_y + self.noise_y(xi, y.shape[-1], 1, xp)

    def project(self, x: Array, xp: Any) -> Array:
        """The nearest point of |x| <= radius, for x and for y."""
        return L2Ball(self.radius).project(x, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {"x_norm": norm(s.x, xp), "y_norm": norm(s.y, xp)}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        z, w = norm(output(s), xp), norm(output(s, "y", "w"), xp)
        return {
            "gap": self.b * self.radius * (z + w),
            "saddle_sq": sq(s.x, xp) + sq(s.y, xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L = b, the noise bounds, D = 2 radius, and D_1, the distance of the start from the saddle point 0."""
        x, y = start["x"], start["y"]
        return {
            "L": self.b,
            "D": 2 * self.radius,
            **_noise_constants(self, x, y),
            "D_1": np.sqrt(sq(x, np) + sq(y, np)),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "D": "the diameter of a ball",
        "D_1": "the distance from the saddle point 0",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        joint = Space((start["x"].shape[-1], start["y"].shape[-1]))
        return {
            "L": Lipschitz(joint, self.grads_f),
            "sigma_x_low": Noise(joint, self.grad, self.grads_f, 0, lower=True),
            "sigma_x_bar": Noise(joint, self.grad, self.grads_f, 0),
            "sigma_y": Noise(joint, self.grad, self.grads_f, 1),
            "sigma": Deviation(joint, self.grad, self.grads_f),
        }


def _noise_constants(saddle: Any, x: Array, y: Array) -> dict[str, Array]:
    """Almost-sure bounds where the laws have them, and the root mean square of both parts together."""
    in_x, in_y = saddle.noise_x, saddle.noise_y
    bounds = {"sigma_x_low": in_x.low, "sigma_x_bar": in_x.high} if in_x.bounded else {}
    bounds |= {"sigma_y": in_y.high} if in_y.bounded else {}
    both = np.sqrt(in_x.deviation(x.shape[-1]) ** 2 + in_y.deviation(y.shape[-1]) ** 2)
    return {**bounds, "sigma": both}

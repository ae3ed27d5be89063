"""A bilevel problem with d_x = 2, d_y = 3 whose lower Hessian moves and is noisy.

    g = sum_i (h/2 u_i^2 - s cos u_i) - (A x)^T y,  u = Q y,        f = sum_i sqrt(1 + (y_i - b_i)^2) + (r/2) |x|^2

with an orthogonal Q and a 3 x 2 matrix A with orthonormal columns. d2g/dydy = Q^T diag(h + s cos u) Q is not diagonal
and s-Lipschitz, d2g/dxdy = -A^T. y*(x) = Q^T u with h u + s sin u = Q A x, by Newton's method.

mu_g is that of every sampled Hessian: h - s less the noise. Noise of second derivatives: plus or minus
``hessian_noise`` times a random reflection, and times a product of random unit vectors in d2G/dxdy. All gradients are
noisy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from workbench.arrays.noise import Sphere
from workbench.arrays.ops import dot, matvec, norm, rowsum
from workbench.problems.hypergradients import KnowsHypergradient
from workbench.problems.samples import Distance, Gap, Lipschitz, Noise, Norm, Samples, Space, StronglyMonotone

Array = Any
D_X, D_Y = 2, 3
NEWTON = 6  # steps for y*; s/h <= 1/2 leaves no error above rounding
STARTS, REACH = 9, 8.0  # of the search for Phi*: a grid on [-REACH, REACH]^2, outside of which |grad Phi| > 0


def turn() -> np.ndarray:
    """Q, (3, 3) orthogonal without zeros."""
    return np.linalg.qr(np.vander(np.linspace(0.3, 1.0, D_Y)))[0]


def coupling() -> np.ndarray:
    """A, (3, 2) with orthonormal columns, not aligned with Q."""
    return np.linalg.qr(np.array([[1.0, 0.2], [0.5, -1.0], [-0.3, 0.4]]))[0]


@dataclass(frozen=True)
class VectorBilevel(KnowsHypergradient):
    """d_x = 2, d_y = 3, not separable: the lower Hessian moves with y (l_g2 = s) and is noisy."""

    noise_f: Any = field(default_factory=Sphere)  # of grad_x F and of grad_y F, each 1/sqrt(2) of the law
    noise_g: Any = field(default_factory=Sphere)
    hessian_noise: Array = 0.0
    h: float = 2.0
    s: float = 0.5
    r: float = 0.5
    b: np.ndarray = field(default_factory=lambda: np.array([[0.5, -1.0, 2.0]]))
    Q: np.ndarray = field(default_factory=turn)
    A: np.ndarray = field(default_factory=coupling)

    shape: ClassVar[tuple[int, int]] = (D_X, D_Y)

    # Exact quantities.
    def f(self, x: Array, y: Array, xp: Any) -> Array:
        return rowsum(xp.sqrt(1.0 + (y - self.b) ** 2), xp) + self.r / 2 * rowsum(x**2, xp)

    def g(self, x: Array, y: Array, xp: Any) -> Array:
        u = matvec(self.Q, y, xp)
        return rowsum(self.h / 2 * u**2 - self.s * xp.cos(u) - matvec(self.A, x, xp) * y, xp)

    def grads_f(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        away = y - self.b
        return self.r * x, away / xp.sqrt(1.0 + away**2)

    def grads_g(self, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
        u = matvec(self.Q, y, xp)
        bowl = self._back(self.h * u + self.s * xp.sin(u), xp)
        return self.mixed_derivative(y, xp), bowl - matvec(self.A, x, xp)

    def hessian(self, y: Array, v: Array, xp: Any) -> Array:
        """(d2g/dydy) v."""
        return self._back(self._curvature(matvec(self.Q, y, xp), xp) * matvec(self.Q, v, xp), xp)

    def mixed_derivative(self, v: Array, xp: Any) -> Array:
        """(d2g/dxdy) v = -A^T v."""
        return -matvec(xp.matrix_transpose(self.A), v, xp)

    def y_star(self, x: Array, xp: Any) -> Array:
        target = matvec(self.Q, matvec(self.A, x, xp), xp)  # h u + s sin u
        u = target / self.h
        for _ in range(NEWTON):
            u = u - (self.h * u + self.s * xp.sin(u) - target) / self._curvature(u, xp)
        return self._back(u, xp)

    def surrogate(self, x: Array, y: Array, xp: Any) -> Array:
        """bar-grad f(x, y): the hypergradient with y in place of y*(x), (runs, 2)."""
        f_x, f_y = self.grads_f(x, y, xp)
        q = matvec(self.Q, f_y, xp) / self._curvature(matvec(self.Q, y, xp), xp)
        return f_x - self.mixed_derivative(self._back(q, xp), xp)

    def phi(self, x: Array, xp: Any) -> Array:
        return self.f(x, self.y_star(x, xp), xp)

    def grad_phi(self, x: Array, xp: Any) -> Array:
        return self.surrogate(x, self.y_star(x, xp), xp)

    def minimum(self) -> tuple[np.ndarray, float]:
        """(x*, Phi*): the best of the points found from a grid of starts."""
        from scipy.optimize import minimize  # here, as in `scalar_bilevel`

        line = np.linspace(-REACH, REACH, STARTS)
        starts = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, D_X)
        optimum = minimize(
            lambda x: float(self.phi(x[None], np).item()),
            starts[np.argmin(self.phi(starts, np))],
            jac=lambda x: self.grad_phi(x[None], np)[0],
            options={"gtol": 1e-12},
        )
        return optimum.x, float(optimum.fun)

    def noiseless(self) -> VectorBilevel:
        """The same problem with exact derivatives; samples have no effect on it."""
        return replace(self, noise_f=Sphere(0.0), noise_g=Sphere(0.0), hessian_noise=0.0)

    # The oracle.
    def grad_f(self, x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        """(grad_x F, grad_y F) with one sample."""
        f_x, f_y = self.grads_f(x, y, xp)
        part = 1.0 / math.sqrt(2.0)
        return f_x + part * self.noise_f(xi, D_X, 0, xp), f_y + part * self.noise_f(xi, D_Y, 1, xp)

    def grad_y_g(self, x: Array, y: Array, zeta: Any, xp: Any) -> Array:
        return self.grads_g(x, y, xp)[1] + self.noise_g(zeta, D_Y, 2, xp)

    def jac_xy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dxdy(zeta_k)) v = -A^T v + hessian_noise p (q^T v) with random unit vectors p and q."""
        p, q = zeta.sphere(D_X, 3, k), zeta.sphere(D_Y, 4, k)
        return self.mixed_derivative(v, xp) + self.hessian_noise * dot(q, v, xp) * p

    def hess_yy_g(self, x: Array, y: Array, v: Array, zeta: Any, k: int, xp: Any) -> Array:
        """(d2G/dydy(zeta_k)) v = (d2g/dydy + hessian_noise sign (I - 2 e e^T)) v with a random unit vector e."""
        e = zeta.sphere(D_Y, 5, k)
        reflection = v - 2.0 * dot(e, v, xp) * e
        return self.hessian(y, v, xp) + self.hessian_noise * zeta.sign(1, 6, k) * reflection

    def hessian_is_exact(self, xp: Any) -> bool:
        return False  # the estimate always draws its Hessians one by one

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        x, y = start["x"], start["y"]
        high = self.h + self.s
        return {
            "mu_g": self.h - self.s - np.max(self.hessian_noise),
            "l_g1": (high + math.sqrt(high**2 + 4.0))
            / 2,  # of [[0, -A^T], [-A, H]] with |A| = 1, |H| = h + s
            "l_g2": self.s,
            "l_f0": math.sqrt(D_Y),
            "l_f1": max(1.0, self.r),
            **({"sigma_f": self.noise_f.high} if self.noise_f.bounded else {}),
            **({"sigma_g1": self.noise_g.high} if self.noise_g.bounded else {}),
            "sigma_g2": self.hessian_noise,
            "Delta_1": self.phi(x, np) - self.minimum()[1],
            "d_1": norm(y - self.y_star(x, np), np),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x, y = start["x"], start["y"]
        point, along = Space((D_X, D_Y)), self.Q[:1]  # a direction for second derivatives

        def slope(x: Array, y: Array, xp: Any) -> Array:
            return self.grads_g(x, y, xp)[1]

        def eigenvalues(x: Array, y: Array, xp: Any) -> Array:
            """Of d2g/dydy, all with the same vectors; d2g/dxdy is constant."""
            return self._curvature(matvec(self.Q, y, xp), xp)

        def bend(x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
            v = 0.0 * y + along
            return self.hessian(y, v, xp), self.mixed_derivative(v, xp)

        def noisy(x: Array, y: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
            v = 0.0 * y + along
            return self.hess_yy_g(x, y, v, xi, 1, xp), self.jac_xy_g(x, y, v, xi, 1, xp)

        return {
            "mu_g": StronglyMonotone(point, slope, reaches=0.0),  # of the samples; that of the mean is larger
            "l_g1": Lipschitz(point, self.grads_g),
            "l_g2": Lipschitz(point, eigenvalues),
            "l_f0": Norm(point, lambda x, y, xp: self.grads_f(x, y, xp)[1]),
            "l_f1": Lipschitz(point, self.grads_f),
            "sigma_f": Noise(point, self.grad_f, self.grads_f),
            "sigma_g1": Noise(point, self.grad_y_g, slope),
            "sigma_g2": (Noise(point, noisy, bend, 0), Noise(point, noisy, bend, 1)),
            "Delta_1": Gap(self.phi, self.grad_phi, x),
            "d_1": Distance(lambda v, xp: slope(x, v, xp), y),
        }

    def _back(self, u: Array, xp: Any) -> Array:
        """Q^T u."""
        return matvec(xp.matrix_transpose(self.Q), u, xp)

    def _curvature(self, u: Array, xp: Any) -> Array:
        return self.h + self.s * xp.cos(u)

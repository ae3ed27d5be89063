"""Quadratics over a compact set with a linear oracle and a projection; the minimizer is known on the set's boundary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from workbench.arrays import backends
from workbench.arrays.noise import Sphere
from workbench.arrays.ops import dot, minimum, norm, sq
from workbench.arrays.sets import L2Ball, Simplex
from workbench.problems.noisy import additive_noise, noise_constants
from workbench.problems.output import output
from workbench.problems.samples import Diameter, Gap, Lipschitz, Samples, Space, StronglyMonotone

Array = Any


@dataclass(frozen=True)
class Constrained:
    """f = (L/2) |x - c|^2 over a set. A subclass states the set (``domain``), its size, c and the minimizer.

    At checkpoints: ``gap``, f - f* at the output (the average z that a method keeps, else x_t), and ``fw_gap``, the
    Frank-Wolfe gap max over v of <grad f(x_t), x_t - v>.
    """

    noise: Any = field(default_factory=Sphere)
    L: Array = 1.0

    COSTS: ClassVar = {"grad": {"gradient": 1}, "lmo": {"lmo": 1}, "project": {"projection": 1}}
    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {"dist": ("last", "max")}

    domain: ClassVar[Any]
    target: ClassVar[Any]
    x_star: ClassVar[Any]

    def f(self, x: Array, xp: Any) -> Array:
        return self.L / 2 * sq(x - self.target(x.shape[-1], xp), xp)

    def grad_f(self, x: Array, xp: Any) -> Array:
        return self.L * (x - self.target(x.shape[-1], xp))

    def f_star(self, d: int, xp: Any) -> Array:
        return self.f(self.x_star(d, xp), xp)

    # The oracle.
    def grad(self, x: Array, xi: Any, xp: Any) -> Array:
        return self.grad_f(x, xp) + self.noise(xi, x.shape[-1], 0, xp)

    def lmo(self, c: Array, xp: Any) -> Array:
        """A minimizer of <c, v> over the set."""
        return self.domain.lmo(c, xp)

    def project(self, x: Array, xp: Any) -> Array:
        return self.domain.project(x, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        return {"dist": norm(s.x - self.x_star(s.x.shape[-1], xp), xp)}

    def checkpoint_metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        z, gradient = output(s), self.grad_f(s.x, xp)
        return {
            "gap": self.f(z, xp) - self.f_star(z.shape[-1], xp),
            "fw_gap": dot(gradient, s.x - self.domain.lmo(gradient, xp), xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """L = mu; D, the diameter; noise bounds; Delta_1 = f(x_1) - f*; D_1 = |x_1 - x*|; f_star.

        Raises ValueError for a start outside the set.
        """
        x = start["x"]
        d = x.shape[-1]
        if not np.allclose(self.domain.project(x, np), x, rtol=0.0, atol=1e-9):
            raise ValueError(f"{type(self).__name__}: the start does not lie in the set")
        return {
            "L": self.L,
            "mu": self.L,
            "D": self.domain.diameter(d),
            **noise_constants(self.noise, d),
            "Delta_1": self.f(x, np) - self.f_star(d, np),
            "D_1": norm(x - self.x_star(d, np), np),
            "f_star": self.f_star(d, np),
        }

    unsampled: ClassVar[dict[str, str]] = {
        "D_1": "the distance from the minimizer, where Delta_1 is sampled",
        "f_star": "the value there",
    }

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        x = start["x"]
        space = Space((x.shape[-1],))
        return {
            "L": Lipschitz(space, self.grad_f),
            "mu": StronglyMonotone(space, self.grad_f),
            "D": Diameter(x.shape[-1], self.lmo),
            **additive_noise(space, self.grad, self.grad_f),
            "Delta_1": Gap(self.f, self.grad_f, x, self.project),
        }


@dataclass(frozen=True)
class SimplexQuadratic(Constrained):
    """f = (L/2) |x - c|^2 on the simplex; c = 1/k in coordinates 1..k, -depth in the others: x* = max(c, 0).

    For k < d the minimizer lies inside a face: Frank-Wolfe zigzags, at the rate 1/T and no faster. k = d (or 0): the
    centre of the simplex.
    """

    k: int = 2
    depth: float = 0.1

    domain: ClassVar = Simplex(1.0)

    def __post_init__(self) -> None:
        if self.k < 0 or not np.all(backends.to_host(self.depth) >= 0.0):
            raise ValueError(f"SimplexQuadratic: needs k >= 0 and depth >= 0, got {self.k} and {self.depth}")

    def _face(self, d: int) -> int:
        return min(self.k, d) or d

    def target(self, d: int, xp: Any) -> Array:
        return xp.where(
            xp.arange(d) < self._face(d), xp.asarray(1.0 / self._face(d)), -xp.asarray(self.depth)
        )

    def x_star(self, d: int, xp: Any) -> Array:
        return xp.where(xp.arange(d) < self._face(d), xp.asarray(1.0 / self._face(d)), xp.asarray(0.0))


@dataclass(frozen=True)
class BallQuadratic(Constrained):
    """f = (L/2) |x - c|^2 on |x| <= radius, c at distance ``reach`` along the first axis.

    x* is the point of the ball nearest to c. For reach > radius no gradient vanishes on the ball, and Frank-Wolfe is
    linear; for reach = radius it vanishes on the boundary.
    """

    radius: Array = 1.0
    reach: Array = 1.0

    @property
    def domain(self) -> Any:
        return L2Ball(self.radius)

    def _along(self, size: Array, d: int, xp: Any) -> Array:
        return xp.where(xp.arange(d) == 0, xp.asarray(1.0), xp.asarray(0.0)) * size

    def target(self, d: int, xp: Any) -> Array:
        return self._along(self.reach, d, xp)

    def x_star(self, d: int, xp: Any) -> Array:
        return self._along(minimum(xp.asarray(self.reach), xp.asarray(self.radius), xp), d, xp)

"""What the synthetic instances of paper `f2obo` share: exact y_t*(x) and F_t'(x), and the box X = [-R, R]^d."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from workbench.ops import clip, norm, rowsum
from workbench.samples import Deviation, Distance, Lipschitz, Norm, Sample, Samples, Space, StronglyMonotone

from .costs import COSTS
from .regret import gradient_mapping

Array = Any
ROUNDS = (1.0, 2.0, 3.0, 50.0)  # rounds whose maps are sampled, early and late
FIRST = np.asarray(1.0)


class Tracking:
    """A subclass defines ``f``, ``y_star``, ``drift``, ``constants`` and the oracle.

    ``gamma`` and ``gamma_p`` are not part of the problem: they set gamma_t = gamma t^-gamma_p in the regret of Eq. (2).
    """

    R: Any
    gamma: Any
    gamma_p: Any
    f: Any
    y_star: Any
    hypergradient: Any
    grad_y_g: Any
    jac_xy_g: Any
    hess_yy_g: Any

    COSTS: ClassVar = COSTS | {"hypergradient": {"hypergradient": 1}}
    RECORD: ClassVar = {"regret": ("last", "sum"), "x_norm": ("max",)}

    def project(self, x: Array, xp: Any) -> Array:
        return clip(x, -self.R, self.R, xp)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        gradient = self.hypergradient(t, s.x, xp=xp)
        regret = gradient_mapping(s.x, gradient, t, self.R, self.gamma, self.gamma_p, xp)
        return {"regret": regret, "x_norm": norm(s.x, xp)}

    def distances(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """d_y and d_z: |y_1 - y_1*(x_1)| and |z_1 - y_1*(x_1)|, 0 where ``start`` does not give y_1 or z_1."""
        y_star = self.y_star(FIRST, start["x"], np)
        return {f"d_{name}": norm(start.get(name, y_star) - y_star, np) for name in "yz"}

    def _check_minimizer(self, angle: Array, at: Callable[[Array], Array]) -> None:
        """Raises ValueError unless the minimizer, ``at`` of the angle in [-pi, pi], lies inside X."""
        far = np.abs(at(angle - 2 * np.pi * np.round(angle / (2 * np.pi))))
        if np.any(far >= self.R):
            raise ValueError(
                f"the minimizer of F_t leaves X: it needs |x*_i| < R = {self.R}, got {np.max(far):.4g}"
            )

    def check(self) -> None:
        """Raises ValueError, naming the condition, where ``drift`` or ``constants`` would be wrong."""

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """For exact oracles. M is loose: it adds the suprema of the terms of F_t, which different points attain."""
        x = start["x"]
        joint, inner = self._joint(x), partial(self.grad_y_g, FIRST, x)

        def second_derivatives(t: Array, x: Array, y: Array, xp: Any) -> tuple[Array, Array]:
            one = 0.0 * y + 1.0
            return self.hess_yy_g(t, x, y, one, xp=xp), self.jac_xy_g(t, x, y, one, xp=xp)

        def value(t: Array, x: Array, xp: Any) -> Array:
            return rowsum(self.f(t, x, self.y_star(t, x, xp), xp), xp)

        nearest = self.y_star(FIRST, x, np)
        return {
            "mu_g": StronglyMonotone(joint, self.grad_y_g),
            "L_g1": Lipschitz(joint, self._full_gradient("g")),
            "L_g2": Lipschitz(joint, second_derivatives),
            "L_f0": Norm(joint, self._full_gradient("f")),
            "L_f1": Lipschitz(joint, self._full_gradient("f")),
            "M": Norm(Space((x.shape[-1],), self.project, ROUNDS), value, reaches=0.5),
            "d_y": Distance(inner, start.get("y", nearest)),
            "d_z": Distance(inner, start.get("z", nearest)),
        }

    def deviations(self, start: Mapping[str, np.ndarray]) -> tuple[Sample, ...]:
        """The noise of both full gradients of an oracle that takes samples."""
        joint, maps = self._joint(start["x"]), [self._full_gradient(level) for level in "fg"]
        return tuple(Deviation(joint, gradient, gradient, reaches=0.98) for gradient in maps)

    def _joint(self, x: Array) -> Space:
        return Space((x.shape[-1],) * 2, self.project, ROUNDS)

    def _full_gradient(self, level: str) -> Callable[..., tuple[Array, Array]]:
        """In (x, y), of f or g."""
        in_x, in_y = (getattr(self, f"grad_{part}_{level}") for part in "xy")
        return lambda *at, xp: (in_x(*at, xp=xp), in_y(*at, xp=xp))

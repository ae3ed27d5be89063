"""A quadratic bilevel problem that is a finite sum in both levels, for methods that remember single components.

    g_i = (h_i/2) |y|^2 - c_i <x, y>,  i = 1, ..., N;   f_j = (a/2) |x - p_j|^2 + (1/2) |y - q_j|^2,  j = 1, ..., M

So y*(x) = (c/h) x with the means c, h, and F is minimized where a (x - p) + (c/h) ((c/h) x - q) = 0, with means p, q
too. All coordinates are alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.ops import entry, norm
from workbench.samples import Distance, Lipschitz, Samples, Space, StronglyMonotone

Array = Any


@dataclass(frozen=True)
class FiniteSum:
    h: tuple[float, ...] = (0.8, 1.0, 1.2, 1.4)
    c: tuple[float, ...] = (0.2, 0.9, 0.5, 0.4)
    p: tuple[float, ...] = (1.0, -2.0)
    q: tuple[float, ...] = (3.0, 1.0)
    a: Array = 0.5

    COSTS: ClassVar = {
        "part_grad_f": {"gradient_f": 1},
        "part_grad_y_g": {"gradient_g": 1},
        "part_hess_yy_g": {"hessian_vector": 1},
        "part_jac_xy_g": {"jacobian_vector": 1},
    }
    RECORD: ClassVar = {"grad_norm": ("last", "mean"), "dist_y": ("last",)}

    # The oracle: single components, by their numbers (runs, 1).
    def part_grad_f(self, x: Array, y: Array, j: Array, xp: Any) -> tuple[Array, Array]:
        return self.a * (x - self._number(self.p, j, x, xp)), y - self._number(self.q, j, x, xp)

    def part_grad_y_g(self, x: Array, y: Array, i: Array, xp: Any) -> Array:
        return self._number(self.h, i, x, xp) * y - self._number(self.c, i, x, xp) * x

    def part_hess_yy_g(self, x: Array, y: Array, v: Array, i: Array, xp: Any) -> Array:
        return self._number(self.h, i, x, xp) * v

    def part_jac_xy_g(self, x: Array, y: Array, v: Array, i: Array, xp: Any) -> Array:
        return -self._number(self.c, i, x, xp) * v

    # Exact quantities.
    def slope(self) -> float:
        """c/h of y*(x)."""
        return float(np.mean(self.c) / np.mean(self.h))

    def grad_phi(self, x: Array, xp: Any) -> Array:
        k = self.slope()
        return self.a * (x - float(np.mean(self.p))) + k * (k * x - float(np.mean(self.q)))

    def solution(self) -> Array:
        """x*, the same in every coordinate."""
        k = self.slope()
        return (self.a * np.mean(self.p) + k * np.mean(self.q)) / (self.a + k * k)

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F(x_t)| and |y_t - y*(x_t)|."""
        return {
            "grad_norm": norm(self.grad_phi(s.x, xp), xp),
            "dist_y": norm(s.y - self.slope() * s.x, xp),
        }

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        """mu_g, L_g of every component, L_F of the whole, and the first distance of y."""
        return {
            "mu_g": min(self.h),
            "L_g": max(self.h),
            "L_F": self.a + self.slope() ** 2,
            "d_1": norm(start["y"] - self.slope() * start["x"], np),
        }

    unsampled: ClassVar[dict[str, str]] = {}

    def samples(self, start: Mapping[str, np.ndarray]) -> Samples:
        """All attained: mu_g and L_g by the components with the least and the largest h."""
        d = start["x"].shape[-1]
        plane, line = Space((d, d)), Space((d,))

        def component(i: int) -> Any:
            return lambda x, y, xp: self.h[i] * y - self.c[i] * x

        return {
            "mu_g": StronglyMonotone(plane, component(int(np.argmin(self.h)))),
            "L_g": Lipschitz(plane, component(int(np.argmax(self.h))), block=1),
            "L_F": Lipschitz(line, self.grad_phi),
            "d_1": Distance(lambda v, xp: v - self.slope() * start["x"], start["y"]),
        }

    def _number(self, table: tuple[float, ...], i: Array, x: Array, xp: Any) -> Array:
        """(runs, 1): entry i of a table of numbers."""
        return entry(0.0 * x[:, :1] + xp.asarray([table]), i, xp)

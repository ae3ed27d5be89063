"""Bilevel problems whose two levels are means over rows (Eqs. 6 and 8, L223-260), over the l1 ball or another set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import COSTS, Bilevel

Array = Any


@dataclass(frozen=True, kw_only=True)
class TwoLevels(Bilevel):
    """outer, inner: levels. optimum: (d,) the outer-optimal point of X_opt, where F and G have the values F_opt, G_opt.

    gap: certified upper bound on the error of G_opt (a duality gap; 0 for closed forms).
    """

    outer: Any
    inner: Any
    optimum: Array = None
    F_opt: float = 0.0
    G_opt: float = 0.0
    gap: float = 0.0

    def __post_init__(self) -> None:
        columns = {level.A.shape[1] for level in (self.outer, self.inner) if hasattr(level, "A")}
        if len(columns) > 1:
            raise ValueError(f"both levels must have the same number of columns, not {sorted(columns)}")

    @property
    def COSTS(self) -> dict[str, dict[str, int]]:  # type: ignore[override]
        """Gradients of an exact outer level are free, as in the paper's count (L259)."""
        free = {"pair_f", "difference_f", "full_f", "grad_f"} if self.outer.exact else set()
        return {name: {} if name in free else cost for name, cost in COSTS.items()}

    def F(self, x: Array, xp: Any) -> Array:
        return self.outer.value(x, xp)

    def G(self, x: Array, xp: Any) -> Array:
        return self.inner.value(x, xp)

    def grad_F(self, x: Array, xp: Any) -> Array:
        return self.outer.grad(x, xp)

    def grad_G(self, x: Array, xp: Any) -> Array:
        return self.inner.grad(x, xp)

    def pair_f(self, x: Array, x_old: Array, theta: Any, S: int, xp: Any) -> tuple[Array, Array]:
        return self.outer.pair(x, x_old, theta, S, xp)[2:]

    def pair_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> tuple[Array, Array]:
        return self.inner.pair(x, x_old, xi, S, xp)[2:]

    def difference_f(self, x: Array, x_old: Array, theta: Any, S: int, xp: Any) -> Array:
        return self.outer.difference(x, x_old, theta, S, xp)

    def difference_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> Array:
        return self.inner.difference(x, x_old, xi, S, xp)

    def valued_pair_g(self, x: Array, x_old: Array, xi: Any, S: int, xp: Any) -> tuple[Array, ...]:
        return self.inner.pair(x, x_old, xi, S, xp)

    def sampled_f(self, x: Array, theta: Any, S: int, xp: Any) -> Array:
        return self.outer.at_sample(x, theta, S, xp)[1]

    def sampled_g(self, x: Array, xi: Any, S: int, xp: Any) -> Array:
        return self.inner.at_sample(x, xi, S, xp)[1]

    def valued_grad_g(self, x: Array, xi: Any, xp: Any) -> tuple[Array, Array]:
        return self.inner.at_sample(x, xi, 1, xp)

    @property
    def UNIQUE(self) -> bool:  # type: ignore[override]
        return self.optimum is not None

    def solution(self, d: int, xp: Any) -> Array:
        return self.optimum

    def constants(self, start: Mapping[str, np.ndarray]) -> dict[str, Array]:
        F_0 = self.F(start["x"], np)
        return {
            **super().constants(start),
            "n": max(self.outer.n, self.inner.n),
            "L_f": self.outer.smoothness(),
            "L_g": self.inner.smoothness(),
            "gap_F0": F_0 - self.F_opt,
            "F_0": F_0,
        }

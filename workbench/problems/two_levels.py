"""What problems of two levels record: minimax, where y maximizes, and bilevel, where y solves the lower problem."""

from __future__ import annotations

from typing import Any, ClassVar

from workbench.arrays.ops import norm

Array = Any


class TwoLevels:
    """A problem with ``y_star(x, xp)``, and ``grad_phi(x, xp)``, the gradient of Phi(x) = f(x, y*(x))."""

    RECORD: ClassVar[dict[str, tuple[str, ...]]] = {
        "grad_norm": ("last", "mean"),
        "x_norm": ("max",),
        "dist_y": ("max",),
    }

    def y_star(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define y_star")

    def grad_phi(self, x: Array, xp: Any) -> Array:
        raise TypeError(f"{type(self).__name__} must define grad_phi")

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad Phi(x)|, |x| and |y - y*(x)|, each (runs, 1)."""
        return {
            "grad_norm": norm(self.grad_phi(s.x, xp), xp),
            "x_norm": norm(s.x, xp),
            "dist_y": norm(s.y - self.y_star(s.x, xp), xp),
        }

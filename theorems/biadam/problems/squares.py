"""TRIG with the mean squares recorded that have known stationary levels, in place of the parts of calG_t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.ops import sq

from .trig import Trig

Array = Any


@dataclass(frozen=True)
class Squares(Trig):
    """For c = 0: x and y are then two linear problems with additive noise, whatever s is, where also s = 0."""

    s: Array = 0.0
    c: Array = 0.0
    RECORD: ClassVar = dict.fromkeys(("grad_sq", "w_sq", "error_w_sq", "error_v_sq", "dist_y_sq"), ("mean",))

    def metrics(self, s: Any, t: Array, xp: Any) -> dict[str, Array]:
        """|grad F|^2, |w|^2, |w - grad f|^2, |v - grad_y g|^2 and |y - y*|^2."""
        return {
            "grad_sq": sq(self.grad_phi(s.x, xp), xp),
            "w_sq": sq(s.w, xp),
            "error_w_sq": sq(s.w - self.surrogate(s.x, s.y, xp), xp),
            "error_v_sq": sq(s.v - self.slope_g(s.x, s.y, xp), xp),
            "dist_y_sq": sq(s.y - self.y_star(s.x, xp), xp),
        }

"""F2OBO: the sums over the rounds that the proof of Theorem 3.1 goes through, Lemmas C.1-C.4."""

from __future__ import annotations

from typing import Any

from workbench.ops import sq

from . import rounds, solutions
from .rounds import MEMORY, begin

__all__ = ["MEMORY", "QUANTITIES", "begin", "observe"]

# Falls F_t(x_t) - F_t(x_(t+1)); squared errors of h_t and of grad L*_t against grad F_t; lambda_t^2 times
# 2 |y - y*_lambda|^2 + |z - y*|^2, measured, and with the bounds of Lemmas C.2 and C.3.
OWN = ("sum_fall", "sum_full", "sum_penalty", "sum_inner", "sum_lemmas")
QUANTITIES = rounds.QUANTITIES | dict.fromkeys(OWN, ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = rounds.observe(s, new, t, c, instance, draw, memory, xp)
    star = instance.y_star(t, s.x, xp=xp)
    exact = instance.hypergradient(t, s.x, xp=xp)
    h = solutions.upper_gradient(instance, t, s.x, new.y, new.z, s.lam, xp)
    penalty = solutions.upper_gradient(instance, t, s.x, quantities["target_before"], star, s.lam, xp)

    def F(x: Any) -> Any:
        return instance.f(t, x, instance.y_star(t, x, xp=xp), xp=xp)

    square = s.lam**2
    of = {
        "sum_fall": F(s.x) - F(new.x),
        "sum_full": sq(h - exact, xp),
        "sum_penalty": sq(penalty - exact, xp),
        "sum_inner": square * (2.0 * quantities["dy_sq"] + quantities["dz_sq"]),
        "sum_lemmas": square * (2.0 * quantities["rhs_y"] + quantities["rhs_z"]),
    }
    return {**quantities, **{name: memory[name] + value for name, value in of.items()}}

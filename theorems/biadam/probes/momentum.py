"""BiAdam (Algorithm 1): Lemma 11, the potential (59), and the sums (61), (70)."""

from __future__ import annotations

from typing import Any

from workbench.ops import column

from . import errors

QUANTITIES = dict.fromkeys((*errors.SHARED, "rhs_49", "rhs_50", "rhs_59"), ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    eta = c.k / xp.sqrt(c.m + t)
    alpha, beta = c.c_1 * eta, c.c_2 * eta
    d = s.x.shape[-1]
    step = errors.step(s, new, t, c, instance, xp)
    _, L_g, _ = instance.smoothness(xp)
    L_0_sq = instance.L_0(d, xp) ** 2
    variance = errors.sigma_sq(d, c, instance, xp)
    weight, moves = errors.weight(s, c, instance, xp), step.move_x + step.move_y
    both = step.bias + step.bias_next
    return {
        "w_next_sq": step.w_next,
        "rhs_49": (1.0 - beta) * step.w
        + beta**2 * variance
        + 3.0 * L_0_sq * eta**2 / beta * moves
        + 3.0 / beta * both,
        "v_next_sq": step.v_next,
        "rhs_50": (1.0 - alpha) * step.v + alpha**2 * variance + 2.0 * L_g**2 * eta**2 / alpha * moves,
        "fall": errors.fall(step, eta, c, L_0_sq),
        "rhs_59": instance.phi(s.x, xp)
        - instance.phi(new.x, xp)
        + weight * (step.y - step.y_next)
        + c.gamma / c.rho * (step.v + step.w - step.v_next - step.w_next)
        + (c.c_1**2 + c.c_2**2) * c.gamma * variance / c.rho * eta**2
        + 2.0 * c.gamma / (3.0 * c.rho * eta) * both
        + 4.0 * eta * c.gamma / c.rho * step.bias,
        "sum_parts": memory["sum_parts"] + errors.parts(step, c, L_0_sq),
        "sum_metric_sq": memory["sum_metric_sq"] + step.metric * step.metric,
        "sigma_6": column(xp.sqrt(variance), s.x, xp),
    }

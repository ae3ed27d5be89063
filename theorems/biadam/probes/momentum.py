"""BiAdam (Algorithm 1): Lemma 11, the potential (59), and the sums (61), (70)."""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import column

from . import errors

QUANTITIES = dict.fromkeys((*errors.SHARED, "rhs_49", "rhs_50", "rhs_59"), ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    eta = c.k / xp.sqrt(c.m + t)
    alpha, beta = c.c_1 * eta, c.c_2 * eta
    d = s.x.shape[-1]
    seen = errors.step(s, new, t, c, instance, xp)
    _, L_g, _ = instance.smoothness(xp)
    L_0_sq = instance.L_0(d, xp) ** 2
    variance = errors.sigma_sq(d, c, instance, xp)
    weight, moves = errors.weight(s, c, instance, xp), seen.move_x + seen.move_y
    both = seen.bias + seen.bias_next
    return {
        "w_next_sq": seen.w_next,
        "rhs_49": (1.0 - beta) * seen.w
        + beta**2 * variance
        + 3.0 * L_0_sq * eta**2 / beta * moves
        + 3.0 / beta * both,
        "v_next_sq": seen.v_next,
        "rhs_50": (1.0 - alpha) * seen.v + alpha**2 * variance + 2.0 * L_g**2 * eta**2 / alpha * moves,
        "fall": errors.fall(seen, eta, c, L_0_sq),
        "rhs_59": instance.phi(s.x, xp)
        - instance.phi(new.x, xp)
        + weight * (seen.y - seen.y_next)
        + c.gamma / c.rho * (seen.v + seen.w - seen.v_next - seen.w_next)
        + (c.c_1**2 + c.c_2**2) * c.gamma * variance / c.rho * eta**2
        + 2.0 * c.gamma / (3.0 * c.rho * eta) * both
        + 4.0 * eta * c.gamma / c.rho * seen.bias,
        "sum_parts": held["sum_parts"] + errors.parts(seen, c, L_0_sq),
        "sum_metric_sq": held["sum_metric_sq"] + seen.metric * seen.metric,
        "sigma_6": column(xp.sqrt(variance), s.x, xp),
    }

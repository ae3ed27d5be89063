"""VR-BiAdam (Algorithm 2): Lemma 12 with the repaired L_K, the potential (84), and the sums (87), (96)."""

from __future__ import annotations

from typing import Any

from workbench.ops import column, power

from . import errors

QUANTITIES = dict.fromkeys((*errors.SHARED, "rhs_72", "rhs_73", "rhs_84"), ("last",))


def L_K_sq(d: int, c: Any, instance: Any, xp: Any) -> Any:
    """L_K^2 as repaired: L_gxy = 0, L_gyy = s_g, samples of the cross derivative without noise."""
    mu, L_g, L_f = instance.smoothness(xp)
    K = xp.asarray(float(c.K))
    below = 2.0 * mu * L_g - mu**2
    slope = d * (instance.s**2 + instance.sigma_y**2)  # C_fy^2 + sigma_fy^2
    cross = instance.c**2
    last = 6.0 * cross * slope * (K * K * K) * instance.s_g**2 / (L_g**2 * below)
    return 2.0 * L_f**2 + 6.0 * cross * L_f**2 * K / below + last


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    eta = c.k * power(c.m + t, -1.0 / 3.0, xp)
    before = c.k * power(c.m + t - 1.0, -1.0 / 3.0, xp)
    alpha, beta = c.c_1 * eta**2, c.c_2 * eta**2
    d = s.x.shape[-1]
    step = errors.step(s, new, t, c, instance, xp)
    _, L_g, _ = instance.smoothness(xp)
    L_0_sq = instance.L_0(d, xp) ** 2
    variance = errors.sigma_sq(d, c, instance, xp)
    weight, moves = errors.weight(s, c, instance, xp), eta**2 * (step.move_x + step.move_y)
    return {
        "w_next_sq": step.w_next,
        "rhs_73": (1.0 - beta) * step.w + 2.0 * beta**2 * variance + 4.0 * L_K_sq(d, c, instance, xp) * moves,
        "v_next_sq": step.v_next,
        "rhs_72": (1.0 - alpha) * step.v + 2.0 * alpha**2 * variance + 4.0 * L_g**2 * moves,
        "fall": errors.fall(step, eta, c, L_0_sq),
        "rhs_84": instance.phi(s.x, xp)
        - instance.phi(new.x, xp)
        + weight * (step.y - step.y_next)
        + c.gamma / c.rho * ((step.v + step.w) / before - (step.v_next + step.w_next) / eta)
        + 2.0 * (c.c_1**2 + c.c_2**2) * c.gamma * variance / c.rho * eta * eta**2
        + 4.0 * eta * c.gamma / c.rho * step.bias,
        "sum_parts": memory["sum_parts"] + errors.parts(step, c, L_0_sq),
        "sum_metric_sq": memory["sum_metric_sq"] + step.metric * step.metric,
        "sigma_6": column(xp.sqrt(variance), s.x, xp),
    }

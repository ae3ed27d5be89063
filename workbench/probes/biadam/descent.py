"""BiAdam (Algorithm 1): Lemmas 5, 9, 10 and (11) along a run, for any noise."""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import sq

QUANTITIES = dict.fromkeys(
    ("error_sq", "rhs_5", "mapping_t", "metric_t", "phi_next", "rhs_9", "dist_next_sq", "rhs_10"), ("last",)
)


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    eta = c.k / xp.sqrt(c.m + t)
    mu, _, _ = instance.smoothness(xp)
    seen = instance.metrics(s, t, xp)
    dist_sq = seen["dist_y"] * seen["dist_y"]
    error_sq = sq(s.w - instance.grad_phi(s.x, xp), xp)
    move_x = sq(instance.nearest_x(s.x - c.gamma * s.w / s.A, s.A, xp) - s.x, xp)
    move_y = sq(instance.nearest_y(s.y - c.lam * s.v / s.b, xp) - s.y, xp)
    kappa = instance.c / mu
    return {
        "error_sq": error_sq,
        "rhs_5": instance.L_0(s.x.shape[-1], xp) ** 2 * dist_sq + 2.0 * seen["error_w"] ** 2,
        "mapping_t": seen["mapping"],
        "metric_t": seen["metric"],
        "phi_next": instance.phi(new.x, xp),
        "rhs_9": instance.phi(s.x, xp)
        + eta * c.gamma / c.rho * error_sq
        - c.rho * eta / (2.0 * c.gamma) * move_x,
        "dist_next_sq": sq(new.y - instance.y_star(new.x, xp), xp),
        "rhs_10": (1.0 - eta * mu * c.lam / (4.0 * s.b)) * dist_sq
        - 0.75 * eta * move_y
        + 25.0 * eta * c.lam / (6.0 * mu * s.b) * seen["error_v"] ** 2
        + 25.0 * kappa**2 * eta * s.b / (6.0 * mu * c.lam) * move_x,
    }

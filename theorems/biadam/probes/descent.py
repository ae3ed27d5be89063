"""Lines that hold in every step whatever the noise is: Lemmas 5, 6, 8-10, (46), the projection, (11), (68)."""

from __future__ import annotations

from typing import Any

from workbench.ops import maximum, norm, rowsum, sq

LINES = (
    "error_sq", "rhs_5", "surrogate_sq", "rhs_8", "projections_apart", "rhs_prop", "mapping_t", "metric_t", "lhs_6",
    "rhs_6", "move_9", "rhs_9", "mid_sq", "rhs_46", "dist_next_sq", "rhs_10", "grad_t", "rhs_68",
)  # fmt: skip
QUANTITIES = dict.fromkeys(LINES, ("last",))


def largest(A: Any, xp: Any) -> Any:
    """|A| of the diagonal matrices A, (runs, 1)."""
    top = A[:, 0:1]
    for j in range(1, A.shape[-1]):
        top = maximum(top, A[:, j : j + 1], xp)
    return top


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    eta = c.k / xp.sqrt(c.m + t)
    mu, _, _ = instance.smoothness(xp)
    quantities = instance.metrics(s, t, xp)
    gradient = instance.grad_phi(s.x, xp)
    dist_sq = quantities["dist_y"] * quantities["dist_y"]
    error_v_sq = quantities["error_v"] * quantities["error_v"]
    error_sq = sq(s.w - gradient, xp)
    L_0_sq = instance.L_0(s.x.shape[-1], xp) ** 2
    x_tilde = instance.nearest_x(s.x - c.gamma * s.w / s.A, s.A, xp)
    at_gradient = instance.nearest_x(s.x - c.gamma * gradient / s.A, s.A, xp)
    move_x = sq(x_tilde - s.x, xp)
    move_y = sq(instance.nearest_y(s.y - c.lam * s.v / s.b, xp) - s.y, xp)
    kappa = instance.c / mu
    rate = eta * mu * c.lam / s.b
    after = instance.surrogate(new.x, new.y, xp) - instance.surrogate(s.x, s.y, xp)
    return {
        "error_sq": error_sq,
        "rhs_5": L_0_sq * dist_sq + 2.0 * quantities["error_w"] * quantities["error_w"],
        "surrogate_sq": sq(after, xp),
        "rhs_8": L_0_sq * (sq(new.x - s.x, xp) + sq(new.y - s.y, xp)),
        "projections_apart": norm(x_tilde - at_gradient, xp) / c.gamma,
        "rhs_prop": norm(s.w - gradient, xp) / c.rho,
        "mapping_t": quantities["mapping"],
        "metric_t": quantities["metric"],
        "lhs_6": rowsum(s.w * (s.x - x_tilde), xp) / c.gamma,
        "rhs_6": c.rho * move_x / (c.gamma * c.gamma),
        "move_9": c.rho * eta / (2.0 * c.gamma) * move_x,
        "rhs_9": instance.phi(s.x, xp) - instance.phi(new.x, xp) + eta * c.gamma / c.rho * error_sq,
        "mid_sq": sq(new.y - instance.y_star(s.x, xp), xp),
        "rhs_46": (1.0 - rate / 2.0) * dist_sq
        - 0.75 * eta * move_y
        + 4.0 * eta * c.lam / (mu * s.b) * error_v_sq,
        "dist_next_sq": sq(new.y - instance.y_star(new.x, xp), xp),
        "rhs_10": (1.0 - rate / 4.0) * dist_sq
        - 0.75 * eta * move_y
        + 25.0 * eta * c.lam / (6.0 * mu * s.b) * error_v_sq
        + 25.0 * kappa**2 * eta * s.b / (6.0 * mu * c.lam) * move_x,
        "grad_t": quantities["grad_norm"],
        "rhs_68": largest(s.A, xp) * quantities["metric"],
    }

"""Quantities shared by both algorithms: one step of conditional gradient, and the weighted sums of (10)-(12).

Not a probe by itself. The engine's iteration t goes from x_(t-1) to x_t in the paper's count. So the values recorded at
t are those of x_t and z_t, and the estimators' errors at x_(t-1).
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, dot, indicator, norm, power

Array = Any

STEP = ("alpha_t", "sigma_t", "e_t", "err_f", "err_g", "err_f2", "err_g2")
GAPS = ("F_gap", "G_gap", "F_next", "G_next", "Fz_gap", "Gz_gap", "slope_opt", "moved")
SUMS = (
    "S_t",
    "sum_isigma",
    "sum_drop",
    "sum_drop_sigma",
    "sum_drop_F",
    "sum_ie",
    "h_next",
    "h_first",
    "sigma_next",
)
QUANTITIES = dict.fromkeys((*STEP, *GAPS, *SUMS), ("last",))


def step(s: Any, new: Any, alpha: Array, instance: Any, xp: Any) -> dict[str, Array]:
    """One step: alpha_t, sigma_t, errors at x_t, and gaps before and after it."""
    F, G = new.F - instance.grad_F(s.x, xp=xp), new.G - instance.grad_G(s.x, xp=xp)
    grad = s.sigma * instance.grad_F(s.x, xp=xp) + instance.grad_G(s.x, xp=xp)
    opt = instance.solution(s.x.shape[-1], xp) if instance.UNIQUE else xp.zeros_like(s.x)
    return {
        "alpha_t": column(alpha, s.x, xp),
        "sigma_t": s.sigma,
        "e_t": norm(s.sigma * F + G, xp),
        "err_f": norm(F, xp),
        "err_g": norm(G, xp),
        "err_f2": dot(F, F, xp),
        "err_g2": dot(G, G, xp),
        "F_gap": instance.F(s.x, xp=xp) - instance.F_opt,
        "G_gap": instance.G(s.x, xp=xp) - instance.G_opt,
        "F_next": instance.F(new.x, xp=xp) - instance.F_opt,
        "G_next": instance.G(new.x, xp=xp) - instance.G_opt,
        "Fz_gap": instance.F(new.z, xp=xp) - instance.F_opt,
        "Gz_gap": instance.G(new.z, xp=xp) - instance.G_opt,
        "slope_opt": dot(grad, opt - s.x, xp),
        "moved": norm(new.x - s.x, xp),
    }


def weighted_sums(
    memory: dict, quantities: dict[str, Array], s: Any, new: Any, t: Array, k: Array, xp: Any
) -> dict[str, Array]:
    """Sums over k < i <= t of (10), where x_t is the new iterate; k = 0 in Algorithm 1, q in Algorithm 2."""
    late = indicator(t > k, xp)
    drop = late * (t + 1.0) * t * (s.sigma - new.sigma)
    h = new.sigma * quantities["F_next"] + quantities["G_next"]
    at_k = xp.where(t == k, (k + 1.0) * k * h, memory["h_first"])
    return {
        "S_t": t * (t + 1.0) * new.sigma + new.B,
        "sum_isigma": memory["sum_isigma"] + late * t * s.sigma,
        "sum_drop": memory["sum_drop"] + drop,
        "sum_drop_sigma": memory["sum_drop_sigma"] + drop * new.sigma,
        "sum_drop_F": memory["sum_drop_F"] + drop * quantities["F_next"],
        "sum_ie": memory["sum_ie"] + late * t * quantities["e_t"],
        "h_next": h,
        "h_first": at_k,
        "sigma_next": new.sigma,
    }


def alpha_of(c: Any, t: Array, xp: Any) -> Array:
    """(a/(t + b))^omega at the paper's t."""
    return power(c.a / (t + c.b), c.omega, xp)

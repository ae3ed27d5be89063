"""F2OBO with K and with one inner step: Lemmas C.1-C.8, Eqs. (18), (20), (31), round by round.

The right-hand sides of unrolled sums are computed by the recursions that they solve, from |y_2 - y*|^2 and
|z_2 - y*|^2 on.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, power, sq

from . import solutions
from .solutions import later

Array = Any

QUANTITIES = dict.fromkeys(
    (
        *("lam_t", "gamma_t"),
        *("dy_sq", "dz_sq"),  # |y_(t+1) - y*_lambda|^2, |z_(t+1) - y*|^2
        *("start_y", "start_z"),  # |y_t - y*_lambda|^2, |z_t - y*|^2
        *("error_sq", "sum_error"),  # |h_t - grad L*_t|^2
        *("drift_y", "dx_sq", "h_sq", "drift_sl"),  # the two sides of (18); right side of (31)
        *("rhs_y", "rhs_z", "rhs_y_sl", "rhs_z_sl"),  # Lemmas C.2 (repaired), C.3, C.6, C.7
        *("sum_regret", "sum_inverse", "V_seen", "H_seen", "E_f_seen", "E_g_seen"),
    ),
    ("last",),
)
MEMORY = ("x_before", "lam_before", "target_before")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    zero = xp.zeros_like(s.x)
    return {"x_before": s.x + zero, "lam_before": s.lam, "target_before": zero}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = compare(s, new, t, instance, memory, xp)
    at = solutions.constants_of(instance, xp)
    sup = {name: later(t, value, xp) for name, value in instance.drift_steps(t, xp=xp).items()}
    h = solutions.upper_gradient(instance, t, s.x, new.y, new.z, s.lam, xp)
    star = instance.y_star(t, s.x, xp=xp)
    error = h - solutions.upper_gradient(instance, t, s.x, quantities["target_before"], star, s.lam, xp)
    regret = instance.metrics(s, t, xp=xp)["regret"]
    sums = {"V_seen": "V", "H_seen": "H_2", "E_f_seen": "E_f", "E_g_seen": "E_g"}
    quantities |= {
        "gamma_t": column(c.gamma * power(t, -getattr(c, "p", 0.0), xp), s.x, xp),
        "error_sq": sq(error, xp),
        "sum_error": memory["sum_error"] + sq(error, xp),
        "sum_regret": memory["sum_regret"] + regret,
        "sum_inverse": memory["sum_inverse"] + 1.0 / s.lam**2,
        **{name: memory[name] + sup[drift] for name, drift in sums.items()},
    }
    return {
        **quantities,
        **many(t, c, at, memory, quantities, xp),
        **one(t, s.lam, c, at, memory, quantities, sup, xp),
    }


def compare(s: Any, new: Any, t: Array, instance: Any, memory: dict, xp: Any) -> dict[str, Array]:
    """Distances to both inner solutions, and how far these moved."""
    target = solutions.penalty_solution(instance, t, s.x, s.lam, xp)
    star = instance.y_star(t, s.x, xp=xp)
    old = instance.y_star(xp.where(t > 1.5, t - 1.0, t), s.x, xp=xp)
    return {
        "lam_t": s.lam,
        "dy_sq": sq(new.y - target, xp),
        "dz_sq": sq(new.z - star, xp),
        "start_y": sq(s.y - target, xp),
        "start_z": sq(s.z - star, xp),
        "drift_y": later(t, sq(target - memory["target_before"], xp), xp),
        "dx_sq": later(t, sq(s.x - memory["x_before"], xp), xp),
        "h_sq": later(t, sq(star - old, xp), xp),
        "x_before": s.x,
        "lam_before": s.lam,
        "target_before": target,
    }


def many(t: Array, c: Any, at: Any, memory: dict, quantities: dict, xp: Any) -> dict[str, Array]:
    """Lemma C.2 with the repaired (18), and Lemma C.3, K inner steps."""
    K, lam, one = getattr(c, "K", 1.0), quantities["lam_t"], column(1.0, quantities["lam_t"], xp)
    rho_y, rho_z = 1.0 - c.beta * c.lam * at.mu / 2, 1.0 - c.alpha * at.mu
    penalty = 6.0 * (1.0 + power(4.0 * one, c.tau, xp)) * (at.L_f0 / (lam * at.mu)) ** 2
    movement = at.kappa**2 * quantities["dx_sq"] + quantities["h_sq"]
    y = rho_y * memory["rhs_y"] + power(rho_y * one, K * one, xp) * (penalty + 12.0 * movement)
    z = rho_z * memory["rhs_z"] + power(rho_z * one, K * one, xp) * 4.0 * movement
    first = t < 1.5
    return {
        "rhs_y": xp.where(first, quantities["dy_sq"], y),
        "rhs_z": xp.where(first, quantities["dz_sq"], z),
    }


def one(
    t: Array, lam: Array, c: Any, at: Any, memory: dict, quantities: dict, sup: dict, xp: Any
) -> dict[str, Array]:
    """Eq. (31), Lemmas C.6 and C.7, one inner step."""
    jump = later(t, ((lam - memory["lam_before"]) / (lam * memory["lam_before"])) ** 2, xp)
    gradients = sup["E_f"] / lam**2 + sup["E_g"]
    drift = 18.0 * at.kappa**2 * quantities["dx_sq"] + 24.0 / at.mu**2 * gradients
    drift = drift + 96.0 * (at.L_f0 * at.L / at.mu**2) ** 2 * jump
    step = c.alpha * at.mu
    y = (1.0 - 1.0 / (8.0 * at.kappa)) * memory["rhs_y_sl"] + 16.0 * at.kappa * drift
    z = (1.0 - step / 2) * memory["rhs_z_sl"] + 8.0 / step * (at.kappa**2 * quantities["dx_sq"] + sup["H_2"])
    return {
        "drift_sl": drift,
        "rhs_y_sl": xp.where(t < 1.5, quantities["dy_sq"], y),
        "rhs_z_sl": xp.where(t < 1.5, quantities["dz_sq"], z),
    }

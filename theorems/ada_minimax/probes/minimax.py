"""Ada-Minimax on a saddle along a run: Lemmas D.1-D.3 and G.3, and A.4, C.1, C.2, 5.7, Eqs. (24), (32)-(35) of y.

As in the paper y descends on g = -f, with h = grad_y g and g_y its sample.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import dot, maximum, norm, sq

from . import momentum

DISTANCE = ("d_t", "d_next", "d_prime")  # |y_t - y*_t|, the same at t + 1, max(d_1, ..., d_t, eta)
RECURSION = ("d_next_sq", "rhs_24")  # both sides of (24), one step
NOISE = ("mart", "mart_2", "noise_sum")  # sums of Lemma C.1 (steps, squared steps) and of Lemma C.2
SUMS = (
    "sum_d",
    "sum_d2",
    "sum_mu_eta_d2",
    "sum_eta_d",
    "ratio_sum",
    "sum_gy2_Gy2",
)  # the last one of Lemma A.4
LOWER = (*DISTANCE, *RECURSION, *NOISE, *SUMS)
QUANTITIES = momentum.QUANTITIES | dict.fromkeys((*LOWER, "bias_norm", "sum_bias"), ("last",))
MEMORY = (*momentum.MEMORY, "bias_inputs")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    return {**momentum.begin(s, instance.grad_phi, xp), "bias_inputs": xp.zeros_like(s.x)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    g_x, g_y = instance.grad(s.x, s.y, draw(0), xp=xp)
    f_x, f_y = instance.grads_f(s.x, s.y, xp=xp)
    bias = f_x - instance.grad_phi(s.x, xp=xp)
    a, eta_x = momentum.of_x(new, t, c, xp)
    objective = instance.phi, instance.grad_phi
    quantities = momentum.observe(memory, s, new, t, (a, eta_x), (g_x - f_x) + bias, objective, xp)
    bias_sum = (1.0 - a) * memory["bias_inputs"] + momentum.later(t, a * bias, xp)
    return {
        **quantities,
        "bias_inputs": bias_sum,
        "bias_norm": norm(bias, xp),
        "sum_bias": memory["sum_bias"] + eta_x * norm(bias_sum, xp),
        **_lower(s, new, c, instance, -f_y, -g_y, eta_x, memory, xp),
    }


def _lower(
    s: Any, new: Any, c: Any, instance: Any, h: Any, g_y: Any, eta_x: Any, memory: dict, xp: Any
) -> dict[str, Any]:
    mu, slope = (
        instance.mu,
        instance.b / instance.mu,
    )  # slope: the Lipschitz constant of y* itself, at most L/mu
    G2 = c.gamma**2 + new.S_y
    before = G2 - sq(g_y, xp)  # G_(k-1)^2
    eta_y, hat = c.eta_y / xp.sqrt(G2), c.eta_y / xp.sqrt(before + sq(h, xp))
    error, noise = s.y - instance.y_star(s.x, xp=xp), h - g_y
    along = dot(noise, error, xp)
    d, after = norm(error, xp), norm(new.y - instance.y_star(new.x, xp=xp), xp)
    step = mu * eta_y
    noisy = 2 * (1 + step) * eta_y * along + (1 + step) * eta_y**2 * sq(g_y, xp)
    return {
        "d_t": d,
        "d_next": after,
        "d_prime": maximum(maximum(memory["d_prime"], d, xp), c.eta_y, xp),
        "mart": memory["mart"] + hat * along,
        "mart_2": memory["mart_2"] + hat**2 * along,
        "noise_sum": memory["noise_sum"] + c.eta_y**2 / before * sq(noise, xp),
        "sum_gy2_Gy2": memory["sum_gy2_Gy2"] + sq(g_y, xp) / G2,
        "ratio_sum": memory["ratio_sum"] + eta_x**2 / (mu * eta_y),
        "sum_d": memory["sum_d"] + d,
        "sum_d2": memory["sum_d2"] + d**2,
        "sum_mu_eta_d2": memory["sum_mu_eta_d2"] + mu * eta_y * d**2,
        "sum_eta_d": memory["sum_eta_d"] + eta_x * d,
        "d_next_sq": after**2,
        "rhs_24": (1 - step) * d**2 + noisy + (1 + 1 / step) * (slope * eta_x) ** 2,
    }

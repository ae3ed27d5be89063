"""The lower level of Ada-Minimax and Ada-BiO: Lemmas A.4, C.1, C.2, 5.7, Eqs. (24), (32)-(35) along a run.

Not a probe by itself. y descends on g with AdaGrad-Norm (in the minimax case g = -f), so h = grad_y g and g_y its
sample.
"""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import dot, maximum, norm, sq

Array = Any

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
QUANTITIES = dict.fromkeys((*DISTANCE, *RECURSION, *NOISE, *SUMS), ("last",))


def observe(held: dict, at: dict[str, Array], xp: Any) -> dict[str, Array]:
    """``at``: y, y_star, y_star_next, y_next, h, g_y, S_y (with g_y), eta_x, eta, gamma, mu, slope (of y*)."""
    before = at["gamma"] ** 2 + at["S_y"] - sq(at["g_y"], xp)  # G_(k-1)^2
    G2 = at["gamma"] ** 2 + at["S_y"]
    eta_y, hat = at["eta"] / xp.sqrt(G2), at["eta"] / xp.sqrt(before + sq(at["h"], xp))
    error = at["y"] - at["y_star"]
    noise = at["h"] - at["g_y"]
    along = dot(noise, error, xp)
    d = norm(error, xp)
    after = norm(at["y_next"] - at["y_star_next"], xp)
    made = {
        "d_t": d,
        "d_next": after,
        "d_prime": maximum(maximum(held["d_prime"], d, xp), at["eta"], xp),
        "mart": held["mart"] + hat * along,
        "mart_2": held["mart_2"] + hat**2 * along,
        "noise_sum": held["noise_sum"] + at["eta"] ** 2 / before * sq(noise, xp),
        "sum_gy2_Gy2": held["sum_gy2_Gy2"] + sq(at["g_y"], xp) / G2,
        "ratio_sum": held["ratio_sum"] + at["eta_x"] ** 2 / (at["mu"] * eta_y),
    }
    return {**made, **_sums(held, d, eta_y, at), **_recursion(d, after, eta_y, along, at, xp)}


def _sums(held: dict, d: Array, eta_y: Array, at: dict) -> dict[str, Array]:
    return {
        "sum_d": held["sum_d"] + d,
        "sum_d2": held["sum_d2"] + d**2,
        "sum_mu_eta_d2": held["sum_mu_eta_d2"] + at["mu"] * eta_y * d**2,
        "sum_eta_d": held["sum_eta_d"] + at["eta_x"] * d,
    }


def _recursion(d: Array, after: Array, eta_y: Array, along: Array, at: dict, xp: Any) -> dict[str, Array]:
    """d_(k+1)^2 and the right-hand side of (24) before it is summed, with |y*_(k+1) - y*_k| <= slope eta_x."""
    step = at["mu"] * eta_y
    noise = 2 * (1 + step) * eta_y * along + (1 + step) * eta_y**2 * sq(at["g_y"], xp)
    return {
        "d_next_sq": after**2,
        "rhs_24": (1 - step) * d**2 + noise + (1 + 1 / step) * (at["slope"] * at["eta_x"]) ** 2,
    }

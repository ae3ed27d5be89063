"""Non-convex F, finite sums: Lemmas 13-15 and Theorem 6 along a run of IR-FSCG.

beta_i is (27), written with hold = q + 1 and alpha = alpha_0. later: 1 from t = q + 2 on, where Lemma 15 starts.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, indicator, power

from . import finite_sum

NAMES = ("calF_t", "sum_beta_calF", "sum_beta", "later", "sum_e_late", "shape_29")
QUANTITIES = finite_sum.QUANTITIES | dict.fromkeys(NAMES, ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = finite_sum.observe(s, new, t, c, instance, draw, memory, xp)
    at, one = t - 1.0, column(1.0, s.x, xp)
    remaining = xp.where(at < c.hold, c.hold - 1.0 - at, 0.0)  # q - t
    first = (
        s.sigma * power(c.hold * one, c.omega, xp) * c.alpha_0 * power((1.0 - c.alpha_0) * one, remaining, xp)
    )
    beta = xp.where(at < c.hold, first, s.sigma)
    merits = instance.calF(s.x, xp=xp)
    full = c.q * xp.floor(at / c.q)
    decay = 1.0 - 2.0 * c.omega
    since = xp.where(full > 0.0, full, 1.0)
    now = xp.where(at > 0.0, at, 1.0)
    return {
        **quantities,
        "calF_t": merits,
        "sum_beta_calF": memory["sum_beta_calF"] + beta * merits,
        "sum_beta": memory["sum_beta"] + beta,
        "sum_e_late": memory["sum_e_late"] + xp.where(at > c.q, quantities["e_t"], 0.0),
        "later": indicator(t >= c.hold + 1.0, xp) * one,
        "shape_29": (power(now, decay, xp) - power(since, decay, xp)) / (c.S * decay) * one,
    }

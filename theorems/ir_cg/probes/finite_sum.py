"""IR-FSCG (Algorithm 2): Lemmas 1, 2, 7-10 and the SPIDER error along a run.

late: 1 from t = q on, else 0. early: 1 where the error belongs to the first q iterations. proxy: the sum of alpha_s^2/S
since the last full gradient, which times 4 L^2 D^2 is the variance proxy of the error at x_(t-1).
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, indicator

from . import sums

QUANTITIES = sums.QUANTITIES | dict.fromkeys(("late", "early", "proxy", "shape_17", "shape_18"), ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    at = t - 1.0  # the paper's t: the error is the one at x_(t-1)
    alpha = column(xp.where(at < c.hold, c.alpha_0, sums.alpha_of(c, at, xp)), s.x, xp)
    quantities = sums.step(s, new, alpha, instance, xp)
    quantities |= sums.weighted_sums(memory, quantities, s, new, t, c.q, xp)
    return {
        **quantities,
        **spider(memory, at, alpha, c, xp),
        "late": column(indicator(t >= c.q, xp), s.x, xp),
    }


def spider(memory: dict, at: Any, alpha: Any, c: Any, xp: Any) -> dict:
    """Quantities in the bounds on the error at the paper's t = ``at``; memory["alpha_t"] is alpha_(t-1)."""
    one = column(1.0, alpha, xp)
    full = c.q * xp.floor(at / c.q)  # s_t
    fresh = at == full
    return {
        "early": indicator(at < c.q, xp) * one,
        "proxy": xp.where(fresh, 0.0, memory["proxy"] + memory["alpha_t"] ** 2 / c.S),
        "shape_17": c.alpha_0**2 * c.q / c.S * one,
        "shape_18": (at - full) / (c.S * (at + 1.0) * (full + 1.0)) * one,
    }

"""Non-convex F: (25), Lemma 12 and Theorem 5 along a run of IR-SCG.

calF(x) = max over v in X_opt of <grad F(x), x - v>.
"""

from __future__ import annotations

from typing import Any

from . import one_sample

NAMES = ("calF_t", "sum_sigma_calF", "sum_sigma", "sum_e", "sum_curve")
QUANTITIES = one_sample.QUANTITIES | dict.fromkeys(NAMES, ("last",))


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    """The sums, for Lemma 12, are over i < t: of sigma_i calF(x_i), sigma_i, e_i, and alpha_i sigma_i."""
    quantities = one_sample.observe(s, new, t, c, instance, draw, memory, xp)
    merits = instance.calF(s.x, xp=xp)
    return {
        **quantities,
        "calF_t": merits,
        "sum_sigma_calF": memory["sum_sigma_calF"] + s.sigma * merits,
        "sum_sigma": memory["sum_sigma"] + s.sigma,
        "sum_e": memory["sum_e"] + quantities["e_t"],
        "sum_curve": memory["sum_curve"] + quantities["alpha_t"] * s.sigma,
    }

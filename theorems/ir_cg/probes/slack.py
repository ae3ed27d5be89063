"""IR-SCG (Algorithm 1): the weighted averages that the inner bound of Theorem 1 goes through.

The average z_t gives x_i the weight (i+1) i (sigma_(i-1) - sigma_i) for i < t and t (t+1) sigma_t, plus the last of
those, for i = t. avg_(.): the mean of a quantity of x_1, ..., x_t with these weights, times S_t.
"""

from __future__ import annotations

from typing import Any

from . import one_sample

AVERAGED = ("G", "h", "curve", "errors", "drops", "sigma", "proxy")
QUANTITIES = one_sample.QUANTITIES | dict.fromkeys(
    (*(f"sum_{name}" for name in AVERAGED), *(f"avg_{name}" for name in AVERAGED)), ("last",)
)


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = one_sample.observe(s, new, t, c, instance, draw, memory, xp)
    drop = (t + 1.0) * t * (s.sigma - new.sigma)
    last = t * (t + 1.0) * new.sigma
    weight = t * (t + 1.0)
    of = {
        "G": quantities["G_next"],
        "h": quantities["h_next"],
        "curve": 1.0 / (t + 1.0) + 0.0 * quantities["h_next"],
        "errors": quantities["sum_ie"] / weight,
        "drops": quantities["sum_drop"] / weight,
        "sigma": new.sigma,
        "proxy": xp.sqrt(t + 1.0) / t + 0.0 * quantities["h_next"],
    }
    sums = {f"sum_{name}": memory[f"sum_{name}"] + drop * value for name, value in of.items()}
    return {
        **quantities,
        **sums,
        **{f"avg_{name}": sums[f"sum_{name}"] + last * value for name, value in of.items()},
    }

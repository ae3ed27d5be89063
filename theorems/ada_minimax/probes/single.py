"""Ada-NSGDM on a single level: Lemmas 5.3, 5.5, B.4, A.3 and A.4 along a run."""

from __future__ import annotations

from typing import Any

from workbench.ops import column, sq

from . import momentum

# Both sides of the two sums of Lemma A.3 with G_0 = gamma = 1, and eta_(t-1) (eta at t = 1).
DENOMINATORS = ("sum_g2_G", "root_sum", "sum_g2_G2", "log_growth")
QUANTITIES = momentum.QUANTITIES | dict.fromkeys((*DENOMINATORS, "eta_before"), ("last",))
MEMORY = (*momentum.MEMORY, "sum_g2")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    return {**momentum.begin(s, instance.grad_f, xp), "sum_g2": column(0.0, s.x, xp)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    g = instance.grad(s.x, draw(0), xp=xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + new.S)
    steps = a, c.eta * xp.sqrt(a) / xp.sqrt(t)
    noise = g - instance.grad_f(s.x, xp=xp)
    quantities = momentum.observe(memory, s, new, t, steps, noise, (instance.f, instance.grad_f), xp)
    square = sq(g, xp)
    total = memory["sum_g2"] + square
    G2 = 1.0 + total
    return {
        **quantities,
        "eta_before": xp.where(t > 1.5, memory["eta_t"], c.eta),
        "sum_g2": total,
        "sum_g2_G": memory["sum_g2_G"] + square / xp.sqrt(G2),
        "sum_g2_G2": memory["sum_g2_G2"] + square / G2,
        "root_sum": xp.sqrt(total),
        "log_growth": log1p(total, xp),
    }


def log1p(x: Any, xp: Any) -> Any:
    """log(1 + x) for x >= 0. A first gradient may be so small that most of its digits are lost in 1 + x."""
    sum_of_both = 1.0 + x
    difference = sum_of_both - 1.0
    return xp.where(
        difference > 0.0, xp.log(sum_of_both) * (x / xp.where(difference > 0.0, difference, 1.0)), x
    )

"""Ada-NSGDM on a single level: Lemmas 5.3, 5.5, B.4, A.3 and A.4 along a run."""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import column, sq
from workbench.probes.ada_minimax import momentum

# Both sides of the two sums of Lemma A.3 with G_0 = gamma = 1, and eta_(t-1) (eta at t = 1).
DENOMINATORS = ("sum_g2_G", "root_sum", "sum_g2_G2", "log_growth")
QUANTITIES = momentum.QUANTITIES | dict.fromkeys((*DENOMINATORS, "eta_before"), ("last",))
MEMORY = (*momentum.MEMORY, "sum_g2")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    made = momentum.begin(s.m, instance.grad_f(s.x, xp=xp), xp)
    return {**made, "sum_g2": column(0.0, s.x, xp)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    g, grad = instance.grad(s.x, draw(0), xp=xp), instance.grad_f(s.x, xp=xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + new.S)
    eta = c.eta * xp.sqrt(a) / xp.sqrt(t)
    seen = momentum.errors(held, t, a, g - grad, new.m, grad, xp)
    f = instance.f(s.x, xp=xp), instance.f(new.x, xp=xp)
    grads = grad, instance.grad_f(new.x, xp=xp)
    seen |= momentum.descent(held, f, grads, new.x - s.x, eta, seen["hat_norm"], xp)
    seen["eta_before"] = xp.where(t > 1.5, held["eta_t"], c.eta)
    return {**seen, **_denominators(g, held, xp)}


def _denominators(g: Any, held: dict, xp: Any) -> dict:
    """Both sums of Lemma A.3 and what they are compared with, for G_0 = 1."""
    square = sq(g, xp)
    total = held["sum_g2"] + square
    G2 = 1.0 + total
    return {
        "sum_g2": total,
        "sum_g2_G": held["sum_g2_G"] + square / xp.sqrt(G2),
        "sum_g2_G2": held["sum_g2_G2"] + square / G2,
        "root_sum": xp.sqrt(total),
        "log_growth": xp.log(G2),
    }

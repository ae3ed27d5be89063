"""Ada-BiO on the line with exact second derivatives of g (instance B1): Lemmas E.1-E.5 and G.4 along a run.

The mean of the Neumann estimate is then a closed form: H = (1 - (1 - h/l_g1)^N)/h for the Hessian h.
"""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import column, norm, power
from workbench.probes.ada_minimax import momentum

# d_t = |y_t - y*_t|, then |eps^B|, |eps^N| and |eps| of Lemma E.4
NORMS = ("d_t", "bias_norm", "neumann_norm", "noise_norm", "sum_neumann")
QUANTITIES = momentum.QUANTITIES | dict.fromkeys(NORMS, ("last",))
MEMORY = (*momentum.MEMORY, "neumann_inputs")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    made = momentum.begin(s.m, instance.grad_phi(s.x, xp=xp), xp)
    return {**made, "neumann_inputs": xp.zeros_like(s.x)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    f_x, f_y = instance.grads_f(s.x, s.y, xp=xp)
    g_x, _ = instance.grad_f(s.x, s.y, draw(0), xp=xp)
    rest = power(column(1.0 - instance.h / c.l_g1, f_y, xp), column(c.N, f_y, xp), xp)  # (1 - h/l_g1)^N
    exact = f_x + instance.a * f_y  # bar-grad f(x, y)
    grad = instance.grad_phi(s.x, xp=xp)
    bias, neumann, noise = exact - grad, -instance.a * f_y * rest, g_x - f_x
    a = c.alpha / xp.sqrt(c.alpha**2 + new.S_x)
    eta = c.eta_x * xp.sqrt(c.alpha / xp.sqrt(c.alpha**2 + new.S_x + new.S_y)) / xp.sqrt(t)
    seen = momentum.errors(held, t, a, noise + bias + neumann, new.m, grad, xp)
    f = instance.phi(s.x, xp=xp), instance.phi(new.x, xp=xp)
    grads = grad, instance.grad_phi(new.x, xp=xp)
    seen |= momentum.descent(held, f, grads, new.x - s.x, eta, seen["hat_norm"], xp)
    carried = (1.0 - a) * held["neumann_inputs"] + momentum.later(t, a * neumann, xp)
    return {
        **seen,
        "d_t": norm(s.y - instance.y_star(s.x, xp=xp), xp),
        "bias_norm": norm(bias, xp),
        "neumann_norm": norm(neumann, xp),
        "noise_norm": norm(noise, xp),
        "neumann_inputs": carried,
        "sum_neumann": held["sum_neumann"] + eta * norm(carried, xp),
    }

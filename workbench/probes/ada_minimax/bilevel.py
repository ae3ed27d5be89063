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
    return {**momentum.begin(s, instance.grad_phi, xp), "neumann_inputs": xp.zeros_like(s.x)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    f_x, f_y = instance.grads_f(s.x, s.y, xp=xp)
    g_x, _ = instance.grad_f(s.x, s.y, draw(0), xp=xp)
    rest = power(column(1.0 - instance.h / c.l_g1, f_y, xp), column(c.N, f_y, xp), xp)  # (1 - h/l_g1)^N
    bias = f_x + instance.a * f_y - instance.grad_phi(s.x, xp=xp)  # bar-grad f(x, y) - grad Phi(x)
    neumann, noise = -instance.a * f_y * rest, g_x - f_x
    a, eta = momentum.of_x(new, t, c, xp)
    objective = instance.phi, instance.grad_phi
    seen = momentum.observe(held, s, new, t, (a, eta), noise + bias + neumann, objective, xp)
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

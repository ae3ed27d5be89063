"""Ada-Minimax on a saddle: Lemmas D.1-D.3, 5.7 and G.3, with those of the lower level, along a run."""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import norm
from workbench.probes.ada_minimax import lower, momentum

QUANTITIES = momentum.QUANTITIES | lower.QUANTITIES | dict.fromkeys(("bias_norm", "sum_bias"), ("last",))
MEMORY = (*momentum.MEMORY, "bias_inputs")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    made = momentum.begin(s.m, instance.grad_phi(s.x, xp=xp), xp)
    return {**made, "bias_inputs": xp.zeros_like(s.x)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    g_x, g_y = instance.grad(s.x, s.y, draw(0), xp=xp)
    f_x, f_y = instance.grads_f(s.x, s.y, xp=xp)
    grad = instance.grad_phi(s.x, xp=xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + new.S_x)
    eta = c.eta_x * xp.sqrt(c.alpha / xp.sqrt(c.alpha**2 + new.S_x + new.S_y)) / xp.sqrt(t)
    bias = f_x - grad
    seen = momentum.errors(held, t, a, (g_x - f_x) + bias, new.m, grad, xp)
    f = instance.phi(s.x, xp=xp), instance.phi(new.x, xp=xp)
    grads = grad, instance.grad_phi(new.x, xp=xp)
    seen |= momentum.descent(held, f, grads, new.x - s.x, eta, seen["hat_norm"], xp)
    carried = (1.0 - a) * held["bias_inputs"] + momentum.later(t, a * bias, xp)
    seen |= {
        "bias_inputs": carried,
        "bias_norm": norm(bias, xp),
        "sum_bias": held["sum_bias"] + eta * norm(carried, xp),
    }
    at = {
        "y": s.y,
        "y_next": new.y,
        "y_star": instance.y_star(s.x, xp=xp),
        "y_star_next": instance.y_star(new.x, xp=xp),
        "h": -f_y,
        "g_y": -g_y,
        "S_y": new.S_y,
        "eta_x": eta,
        "eta": c.eta_y,
        "gamma": c.gamma,
        "mu": instance.mu,
        "slope": instance.b / instance.mu,  # the Lipschitz constant of y* itself, at most L/mu
    }
    return {**seen, **lower.observe(held, at, xp)}

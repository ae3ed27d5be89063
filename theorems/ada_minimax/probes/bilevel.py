"""Ada-BiO: Lemmas E.1-E.5 and G.4 along a run.

All samples in the Neumann estimate are independent, so its mean is the estimate without noise.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from workbench.ops import norm

from ...baselines.estimators.neumann import neumann
from . import momentum

# d_t = |y_t - y*_t|, then |eps^B|, |eps^N| and |eps| of Lemma E.4
NORMS = ("d_t", "bias_norm", "neumann_norm", "noise_norm", "sum_neumann")
QUANTITIES = momentum.QUANTITIES | dict.fromkeys(NORMS, ("last",))
MEMORY = (*momentum.MEMORY, "neumann_inputs")


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    return {**momentum.begin(s, instance.grad_phi, xp), "neumann_inputs": xp.zeros_like(s.x)}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    def estimate(of: Any) -> Any:
        oracle = SimpleNamespace(**{name: partial(getattr(of, name), xp=xp) for name in of.COSTS})
        return neumann(s.x, s.y, draw(0), c.N, c.l_g1, oracle, xp)

    surrogate = instance.surrogate(s.x, s.y, xp=xp)
    mean = estimate(instance.noiseless())
    bias = surrogate - instance.grad_phi(s.x, xp=xp)  # bar-grad f(x, y) - grad Phi(x)
    truncation, noise = mean - surrogate, estimate(instance) - mean
    a, eta = momentum.of_x(new, t, c, xp)
    objective = instance.phi, instance.grad_phi
    quantities = momentum.observe(memory, s, new, t, (a, eta), noise + bias + truncation, objective, xp)
    bias_sum = (1.0 - a) * memory["neumann_inputs"] + momentum.later(t, a * truncation, xp)
    return {
        **quantities,
        "d_t": norm(s.y - instance.y_star(s.x, xp=xp), xp),
        "bias_norm": norm(bias, xp),
        "neumann_norm": norm(truncation, xp),
        "noise_norm": norm(noise, xp),
        "neumann_inputs": bias_sum,
        "sum_neumann": memory["sum_neumann"] + eta * norm(bias_sum, xp),
    }

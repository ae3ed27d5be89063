"""Shared by the probes of the three algorithms: the unrolled momentum error and the sums of the descent lemma.

This module is not a probe. A vector is recorded by its first coordinate (for identities) or its norm (for bounds).
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, norm

Array = Any

# Lemmas 5.3, D.2, E.4: hat-eps_t from m_t and from the sums, its norm, and that of hat-eps_1.
ERROR = ("hat", "unrolled", "hat_norm", "hat_first")
# Lemmas B.4, D.3, E.5: objective before and after, |grad|, step, momentum weight; |grad(x_(t+1)) - grad(x_t)| and
# |x_(t+1) - x_t|; sums over t.
DESCENT = ("f_now", "f_next", "grad_t", "eta_t", "alpha_t", "drift_norm", "travel")
SUMS = ("sum_eta_grad", "sum_eta_hat", "sum_eta2")
QUANTITIES = dict.fromkeys((*ERROR, *DESCENT, *SUMS), ("last",))
MEMORY = ("error_1", "decay", "inputs", "moved", "grad_before")


def begin(s: Any, gradient: Any, xp: Any) -> dict[str, Array]:
    """Before iteration 1: hat-eps_1 = m_1 - grad, beta_(2:1) = 1, empty sums, and grad(x_0) := grad(x_1)."""
    grad = gradient(s.x, xp=xp)
    zero = xp.zeros_like(grad)
    initial = {"error_1": s.m - grad, "decay": column(1.0, grad, xp)}
    return {**initial, "inputs": zero, "moved": zero, "grad_before": grad}


def later(t: Array, now: Array, xp: Any) -> Array:
    """``now`` from the second iteration on and zero at the first, since the sums of the paper start at k = 2."""
    return xp.where(t > 1.5, now, 0.0)


def of_x(new: Any, t: Array, c: Any, xp: Any) -> tuple[Array, Array]:
    """alpha_t (3) and eta_(x,t) (4) of Ada-Minimax and Ada-BiO."""
    a = c.alpha / xp.sqrt(c.alpha**2 + new.S_x)
    return a, c.eta_x * xp.sqrt(c.alpha / xp.sqrt(c.alpha**2 + new.S_x + new.S_y)) / xp.sqrt(t)


def observe(
    memory: dict,
    s: Any,
    new: Any,
    t: Array,
    steps: tuple[Array, Array],
    inputs: Array,
    objective: tuple,
    xp: Any,
) -> dict[str, Array]:
    """The quantities of iteration t, and the memory.

    steps: alpha_t and eta_t. inputs: the sum of what alpha_t multiplies. objective: f and grad f, or Phi and grad Phi.
    """
    (a, eta), (value, gradient) = steps, objective
    grad = gradient(s.x, xp=xp)
    beta = xp.where(t > 1.5, 1.0 - a, 1.0)  # beta_(2:1) is an empty product
    decay = beta * memory["decay"]
    noise = beta * memory["inputs"] + later(t, a * inputs, xp)
    drift = beta * (memory["moved"] + later(t, memory["grad_before"] - grad, xp))
    hat, recursion = new.m - grad, decay * memory["error_1"] + noise + drift
    hat_norm, grad_t = norm(hat, xp), norm(grad, xp)
    return {
        "hat": hat[..., 0:1],
        "unrolled": recursion[..., 0:1],
        "hat_norm": hat_norm,
        "hat_first": norm(memory["error_1"], xp),
        "f_now": value(s.x, xp=xp),
        "f_next": value(new.x, xp=xp),
        "grad_t": grad_t,
        "eta_t": eta,
        "alpha_t": a,
        "drift_norm": norm(gradient(new.x, xp=xp) - grad, xp),
        "travel": norm(new.x - s.x, xp),
        "sum_eta_grad": memory["sum_eta_grad"] + eta * grad_t,
        "sum_eta_hat": memory["sum_eta_hat"] + eta * hat_norm,
        "sum_eta2": memory["sum_eta2"] + eta**2,
        "error_1": memory["error_1"],
        "decay": decay,
        "inputs": noise,
        "moved": drift,
        "grad_before": grad,
    }

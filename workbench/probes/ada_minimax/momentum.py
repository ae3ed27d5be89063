"""Shared by the probes of the three algorithms: the unrolled momentum error and the sums of the descent lemma.

Not a probe by itself. A vector is recorded by its first coordinate (for identities) or its norm (for bounds).
"""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import column, norm

Array = Any

# Quantities of Lemmas 5.3, D.2, E.4 and B.4, D.3, E.5, whatever the algorithm.
ERROR = (
    "hat",
    "unrolled",
    "hat_norm",
    "hat_first",
)  # hat-eps_t: from m_t, from the sums; its norm; that of hat-eps_1
STEP = (
    "f_now",
    "f_next",
    "grad_t",
    "eta_t",
    "alpha_t",
)  # objective before and after, |grad|, step, momentum weight
MOTION = ("drift_norm", "travel")  # |grad(x_(t+1)) - grad(x_t)| and |x_(t+1) - x_t|
SUMS = ("sum_eta_grad", "sum_eta_hat", "sum_eta2")
QUANTITIES = dict.fromkeys((*ERROR, *STEP, *MOTION, *SUMS), ("last",))
MEMORY = ("error_1", "decay", "inputs", "moved", "grad_before")


def begin(g: Array, grad: Array, xp: Any) -> dict[str, Array]:
    """Before iteration 1: hat-eps_1 = g_1 - grad, beta_(2:1) = 1, empty sums, and grad(x_0) := grad(x_1)."""
    zero = xp.zeros_like(grad)
    return {
        "error_1": g - grad,
        "decay": column(1.0, grad, xp),
        "inputs": zero,
        "moved": zero,
        "grad_before": grad,
    }


def later(t: Array, now: Array, xp: Any) -> Array:
    """``now`` from the second iteration on and zero at the first, since the sums of the paper start at k = 2."""
    return xp.where(t > 1.5, now, 0.0)


def errors(held: dict, t: Array, a: Array, noise: Array, m: Array, grad: Array, xp: Any) -> dict[str, Array]:
    """hat-eps_t from m_t and from the unrolled sums; a = alpha_t, noise = the sum of what alpha_t multiplies."""
    beta = xp.where(t > 1.5, 1.0 - a, 1.0)  # beta_(2:1) is an empty product
    decay = beta * held["decay"]
    inputs = beta * held["inputs"] + later(t, a * noise, xp)
    moved = beta * (held["moved"] + later(t, held["grad_before"] - grad, xp))
    unrolled = decay * held["error_1"] + inputs + moved
    hat = m - grad
    return {
        "hat": hat[..., 0:1],
        "unrolled": unrolled[..., 0:1],
        "hat_norm": norm(hat, xp),
        "hat_first": norm(held["error_1"], xp),
        "alpha_t": a,
        "error_1": held["error_1"],
        "decay": decay,
        "inputs": inputs,
        "moved": moved,
        "grad_before": grad,
    }


def descent(held: dict, f: tuple, grads: tuple, step: Array, eta: Array, error: Array, xp: Any) -> dict:
    """f = (f(x_t), f(x_(t+1))), grads the same for the gradient, step = x_(t+1) - x_t, error = |hat-eps_t|."""
    size = norm(grads[0], xp)
    return {
        "f_now": f[0],
        "f_next": f[1],
        "grad_t": size,
        "eta_t": eta,
        "drift_norm": norm(grads[1] - grads[0], xp),
        "travel": norm(step, xp),
        "sum_eta_grad": held["sum_eta_grad"] + eta * size,
        "sum_eta_hat": held["sum_eta_hat"] + eta * error,
        "sum_eta2": held["sum_eta2"] + eta**2,
    }

"""Ada-Minimax on a saddle: the sums over t that the proof of Theorem 4.1 (= D.4) goes through.

The error m_t - grad Phi(x_t) is unrolled into four parts (Lemma D.2), whose norms are summed with weight eta_(x,t):
of the first error, of the noise, of the bias grad_x f(x_t, y_t) - grad Phi(x_t), and of the change of the gradient.
spread and lipschitz: the same weights in the bounds of the noise, the root of the sum of (beta alpha)^2, and of the
bias, the sum of beta alpha d_k.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, norm

from . import minimax, momentum

OWN = (
    "sum_grad",
    "sum_first",
    "sum_noise",
    "sum_spread",
    "sum_moved",
    "sum_lipschitz",
    "sum_gy2",
    "phi_start",
)
MEMORY = (*minimax.MEMORY, "spread", "lipschitz")
QUANTITIES = minimax.QUANTITIES | dict.fromkeys(OWN, ("last",))


def begin(s: Any, c: Any, instance: Any, draw: Any, xp: Any) -> dict:
    zero = column(0.0, s.x, xp)
    return {**minimax.begin(s, c, instance, draw, xp), "spread": zero, "lipschitz": zero}


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    quantities = minimax.observe(s, new, t, c, instance, draw, memory, xp)
    eta, a = quantities["eta_t"], quantities["alpha_t"]
    decay = 1.0 - a
    spread = decay**2 * memory["spread"] + momentum.later(t, a**2, xp)
    lipschitz = decay * memory["lipschitz"] + momentum.later(t, a * quantities["d_t"], xp)
    noise = quantities["inputs"] - quantities["bias_inputs"]
    return {
        **quantities,
        "sum_grad": memory["sum_grad"] + quantities["grad_t"],
        "sum_first": memory["sum_first"] + eta * norm(quantities["decay"] * quantities["error_1"], xp),
        "sum_noise": memory["sum_noise"] + eta * norm(noise, xp),
        "spread": spread,
        "sum_spread": memory["sum_spread"] + eta * xp.sqrt(spread),
        "lipschitz": lipschitz,
        "sum_lipschitz": memory["sum_lipschitz"] + eta * lipschitz,
        "sum_moved": memory["sum_moved"] + eta * norm(quantities["moved"], xp),
        "sum_gy2": new.S_y,
        "phi_start": xp.where(t < 1.5, quantities["f_now"], memory["phi_start"]),
    }

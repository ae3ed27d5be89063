"""Ada-Minimax on a saddle: the sums over t that the proof of Theorem 4.1 (= D.4) goes through.

The error m_t - grad Phi(x_t) is unrolled into four parts (Lemma D.2), whose norms are summed with weight eta_(x,t):
of the first error, of the noise, of the bias grad_x f(x_t, y_t) - grad Phi(x_t), and of the change of the gradient.
spread and lipschitz: the same weights in the bounds of the noise, the root of the sum of (beta alpha)^2, and of the
bias, the sum of beta alpha d_k.
"""

from __future__ import annotations

from typing import Any

from workbench.arrays.ops import column, norm

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


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, held: dict, xp: Any) -> dict:
    seen = minimax.observe(s, new, t, c, instance, draw, held, xp)
    eta, a = seen["eta_t"], seen["alpha_t"]
    kept = 1.0 - a
    spread = kept**2 * held["spread"] + momentum.later(t, a**2, xp)
    lipschitz = kept * held["lipschitz"] + momentum.later(t, a * seen["d_t"], xp)
    noise = seen["inputs"] - seen["bias_inputs"]
    return {
        **seen,
        "sum_grad": held["sum_grad"] + seen["grad_t"],
        "sum_first": held["sum_first"] + eta * norm(seen["decay"] * seen["error_1"], xp),
        "sum_noise": held["sum_noise"] + eta * norm(noise, xp),
        "spread": spread,
        "sum_spread": held["sum_spread"] + eta * xp.sqrt(spread),
        "lipschitz": lipschitz,
        "sum_lipschitz": held["sum_lipschitz"] + eta * lipschitz,
        "sum_moved": held["sum_moved"] + eta * norm(seen["moved"], xp),
        "sum_gy2": new.S_y,
        "phi_start": xp.where(t < 1.5, seen["f_now"], held["phi_start"]),
    }

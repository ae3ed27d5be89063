"""Processes drawn directly: the martingales of Lemmas A.1, A.2, 5.4, and the weights of Lemma 5.5.

alpha_t depends on the noise alone, so Ada-NSGDM's weights need no objective: noise of norm sigma = 1 on the line,
alpha = eta = 1. Every result is (runs, M) for M checkpoints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench import Sampler
from workbench.instances import Draws

from ..theory.along_runs import DELTA
from ..theory.paper import PAPER
from ..theory.theorem_5_6 import THEOREM

Array = np.ndarray


def constants(horizon: int, low: float, high: float) -> dict[str, float]:
    """t_0, K, H, w, ... of the repaired Theorem 5.6 at L = eta = alpha = 1."""
    ones = {"L": 1.0, "Delta_1": 1.0, "eta": 1.0, "alpha": 1.0, "delta": float(DELTA), "T": float(horizon)}
    return THEOREM.constants("repaired", **ones, sigma_low=low, sigma_bar=high)


def bounds(low: Any, bar: Any, t_0: Any, t: Any, alpha: float = 1.0) -> tuple[Array, Array]:
    """The lower and the upper bound of alpha_t in Lemma 5.5; the upper one is 1 before t_0."""
    upper = np.where(t < t_0, 1.0, alpha / np.sqrt(alpha**2 + low**2 * t))
    return alpha / np.sqrt(alpha**2 + 4.0 * bar**2 * t), upper


def columns(values: Sequence[dict[str, Array]], t: Sequence[int]) -> dict[str, Array]:
    """One dictionary of (runs, 1) arrays per checkpoint, side by side."""
    return {n: np.concatenate([v[n] for v in values], axis=1) for n in values[0]} | {"t": np.array(t)}


# ------------------------------------------------------------------------------------------------ Lemmas A.1, A.2


def bernstein(draws: Draws, runs: int) -> dict[str, Array]:
    """X_t = R_t times a sign, R_t = 1/(1 + |sum before t|/10) predictable: total |sum X|, squares sum X^2, shifted
    sum (X_t - X_(t-1))^2.
    """
    total, squares, differences, before = (np.zeros((runs, 1)) for _ in range(4))
    rows: list[dict[str, Array]] = []
    for t in range(1, 401):
        x = draws.at(t)(0).sign(1) / (1.0 + np.abs(total) / 10.0)
        total, squares, differences, before = total + x, squares + x**2, differences + (x - before) ** 2, x
        rows.append({"total": np.abs(total), "squares": squares, "shifted": differences})
    return columns(rows, range(1, 401))


def fixed_sizes(draws: Draws, runs: int) -> dict[str, Array]:
    """Vectors in the plane of length R_s = s^(-1/4): total |sum X|, squares sum R^2 (at the end)."""
    total, squares = np.zeros((runs, 2)), 0.0
    for t in range(1, 201):
        size = t**-0.25
        total, squares = total + size * draws.at(t)(0).sphere(2), squares + size**2
    norm = np.sqrt((total**2).sum(axis=1, keepdims=True))
    return {"total": norm, "squares": np.full((runs, 1), squares)}


EPOCH, EPOCHS, CHUNK = 13, 16_000, 1000


def growing_epochs(draws: Draws, runs: int) -> dict[str, Array]:
    """E3: epochs of 13 signs of one size, a thousand times larger in the next one; size 0 after 13 equal signs.

    In units of the current size, which leaves total/sqrt(squares) as it is; one uniform number holds the 13 signs.
    """
    plus = np.array([bin(word).count("1") for word in range(2**EPOCH)])
    total, squares, at_end = np.zeros((runs, 1)), np.zeros((runs, 1)), np.zeros((runs, 1), dtype=bool)
    for chunk in range(EPOCHS // CHUNK):
        words = np.floor(draws.at(chunk + 1)(0).uniform(CHUNK) * 2**EPOCH).astype(int)
        signs = 2.0 * plus[words] - EPOCH
        for j in range(CHUNK):
            now = signs[:, j : j + 1]
            total = np.where(at_end, total, total / 1000.0 + now)
            squares = np.where(at_end, squares, squares / 1e6 + EPOCH)
            at_end |= np.abs(now) == EPOCH
    return {"total": np.abs(total), "squares": squares}


# ------------------------------------------------------------------------------------------------ Lemmas F.5, 5.4 (E1)


def adapted_weights(draws: Draws, runs: int) -> dict[str, Array]:
    """E1: alpha_k = a where eps_k > 0 and a/2 where not, between bounds that are not random."""
    horizon, a = 50_000, 1.5e-4
    eps = np.concatenate([draws.at(c + 1)(0).sign(1000) for c in range(horizon // 1000)], axis=1)
    total = np.zeros(runs)
    for k in range(1, horizon):
        alpha = np.where(eps[:, k] > 0, a, a / 2)
        total = (1 - alpha) * total + alpha * eps[:, k]
    shrink = (1 - a / 2) ** 2
    spread = a**2 * (1 - shrink ** (horizon - 1)) / (1 - shrink)
    return _at_end(runs, total=np.abs(total)[:, None], spread=spread, horizon=horizon)


def sign_rule(draws: Draws, runs: int) -> dict[str, Array]:
    """Value of the linear program at t = T = 5000 for alpha = sigma/10, with the bounds of Lemma 5.5.

    Pairs of equal signs get both upper bounds, the others both lower ones; the sums over pairs come from squares.
    """
    horizon, alpha = 5000, 0.1
    t_0 = constants(horizon, 1.0, 1.0)["t_0"]
    lower, upper = bounds(1.0, 1.0, t_0, np.arange(2, horizon + 1), alpha)
    high, low = upper * _after(1.0 - lower), lower * _after(1.0 - upper)
    eps = np.concatenate([draws.at(c + 1)(0).sign(1000) for c in range(5)], axis=1)[:, : horizon - 1]
    up, down = eps > 0, eps < 0
    same = sum(((high * side).sum(axis=1) ** 2 - (high**2 * side).sum(axis=1)) / 2 for side in (up, down))
    opposite = (low * up).sum(axis=1) * (low * down).sum(axis=1)
    return _at_end(runs, optimum=(same - opposite)[:, None], spread=(high**2).sum(), horizon=horizon)


def _after(beta: Array) -> Array:
    """beta_((k+1):T) for every k."""
    return np.append(np.cumprod(beta[::-1])[::-1][1:], 1.0)


def _at_end(runs: int, **values: Any) -> dict[str, Array]:
    return {name: np.broadcast_to(np.asarray(v, float), (runs, 1)) for name, v in values.items()}


SAMPLERS = (
    Sampler(PAPER.entry("smp-bernstein"), "Martingale with sizes that depend on its past", bernstein),
    Sampler(PAPER.entry("smp-fixed-sizes"), "Martingale in the plane with fixed sizes", fixed_sizes),
    Sampler(
        PAPER.entry("smp-growing-epochs"), "Martingale of growing epochs, stopped (E3)", growing_epochs, 600
    ),
    Sampler(
        PAPER.entry("smp-adapted-weights"),
        "Momentum weights that depend on the current noise (E1)",
        adapted_weights,
        100,
    ),
    Sampler(PAPER.entry("smp-sign-rule"), "Linear program of Lemma F.5 on random signs", sign_rule, 200),
)

"""Sums of growing multipliers with geometric weights, at random parameters: Eq. (23), C_S and `own-spread`."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import Sampler
from workbench.instances import Draws

from ..theory.paper import PAPER
from ..theory.symbols import C_S, A_y
from ..theory.theorem_3_2 import PRINTED, REPAIRED

LAST = 3000
KEPT = np.unique(np.geomspace(2, LAST, 30).astype(int))


def parameters(draws: Draws) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """tau in (0, 1/2), kappa_g in (1, 20), lambda_1 in (1, 5), each (runs, 1)."""
    unit = draws.at(0)(0)
    return 0.01 + 0.48 * unit.uniform(1), 1.0 + 19.0 * unit.uniform(1, 1), 1.0 + 4.0 * unit.uniform(1, 2)


def weights(draws: Draws, runs: int) -> dict[str, Any]:
    """Sum of lambda_t^2 rho^(t-1), and the spread of a spike at m = 2, up to each kept t."""
    tau, kappa, lam_1 = parameters(draws)
    rho, t = 1.0 - 1.0 / (8.0 * kappa), np.arange(1.0, LAST + 1.0)
    sums = np.cumsum(lam_1**2 * t ** (2 * tau) * rho ** (t - 1.0), axis=1)
    spike = np.cumsum((t[1:] / 2.0) ** (2 * tau) * rho ** (t[1:] - 2.0), axis=1)
    return {
        "t": KEPT,
        "lam_1": lam_1,
        "rho": rho,
        "tau": tau,
        "sum_weights": sums[:, KEPT - 1],
        "spread": spike[:, KEPT - 2],
        "spread_bound": (1.0 - rho) ** (-1.0 - 2 * tau),
        "spread_printed": 1.0 / (1.0 - rho),
    }


def jumps(draws: Draws, runs: int) -> dict[str, Any]:
    """S(T) of L817 and C_S of both forms, at each kept T."""
    from sympy import lambdify

    tau, kappa, _ = parameters(draws)
    rho_y = 1.0 - 1.0 / (8.0 * kappa)
    total, inner, sums = np.zeros_like(tau), np.zeros_like(tau), []
    for t in range(2, LAST + 1):
        jump = (t**tau - (t - 1.0) ** tau) ** 2 / (t * (t - 1.0)) ** (2 * tau)
        inner = rho_y * inner + jump
        total = total + t ** (2 * tau) * inner
        if t in KEPT:
            sums.append(total)
    columns: dict[str, Any] = {"t": KEPT, "S_T": np.concatenate(sums, axis=1)}
    values = {"tau": tau, "rho_y": rho_y, "T": KEPT[None, :].astype(float)}
    for form in (PRINTED, REPAIRED):
        chain = dict(form.definitions)
        bound = chain[C_S].subs(A_y, chain.get(A_y, A_y))
        names = sorted(bound.free_symbols, key=str)
        value = lambdify(names, bound, modules="numpy")(*(values[n.name] for n in names))
        columns[f"C_S_{form.name}"] = value + 0.0 * columns["S_T"]
    return columns


SAMPLERS = (
    Sampler(
        PAPER.entry("smp-weights"), "Sums of lambda_t^2 rho^t for random tau, rho, lambda_1", weights, 500
    ),
    Sampler(PAPER.entry("smp-jumps"), "S(T) and C_S for random tau, kappa_g", jumps, 500),
)

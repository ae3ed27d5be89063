"""One step of RC-STORM and of d at fixed points, over the sampled task, its noise and the index j: Lemmas 10, 11, 12.

Each checkpoint is a setting of its own: points e_(t-1) and e_t, estimators of every task before the step, and beta. All
runs share it, so that means over runs are the expectations of the lemmas. The second moments in C(p) are those at e_t,
the least for which Lemma 12 is true. Little of f depends on y, or else C'_2, C'_3 and C'_4 are large. The step is
written out here from the oracles, and uses no algorithm.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.arrays.random import Draws
from workbench.instances.rsvrb.tasks import QuadraticTasks, heterogeneous
from workbench.probes import Sampler

Array = np.ndarray
M, MIX = 4, 0.5  # tasks of sizes i^(-1), p = MIX/m + (1 - MIX) q
SETTINGS = 8
BETA = np.geomspace(0.02, 0.9, SETTINGS)
NAMES = ("fx", "fy", "gy", "gxy", "gyy")


def _lam(problem: QuadraticTasks) -> float:
    return 0.5 * float(problem.h.min())


def _exact(problem: QuadraticTasks, x: float, y: Array) -> tuple[Array, Array]:
    """(5, m): the functions at x and the y_i, and their second moments."""
    means, moments = [], []
    for i in range(M):
        one, at = problem.task(i), (np.array([[x]]), y[i].reshape(1, 1))
        first = np.hstack([*one.grad_f(*at, np), one.grad_g(*at, np)])[0]
        mean = np.array([*first, -one.h * one.a, one.h])
        noise = (one.s_H * y[i]) ** 2 + (one.s_V * x) ** 2 + one.s_w**2
        spread = [(one.s * one.s_u) ** 2, (one.s * one.s_v) ** 2, noise, one.s_V**2, one.s_H**2]
        means.append(mean)
        moments.append(mean**2 + spread)
    return np.array(means).T, np.array(moments).T


def _inside(name: str, value: Array, radii: dict[str, Array], lam: float) -> Array:
    """The projections of lines 4-8 of Algorithm 2, in one dimension."""
    if name == "gyy":
        return np.maximum(value, lam)
    return value if name == "gy" else np.clip(value, -radii[name], radii[name])


def _z(u: Array, v: Array, V: Array, H: Array) -> Array:
    return u - V * v / H


def blocks(draws: Draws, runs: int) -> dict[str, Any]:
    """Both sides of the lemmas at each setting, (runs, SETTINGS)."""
    problem = replace(QuadraticTasks(**dict[str, Any](heterogeneous(M, 1.0))), B=0.05, s_v=0.02, s_V=0.05)
    q, _ = problem.sampling(np)
    p, lam = ((1.0 - MIX) / M + MIX * q)[0], _lam(problem)
    constants = problem.of_tasks(1)
    L = {n: np.array([one[f"L_{n}"] for one in constants]) for n in NAMES}
    C = {n: np.array([one[f"C_{n}"] for one in constants]) for n in NAMES}
    largest = {
        "C_0": np.max(
            2 * L["fx"] ** 2
            + 6 * C["fy"] ** 2 * L["gxy"] ** 2 / lam**2
            + 6 * C["fy"] ** 2 * C["gxy"] ** 2 * L["gyy"] ** 2 / lam**4
            + 6 * L["fy"] ** 2 * C["gxy"] ** 2 / lam**2
        ),
        "C_1": 2.0,
        "C_2": np.max(6 * C["fy"] ** 2 / lam**2),
        "C_3": np.max(6 * C["fy"] ** 2 * C["gxy"] ** 2 / lam**4),
        "C_4": np.max(6 * C["gxy"] ** 2 / lam**2),
    }
    found: dict[str, list[Array]] = {}
    for k, beta in enumerate(BETA):
        draw = draws.at(k + 1)
        x, x_old = 0.7 + 0.05 * k, 0.7
        y, y_old = (problem.y_star(np.array([[a]]), np)[0, :, 0] + 0.01 for a in (x, x_old))
        step_sq = (x - x_old) ** 2 + float(np.sum((y - y_old) ** 2))
        exact, moments = _exact(problem, x, y)
        exact_old, _ = _exact(problem, x_old, y_old)
        offset = 0.2 * np.cos(np.arange(5 * M)).reshape(5, M)  # errors of the estimators before the step
        before = {n: _inside(n, exact_old[r] + offset[r], C, lam) for r, n in enumerate(NAMES)}
        chosen = np.minimum(np.sum(draw(0).uniform(1) > np.cumsum(p), axis=1), M - 1)
        i = chosen[:, None]
        at, at_old = ((i, np.full((runs, 1), a), b[chosen][:, None]) for a, b in ((x, y), (x_old, y_old)))
        xi, zeta = draw(1), draw(2)
        new = np.hstack([*problem.upper(*at, xi, 0, np), *problem.lower(*at, zeta, 0, np)])
        old = np.hstack([*problem.upper(*at_old, xi, 0, np), *problem.lower(*at_old, zeta, 0, np)])
        after: dict[str, Array] = {}
        one = {}
        for r, n in enumerate(NAMES):
            stack = np.tile((1.0 - beta) * before[n], (runs, 1))
            stack[np.arange(runs), chosen] += (new[:, r] - (1.0 - beta) * old[:, r]) / p[chosen]
            after[n] = np.stack(
                [_inside(n, stack[:, j], {m: c[j] for m, c in C.items()}, lam) for j in range(M)], 1
            )
            delta = float(np.sum((before[n] - exact_old[r]) ** 2))
            C_p, L_p = float(np.sum(moments[r] / p)), float(np.sum(L[n] ** 2 / p))
            one[f"next_{n}"] = np.sum((after[n] - exact[r]) ** 2, axis=1)
            one[f"jump_{n}"] = np.sum((after[n] - before[n]) ** 2, axis=1)
            one[f"rhs_error_{n}"] = (
                (1 - beta) * delta + 2 * beta**2 * C_p + 2 * L_p * step_sq + np.zeros(runs)
            )
            mixed = L_p + beta**2 * float(np.sum(L[n] ** 2))
            one[f"rhs_change_{n}"] = (
                4 * beta**2 * delta + 2 * beta**2 * C_p + 4 * mixed * step_sq + np.zeros(runs)
            )
        z_before = _z(*(before[n] for n in ("fx", "fy", "gxy", "gyy")))
        z = _z(*(after[n] for n in ("fx", "fy", "gxy", "gyy")))
        j = np.minimum((M * draw(3).uniform(1)[:, 0]).astype(int), M - 1)
        d_before = z_before.mean() + 0.3
        d = (1 - beta) * (d_before - z_before[j]) + z[np.arange(runs), j]
        delta_d = (d - z.mean(axis=1)) ** 2
        changes = {n: np.mean((after[n] - before[n]) ** 2, axis=1) for n in NAMES}
        factors = {"fx": 8.0, "gxy": 4 * largest["C_2"], "gyy": 4 * largest["C_3"], "fy": 4 * largest["C_4"]}
        one["next_d"] = delta_d
        one["rhs_11"] = (
            (1 - beta) * (d_before - z_before.mean()) ** 2
            + 2 * beta**2 * z.var(axis=1)
            + sum(factors[n] * changes[n] for n in factors)
        )
        error = {n: np.mean((after[n] - exact[r]) ** 2, axis=1) for r, n in enumerate(NAMES)}
        lag = float(np.mean((y - problem.y_star(np.array([[x]]), np)[0, :, 0]) ** 2))
        slope = float(problem.grad_F(np.array([[x]]), np)[0, 0])
        one["error_d"] = (d - slope) ** 2
        parts = {"C_1": error["fx"], "C_2": error["gxy"], "C_3": error["gyy"], "C_4": error["fy"]}
        one["rhs_10"] = (
            2 * delta_d + 4 * largest["C_0"] * lag + 4 * sum(largest[n] * e for n, e in parts.items())
        )
        for name, value in one.items():
            found.setdefault(name, []).append(value)
    return {name: np.stack(values, axis=1) for name, values in found.items()}


SAMPLERS = (Sampler("rsvrb/smp-blocks", "One step of the blocks of four tasks, and of d", blocks, 2000),)

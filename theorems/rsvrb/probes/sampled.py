"""One step of RC-STORM and of d at fixed points, over the sampled task, its noise and the index j: Lemmas 10, 11, 12.

Four quadratic tasks in one dimension, written out here; the step uses no algorithm either. Each checkpoint is a setting
of its own: points e_(t-1) and e_t, estimators of every task before the step, and beta. All runs share it, so that means
over runs are the expectations of the lemmas. The second moments in C(p) are those at e_t, the least for which Lemma 12
is true. Little of f depends on y, or else C'_2, C'_3 and C'_4 are large.

    f_i = s (A (x - c)^2 + B (y - e)^2)/2 + s (s_u xi_1 x + s_v xi_2 y)
    g_i = h (y - a x)^2/2 + s_H zeta_1 y^2/2 - s_V zeta_2 x y - s_w zeta_3 y
"""

from __future__ import annotations

import numpy as np

from workbench import Sampler
from workbench.instances import Draws

from ..theory.paper import PAPER

Array = np.ndarray
NAMES = ("fx", "fy", "gy", "gxy", "gyy")
h, a = np.array([1.3, 0.7, 0.7, 1.3]), np.array([0.8, 0.8, 0.4, 0.4])  # of the tasks, as s, c, e
s, c, e = np.array([1.9, 1.0, 0.6, 0.5]), np.array([0.6, 0.1, 0.4, 0.9]), np.array([-0.8, -1.0, -0.6, -0.4])
A, B = 1.0, 0.05
s_u, s_v, s_w, s_V, s_H = 0.5, 0.02, 0.3, 0.05, 0.3
M, LAM = 4, 0.35
p = 0.5 / M + 0.5 * s / s.sum()
BETA = np.geomspace(0.02, 0.9, 8)

L = {
    "fx": s * A,
    "fy": s * B,
    "gy": np.hypot(h * a + s_V, h + s_H),
    "gxy": np.zeros(M),
    "gyy": np.zeros(M),
}


def _means(x: float, y: Array) -> dict[str, Array]:
    """The five functions of every task at x and the y_i, (m,)."""
    one = np.ones(M)
    return {
        "fx": s * A * (x - c),
        "fy": s * B * (y - e),
        "gy": h * (y - a * x),
        "gxy": -h * a * one,
        "gyy": h * one,
    }


def _noise(x: float, y: Array, signs: Array) -> dict[str, Array]:
    """What the signs (runs, 5) add to each function of every task, (runs, m)."""
    u, v, H, V, w = (signs[:, k : k + 1] for k in range(5))
    return {
        "fx": u * s * s_u,
        "fy": v * s * s_v,
        "gy": H * s_H * y - V * s_V * x - w * s_w,
        "gxy": -V * s_V * np.ones(M),
        "gyy": H * s_H * np.ones(M),
    }


def _variances(x: float, y: Array) -> dict[str, Array]:
    """Of the five functions of every task, (m,)."""
    lower = (s_H * y) ** 2 + (s_V * x) ** 2 + s_w**2
    one = np.ones(M)
    return {"fx": (s * s_u) ** 2, "fy": (s * s_v) ** 2, "gy": lower, "gxy": s_V**2 * one, "gyy": s_H**2 * one}


def _gradient(x: float) -> float:
    """F'(x)."""
    return float(np.mean(s * (A * (x - c) + a * B * (a * x - e))))


def _inside(name: str, value: Array, C: dict[str, Array]) -> Array:
    """The projections of lines 4-8 of Algorithm 2."""
    if name == "gyy":
        return np.maximum(value, LAM)
    return value if name == "gy" else np.clip(value, -C[name], C[name])


def _z(blocks: dict[str, Array]) -> Array:
    return blocks["fx"] - blocks["gxy"] * blocks["fy"] / blocks["gyy"]


def _setting(k: int, beta: float, draws: Draws, runs: int) -> dict[str, Array]:
    """Both sides of the lemmas at setting k, (runs,) or a number each."""
    draw = draws.at(k + 1)
    x_old, x = 0.7, 0.7 + 0.05 * k
    y_old, y = a * x_old + 0.01, a * x + 0.01
    step_sq = (x - x_old) ** 2 + float(np.sum((y - y_old) ** 2))
    exact, exact_old, variance = _means(x, y), _means(x_old, y_old), _variances(x, y)
    moments = {n: exact[n] ** 2 + variance[n] for n in NAMES}
    moments_old = {n: exact_old[n] ** 2 + v for n, v in _variances(x_old, y_old).items()}
    C = {n: np.sqrt(np.maximum(moments[n], moments_old[n])) for n in NAMES}
    offset = dict(zip(NAMES, 0.2 * np.cos(np.arange(5 * M)).reshape(5, M), strict=True))
    before = {n: _inside(n, exact_old[n] + offset[n], C) for n in NAMES}

    task = np.minimum(np.sum(draw(0).uniform(1) > np.cumsum(p), axis=1), M - 1)
    is_task = np.arange(M) == task[:, None]
    signs = np.hstack([draw(1).sign(1, part) for part in range(5)])
    noise, noise_old = _noise(x, y, signs), _noise(x_old, y_old, signs)
    after, errors_found = {}, {}
    for n in NAMES:
        new, old = exact[n] + noise[n], exact_old[n] + noise_old[n]
        after[n] = _inside(n, (1 - beta) * (before[n] - is_task * old / p) + is_task * new / p, C)
        delta = np.sum((before[n] - exact_old[n]) ** 2)
        C_p, L_p, L_sum = np.sum(moments[n] / p), np.sum(L[n] ** 2 / p), np.sum(L[n] ** 2)
        errors_found[f"next_{n}"] = np.sum((after[n] - exact[n]) ** 2, axis=1)
        errors_found[f"jump_{n}"] = np.sum((after[n] - before[n]) ** 2, axis=1)
        errors_found[f"rhs_error_{n}"] = (1 - beta) * delta + 2 * beta**2 * C_p + 2 * L_p * step_sq
        change = 4 * beta**2 * delta + 2 * beta**2 * C_p + 4 * (L_p + beta**2 * L_sum) * step_sq
        errors_found[f"rhs_change_{n}"] = change

    C_0 = np.max(2 * L["fx"] ** 2 + 6 * (L["fy"] * C["gxy"] / LAM) ** 2)  # L_gxy = L_gyy = 0
    of_V, of_H, of_v = (
        6 * np.max(r**2) for r in (C["fy"] / LAM, C["fy"] * C["gxy"] / LAM**2, C["gxy"] / LAM)
    )
    factors = {"fx": 2.0, "gxy": of_V, "gyy": of_H, "fy": of_v}  # C_1, C_2, C_3, C_4; C'_k = 4 C_k
    z_old, z = _z(before), _z(after)
    j = np.minimum((M * draw(2).uniform(1)[:, 0]).astype(int), M - 1)
    d_old = z_old.mean() + 0.3
    d = (1 - beta) * (d_old - z_old[j]) + z[np.arange(runs), j]
    errors_found["next_d"] = (d - z.mean(axis=1)) ** 2
    changes = sum(4 * C_k * np.mean((after[n] - before[n]) ** 2, axis=1) for n, C_k in factors.items())
    errors_found["rhs_11"] = (1 - beta) * (d_old - z_old.mean()) ** 2 + 2 * beta**2 * z.var(axis=1) + changes
    errors_found["error_d"] = (d - _gradient(x)) ** 2
    errors = sum(4 * C_k * np.mean((after[n] - exact[n]) ** 2, axis=1) for n, C_k in factors.items())
    errors_found["rhs_10"] = 2 * errors_found["next_d"] + 4 * C_0 * np.mean((y - a * x) ** 2) + errors
    return {n: np.zeros(runs) + v for n, v in errors_found.items()}


def blocks(draws: Draws, runs: int) -> dict[str, Array]:
    """Both sides of the lemmas at each setting, (runs, settings)."""
    settings = [_setting(k, beta, draws, runs) for k, beta in enumerate(BETA)]
    return {n: np.stack([one[n] for one in settings], axis=1) for n in settings[0]}


SAMPLERS = (
    Sampler(PAPER.entry("smp-blocks"), "One step of the blocks of four tasks, and of d", blocks, 2000),
)

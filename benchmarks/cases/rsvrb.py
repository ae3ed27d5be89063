"""RSVRB on m = 32 and m = 256 quadratic tasks, d = 2: one task is sampled, another one enters the direction.

The workbench delays what the method does to all other tasks; the JAX user writes the listing, in which every iteration
updates all of them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from workbench.theorems.rsvrb.methods import rsvrb
from workbench.theorems.rsvrb.problems.tasks import QuadraticTasks, heterogeneous

from benchmarks.case import Case, beginnings
from workbench.engine.records import Problem

D, GAMMA, TAU, OFFSET, LAM = 2, 1.0, 1.0, 10.0, 0.3


def steps(m: int) -> Any:
    """eta_t = m^(-2/3) (10 m + t)^(-1/3) and all beta_t = m eta_(t-1)^2: tasks are refreshed as fast for every m."""
    b = float(m)
    return rsvrb.Steps(GAMMA, TAU, m ** (-2 / 3), b, b, b, b, b, b, lam=LAM, c_0=OFFSET * m, a=1 / 3)


def instance(m: int) -> QuadraticTasks:
    return QuadraticTasks(**heterogeneous(m))


def make(runs: int, m: int) -> Problem:
    x = beginnings(runs).uniform(0.8, 1.2, (runs, D))
    return Problem(rsvrb, instance(m), steps(m), {"x": x, "y": 0.6 * x})


def jax_simulate(key: Any, start: Any, horizon: int, m: int) -> Any:
    """The listing, all tasks in every iteration, and what the instance records: two means and a maximum."""
    import jax
    import jax.numpy as jnp

    task, c = instance(m), steps(m)
    h, a, s, at_x, at_y = (jnp.asarray(getattr(task, n)[0])[:, None] for n in "hasce")
    C_fx, C_fy, C_gxy, R = (jnp.asarray(r[0]) for r in task.radii(np.zeros((1, D)), np))
    curvature = float(task._curvature(np)[0, 0])
    at_zero = jnp.mean(s * (task.A * at_x + a * task.B * at_y))
    runs = start["x"].shape[0]
    rows = jnp.arange(runs)

    def upper(k: Any, x: Any, y: Any, n: Any) -> Any:
        fx = s[k] * (task.A * (x - at_x[k]) + task.s_u * n[0])
        return fx, s[k] * (task.B * (y - at_y[k]) + task.s_v * n[1])

    def lower(k: Any, x: Any, y: Any, n: Any) -> Any:
        H, V, w = task.s_H * n[2], task.s_V * n[3], task.s_w * n[4]
        return h[k] * (y - a[k] * x) + H * y - V * x - w, -h[k] * a[k] - V, h[k] + H

    def ball(v: Any, radius: Any) -> Any:
        return v / jnp.maximum(jnp.linalg.norm(v, axis=-1, keepdims=True) / radius, 1.0)

    def minus(u: Any, v: Any, V: Any, H: Any) -> Any:
        return u - V * v / H

    def sample(k: Any, x: Any, y: Any, n: Any) -> dict[str, Any]:
        gy, gxy, gyy = lower(k, x, y, n)
        fx, fy = upper(k, x, y, n)
        return {"u": fx, "v": fy, "V": gxy, "H": gyy, "w": gy}

    def projected(name: str, value: Any, k: Any) -> Any:
        if name in "uv":
            return ball(value, (C_fx if name == "u" else C_fy)[k])
        if name == "V":
            return jnp.clip(value, -C_gxy[k], C_gxy[k])
        return jnp.maximum(value, LAM) if name == "H" else value

    def iteration(carry: Any, inputs: Any) -> Any:
        x, x_old, y, y_old, d, h_, sums = carry
        t, k = inputs
        eta = c.c / (c.c_0 + t) ** c.a
        keep = 1.0 - c.b_fx * (c.c / (c.c_0 + jnp.maximum(t - 1.0, 0.0)) ** c.a) ** 2
        gradient = curvature * x - at_zero
        size = jnp.sum(gradient**2, axis=-1)
        sums = (
            sums[0] + size,
            sums[1] + size / (2.0 * curvature),
            jnp.maximum(sums[2], jnp.linalg.norm(x, axis=-1)),
        )
        k_i, k_j, k_n = jax.random.split(k, 3)
        i, j = jax.random.randint(k_i, (runs,), 0, m), jax.random.randint(k_j, (runs,), 0, m)
        n = jax.random.rademacher(k_n, (5, runs, D), dtype=x.dtype)
        now, old = sample(i, x, y[rows, i], n), sample(i, x_old, y_old[rows, i], n)

        def read(stack: Any, q: Any) -> dict[str, Any]:
            return {name: v[rows, q] for name, v in stack.items()}

        before, z_blocks = read(h_, i), read(h_, j)
        one = {name: projected(name, keep * (before[name] - m * old[name]) + m * now[name], i) for name in h_}
        new = {name: (keep * v).at[rows, i].set(one[name]) for name, v in h_.items()}
        new["H"] = jnp.maximum(new["H"], LAM)
        after = read(new, j)
        parts = ("u", "v", "V", "H")
        d = (1.0 - c.b_d / c.b_fx * (1.0 - keep)) * (d - minus(*(z_blocks[p] for p in parts)))
        d = d + minus(*(after[p] for p in parts))
        x_new = x - eta * GAMMA * d
        y, y_old = (1.0 - eta) * y + eta * ball(y - TAU * new["w"], R), y
        return (x_new, x, y, y_old, d, new, sums), None

    first, key = jax.random.split(key)
    every = jnp.arange(m)
    x = start["x"]
    y = jnp.broadcast_to(start["y"][:, None, :], (runs, m, D))
    noise = jax.random.rademacher(first, (5, runs, m, D), dtype=x.dtype)
    h_ = sample(every, x[:, None, :], y, noise)
    d = jnp.mean(minus(h_["u"], h_["v"], h_["V"], h_["H"]), axis=1)
    zero = jnp.zeros(runs)
    carry = (x, x, y, y, d, h_, (zero, zero, zero))
    carry, _ = jax.lax.scan(iteration, carry, (jnp.arange(0.0, horizon), jax.random.split(key, horizon)))
    grad_sq, gap, far = carry[-1]
    return {"grad_sq_mean": grad_sq / horizon, "gap_mean": gap / horizon, "outside_x_max": far / task.R_x}


CASES = tuple(
    Case(
        key=f"rsvrb_{m}",
        title=f"RSVRB, {m} tasks, d = {D}",
        make=partial(make, m=m),
        jax_simulate=partial(jax_simulate, m=m),
        metric="grad_sq_mean",
        noisy=True,
        goal=5.0,
        least=1024,  # starting the estimators of all tasks costs as much as a hundred iterations
    )
    for m in (32, 256)
)

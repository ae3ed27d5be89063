"""RSVRB on m = 32 and m = 256 quadratic tasks, d = 2: one task is sampled, another one enters the direction.

The workbench delays what the method does to all other tasks; the JAX user writes the listing, in which every iteration
updates all of them (`jax_delayed` is the delayed form in JAX, for `benchmarks/rsvrb/tasks.py`).
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


def steps(m: int) -> rsvrb.Steps:
    """eta_t = m^(-2/3) (10 m + t)^(-1/3) and all beta_t = m eta_(t-1)^2: tasks are refreshed as fast for every m."""
    b = float(m)
    return rsvrb.Steps(GAMMA, TAU, m ** (-2 / 3), b, b, b, b, b, b, lam=LAM, c_0=OFFSET * m, a=1 / 3)


def instance(m: int) -> QuadraticTasks:
    return QuadraticTasks(**heterogeneous(m))


def make(runs: int, m: int, algorithm: Any = rsvrb) -> Problem:
    x = beginnings(runs).uniform(0.8, 1.2, (runs, D))
    return Problem(algorithm, instance(m), steps(m), {"x": x, "y": 0.6 * x})


def jax_simulate(key: Any, start: Any, horizon: int, m: int) -> Any:
    """The listing, all tasks in every iteration, and what the instance records: two means and a maximum."""
    return _jax(key, start, horizon, m, delayed=False)


def jax_delayed(key: Any, start: Any, horizon: int, m: int) -> Any:
    """Unsampled blocks divided by the product of 1 - beta, as in the workbench, without any check of a projection.

    Valid only while no projection onto a Y_i is active and no product becomes small.
    """
    return _jax(key, start, horizon, m, delayed=True)


def _jax(key: Any, start: Any, horizon: int, m: int, delayed: bool) -> Any:
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
        x, x_old, y, y_old, d, h_, scale, sums = carry
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
        shrink, way, way_old, passed = scale
        if delayed:
            w = h_["w"][rows, i]
            here = y[rows, i] - (way - passed[rows, i]) * w
            older = passed[rows, i] > way_old
            there = jnp.where(older, y_old[rows, i], y[rows, i] - (way_old - passed[rows, i]) * w)
        else:
            here, there = y[rows, i], y_old[rows, i]
        now, old = sample(i, x, here, n), sample(i, x_old, there, n)
        next_shrink = shrink * keep

        def read(stack: Any, q: Any, factor: Any) -> dict[str, Any]:
            found = {name: v[rows, q] * (factor if delayed else 1.0) for name, v in stack.items()}
            return {**found, "H": jnp.maximum(found["H"], LAM)} if delayed else found

        before, z_blocks = read(h_, i, shrink), read(h_, j, shrink)
        one = {name: projected(name, keep * (before[name] - m * old[name]) + m * now[name], i) for name in h_}
        if delayed:
            new = {name: v.at[rows, i].set(one[name] / next_shrink) for name, v in h_.items()}
        else:
            new = {name: (keep * v).at[rows, i].set(one[name]) for name, v in h_.items()}
            new["H"] = jnp.maximum(new["H"], LAM)
        after = read(new, j, next_shrink)
        parts = ("u", "v", "V", "H")
        d = (1.0 - c.b_d / c.b_fx * (1.0 - keep)) * (d - minus(*(z_blocks[p] for p in parts)))
        d = d + minus(*(after[p] for p in parts))
        x_new = x - eta * GAMMA * d
        if delayed:
            way_new = way + eta * TAU * next_shrink
            y_new = (1.0 - eta) * here + eta * ball(here - TAU * one["w"], R[i])
            scale = (next_shrink, way_new, way, passed.at[rows, i].set(way_new))
            y, y_old = y.at[rows, i].set(y_new), y_old.at[rows, i].set(here)
        else:
            y, y_old = (1.0 - eta) * y + eta * ball(y - TAU * new["w"], R), y
        return (x_new, x, y, y_old, d, new, scale, sums), None

    first, key = jax.random.split(key)
    every = jnp.arange(m)
    x = start["x"]
    y = jnp.broadcast_to(start["y"][:, None, :], (runs, m, D))
    noise = jax.random.rademacher(first, (5, runs, m, D), dtype=x.dtype)
    h_ = sample(every, x[:, None, :], y, noise)
    d = jnp.mean(minus(h_["u"], h_["v"], h_["V"], h_["H"]), axis=1)
    one = jnp.asarray(1.0)
    scale = (one, 0.0 * one, -one, jnp.zeros((runs, m, 1)))
    zero = jnp.zeros(runs)
    carry = (x, x, y, y, d, h_, scale, (zero, zero, zero))
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
        # Limits are compared, and all tasks updated, once in thousands of iterations.
        turns=lambda calls: (0.0, 0.0),
    )
    for m in (32, 256)
)

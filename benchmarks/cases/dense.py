"""Dense products: single-loop F2OBO on the coupled sine problem, n = 32 and 128, about eight products per round."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from workbench.theorems.f2obo.methods import f2obo
from workbench.theorems.f2obo.problems.vector import VectorSine, curvature, rotation

from benchmarks.case import Case, beginnings
from workbench.engine.records import Problem

ALPHA, BETA, B, LAM, TAU, GAMMA = 0.4, 0.1, 0.25, 4.2, 0.25, 0.02
PHI, R = -math.pi / 2, 2.0


def make(runs: int, n: int) -> Problem:
    x = beginnings(runs).uniform(0.3, 0.9, (runs, n))
    instance = VectorSine(A=rotation(n), Q=curvature(n), phi=PHI, R=R, gamma=GAMMA)
    steps = f2obo.Steps(ALPHA, BETA, B, LAM, TAU, GAMMA, 0.0, 1.0, 0.0, 0.0)
    return Problem(f2obo, instance, steps, {"x": x, "y": x, "z": x})


def jax_simulate(key: Any, start: Any, horizon: int, n: int) -> Any:
    """What the instance records: the regret and a maximum."""
    import jax
    import jax.numpy as jnp

    A, Q = jnp.asarray(rotation(n)), jnp.asarray(curvature(n))

    def norm2(v: Any) -> Any:
        return jnp.sum(v * v, axis=-1)

    def round_(carry: Any, t: Any) -> Any:
        x, y, z, lam, regret, far = carry
        y_star = x @ A.T
        slope = jnp.cos(y_star + PHI) @ A
        regret = regret + norm2((x - jnp.clip(x - GAMMA * slope, -R, R)) / GAMMA)
        far = jnp.maximum(far, jnp.sqrt(norm2(x)))
        y_new = y - BETA * t**-B * (jnp.cos(y + PHI) + lam * ((y - y_star) @ Q.T))
        z_new = z - ALPHA * ((z - y_star) @ Q.T)
        x = jnp.clip(x + GAMMA * lam * (((y_new - z_new) @ Q.T) @ A), -R, R)
        return (x, y_new, z_new, (1.0 + 1.0 / t) ** TAU * lam, regret, far), None

    x, zero = start["x"], jnp.zeros(start["x"].shape[0])
    carry = (x, start["y"], start["z"], jnp.asarray(LAM), zero, zero)
    carry, _ = jax.lax.scan(round_, carry, jnp.arange(1.0, horizon + 1))
    return {"regret_sum": carry[4], "x_norm_max": carry[5]}


CASES = tuple(
    Case(
        key=f"dense_{n}",
        title=f"F2OBO, single loop, dense {n} x {n} products",
        make=partial(make, n=n),
        jax_simulate=partial(jax_simulate, n=n),
        metric="regret_sum",
        noisy=False,
    )
    for n in (32, 128)
)

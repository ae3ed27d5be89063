"""F2OBO with K = 50 inner steps on the oscillating sine problem: 50 cosines per round, no noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from workbench.theorems.f2obo.methods import f2obo
from workbench.theorems.f2obo.problems.sine import Oscillation

from benchmarks.case import Case, beginnings
from workbench.engine.records import Problem

K, LAM, TAU, GAMMA = 50, 2.1, 0.25, 0.05
ALPHA, BETA, B = 0.5, 0.12, 0.25
R, PHI = 2.0, -math.pi / 2 - 0.5  # f_t = sin(s_t y + phi), g_t = (y - s_t x)^2 / 2 on [-R, R]


def start(runs: int) -> dict[str, np.ndarray]:
    x = beginnings(runs).uniform(0.3, 0.9, (runs, 1))
    return {"x": x, "y": x, "z": x}


def make(runs: int) -> Problem:
    steps = f2obo.Steps(ALPHA, BETA, B, LAM, TAU, GAMMA, 0.0, float(K), 0.0, 0.0)
    return Problem(f2obo, Oscillation(gamma=GAMMA), steps, start(runs))


def jax_simulate(key: Any, start: Any, horizon: int) -> Any:
    """What the instance records: the regret, a sum over rounds, and a maximum."""
    import jax
    import jax.numpy as jnp

    def round_(carry: Any, t: Any) -> Any:
        x, y, z, lam, regret, far = carry
        s = jnp.where(t % 2 == 0, 1.0, -1.0)
        slope = jnp.cos(x + PHI)
        regret = regret + ((x - jnp.clip(x - GAMMA * slope, -R, R)) / GAMMA) ** 2
        far = jnp.maximum(far, jnp.abs(x))
        beta = BETA * t**-B

        def inner(_: Any, yz: Any) -> Any:
            y, z = yz
            return y - beta * (s * jnp.cos(s * y + PHI) + lam * (y - s * x)), z - ALPHA * (z - s * x)

        y, z = jax.lax.fori_loop(0, K, inner, (y, z))
        x = jnp.clip(x - GAMMA * lam * s * (z - y), -R, R)
        return (x, y, z, (1.0 + 1.0 / t) ** TAU * lam, regret, far), None

    x = start["x"]
    zero = jnp.zeros_like(x)
    carry = (x, start["y"], start["z"], zero + LAM, zero, zero)
    carry, _ = jax.lax.scan(round_, carry, jnp.arange(1.0, horizon + 1))
    return {"regret_sum": carry[4][:, 0], "x_norm_max": carry[5][:, 0]}


CASES = (
    Case(
        key="f2obo",
        title=f"F2OBO, K = {K}",
        make=make,
        jax_simulate=jax_simulate,
        metric="regret_sum",
        noisy=False,
        goal=5.0,
    ),
)

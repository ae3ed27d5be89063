"""AF2OBO on the oscillating sine problem: two inner loops whose length each run decides for itself, no noise."""

from __future__ import annotations

from typing import Any

from workbench.theorems.f2obo.methods import af2obo
from workbench.theorems.f2obo.problems.sine import Oscillation

from benchmarks.case import Case
from benchmarks.cases.f2obo import PHI, R, start
from workbench.engine.records import Problem

ALPHA, BETA, B, LAM, TAU, GAMMA = 0.5, 0.12, 0.5, 2.1, 0.5, 0.05
DELTA_Y, DELTA_Z, K_MAX = 2.0**-6, 2.0**-12, 2000  # the tolerances of the theorem for T = 4096, tau = 1/2


def make(runs: int) -> Problem:
    steps = af2obo.Steps(ALPHA, BETA, B, LAM, TAU, GAMMA, DELTA_Y, DELTA_Z, K_MAX)
    return Problem(af2obo, Oscillation(gamma=GAMMA), steps, start(runs))


def jax_simulate(key: Any, start: Any, horizon: int) -> Any:
    """What the instance records. Written for one run and vmapped, as one would write two while loops."""
    import jax
    import jax.numpy as jnp

    def solve(v: Any, grad: Any, rate: Any, delta: Any) -> Any:
        def going(carry: Any) -> Any:
            _, g, n = carry
            return (jnp.abs(g) > delta) & (n < K_MAX)

        def body(carry: Any) -> Any:
            v, g, n = carry
            v = v - rate * g
            return v, grad(v), n + 1

        v, _, n = jax.lax.while_loop(going, body, (v, grad(v), 0))
        return v, n

    def round_(carry: Any, t: Any) -> Any:
        x, y, z, lam, regret, far, steps = carry
        s = jnp.where(t % 2 == 0, 1.0, -1.0)
        slope = jnp.cos(x + PHI)
        regret = regret + ((x - jnp.clip(x - GAMMA * slope, -R, R)) / GAMMA) ** 2
        far = jnp.maximum(far, jnp.abs(x))
        z, n_z = solve(z, lambda z: z - s * x, ALPHA, DELTA_Z)
        y, n_y = solve(y, lambda y: s * jnp.cos(s * y + PHI) + lam * (y - s * x), BETA * t**-B, DELTA_Y)
        x = jnp.clip(x - GAMMA * lam * s * (z - y), -R, R)
        return (x, y, z, (1.0 + 1.0 / t) ** TAU * lam, regret, far, steps + n_z + n_y), None

    def one(x: Any, y: Any, z: Any) -> Any:
        carry = (x, y, z, jnp.asarray(LAM), jnp.asarray(0.0), jnp.asarray(0.0), jnp.asarray(0))
        carry, _ = jax.lax.scan(round_, carry, jnp.arange(1.0, horizon + 1))
        return {"regret_sum": carry[4], "x_norm_max": carry[5], "inner_steps": carry[6]}

    return jax.vmap(one)(start["x"][:, 0], start["y"][:, 0], start["z"][:, 0])


CASES = (
    Case(
        key="af2obo",
        title="AF2OBO, two data-dependent inner loops",
        make=make,
        jax_simulate=jax_simulate,
        metric="regret_sum",
        noisy=False,
        goal=10.0,
    ),
)

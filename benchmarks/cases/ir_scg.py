"""IR-SCG on the witness with a Huber-cosh outer objective: the box, d = 2 (a sign), and the l1 ball, d = 20 (argmax).

Two gradients of each level per iteration and one fair sign per coordinate: the cheapest noise there is.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from workbench.theorems.ir_cg.methods import ir_scg
from workbench.theorems.ir_cg.problems.base import SYMMETRIC
from workbench.theorems.ir_cg.problems.witness import HuberCosh

from benchmarks.case import Case, beginnings
from workbench.arrays.sets import L1Ball
from workbench.engine.records import Problem

VARSIGMA, P = 1.0, 0.5
KAPPA, WIDTH, C_U, C_Y, NOISE = 40.0, 0.22, 0.3, 0.3, 0.3
RADIUS = 8.0  # of the l1 ball: the solution lies inside


def make(runs: int, d: int, ball: bool) -> Problem:
    box = L1Ball(RADIUS) if ball else SYMMETRIC
    instance = HuberCosh(box=box, kappa=KAPPA, r=WIDTH, c_u=C_U, c_y=C_Y, b=NOISE)
    steps = ir_scg.Steps(VARSIGMA, P, 2.0, 2.0, 1.0)
    start = beginnings(runs).uniform(-0.3, 0.3, (runs, d))
    return Problem(ir_scg, instance, steps, {"x": start})


def jax_simulate(key: Any, start: Any, horizon: int, ball: bool) -> Any:
    """The inner gap of the weighted average, before iteration ``horizon`` changes it."""
    import jax
    import jax.numpy as jnp

    d = start["x"].shape[-1]
    u = jnp.where(jnp.arange(d) == 0, 1.0, 0.0)

    def grad_f(x: Any) -> Any:
        w = jnp.clip(x[:, :1] - C_U, -WIDTH, WIDTH)
        return jnp.sinh(KAPPA * w) / jnp.sinh(KAPPA * WIDTH) * u

    def grad_g(x: Any) -> Any:
        return (x - C_Y) * (1.0 - u)

    def lmo(c: Any) -> Any:
        if not ball:
            return jnp.where(c >= 0, -1.0, 1.0)
        at = jax.nn.one_hot(jnp.argmax(jnp.abs(c), axis=-1), d, dtype=c.dtype)
        return at * jnp.where(c >= 0, -RADIUS, RADIUS)

    def step(carry: Any, inputs: Any) -> Any:
        x, x_old, F, G, A, B, z, _ = carry
        t, k = inputs
        sigma, later = VARSIGMA * (t + 1.0) ** -P, VARSIGMA * (t + 2.0) ** -P
        a = 2.0 / (t + 2.0)
        keep = jnp.where(t == 0.0, 0.0, 1.0 - a)
        noise = NOISE * jax.random.rademacher(k, x.shape, dtype=x.dtype)
        F = keep * F + grad_f(x) - keep * grad_f(x_old)
        G = keep * G + (grad_g(x) + noise) - keep * (grad_g(x_old) + noise)
        new = x + a * (lmo(sigma * F + G) - x)
        w = (t + 2.0) * (t + 1.0)
        A, B = A + w * (sigma - later) * new, B + w * (sigma - later)
        return (new, x, F, G, A, B, (w * later * new + A) / (w * later + B), z), None

    x, zero = start["x"], jnp.zeros_like(start["x"])
    carry = (x, x, zero, zero, zero, jnp.asarray(0.0), x, x)
    inputs = (jnp.arange(0.0, horizon), jax.random.split(key, horizon))
    carry, _ = jax.lax.scan(step, carry, inputs)
    return {"inner_gap": jnp.sum((carry[-1] - C_Y) ** 2 * (1.0 - u), axis=-1) / 2.0}


CASES = tuple(
    Case(
        key=key,
        title=title,
        make=partial(make, d=d, ball=ball),
        jax_simulate=partial(jax_simulate, ball=ball),
        metric="inner_gap",
        noisy=True,
        goal=goal,
    )
    for key, title, d, ball, goal in (
        ("ir_scg_box", "IR-SCG, box, d = 2", 2, False, None),
        ("ir_scg_l1", "IR-SCG, l1 ball, d = 20", 20, True, 3.0),
    )
)

"""Ada-Minimax on the quadratic saddle with Gaussian noise, d = 1 and d = 10: three normals per coordinate and step."""

from __future__ import annotations

from functools import partial
from typing import Any

from workbench.theorems.ada_minimax.methods import ada_minimax

from benchmarks.case import Case, beginnings
from workbench.arrays.noise import Gaussian
from workbench.engine.records import Problem
from workbench.problems.saddle import QuadraticSaddle

ETA_X, ETA_Y, ALPHA, GAMMA = 0.3, 0.7, 1.0, 1.0
SIGMA_X, SIGMA_Y = 0.5, 0.4
B, MU, C = 1.0, 1.0, 0.5  # of the saddle -(c/2) |x|^2 + b <x, y> - (mu/2) |y|^2


def make(runs: int, d: int) -> Problem:
    draw = beginnings(runs)
    return Problem(
        ada_minimax,
        QuadraticSaddle(noise_x=Gaussian(SIGMA_X), noise_y=Gaussian(SIGMA_Y), b=B, mu=MU, c=C),
        ada_minimax.Steps(ETA_X, ETA_Y, ALPHA, GAMMA),
        {"x": draw.standard_normal((runs, d)), "y": draw.standard_normal((runs, d))},
    )


def jax_simulate(key: Any, start: Any, horizon: int) -> Any:
    """What the instance records: the mean of |grad Phi(x_t)| and two maxima."""
    import jax
    import jax.numpy as jnp

    def norm(v: Any) -> Any:
        return jnp.sqrt(jnp.sum(v * v, axis=-1, keepdims=True))

    def step(carry: Any, inputs: Any) -> Any:
        x, y, m, S_x, S_y, total, far, apart = carry
        t, k = inputs
        grad_phi = (B**2 / MU - C) * x
        total, far = total + norm(grad_phi), jnp.maximum(far, norm(x))
        apart = jnp.maximum(apart, norm(y - B / MU * x))
        n = jax.random.normal(k, (3, *x.shape))
        exact = -C * x + B * y
        g_x, g2_x = exact + SIGMA_X * n[0], exact + SIGMA_X * n[1]
        g_y = B * x - MU * y + SIGMA_Y * n[2]
        S_x = S_x + jnp.sum((g_x - g2_x) ** 2, axis=-1, keepdims=True)
        S_y = S_y + jnp.sum(g_y**2, axis=-1, keepdims=True)
        a = ALPHA / jnp.sqrt(ALPHA**2 + S_x)
        ap = ALPHA / jnp.sqrt(ALPHA**2 + S_x + S_y)
        m = jnp.where(t == 1.0, g_x, (1 - a) * m + a * g_x)
        x = x - ETA_X * jnp.sqrt(ap) / jnp.sqrt(t) * m / norm(m)
        y = y + ETA_Y / jnp.sqrt(GAMMA**2 + S_y) * g_y
        return (x, y, m, S_x, S_y, total, far, apart), None

    x, y = start["x"], start["y"]
    zero = jnp.zeros((x.shape[0], 1))
    carry = (x, y, jnp.zeros_like(x), zero, zero, zero, zero, zero)
    inputs = (jnp.arange(1.0, horizon + 1), jax.random.split(key, horizon))
    carry, _ = jax.lax.scan(step, carry, inputs)
    _, _, _, _, _, total, far, apart = carry
    return {"grad_norm_mean": total[:, 0] / horizon, "x_norm_max": far[:, 0], "dist_y_max": apart[:, 0]}


CASES = tuple(
    Case(
        key=f"ada_minimax_{d}",
        title=f"Ada-Minimax, d = {d}, Gaussian noise",
        make=partial(make, d=d),
        jax_simulate=jax_simulate,
        metric="grad_norm_mean",
        noisy=True,
        goal=goal,
    )
    for d, goal in ((1, 7.0), (10, 10.0))
)

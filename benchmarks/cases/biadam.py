"""VR-BiAdam on TRIG, d = 2: sums (6) of random length k < K = 6 at two points per iteration, signs as noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from workbench.theorems.biadam.methods import vr_biadam
from workbench.theorems.biadam.problems.trig import Trig

from benchmarks.case import Case, beginnings
from workbench.engine.records import Problem

D, K, L_G = 2, 6, 1.5
INSTANCE = Trig(s_x=0.8, sigma_y=0.5, s_g=0.3)
GAMMA, LAM, SCALE, M, C_1, C_2, RHO = 1.0, 1.0, 1.0, 8.0, 2.0, 2.0, 1.0  # SCALE: the k of the schedule


def make(runs: int) -> Problem:
    steps = vr_biadam.Steps(GAMMA, LAM, SCALE, M, C_1, C_2, K, L_G, RHO)
    start = beginnings(runs)
    return Problem(
        vr_biadam, INSTANCE, steps, {name: start.uniform(-2.0, 2.0, (runs, D)) for name in ("x", "y")}
    )


def jax_simulate(key: Any, start: Any, horizon: int) -> Any:
    """The means that the instance records, for A_t = rho I, b_t = 1 and without a box."""
    import jax
    import jax.numpy as jnp

    q = INSTANCE
    weight = float(q.L_0(D, np))

    def norm(v: Any) -> Any:
        return jnp.sqrt(jnp.sum(v * v, axis=-1))

    def slope(x: Any, y: Any) -> Any:
        return q.h * y - q.c * x

    def lower(x: Any, y: Any, sign: Any) -> Any:
        return slope(x, y) - sign * (q.sigma_g + q.s_g * jnp.sin(y))

    def surrogate(x: Any, y: Any) -> Any:
        return q.a * x + q.c / q.h * q.s * jnp.tanh(y - q.d_0)

    def estimate(x: Any, y: Any, sample: Any) -> Any:
        one, two, signs, k = sample
        f_x = q.a * x + one * (q.sigma_x + q.s_x * jnp.sin(x))
        f_y = q.s * jnp.tanh(y - q.d_0) + two * q.sigma_y
        cosine = jnp.cos(y)

        def factor(i: Any, product: Any) -> Any:
            return jnp.where(i < k, product - (q.h - signs[i] * q.s_g * cosine) / L_G * product, product)

        return f_x + q.c * K / L_G * jax.lax.fori_loop(0, K - 1, factor, f_y)

    def signs(k: Any, shape: tuple[int, ...]) -> Any:
        return jax.random.rademacher(k, shape, dtype=jnp.float64)

    def draw(k: Any, shape: tuple[int, ...]) -> Any:
        keys = jax.random.split(k, 5)
        length = jax.random.randint(keys[3], (*shape[:-1], 1), 0, K)
        sample = signs(keys[0], shape), signs(keys[1], shape), signs(keys[2], (K - 1, *shape)), length
        return sample, signs(keys[4], shape)

    def seen(x: Any, y: Any, w: Any, v: Any) -> Any:
        gradient, error = norm(surrogate(x, q.c / q.h * x)), norm(w - surrogate(x, y))
        distance, moved = norm(y - q.c / q.h * x), norm(GAMMA / RHO * w) / GAMMA
        metric = moved + (jnp.sqrt(2.0) * error + weight * distance) / RHO
        return jnp.stack([metric, jnp.abs(gradient), gradient, error, norm(v - slope(x, y)), distance])

    def step(carry: Any, inputs: Any) -> Any:
        x, y, w, v, total, _ = carry
        t, k = inputs
        now = seen(x, y, w, v)
        eta = SCALE * (M + t) ** (-1.0 / 3.0)
        new_x, new_y = x - eta * GAMMA / RHO * w, y - eta * LAM * v
        sample, zeta = draw(k, x.shape)
        alpha, beta = C_1 * eta**2, C_2 * eta**2
        v = lower(new_x, new_y, zeta) + (1.0 - alpha) * (v - lower(x, y, zeta))
        w = estimate(new_x, new_y, sample) + (1.0 - beta) * (w - estimate(x, y, sample))
        return (new_x, new_y, w, v, total + now, now), None

    x, y = start["x"], start["y"]
    first, rest = jax.random.split(key)
    sample, zeta = draw(first, x.shape)
    zero = jnp.zeros((6, x.shape[0]))
    carry = (x, y, estimate(x, y, sample), lower(x, y, zeta), zero, zero)
    inputs = (jnp.arange(1.0, horizon + 1), jax.random.split(rest, horizon))
    carry, _ = jax.lax.scan(step, carry, inputs)
    names = ("metric", "mapping", "grad_norm", "error_w", "error_v", "dist_y")
    means = {f"{name}_mean": total / horizon for name, total in zip(names, carry[4], strict=True)}
    return means | dict(zip(names, carry[5], strict=True))


CASES = (
    Case(
        key="vr_biadam",
        title=f"VR-BiAdam, d = {D}, K = {K}",
        make=make,
        jax_simulate=jax_simulate,
        metric="metric_mean",
        noisy=True,
        goal=4.0,
    ),
)

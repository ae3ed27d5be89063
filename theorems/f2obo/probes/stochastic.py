"""SF2OBO: the variance of the sampled upper gradient (E.1), and one round of Lemmas E.2, E.3."""

from __future__ import annotations

from typing import Any

from workbench.ops import column, power, sq

from ..methods.rounds import stochastic
from ..methods.sf2obo import batch
from . import solutions

QUANTITIES = dict.fromkeys(
    ("lam_t", "batch", "noise_sq", "dy_sq", "dz_sq", "rhs_y_noisy", "rhs_z_noisy"), ("last",)
)


def observe(s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: dict, xp: Any) -> dict:
    at = solutions.constants_of(instance, xp)
    B, B_hat = batch(t, c.B_2, xp), batch(t, c.B_1, xp)
    xi, zeta = draw(2), draw(3)
    estimate = instance.grad_x_f(t, s.x, new.y, xi, 0, B_hat, xp=xp) + s.lam * (
        instance.grad_x_g(t, s.x, new.y, zeta, 0, B_hat, xp=xp)
        - instance.grad_x_g(t, s.x, new.z, zeta, 0, B_hat, xp=xp)
    )
    exact = solutions.upper_gradient(instance, t, s.x, new.y, new.z, s.lam, xp)
    target = solutions.penalty_solution(instance, t, s.x, s.lam, xp)
    star = instance.y_star(t, s.x, xp=xp)
    one = column(1.0, s.x, xp)
    alpha, beta = c.alpha * power(t, -c.a, xp), c.beta * power(t, -c.b, xp)
    K = one * xp.astype(stochastic(t, c.K, c.K_0, c.b, c.tau, c.a, xp), xp.float64)
    q, p = one * (1.0 - beta * s.lam * at.mu / 2), one * (1.0 - alpha * at.mu)
    noise = instance.sigma**2 / (at.mu * B)
    return {
        "lam_t": s.lam,
        "batch": one * B_hat,
        "noise_sq": sq(estimate - exact, xp),
        "dy_sq": sq(new.y - target, xp),
        "dz_sq": sq(new.z - star, xp),
        "rhs_y_noisy": power(q, K, xp) * sq(s.y - target, xp) + 4.0 * beta * s.lam * noise,
        "rhs_z_noisy": power(p, K, xp) * sq(s.z - star, xp) + alpha * noise * one,
    }

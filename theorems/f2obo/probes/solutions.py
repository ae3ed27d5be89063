"""The penalty solution, the upper gradient and the constants on the sine families. Not a probe by itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from workbench.ops import loop

Array = Any
ROUNDS = 60  # each at least halves the error


def penalty_solution(instance: Any, t: Array, x: Array, lam: Array, xp: Any) -> Array:
    """y*_(lambda,t)(x), fixed point of the instance's map: a contraction if lambda mu > 2 L_f1."""

    def again(k: Array, carry: tuple[Array]) -> tuple[Array]:
        (y,) = carry
        return (instance.penalty_map(t, x, y, lam, xp=xp),)

    (y,) = loop(ROUNDS, again, (instance.y_star(t, x, xp=xp),), xp)
    return y


def upper_gradient(instance: Any, t: Array, x: Array, y: Array, z: Array, lam: Array, xp: Any) -> Array:
    """Exact h_t at y_(t+1) and z_(t+1), or grad L*_t(x) of Eq. (6) at y*_lambda and y*."""
    return instance.grad_x_f(t, x, y, xp=xp) + lam * (
        instance.grad_x_g(t, x, y, xp=xp) - instance.grad_x_g(t, x, z, xp=xp)
    )


def constants_of(instance: Any, xp: Any) -> SimpleNamespace:
    """mu_g, L_g1, kappa_g, L_f0 of the instance."""
    mu, L, slope = instance.sizes(xp)
    return SimpleNamespace(mu=mu, L=L, kappa=L / mu, L_f0=slope)


def later(t: Array, now: Array, xp: Any) -> Array:
    """``now`` from the second round on, zero in the first: the sums of drift start at t = 2."""
    return xp.where(t > 1.5, now, 0.0)

"""The inner loop shared by the double-loop methods: stochastic gradient steps on y from the last iteration's y."""

from __future__ import annotations

from typing import Any

from workbench.ops import loop

Array = Any


def descend(x: Array, y: Array, alpha: Array, N: Any, zeta: Any, oracle: Any, xp: Any) -> Array:
    """y after N steps  y <- y - alpha grad_y g(x, y; zeta_j),  zeta_j the j-th repeated draw, j = 0, ..., N-1."""

    def one_step(j: Any, carry: tuple[Array, ...]) -> tuple[Array, ...]:
        return (carry[0] - alpha * oracle.grad_y_g(x, carry[0], zeta.repeat(j)),)

    return loop(N, one_step, (y,), xp)[0]

"""The SPIDER estimator of the finite-sum methods: full gradients every q iterations, sampled differences in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.ops import branch

Array = Any
Arrays = tuple[Array, ...]


def spider(
    old: Arrays, t: Array, q: int, full: Callable[[], Arrays], change: Callable[[], Arrays], xp: Any
) -> Arrays:
    """``full()`` at t = 0, q, 2q, ..., else ``old`` plus ``change()``, the sampled differences; t is 0-dimensional."""
    due = t - q * xp.floor(t / q) == 0.0  # t = 0 mod q
    return branch(due, full, lambda: tuple(a + b for a, b in zip(old, change(), strict=True)), xp)


def spider_fw(s: Any, t: Array, gamma: Array, q: int, S: int, oracle: Any, draw: Any, xp: Any) -> Arrays:
    """(x_{t+1}, G_t): iteration t = 0, 1, ... of SPIDER-FW on the inner objective, step gamma / (t + 1).

    Yurtsever, Sra, Cevher, ICML 2019, Algorithm 2, with the constant epoch q and the step of IR-SCG's
    text, L221.
    s: has x, x_old and G, the estimate at x_old.
    """

    def change():
        return (oracle.difference_g(s.x, s.x_old, draw(0), S),)

    (G,) = spider((s.G,), t, q, lambda: (oracle.full_g(s.x),), change, xp)
    return s.x + gamma / (t + 1.0) * (oracle.lmo(G) - s.x), G

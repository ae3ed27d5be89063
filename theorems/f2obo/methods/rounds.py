"""The number of inner steps of a round: the sequences K_t of paper `f2obo`."""

from __future__ import annotations

from typing import Any

from workbench.ops import maximum, power

Array = Any


def ceil(v: Array, xp: Any) -> Array:
    """The smallest integer not below ``v``, as int64."""
    return xp.astype(-xp.floor(-v), xp.int64)


def growing(t: Array, K: Array, K_0: Array, K_log: Array, xp: Any) -> Array:
    """K_t = max(K, ceil(K_0 + K_log log t)): constant for K_0 = K_log = 0 (Theorems 3.1, 3.2)."""
    return ceil(maximum(1.0 * K, K_0 + K_log * xp.log(t), xp), xp)


def stochastic(t: Array, K: Array, K_0: Array, b: Array, tau: Array, a: Array, xp: Any) -> Array:
    """K_t = ceil(K max(t^(b - tau), t^a) log t) of Theorem 5.1, and at least K_0: the formula gives K_1 = 0."""
    steps = K * maximum(power(t, b - tau, xp), power(t, a, xp), xp) * xp.log(t)
    return ceil(maximum(K_0, steps, xp), xp)

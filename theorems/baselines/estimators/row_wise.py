"""What methods share whose estimates of d2g/dxdy and d2g/dydy are kept row by row of the data.

Where the lower problem is a sum over rows a_j of a matrix A, each with its own coordinate of x, every estimate has the
form V = (1/n) diag(nu) A and H = (1/n) A' diag(h) A + lam I, with vectors nu and h of n numbers: V is never formed,
which for 50000 rows and 300 features would have 1.5e7 entries. The oracle multiplies with them.

The known part lam I of H is not estimated. Projections of the listings would destroy the form, and need singular and
eigenvalues. V is projected onto the Frobenius ball that holds the true one, a multiple of V, instead of the spectral
one. H is not projected; conjugate gradients stop at a direction of curvature below lam instead.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import loop, maximum

from .safeguarded import solved_above

Array = Any


def wide(value: Array, like: Array) -> Array:
    """A number per run, (runs, 1), with as many axes as ``like``; what has no runs stays as it is."""
    while getattr(value, "ndim", 0) >= 2 and value.ndim < like.ndim:
        value = value[..., None]
    return value


def solve(h: Array, v: Array, lam: Any, K: int, times_hessian: Any, xp: Any) -> Array:
    """H_i^-1 v_i of each task by K steps of conjugate gradients, (runs, N, d')."""
    return solved_above(lambda p: times_hessian(h, p), v, wide(lam, v), K, xp)


def into_jacobian_ball(nu: Array, C: Any, oracle: Any, xp: Any) -> Array:
    """The nearest nu with |V| <= C in the Frobenius norm; C: (N, 1) or (runs, N, 1)."""
    return nu / maximum(oracle.jacobian_norm(nu) / C, 1.0, xp)


def first(x: Array, y: Array, S: int, oracle: Any, xi: Any, zeta: Any, xp: Any) -> tuple[Array, ...]:
    """(v, nu, h, w): the means of S minibatches of every task at (x, y)."""

    def sample(k):
        fy, _ = oracle.upper_at_both(y, y, xi.repeat(k))
        gy, nu, h, _, _, _, rows = oracle.lower_at_both(x, y, x, y, zeta.repeat(k))
        return fy, oracle.scatter_rows(rows, nu), oracle.scatter_rows(rows, h), gy

    def add(k, sums):
        return tuple(a + b for a, b in zip(sums, sample(k + 1), strict=True))

    return tuple(a / float(S) for a in loop(S - 1, add, sample(0), xp))

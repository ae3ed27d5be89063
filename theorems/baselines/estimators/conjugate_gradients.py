"""Conjugate gradients on one positive definite system per run, for methods that solve with the inner Hessian."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.ops import dot, loop, sq

Array = Any


def ratio(a: Array, b: Array, xp: Any) -> Array:
    """a / b where b > 0, else 0."""
    return xp.where(b > 0.0, a / xp.where(b > 0.0, b, 1.0), 0.0)


def solve(A: Callable[[Array], Array], b: Array, v: Array, Q: Any, xp: Any) -> Array:
    """Q steps of conjugate gradients on A v = b from v, (runs, p); a row whose residual is zero stays.

    A: maps (runs, p) to its product with the matrix of each run; called Q + 1 times. Q: a count as in `ops.loop`.
    """

    def body(k, carry):
        v, r, p, rr = carry
        q = A(p)
        a = ratio(rr, dot(p, q, xp), xp)
        r = r - a * q
        new = sq(r, xp)
        return v + a * p, r, r + ratio(new, rr, xp) * p, new

    r = b - A(v)
    return loop(Q, body, (v, r, r, sq(r, xp)), xp)[0]

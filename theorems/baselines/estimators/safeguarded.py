"""Conjugate gradients for estimated Hessians, which may have eigenvalues below the bound that the true one keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.ops import dot, loop, sq

Array = Any


def solved_above(A: Callable[[Array], Array], b: Array, least: Any, Q: Any, xp: Any) -> Array:
    """Q steps of conjugate gradients on A v = b from v = 0, for each vector (..., p) of b.

    A vector stops for good at the first direction with p'A p < least |p|^2, or at a residual of zero. Where A has no
    eigenvalue below ``least`` these are plain conjugate gradients. A: maps vectors to their products; called Q times.
    """

    def body(k, carry):
        v, r, p, rr, going = carry
        q = A(p)
        curvature, one = dot(p, q, xp), xp.asarray(1.0)
        goes = (going > 0.0) & (rr > 0.0) & (curvature >= least * sq(p, xp))
        a = xp.where(goes, rr / xp.where(goes, curvature, one), 0.0)
        r = r - a * q
        new = sq(r, xp)
        direction = r + xp.where(goes, new / xp.where(goes, rr, one), 0.0) * p
        return v + a * p, r, direction, new, xp.where(goes, one, 0.0)

    rr = sq(b, xp)
    return loop(Q, body, (0.0 * b, b, b, rr, 0.0 * rr + 1.0), xp)[0]

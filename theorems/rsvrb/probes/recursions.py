"""Lemma 8 for the five estimators of SVRB. Squares of norms.

At the paper's iteration t, old_(.) is the error of an estimator at (x_(t-1), y_(t-1)) and err_(.) that of the next one
at (x_t, y_t).
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, maximum, power, sq

Array = Any
NAMES = ("fx", "fy", "gy", "gxy", "gyy")
QUANTITIES = dict.fromkeys(
    (
        *(f"{what}_{name}" for name in NAMES for what in ("old", "err", "beta")),
        "moved",  # |x_t - x_(t-1)|^2 + |y_t - y_(t-1)|^2
    ),
    ("last",),
)


def errors(x: Array, y: Array, estimators: tuple[Array, ...], instance: Any, xp: Any) -> tuple[Array, ...]:
    """Of u, v, w, V and H at a point, (runs, 1) each."""
    u, v, w, V, H = estimators
    fx, fy = instance.grad_f(x, y, xp=xp)
    gy = instance.grad_g(x, y, xp=xp)
    exact = (fx, fy, gy, 0.0 * x - instance.h * instance.a, 0.0 * x + instance.h)
    return tuple(sq(a - b, xp) for a, b in zip((u, v, w, V, H), exact, strict=True))


def observe(
    s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: Any, xp: Any
) -> dict[str, Any]:
    eta_old = column(c.c / power(c.c_0 + maximum(t - 2.0, 0.0, xp), c.a, xp), s.x, xp)
    before = errors(s.x_old, s.y_old, (s.u, s.v, s.w, s.V, s.H), instance, xp)
    after = errors(s.x, s.y, (new.u, new.v, new.w, new.V, new.H), instance, xp)
    factors = (c.b_fx, c.b_fy, c.b_gy, c.b_gxy, c.b_gyy)
    beta = [b * eta_old**2 for b in factors]
    quantities = {"moved": sq(s.x - s.x_old, xp) + sq(s.y - s.y_old, xp)}
    for name, old_error, new_error, b in zip(NAMES, before, after, beta, strict=True):
        quantities |= {f"old_{name}": old_error, f"err_{name}": new_error, f"beta_{name}": b}
    return quantities

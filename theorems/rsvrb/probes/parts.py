"""Lemmas 4-6 on one task: the error of z, those of its parts, and the step of y. Squares of norms unless stated.

The quantities of iteration t are at (x_t, y_t) of the paper's iteration, with the estimators made there (index t + 1).
"""

from __future__ import annotations

from typing import Any

from workbench.ops import column, power, sq

from ..methods.matrices import hypergradient

QUANTITIES = dict.fromkeys(
    (
        "fall",  # F(x_(t+1)) - F(x_t)
        "slope2",  # grad F(x_t)
        "err2",  # z - grad F(x_t)
        "z2",
        "err_fx",
        "err_fy",
        "err_gxy",
        "err_gyy",
        "err_gy",
        "lag2",  # y_t - y*(x_t)
        "lag2_next",
        "moved_x",
        "moved_y",
        "eta",
    ),
    ("last",),
)


def observe(
    s: Any, new: Any, t: Any, c: Any, instance: Any, draw: Any, memory: Any, xp: Any
) -> dict[str, Any]:
    fx, fy = instance.grad_f(s.x, s.y, xp=xp)
    slope = instance.grad_F(s.x, xp=xp)
    z = hypergradient(new.u, new.v, new.V, new.H, xp)
    return {
        "fall": instance.F(new.x, xp=xp) - instance.F(s.x, xp=xp),
        "slope2": sq(slope, xp),
        "err2": sq(z - slope, xp),
        "z2": sq(z, xp),
        "err_fx": sq(new.u - fx, xp),
        "err_fy": sq(new.v - fy, xp),
        "err_gxy": sq(new.V + instance.h * instance.a, xp),
        "err_gyy": sq(new.H - instance.h, xp),
        "err_gy": sq(new.w - instance.grad_g(s.x, s.y, xp=xp), xp),
        "lag2": sq(s.y - instance.y_star(s.x, xp=xp), xp),
        "lag2_next": sq(new.y - instance.y_star(new.x, xp=xp), xp),
        "moved_x": sq(new.x - s.x, xp),
        "moved_y": sq(new.y - s.y, xp),
        "eta": column(c.c / power(c.c_0 + t - 1.0, c.a, xp), s.x, xp),
    }

"""Algorithm 2 as it is listed, diagonal Jacobians and Hessians: every iteration updates all m tasks.

The baseline of `benchmarks/rsvrb/tasks.py`: the same method as `workbench.theorems.rsvrb.methods.rsvrb`, nothing
delayed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.theorems.rsvrb.methods import rsvrb
from workbench.theorems.rsvrb.methods.blocks import drawn, stacks
from workbench.theorems.rsvrb.methods.matrices import hypergradient

from workbench.arrays.ops import clip, indicator, into_ball, maximum, power, take

TITLE = "RSVRB, all tasks"
SOURCE = "Algorithm 2, L210-227"
Steps = rsvrb.Steps


class State(NamedTuple):
    x: Any  # (runs, d)
    x_old: Any
    d: Any
    y: Any  # (runs, m, d), as the others
    y_old: Any
    u: Any
    v: Any
    V: Any
    H: Any
    w: Any


def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> State:
    s = rsvrb.init(start, c, oracle, draw, xp)
    return State(s.x, s.x_old, s.d, *stacks(s, c.lam, xp))


def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> State:
    t = t - 1.0
    eta = c.c / power(c.c_0 + t, c.a, xp)
    eta_old = c.c / power(c.c_0 + maximum(t - 1.0, 0.0, xp), c.a, xp)
    pick, m = draw(0), s.y.shape[1]
    i, p = drawn(c.mix, pick.uniform(1, 0), oracle, xp)
    j = pick.index(m, 1, 1)
    mine = (xp.arange(m) == i)[..., None]
    C_fx, C_fy, C_gxy, R = oracle.radii(s.x)

    def storm(stack, b, new, old):
        """All blocks before their projection: the sampled one moves."""
        moved = stack - indicator(mine, xp) * (old / p)[:, None, :]
        return (1.0 - b * eta_old**2) * moved + indicator(mine, xp) * (new / p)[:, None, :]

    y, y_old = take(s.y, i, xp), take(s.y_old, i, xp)
    fx, fy = oracle.upper(i, s.x, y, draw(1), 0)
    fx_old, fy_old = oracle.upper(i, s.x_old, y_old, draw(1), 0)
    gy, gxy, gyy = oracle.lower(i, s.x, y, draw(2), 0)
    gy_old, gxy_old, gyy_old = oracle.lower(i, s.x_old, y_old, draw(2), 0)
    u = into_ball(storm(s.u, c.b_fx, fx, fx_old), C_fx, xp)
    v = into_ball(storm(s.v, c.b_fy, fy, fy_old), C_fy, xp)
    V = clip(storm(s.V, c.b_gxy, gxy, gxy_old), -C_gxy, C_gxy, xp)
    H = maximum(storm(s.H, c.b_gyy, gyy, gyy_old), c.lam, xp)
    w = storm(s.w, c.b_gy, gy, gy_old)

    def z_j(*blocks):
        u, v, V, H = (take(a, j, xp) for a in blocks)
        return hypergradient(u, v, V, H, xp)

    d = (1.0 - c.b_d * eta_old**2) * (s.d - z_j(s.u, s.v, s.V, s.H)) + z_j(u, v, V, H)
    to = into_ball(s.y - c.tau * w, R, xp)
    return State(s.x - eta * c.gamma * d, s.x, d, (1.0 - eta) * s.y + eta * to, s.y, u, v, V, H, w)

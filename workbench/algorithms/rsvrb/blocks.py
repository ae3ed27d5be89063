"""One iteration of RSVRB (Algorithm 2, L210-227), which RE-RSVRB repeats in stages with other steps.

A randomized-coordinate STORM estimator of the stack h = (h_1, ..., h_m) samples one task i with probability p_i and
uses (0, ..., h_i/p_i, ..., 0) at the old and at the new point, with the same sample: unbiased for both. The blocks that
are not sampled are multiplied by 1 - beta. The paper delays this until a block is needed; here every block is kept up
to date, which is the same. The index j of d is drawn on its own: with j = i and uniform p, d would estimate m grad F.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.algorithms.rsvrb.matrices import (
    at_least,
    block,
    hypergradient,
    into_spectral_ball,
    replaced,
    wide,
)
from workbench.arrays.ops import entry, indicator, into_ball, loop, minimum, rowsum, tasksum

Array = Any


class Blocks(NamedTuple):
    """The state of Algorithm 2 at iteration t; first axis runs, second axis tasks in all but x and d."""

    x: Array  # x_t, (runs, d)
    x_old: Array  # x_{t-1}, (runs, d)
    y: Array  # y_{i,t}, (runs, m, d')
    y_old: Array  # y_{i,t-1}, (runs, m, d')
    u: Array  # u_{i,t}, (runs, m, d)
    v: Array  # v_{i,t}, (runs, m, d')
    V: Array  # V_{i,t}, (runs, m, d, d') or the diagonals
    H: Array  # H_{i,t}, (runs, m, d', d') or the diagonals
    w: Array  # w_{i,t}, (runs, m, d')
    d: Array  # d_t, (runs, d)


def first(start: Any, S: int, oracle: Any, draw: Any, xp: Any) -> Blocks:
    """x_0, the y_(i,0), means of S samples of every task's estimators there, and d, the mean of the z_i (L530, L570).

    A start y of (runs, d') is that of every task.
    """
    x, y = start["x"], start["y"]
    if y.ndim == 2:
        y = y[:, None, :] + xp.zeros((1, oracle.sampling()[0].shape[-1], 1))
    xi, zeta = draw(3), draw(4)

    def sample(k):
        return (*oracle.all_upper(x, y, xi, k), *oracle.all_lower(x, y, zeta, k))

    def add(k, sums):
        return tuple(a + b for a, b in zip(sums, sample(k + 1), strict=True))

    u, v, w, V, H = (a / float(S) for a in loop(S - 1, add, sample(0), xp))
    d = tasksum(hypergradient(u, v, V, H, xp), xp) / float(y.shape[1])
    return Blocks(x, x, y, y, u, v, V, H, w, d)


def probabilities(mix: Array, oracle: Any, xp: Any) -> tuple[Array, Array]:
    """(p, P): p = (1 - mix)/m + mix q with the weights q of the tasks, and its sums P_i = p_1 + ... + p_i; (., m).

    mix = 0 is uniform sampling, mix = 1 samples in proportion to the sizes of the tasks.
    """
    q, Q = oracle.sampling()
    m = q.shape[-1]
    return (1.0 - mix) / m + mix * q, (1.0 - mix) * (xp.astype(xp.arange(m), xp.float64) + 1.0) / m + mix * Q


def drawn(P: Array, uniform: Array, xp: Any) -> Array:
    """The task i with P_(i-1) < u <= P_i, (runs, 1) of int64 from 0, for a uniform u of (runs, 1)."""
    below = rowsum(indicator(uniform > P, xp), xp)
    return xp.astype(minimum(below, P.shape[-1] - 1.0, xp), xp.int64)  # P_m may round to less than 1


def iterate(s: Any, eta: Array, eta_old: Array, c: Any, oracle: Any, draw: Any, xp: Any) -> Blocks:
    """Lines 3-15 of Algorithm 2 with eta_t = tau_t = eta and every beta = b eta_old^2.

    s: a state with the fields of `Blocks`. c: steps with gamma, tau, b_fx, b_fy, b_gxy, b_gyy, b_gy, b_d, lam and mix.
    """
    pick, xi, zeta = draw(0), draw(1), draw(2)
    C_fx, C_fy, C_gxy, R = oracle.radii(s.x)  # each (1, m, 1)
    p, P = probabilities(c.mix, oracle, xp)
    u_t = pick.uniform(1, 0)
    i = drawn(P, u_t, xp)  # line 3
    p_i = entry(p + 0.0 * u_t, i, xp)

    def keep(b, like):  # 1 - beta
        return 1.0 - wide(b * eta_old**2, like)

    y, y_old = block(s.y, i, xp), block(s.y_old, i, xp)
    fx, fy = oracle.upper(i, s.x, y, xi, 0)
    fx_old, fy_old = oracle.upper(i, s.x_old, y_old, xi, 0)
    gy, gxy, gyy = oracle.lower(i, s.x, y, zeta, 0)
    gy_old, gxy_old, gyy_old = oracle.lower(i, s.x_old, y_old, zeta, 0)

    def storm(stack, b, new, old):
        """The sampled block before its projection."""
        one = block(stack, i, xp)
        weight = wide(p_i, one)
        return keep(b, one) * (one - old / weight) + new / weight

    def ball(C):  # the radius of task i
        return block(C + 0.0 * wide(u_t, C), i, xp)

    u_i = into_ball(storm(s.u, c.b_fx, fx, fx_old), ball(C_fx), xp)
    v_i = into_ball(storm(s.v, c.b_fy, fy, fy_old), ball(C_fy), xp)
    V_i = into_spectral_ball(storm(s.V, c.b_gxy, gxy, gxy_old), ball(C_gxy), v_i, xp)
    H_i = at_least(storm(s.H, c.b_gyy, gyy, gyy_old), c.lam, v_i, xp)
    w_i = storm(s.w, c.b_gy, gy, gy_old)
    u = replaced(keep(c.b_fx, s.u) * s.u, i, u_i, xp)  # line 4
    v = replaced(keep(c.b_fy, s.v) * s.v, i, v_i, xp)  # line 5
    V = replaced(keep(c.b_gxy, s.V) * s.V, i, V_i, xp)  # line 6
    H = at_least(keep(c.b_gyy, s.H) * s.H, wide(c.lam, s.v), s.v, xp)
    H = replaced(H, i, H_i, xp)  # line 7
    w = replaced(keep(c.b_gy, s.w) * s.w, i, w_i, xp)  # line 8

    j = pick.index(p.shape[-1], 1, 1)  # line 10

    def z_j(u, v, V, H):
        return hypergradient(block(u, j, xp), block(v, j, xp), block(V, j, xp), block(H, j, xp), xp)

    z_old, z = z_j(s.u, s.v, s.V, s.H), z_j(u, v, V, H)  # lines 9, 11 and 12, at t and t + 1
    d = keep(c.b_d, s.d) * (s.d - z_old) + z  # line 13
    x = s.x - eta * c.gamma * d  # line 14
    rate = wide(eta, s.y)
    target = into_ball(s.y - wide(c.tau, s.y) * w, R, xp)
    return Blocks(x, s.x, (1.0 - rate) * s.y + rate * target, s.y, u, v, V, H, w, d)  # line 15

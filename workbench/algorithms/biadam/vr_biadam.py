"""VR-BiAdam: Algorithm 2 (L33; lines 8 and 9 from L101, L121), BiAdam with variance-reduced momentum.

As Algorithm 1, except that v and w are recursive: the same samples at the new and the old point, for (6) also the same
random length. The text of the listing breaks off after line 2. eta_t = k (m + t)^-1/3, alpha_(t+1) = c_1 eta_t^2,
beta_(t+1) = c_2 eta_t^2 (L53).

Theorem 2 bounds the mean of E calG_t for a convex X, Theorem 4 that of E|grad F(x_t)| for X = R^d.
"""

from typing import Any, NamedTuple

from workbench.algorithms.biadam.estimators import neumann, neumann_at_both
from workbench.algorithms.biadam.matrices import diagonal, first_sum, next_sum, scale, second_moment
from workbench.arrays.ops import column, power

TITLE = "VR-BiAdam"
SOURCE = "Algorithm 2, Eqs. (4)-(6), L29-33, L101, L121"


class State(NamedTuple):
    x: Any  # x_t, (runs, d)
    y: Any  # y_t, (runs, p)
    w: Any  # w_t, (runs, d)
    v: Any  # v_t, (runs, p)
    A: Any  # diagonal of A_t, (runs, d)
    b: Any  # b_t, (runs, 1)
    moment: Any  # w~_t of (4), (runs, d)
    total: Any  # the number behind b_t, (runs, 1)


class Steps(NamedTuple):
    gamma: Any
    lam: Any
    k: Any
    m: Any
    c_1: Any
    c_2: Any
    K: int  # terms of the Neumann sum, one number for the batch
    L_g: Any  # 1/theta of (6)
    rho: Any
    adapt_x: int = 0  # rule for A_t, one of `matrices`
    adapt_y: int = 0  # rule for b_t
    alpha: Any = 0.9  # of (4)
    beta: Any = 0.9  # of (5)
    b_0: Any = 1.0
    epsilon: Any = 0.0
    exponent: Any = 0.5  # of STORM's rule
    divisor: Any = 1.0
    b_low: Any = 0.0
    b_high: Any = 1e300


def init(start, c, oracle, draw, xp):
    """Line 2, and line 4 of iteration 1. Its samples are apart from those of line 7, iteration 1."""
    x, y = start["x"], start["y"]
    xi, zeta = draw(2), draw(3)
    v = oracle.grad_y_g(x, y, zeta)
    estimate = neumann(x, y, xi, c.K, 1.0 / c.L_g, oracle, xp)
    w = estimate.value
    moment = second_moment(c.adapt_x, xp.zeros_like(x), estimate, w, c.alpha)
    total = next_sum(c.adapt_y, column(first_sum(c.adapt_y, c.b_0), x, xp), v, c.beta, xp)
    return State(x, y, w, v, diagonal(moment, c.rho, xp), scale(c.adapt_y, total, c, xp), moment, total)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    eta = c.k * power(c.m + t, -1.0 / 3.0, xp)
    x_tilde = oracle.nearest_x(s.x - c.gamma * s.w / s.A, s.A)  # line 5
    x = s.x + eta * (x_tilde - s.x)
    y_tilde = oracle.nearest_y(s.y - c.lam * s.v / s.b)  # line 6
    y = s.y + eta * (y_tilde - s.y)
    xi, zeta = draw(0), draw(1)  # line 7: xi-bar_(t+1) and zeta_(t+1)
    alpha, beta = c.c_1 * eta**2, c.c_2 * eta**2  # alpha_(t+1), beta_(t+1)
    g_y = oracle.grad_y_g(x, y, zeta)
    v = g_y + (1.0 - alpha) * (s.v - oracle.grad_y_g(s.x, s.y, zeta))  # line 8
    again = xi  # the same sample at the old point, its random length included
    estimate, old = neumann_at_both((x, y, xi), (s.x, s.y, again), c.K, 1.0 / c.L_g, oracle, xp)
    w = estimate.value + (1.0 - beta) * (s.w - old.value)  # line 9
    moment = second_moment(c.adapt_x, s.moment, estimate, w, c.alpha)  # line 4 of t + 1: (4), (5)
    total = next_sum(c.adapt_y, s.total, g_y, c.beta, xp)
    return State(x, y, w, v, diagonal(moment, c.rho, xp), scale(c.adapt_y, total, c, xp), moment, total)

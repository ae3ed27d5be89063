"""VR-BiAdam: Algorithm 2 (L33; lines 8 and 9 from L101, L121), BiAdam with variance-reduced momentum.

As Algorithm 1, except that v and w are recursive: the same samples at the new and the old point, for (6) also the same
random length. The text of the listing breaks off after line 2. eta_t = k (m + t)^-1/3, alpha_(t+1) = c_1 eta_t^2,
beta_(t+1) = c_2 eta_t^2 (L53).

Theorem 2 bounds the mean of E calG_t for a convex X, Theorem 4 that of E|grad F(x_t)| for X = R^d.
"""

from workbench.ops import power

from .estimators import neumann_at_both
from .matrices import diagonal, next_sum, scale, second_moment
from .start import State, Steps, init

__all__ = ["State", "Steps", "init", "step"]

TITLE = "VR-BiAdam"
SOURCE = "Algorithm 2, Eqs. (4)-(6), L29-33, L101, L121"


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

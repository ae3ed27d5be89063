"""BiAdam: Algorithm 1 (L29), momentum on both levels and adaptive matrices.

x~ and y~ are generalized projections: argmin over X of <w, x> + (x - x_t)' A_t (x - x_t)/(2 gamma) is the point of X
nearest to x_t - gamma A_t^-1 w_t in the norm of A_t, which the oracle gives; on R^d it is that point itself. Both
updates use what index t has (no Gauss-Seidel). Line 4 of iteration t + 1 follows line 9 of iteration t, since it needs
the samples of line 7. eta_t = k (m + t)^-1/2, alpha_(t+1) = c_1 eta_t, beta_(t+1) = c_2 eta_t (L49).

Theorem 1 bounds the mean of E calG_t for a convex X, Theorem 3 that of E|grad F(x_t)| for X = R^d.
"""

from .estimators import neumann
from .matrices import diagonal, next_sum, scale, second_moment
from .start import State, Steps, init

__all__ = ["State", "Steps", "init", "step"]

TITLE = "BiAdam"
SOURCE = "Algorithm 1, Eqs. (4)-(6), L29"


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 1."""
    eta = c.k / xp.sqrt(c.m + t)
    x_tilde = oracle.nearest_x(s.x - c.gamma * s.w / s.A, s.A)  # line 5
    x = s.x + eta * (x_tilde - s.x)
    y_tilde = oracle.nearest_y(s.y - c.lam * s.v / s.b)  # line 6
    y = s.y + eta * (y_tilde - s.y)
    xi, zeta = draw(0), draw(1)  # line 7: xi-bar_(t+1) and zeta_(t+1)
    alpha, beta = c.c_1 * eta, c.c_2 * eta  # alpha_(t+1), beta_(t+1)
    g_y = oracle.grad_y_g(x, y, zeta)
    v = alpha * g_y + (1.0 - alpha) * s.v  # line 8
    estimate = neumann(x, y, xi, c.K, 1.0 / c.L_g, oracle, xp)
    w = beta * estimate.value + (1.0 - beta) * s.w  # line 9
    moment = second_moment(c.adapt_x, s.moment, estimate, w, c.alpha)  # line 4 of t + 1: (4), (5)
    total = next_sum(c.adapt_y, s.total, g_y, c.beta, xp)
    return State(x, y, w, v, diagonal(moment, c.rho, xp), scale(c.adapt_y, total, c, xp), moment, total)

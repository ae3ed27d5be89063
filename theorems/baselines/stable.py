"""STABLE: Chen, Sun, Xiao, Yin, AISTATS 2022: one time scale, recursive estimates of the Jacobian and the Hessian.

    V <- (1 - tau_t)(V - J(z_(t-1); zeta)) + J(z_t; zeta),  H likewise,  z = (x, y)
    x_(t+1) = x_t - alpha_t (f_x - V H^-1 f_y)
    y_(t+1) = y_t - beta_t g_y - H^-1 V' (x_(t+1) - x_t)

with J = grad^2_xy g, the same V and H in both lines, and plain gradients. alpha_t, beta_t and tau_t fall as
(m + t)^-1/2; a weight is at most 1. Recursion and steps are confirmed by github JunjieYang97/MRVRBO; O(eps^-4) is
claimed. Here for lower problems that are sums over rows of data, where V and H are vectors over the rows and f_x = 0
(see `estimators.row_wise`); systems take K steps of conjugate gradients. The projections of V and
H are replaced as there. The first estimates are plain.
"""

import workbench as wb
from workbench.ops import minimum, tasksum

from .estimators.row_wise import first, into_jacobian_ball, solve, wide

TITLE = "STABLE"
SOURCE = "arXiv 2102.04671"
LABEL = "C"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}, (runs, n)
    "y",  # y_t, (runs, m, d')
    "y_old",  # y_{t-1}, (runs, m, d')
    "nu",  # of d2g_i/dxdy, (runs, m, n)
    "h",  # of d2g_i/dydy, (runs, m, n)
)
Steps = wb.steps("alpha", "beta", "tau", "m", "lam", "K")  # K: steps of conjugate gradients


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and estimates of one minibatch."""
    x, y = start["x"], oracle.stack(start["y"])
    _, nu, h, _ = first(x, y, 1, oracle, draw(2), draw(3), xp)
    return State(x, x, y, y, nu, h)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: two gradients, Jacobian and Hessian of a minibatch at two points, 2 K + 2 products with V or H."""
    rate = 1.0 / xp.sqrt(c.m + t)
    keep = wide(1.0 - minimum(c.tau * rate, 1.0, xp), s.y)
    _, f_y = oracle.grad_f(s.x, s.y, draw(0))
    g_y, nu, h, _, nu_old, h_old, rows = oracle.lower_at_both(s.x, s.y, s.x_old, s.y_old, draw(1))
    nu = keep * s.nu + oracle.scatter_rows(rows, nu - keep * nu_old)
    nu = into_jacobian_ball(nu, oracle.radii()[1], oracle, xp)
    h = keep * s.h + oracle.scatter_rows(rows, h - keep * h_old)
    z = -tasksum(oracle.times_jacobian(nu, solve(h, f_y, c.lam, c.K, oracle.times_hessian, xp)), xp)
    x = s.x - c.alpha * rate * z
    back = oracle.jacobian_times(nu, x - s.x)
    shift = solve(h, back, c.lam, c.K, oracle.times_hessian, xp)
    return State(x, s.x, s.y - wide(c.beta * rate, s.y) * g_y - shift, s.y, nu, h)

"""SVRB (Algorithm 1, L138-150) for lower problems that are sums over rows of data, as in Figure 1.

The iteration is that of `svrb`, with u = 0 left out, since the upper objective does not depend on x directly, V and H
as vectors over the rows (`baselines.estimators.row_wise`), and H^-1 v by K steps of conjugate gradients (L795). y is a
stack of m lower problems, all of which are sampled; the paper has m = 1. eta_t = tau_t = c/(c_0 + t)^(1/3), and every
beta_t = b eta_(t-1)^2 (L795).
"""

import workbench as wb
from workbench.ops import into_ball, maximum, power, tasksum

from ...baselines.estimators.row_wise import first, into_jacobian_ball, solve, wide

TITLE = "SVRB"
SOURCE = "Algorithm 1, L138-150; settings L795"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}, (runs, n)
    "y",  # y_t, (runs, m, d')
    "y_old",  # y_{t-1}, (runs, m, d')
    "v",  # of grad_y f_i, (runs, m, d')
    "nu",  # of d2g_i/dxdy, (runs, m, n)
    "h",  # of d2g_i/dydy, (runs, m, n)
    "w",  # of grad_y g_i, (runs, m, d')
)
# K: steps of conjugate gradients; a: decay of the steps; S: minibatches of the first estimates
Steps = wb.steps("gamma", "tau", "c", "c_0", "b", "lam", "K", a=1.0 / 3.0, S=1)


def init(start, c, oracle, draw, xp):
    """x_0, y_0 and the means of S minibatches of each estimator at this point."""
    x, y = start["x"], oracle.stack(start["y"])
    v, nu, h, w = first(x, y, c.S, oracle, draw(2), draw(3), xp)
    return State(x, x, y, y, v, nu, h, w)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 1."""
    t = t - 1.0  # the loop's t = 0, 1, 2, ...
    eta = c.c / power(c.c_0 + t, c.a, xp)  # eta_t = tau_t
    eta_old = c.c / power(c.c_0 + maximum(t - 1.0, 0.0, xp), c.a, xp)
    keep = wide(1.0 - c.b * eta_old**2, s.y)
    C_fy, C_gxy, _ = oracle.radii()
    fy, fy_old = oracle.upper_at_both(s.y, s.y_old, draw(0))
    gy, nu, h, gy_old, nu_old, h_old, rows = oracle.lower_at_both(s.x, s.y, s.x_old, s.y_old, draw(1))
    v = into_ball(keep * (s.v - fy_old) + fy, C_fy, xp)  # line 4
    nu = keep * s.nu + oracle.scatter_rows(rows, nu - keep * nu_old)
    nu = into_jacobian_ball(nu, C_gxy, oracle, xp)  # line 5
    h = keep * s.h + oracle.scatter_rows(rows, h - keep * h_old)  # line 6
    w = keep * (s.w - gy_old) + gy  # line 7
    z = -tasksum(oracle.times_jacobian(nu, solve(h, v, c.lam, c.K, oracle.times_hessian, xp)), xp)  # line 8
    x = s.x - eta * c.gamma * z / float(oracle.sizes()[1])  # line 9
    return State(x, s.x, s.y - wide(eta * c.tau, s.y) * w, s.y, v, nu, h, w)  # line 10

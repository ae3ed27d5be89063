"""RE-RSVRB (Algorithms 2 and 3) with N tasks per iteration, for lower problems that are sums over rows of data.

As in Figure 2 (L826): N tasks are drawn without repetition, task i with probability q_i = N p_i, and their blocks are
updated with the weight 1/q_i; for N = 1 this is Algorithm 2. The blocks of the others are multiplied by 1 - beta. d is
updated with the mean of z_j over N tasks j that are drawn on their own, all with the same probability. u = 0 is left
out, V and H are vectors over the rows (`baselines.estimators.row_wise`), and H^-1 v takes K steps of conjugate
gradients.

Stage k = 1, 2, ... has 2^(k-1) T_1 iterations with eta_k = eta_1 2^(-(k-1)/2) and hands on its last state, where
Algorithm 3 hands on its state at a random time (as `re_rsvrb` with ``last`` = 1). Every beta is b eta_k^2.
"""

import workbench as wb
from workbench.ops import into_ball, maximum, power, rows_at, tasksum

from ...baselines.estimators.row_wise import first, into_jacobian_ball, solve, wide
from .rows import at_tasks, decay, systematic

TITLE = "RE-RSVRB"
SOURCE = "Algorithms 2 and 3, L210-227, L270-276; settings L826"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}, (runs, n)
    "y",  # y_{i,t}, (runs, m, d')
    "y_old",  # y_{i,t-1}, (runs, m, d')
    "v",  # of grad_y f_i, (runs, m, d')
    "nu",  # of d2g_i/dxdy, (runs, m, n)
    "h",  # of d2g_i/dydy, (runs, m, n)
    "w",  # of grad_y g_i, (runs, m, d')
    "d",
)
# c: eta_1; K: steps of conjugate gradients; S: minibatches per task of the first estimates
Steps = wb.steps("gamma", "tau", "c", "b", "b_d", "lam", "T_1", "K", S=1)


def init(start, c, oracle, draw, xp):
    """x_0, y_(i,0), first estimates of all tasks, and d, the mean of the z_i."""
    x, y = start["x"], oracle.stack(start["y"])
    v, nu, h, w = first(x, y, c.S, oracle, draw(3), draw(4), xp)
    z = -oracle.times_jacobian(nu, solve(h, v, c.lam, c.K, oracle.times_hessian, xp))
    return State(x, x, y, y, v, nu, h, w, tasksum(z, xp) / float(oracle.sizes()[1]))


def step(s, t, c, oracle, draw, xp):
    """Iteration t, counted over all stages."""
    stage = xp.floor(xp.log2((t - 1.0) / maximum(c.T_1, 1.0, xp) + 1.0) + 1e-9)  # k - 1
    eta = c.c * power(xp.asarray(2.0), -stage / 2.0, xp)
    keep = wide(1.0 - c.b * eta**2, s.y)
    _, m, N = oracle.sizes()
    C_fy, C_gxy, R = oracle.radii()
    q, prefix = oracle.inclusion()
    pick = draw(0)
    i = systematic(pick.uniform(1, 0), prefix, N, xp)
    j = xp.astype(xp.floor((pick.uniform(1, 1) + xp.astype(xp.arange(N), xp.float64)) * (m / N)), xp.int64)
    weight = 1.0 / rows_at(q, i, xp)[..., None]

    def of(a):
        return at_tasks(a, i, xp)

    def radius(C):  # (runs, N, 1), of the tasks i
        return rows_at(C[:, 0], i, xp)[..., None]

    y, y_old = of(s.y), of(s.y_old)
    fy, fy_old = oracle.upper_of(i, y, y_old, draw(1))
    gy, nu_i, h_i, gy_old, nu_old, h_old, rows = oracle.lower_of(i, s.x, y, s.x_old, y_old, draw(2))
    v_i = into_ball(keep * (of(s.v) - weight * fy_old) + weight * fy, radius(C_fy), xp)
    w_i = keep * (of(s.w) - weight * gy_old) + weight * gy
    nu_i = keep * of(s.nu) + oracle.scatter_rows(rows, weight * (nu_i - keep * nu_old))
    nu_i = into_jacobian_ball(nu_i, radius(C_gxy), oracle, xp)
    h_i = keep * of(s.h) + oracle.scatter_rows(rows, weight * (h_i - keep * h_old))
    v, w = decay(s.v, keep, i, v_i, xp), decay(s.w, keep, i, w_i, xp)
    nu, h = decay(s.nu, keep, i, nu_i, xp), decay(s.h, keep, i, h_i, xp)

    def z_of(v, nu, h):  # the mean over the tasks j
        v, nu, h = (at_tasks(a, j, xp) for a in (v, nu, h))
        inverse = solve(h, v, c.lam, c.K, oracle.hessian_of, xp)
        return -tasksum(oracle.jacobian_of(nu, inverse), xp) / float(N)

    d = (1.0 - c.b_d * eta**2) * (s.d - z_of(s.v, s.nu, s.h)) + z_of(v, nu, h)
    rate = wide(eta, s.y)
    target = into_ball(s.y - wide(c.tau, s.y) * w, R, xp)
    return State(s.x - eta * c.gamma * d, s.x, (1.0 - rate) * s.y + rate * target, s.y, v, nu, h, w, d)

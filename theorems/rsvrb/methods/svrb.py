"""SVRB: Algorithm 1 (L138-150), one lower-level problem.

min_x f(x, y*(x)) with y*(x) = argmin_y g(x, y): STORM estimators of grad_x f, grad_y f, d2g/dxdy, d2g/dydy and
grad_y g, whose old and new points share the sample. Lines 5 and 6 lack a parenthesis: they are read as
(1 - beta)(V_t - old) + new, like the other lines (the other reading lets V tend to 0). The printed loop starts at t = 1
with estimators of index 0 only; here it starts at t = 0 with x_(-1) = x_0, y_(-1) = y_0 and a mini-batch of S samples
for the first estimators. beta of iteration t is b eta_(t-1)^2; at t = 0 it has eta_0.

Theorem 1 (L160-164) bounds the mean of |grad F(x_t)|^2, with eta_t = tau_t = c/(c_0 + t)^(1/3).
"""

import workbench as wb
from workbench.ops import into_ball, loop, maximum, power

from ...baselines.estimators.row_wise import wide
from .matrices import at_least, hypergradient, into_spectral_ball

TITLE = "SVRB"
SOURCE = "Algorithm 1, L138-150"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}
    "y",  # y_t, (runs, d')
    "y_old",  # y_{t-1}, (runs, d')
    "u",  # u_t, estimate of grad_x f(x_{t-1}, y_{t-1})
    "v",  # v_t, of grad_y f, (runs, d')
    "V",  # V_t, of d2g/dxdy, (runs, d, d') or its diagonal
    "H",  # H_t, of d2g/dydy, (runs, d', d') or its diagonal
    "w",  # w_t, of grad_y g, (runs, d')
)
# a: decay of the steps; S: samples of the first mini-batch, one number for the batch
Steps = wb.steps(
    "gamma", "tau", "c", "c_0", "b_fx", "b_fy", "b_gxy", "b_gyy", "b_gy", "C_fy", "C_gxy", "lam", a=1.0 /
    3.0, S=1,
)  # fmt: skip


def init(start, c, oracle, draw, xp):
    """x_0, y_0 and the means of S samples of each estimator at this point."""
    x, y = start["x"], start["y"]
    xi, zeta = draw(2), draw(3)

    def add(k, sums):
        new = (*oracle.upper(x, y, xi, k), *oracle.lower(x, y, zeta, k))
        return tuple(a + b for a, b in zip(sums, new, strict=True))

    first = (*oracle.upper(x, y, xi, 0), *oracle.lower(x, y, zeta, 0))
    sums = loop(c.S - 1, lambda k, sums: add(k + 1, sums), first, xp)
    u, v, w, V, H = (a / float(c.S) for a in sums)
    return State(x, x, y, y, u, v, V, H, w)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 1."""
    t = t - 1.0  # the loop's t = 0, 1, 2, ...
    xi, zeta = draw(0), draw(1)
    eta = c.c / power(c.c_0 + t, c.a, xp)  # eta_t = tau_t
    eta_old = c.c / power(c.c_0 + maximum(t - 1.0, 0.0, xp), c.a, xp)
    fx, fy = oracle.upper(s.x, s.y, xi, 0)
    fx_old, fy_old = oracle.upper(s.x_old, s.y_old, xi, 0)
    gy, gxy, gyy = oracle.lower(s.x, s.y, zeta, 0)
    gy_old, gxy_old, gyy_old = oracle.lower(s.x_old, s.y_old, zeta, 0)
    u = (1.0 - c.b_fx * eta_old**2) * (s.u - fx_old) + fx  # line 3
    v = into_ball((1.0 - c.b_fy * eta_old**2) * (s.v - fy_old) + fy, c.C_fy, xp)  # line 4
    V = (1.0 - wide(c.b_gxy * eta_old**2, s.V)) * (s.V - gxy_old) + gxy
    V = into_spectral_ball(V, c.C_gxy, v, xp)  # line 5
    H = (1.0 - wide(c.b_gyy * eta_old**2, s.H)) * (s.H - gyy_old) + gyy
    H = at_least(H, c.lam, v, xp)  # line 6
    w = (1.0 - c.b_gy * eta_old**2) * (s.w - gy_old) + gy  # line 7
    z = hypergradient(u, v, V, H, xp)  # line 8
    x = s.x - eta * c.gamma * z  # line 9
    y = s.y - eta * c.tau * w  # line 10
    return State(x, s.x, y, s.y, u, v, V, H, w)

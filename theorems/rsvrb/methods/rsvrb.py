"""RSVRB: Algorithm 2 (L210-227), one of m lower-level problems per iteration; the iteration is in `blocks`.

min_x (1/m) sum f_i(x, y_i*(x)) with y_i*(x) = argmin_y g_i(x, y). eta_t = tau_t = c/(c_0 + t)^a for t = 0, 1, ...;
every beta of iteration t is b eta_(t-1)^2 (at t = 0, where old and new point agree, with eta_0). Theorem 2 (L250-254)
has a = 0. The loop starts as in `svrb`. The listing has xi where w needs zeta, and f where v needs f_i.
"""

import workbench as wb
from workbench.ops import maximum, power

from .blocks import Blocks, first, iterate

TITLE = "RSVRB"
SOURCE = "Algorithm 2, L210-227"
State = Blocks
# a: decay of the steps; mix: p = (1 - mix)/m + mix q, q the weights of the tasks; S: samples per task of the first
# mini-batch, one number for the batch
Steps = wb.steps(
    "gamma", "tau", "c", "b_fx", "b_fy", "b_gxy", "b_gyy", "b_gy", "b_d", "lam", c_0=1.0, a=0.0, mix=0.0,
    S=1,
)  # fmt: skip


def init(start, c, oracle, draw, xp):
    """x_0, y_(i,0) and the first estimators, with d the mean of the z_i."""
    return first(start, c.S, oracle, draw, xp)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    t = t - 1.0  # the loop's t = 0, 1, 2, ...
    eta = c.c / power(c.c_0 + t, c.a, xp)
    eta_old = c.c / power(c.c_0 + maximum(t - 1.0, 0.0, xp), c.a, xp)
    return iterate(s, eta, eta_old, c, oracle, draw, xp)

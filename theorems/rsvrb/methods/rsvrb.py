"""RSVRB: Algorithm 2 (L210-227), one of m lower-level problems per iteration; the iteration is in `blocks`.

min_x (1/m) sum f_i(x, y_i*(x)) with y_i*(x) = argmin_y g_i(x, y). eta_t = tau_t = c/(c_0 + t)^a for t = 0, 1, ...;
every beta of iteration t is b eta_(t-1)^2 (at t = 0, where old and new point agree, with eta_0). Theorem 2 (L250-254)
has a = 0. The loop starts as in `svrb`. The listing has xi where w needs zeta, and f where v needs f_i.
"""

from typing import Any, NamedTuple

from workbench.arrays.ops import maximum, power

from .blocks import Blocks, first, iterate

TITLE = "RSVRB"
SOURCE = "Algorithm 2, L210-227"
State = Blocks


class Steps(NamedTuple):
    gamma: Any
    tau: Any
    c: Any
    b_fx: Any
    b_fy: Any
    b_gxy: Any
    b_gyy: Any
    b_gy: Any
    b_d: Any
    lam: Any
    c_0: Any = 1.0
    a: Any = 0.0  # decay of the steps
    mix: Any = 0.0  # p = (1 - mix)/m + mix q, q the weights of the tasks
    S: int = 1  # samples per task of the first mini-batch, one number for the batch


def init(start, c, oracle, draw, xp):
    """x_0, y_(i,0) and the first estimators, with d the mean of the z_i."""
    return first(start, c.S, oracle, draw, xp)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    t = t - 1.0  # the loop's t = 0, 1, 2, ...
    eta = c.c / power(c.c_0 + t, c.a, xp)
    eta_old = c.c / power(c.c_0 + maximum(t - 1.0, 0.0, xp), c.a, xp)
    return iterate(s, eta, eta_old, c, oracle, draw, xp)

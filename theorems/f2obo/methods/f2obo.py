"""F2OBO: Algorithm 1 (L152-167). Round t plays x_t, then sees f_t and g_t. No second derivatives are used.

z follows argmin_y g_t(x_t, y) and y follows argmin_y f_t + lambda_t g_t; their difference in grad_x g gives the upper
direction. Both inner sequences are warm-started and independent of each other. Sequences: beta_t = beta t^-b,
gamma_t = gamma t^-p, K_t of `rounds.growing`.

Theorem 3.1 (L168-176) bounds the bilevel local regret of the double loop, Theorem 3.2 (L184-194) that of the single
loop, K_t = 1 (F2OBO-SL, section 3.2).
"""

import workbench as wb
from workbench.ops import column, loop, power

from .rounds import growing

TITLE = "F2OBO"
SOURCE = "Algorithm 1, L152-167; single loop section 3.2, L180-194"
State = wb.state("x", "y", "z", "lam")  # lam: lambda_t, (runs, 1)
# lam: lambda_1; K: least number of inner steps, the number itself where K_0 = K_log = 0
Steps = wb.steps("alpha", "beta", "b", "lam", "tau", "gamma", "p", "K", "K_0", "K_log")


def init(start, c, oracle, draw, xp):
    """Input of the listing: x_1, y_1, z_1 and lambda_1."""
    x = start["x"]
    return State(x, start["y"], start["z"], column(c.lam, x, xp))


def step(s, t, c, oracle, draw, xp):
    """Round t of Algorithm 1."""
    beta = c.beta * power(t, -c.b, xp)
    gamma = c.gamma * power(t, -c.p, xp)
    K = growing(t, c.K, c.K_0, c.K_log, xp)

    def inner(k, yz):  # lines 5 and 6, both from the values of step k
        y, z = yz
        z_next = z - c.alpha * oracle.grad_y_g(t, s.x, z)
        y_next = y - beta * (oracle.grad_y_f(t, s.x, y) + s.lam * oracle.grad_y_g(t, s.x, y))
        return y_next, z_next

    y, z = loop(K, inner, (s.y, s.z), xp)  # lines 3-8, warm start
    h = oracle.grad_x_f(t, s.x, y) + s.lam * (
        oracle.grad_x_g(t, s.x, y) - oracle.grad_x_g(t, s.x, z)
    )  # line 9
    x = oracle.project(s.x - gamma * h)  # line 10
    lam = power(1.0 + 1.0 / t, c.tau, xp) * s.lam  # line 11
    return State(x, y, z, lam)

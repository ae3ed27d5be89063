"""The practical variant of Ada-Minimax used in section 6.2 (L254-256). No theorem covers it.

The second sample is replaced by the gradient of the previous iteration, |g_{x,k} - g_{x,k-1}|^2. The step of x is
eta_x sqrt(alpha'_t): the paper's eta_x sqrt(alpha'_t) / sqrt(T) with eta_x / sqrt(T) renamed eta_x. The paper does not
define g_{x,0}; here g_{x,0} := g_{x,1}, which drops the term k = 1.
"""

import workbench as wb
from workbench.ops import column, sq, unit

TITLE = "Ada-Minimax (practical)"
SOURCE = "section 6.2, L254-256"
State = wb.state(
    "x",
    "y",
    "m",  # m_{t-1}, m_1 before the first iteration
    "g_x",  # g_{x,t-1}, g_{x,1} before the first iteration
    "S_x",  # sum_{k<t} |g_{x,k} - g_{x,k-1}|^2, (runs, 1)
    "S_y",  # sum_{k<t} |g_{y,k}|^2, (runs, 1)
)
Steps = wb.steps("eta_x", "eta_y", "alpha", "gamma")


def init(start, c, oracle, draw, xp):
    """x_1, y_1, m_1 = g_{x,1} and g_{x,0} := g_{x,1}, with the xi_1 that iteration 1 uses."""
    x, y = start["x"], start["y"]
    g_x, _ = oracle.grad(x, y, draw(0))
    zero = column(0.0, x, xp)
    return State(x, y, g_x, g_x, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: one sample, two gradients."""
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    S_x, S_y = s.S_x + sq(g_x - s.g_x, xp), s.S_y + sq(g_y, xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + S_x)
    ap = c.alpha / xp.sqrt(c.alpha**2 + S_x + S_y)
    eta_y = c.eta_y / xp.sqrt(c.gamma**2 + S_y)
    m = (1 - a) * s.m + a * g_x
    x = s.x - c.eta_x * xp.sqrt(ap) * unit(m, xp)
    y = s.y + eta_y * g_y
    return State(x, y, m, g_x, S_x, S_y)

"""Ada-Minimax: Algorithm 1 with the parameters of Eqs. (3)-(4) (section 4.2, L94-111).

min_x max_y f(x, y): Ada-NSGDM on x, AdaGrad-Norm ascent on y. The momentum uses alpha_t. The step of x uses alpha'_t,
whose sum also contains |g_y|^2. (The parentheses around the two summands are missing in print; Eq. (32), L727, sums
both over k.) Both updates start from (x_t, y_t).

Theorem 4.1 bounds the mean gradient norm of max_y f with high probability, at rate T^-1/2 without noise and T^-1/4
with noise. It sets eta_x = eta_y.
"""

import workbench as wb
from workbench.ops import column, sq, unit

TITLE = "Ada-Minimax"
SOURCE = "Algorithm 1, Eqs. (3)-(4), L94-111"
# m: m_{t-1}, m_1 before the first iteration; S_x: sum_{k<t} |g_{x,k} - g~_{x,k}|^2, (runs, 1); S_y: sum_{k<t}
# |g_{y,k}|^2, (runs, 1)
State = wb.state("x", "y", "m", "S_x", "S_y")
Steps = wb.steps("eta_x", "eta_y", "alpha", "gamma")


def init(start, c, oracle, draw, xp):
    """Input of the listing: x_1, y_1 and m_1 = grad_x F(x_1, y_1; xi_1), with the xi_1 that iteration 1 uses."""
    x, y = start["x"], start["y"]
    m, _ = oracle.grad(x, y, draw(0))
    zero = column(0.0, x, xp)
    return State(x, y, m, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 1."""
    xi, xi2 = draw(0), draw(1)  # xi_t and xi'_t, independent
    g_x, g_y = oracle.grad(s.x, s.y, xi)
    g2_x = oracle.grad_x(s.x, s.y, xi2)  # g~_x: same point, second sample
    S_x, S_y = s.S_x + sq(g_x - g2_x, xp), s.S_y + sq(g_y, xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + S_x)  # (3) alpha_t = 1 - beta_t
    ap = c.alpha / xp.sqrt(c.alpha**2 + S_x + S_y)  # (3) alpha'_t
    eta_x = c.eta_x * xp.sqrt(ap) / xp.sqrt(t)  # (4)
    eta_y = c.eta_y / xp.sqrt(c.gamma**2 + S_y)  # (4)
    m = (1 - a) * s.m + a * g_x  # line 3
    x = s.x - eta_x * unit(m, xp)  # line 4
    y = s.y + eta_y * g_y  # line 5
    return State(x, y, m, S_x, S_y)

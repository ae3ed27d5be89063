"""Ada-NSGDM: Algorithm 3 with the parameters of Eq. (5) (section 5.1, L152-170).

Normalized SGD with momentum, min_x f(x) = E F(x; xi). The momentum weight alpha_t = 1 - beta_t follows a running
estimate of the noise, which compares two independent samples at the same point. Its sum runs to t: alpha_t contains the
difference of the current iteration. The listing takes m_1 = grad F(x_1; xi_1) as input, so line 3 gives m_1 again at
t = 1. A zero momentum moves along the first basis vector (0/0 := 1, L82).

Theorem 5.6 bounds the mean gradient norm with high probability, at rate T^-1/2 without noise and T^-1/4 with noise.
"""

import workbench as wb
from workbench.ops import column, sq, unit

TITLE = "Ada-NSGDM"
SOURCE = "Algorithm 3, Eq. (5), L152-170"
# m: m_{t-1}, m_1 before the first iteration; S: sum_{k<t} |g_k - g~_k|^2, (runs, 1)
State = wb.state("x", "m", "S")
Steps = wb.steps("eta", "alpha")


def init(start, c, oracle, draw, xp):
    """Input of the listing: x_1 and m_1 = grad F(x_1; xi_1), with the xi_1 that iteration 1 uses."""
    x = start["x"]
    return State(x, oracle.grad(x, draw(0)), column(0.0, x, xp))


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 3."""
    xi, xi2 = draw(0), draw(1)  # xi_t and xi'_t, independent
    g = oracle.grad(s.x, xi)
    g2 = oracle.grad(s.x, xi2)  # g~_t: same point, second sample
    S = s.S + sq(g - g2, xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + S)  # (5) alpha_t = 1 - beta_t
    eta = c.eta * xp.sqrt(a) / xp.sqrt(t)  # (5) eta_t
    m = (1 - a) * s.m + a * g  # line 3
    x = s.x - eta * unit(m, xp)  # line 4
    return State(x, m, S)

"""Ada-BiO: Algorithm 2 with the parameters of Eqs. (3)-(4) and the Neumann estimate (36)-(37) (L124-142, L842-860).

min_x f(x, y*(x)) with y*(x) = argmin_y g(x, y): Algorithm 1 with descent on g in y. g_x and g~_x are two independent
Neumann estimates of the hypergradient. The paper does not say whether the sample zeta_t of grad_y G is shared with the
estimate; a fresh one is taken.

Theorem 4.2 bounds the mean hypergradient norm with high probability, at rate T^-1/2 without noise and T^-1/4 with
noise. It sets eta_x = eta_y.
"""

import workbench as wb
from workbench.ops import column, sq, unit

from ...baselines.estimators.neumann import neumann

TITLE = "Ada-BiO"
SOURCE = "Algorithm 2, Eqs. (3)-(4), (36)-(37), L124-142, L842-860"
# m: m_{t-1}, m_1 before the first iteration; S_x: sum_{k<t} |g_{x,k} - g~_{x,k}|^2, (runs, 1); S_y: sum_{k<t}
# |g_{y,k}|^2, (runs, 1)
State = wb.state("x", "y", "m", "S_x", "S_y")
# N: terms of the Neumann series, one number for the batch; l_g1: smoothness of g, scales the series
Steps = wb.steps("eta_x", "eta_y", "alpha", "gamma", "N", "l_g1")


def init(start, c, oracle, draw, xp):
    """Input of the listing: x_1, y_1 and m_1, the estimate with the samples that iteration 1 uses."""
    x, y = start["x"], start["y"]
    m = neumann(x, y, draw(0), c.N, c.l_g1, oracle, xp)
    zero = column(0.0, x, xp)
    return State(x, y, m, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    xi, xi2, zeta = draw(0), draw(1), draw(2)  # xi-bar_t, xi-bar'_t and zeta_t, independent
    g_x = neumann(s.x, s.y, xi, c.N, c.l_g1, oracle, xp)
    g2_x = neumann(s.x, s.y, xi2, c.N, c.l_g1, oracle, xp)  # g~_x: same point, second set of samples
    g_y = oracle.grad_y_g(s.x, s.y, zeta)
    S_x, S_y = s.S_x + sq(g_x - g2_x, xp), s.S_y + sq(g_y, xp)
    a = c.alpha / xp.sqrt(c.alpha**2 + S_x)  # (3) alpha_t = 1 - beta_t
    ap = c.alpha / xp.sqrt(c.alpha**2 + S_x + S_y)  # (3) alpha'_t
    eta_x = c.eta_x * xp.sqrt(ap) / xp.sqrt(t)  # (4)
    eta_y = c.eta_y / xp.sqrt(c.gamma**2 + S_y)  # (4)
    m = (1 - a) * s.m + a * g_x  # line 3
    x = s.x - eta_x * unit(m, xp)  # line 4
    y = s.y - eta_y * g_y  # line 5
    return State(x, y, m, S_x, S_y)

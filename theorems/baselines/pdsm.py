"""PDSM: Guo, Xu, Yin, Jin, Yang, arXiv 2104.14840 (Machine Learning 114(4), 2025), primal-dual with moving averages.

min_x max_y f(x, y): x follows a moving average of its gradients, with "no large batch, no double loop" (abstract). How
the 2025 version updates y could not be checked, so one formula covers both forms: beta_y = 1 is plain stochastic ascent
(the default of this project's figures), and beta_y < 1 averages g_y as well. Both updates start from (x_t, y_t).

The paper claims O(eps^-4) gradients (general knowledge).
"""

import workbench as wb

TITLE = "PDSM"
SOURCE = "arXiv 2104.14840"
LABEL = "P"
# m: average of g_x up to t - 1, g_{x,1} before the first iteration; u: average of g_y up to t - 1, g_{y,1} before
# the first iteration
State = wb.state("x", "y", "m", "u")
# beta_x: weight of the new g_x; beta_y: weight of the new g_y, 1: plain ascent
Steps = wb.steps("eta_x", "eta_y", "beta_x", "beta_y")


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and the averages at the first gradients, with the sample that iteration 1 uses."""
    x, y = start["x"], start["y"]
    g_x, g_y = oracle.grad(x, y, draw(0))
    return State(x, y, g_x, g_y)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: the averages contain the current gradients before they are used."""
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    m = (1 - c.beta_x) * s.m + c.beta_x * g_x
    u = (1 - c.beta_y) * s.u + c.beta_y * g_y
    return State(s.x - c.eta_x * m, s.y + c.eta_y * u, m, u)

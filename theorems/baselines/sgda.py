"""SGDA: Lin, Jin, Jordan, "On gradient descent ascent for nonconvex-concave minimax problems", ICML 2020.

min_x max_y f(x, y): stochastic gradient descent on x and ascent on y with constant steps, both from (x_t, y_t). The
rule is common knowledge; the listing was not read.

Theory takes eta_y of order 1/L and eta_x of order 1/(kappa^2 L), and gives O(kappa^3 eps^-4) gradients.
"""

import workbench as wb

TITLE = "SGDA"
SOURCE = "arXiv 1906.00331"
LABEL = "GK"
State = wb.state("x", "y")
Steps = wb.steps("eta_x", "eta_y")


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: one sample, two partial gradients."""
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    return State(s.x - c.eta_x * g_x, s.y + c.eta_y * g_y)

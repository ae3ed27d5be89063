"""SMB: Guo, Xu, Yin, Jin, Yang, arXiv 2104.14840: a moving average of hypergradient estimates for x, a step on y.

    m <- (1 - eta) m + eta est(x_t, y_t),  x_(t+1) = x_t - alpha m,  y_(t+1) = y_t - beta g_y(x_t, y_t)

Constant steps and weight, estimator HIA, first average plain. No public listing could be read: the rule is general
knowledge.
"""

import workbench as wb

from .estimators.truncated import hia

TITLE = "SMB"
SOURCE = "arXiv 2104.14840"
LABEL = "GK"
State = wb.state("x", "y", "m")  # m: average up to t - 1
Steps = wb.steps("alpha", "beta", "eta", "K", "theta")  # K: terms of the estimator


def init(start, c, oracle, draw, xp):
    """x_1, y_1, and an average that iteration 1 replaces."""
    x = start["x"]
    return State(x, start["y"], xp.zeros_like(x))


def step(s, t, c, oracle, draw, xp):
    """Iteration t: three gradients, (K - 1)/2 Hessian- (on average) and one Jacobian-vector product."""
    eta = xp.where(t > 1.0, c.eta, 1.0)
    m = (1.0 - eta) * s.m + eta * hia(s.x, s.y, draw(0), c.K, c.theta, oracle, xp).value
    y = s.y - c.beta * oracle.grad_y_g(s.x, s.y, draw(1))
    return State(s.x - c.alpha * m, y, m)

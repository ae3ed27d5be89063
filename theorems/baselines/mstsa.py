"""MSTSA: Khanduri et al., arXiv 2102.07367, first version: momentum on x alone, a plain gradient step on y before it.

    y_(t+1) = y_t - beta_t g_y(x_t, y_t),  h_t = est(x_t, y_(t+1)) + (1 - eta) (h_(t-1) - est(x_(t-1), y_t)),
    x_(t+1) = x_t - alpha_t h_t

with the same sample in both estimates (HIA). Steps alpha_t = alpha (t + 1)^-1/2, beta_t = beta (t + 1)^-1/2 and the
constant weight eta are those of github JunjieYang97/stocBiO; there the memory of one script stays 0, here it does not.
At t = 1 the estimate is plain.
"""

import workbench as wb

from .estimators.truncated import hia

TITLE = "MSTSA"
SOURCE = "arXiv 2102.07367v1"
LABEL = "C"
State = wb.state("x", "y", "h", "x_old")  # h: h_(t-1); x_old: x_(t-1)
Steps = wb.steps("alpha", "beta", "eta", "K", "theta")  # K: terms of the estimator


def init(start, c, oracle, draw, xp):
    """x_1, y_1, and a direction that iteration 1 replaces."""
    x = start["x"]
    return State(x, start["y"], xp.zeros_like(x), x)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: five gradients, K - 1 Hessian- (on average) and two Jacobian-vector products."""
    xi, zeta = draw(0), draw(1)
    rate = 1.0 / xp.sqrt(t + 1.0)
    keep = xp.where(t > 1.0, 1.0 - c.eta, 0.0)
    y = s.y - c.beta * rate * oracle.grad_y_g(s.x, s.y, zeta)
    new, old = (hia(*z, xi, c.K, c.theta, oracle, xp).value for z in ((s.x, y), (s.x_old, s.y)))
    h = new + keep * (s.h - old)
    return State(s.x - c.alpha * rate * h, y, h, s.x)

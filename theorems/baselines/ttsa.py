"""TTSA: Hong, Wai, Wang, Yang, SIAM J. Optim. 33 (2023): two time scales, y before x, estimator HIA.

    y_(k+1) = y_k - beta_k g_y(x_k, y_k),  x_(k+1) = x_k - alpha_k est(x_k, y_(k+1))

alpha_k = alpha (m + k)^-3/5, beta_k = beta (m + k)^-2/5 for a nonconvex objective; the claimed mean square falls as
T^-2/5. Order and exponents are confirmed by github
benchopt/benchmark_bilevel; other exponents can be given. X = R^d: no projection.
"""

import workbench as wb
from workbench.ops import power

from .estimators.truncated import hia

TITLE = "TTSA"
SOURCE = "arXiv 2007.05170"
LABEL = "C"
State = wb.state("x", "y")
# K: terms of the estimator; a: decay of alpha; b: of beta
Steps = wb.steps("alpha", "beta", "m", "K", "theta", a=0.6, b=0.4)


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: three gradients, (K - 1)/2 Hessian- (on average) and one Jacobian-vector product."""
    y = s.y - c.beta * power(c.m + t, -c.b, xp) * oracle.grad_y_g(s.x, s.y, draw(1))
    h = hia(s.x, y, draw(0), c.K, c.theta, oracle, xp).value
    return State(s.x - c.alpha * power(c.m + t, -c.a, xp) * h, y)

"""SUSTAIN: Khanduri, Zeng, Hong, Wai, Wang, Yang, NeurIPS 2021: recursive momentum on both levels, estimator HIA.

    x_(t+1) = x_t - alpha_t h^f_t,  y_(t+1) = y_t - beta_t h^g_t              (both from the old point)
    h_(t+1) = estimate(z_(t+1)) + (1 - eta_(t+1)) (h_t - estimate(z_t)), the same sample at both points

alpha_t = alpha (w + t)^-1/3, beta_t = beta (w + t)^-1/3. The weights are eta^f = c_f (w + t)^-2/3 and c_g likewise,
which is c alpha_t^2 of the paper with alpha^2 in the constant. First estimates are plain. Exponents and order are
confirmed by github benchopt/benchmark_bilevel; the claimed complexity is O(eps^-3) up to logarithms.
"""

import workbench as wb
from workbench.ops import power

from .estimators.truncated import hia

TITLE = "SUSTAIN"
SOURCE = "arXiv 2102.07367"
LABEL = "C"
State = wb.state("x", "y", "h_f", "h_g")  # h_f: momentum of x; h_g: momentum of y
# K: terms of the estimator; theta: 1/L_g of the paper
Steps = wb.steps("alpha", "beta", "w", "c_f", "c_g", "K", "theta")


def init(start, c, oracle, draw, xp):
    """Plain estimates at (x_1, y_1), with samples apart from those of iteration 1."""
    x, y = start["x"], start["y"]
    return State(x, y, hia(x, y, draw(2), c.K, c.theta, oracle, xp).value, oracle.grad_y_g(x, y, draw(3)))


def step(s, t, c, oracle, draw, xp):
    """Iteration t: twice three gradients, (K - 1)/2 Hessian- (on average) and one Jacobian-vector product."""
    rate = power(c.w + t, -1.0 / 3.0, xp)
    x, y = s.x - c.alpha * rate * s.h_f, s.y - c.beta * rate * s.h_g
    xi, zeta = draw(0), draw(1)
    eta_f, eta_g = c.c_f * rate**2, c.c_g * rate**2
    h_g = oracle.grad_y_g(x, y, zeta) + (1.0 - eta_g) * (s.h_g - oracle.grad_y_g(s.x, s.y, zeta))
    new, old = (hia(*z, xi, c.K, c.theta, oracle, xp).value for z in ((x, y), (s.x, s.y)))
    return State(x, y, new + (1.0 - eta_f) * (s.h_f - old), h_g)

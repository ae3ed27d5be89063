"""MRBO: Yang, Ji, Liang, NeurIPS 2021: single loop, recursive momentum on both levels, estimator SHIA.

    x_(k+1) = x_k - gamma eta_k w_k,  y_(k+1) = y_k - lam eta_k u_k           (both from the old point)
    u_(k+1) = g_y(z_(k+1)) + (1 - beta_(k+1)) (u_k - g_y(z_k)),  w likewise with the hypergradient estimate

with the same samples at both points. eta_k = d (m + k)^-1/3, alpha_(k+1) = c_1 eta_k^2 for w, beta_(k+1) = c_2 eta_k^2
for u (Theorem 1 of the paper: O(eps^-3) up to logarithms). First estimates are plain. The authors' own code replaces
the schedule by constants and moves y twice; the recursion is confirmed by github benchopt/benchmark_bilevel.
"""

import workbench as wb
from workbench.ops import power

from .estimators.truncated import shia

TITLE = "MRBO"
SOURCE = "arXiv 2106.04692, Algorithm 1"
LABEL = "C"
State = wb.state("x", "y", "w", "u")  # w: momentum of x; u: momentum of y
# K: Q + 1; theta: eta of the paper's estimator
Steps = wb.steps("gamma", "lam", "d", "m", "c_1", "c_2", "K", "theta")


def init(start, c, oracle, draw, xp):
    """Plain estimates at (x_1, y_1), with samples apart from those of iteration 1."""
    x, y = start["x"], start["y"]
    return State(x, y, shia(x, y, draw(2), c.K, c.theta, oracle, xp).value, oracle.grad_y_g(x, y, draw(3)))


def step(s, t, c, oracle, draw, xp):
    """Iteration t: twice three gradients, K - 1 Hessian- and one Jacobian-vector product."""
    eta = c.d * power(c.m + t, -1.0 / 3.0, xp)
    x, y = s.x - c.gamma * eta * s.w, s.y - c.lam * eta * s.u
    xi, zeta = draw(0), draw(1)
    alpha, beta = c.c_1 * eta**2, c.c_2 * eta**2
    u = oracle.grad_y_g(x, y, zeta) + (1.0 - beta) * (s.u - oracle.grad_y_g(s.x, s.y, zeta))
    new, old = (shia(*z, xi, c.K, c.theta, oracle, xp).value for z in ((x, y), (s.x, s.y)))
    return State(x, y, new + (1.0 - alpha) * (s.w - old), u)

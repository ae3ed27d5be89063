"""SPIDER-FW: Yurtsever, Sra, Cevher, ICML 2019, Algorithm 2: conditional gradient with the SPIDER estimator.

It minimizes the inner objective G alone. The settings are those of paper `ir_cg` (L221): step gamma / (t + 1) with
gamma = 0.1, where the original takes 2 / (K + j) in epochs of doubling length K. L221 leaves the epochs open; here
S = q. The original needs O(n log(1/eps) + eps^-2) gradients for a convex G (general knowledge).
"""

import workbench as wb

from .estimators.spider import spider_fw

TITLE = "SPIDER-FW"
SOURCE = "ICML 2019, Algorithm 2; ir_cg L221"
LABEL = "P"
State = wb.state("x", "x_old", "G")  # x_old: x_{t-1}; G: estimate of grad G(x_{t-1})
Steps = wb.steps("gamma", "q", "S")  # q, S: whole numbers


def init(start, c, oracle, draw, xp):
    x = start["x"]
    return State(x, x, xp.zeros_like(x))


def step(s, t, c, oracle, draw, xp):
    x, G = spider_fw(s, t - 1.0, c.gamma, c.q, c.S, oracle, draw, xp)
    return State(x, s.x, G)

"""aR-IP-SeG: Jalilzadeh, Yousefian, Ebrahimi, ACM TOMACS 34(2) 2024 (arXiv 2203.01271), one block.

Stochastic extragradient on grad f + rho_t grad g with projections and a growing rho_t. The two half-steps use fresh
samples. gamma_t = gamma (t+1)^-a, rho_t = rho (t+1)^b. The output is the average of y with weights (gamma_t rho_t)^r.

The paper proves O(t^-1/4) for both levels.
"""

import workbench as wb
from workbench.ops import column, power

TITLE = "aR-IP-SeG"
SOURCE = "arXiv 2203.01271; ir_cg L221"
LABEL = "P"
# z: weighted average of y_1, ..., y_t, x_0 before the first iteration; W: sum of the weights, (runs, 1)
State = wb.state("x", "z", "W")
Steps = wb.steps("gamma", "a", "rho", "b", "r")


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], column(0.0, start["x"], xp))


def step(s, t, c, oracle, draw, xp):
    t = t - 1.0
    gamma, rho = c.gamma * power(t + 1.0, -c.a, xp), c.rho * power(t + 1.0, c.b, xp)
    y = oracle.project(s.x - gamma * (oracle.grad_f(s.x, draw(0)) + rho * oracle.grad_g(s.x, draw(1))))
    x = oracle.project(s.x - gamma * (oracle.grad_f(y, draw(2)) + rho * oracle.grad_g(y, draw(3))))
    weight = power(gamma * rho, c.r, xp)
    W = s.W + weight
    return State(x, (s.W * s.z + weight * y) / W, W)

"""FSOBO: Jia, Wang, Chen, arXiv 2602.06457. One step each of y, of the linear system's v, and of x per round.

v approximates [d2g/dydy]^-1 grad_y f. The listing projects v onto the ball of radius L_f0/mu_g, here ``radius``;
infinity means no projection. The abstract gives the structure and the regret, 1 + V_T + H_2,T + E_2,T. The order y, v,
x is general knowledge.
"""

import workbench as wb
from workbench.ops import into_ball

TITLE = "FSOBO"
SOURCE = "arXiv 2602.06457"
LABEL = "P"
State = wb.state("x", "y", "v")
Steps = wb.steps("alpha", "beta", "gamma", "radius")  # beta: step of the linear system


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and v_1 = 0."""
    return State(start["x"], start["y"], xp.zeros_like(start["y"]))


def step(s, t, c, oracle, draw, xp):
    """Round t: three gradients, one Hessian- and one Jacobian-vector product."""
    y = s.y - c.alpha * oracle.grad_y_g(t, s.x, s.y)
    v = s.v - c.beta * (oracle.hess_yy_g(t, s.x, y, s.v) - oracle.grad_y_f(t, s.x, y))
    v = into_ball(v, c.radius, xp)
    h = oracle.grad_x_f(t, s.x, y) - oracle.jac_xy_g(t, s.x, y, v)
    return State(oracle.project(s.x - c.gamma * h), y, v)

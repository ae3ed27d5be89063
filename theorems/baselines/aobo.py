"""AOBO: Jia, Wang, Chen, arXiv 2602.06457. Gradient steps on y until |grad_y g| <= delta, then M steps on v.

v approximates [d2g/dydy]^-1 grad_y f. y and v are warm-started; each run stops its inner steps individually, after at
most K_max. The abstract gives the structure and the optimal regret 1 + V_T. The details are general knowledge.
"""

import workbench as wb
from workbench.ops import loop, norm

TITLE = "AOBO"
SOURCE = "arXiv 2602.06457"
LABEL = "P"
State = wb.state("x", "y", "v")
# beta: step of the linear system; M: steps of the linear system; K_max: limit of the inner steps
Steps = wb.steps("alpha", "beta", "gamma", "delta", "M", "K_max")


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and v_1 = 0."""
    return State(start["x"], start["y"], xp.zeros_like(start["y"]))


def step(s, t, c, oracle, draw, xp):
    """Round t."""

    def inner(k, carry):
        y, g = carry
        y = y - c.alpha * g
        return y, oracle.grad_y_g(t, s.x, y)

    first = (s.y, oracle.grad_y_g(t, s.x, s.y))
    y, _ = loop(c.K_max, inner, first, xp, going=lambda carry: norm(carry[1], xp) > c.delta)
    f_y = oracle.grad_y_f(t, s.x, y)
    (v,) = loop(c.M, lambda k, v: (v[0] - c.beta * (oracle.hess_yy_g(t, s.x, y, v[0]) - f_y),), (s.v,), xp)
    h = oracle.grad_x_f(t, s.x, y) - oracle.jac_xy_g(t, s.x, y, v)
    return State(oracle.project(s.x - c.gamma * h), y, v)

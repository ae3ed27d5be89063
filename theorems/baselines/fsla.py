"""FSLA: Li, Gu, Huang, AAAI 2022: one step on y, one on the linear system's v, recursive momentum on x.

    y+ = y - beta_t g_y(x, y; zeta_1),  v+ = v - delta_t (H(x, y+; zeta_2) v - f_y(x, y+; xi_1)),
    p(x, y, v) = f_x(x, y; xi_2) - J(x, y; zeta_3) v,
    d <- p(x, y+, v+) + (1 - eta_t) (d - p(x_old, y, v)),  x <- x - alpha_t d

J = grad^2_xy g, H = grad^2_yy g; the two p have the same samples, and everything else fresh ones. All four sequences
fall as (m + t)^-1/2; a weight is at most 1. Rule and order are those of a reimplementation (github
benchopt/benchmark_bilevel), which starts from d = 0 at x_old = 0; here d = p at t = 1. The rate eps^-4 is general
knowledge.
"""

import workbench as wb
from workbench.ops import minimum

TITLE = "FSLA"
SOURCE = "arXiv 2112.04660"
LABEL = "C"
State = wb.state("x", "y", "v", "d", "x_old")  # d: direction of x at t - 1; x_old: x_(t-1)
Steps = wb.steps("alpha", "beta", "delta", "eta", "m")


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_1 = 0, and a direction that iteration 1 replaces."""
    x, y = start["x"], start["y"]
    return State(x, y, xp.zeros_like(y), xp.zeros_like(x), x)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: one grad_y g, three gradients of f, one Hessian- and two Jacobian-vector products."""
    xi, zeta = draw(0), draw(1)
    rate = 1.0 / xp.sqrt(c.m + t)
    keep = xp.where(t > 1.0, 1.0 - minimum(c.eta * rate, 1.0, xp), 0.0)

    def p(x, y, v):
        return oracle.grad_f(x, y, xi)[0] - oracle.jac_xy_g(x, y, v, zeta, 0)

    y = s.y - c.beta * rate * oracle.grad_y_g(s.x, s.y, draw(2))
    _, f_y = oracle.grad_f(s.x, y, draw(3))
    v = s.v - c.delta * rate * (oracle.hess_yy_g(s.x, y, s.v, draw(4), 0) - f_y)
    d = p(s.x, y, v) + keep * (s.d - p(s.x_old, s.y, s.v))
    return State(s.x - c.alpha * rate * d, y, v, d, s.x)

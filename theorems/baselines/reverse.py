"""Reverse mode (ITD): Franceschi et al., ICML 2018: N inner steps, back-propagation through them, a step on x.

    y^(j+1) = y^j - alpha grad_y g(x, y^j; zeta_j),
    h = grad_x f - alpha sum_j J(y^j) prod_(i>j) (I - alpha H(y^i)) grad_y f

with J = grad^2_xy g, H = grad^2_yy g of the same zeta_j, and both derivatives of f at y^N. The inner loop starts from
the last iteration's y. Rule and sign as in the code of Grazzi et al., ICML 2020 (github prolearner/hypertorch,
hypergradients.py), where the samples are the full data.
"""

import workbench as wb

from .window import unroll

TITLE = "reverse"
SOURCE = "ICML 2018, pp. 1568-1577; arXiv 2006.16218"
LABEL = "C"
AUTHORS = "github prolearner/hypertorch, hypergradients.py (reverse) at 0771f5c"
DIFFERENCE = 0.0
State = wb.state("x", "y")
Steps = wb.steps("alpha", "beta", "N")  # alpha: step of y; beta: step of x; N: whole number


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: N + 2 gradients, N Hessian- and N Jacobian-vector products."""
    xi, zeta = draw(0), draw(1)

    def move(j, y):
        return y - c.alpha * oracle.grad_y_g(s.x, y, zeta.repeat(j))

    def pull(j, y, a):
        push = c.alpha * oracle.jac_xy_g(s.x, y, a, zeta, j)
        return push, a - c.alpha * oracle.hess_yy_g(s.x, y, a, zeta, j)

    y, h = unroll(c.N, s.y, move, pull, lambda y: oracle.grad_f(s.x, y, xi), xp)
    return State(s.x - c.beta * h, y)

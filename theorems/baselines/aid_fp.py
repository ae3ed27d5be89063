"""AID-FP: Grazzi, Franceschi, Pontil, Salzo, ICML 2020. N inner steps, K fixed-point steps for the linear system.

    w_0 = 0,  w <- (I - alpha H) w + grad_y f  (K times, at y^N),  h = grad_x f - alpha J w,

J = grad^2_xy g, H = grad^2_yy g: the K-term Neumann sum of the inner map y - alpha grad_y g. One sample of g serves
all factors, since the fixed point is that of one map; the inner steps have samples of their own and start from the
last iteration's y. Rule as in the authors' code (github prolearner/hypertorch, hypergradients.py, ``fixed_point``).
"""

import workbench as wb
from workbench.ops import loop

from .inner_descent import descend

TITLE = "AID-FP"
SOURCE = "arXiv 2006.16218"
LABEL = "C"
AUTHORS = "github prolearner/hypertorch, hypergradients.py (fixed_point) at 0771f5c, K = 5"
DIFFERENCE = 0.0
State = wb.state("x", "y")
# alpha: step of y, and of the inner map; beta: step of x; N, K: whole numbers
Steps = wb.steps("alpha", "beta", "N", "K")


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: N + 2 gradients, K Hessian- and one Jacobian-vector product."""
    xi, zeta = draw(0), draw(2)
    y = descend(s.x, s.y, c.alpha, c.N, draw(1), oracle, xp)
    f_x, f_y = oracle.grad_f(s.x, y, xi)

    def iterate(k, carry):
        return (carry[0] - c.alpha * oracle.hess_yy_g(s.x, y, carry[0], zeta, 0) + f_y,)

    (w,) = loop(c.K, iterate, (xp.zeros_like(f_y),), xp)
    h = f_x - c.alpha * oracle.jac_xy_g(s.x, y, w, zeta, 0)
    return State(s.x - c.beta * h, y)

"""AID-CG: Grazzi, Franceschi, Pontil, Salzo, ICML 2020. N inner steps, K conjugate gradient steps, a step on x.

    v = CG on H v = grad_y f from v = 0 at y^N,  h = grad_x f - J v,   J = grad^2_xy g, H = grad^2_yy g

One sample of g makes the system, so that it is linear; the inner steps have samples of their own and start from the
last iteration's y. The authors' code (github prolearner/hypertorch, CG_torch.py) returns the last but one iterate when
its tolerance is hit; here a system that is solve stays solved.
"""

import workbench as wb

from .estimators.conjugate_gradients import solve
from .inner_descent import descend

TITLE = "AID-CG"
SOURCE = "arXiv 2006.16218"
LABEL = "C"
AUTHORS = "github prolearner/hypertorch, CG_torch.py at 2fc9d93, K = 2 of 3 lower coordinates"
DIFFERENCE = 0.0
State = wb.state("x", "y")
Steps = wb.steps("alpha", "beta", "N", "K")  # alpha: step of y; beta: step of x; N, K: whole numbers


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: N + 2 gradients, K + 1 Hessian- (one for the first residual) and one Jacobian-vector product."""
    xi, zeta = draw(0), draw(2)
    y = descend(s.x, s.y, c.alpha, c.N, draw(1), oracle, xp)
    f_x, f_y = oracle.grad_f(s.x, y, xi)
    v = solve(lambda u: oracle.hess_yy_g(s.x, y, u, zeta, 0), f_y, xp.zeros_like(f_y), c.K, xp)
    h = f_x - oracle.jac_xy_g(s.x, y, v, zeta, 0)
    return State(s.x - c.beta * h, y)

"""S-TFBO: Yang, Ban, Huang, Ma, Ji, "Tuning-free bilevel optimization", ICLR 2025; the single-loop form.

min_x f(x, y*(x)), y*(x) = argmin_y g(x, y), with v an estimate of [d2g/dydy]^-1 grad_y f. Three AdaGrad-Norm sums set
the steps. They contain the current directions, all of which are taken at (x_t, y_t, v_t). Rule, order and v_1 = 0
follow the authors' code (github OptMN-Lab/tfbo, stfbo.py). a_0, b_0, c_0 are the first accumulators; paper
`ada_minimax` (App. K) calls its values initial "learning rates", so their reciprocals are the other reading.

The method is meant for exact gradients, for which the abstract claims O(eps^-1 log^4(1/eps)) steps. `ada_minimax` (App.
K, L1440) feeds it stochastic ones, as is done here: xi for f, and independent draws of zeta for grad_y G, the Hessian
and the Jacobian.
"""

import workbench as wb
from workbench.ops import column, maximum, sq

TITLE = "TFBO"
SOURCE = "arXiv 2410.05140, single loop"
LABEL = "C"
AUTHORS = "github OptMN-Lab/tfbo, stfbo.py at 51021d3; the sums, which it imports, as in the paper"
DIFFERENCE = 1e-9
# A: a^2: a_0^2 + sum_{k<t} |hypergradient estimate|^2, (runs, 1); B: b^2: b_0^2 + sum_{k<t} |grad_y G|^2, (runs,
# 1); C: c^2: c_0^2 + sum_{k<t} |residual of the linear system|^2, (runs, 1)
State = wb.state("x", "y", "v", "A", "B", "C")
Steps = wb.steps("a_0", "b_0", "c_0")


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_1 = 0 and the squares of the first accumulators."""
    x, y = start["x"], start["y"]
    A, B, C = (column(first**2, x, xp) for first in (c.a_0, c.b_0, c.c_0))
    return State(x, y, xp.zeros_like(y), A, B, C)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: three gradients, one Hessian- and one Jacobian-vector product."""
    xi, zeta = draw(0), draw(1)
    f_x, f_y = oracle.grad_f(s.x, s.y, xi)
    g_y = oracle.grad_y_g(s.x, s.y, zeta)
    r = oracle.hess_yy_g(s.x, s.y, s.v, zeta, 1) - f_y  # grad_v R
    h = f_x - oracle.jac_xy_g(s.x, s.y, s.v, zeta, 2)  # hypergradient estimate
    A, B, C = s.A + sq(h, xp), s.B + sq(g_y, xp), s.C + sq(r, xp)
    a, b = xp.sqrt(A), xp.sqrt(B)
    phi = maximum(b, xp.sqrt(C), xp)
    return State(s.x - h / (a * phi), s.y - g_y / b, s.v - r / phi, A, B, C)

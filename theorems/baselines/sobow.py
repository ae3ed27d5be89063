"""SOBOW: Lin, Sow, Ji, Liang, Shroff, NeurIPS 2023: y step, conjugate gradients, window of stored directions.

    y_{t+1} = y_t - alpha grad_y g,  v_t = CG on [d2g/dydy] v = grad_y f (Q_t steps from v_{t-1}),
    x_{t+1} = P_X(x_t - beta sum_{i<w} eta^i h_{t-i} / sum_{i<w} eta^i)

Q_t = ceil(Q + Q_1 t): the theory lets it grow, experiments keep it fixed. The directions are stored; old functions are
not evaluated again. The abstract gives the loop and the average; the indices are general knowledge. The table of paper
`f2obo` states the regret O(1 + V_T + H_2,T).
"""

import workbench as wb

from .estimators.conjugate_gradients import solve
from .window import Window, empty, push_direction

TITLE = "SOBOW"
SOURCE = "arXiv 2308.03811"
LABEL = "P"
State = wb.state(
    "x",
    "y",
    "v",  # v_{t-1}
    "ring",  # stored directions, (runs, w, d_x)
    "total",  # their weighted sum
    "weight",  # sum of the weights, (runs, 1)
)
Steps = wb.steps("alpha", "beta", "eta", "Q", "Q_1", "w")  # beta: step of x; w: whole number


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_0 = 0 and an empty window."""
    return State(start["x"], start["y"], xp.zeros_like(start["y"]), *empty(start["x"], c.w, xp))


def step(s, t, c, oracle, draw, xp):
    """Round t: three gradients, Q_t + 1 Hessian- and one Jacobian-vector product."""
    Q = xp.astype(-xp.floor(-(c.Q + c.Q_1 * t)), xp.int64)
    y = s.y - c.alpha * oracle.grad_y_g(t, s.x, s.y)
    v = solve(lambda u: oracle.hess_yy_g(t, s.x, y, u), oracle.grad_y_f(t, s.x, y), s.v, Q, xp)
    h = oracle.grad_x_f(t, s.x, y) - oracle.jac_xy_g(t, s.x, y, v)
    window, mean = push_direction(Window(s.ring, s.total, s.weight), h, t, c.w, c.eta, xp)
    return State(oracle.project(s.x - c.beta * mean), y, v, *window)

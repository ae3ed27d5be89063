"""Gradient descent on a smooth function that need not be convex: min |grad f(x_t)|^2 <= 2 L (f(x_0) - inf f) / (N + 1).

Source: Nesterov, "Lectures on Convex Optimization" (2018), section 1.2.3, with steps 1/L, over the points
x_0, ..., x_N. The worst case is 4 L (f(x_0) - inf f) / (3 N + 2): Abbaszadehpeivasti, de Klerk, Zamani, Optim. Lett. 16
(2022).
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(
    __name__, "Gradient descent, nonconvex", "Nesterov", "Lectures on Convex Optimization (2018)"
)
THEOREM = PAPER.theorem(
    "sec-1.2.3",
    bound=2 * v.L * v.Delta_1 / (v.T + 1),
    exponent=-1,
    metric=r"$\min_t \|\nabla f(x_t)\|^2$",
    metric_kind="best",
    schedule={"eta": 1 / v.L},
    generic={v.L: 1, v.Delta_1: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="grad_sq_min", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "smooth bounded below", horizons=(1, 2, 5, 10, 20, 40)),)

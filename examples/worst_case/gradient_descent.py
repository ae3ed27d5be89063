"""Gradient descent on a smooth convex function: f(x_N) - f* <= L R^2 / (2 N), as textbooks have it.

Source: Nesterov, "Lectures on Convex Optimization" (2018), Corollary 2.1.2, with steps 1/L and the
constant that telescoping gives. The worst case is L R^2 / (4 N + 2): Drori,
Teboulle, Math. Program. 145 (2014), Theorem 3.1.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Gradient descent", "Nesterov", "Lectures on Convex Optimization (2018)")
THEOREM = PAPER.theorem(
    "cor-2.1.2",
    bound=v.L * v.D_1**2 / (2 * v.T),
    exponent=-1,
    metric="$f(x_T) - f^*$",
    schedule={"eta": 1 / v.L},
    generic={v.L: 1, v.D_1: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "smooth convex", horizons=(1, 2, 5, 10, 20, 40)),)

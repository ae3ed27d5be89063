"""The subgradient method with steps R / (G sqrt(N + 1)): min f(x_t) - f* <= G R / sqrt(N + 1); the constant is exact.

Source: Nesterov, "Lectures on Convex Optimization" (2018), Theorem 3.2.2, at the step size that minimizes its
bound; the best of the points x_0, ..., x_N. Drori, Teboulle, Math. Program. 160 (2016) show that no method does better.
"""

from sympy import Symbol, sqrt

import workbench as wb

v, G = wb.vocabulary, Symbol("G", positive=True)
PAPER = wb.Paper(__name__, "Subgradient method", "Nesterov", "Lectures on Convex Optimization (2018)")
THEOREM = PAPER.theorem(
    "thm-3.2.2",
    bound=G * v.D_1 / sqrt(v.T + 1),
    exponent=-1 / 2,
    metric=r"$\min_t f(x_t) - f^*$",
    metric_kind="best",
    schedule={"eta": v.D_1 / (G * sqrt(v.T + 1))},
    generic={G: 1, v.D_1: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="gap_min", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "Lipschitz convex", horizons=(1, 2, 5, 10, 20, 40)),)

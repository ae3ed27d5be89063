"""SGD over a finite sum: E|x_T - x*|^2 <= r^T R^2 + eta sigma^2 / (mu (1 - eta L)), r = 1 - 2 eta mu (1 - eta L).

Source: Needell, Srebro, Ward, "Stochastic Gradient Descent, Weighted Sampling, and the Randomized Kaczmarz Algorithm",
Math. Program. 155 (2016), Theorem 2.1, where sigma^2 is the mean of |grad f_i(x*)|^2. One step and two, in expectation
over the n functions.
"""

from sympy import Rational, Symbol

import workbench as wb

v, n = wb.vocabulary, Symbol("n", positive=True, integer=True)
PAPER = wb.Paper(__name__, "SGD over a finite sum", "Needell, Srebro, Ward", "Math. Program. 155 (2016)")
RATE = 1 - 2 * v.eta * v.mu * (1 - v.eta * v.L)
THEOREM = PAPER.theorem(
    "thm-2.1",
    bound=RATE**v.T * v.D_1**2 + v.eta * v.sigma**2 / (v.mu * (1 - v.eta * v.L)),
    exponent=0,
    metric=r"$E \|x_T - x^*\|^2$",
    expectation=True,
    schedule={"eta": v.eta},
    generic={v.L: 1, v.mu: Rational(1, 5), v.eta: Rational(1, 2), v.D_1: 1, v.sigma: Rational(1, 2), n: 3},
    conditions=[(v.eta * v.L < 1, "eta L < 1")],
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="dist_sq", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "finite sum of smooth strongly convex", horizons=(1, 2)),)

"""Gradient descent with steps 1/L on a smooth strongly convex function: f(x_T) - f* <= (1 - mu/L)^T (f(x_0) - f*).

Source: Bottou, Curtis, Nocedal, SIAM Review 60 (2018), Theorem 4.6 without noise. Worst case: the square of the factor
(Taylor, Hendrickx, Glineur, J. Optim. Theory Appl. 178 (2018), Theorem 3.3).
"""

from sympy import Rational

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(
    __name__, "Gradient descent, strongly convex", "Bottou, Curtis, Nocedal", "SIAM Review 60 (2018)"
)
THEOREM = PAPER.theorem(
    "thm-4.6",
    bound=(1 - v.mu / v.L) ** v.T * v.Delta_1,
    exponent=0,
    metric="$f(x_T) - f^*$",
    schedule={"eta": 1 / v.L},
    generic={v.L: 1, v.mu: Rational(1, 5), v.Delta_1: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * oracle.grad(s.x, draw(0)))


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "smooth strongly convex"),)

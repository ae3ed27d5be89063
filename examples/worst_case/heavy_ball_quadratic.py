"""Heavy ball on quadratics: |x_T - x*| <= q^T (1 + T (1 - q^2) / (1 + q^2)) R; the constant is exact.

Source: Polyak, "Some Methods of Speeding Up the Convergence of Iteration Methods", USSR Comput. Math. Math. Phys. 4
(1964), for steps and q = (sqrt L - sqrt mu) / (sqrt L + sqrt mu); factor of T: Pedregosa, "Momentum: When Chebyshev
Meets Chebyshev" (2020), with a first step a / (1 + b).
"""

from sympy import Rational, Symbol, sqrt

import workbench as wb

v = wb.vocabulary
a, b = Symbol("a", positive=True), Symbol("b", positive=True)
Q = (sqrt(v.L) - sqrt(v.mu)) / (sqrt(v.L) + sqrt(v.mu))
PAPER = wb.Paper(__name__, "Heavy ball on quadratics", "Polyak", "USSR Comput. Math. Math. Phys. 4 (1964)")
THEOREM = PAPER.theorem(
    "thm-polyak",
    bound=Q**v.T * (1 + v.T * (1 - Q**2) / (1 + Q**2)) * v.D_1,
    exponent=0,
    metric=r"$\|x_T - x^*\|$",
    schedule={"a": 4 / (sqrt(v.L) + sqrt(v.mu)) ** 2, "b": Q**2},
    generic={v.L: 1, v.mu: Rational(1, 9), v.D_1: 1},
)
State, Steps = wb.state("x", "before"), wb.steps("a", "b")


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"])


def step(s, t, c, oracle, draw, xp):
    a = xp.where(t == 1, c.a / (1.0 + c.b), c.a)
    return State(s.x - a * oracle.grad(s.x, draw(0)) + c.b * (s.x - s.before), s.x)


STUDY = wb.Study(PAPER, metric="dist", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "strongly convex quadratic", horizons=(1, 2, 5, 10, 20, 40)),)

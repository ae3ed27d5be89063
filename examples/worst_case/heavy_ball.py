"""Heavy ball with constant steps: f(mean of x_0, ..., x_T) - f* <= R^2 / (2 T + 2) (L b / (1 - b) + (1 - b) / a).

Source: Ghadimi, Feyzmahdavian, Johansson, "Global Convergence of the Heavy-Ball Method for Convex Optimization", ECC
2015, Theorem 1, for steps a <= (1 - b) / L and x_{-1} = x_0.
"""

from sympy import Rational, Symbol

import workbench as wb

v = wb.vocabulary
a, b = Symbol("a", positive=True), Symbol("b", positive=True)
PAPER = wb.Paper(__name__, "Heavy ball", "Ghadimi, Feyzmahdavian, Johansson", "ECC 2015")
THEOREM = PAPER.theorem(
    "thm-1",
    bound=v.D_1**2 / (2 * (v.T + 1)) * (v.L * b / (1 - b) + (1 - b) / a),
    exponent=-1,
    metric=r"$f(\bar x_T) - f^*$",
    metric_kind="average",
    schedule={"a": a, "b": b},
    generic={v.L: 1, v.D_1: 1, a: Rational(1, 2), b: Rational(1, 2)},
    conditions=[(a * v.L <= 1 - b, "a <= (1 - b) / L")],
)
State, Steps = wb.state("x", "before", "z"), wb.steps("a", "b")  # z: the mean of x_0, ..., x_t


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], start["x"])


def step(s, t, c, oracle, draw, xp):
    x = s.x - c.a * oracle.grad(s.x, draw(0)) + c.b * (s.x - s.before)
    return State(x, s.x, s.z + (x - s.z) / (t + 1.0))


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "smooth convex", horizons=(1, 2, 5, 10, 20, 40)),)

"""Projected online gradient descent: regret <= (3/2) G D sqrt T, with steps D / (G sqrt t).

Source: Hazan, "Introduction to Online Convex Optimization" (2016), Theorem 3.1 (Zinkevich, ICML 2003). By convexity the
regret is at most that of the linear losses <g_t, x>, which are convex losses themselves.
"""

from sympy import Rational, Symbol, sqrt

import workbench as wb

v, G = wb.vocabulary, Symbol("G", positive=True)
PAPER = wb.Paper(__name__, "Online gradient descent", "Hazan", "Found. Trends Optim. 2 (2016)")
THEOREM = PAPER.theorem(
    "thm-3.1",
    bound=Rational(3, 2) * G * v.D * sqrt(v.T),
    exponent=1 / 2,
    metric="regret after $T$ rounds",
    schedule={"eta": v.D / G},
    generic={G: 1, v.D: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(oracle.project(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0))))


STUDY = wb.Study(PAPER, metric="regret", shift=-1)
OF = {"grad": "linear losses", "project": "bounded convex set"}
CLAIMS = (STUDY.worst_case(THEOREM, step, OF),)

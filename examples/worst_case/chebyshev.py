"""Chebyshev's method on quadratics: |x_T - x*| <= 2 q^T / (1 + q^(2 T)) R, the least that a method can have.

Source: Golub, Varga, "Chebyshev Semi-Iterative Methods", Numer. Math. 3 (1961), section 2, with q = (sqrt L - sqrt mu)
/ (sqrt L + sqrt mu) and r = (L - mu) / (L + mu): the bound is 1 / T_T(1 / r).
"""

from sympy import Rational, sqrt

import workbench as wb

v = wb.vocabulary
Q = (sqrt(v.L) - sqrt(v.mu)) / (sqrt(v.L) + sqrt(v.mu))
PAPER = wb.Paper(__name__, "Chebyshev's method", "Golub, Varga", "Numer. Math. 3 (1961)")
THEOREM = PAPER.theorem(
    "sec-2",
    bound=2 * Q**v.T / (1 + Q ** (2 * v.T)) * v.D_1,
    exponent=0,
    metric=r"$\|x_T - x^*\|$",
    schedule={"eta": 2 / (v.L + v.mu), "r": (v.L - v.mu) / (v.L + v.mu)},
    generic={v.L: 1, v.mu: Rational(1, 10), v.D_1: 1},
)
State, Steps = wb.state("x", "before", "omega"), wb.steps("eta", "r")


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"], xp.full_like(start["x"], 2.0))


def step(s, t, c, oracle, draw, xp):
    omega = xp.where(t == 1, 1.0, 1.0 / (1.0 - c.r**2 * s.omega / 4.0))
    following = xp.where(t == 1, 2.0, omega)
    x = omega * (s.x - c.eta * oracle.grad(s.x, draw(0))) + (1.0 - omega) * s.before
    return State(x, s.x, following)


STUDY = wb.Study(PAPER, metric="dist", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "strongly convex quadratic", horizons=(1, 2, 5, 10, 20, 40)),)

"""Optimistic gradient descent-ascent: the gap of the averages is at most R^2 / (2 gamma T), gamma L <= 1/2.

Source: Popov, Math. Notes 28 (1980), in the form of Hsieh, Iutzeler, Malick, Mertikopoulos, NeurIPS 2019; the constant
is claimed here: it is the worst case that says whether it is right. z_(t+1) = z_t - gamma F(w_t), w_t = z_t -
gamma F(w_(t-1)), F(w_0) = F(z_1).
"""

from sympy import Rational

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Optimistic gradient", "Popov", "Math. Notes 28 (1980)")
THEOREM = PAPER.theorem(
    "ergodic",
    bound=v.D_1**2 / (2 * v.gamma * v.T),
    exponent=-1,
    metric=r"$\langle F(u), \bar w_T - u \rangle$",
    metric_kind="average",
    schedule={"gamma": v.gamma},
    generic={v.L: 1, v.gamma: Rational(1, 2), v.D_1: 1},
    conditions=[(2 * v.gamma * v.L <= 1, "gamma L <= 1/2")],
)
State, Steps = wb.state("x", "old", "z"), wb.steps("gamma")  # old: F(w_(t-1)); z: the average


def init(start, c, oracle, draw, xp):
    return State(start["x"], oracle.operator(start["x"]), xp.zeros_like(start["x"]))


def step(s, t, c, oracle, draw, xp):
    w = s.x - c.gamma * s.old
    g = oracle.operator(w)
    return State(s.x - c.gamma * g, g, s.z + (w - s.z) / t)


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, {"operator": "Lipschitz monotone"}, horizons=(1, 2, 5, 10)),)

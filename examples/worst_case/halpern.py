"""Halpern iteration: |x_N - T x_N| <= 2 R / (N + 1) for every nonexpansive T; the constant is exact.

Source: Lieder, "On the Convergence Rate of the Halpern-Iteration", Optim. Lett. 15 (2021), Theorem 2.1.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Halpern iteration", "Lieder", "Optim. Lett. 15 (2021)")
THEOREM = PAPER.theorem(
    "thm-2.1", bound=2 * v.D_1 / (v.T + 1), exponent=-1, metric=r"$\|x_T - T x_T\|$", generic={v.D_1: 1}
)
State = wb.state("x", "anchor")


def init(start, c, oracle, draw, xp):
    return State(start["x"], start["x"])


def step(s, t, c, oracle, draw, xp):
    return State(s.anchor / (t + 1.0) + (1.0 - 1.0 / (t + 1.0)) * oracle.map(s.x), s.anchor)


STUDY = wb.Study(PAPER, metric="residual", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, {"map": "nonexpansive"}),)

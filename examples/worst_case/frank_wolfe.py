"""Frank-Wolfe with steps 2 / (k + 2): f(x_k) - f* <= 2 L D^2 / (k + 2) over every convex set of diameter D.

Source: Jaggi, "Revisiting Frank-Wolfe: Projection-Free Sparse Convex Optimization", ICML 2013, Theorem 1 and Lemma 7.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Frank-Wolfe, open loop", "Jaggi", "ICML 2013")
THEOREM = PAPER.theorem(
    "thm-1",
    bound=2 * v.L * v.D**2 / (v.T + 2),
    exponent=-1,
    metric="$f(x_T) - f^*$",
    generic={v.L: 1, v.D: 1},
)
State = wb.state("x")


def step(s, t, c, oracle, draw, xp):
    gamma = 2.0 / (t + 1.0)  # k = t - 1
    return State(s.x + gamma * (oracle.lmo(oracle.grad(s.x, draw(0))) - s.x))


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
OF = {"grad": "smooth convex", "lmo": "bounded convex set"}
CLAIMS = (STUDY.worst_case(THEOREM, step, OF),)

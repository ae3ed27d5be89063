"""The proximal point method: f(x_N) - f* <= R^2 / (2 lam N) for every closed convex function.

Source: Guler, "On the Convergence of the Proximal Point Algorithm for Convex Minimization", SIAM J. Control Optim. 29
(1991), Theorem 2.1, with constant steps lam. The worst case is half of it: Taylor, Hendrickx, Glineur, SIAM J.
Optim. 27 (2017), Theorem 4.1.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Proximal point", "Guler", "SIAM J. Control Optim. 29 (1991)")
THEOREM = PAPER.theorem(
    "thm-2.1",
    bound=v.D_1**2 / (2 * v.eta * v.T),
    exponent=-1,
    metric="$f(x_T) - f^*$",
    schedule={"eta": v.eta},
    generic={v.eta: 1, v.D_1: 1},
)
State, Steps = wb.state("x"), wb.steps("eta")


def step(s, t, c, oracle, draw, xp):
    return State(oracle.prox(s.x, c.eta))


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, {"prox": "convex"}, horizons=(1, 2, 5, 10, 20, 40)),)

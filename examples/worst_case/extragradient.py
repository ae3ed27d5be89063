"""Extragradient: the gap of the averages is at most R^2 / (2 gamma T) for monotone Lipschitz operators, gamma L <= 1.

Source: Nemirovski, "Prox-Method with Rate of Convergence O(1/t)", SIAM J. Optim. 15 (2004), Theorem 3.2; the constant
is derived in ../extragradient.py. The gap at u is <F(u), z - u>, which for a bilinear saddle function is that of its
values; R is the distance of the start from u.
"""

import workbench as wb

v = wb.vocabulary
PAPER = wb.Paper(__name__, "Extragradient", "Nemirovski", "SIAM J. Optim. 15 (2004)")
THEOREM = PAPER.theorem(
    "thm-3.2",
    bound=v.D_1**2 / (2 * v.gamma * v.T),
    exponent=-1,
    metric=r"$\langle F(u), \bar w_T - u \rangle$",
    metric_kind="average",
    schedule={"gamma": v.gamma},
    generic={v.L: 1, v.gamma: 1, v.D_1: 1},
    conditions=[(v.gamma * v.L <= 1, "gamma L <= 1")],
)
State, Steps = wb.state("x", "y", "z", "w"), wb.steps("gamma")  # z, w: the averages


def step(s, t, c, oracle, draw, xp):
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    x, y = s.x - c.gamma * g_x, s.y + c.gamma * g_y
    h_x, h_y = oracle.grad(x, y, draw(0))
    return State(s.x - c.gamma * h_x, s.y + c.gamma * h_y, s.z + (x - s.z) / t, s.w + (y - s.w) / t)


STUDY = wb.Study(PAPER, metric="gap", shift=-1)
CLAIMS = (STUDY.worst_case(THEOREM, step, "Lipschitz monotone", horizons=(1, 2, 5, 10)),)

"""NSGDM: Cutkosky, Mehta, "Momentum improves normalized SGD", ICML 2020; the reference of paper `ada_minimax`, L120.

min_x f(x) with constant momentum weight alpha and step eta. Theory sets both from the horizon, the smoothness and the
*known* noise level (`workbench.theorems.baselines.schedules.NSGDM`). A zero momentum moves along the first basis
vector, as in Ada-NSGDM, so the two are compared on equal terms. The listing is the one quoted at L120.

The paper proves O(T^-1/2 + sqrt(sigma) T^-1/4) for the mean gradient norm.
"""

import workbench as wb
from workbench.ops import unit

TITLE = "NSGDM (known noise)"
SOURCE = "arXiv 2002.03305"
LABEL = "GK"
State = wb.state("x", "m")  # m: m_{t-1}, g_1 before the first iteration
Steps = wb.steps("alpha", "eta")  # alpha: weight of the new gradient


def init(start, c, oracle, draw, xp):
    """x_1 and m_1 = grad F(x_1; xi_1), with the xi_1 that iteration 1 uses."""
    x = start["x"]
    return State(x, oracle.grad(x, draw(0)))


def step(s, t, c, oracle, draw, xp):
    """Iteration t."""
    g = oracle.grad(s.x, draw(0))
    m = (1 - c.alpha) * s.m + c.alpha * g
    return State(s.x - c.eta * unit(m, xp), m)

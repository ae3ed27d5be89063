"""TiAda as in its authors' code: one AdaGrad sum per coordinate (github ShawnLixx/time-scale_adaptive_minimax).

Each coordinate of x is divided by its own sum to the power a. The whole of x is then scaled by V_x^a / max(V_x, V_y)^a,
the ratio of the sums over all coordinates, which couples the two time scales. For d = 1 this is the printed rule of
`tiada`, with its rate; no theorem covers d > 1. The code starts the sums at 0 and guards the denominator by 1e-10; here
they start at v_0.
"""

import workbench as wb
from workbench.ops import maximum, power, rowsum

TITLE = "TiAda (coordinate-wise)"
SOURCE = "arXiv 2210.17478, authors' code: optimizer/tiada.py"
LABEL = "C"
AUTHORS = "github ShawnLixx/time-scale_adaptive_minimax, optimizer/tiada.py at f8aea02, d = 3"
DIFFERENCE = 8.7e-10
# v_x: v_0 + sum_{k<t} g_{x,k}^2 of each coordinate; v_y: v_0 + sum_{k<t} g_{y,k}^2 of each coordinate
State = wb.state("x", "y", "v_x", "v_y")
Steps = wb.steps("eta_x", "eta_y", "a", "b", "v_0")  # v_0: start of every sum


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and v_0."""
    x, y = start["x"], start["y"]
    return State(x, y, xp.zeros_like(x) + c.v_0, xp.zeros_like(y) + c.v_0)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: one sample, two partial gradients."""
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    v_x, v_y = s.v_x + g_x * g_x, s.v_y + g_y * g_y
    total_x, total_y = rowsum(v_x, xp), rowsum(v_y, xp)
    ratio = power(total_x / maximum(total_x, total_y, xp), c.a, xp)
    x = s.x - c.eta_x * ratio * g_x / power(v_x, c.a, xp)
    y = s.y + c.eta_y * g_y / power(v_y, c.b, xp)
    return State(x, y, v_x, v_y)

"""TiAda: Li, Yang, He, "TiAda: a time-scale adaptive algorithm for nonconvex minimax optimization", ICLR 2023.

min_x max_y f(x, y): AdaGrad-Norm with exponent a on x, whose denominator also contains the dual sum, and b on y. The
authors' code and paper `ada_minimax` (L1430) take a = 0.6, b = 0.4. The sums contain the current gradients. Both
updates start from (x_t, y_t). This is the printed rule; in the authors' code each coordinate has its own sum, see
`tiada_coordinate`. The two agree for d = 1; for d = 3 they differ by DIFFERENCE.

The paper proves O~(eps^-(4 + delta)) gradients for every delta > 0, as a, b -> 1/2.
"""

import workbench as wb
from workbench.ops import column, maximum, power, sq

TITLE = "TiAda"
SOURCE = "arXiv 2210.17478"
LABEL = "C"
AUTHORS = "github ShawnLixx/time-scale_adaptive_minimax, optimizer/tiada.py at f8aea02, d = 3"
DIFFERENCE = 0.92
# v_x: v_0 + sum_{k<t} |g_{x,k}|^2, (runs, 1); v_y: v_0 + sum_{k<t} |g_{y,k}|^2, (runs, 1)
State = wb.state("x", "y", "v_x", "v_y")
# v_0: start of both sums, positive, or a zero first gradient divides by zero
Steps = wb.steps("eta_x", "eta_y", "a", "b", "v_0")


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and v_0."""
    x, y = start["x"], start["y"]
    v_0 = column(c.v_0, x, xp)
    return State(x, y, v_0, v_0)


def step(s, t, c, oracle, draw, xp):
    """Iteration t: one sample, two partial gradients."""
    g_x, g_y = oracle.grad(s.x, s.y, draw(0))
    v_x, v_y = s.v_x + sq(g_x, xp), s.v_y + sq(g_y, xp)
    x = s.x - c.eta_x * g_x / power(maximum(v_x, v_y, xp), c.a, xp)
    y = s.y + c.eta_y * g_y / power(v_y, c.b, xp)
    return State(x, y, v_x, v_y)

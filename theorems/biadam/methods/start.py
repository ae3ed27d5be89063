"""What Algorithms 1 and 2 share: the state, the parameters, and line 2 with line 4 of iteration 1 (L29, L33)."""

import workbench as wb
from workbench.ops import column

from .estimators import neumann
from .matrices import diagonal, first_sum, next_sum, scale, second_moment

State = wb.state(
    "x",
    "y",  # y_t, (runs, p)
    "w",
    "v",  # v_t, (runs, p)
    "A",  # diagonal of A_t
    "b",  # b_t, (runs, 1)
    "moment",  # w~_t of (4)
    "total",  # the number behind b_t, (runs, 1)
)
Steps = wb.steps(
    "gamma",
    "lam",
    "k",
    "m",
    "c_1",
    "c_2",
    "K",  # terms of the Neumann sum, one number for the batch
    "L_g",  # 1/theta of (6)
    "rho",
    adapt_x=0,  # rule for A_t, one of `matrices`
    adapt_y=0,  # rule for b_t
    alpha=0.9,  # of (4)
    beta=0.9,  # of (5)
    b_0=1.0,
    epsilon=0.0,
    exponent=0.5,  # of STORM's rule
    divisor=1.0,
    b_low=0.0,
    b_high=1e300,
)


def init(start, c, oracle, draw, xp):
    """Line 2, and line 4 of iteration 1. Its samples are apart from those of line 7, iteration 1."""
    x, y = start["x"], start["y"]
    xi, zeta = draw(2), draw(3)
    v = oracle.grad_y_g(x, y, zeta)
    estimate = neumann(x, y, xi, c.K, 1.0 / c.L_g, oracle, xp)
    w = estimate.value
    moment = second_moment(c.adapt_x, xp.zeros_like(x), estimate, w, c.alpha)
    total = next_sum(c.adapt_y, column(first_sum(c.adapt_y, c.b_0), x, xp), v, c.beta, xp)
    return State(x, y, w, v, diagonal(moment, c.rho, xp), scale(c.adapt_y, total, c, xp), moment, total)

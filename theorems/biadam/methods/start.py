"""What Algorithms 1 and 2 share: the state, the parameters, and line 2 with line 4 of iteration 1 (L29, L33)."""

from typing import Any, NamedTuple

from workbench.arrays.ops import column

from .estimators import neumann
from .matrices import diagonal, first_sum, next_sum, scale, second_moment


class State(NamedTuple):
    x: Any  # x_t, (runs, d)
    y: Any  # y_t, (runs, p)
    w: Any  # w_t, (runs, d)
    v: Any  # v_t, (runs, p)
    A: Any  # diagonal of A_t, (runs, d)
    b: Any  # b_t, (runs, 1)
    moment: Any  # w~_t of (4), (runs, d)
    total: Any  # the number behind b_t, (runs, 1)


class Steps(NamedTuple):
    gamma: Any
    lam: Any
    k: Any
    m: Any
    c_1: Any
    c_2: Any
    K: int  # terms of the Neumann sum, one number for the batch
    L_g: Any  # 1/theta of (6)
    rho: Any
    adapt_x: int = 0  # rule for A_t, one of `matrices`
    adapt_y: int = 0  # rule for b_t
    alpha: Any = 0.9  # of (4)
    beta: Any = 0.9  # of (5)
    b_0: Any = 1.0
    epsilon: Any = 0.0
    exponent: Any = 0.5  # of STORM's rule
    divisor: Any = 1.0
    b_low: Any = 0.0
    b_high: Any = 1e300


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

"""stocBiO: Ji, Yang, Liang, ICML 2021: N inner stochastic gradient steps, truncated Neumann sum, a step on x.

The sum has K = Q + 1 terms theta prod (I - theta grad^2_yy g(zeta_i)), a fresh sample in each factor. The inner loop
starts from the last iteration's y; all steps are constant, unless a decay is
given. The authors' code (github JunjieYang97/stocBiO) loses the
factor theta and the first term of the sum and has one sample for all factors; this is the rule of the paper, as in
github benchopt/benchmark_bilevel. Batches are those of the oracle; the paper's grow along the product.
"""

import workbench as wb
from workbench.ops import power

from .estimators.truncated import shia
from .inner_descent import descend

TITLE = "stocBiO"
SOURCE = "arXiv 2010.07962"
LABEL = "C"
State = wb.state("x", "y")
Steps = wb.steps(
    "alpha",  # step of y
    "beta",  # step of x
    "N",
    "K",  # Q + 1
    "theta",  # eta of the paper
    m=1.0,
    a=0.0,  # decay of beta, as (m + t)^-a
    b=0.0,  # of alpha
)


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t: N + 2 gradients, K - 1 Hessian- and one Jacobian-vector product."""
    y = descend(s.x, s.y, c.alpha * power(c.m + t, -c.b, xp), c.N, draw(1), oracle, xp)
    h = shia(s.x, y, draw(0), c.K, c.theta, oracle, xp).value
    return State(s.x - c.beta * power(c.m + t, -c.a, xp) * h, y)

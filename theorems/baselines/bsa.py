"""BSA: Ghadimi, Wang, arXiv 1802.02246: t_k inner stochastic gradient steps, estimator HIA, a step on x.

Iteration k = 0, 1, ... has t_k = ceil(sqrt(k + 1)) inner steps beta/(j + 1), j = 0, ..., t_k - 1, from the last y; the
step alpha of x is constant (of order N^-1/2 for N iterations). Loop and estimator are confirmed by github
benchopt/benchmark_bilevel (which fixes the number of inner steps and moves x first); the schedule is general
knowledge, and other decays can be given. Of order eps^-6 samples are claimed. X = R^d: no projection.
"""

import workbench as wb
from workbench.ops import loop, power

from .estimators.truncated import hia

TITLE = "BSA"
SOURCE = "arXiv 1802.02246"
LABEL = "P"
State = wb.state("x", "y")
Steps = wb.steps(
    "alpha",
    "beta",
    "K",  # terms of the estimator
    "theta",
    m=1.0,
    a=0.0,  # decay of alpha over the iterations, as (m + t)^-a
    b=0.0,  # of beta
    p=1.0,  # decay of beta within an iteration, as (j + 1)^-p
)


def init(start, c, oracle, draw, xp):
    """x_1 and y_1."""
    return State(start["x"], start["y"])


def step(s, t, c, oracle, draw, xp):
    """Iteration t = k + 1: t_k + 2 gradients, (K - 1)/2 Hessian- (on average) and one Jacobian-vector product."""
    zeta, beta = draw(1), c.beta * power(c.m + t, -c.b, xp)

    def descend(j, carry):
        return (
            carry[0]
            - beta * power(xp.asarray(j + 1.0), -c.p, xp) * oracle.grad_y_g(s.x, carry[0], zeta.repeat(j)),
        )

    count = xp.astype(-xp.floor(-xp.sqrt(t)), xp.int64)
    (y,) = loop(count, descend, (s.y,), xp)
    h = hia(s.x, y, draw(0), c.K, c.theta, oracle, xp).value
    return State(s.x - c.alpha * power(c.m + t, -c.a, xp) * h, y)

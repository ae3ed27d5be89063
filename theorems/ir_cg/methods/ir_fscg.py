"""IR-FSCG: Algorithm 2 (L103-123), for finite sums F = (1/n) sum f_i and G = (1/n) sum g_i.

Algorithm 1 with SPIDER estimators: full gradients at t = 0, q, 2q, ..., and in between differences over S indices of
each level, drawn with replacement. alpha_t is constant for t < hold and sigma_t for t <= hold; hold = q in Theorem 2
and q + 1 in Theorem 6. The average z_t starts at t = q. Before, z_t := x_t, the value of its formula for an empty sum.
The paper counts t from 0.

Theorem 2 (L165-170) gives the rates of both levels, Theorem 4 (L934-950) the convergence of the last iterate, Theorem 6
(L1068-1264) the rates for a non-convex F.
"""

import workbench as wb
from workbench.ops import column, indicator, maximum, power

from ...baselines.estimators.spider import spider

TITLE = "IR-FSCG"
SOURCE = "Algorithm 2, L103-123"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}
    "F",  # estimate of grad F(x_{t-1})
    "G",  # estimate of grad G(x_{t-1})
    "A",  # sum_{q < i <= t} (i+1) i (sigma_{i-1} - sigma_i) x_i
    "B",  # sum_{q < i <= t} (i+1) i (sigma_{i-1} - sigma_i), (runs, 1)
    "z",  # z_t, x_t for t <= q
    "sigma",  # sigma_t, (runs, 1)
)
Steps = wb.steps(
    "varsigma",
    "p",
    "a",
    "b",
    "omega",
    "q",  # iterations between full gradients, one number for the batch
    "S",  # indices per level
    "alpha_0",  # the step while t < hold
    "hold",
)


def init(start, c, oracle, draw, xp):
    """x_0 in X."""
    x = start["x"]
    none, zero = xp.zeros_like(x), column(0.0, x, xp)
    sigma = column(c.varsigma * power(xp.asarray(c.hold + 1.0), -c.p, xp), x, xp)
    return State(x, x, none, none, none, zero, x, sigma)


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    t = t - 1.0  # the paper's t = 0, 1, 2, ...

    def full():
        return oracle.full_f(s.x), oracle.full_g(s.x)

    def change():  # grad f(x_t) - grad f(x_{t-1}) over the same S indices, and so for g
        f = oracle.difference_f(s.x, s.x_old, draw(0), c.S)
        g = oracle.difference_g(s.x, s.x_old, draw(1), c.S)
        return f, g

    F, G = spider((s.F, s.G), t, c.q, full, change, xp)
    a = xp.where(t < c.hold, c.alpha_0, power(c.a / (t + c.b), c.omega, xp))  # alpha_t
    v = oracle.lmo(s.sigma * F + G)
    x = s.x + a * (v - s.x)
    last = maximum(t + 1.0, c.hold, xp)
    sigma = column(c.varsigma * power(last + 1.0, -c.p, xp), x, xp)  # sigma_{t+1}
    w = (t + 2.0) * (t + 1.0)
    late = indicator(t >= c.q, xp)  # the sums hold i = q+1, ..., t+1
    A = s.A + late * w * (s.sigma - sigma) * x
    B = s.B + late * w * (s.sigma - sigma)
    z = (w * sigma * x + A) / (w * sigma + B)  # the divisor is S_{t+1}
    return State(x, s.x, F, G, A, B, z, sigma)

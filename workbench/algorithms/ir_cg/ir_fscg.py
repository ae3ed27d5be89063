"""IR-FSCG: Algorithm 2 (L103-123), finite sums F = (1/n) sum f_i, G = (1/n) sum g_i.

As Algorithm 1 with SPIDER estimators: the full gradients at t = 0, q, 2q, ..., else S new indices of each level, drawn
with replacement, at x_t and x_{t-1}. alpha_t and sigma_t are constant during the first phase t < hold, t <= hold:
hold = q in Theorem 2, q + 1 in Theorem 6. The average starts at t = q (with z_t := x_t until then, which is what its
formula gives for an empty sum). The paper counts t from 0.
"""

from typing import Any, NamedTuple

from workbench.arrays.ops import branch, maximum, power

TITLE = "IR-FSCG"
SOURCE = "Algorithm 2, L103-123"


class State(NamedTuple):
    x: Any  # x_t, (runs, d)
    x_old: Any  # x_{t-1}, (runs, d)
    F: Any  # estimate of grad F(x_{t-1}), (runs, d)
    G: Any  # estimate of grad G(x_{t-1}), (runs, d)
    A: Any  # sum_{q < i <= t} (i+1) i (sigma_{i-1} - sigma_i) x_i, (runs, d)
    B: Any  # sum_{q < i <= t} (i+1) i (sigma_{i-1} - sigma_i), (runs, 1)
    z: Any  # z_t, (runs, d); x_t for t <= q
    sigma: Any  # sigma_t, (runs, 1)


class Steps(NamedTuple):
    varsigma: Any
    p: Any
    a: Any
    b: Any
    omega: Any
    q: int  # iterations between full gradients, one number for the batch
    S: int  # indices per level
    alpha_0: Any  # the step while t < hold
    hold: int


def init(start, c, oracle, draw, xp):
    """x_0 in X."""
    x, zero = start["x"], xp.zeros((start["x"].shape[0], 1))
    none = xp.zeros_like(x)
    return State(
        x, x, none, none, none, zero, x, zero + c.varsigma * power(xp.asarray(c.hold + 1.0), -c.p, xp)
    )


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 2."""
    t = t - 1.0  # the paper's t = 0, 1, 2, ...

    def full():
        return oracle.full_f(s.x), oracle.full_g(s.x)

    def update():
        # grad f(x_t) - grad f(x_{t-1}), both with the same S indices
        f = oracle.difference_f(s.x, s.x_old, draw(0), c.S)
        g = oracle.difference_g(s.x, s.x_old, draw(1), c.S)
        return s.F + f, s.G + g

    due = t - c.q * xp.floor(t / c.q) == 0.0  # t = 0 mod q
    F, G = branch(due, full, update, xp)
    a = xp.where(t < c.hold, 0.0 * t + c.alpha_0, power(c.a / (t + c.b), c.omega, xp))  # alpha_t
    v = oracle.lmo(s.sigma * F + G)
    x = s.x + a * (v - s.x)
    last = maximum(t + 1.0, 0.0 * t + c.hold, xp)
    sigma = xp.zeros_like(s.sigma) + c.varsigma * power(last + 1.0, -c.p, xp)  # sigma_{t+1}
    w = (t + 2.0) * (t + 1.0)
    late = xp.where(t >= c.q, 0.0 * t + 1.0, 0.0 * t)  # the sums hold i = q+1, ..., t+1
    A = s.A + late * w * (s.sigma - sigma) * x
    B = s.B + late * w * (s.sigma - sigma)
    z = (w * sigma * x + A) / (w * sigma + B)  # the divisor is S_{t+1}
    return State(x, s.x, F, G, A, B, z, sigma)

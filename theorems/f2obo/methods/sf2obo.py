"""SF2OBO: Algorithm 3 (L266-282), F2OBO with minibatches whose size grows with t.

Inner step k draws fresh xi_t^k and zeta_t^k of size B_t; the same zeta serves the steps of z and of y. After the loop
fresh xi_t and zeta_t of size B^_t are drawn; the same zeta serves both gradients of line 10. The listing's input lacks
z_1. Sequences: alpha_t = alpha t^-a, beta_t = beta t^-b, B^_t = ceil(t^B_1), B_t = ceil(t^B_2), K_t of
`rounds.stochastic`.

Theorem 5.1 (L283-289) bounds the expected regret; Corollary 5.2 (L291-295) chooses the exponents.
"""

import workbench as wb
from workbench.ops import column, loop, power

from .rounds import ceil, stochastic

TITLE = "SF2OBO"
SOURCE = "Algorithm 3, L266-282"
State = wb.state("x", "y", "z", "lam")  # lam: lambda_t, (runs, 1)
Steps = wb.steps(
    "alpha",
    "a",
    "beta",
    "b",
    "lam",  # lambda_1
    "tau",
    "gamma",
    "K",  # factor of K_t
    "B_1",  # exponent of the upper batch
    "B_2",  # exponent of the inner batch
    K_0=1.0,  # least number of inner steps
)


def init(start, c, oracle, draw, xp):
    """Input of the listing, with z_1: x_1, y_1, z_1 and lambda_1."""
    x = start["x"]
    return State(x, start["y"], start["z"], column(c.lam, x, xp))


def batch(t, exponent, xp):
    """ceil(t^exponent), as a float."""
    return xp.astype(ceil(power(t, exponent, xp), xp), xp.float64)


def step(s, t, c, oracle, draw, xp):
    """Round t of Algorithm 3."""
    alpha, beta = c.alpha * power(t, -c.a, xp), c.beta * power(t, -c.b, xp)
    B, B_hat = batch(t, c.B_2, xp), batch(t, c.B_1, xp)
    xi_k, zeta_k, xi, zeta = draw(0), draw(1), draw(2), draw(3)

    def inner(k, yz):  # lines 5-7
        y, z = yz
        z_next = z - alpha * oracle.grad_y_g(t, s.x, z, zeta_k, k, B)
        y_next = y - beta * (
            oracle.grad_y_f(t, s.x, y, xi_k, k, B) + s.lam * oracle.grad_y_g(t, s.x, y, zeta_k, k, B)
        )
        return y_next, z_next

    K = stochastic(t, c.K, c.K_0, c.b, c.tau, c.a, xp)
    y, z = loop(K, inner, (s.y, s.z), xp)  # lines 3-9, warm start
    h = oracle.grad_x_f(t, s.x, y, xi, 0, B_hat) + s.lam * (
        oracle.grad_x_g(t, s.x, y, zeta, 0, B_hat) - oracle.grad_x_g(t, s.x, z, zeta, 0, B_hat)
    )  # line 10
    x = oracle.project(s.x - c.gamma * h)  # line 11
    lam = power(1.0 + 1.0 / t, c.tau, xp) * s.lam  # line 12
    return State(x, y, z, lam)

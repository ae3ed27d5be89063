"""AF2OBO: Algorithm 2 (L217-233). Each run solves its inner problems until their gradients are small.

Line 8 prints beta for beta_t = beta t^-b. The gradient that is tested is also that of the next step, so a loop of n
steps evaluates n + 1 gradients. K_max guards against a test that cannot pass because of rounding (delta_y near
lambda_t eps |y|). ``unsolved`` counts the inner problems that reach it without passing the test.

Theorem 4.1 (L234-240) bounds the regret and the number of inner steps.
"""

import workbench as wb
from workbench.ops import column, indicator, loop, norm, power

TITLE = "AF2OBO"
SOURCE = "Algorithm 2, L217-233"
State = wb.state(
    "x",
    "y",
    "z",
    "lam",  # lambda_t, (runs, 1)
    "steps_y",  # inner steps of y before round t, (runs, 1)
    "steps_z",  # inner steps of z before round t, (runs, 1)
    "unsolved",  # inner problems before round t stopped at K_max, (runs, 1)
)
# lam: lambda_1; K_max: largest number of inner steps of one loop
Steps = wb.steps("alpha", "beta", "b", "lam", "tau", "gamma", "delta_y", "delta_z", "K_max")


def init(start, c, oracle, draw, xp):
    """Input of the listing: x_1, y_1, z_1 and lambda_1."""
    x = start["x"]
    zero = column(0.0, x, xp)
    return State(x, start["y"], start["z"], column(c.lam, x, xp), zero, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """Round t of Algorithm 2."""
    beta = c.beta * power(t, -c.b, xp)

    def grad_z(z):
        return oracle.grad_y_g(t, s.x, z)

    def grad_y(y):
        return oracle.grad_y_f(t, s.x, y) + s.lam * oracle.grad_y_g(t, s.x, y)

    def solve(v, grad, rate, delta):  # lines 3-6 and 7-9
        def body(k, carry):
            v, g, n = carry
            v = v - rate * g
            return v, grad(v), n + 1.0

        start = (v, grad(v), column(0.0, v, xp))
        v, g, n = loop(c.K_max, body, start, xp, going=lambda carry: norm(carry[1], xp) > delta)
        return v, n, indicator(norm(g, xp) > delta, xp)

    z, n_z, left_z = solve(s.z, grad_z, c.alpha, c.delta_z)
    y, n_y, left_y = solve(s.y, grad_y, beta, c.delta_y)
    h = oracle.grad_x_f(t, s.x, y) + s.lam * (
        oracle.grad_x_g(t, s.x, y) - oracle.grad_x_g(t, s.x, z)
    )  # line 10
    x = oracle.project(s.x - c.gamma * h)  # line 11
    lam = power(1.0 + 1.0 / t, c.tau, xp) * s.lam  # line 12
    return State(x, y, z, lam, s.steps_y + n_y, s.steps_z + n_z, s.unsolved + left_y + left_z)

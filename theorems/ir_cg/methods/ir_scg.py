"""IR-SCG: Algorithm 1 (L86-102), one sample of each level per iteration.

min F(x) over x in X_opt = argmin_X G: conditional gradient on sigma_t F + G with sigma_t -> 0 and STORM estimators of
both gradients. The momentum weight and the step are the same alpha_t. Both evaluations of an iteration share the
sample. sigma_t multiplies the estimate of grad F; it does not enter the recursion. The paper counts t from 0.

Theorem 1 (L160-164) gives the rates of both levels, Theorem 3 (L906-932) the convergence of the last iterate, Theorem 5
(L1011-1061) the rates for a non-convex F. The convex theorems take alpha_t = 2/(t+2), Theorem 5 takes (t+1)^-omega.
Both are (a/(t+b))^omega with alpha_0 = 1.
"""

import workbench as wb
from workbench.ops import column, power

TITLE = "IR-SCG"
SOURCE = "Algorithm 1, L86-102"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}
    "F",  # estimate of grad F(x_{t-1})
    "G",  # estimate of grad G(x_{t-1})
    "A",  # sum_{i <= t} (i+1) i (sigma_{i-1} - sigma_i) x_i
    "B",  # sum_{i <= t} (i+1) i (sigma_{i-1} - sigma_i), (runs, 1)
    "z",  # z_t, x_0 before the first iteration
    "sigma",  # sigma_t, (runs, 1)
)
Steps = wb.steps("varsigma", "p", "a", "b", "omega")


def init(start, c, oracle, draw, xp):
    """x_0 in X."""
    x = start["x"]
    none, zero = xp.zeros_like(x), column(0.0, x, xp)
    return State(x, x, none, none, none, zero, x, column(c.varsigma, x, xp))


def step(s, t, c, oracle, draw, xp):
    """Iteration t of Algorithm 1."""
    t = t - 1.0  # the paper's t = 0, 1, 2, ...
    theta, xi = draw(0), draw(1)
    a = power(c.a / (t + c.b), c.omega, xp)  # alpha_t
    keep = xp.where(t == 0.0, 0.0, 1.0 - a)  # the listing's case t = 0 has no old estimate
    f, f_old = oracle.pair_f(s.x, s.x_old, theta, 1)  # at x_t and x_{t-1}, both with theta_t
    g, g_old = oracle.pair_g(s.x, s.x_old, xi, 1)
    F = keep * s.F + f - keep * f_old
    G = keep * s.G + g - keep * g_old
    v = oracle.lmo(s.sigma * F + G)
    x = s.x + a * (v - s.x)
    sigma = column(c.varsigma * power(t + 2.0, -c.p, xp), x, xp)  # sigma_{t+1}
    w = (t + 2.0) * (t + 1.0)
    A = s.A + w * (s.sigma - sigma) * x
    B = s.B + w * (s.sigma - sigma)
    z = (w * sigma * x + A) / (w * sigma + B)  # the divisor is S_{t+1}
    return State(x, s.x, F, G, A, B, z, sigma)

"""STABLE, as `stable`, on any bilevel oracle: the estimates of the Jacobian and the Hessian are matrices.

    V <- S_C[(1 - tau_t)(V - J(z_(t-1); zeta)) + J(z_t; zeta)],  H likewise with S_mu,  z = (x, y)
    x_(t+1) = x_t - alpha_t (f_x - V H^-1 f_y)
    y_(t+1) = y_t - beta_t g_y - H^-1 V' (x_(t+1) - x_t)

S_C clips singular values from above, S_mu the eigenvalues of the symmetric part from below. An oracle gives products
with J and H only, so a sample costs p products of each kind for y of p numbers, at two points: for small p. Steps as in
`stable`, systems are solved exactly. The first estimates are those of one sample.
"""

import workbench as wb
from workbench.ops import minimum

from .estimators.row_wise import wide
from .estimators.spectral import at_least, into_spectral_ball

TITLE = "STABLE"
SOURCE = "arXiv 2102.04671"
LABEL = "C"
State = wb.state(
    "x",
    "x_old",  # x_{t-1}
    "y",
    "y_old",  # y_{t-1}
    "V",  # of d2g/dxdy, (runs, d, p)
    "H",  # of d2g/dydy, (runs, p, p)
)
Steps = wb.steps("alpha", "beta", "tau", "m", "C", "mu")  # C: bound on |J|; mu: least eigenvalue of H


def _matrices(x, y, zeta, oracle, xp):
    """J(x, y; zeta) and H(x, y; zeta), column by column."""
    unit = xp.eye(y.shape[-1])
    columns = [xp.zeros_like(y) + unit[j : j + 1, ...] for j in range(y.shape[-1])]
    J = xp.stack([oracle.jac_xy_g(x, y, e, zeta, 0) for e in columns], axis=-1)
    return J, xp.stack([oracle.hess_yy_g(x, y, e, zeta, 0) for e in columns], axis=-1)


def _solve(H, v, xp):
    return xp.linalg.solve(H, v[..., None])[..., 0]


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and the projected estimates of one sample."""
    x, y = start["x"], start["y"]
    V, H = _matrices(x, y, draw(2), oracle, xp)
    return State(x, x, y, y, into_spectral_ball(V, c.C, xp), at_least(H, c.mu, xp))


def step(s, t, c, oracle, draw, xp):
    """Iteration t: two gradients, and J and H of one sample at two points."""
    rate = 1.0 / xp.sqrt(c.m + t)
    keep = wide(1.0 - minimum(c.tau * rate, 1.0, xp), s.V)
    zeta = draw(1)
    f_x, f_y = oracle.grad_f(s.x, s.y, draw(0))
    g_y = oracle.grad_y_g(s.x, s.y, zeta)
    J, h = _matrices(s.x, s.y, zeta, oracle, xp)
    J_old, h_old = _matrices(s.x_old, s.y_old, zeta, oracle, xp)
    V = into_spectral_ball(keep * (s.V - J_old) + J, c.C, xp)
    H = at_least(keep * (s.H - h_old) + h, c.mu, xp)
    x = s.x - c.alpha * rate * (f_x - xp.matmul(V, _solve(H, f_y, xp)[..., None])[..., 0])
    shift = _solve(H, xp.matmul(xp.matrix_transpose(V), (x - s.x)[..., None])[..., 0], xp)
    return State(x, s.x, s.y - c.beta * rate * g_y - shift, s.y, V, H)

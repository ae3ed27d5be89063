"""SOGD: Nazari, Hou, Tarzanagh, Shen, Michailidis, arXiv 2511.01126, Algorithm 1: STORM on each of three directions.

z = (x, y); v solves (d2g/dydy) v = grad_y f (the paper's v has the other sign). The old point is evaluated with the
functions and samples of the current round; its v is v_{t-1}, on which the paper is silent. All directions are taken at
the old values (Jacobi). Sequences: alpha_t = alpha (c + t)^-q for x, and likewise beta_t for y and delta_t for v; the
weights of the new values are eta_t = eta (c + t - 1)^(-2q), at most 1.

Theorem 3.6 takes q = 1/3 and bounds the regret by O(T^(1/3) (sigma^2 + Delta_T) + T^(2/3) Psi_T). q = 0 gives constant
steps.
"""

import workbench as wb
from workbench.ops import into_ball, minimum, power

TITLE = "SOGD"
SOURCE = "arXiv 2511.01126"
LABEL = "C"
State = wb.state(
    "x",
    "y",
    "v",
    "x_old",  # x_{t-1}
    "y_old",  # y_{t-1}
    "v_old",  # v_{t-1}
    "d_x",  # direction of x at t - 1
    "d_y",  # direction of y at t - 1
    "d_v",  # direction of v at t - 1
)
# radius: of the ball onto which v is projected
Steps = wb.steps("alpha", "beta", "delta", "eta", "c", "q", "radius", "B")


def init(start, c, oracle, draw, xp):
    """x_1, y_1, v_1 = 0; directions that round 1 replaces by plain estimates."""
    x, y = start["x"], start["y"]
    v = xp.zeros_like(y)
    return State(x, y, v, x, y, v, xp.zeros_like(x), v, v)


def directions(t, x, y, v, xi, zeta, B, oracle):
    """(D_x, D_y, D_v) at one point with one pair of samples."""
    D_x = oracle.grad_x_f(t, x, y, xi, 0, B) - oracle.jac_xy_g(t, x, y, v, zeta, 0)
    D_v = oracle.hess_yy_g(t, x, y, v, zeta, 0) - oracle.grad_y_f(t, x, y, xi, 0, B)
    return D_x, oracle.grad_y_g(t, x, y, zeta, 0, B), D_v


def step(s, t, c, oracle, draw, xp):
    """Round t: six gradients, two Hessian- and two Jacobian-vector products."""
    xi, zeta = draw(0), draw(1)
    rate = power(c.c + t, -c.q, xp)
    fresh = minimum(c.eta * power(c.c + t - 1.0, -2.0 * c.q, xp), 1.0, xp)
    keep = xp.where(t > 1.0, 1.0 - fresh, 0.0)  # weight of the old estimate; none at t = 1
    D_x, D_y, D_v = directions(t, s.x, s.y, s.v, xi, zeta, c.B, oracle)
    O_x, O_y, O_v = directions(t, s.x_old, s.y_old, s.v_old, xi, zeta, c.B, oracle)
    d_x = D_x + keep * (s.d_x - O_x)
    d_y = D_y + keep * (s.d_y - O_y)
    d_v = D_v + keep * (s.d_v - O_v)
    x = oracle.project(s.x - c.alpha * rate * d_x)
    y = s.y - c.beta * rate * d_y
    v = into_ball(s.v - c.delta * rate * d_v, c.radius, xp)
    return State(x, y, v, s.x, s.y, s.v, d_x, d_y, d_v)

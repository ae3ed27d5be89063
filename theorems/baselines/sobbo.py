"""SOBBO: the stochastic form of `obbo` (same paper). x moves along the mean of the last w stochastic estimates.

Each inner step has its own sample, which its back-propagation reuses; f is sampled once per round; a sample has ``B``
points. The window reuses stored directions and draws no samples. The abstract gives the structure; the details are
general knowledge. The table of paper `f2obo` states the window regret O((T/w)(1 + sigma^2) + V_T + H_2,T).
"""

import workbench as wb

from .window import State, Window, init, push_direction, unroll

__all__ = ["State", "Steps", "init", "step"]

TITLE = "SOBBO"
SOURCE = "arXiv 2409.10470"
LABEL = "P"
Steps = wb.steps("alpha", "gamma", "B", "K", "w")  # K, w: whole numbers


def step(s, t, c, oracle, draw, xp):
    """Round t: K + 2 gradients, K Hessian- and K Jacobian-vector products."""
    zeta, xi = draw(0), draw(1)  # zeta_t^k of the inner steps, xi_t

    def move(k, y):
        return y - c.alpha * oracle.grad_y_g(t, s.x, y, zeta, k, c.B)

    def pull(k, y, a):
        push = c.alpha * oracle.jac_xy_g(t, s.x, y, a, zeta, k)
        return push, a - c.alpha * oracle.hess_yy_g(t, s.x, y, a, zeta, k)

    def last(y):
        return oracle.grad_x_f(t, s.x, y, xi, 0, c.B), oracle.grad_y_f(t, s.x, y, xi, 0, c.B)

    y, h = unroll(c.K, s.y, move, pull, last, xp)
    window, mean = push_direction(Window(s.ring, s.total, s.weight), h, t, c.w, xp.asarray(1.0), xp)
    return State(oracle.project(s.x - c.gamma * mean), y, *window)

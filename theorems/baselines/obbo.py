"""OBBO: Bohne, Rosenberg, Kazantsev, Polak, arXiv 2409.10470. K inner steps, back-propagation through them, x step.

The Bregman step is Euclidean here (projected gradient). w = 1 is the method in the table of paper `f2obo`,
with regret O(1 + V_T + H_2,T); w > 1 averages the last w directions. The abstract gives the structure; the details are
general knowledge.
"""

import workbench as wb

from .window import State, Window, init, push_direction, unroll

__all__ = ["State", "Steps", "init", "step"]

TITLE = "OBBO"
SOURCE = "arXiv 2409.10470"
LABEL = "P"
# K: inner steps of each run; K_max: the largest of them, where they differ; w: whole number
Steps = wb.steps("alpha", "gamma", "K", "w", K_max=0)


def step(s, t, c, oracle, draw, xp):
    """Round t: K + 2 gradients, K Hessian- and K Jacobian-vector products."""

    def move(k, y):
        return y - c.alpha * oracle.grad_y_g(t, s.x, y)

    def pull(k, y, a):
        return c.alpha * oracle.jac_xy_g(t, s.x, y, a), a - c.alpha * oracle.hess_yy_g(t, s.x, y, a)

    def last(y):
        return oracle.grad_x_f(t, s.x, y), oracle.grad_y_f(t, s.x, y)

    y, h = unroll(c.K, s.y, move, pull, last, xp, c.K_max)
    window, mean = push_direction(Window(s.ring, s.total, s.weight), h, t, c.w, xp.asarray(1.0), xp)
    return State(oracle.project(s.x - c.gamma * mean), y, *window)

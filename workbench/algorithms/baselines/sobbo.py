"""SOBBO: the stochastic form of `obbo` (same paper). x follows the mean of the last w stored stochastic estimates.

Each inner step has its own sample, which its back-propagation uses again; f is sampled once a round; ``B`` points each.
The window draws no sample again, so what is drawn is what is counted. The abstract gives the structure; the details are
general knowledge. The table of paper `f2obo` states the window regret O((T/w)(1 + sigma^2) + V_T + H_2,T).
"""

from typing import Any, NamedTuple

from workbench.algorithms.baselines.window import Window, empty, pushed, unrolled

TITLE = "SOBBO"
SOURCE = "arXiv 2409.10470"
LABEL = "P"


class State(NamedTuple):
    x: Any  # x_t, (runs, d_x)
    y: Any  # y_t, (runs, d_y)
    ring: Any  # stored directions, (runs, w, d_x)
    total: Any  # their sum, (runs, d_x)
    weight: Any  # how many there are, (runs, 1)


class Steps(NamedTuple):
    alpha: Any
    gamma: Any
    B: Any
    K: int
    w: int


def init(start, c, oracle, draw, xp):
    """x_1, y_1 and an empty window."""
    return State(start["x"], start["y"], *empty(start["x"], c.w, xp))


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

    y, h = unrolled(c.K, s.y, move, pull, last, xp)
    window, mean = pushed(Window(s.ring, s.total, s.weight), h, t, c.w, xp.asarray(1.0), xp)
    return State(oracle.project(s.x - c.gamma * mean), y, *window)

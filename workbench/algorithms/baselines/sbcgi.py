"""SBCGI: Cao, Jiang, Abolfazli, Yazdandoost Hamedani, Mokhtari, NeurIPS 2023 (arXiv 2308.07536), Algorithm 1.

Conditional gradient on the outer objective over X cut by the linearized inner level, X_t = {s in X: <G_t, s - x_t> <=
g(x_0) - g_t + K_t}, with STORM estimators of grad f, grad g and of the value g. It needs a nearly optimal x_0 for the
inner level: SPIDER-FW runs for the first ``warm`` iterations (ir_cg, L221). An empty X_t is skipped (x_t is kept) and
counted. gamma_t = gamma (k+1)^-a, K_t = K_0 (k+1)^-b, STORM weights (k+1)^-omega, k = t - warm; the weights in the
experiments of `ir_cg` are not stated, the method's own theory has omega = 1 (convex) and 2/3.
"""

from typing import Any, NamedTuple

from workbench.algorithms.estimators.spider import spider_fw
from workbench.arrays.ops import branch, dot, power

TITLE = "SBCGI"
SOURCE = "arXiv 2308.07536, Algorithm 1; ir_cg L221"
LABEL = "P"


class State(NamedTuple):
    x: Any  # x_t, (runs, d)
    x_old: Any  # x_{t-1}, (runs, d)
    F: Any  # estimate of grad F(x_{t-1}), (runs, d)
    G: Any  # estimate of grad G(x_{t-1}), (runs, d)
    g: Any  # estimate of G(x_{t-1}), (runs, 1)
    level: Any  # g(x_0), (runs, 1); 0 before it is known
    empty: Any  # how often X_t was empty, (runs, 1)


class Steps(NamedTuple):
    gamma: Any
    a: Any
    K_0: Any
    b: Any
    omega: Any
    warm: int
    warm_gamma: Any
    q: int  # of the warm start
    S: int


def init(start, c, oracle, draw, xp):
    x, zero = start["x"], xp.zeros((start["x"].shape[0], 1))
    return State(x, x, xp.zeros_like(x), xp.zeros_like(x), zero, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """SPIDER-FW while t < warm, then Algorithm 1."""
    t = t - 1.0
    k = t - c.warm

    def warm():
        x, G = spider_fw(s, t, c.warm_gamma, c.q, c.S, oracle, draw, xp)
        return x, s.x, s.F, G, s.g, s.level, s.empty

    def main():
        (level,) = branch(k == 0.0, lambda: (oracle.full_valued_g(s.x)[0],), lambda: (s.level,), xp)
        keep = 1.0 - power(k + 1.0, -c.omega, xp)  # 0 at k = 0
        f, f_old = oracle.pair_f(s.x, s.x_old, draw(0), 1)
        value, value_old, g, g_old = oracle.valued_pair_g(s.x, s.x_old, draw(1), 1)
        F = keep * (s.F - f_old) + f
        G = keep * (s.G - g_old) + g
        est = keep * (s.g - value_old) + value
        room = level - est + c.K_0 * power(k + 1.0, -c.b, xp)
        v, empty = oracle.lmo_cut(F, G, room + dot(G, s.x, xp))
        x = xp.where(empty, s.x, s.x + c.gamma * power(k + 1.0, -c.a, xp) * (v - s.x))
        return x, s.x, F, G, est, level, s.empty + xp.where(empty, 1.0 + 0.0 * s.g, 0.0 * s.g)

    return State(*branch(k < 0.0, warm, main, xp))

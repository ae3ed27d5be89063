"""SBCGF: Cao, Jiang, Abolfazli, Yazdandoost Hamedani, Mokhtari, NeurIPS 2023 (arXiv 2308.07536), Algorithm 2.

SBCGI (see there) for finite sums: SPIDER estimators of grad f, grad g and of the value g, constant step gamma.
"""

from typing import Any, NamedTuple

from workbench.algorithms.estimators.spider import spider, spider_fw
from workbench.arrays.ops import branch, dot, power

TITLE = "SBCGF"
SOURCE = "arXiv 2308.07536, Algorithm 2; ir_cg L221"
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
    K_0: Any
    b: Any
    q: int
    S: int
    warm: int
    warm_gamma: Any


def init(start, c, oracle, draw, xp):
    x, zero = start["x"], xp.zeros((start["x"].shape[0], 1))
    return State(x, x, xp.zeros_like(x), xp.zeros_like(x), zero, zero, zero)


def step(s, t, c, oracle, draw, xp):
    """SPIDER-FW while t < warm, then Algorithm 2."""
    t = t - 1.0
    k = t - c.warm

    def warm():
        x, G = spider_fw(s, t, c.warm_gamma, c.q, c.S, oracle, draw, xp)
        return x, s.x, s.F, G, s.g, s.level, s.empty

    def full():
        value, G = oracle.full_valued_g(s.x)
        return oracle.full_f(s.x), G, value

    def change():
        f = oracle.difference_f(s.x, s.x_old, draw(0), c.S)
        value, value_old, g, g_old = oracle.valued_pair_g(s.x, s.x_old, draw(1), c.S)
        return f, g - g_old, value - value_old

    def main():
        F, G, est = spider((s.F, s.G, s.g), k, c.q, full, change, xp)
        level = xp.where(k == 0.0, est, s.level)  # the full pass at k = 0 is exact
        room = level - est + c.K_0 * power(k + 1.0, -c.b, xp)
        v, empty = oracle.lmo_cut(F, G, room + dot(G, s.x, xp))
        x = xp.where(empty, s.x, s.x + c.gamma * (v - s.x))
        return x, s.x, F, G, est, level, s.empty + xp.where(empty, 1.0 + 0.0 * s.g, 0.0 * s.g)

    return State(*branch(k < 0.0, warm, main, xp))

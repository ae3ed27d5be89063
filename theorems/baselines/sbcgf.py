"""SBCGF: Cao, Jiang, Abolfazli, Yazdandoost Hamedani, Mokhtari, NeurIPS 2023 (arXiv 2308.07536), Algorithm 2.

SBCGI (`sbcgi`) for finite sums: SPIDER estimators of grad f, grad g and of the value g, and a constant step gamma.

The abstract claims O~(sqrt(n)/eps) samples for a convex f and O~(sqrt(n)/eps^2) for a non-convex one.
"""

import workbench as wb
from workbench.ops import branch, power

from .cut import State, init, move, warm_start
from .estimators.spider import spider

__all__ = ["State", "Steps", "init", "step"]

TITLE = "SBCGF"
SOURCE = "arXiv 2308.07536, Algorithm 2; ir_cg L221"
LABEL = "P"
Steps = wb.steps("gamma", "K_0", "b", "q", "S", "warm", "warm_gamma")  # q, S, warm: whole numbers


def step(s, t, c, oracle, draw, xp):
    """SPIDER-FW while t < warm, then Algorithm 2."""
    t = t - 1.0
    k = t - c.warm

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
        return move(s, F, G, est, level, c.K_0 * power(k + 1.0, -c.b, xp), c.gamma, oracle, xp)

    return State(*branch(k < 0.0, lambda: warm_start(s, t, c, oracle, draw, xp), main, xp))

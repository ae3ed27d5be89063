"""SBCGI: Cao, Jiang, Abolfazli, Yazdandoost Hamedani, Mokhtari, NeurIPS 2023 (arXiv 2308.07536), Algorithm 1.

Conditional gradient over the cut set X_t of `cut`, with STORM estimators of grad f, grad g and of the value g. The
method needs an x_0 that is nearly optimal for the inner level: SPIDER-FW runs for the first ``warm`` iterations (ir_cg,
L221). With k = t - warm: gamma_t = gamma (k+1)^-a, K_t = K_0 (k+1)^-b, STORM weights (k+1)^-omega. The weights in the
experiments of `ir_cg` are not stated; the method's own theory has omega = 1 (convex) and 2/3 (non-convex).

The abstract claims O~(max(eps_f^-2, eps_g^-2)) samples for a convex f and O~(eps^-3) for a non-convex one.
"""

import workbench as wb
from workbench.ops import branch, power

from .cut import State, init, move, warm_start

__all__ = ["State", "Steps", "init", "step"]

TITLE = "SBCGI"
SOURCE = "arXiv 2308.07536, Algorithm 1; ir_cg L221"
LABEL = "P"
# q: of the warm start; warm, S: whole numbers
Steps = wb.steps("gamma", "a", "K_0", "b", "omega", "warm", "warm_gamma", "q", "S")


def step(s, t, c, oracle, draw, xp):
    """SPIDER-FW while t < warm, then Algorithm 1."""
    t = t - 1.0
    k = t - c.warm

    def main():
        (level,) = branch(k == 0.0, lambda: (oracle.full_valued_g(s.x)[0],), lambda: (s.level,), xp)
        keep = 1.0 - power(k + 1.0, -c.omega, xp)  # 0 at k = 0
        f, f_old = oracle.pair_f(s.x, s.x_old, draw(0), 1)
        value, value_old, g, g_old = oracle.valued_pair_g(s.x, s.x_old, draw(1), 1)
        F = keep * (s.F - f_old) + f
        G = keep * (s.G - g_old) + g
        est = keep * (s.g - value_old) + value
        K, gamma = c.K_0 * power(k + 1.0, -c.b, xp), c.gamma * power(k + 1.0, -c.a, xp)
        return move(s, F, G, est, level, K, gamma, oracle, xp)

    return State(*branch(k < 0.0, lambda: warm_start(s, t, c, oracle, draw, xp), main, xp))

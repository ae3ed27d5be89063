"""What SBCGI and SBCGF share: conditional gradient on the outer objective over X cut by the linearized inner level.

    X_t = {v in X: <G_t, v - x_t> <= g(x_0) - g_t + K_t}

with estimates g_t and G_t of the inner value and gradient. Where X_t is empty, x_t is kept and the case is counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.ops import column, dot, indicator

from .estimators.spider import spider_fw

Array = Any


class State(NamedTuple):
    x: Array  # x_t, (runs, d)
    x_old: Array  # x_{t-1}, (runs, d)
    F: Array  # estimate of grad F(x_{t-1}), (runs, d)
    G: Array  # estimate of grad G(x_{t-1}), (runs, d)
    g: Array  # estimate of G(x_{t-1}), (runs, 1)
    level: Array  # g(x_0), (runs, 1); 0 before it is known
    empty: Array  # how often X_t was empty, (runs, 1)


def init(start, c, oracle, draw, xp):
    """x_0, with every estimate zero."""
    x = start["x"]
    none, zero = xp.zeros_like(x), column(0.0, x, xp)
    return State(x, x, none, none, zero, zero, zero)


def warm_start(s: State, t: Array, c: Any, oracle: Any, draw: Any, xp: Any) -> State:
    """An iteration of the warm start: SPIDER-FW on the inner objective."""
    x, G = spider_fw(s, t, c.warm_gamma, c.q, c.S, oracle, draw, xp)
    return s._replace(x=x, x_old=s.x, G=G)


def move(
    s: State, F: Array, G: Array, g: Array, level: Array, K: Array, gamma: Array, oracle: Any, xp: Any
) -> State:
    """x_{t+1} = x_t + gamma (v - x_t), where v minimizes <F, v> over X_t."""
    v, empty = oracle.lmo_cut(F, G, level - g + K + dot(G, s.x, xp))
    x = xp.where(empty, s.x, s.x + gamma * (v - s.x))
    return State(x, s.x, F, G, g, level, s.empty + indicator(empty, xp))

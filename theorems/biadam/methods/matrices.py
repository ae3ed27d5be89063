"""The adaptive matrices A_t (a diagonal) and B_t = b_t I: (4), (5) and the other rules that the paper names (L29, L41).

A rule is chosen by an int of ``Steps``. Samples are those already drawn for w_t and v_t. With every rule A_t >= rho I;
``b_low <= b_t <= b_high`` is forced, which Assumption 7 takes for granted.
"""

from __future__ import annotations

from typing import Any

from workbench.ops import clip, norm, power, sq

from .estimators import Estimate

Array = Any

# Rules for A_t: rho I; (4), a second moment of grad_x f; the same of w_t, of the estimate (6), of grad_x f - w_t.
RHO, GRADIENT, MOMENTUM, HYPERGRADIENT, BELIEF = range(5)
# Rules for b_t: constant; (5), a mean of norms; AdaGrad-Norm (Ward et al.); the sum of STORM (Cutkosky & Orabona).
CONSTANT, MEAN_NORM, ADAGRAD_NORM, STORM = range(4)


def second_moment(rule: int, old: Array, estimate: Estimate, w: Array, alpha: Array) -> Array:
    """w~_t of (4), (runs, d): alpha w~_(t-1) + (1 - alpha) g_t^2, with w~_0 = 0; zero for A_t = rho I."""
    if rule == RHO:
        return old
    g = {
        GRADIENT: lambda: estimate.grad_x,
        MOMENTUM: lambda: w,
        HYPERGRADIENT: lambda: estimate.value,
        BELIEF: lambda: estimate.grad_x - w,
    }[rule]()
    return alpha * old + (1.0 - alpha) * g * g


def diagonal(moment: Array, rho: Array, xp: Any) -> Array:
    """A_t = diag(sqrt(w~_t) + rho), (runs, d). The text of (4) has lost the root; Remark 3 needs it."""
    return xp.sqrt(moment) + rho


def first_sum(rule: int, b_0: Array) -> Array:
    """What ``next_sum`` starts from, where b_0 is the paper's b_0 (omega in STORM's rule)."""
    return b_0**2 if rule == ADAGRAD_NORM else b_0


def next_sum(rule: int, old: Array, g: Array, beta: Array, xp: Any) -> Array:
    """The number behind b_t, (runs, 1), from that behind b_(t-1) and g = grad_y g(x_t, y_t; zeta_t)."""
    if rule == MEAN_NORM:
        return beta * old + (1.0 - beta) * norm(g, xp)
    if rule in (ADAGRAD_NORM, STORM):
        return old + sq(g, xp)
    return old


def scale(rule: int, total: Array, c: Any, xp: Any) -> Array:
    """b_t of B_t = b_t I, (runs, 1): with the epsilon of (5), within [b_low, b_high]."""
    if rule == ADAGRAD_NORM:
        total = xp.sqrt(total)
    if rule == STORM:
        total = power(total, c.exponent, xp) / c.divisor
    return clip(total + c.epsilon, c.b_low, c.b_high, xp)

"""What the lines of Lemmas 11 and 12 and of both potentials share: errors of w and v, moves, bias and variance."""

from __future__ import annotations

from typing import Any, NamedTuple

from workbench.ops import maximum, power, sq

Array = Any
# Errors after the step, what the potential falls by for sure, sums over the steps so far, sigma of Assumption 6.
SHARED = ("w_next_sq", "v_next_sq", "fall", "sum_parts", "sum_metric_sq", "sigma_6")


class Step(NamedTuple):
    """Squared quantities of one step, (runs, 1): w, v: errors before it, of w with the bias taken out."""

    w: Array
    v: Array
    w_next: Array
    v_next: Array
    y: Array  # |y_t - y*(x_t)|^2
    y_next: Array
    move_x: Array  # |x~ - x_t|^2
    move_y: Array
    bias: Array  # |R_t|^2
    bias_next: Array
    metric: Array  # calG_t, not squared


def bias(y: Array, c: Any, instance: Any, xp: Any) -> Array:
    """R(x, y) = E (6) - grad f(x, y) for the L_g and K of the steps, (runs, d)."""
    tail = power(1.0 - instance.h / c.L_g, xp.asarray(float(c.K)), xp)
    return -instance.c / instance.h * tail * instance.s * xp.tanh(y - instance.d_0)


def sigma_sq(d: int, c: Any, instance: Any, xp: Any) -> Array:
    """sigma^2 of Assumption 6: the larger of the bounds on the variances of (6) and of grad_y g."""
    r = (1.0 - instance.h / c.L_g) ** 2 + (instance.s_g / c.L_g) ** 2
    K = xp.asarray(float(c.K))
    sums = K / c.L_g**2 * (1.0 - power(r + 0.0 * K, K, xp)) / (1.0 - r)
    factor = instance.c**2 * (instance.s**2 + instance.sigma_y**2)
    own = (instance.sigma_x + instance.s_x) ** 2 + factor * sums
    return d * maximum(own, (instance.sigma_g + instance.s_g) ** 2 + 0.0 * own, xp)


def step(s: Any, new: Any, t: Any, c: Any, instance: Any, xp: Any) -> Step:
    """The squared quantities of the step from s to new; K and L_g are those of the instance's theorem."""

    def errors(at: Any) -> tuple[Array, Array, Array, Array]:
        R = bias(at.y, c, instance, xp)
        w = at.w - instance.surrogate(at.x, at.y, xp) - R
        v = at.v - instance.slope_g(at.x, at.y, xp)
        return sq(w, xp), sq(v, xp), sq(at.y - instance.y_star(at.x, xp), xp), sq(R, xp)

    w, v, y, R_sq = errors(s)
    w_next, v_next, y_next, R_next_sq = errors(new)
    x_tilde = instance.nearest_x(s.x - c.gamma * s.w / s.A, s.A, xp)
    y_tilde = instance.nearest_y(s.y - c.lam * s.v / s.b, xp)
    metric = instance.metrics(s, t, xp)["metric"]
    move_x, move_y = sq(x_tilde - s.x, xp), sq(y_tilde - s.y, xp)
    return Step(w, v, w_next, v_next, y, y_next, move_x, move_y, R_sq, R_next_sq, metric)


def weight(s: Any, c: Any, instance: Any, xp: Any) -> Array:
    """5 b_u L_0^2 gamma/(lambda mu rho), the potential's weight of |y - y*|^2; b_t = b_u in these runs."""
    mu, _, _ = instance.smoothness(xp)
    return 5.0 * s.b * instance.L_0(s.x.shape[-1], xp) ** 2 * c.gamma / (c.lam * mu * c.rho)


def fall(step: Step, eta: Array, c: Any, L_0_sq: Array) -> Array:
    """What the potential loses for sure in one step: (gamma eta/(4 rho)) Phi_t + (rho eta/(4 gamma)) |x~ - x_t|^2."""
    phi = L_0_sq * step.y + 2.0 * step.w
    return c.gamma * eta / (4.0 * c.rho) * phi + c.rho * eta / (4.0 * c.gamma) * step.move_x


def parts(step: Step, c: Any, L_0_sq: Array) -> Array:
    """Phi_t/(4 rho^2) + |x~ - x_t|^2/(4 gamma^2), whose mean (61) and (87) bound."""
    return (L_0_sq * step.y + 2.0 * step.w) / (4.0 * c.rho**2) + step.move_x / (4.0 * c.gamma**2)

"""Momentum weights without an algorithm: Lemma 5.5, Lemma G.2 and the repair of E1, for noise of norm at most 1.

Two samplers draw the weights of Ada-NSGDM (alpha = eta = 1) from its noise. A third sets alpha_t and beta_t to the
bounds of Lemma 5.5, where the sums of Lemma G.2 are largest, on a grid of noise levels and kappa_sigma.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from workbench import Sampler, Skewed, Sphere
from workbench.instances import Draws

from ..theory.paper import PAPER
from .samplers import bounds, columns, constants

Array = np.ndarray
HORIZON = 4000
MARKS = (1, 2, 5, 20, 100, 400, 700, 1000, 1500, 2000, 2500, 3000, 3500, HORIZON)


class Sums:
    """The five sums of Lemma G.2, accumulated over the iterations; a = ceil(t_0) in part (a). Columns (runs, 1)."""

    def __init__(self, bar: Array, low: Array, constants: dict[str, Any]) -> None:
        self.bar, self.low, self.constants = bar, low, constants
        zero, one = np.zeros_like(bar), np.ones_like(bar)
        self.a, self.b, self.c, self.d, self.e = zero, zero, zero, zero, zero
        self.decay, self.late, self.spread, self.drift, self.before = one, one, zero, zero, zero

    def add(self, t: int, alpha: Array, beta: Array) -> None:
        """alpha = alpha_t (in eta_t), beta = beta_t (in the products)."""
        t_0 = self.constants["t_0"]
        eta = np.sqrt(alpha / t)
        if t >= 2:
            lower, upper = bounds(self.low, self.bar, t_0, t)
            self.decay = self.decay * beta
            self.spread = (1.0 - lower) ** 2 * self.spread + upper**2
            self.drift = beta * (self.drift + self.before)
        self.late = np.where(t >= t_0, self.late * beta, self.late)
        self.a = self.a + np.where(t >= t_0, eta * self.late, 0.0)
        self.b, self.c = self.b + eta * self.decay, self.c + eta * np.sqrt(self.spread)
        self.d, self.e = self.d + eta * self.drift, self.e + eta**2
        self.before = eta

    def sides(self, t: int) -> dict[str, Array]:
        """lhs_a, rhs_a, ..., rhs_e at eta = alpha = 1; log T is log t at a checkpoint."""
        k, e = self.constants, np.e
        kappa, K, t_0 = k["kappa_sigma"], k["K"], k["t_0"]
        last = np.log(t)
        a = 2 * e * np.sqrt(kappa) * ((t_0 - 1) ** -0.5 + 2 * np.sqrt(self.bar) * (t_0 - 1) ** -0.25)
        b = 2 * (np.sqrt(t_0 - 1) - 1 + e * K)
        c = t_0 - 1 + 2 * e * np.sqrt(t_0 - 2) * K + 3 * np.sqrt(e) * kappa / self.low * last
        d = 2 * ((t_0 - 1) * (1 + e * K) + e * (np.sqrt(kappa) + 2 * kappa) * last)
        lhs = {f"lhs_{part}": getattr(self, part) for part in "abcde"}
        right = {
            f"rhs_{part}": v + 0.0 * self.bar for part, v in zip("abcde", (a, b, c, d, 1 + last), strict=True)
        }
        return lhs | right


class Averages:
    """Z_t of the algorithm and Z^p_t with predictable weights, for one law of noise; (runs, 1)."""

    def __init__(self, noise: Any, constants: dict[str, Any], runs: int) -> None:
        self.noise, self.constants = noise, constants
        zero = np.zeros((runs, 1))
        self.S, self.own, self.predictable, self.spread, self.distance = zero, zero, zero, zero, zero

    def add(self, t: int, eps: Array, second: Array) -> Array:
        """One iteration with both samples; alpha_t."""
        before = 1.0 / np.sqrt(1.0 + self.S)
        self.S = self.S + (eps - second) ** 2
        alpha = 1.0 / np.sqrt(1.0 + self.S)
        if t >= 2:
            self.own = (1 - alpha) * self.own + alpha * eps
            self.predictable = (1 - before) * self.predictable + before * eps
            lower, upper = self.bounds(t - 1)
            self.spread = (1.0 - lower) ** 2 * self.spread + upper**2
        self.distance = self.distance + np.sqrt(alpha / t) * np.abs(self.own - self.predictable)
        return alpha

    def bounds(self, t: int) -> tuple[Array, Array]:
        return bounds(self.noise.low, self.noise.high, self.constants["t_0"], t)

    def row(self, t: int, alpha: Array) -> dict[str, Array]:
        lower, upper = self.bounds(t)
        E, K, H = np.e, self.constants["K"], self.constants["H"]
        adaptivity = self.noise.high * (4 * np.sqrt(self.constants["t_0"]) + 4 * E * K + H / 2)
        return {
            "alpha_t": alpha,
            "alpha_lower": lower + 0.0 * alpha,
            "alpha_upper": upper + 0.0 * alpha,
            "total": np.abs(self.own),
            "total_predictable": np.abs(self.predictable),
            "spread_predictable": self.spread,
            "sum_eta_distance": self.distance,
            "adaptivity_half": adaptivity + 0.0 * alpha,  # half of what E1 adds to C at eta = 1
            "horizon": HORIZON + 0.0 * alpha,
        }


def noise_weights(noise: Any, draws: Draws, runs: int) -> dict[str, Array]:
    """Ada-NSGDM's weights on one law of noise: alpha_t with its bounds, both averages of the noise, Lemma G.2."""
    values = constants(HORIZON, noise.low, noise.high)
    averages = Averages(noise, values, runs)
    sums = Sums(np.full((runs, 1), noise.high), np.full((runs, 1), noise.low), values)
    rows = []
    for t in range(1, HORIZON + 1):
        alpha = averages.add(t, noise(draws.at(t)(0), 1, 0, np), noise(draws.at(t)(1), 1, 0, np))
        sums.add(t, alpha, 1 - alpha)
        if t in MARKS:
            rows.append({**sums.sides(t), **averages.row(t, alpha), "spread": sums.spread})
    return columns(rows, MARKS)


LEVELS = (1e-3, 1e-2, 0.1, 1.0, 10.0, 1e2, 1e4)
KAPPAS = (1.0, 1.2)


def at_bounds(draws: Draws, runs: int) -> dict[str, Array]:
    """No randomness: a row for each noise level and kappa_sigma; alpha_t and beta_t at their upper bounds."""
    grid = [(s, s / k, constants(HORIZON, s / k, s)) for s in LEVELS for k in KAPPAS]
    bar, low = (np.array([row[j] for row in grid])[:, None] for j in (0, 1))
    values = {
        n: np.array([row[2][n] for row in grid], float)[:, None] for n in ("t_0", "K", "H", "kappa_sigma")
    }
    sums, alive = Sums(bar, low, values), _lifetimes(bar, low, values["t_0"])
    rows = []
    for t in range(1, HORIZON + 1):
        lower, upper = bounds(low, bar, values["t_0"], t)
        sums.add(t, upper, 1.0 - lower)
        if t in MARKS:
            rows.append(sums.sides(t) | {"lifetime": alive[:, t - 1 : t], "H": values["H"]})
    return columns(rows, MARKS)


def _lifetimes(bar: Array, low: Array, t_0: Array) -> Array:
    """(rows, HORIZON): alpha_k sum_{t>=k} beta_((k+1):t) at the bounds, 0 before t_0; computed backwards."""
    out = np.zeros((len(bar), HORIZON))
    rest = np.ones_like(bar)
    for k in range(HORIZON, 0, -1):
        lower, upper = bounds(low, bar, t_0, k)
        out[:, k - 1 : k] = np.where(k >= t_0, upper * rest, 0.0)
        rest = 1.0 + (1.0 - lower) * rest
    return out


SAMPLERS = (
    *(
        Sampler(
            PAPER.entry(f"smp-{name}-weights"),
            f"Ada-NSGDM's weights, {what}",
            partial(noise_weights, law),
            400,
        )
        for name, what, law in (
            ("noise", "noise +-1", Sphere(1.0)),
            ("skewed", "skewed noise", Skewed(1 / 1.2, 1.0)),
        )
    ),
    Sampler(
        PAPER.entry("smp-weights-at-bounds"), "Weights at their bounds", at_bounds, len(LEVELS) * len(KAPPAS)
    ),
)

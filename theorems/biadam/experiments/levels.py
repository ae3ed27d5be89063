"""Stationary levels of the mean squares on TRIG without coupling, as functions of T and of the fields of ``Steps``.

Per coordinate x is a linear problem of curvature a with additive noise sigma, g = gamma/rho. In the time s = int eta:

* BiAdam: x' = -g w, w' = c_2 (a x - w) + c_2 sigma sqrt(eta) W'. So E w^2 = c_2 eta sigma^2/2,
  E grad^2 = g a eta sigma^2/2 and E (w - grad)^2 = (c_2 + g a) eta sigma^2/2.
* VR-BiAdam: the error of w is e' = -c_2 eta e + c_2 eta sigma sqrt(eta) W'. So E e^2 = c_2 eta^2 sigma^2/2, of which
  E grad^2 has the share g a/(g a + c_2 eta) and E w^2 the rest.

y is the same problem with h, sigma_g, lambda/b, c_1 and |grad_y g| = h |y - y*|. Corrections are of relative order eta.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from workbench import Result

from .study import DECOUPLED, D

Array = np.ndarray
Share = Callable[[Array, float, float], Array]  # (eta, curvature g a, c) -> level/(d sigma^2)


def first_error(eta: Array, bend: float, c: float) -> Array:
    return (c + bend) * eta / 2


def first_gradient(eta: Array, bend: float, c: float) -> Array:
    return bend * eta / 2


def first_momentum(eta: Array, bend: float, c: float) -> Array:
    return c * eta / 2


def second_error(eta: Array, bend: float, c: float) -> Array:
    return c * eta**2 / 2


def second_gradient(eta: Array, bend: float, c: float) -> Array:
    return second_error(eta, bend, c) * bend / (bend + c * eta)


def second_momentum(eta: Array, bend: float, c: float) -> Array:
    return second_error(eta, bend, c) * c * eta / (bend + c * eta)


def steps_of(result: Result) -> dict[str, Any]:
    """What the levels need: the numbers in ``Steps``."""
    return {name: result.steps[name] for name in ("k", "m", "c_1", "c_2", "gamma", "lam", "rho", "b_0")}


def running(share: Share, power: float, upper: bool, divide: bool = False) -> Callable[..., Array]:
    """Mean over (0, T] of a level with eta_t = k (m + t)^-power. upper: of x, else of y. divide: of y, not grad_y g."""

    def level(T: Array, **at: Any) -> Array:
        number = {name: float(np.ravel(np.asarray(value))[0]) for name, value in at.items() if name in STEPS}
        t = np.arange(1.0, np.ceil(np.max(T)) + 1)
        eta = number["k"] * (number["m"] + t) ** -power
        if upper:
            bend, c, sigma = number["gamma"] / number["rho"] * DECOUPLED.a, number["c_2"], DECOUPLED.sigma_x
        else:
            bend, c, sigma = number["lam"] / number["b_0"] * DECOUPLED.h, number["c_1"], DECOUPLED.sigma_g
        each = D * sigma**2 * share(eta, bend, c) / (DECOUPLED.h**2 if divide else 1.0)
        return np.interp(T, t, np.cumsum(each)) / T

    return level


STEPS = frozenset(("k", "m", "c_1", "c_2", "gamma", "lam", "rho", "b_0"))

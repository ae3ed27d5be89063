"""Stationary levels against the exact second moments of the linear recursions, and against each wrong constant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from workbench.theorems.biadam.experiments import levels
from workbench.theorems.biadam.experiments.study import DECOUPLED, LEVELS, STEPS, D

T = 1 << 14
POWERS = {"BiAdam": 1 / 2, "VR-BiAdam": 1 / 3}
SHARES = {
    "BiAdam": (levels.first_gradient, levels.first_momentum, levels.first_error),
    "VR-BiAdam": (levels.second_gradient, levels.second_momentum, levels.second_error),
}


def moments(method: str, at: dict[str, Any]) -> tuple[np.ndarray, ...]:
    """Means over (T/2, T] of E grad^2, E w^2 and E (w - grad)^2, by the recursion of the covariance of (x, w).

    Per coordinate x' = x - g eta w with g = gamma/rho; BiAdam w' = beta (a x' + n) + (1 - beta) w, VR-BiAdam
    w' = a x' + beta n + (1 - beta) (w - a x). It starts at x = 0 with one sample in w. ``at`` may hold arrays.
    """
    a, variance, g = DECOUPLED.a, DECOUPLED.sigma_x**2, at["gamma"] / at["rho"]
    xx, xw, ww = 0.0 * g, 0.0 * g, variance + 0.0 * g
    sums = np.zeros((3, np.size(g)))
    for t in range(1, T + 1):
        if t > T / 2:
            sums += np.stack([a * a * xx, ww, ww - 2 * a * xw + a * a * xx])
        eta = at["k"] * (at["m"] + t) ** -POWERS[method]
        if method == "VR-BiAdam":
            beta = at["c_2"] * eta**2
            p, q = a * beta, 1 - beta - a * g * eta  # w' = p x + q w + beta n
        else:
            beta = at["c_2"] * eta
            p, q = a * beta, 1 - beta - a * beta * g * eta
        move = -g * eta
        xx, xw, ww = (
            xx + 2 * move * xw + move**2 * ww,
            p * xx + (q + move * p) * xw + move * q * ww,
            p * p * xx + 2 * p * q * xw + q * q * ww + beta**2 * variance,
        )
    return tuple(D * sums / (T / 2))


@pytest.mark.parametrize("method", POWERS)
@pytest.mark.parametrize("point", LEVELS, ids=str)
def test_levels_are_those_of_the_exact_moments(method: str, point: dict[str, float]) -> None:
    """At the given constants, and with each of them a tenth larger."""
    base = {**{n: v for n, v in STEPS.items() if n != "K"}, **point, "b_0": 1.0}
    variants = [base, *({**base, name: 1.1 * base[name]} for name in ("k", "c_2", "gamma"))]
    exact = moments(method, {n: np.array([v[n] for v in variants]) for n in base})
    ends = np.array([T / 2, T])
    for share, values, rtol in zip(SHARES[method], exact, (0.02, 0.05, 0.02), strict=True):
        level = levels.running(share, POWERS[method], upper=True)
        for at, value in zip(variants, values, strict=True):
            first, second = level(ends, **at)
            assert 2 * second - first == pytest.approx(value, rel=rtol)
        assert max(abs(values / values[0] - 1)) > 0.09  # a wrong constant is further off than the tolerance


def test_levels_of_the_lower_problem_use_its_own_constants() -> None:
    """h, sigma_g, lambda/b and c_1 in the place of a, sigma_x, gamma/rho and c_2; |y - y*| without h."""
    at = {**STEPS, "b_0": 1.0, "lam": 0.5, "c_1": 3.0}
    t = np.arange(1.0, 101.0)
    eta = (at["m"] + t) ** -0.5
    found = levels.running(levels.first_gradient, 1 / 2, upper=False, divide=True)(np.array([100.0]), **at)
    variance = DECOUPLED.sigma_g**2
    assert found[0] == pytest.approx(D * 0.5 * DECOUPLED.h * variance / 2 * eta.mean() / DECOUPLED.h**2)
    found = levels.running(levels.second_error, 1 / 2, upper=False)(np.array([100.0]), **at)
    assert found[0] == pytest.approx(D * 3.0 * variance / 2 * (eta**2).mean())

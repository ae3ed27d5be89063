"""BiAdam and VR-BiAdam against plain second implementations, and by hand.

The references are scalar Python, written from the listings (L29, L33, L101, L121); the noise is handed to them as
numbers. Their problem is TRIG, coded apart from the instance.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from discover import trajectory
from workbench.theorems.biadam.methods import biadam, estimators, matrices, vr_biadam
from workbench.theorems.biadam.problems.trig import Trig

from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle

SEED, RUNS, D = 4, 3, 2
MULTIPLICATIVE = Trig(theta=0.5, omega=1.5, s_x=0.8, sigma_y=0.5, s_g=0.3, B=2.5)
START = {
    "x": np.array([[2.0, -1.0], [0.3, 0.6], [-2.4, 2.4]]),
    "y": np.array([[2.0, 0.0], [-1.0, 0.5], [0.1, 0.2]]),
}
PLAIN = {
    "gamma": 0.7, "lam": 0.6, "k": 1.3, "m": 9.0, "c_1": 1.7, "c_2": 2.1, "K": 4, "L_g": 1.5, "rho": 0.8,
    "alpha": 0.8, "beta": 0.7, "b_0": 0.9, "epsilon": 0.05, "exponent": 0.3, "divisor": 1.2,
}  # fmt: skip
RULES = [(a, b) for a in range(5) for b in range(4) if a == matrices.GRADIENT or b == matrices.MEAN_NORM]


# ------------------------------------------------------------------------------------------------- the references


class Noise:
    """The numbers that one run draws at iteration t: signs per coordinate, and the length of (6)."""

    def __init__(self, run: int) -> None:
        self.draws = Draws(SEED, [run], np)

    def signs(self, t: int, sample: int, part: int, k: int = 0) -> list[float]:
        return self.draws.at(t)(sample).sign(D, part, k)[0].tolist()

    def length(self, t: int, sample: int, K: int) -> int:
        return int(self.draws.at(t)(sample).uniform(1, 7)[0, 0] * K)


def grad_y_g(q: Any, x: list[float], y: list[float], signs: list[float]) -> list[float]:
    return [
        q.h * b - q.c * a - n * (q.sigma_g + q.s_g * math.sin(b)) for a, b, n in zip(x, y, signs, strict=True)
    ]


def estimate(
    q: Any, x: Any, y: Any, xi: Noise, t: int, sample: int, c: Any
) -> tuple[list[float], list[float]]:
    """(6), and its grad_x f: coordinate by coordinate, as TRIG is separable."""
    one, two, k = xi.signs(t, sample, 0), xi.signs(t, sample, 1), xi.length(t, sample, c.K)
    value, grad_x = [], []
    for i in range(D):
        f_x = q.a * (x[i] + q.theta * math.sin(q.omega * x[i])) + one[i] * (
            q.sigma_x + q.s_x * math.sin(x[i])
        )
        f_y = q.s * math.tanh(y[i] - q.d_0) + two[i] * q.sigma_y
        product = c.K / c.L_g
        for j in range(1, k + 1):
            product *= 1 - (q.h - xi.signs(t, sample, 3, j)[i] * q.s_g * math.cos(y[i])) / c.L_g
        value.append(f_x - (-q.c) * product * f_y)
        grad_x.append(f_x)
    return value, grad_x


def length_of(v: list[float]) -> float:
    return math.sqrt(sum(e * e for e in v))


def into_box(v: float, B: float) -> float:
    return max(-B, min(B, v))


def plain(q: Any, x: list[float], y: list[float], c: Any, horizon: int, run: int, vr: bool) -> list[Any]:
    """Algorithms 1 and 2: (x_t, y_t, w_t, v_t, A_t, b_t) for t = 1 .. horizon + 1."""
    xi, moment, path = Noise(run), [0.0] * D, []
    v = grad_y_g(q, x, y, xi.signs(1, 3, 2))  # line 2
    w, f_x = estimate(q, x, y, xi, 1, 2, c)
    g, b, total, last = v, c.b_0, 0.0, w
    for t in range(1, horizon + 2):
        # Line 4: (4) and (5), or the other rules.
        used = {1: f_x, 2: w, 3: last, 4: [p - r for p, r in zip(f_x, w, strict=True)]}
        if c.adapt_x:
            moment = [
                c.alpha * o + (1 - c.alpha) * e**2 for o, e in zip(moment, used[c.adapt_x], strict=True)
            ]
        A = [math.sqrt(e) + c.rho for e in moment]
        total += length_of(g) ** 2
        if c.adapt_y == matrices.MEAN_NORM:
            b = c.beta * b + (1 - c.beta) * length_of(g)
        B_t = {
            matrices.CONSTANT: b,
            matrices.MEAN_NORM: b,
            matrices.ADAGRAD_NORM: math.sqrt(c.b_0**2 + total),
            matrices.STORM: (c.b_0 + total) ** c.exponent / c.divisor,
        }[c.adapt_y] + c.epsilon
        B_t = min(max(B_t, c.b_low), c.b_high)
        path.append((x, y, w, v, A, [B_t]))
        eta = c.k / (c.m + t) ** (1 / 3 if vr else 1 / 2)
        # Line 5: coordinate i minimizes w_i z + A_i (z - x_i)^2/(2 gamma) over the interval.
        x_new = [p + eta * (into_box(p - c.gamma * r / e, q.B) - p) for p, r, e in zip(x, w, A, strict=True)]
        y_new = [
            p + eta * (into_box(p - c.lam * r / B_t, q.B_y) - p) for p, r in zip(y, v, strict=True)
        ]  # line 6
        zeta = xi.signs(t, 1, 2)
        g = grad_y_g(q, x_new, y_new, zeta)
        new, f_x = estimate(q, x_new, y_new, xi, t, 0, c)
        if vr:
            alpha, beta = c.c_1 * eta**2, c.c_2 * eta**2
            g_old, (old, _) = grad_y_g(q, x, y, zeta), estimate(q, x, y, xi, t, 0, c)
            v = [p + (1 - alpha) * (r - o) for p, r, o in zip(g, v, g_old, strict=True)]
            w = [p + (1 - beta) * (r - o) for p, r, o in zip(new, w, old, strict=True)]
        else:
            alpha, beta = c.c_1 * eta, c.c_2 * eta
            v = [alpha * p + (1 - alpha) * r for p, r in zip(g, v, strict=True)]  # line 8
            w = [beta * p + (1 - beta) * r for p, r in zip(new, w, strict=True)]  # line 9
        x, y, last = x_new, y_new, new
    return path


@pytest.mark.parametrize("algorithm", [biadam, vr_biadam], ids=["BiAdam", "VR-BiAdam"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_against_the_listing(algorithm: Any, rules: tuple[int, int]) -> None:
    c = algorithm.Steps(**PLAIN, adapt_x=rules[0], adapt_y=rules[1])
    states = trajectory(algorithm, MULTIPLICATIVE, c, START, np.arange(RUNS), 25, seed=SEED)
    for run in range(RUNS):
        x, y = (START[n][run].tolist() for n in ("x", "y"))
        path = plain(MULTIPLICATIVE, x, y, c, 25, run, algorithm is vr_biadam)
        for state, expected in zip(states, path, strict=True):
            got = (state.x, state.y, state.w, state.v, state.A, state.b)
            for mine, theirs in zip(got, expected, strict=True):
                np.testing.assert_allclose(mine[run], theirs, rtol=1e-9, atol=1e-12)


def test_the_box_is_active_and_kept() -> None:
    """The third run starts at the boundary's corner; x stays in X, and the projection moves some coordinate."""
    c = biadam.Steps(**PLAIN)
    for B, active in ((0.2, True), (2.5, False)):
        instance = replace(MULTIPLICATIVE, B=B)
        start = {"x": np.clip(START["x"], -B, B), "y": START["y"]}
        states = trajectory(biadam, instance, c, start, np.arange(RUNS), 200, seed=SEED)
        assert all(np.all(np.abs(s.x) <= B + 1e-15) for s in states)
        last = states[-1]
        beyond = np.abs(last.x - c.gamma * last.w / last.A) > B
        assert beyond.any() == active


def test_the_matrices_stay_within_their_limits() -> None:
    """Assumption 7: A_t >= rho I and b_low <= b_t <= b_high, forced where the rule does not give it."""
    for rule in range(4):
        c = biadam.Steps(**PLAIN, adapt_x=1, adapt_y=rule, b_low=0.5, b_high=1.1)
        states = trajectory(biadam, MULTIPLICATIVE, c, START, np.arange(RUNS), 50, seed=SEED)
        assert all(np.all((s.b >= 0.5) & (s.b <= 1.1)) and np.all(s.A >= 0.8) for s in states)


def test_o11_no_adaptation_without_grad_x_f() -> None:
    """f depends on x through y*(x) only: (4) gives A_t = rho I; a second moment of w_t does not."""
    instance = replace(MULTIPLICATIVE, a=0.0, sigma_x=0.0, s_x=0.0)
    for rule, constant in (
        (matrices.GRADIENT, True),
        (matrices.MOMENTUM, False),
        (matrices.HYPERGRADIENT, False),
    ):
        c = biadam.Steps(**PLAIN, adapt_x=rule)
        last = trajectory(biadam, instance, c, START, np.arange(RUNS), 20, seed=SEED)[-1]
        assert np.all(last.A == 0.8) == constant


# --------------------------------------------------------------------------------------------------- metered calls


@pytest.mark.parametrize(
    ("algorithm", "evaluations"), [(biadam, 1), (vr_biadam, 2)], ids=["BiAdam", "VR-BiAdam"]
)
def test_calls_of_a_step(algorithm: Any, evaluations: int) -> None:
    """One or two evaluations of each estimate per step; k products by the Hessian in each, on average (K - 1)/2."""
    horizon, calls = 200, {}
    c = algorithm.Steps(**PLAIN)
    trajectory(algorithm, MULTIPLICATIVE, c, START, np.arange(RUNS), horizon, seed=SEED, calls=calls)
    for name in ("gradient_x_f", "gradient_y_f", "gradient_y_g", "jacobian_vector"):
        assert np.all(np.asarray(calls[name]) == evaluations * horizon)
    for run in range(RUNS):
        noise = Noise(run)
        lengths = [noise.length(t, 0, 4) for t in range(1, horizon + 1)]
        assert calls["hessian_vector"][run, 0] == evaluations * sum(lengths)
        assert sum(lengths) / horizon == pytest.approx(1.5, abs=0.3)
        assert set(lengths) == {0, 1, 2, 3}


# ---------------------------------------------------------------------------------------------------- estimators


class Fixed:
    """A sample with given signs and a given uniform number."""

    def __init__(self, uniform: float, signs: dict[int, float]) -> None:
        self.u, self.signs = uniform, signs

    def uniform(self, d: int, part: int = 0, k: Any = 0) -> np.ndarray:
        return np.full((1, d), self.u)

    def sign(self, d: int, part: int = 0, k: Any = 0) -> np.ndarray:
        return np.full((1, d), self.signs.get((part, k), 1.0))


def every_sample(K: int) -> list[tuple[float, Fixed]]:
    """(probability, sample) of all lengths and signs of zeta^1 .. zeta^(K-1), and both signs of xi_1 and xi_2."""
    keys = [(0, 0), (1, 0), *((3, j) for j in range(1, K))]
    found = []
    for k in range(K):
        for code in range(2 ** len(keys)):
            signs = {key: 1.0 if code >> i & 1 else -1.0 for i, key in enumerate(keys)}
            found.append((1 / (K * 2 ** len(keys)), Fixed((k + 0.5) / K, signs)))
    return found


@pytest.mark.parametrize("K", [1, 2, 4])
@pytest.mark.parametrize("at", [(0.7, -0.4), (np.pi / 2, 0.0), (-1.0, 3.0)])
def test_mean_and_variance_of_6_by_enumeration(K: int, at: tuple[float, float]) -> None:
    """E (6) = grad f + R with the closed form of R; the variance stays below the declared one."""
    instance = replace(MULTIPLICATIVE, B=np.inf)
    x, y = (np.array([[v]]) for v in at)
    oracle, (_, L_g, _) = Oracle(instance, np), instance.smoothness(np)
    drawn = [
        (p, estimators.neumann(x, y, xi, K, 1 / L_g, oracle, np).value[0, 0]) for p, xi in every_sample(K)
    ]
    mean = sum(p * v for p, v in drawn)
    variance = sum(p * (v - mean) ** 2 for p, v in drawn)
    exact = instance.surrogate(x, y, np) + instance.bias(x, y, K, np)
    assert mean == pytest.approx(exact[0, 0], abs=1e-12)
    assert math.sqrt(variance) <= instance.deviation(1, K) * (1 + 1e-12)
    c_fy, mu = instance.s, instance.h - instance.s_g
    assert abs(instance.bias(x, y, K, np)[0, 0]) <= instance.c * c_fy / mu * (1 - mu / L_g) ** K  # Lemma 3


def test_3_has_the_mean_of_6_and_no_random_length() -> None:
    K, instance = 3, MULTIPLICATIVE
    x, y = np.array([[0.7]]), np.array([[-0.4]])
    oracle = Oracle(instance, np)
    means = []
    for rule in (estimators.neumann, estimators.neumann_sum):
        drawn = [(p, rule(x, y, xi, K, 1 / 1.5, oracle, np).value[0, 0]) for p, xi in every_sample(K)]
        means.append(sum(p * v for p, v in drawn))
    assert means[0] == pytest.approx(means[1], abs=1e-12)
    q = instance
    f_y = q.s * math.tanh(-0.4 - q.d_0)
    xi = Fixed(0.99, {(3, 2): -1.0})  # zeta^Q has sign +, zeta^(Q-1) sign -, xi_2 sign +
    one, two = ((1 - (q.h - sign * q.s_g * math.cos(-0.4)) / 1.5) for sign in (1.0, -1.0))
    total = (1 + one + two * one) / 1.5 * (f_y + q.sigma_y)
    f_x = q.a * (0.7 + q.theta * math.sin(q.omega * 0.7)) + q.sigma_x + q.s_x * math.sin(0.7)
    got = estimators.neumann_sum(x, y, xi, K, 1 / 1.5, oracle, np).value[0, 0]
    assert got == pytest.approx(f_x + q.c * total, abs=1e-12)


def test_rules_by_hand() -> None:
    c = SimpleNamespace(epsilon=0.5, exponent=0.5, divisor=2.0, b_low=0.0, b_high=1e300)
    g = np.array([[3.0, 4.0]])
    expected = {
        0: 2.5,
        1: 0.9 * 2 + 0.1 * 5 + 0.5,
        2: math.sqrt(4 + 25) + 0.5,
        3: math.sqrt(2 + 25) / 2 + 0.5,
    }
    for rule, b in expected.items():
        first = np.array([[matrices.first_sum(rule, 2.0)]])
        total = matrices.next_sum(rule, first, g, 0.9, np)
        assert matrices.scale(rule, total, c, np)[0, 0] == pytest.approx(b)

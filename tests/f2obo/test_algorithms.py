"""Algorithms 1-3 of paper `f2obo` and their competitors against plain second implementations and by hand.

The references are scalar Python, written from the paper's listings (L152-167, L217-233, L266-282); the noise is handed
to them as numbers. Their problem is f = v sin(s y - d - pi/2) - p x, g = (y - s (x + d))^2 / 2, with d and s moving.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, ClassVar

import numpy as np
import pytest
from discover import trajectory
from workbench.theorems.baselines import aobo, fsobo, obbo, ogd, sobbo, sobow, sogd
from workbench.theorems.baselines.window import empty, push_direction, unroll
from workbench.theorems.f2obo.methods import af2obo, f2obo, rounds, sf2obo
from workbench.theorems.f2obo.problems.sine import Bias, Drift, Oscillation

from workbench.arrays import ops
from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle

SEED, RUNS = 3, 3
IDS = np.arange(RUNS)
LAM, L = 2.1, 2.0
PLAIN = {"alpha": 1 / L, "beta": 1 / (2 * LAM * L), "b": 0.4, "lam": LAM, "tau": 0.4, "gamma": 0.05}
F2OBO = f2obo.Steps(**PLAIN, p=0.2, K=2.0, K_0=1.0, K_log=1.5)
START = {"x": np.array([[0.6], [-0.3], [1.9]]), "y": np.array([[0.1], [0.5], [-1.0]]), "z": np.zeros((3, 1))}


def states(algorithm, instance, steps, horizon, start=START):
    """States of rounds 1 .. horizon + 1, and the metered calls."""
    calls = {}
    ids = np.arange(len(start["x"]))
    return trajectory(algorithm, instance, steps, start, ids, horizon, seed=SEED, calls=calls), calls


# ------------------------------------------------------------------------------------- the references


def zero(t):
    return 0.0


def one(t):
    return 1.0


@dataclasses.dataclass
class Problem:
    """f_t, g_t of the references, coded apart from the instance."""

    p: float
    shift: Any = zero
    sign: Any = one
    phi: float = -math.pi / 2

    def y_star(self, t, x):
        return self.sign(t) * (x + self.shift(t))

    def f_x(self, t, x, y):
        return -self.p

    def f_y(self, t, x, y):
        s = self.sign(t)
        return s * math.cos(s * y - self.shift(t) + self.phi)

    def g_y(self, t, x, y):
        return y - self.y_star(t, x)

    def g_x(self, t, x, y):
        return -self.sign(t) * (y - self.y_star(t, x))


PROBLEMS = [
    (Bias(), Problem(0.5)),
    (Drift(h=0.3, b=0.5, p=0.1), Problem(0.1, lambda t: 0.3 * t**0.75)),
    (
        Oscillation(),
        Problem(0.0, sign=lambda t: 1.0 if t % 2 == 0 else -1.0, phi=-math.pi / 2 - 0.5),
    ),
]


def box(x):
    return min(max(x, -2.0), 2.0)


def algorithm_1(q, x, y, z, c, horizon):
    """L152-167; K_t = max(K, ceil(K_0 + K_log log t))."""
    path = []
    for t in range(1, horizon + 1):
        lam, beta, gamma = c.lam * t**c.tau, c.beta * t**-c.b, c.gamma * t**-c.p
        for _ in range(max(int(c.K), math.ceil(c.K_0 + c.K_log * math.log(t)))):
            new_z = z - c.alpha * q.g_y(t, x, z)
            y = y - beta * (q.f_y(t, x, y) + lam * q.g_y(t, x, y))
            z = new_z
        h = q.f_x(t, x, y) + lam * (q.g_x(t, x, y) - q.g_x(t, x, z))
        x = box(x - gamma * h)
        path.append((x, y, z))
    return path


def algorithm_2(q, x, y, z, c, horizon):
    """L217-233; also the numbers of inner steps so far."""
    path, count_y, count_z = [], 0, 0
    for t in range(1, horizon + 1):
        lam = c.lam * t**c.tau
        while abs(q.g_y(t, x, z)) > c.delta_z:
            z, count_z = z - c.alpha * q.g_y(t, x, z), count_z + 1
        while abs(q.f_y(t, x, y) + lam * q.g_y(t, x, y)) > c.delta_y:
            y, count_y = y - c.beta * t**-c.b * (q.f_y(t, x, y) + lam * q.g_y(t, x, y)), count_y + 1
        h = q.f_x(t, x, y) + lam * (q.g_x(t, x, y) - q.g_x(t, x, z))
        x = box(x - c.gamma * h)
        path.append((x, y, z, count_y, count_z))
    return path


def algorithm_3(q, x, y, z, c, horizon, normal, sigma, omega):
    """L266-282. normal(t, sample, part, k): one number of the run. The noise of g is a field in y."""

    def noise(t, sample, part, k, B):
        return sigma / math.sqrt(2 * B) * normal(t, sample, part, k)

    def field(t, at, sample, part, k, B):
        a, b = noise(t, sample, part, k, B), noise(t, sample, part + 1, k, B)
        return math.cos(omega * at) * a + math.sin(omega * at) * b

    path = []
    for t in range(1, horizon + 1):
        lam, B, B_hat = c.lam * t**c.tau, math.ceil(t**c.B_2), math.ceil(t**c.B_1)
        K = max(1, math.ceil(c.K * max(t ** (c.b - c.tau), t**c.a) * math.log(t)))
        for k in range(K):
            g_z = q.g_y(t, x, z) + field(t, z, 1, 2, k, B)
            g_y = q.g_y(t, x, y) + field(t, y, 1, 2, k, B)
            f_y = q.f_y(t, x, y) + noise(t, 0, 1, k, B)
            z, y = z - c.alpha * t**-c.a * g_z, y - c.beta * t**-c.b * (f_y + lam * g_y)
        f_x = q.f_x(t, x, y) + noise(t, 2, 0, 0, B_hat)
        g_x = [q.g_x(t, x, v) + field(t, v, 3, 0, 0, B_hat) for v in (y, z)]
        x = box(x - c.gamma * (f_x + lam * (g_x[0] - g_x[1])))
        path.append((x, y, z))
    return path


# ------------------------------------------------------------------------------ against the references


@pytest.mark.parametrize(("instance", "problem"), PROBLEMS)
@pytest.mark.parametrize("K", [1.0, 2.0])
def test_f2obo(instance, problem, K):
    steps = F2OBO._replace(K=K, K_0=0.0, K_log=0.0) if K == 1.0 else F2OBO
    found, _ = states(f2obo, instance, steps, 30)
    for run in range(RUNS):
        expected = algorithm_1(problem, *(START[n][run, 0] for n in "xyz"), steps, 30)
        got = [(s.x[run, 0], s.y[run, 0], s.z[run, 0]) for s in found[1:]]
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("instance", "problem"), PROBLEMS)
def test_af2obo(instance, problem):
    """Each run stops by itself: the runs differ in their counts, and the meter sees the tests."""
    steps = af2obo.Steps(**PLAIN, delta_y=0.1, delta_z=0.01, K_max=1000)
    found, calls = states(af2obo, instance, steps, 25)
    counts = []
    for run in range(RUNS):
        expected = algorithm_2(problem, *(START[n][run, 0] for n in "xyz"), steps, 25)
        got = [
            (s.x[run, 0], s.y[run, 0], s.z[run, 0], s.steps_y[run, 0], s.steps_z[run, 0]) for s in found[1:]
        ]
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-11)
        counts.append(expected[-1][3:])
    assert len(set(counts)) > 1
    y, z = np.array(counts).T
    np.testing.assert_array_equal(calls["gradient_y_f"][:, 0], y + 25)
    np.testing.assert_array_equal(calls["gradient_y_g"][:, 0], y + z + 50)
    assert np.all(calls["gradient_x_g"] == 50)


@pytest.mark.parametrize("omega", [0.0, 3.0])
def test_sf2obo(omega):
    sigma = 0.7
    keep = {n: PLAIN[n] for n in ("alpha", "beta", "lam", "gamma")}
    steps = sf2obo.Steps(**keep, a=0.1, b=0.4, tau=0.3, K=1.5, B_1=0.8, B_2=0.5)
    found, calls = states(sf2obo, Bias(sigma=sigma, omega=omega), steps, 15)
    draws = Draws(SEED, IDS, np)
    for run in range(RUNS):

        def normal(t, sample, part, k, run=run):
            return draws.at(t)(sample).normal(1, part, k)[run, 0]

        expected = algorithm_3(
            Problem(0.5), *(START[n][run, 0] for n in "xyz"), steps, 15, normal, sigma, omega
        )
        got = [(s.x[run, 0], s.y[run, 0], s.z[run, 0]) for s in found[1:]]
        np.testing.assert_allclose(got, expected, rtol=1e-8, atol=1e-10)
    inner = [max(1, math.ceil(1.5 * max(t**0.1, t**0.1) * math.log(t))) for t in range(1, 16)]
    assert np.max(calls["gradient_y_f"]) == sum(inner)
    assert np.max(calls["gradient"]) == 3 * sum(inner) + 3 * 15


def test_inner_steps_of_a_grid():
    """K_t may differ between rows; ceil is exact at whole numbers."""
    t = np.asarray(10.0)
    K = rounds.growing(t, np.array([[1.0], [9.0]]), 0.5, np.array([[2.0], [2.0]]), np)
    assert K.tolist() == [[math.ceil(0.5 + 2 * math.log(10))], [9]]
    assert rounds.ceil(np.array([2.0, 2.1, -0.5]), np).tolist() == [2, 3, 0]
    assert (
        rounds.stochastic(np.asarray(1.0), 8.0, 1.0, np.asarray(0.2), np.asarray(0.1), np.asarray(0.0), np)
        == 1
    )


def test_a_test_that_cannot_be_passed_is_counted():
    """A loop that reaches K_max is left and counted, in its run only."""
    delta = np.array([[0.1], [0.0], [0.1]])
    steps = af2obo.Steps(**PLAIN, delta_y=delta, delta_z=0.01, K_max=60)
    found, _ = states(af2obo, Bias(), steps, 3)
    assert found[-1].unsolved.tolist() == [[0.0], [3.0], [0.0]]
    assert np.all(found[-1].steps_y[1] == 180)


# ----------------------------------------------------------------------------------------- competitors


@dataclasses.dataclass(frozen=True)
class Quadratic:
    """g_t = y'Hy/2 - x'Ky, f_t = |x - p|^2/2 + |y - q|^2/2: nothing moves, everything in closed form."""

    H: Any
    K: Any  # (d_x, d_y); d2g/dxdy = -K
    p: Any
    q: Any

    COSTS: ClassVar = {
        n: {n: 1}
        for n in (
            *("grad_x_f", "grad_y_f", "grad_y_g", "grad_x_g"),
            *("hess_yy_g", "jac_xy_g", "project", "hypergradient"),
        )
    }

    def grad_x_f(self, t, x, y, *sample, xp):
        return x - self.p

    def grad_y_f(self, t, x, y, *sample, xp):
        return y - self.q

    def grad_y_g(self, t, x, y, *sample, xp):
        return y @ self.H - x @ self.K

    def grad_x_g(self, t, x, y, *sample, xp):
        return -y @ self.K.T

    def hess_yy_g(self, t, x, y, v, *sample, xp):
        return v @ self.H

    def jac_xy_g(self, t, x, y, v, *sample, xp):
        return -v @ self.K.T

    def project(self, x, xp):
        return x

    def hypergradient(self, t, x, xp):
        S = np.linalg.solve(self.H, self.K.T)
        return x - self.p + (x @ S.T - self.q) @ S

    def solution(self):
        S = np.linalg.solve(self.H, self.K.T)
        return np.linalg.solve(np.eye(len(self.p)) + S.T @ S, self.p + S.T @ self.q)


@pytest.fixture(scope="module")
def quadratic():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((3, 3))
    return Quadratic(A @ A.T / 3 + np.eye(3), *(rng.standard_normal(n) for n in ((2, 3), 2, 3)))


BASELINES = [
    (ogd, ogd.Steps(gamma=0.1)),
    (fsobo, fsobo.Steps(alpha=0.3, beta=0.3, gamma=0.05, radius=1e3)),
    (aobo, aobo.Steps(alpha=0.3, beta=0.3, gamma=0.05, delta=1e-12, M=5, K_max=500)),
    (sobow, sobow.Steps(alpha=0.3, beta=0.03, eta=0.5, Q=3.0, Q_1=0.0, w=4)),
    (obbo, obbo.Steps(alpha=0.3, gamma=0.1, K=100, w=3)),
    (sobbo, sobbo.Steps(alpha=0.3, gamma=0.1, B=1.0, K=100, w=3)),
    (sogd, sogd.Steps(alpha=0.05, beta=0.3, delta=0.3, eta=0.5, c=0.0, q=0.0, radius=1e3, B=1.0)),
    (f2obo, f2obo.Steps(0.3, 0.3 / 1e9, 0.0, 1e9, 0.0, 0.2, 0.0, 300.0, 0.0, 0.0)),
]


@pytest.mark.parametrize(("algorithm", "steps"), BASELINES, ids=lambda m: getattr(m, "TITLE", ""))
def test_reaches_the_exact_solution(algorithm, steps, quadratic):
    """Signs and bookkeeping: without drift and noise every method ends at the minimizer."""
    start = {"x": np.ones((2, 2)), "y": np.zeros((2, 3)), "z": np.zeros((2, 3))}
    horizon = {sobow: 1500, sogd: 1500, fsobo: 1500, obbo: 240, sobbo: 240, f2obo: 150}.get(algorithm, 500)
    found, _ = states(algorithm, quadratic, steps, horizon, start)
    tolerance = 1e-6 if algorithm is f2obo else 1e-9  # the penalty's own bias is of order 1/lambda
    np.testing.assert_allclose(found[-1].x, np.tile(quadratic.solution(), (2, 1)), atol=tolerance)


def test_queries_per_round(quadratic):
    """What one round asks for, as Table 1 counts it."""
    start = {"x": np.ones((2, 2)), "y": np.zeros((2, 3)), "z": np.zeros((2, 3))}
    expected = {
        fsobo: (3, 1, 1),
        sobow: (3, 4, 1),  # the residual of the warm start costs one product
        obbo: (102, 100, 100),
        sogd: (6, 2, 2),
    }
    for algorithm, steps in BASELINES:
        if algorithm not in expected:
            continue
        _, calls = states(algorithm, quadratic, steps, 1, start)
        gradients = sum(int(np.max(v)) for n, v in calls.items() if n.startswith("grad"))
        assert (gradients, int(calls["hess_yy_g"]), int(calls["jac_xy_g"])) == expected[algorithm]


@pytest.mark.parametrize(("eta", "w"), [(1.0, 1), (1.0, 3), (0.7, 4)])
def test_window_average(eta, w):
    """The running sum is the weighted mean of the last w directions, fewer at first."""
    rng = np.random.default_rng(1)
    h = rng.standard_normal((12, 2, 3))
    window = empty(h[0], w, np)
    for t in range(1, 13):
        window, mean = push_direction(window, h[t - 1], np.asarray(float(t)), w, np.asarray(eta), np)
        weights = eta ** np.arange(min(w, t))
        expected = sum(a * h[t - 1 - i] for i, a in enumerate(weights)) / weights.sum()
        np.testing.assert_allclose(mean, expected, rtol=1e-12)


def test_back_propagation_is_the_derivative_of_the_unrolled_loop():
    """d/dx of f(x, y_K(x)) for an inner loop on a non-quadratic g, by finite differences."""
    alpha, K = 0.3, 4

    def g_y(x, y):
        return np.sin(y) + 2 * y - x * y**2 / 5

    def reverse(x):
        def pull(k, y, a):
            return -alpha * a * y**2 / 5, a - alpha * a * (np.cos(y) + 2 - 2 * x * y / 5)

        def last(y):
            return 2 * x, 3 * y**2

        return unroll(K, np.full_like(x, 0.8), lambda k, y: y - alpha * g_y(x, y), pull, last, np)

    x, e = np.array([[0.7]]), 1e-6

    def value(x):
        y, _ = reverse(x)
        return x**2 + y**3

    np.testing.assert_allclose(reverse(x)[1], (value(x + e) - value(x - e)) / (2 * e), rtol=1e-7)


def test_conjugate_gradients_solve_in_as_many_steps_as_dimensions(quadratic):
    b = np.array([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0]])
    v = sobow.solve(lambda u: u @ quadratic.H, b, np.zeros_like(b), 5, np)
    np.testing.assert_allclose(v, np.linalg.solve(quadratic.H, b.T).T, atol=1e-12)


def test_sogd_uses_the_current_functions_at_the_old_point():
    """eta = 1 forgets the past (plain SGD); eta = 0 telescopes: on a drifting problem the estimate stays the first one
    plus the differences between the two points, taken with the current round's functions."""
    instance, start = Oscillation(), {n: START[n] for n in "xy"}
    plain = sogd.Steps(alpha=0.1, beta=0.2, delta=0.3, eta=1.0, c=0.0, q=0.0, radius=1e3, B=1.0)
    found, _ = states(sogd, instance, plain, 4, start)
    s, n = found[3], found[4]
    oracle, t = Oracle(instance, np), np.asarray(4.0)
    np.testing.assert_allclose(n.d_y, oracle.grad_y_g(t, s.x, s.y), rtol=1e-12)
    found, _ = states(sogd, instance, plain._replace(eta=0.0), 4, start)
    s, n = found[3], found[4]
    change = oracle.grad_y_g(t, s.x, s.y) - oracle.grad_y_g(t, s.x_old, s.y_old)
    np.testing.assert_allclose(n.d_y, s.d_y + change, atol=1e-12)


def test_ball():
    v = np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]])
    np.testing.assert_allclose(ops.into_ball(v, 1.0, np), [[0.6, 0.8], [0.3, 0.4], [0.0, 0.0]])


def test_an_oracle_of_a_sample_is_the_same_object_for_y_and_z():
    """Line 10: one zeta for both gradients. Additive noise (omega = 0) then cancels in their difference."""
    instance, sample = Bias(sigma=1.0), Draws(0, IDS, np).at(1)(3)
    t, x = np.asarray(1.0), START["x"]
    noisy = instance.grad_x_g(t, x, START["y"], sample, 0, 1.0, xp=np) - instance.grad_x_g(
        t, x, START["z"], sample, 0, 1.0, xp=np
    )
    exact = instance.grad_x_g(t, x, START["y"], xp=np) - instance.grad_x_g(t, x, START["z"], xp=np)
    np.testing.assert_allclose(noisy, exact, atol=1e-15)

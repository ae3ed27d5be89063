"""Algorithms 1-3 of paper `ada_minimax` against a second, plain implementation, and what a zero momentum does.

The reference is written from the paper's text (L94-170, L842-860) in scalar Python, with every sum of Eqs. (3)-(5)
taken anew at each t; the noise is handed to it as numbers.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from ada_minimax.strategies import bilevels
from discover import starts, steps_of, trajectory, without_noise
from hypothesis import given
from hypothesis import strategies as st
from workbench.theorems.ada_minimax.methods import ada_bio, ada_minimax, ada_nsgdm, practical
from workbench.theorems.baselines.estimators.neumann import neumann

from workbench.arrays import noise
from workbench.arrays.random import Draws
from workbench.engine.eager import simulate
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem, Run
from workbench.problems.saddle import CosineSaddle, LogarithmSaddle, QuadraticSaddle, Saddle
from workbench.problems.scalar_bilevel import ScalarBilevel
from workbench.problems.single_level import Logarithm, PseudoHuber, Quadratic, SingleLevel

SEED, RUNS = 3, 4
IDS = np.arange(RUNS)
SCHEDULES: list[tuple] = [(0.5, 0.5, 1.0, 1.0), (2.0, 0.3, 0.2, 3.0)]  # eta_x, eta_y, alpha, gamma


def run(algorithm, instance, steps, start, horizon):
    """States x_1 .. x_{horizon+1} of all runs."""
    return trajectory(algorithm, instance, steps, start, IDS[: len(start["x"])], horizon, seed=SEED)


def disturbances(law, d, part, sample, horizon):
    """[t - 1] -> (runs, d): what a law adds to a gradient at iteration t."""
    draws = Draws(SEED, IDS, np)
    return [np.array(law(draws.at(t)(sample), d, part, np)) for t in range(1, horizon + 1)]


# ------------------------------------------------------------------------------------- the reference


def add(u, v):
    return [a + b for a, b in zip(u, v, strict=True)]


def minus(u, v):
    return [a - b for a, b in zip(u, v, strict=True)]


def times(c, v):
    return [c * a for a in v]


def square(v):
    return math.fsum(a * a for a in v)


def direction(m):
    """m / |m| with 0/0 := 1 along the first axis."""
    size = math.sqrt(square(m))
    return [a / size for a in m] if size > 0 else [1.0] + [0.0] * (len(m) - 1)


def algorithm_3(gradient, x, e, e2, eta, alpha):
    """Ada-NSGDM, L164-170 with Eq. (5). gradient(x), noise e[t], e2[t]; returns x_1 .. x_{T+1}."""
    xs, gs, gts, m = [x], [], [], None
    for t in range(1, len(e) + 1):
        g, gt = add(gradient(x), e[t - 1]), add(gradient(x), e2[t - 1])
        gs.append(g)
        gts.append(gt)
        alpha_t = alpha / math.sqrt(
            alpha**2 + math.fsum(square(minus(a, b)) for a, b in zip(gs, gts, strict=True))
        )
        eta_t = eta * math.sqrt(alpha_t) / math.sqrt(t)
        beta_t = 1 - alpha_t
        m_before = g if m is None else m  # line 1: m_1 = grad F(x_1; xi_1), so line 3 keeps it at t = 1
        m = add(times(beta_t, m_before), times(1 - beta_t, g))
        x = minus(x, times(eta_t, direction(m)))
        xs.append(x)
    return xs


def algorithms_1_and_2(g_x_of, gt_x_of, g_y_of, sign, x, y, horizon, eta_x, eta_y, alpha, gamma):
    """Ada-Minimax (sign = +1, ascent in y), L105-111, and Ada-BiO (sign = -1), L124-132, with Eqs. (3), (4).

    The three gradients are functions of (t, x, y). Returns [(x_t, y_t)] for t = 1 .. T + 1.
    """
    path, differences, lower, m = [(x, y)], [], [], None
    for t in range(1, horizon + 1):
        g_x, gt_x, g_y = g_x_of(t, x, y), gt_x_of(t, x, y), g_y_of(t, x, y)
        differences.append(square(minus(g_x, gt_x)))
        lower.append(square(g_y))
        alpha_t = alpha / math.sqrt(alpha**2 + math.fsum(differences))
        alpha_prime_t = alpha / math.sqrt(alpha**2 + math.fsum(differences) + math.fsum(lower))
        eta_x_t = eta_x * math.sqrt(alpha_prime_t) / math.sqrt(t)
        eta_y_t = eta_y / math.sqrt(gamma**2 + math.fsum(lower))
        m_before = g_x if m is None else m
        m = add(times(1 - alpha_t, m_before), times(alpha_t, g_x))
        x, y = minus(x, times(eta_x_t, direction(m))), add(y, times(sign * eta_y_t, g_y))
        path.append((x, y))
    return path


def reference_neumann(f_x, f_y, jacobian, hessians, l):
    """Eqs. (36)-(37) for scalars: hessians[n] lists the n samples of the n-th product."""
    total = 0.0
    for samples in hessians:
        product = 1.0
        for h in samples:
            product *= 1.0 - h / l
        total += product
    return f_x - jacobian * total / l * f_y


# ------------------------------------------------------------------------------ against the reference

HORIZON = (
    30  # round-off across the direction of motion grows near a minimizer: 1e-10 after 50 noiseless steps
)
GRADIENTS = [
    (Quadratic(L=2.0), lambda x: times(2.0, x)),
    (PseudoHuber(), lambda x: times(1 / math.sqrt(1 + square(x)), x)),
    (Logarithm(), lambda x: times(1 / (1 + square(x)), x)),
]


def start(d, seed=0):
    rng = np.random.default_rng(seed)
    return {"x": rng.standard_normal((RUNS, d)), "y": rng.standard_normal((RUNS, d))}


def close(got, expected):
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("law", [noise.Sphere(0.7), noise.TwoRadius(0.1, 2.0), noise.Sphere(0.0)])
@pytest.mark.parametrize(("instance", "gradient"), GRADIENTS)
def test_ada_nsgdm_is_algorithm_3(instance, gradient, law, d):
    e, e2 = (disturbances(law, d, 0, sample, HORIZON) for sample in (0, 1))
    begin = start(d)
    states = run(
        ada_nsgdm,
        type(instance)(**{**vars(instance), "noise": law}),
        ada_nsgdm.Steps(0.8, 0.6),
        begin,
        HORIZON,
    )
    for i in range(RUNS):
        first, second = ([v[i].tolist() for v in part] for part in (e, e2))
        expected = algorithm_3(gradient, begin["x"][i].tolist(), first, second, 0.8, 0.6)
        close([s.x[i] for s in states], expected)


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("sigma_x", "sigma_y"), [(0.0, 0.0), (0.0, 1.0), (0.5, 0.0), (1.0, 0.3)])
def test_ada_minimax_is_algorithm_1(sigma_x, sigma_y, schedule, d):
    c, b, mu = 0.5, 1.5, 0.8
    instance = QuadraticSaddle(noise.Sphere(sigma_x), noise.TwoRadius(sigma_y / 3, sigma_y), b=b, mu=mu, c=c)
    begin = start(d)
    states = run(ada_minimax, instance, ada_minimax.Steps(*schedule), begin, HORIZON)
    e, e2 = (disturbances(instance.noise_x, d, 0, sample, HORIZON) for sample in (0, 1))
    e_y = disturbances(instance.noise_y, d, 1, 0, HORIZON)  # g_x and g_y share xi_t

    def grad_x(x, y):
        return add(times(-c, x), times(b, y))

    for i in range(RUNS):
        path = algorithms_1_and_2(
            lambda t, x, y, i=i: add(grad_x(x, y), e[t - 1][i].tolist()),
            lambda t, x, y, i=i: add(grad_x(x, y), e2[t - 1][i].tolist()),
            lambda t, x, y, i=i: add(minus(times(b, x), times(mu, y)), e_y[t - 1][i].tolist()),
            +1,
            begin["x"][i].tolist(),
            begin["y"][i].tolist(),
            HORIZON,
            *schedule,
        )
        close([s.x[i] for s in states], [x for x, _ in path])
        close([s.y[i] for s in states], [y for _, y in path])


@pytest.mark.parametrize("hessian_noise", [0.0, 0.4])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("sigma_f", "sigma_g"), [(0.0, 0.0), (0.6, 0.2)])
def test_ada_bio_is_algorithm_2(sigma_f, sigma_g, schedule, hessian_noise):
    a, h, r, b, N = 1.2, 0.9, 0.4, 0.3, 5
    l = h * (1 + a**2)
    instance = ScalarBilevel(noise.Sphere(sigma_f), noise.Sphere(sigma_g), hessian_noise, a, h, r, b)
    begin = start(1)
    states = run(ada_bio, instance, ada_bio.Steps(*(*schedule, N, l)), begin, HORIZON)
    draws = Draws(SEED, IDS, np)

    def estimate(t, x, y, i, sample):
        xi = draws.at(t)(sample)
        f_x = r * x[0] + sigma_f * float(xi.sign(1, 0)[i, 0])
        f_y = (y[0] - b) / math.sqrt(1 + (y[0] - b) ** 2)
        numbers = iter(range(2, 2 + N * (N - 1) // 2))  # k = 1 belongs to zeta^(0)
        hessians = [
            [h + hessian_noise * float(xi.sign(1, 6, next(numbers))[i, 0]) for _ in range(n)]
            for n in range(N)
        ]
        return [reference_neumann(f_x, f_y, -a * h, hessians, l)]

    for i in range(RUNS):
        path = algorithms_1_and_2(
            lambda t, x, y, i=i: estimate(t, x, y, i, 0),
            lambda t, x, y, i=i: estimate(t, x, y, i, 1),
            lambda t, x, y, i=i: [
                h * (y[0] - a * x[0]) + sigma_g * float(draws.at(t)(2).sign(1, 2)[i, 0])  # a fresh zeta_t
            ],
            -1,
            begin["x"][i].tolist(),
            begin["y"][i].tolist(),
            HORIZON,
            *schedule,
        )
        close([s.x[i] for s in states], [x for x, _ in path])
        close([s.y[i] for s in states], [y for _, y in path])


def test_practical_variant_is_section_6_2():
    """The previous iteration's gradient in place of the second sample, no 1/sqrt(t); the term k = 1 is dropped."""
    eta_x, eta_y, alpha, gamma = 0.1, 0.4, 0.7, 1.3
    instance = QuadraticSaddle(noise.Sphere(0.5), noise.Sphere(0.2))
    begin = start(1)
    states = run(practical, instance, practical.Steps(eta_x, eta_y, alpha, gamma), begin, HORIZON)
    e = disturbances(instance.noise_x, 1, 0, 0, HORIZON)
    e_y = disturbances(instance.noise_y, 1, 1, 0, HORIZON)
    for i in range(RUNS):
        x, y = float(begin["x"][i, 0]), float(begin["y"][i, 0])
        gs, lower, m = [], [], None
        for t in range(1, HORIZON + 1):
            g = -0.5 * x + y + e[t - 1][i, 0]
            g_y = x - y + e_y[t - 1][i, 0]
            gs.append(g)
            lower.append(g_y**2)
            S_x = math.fsum((p - q) ** 2 for p, q in zip(gs[1:], gs[:-1], strict=True))
            a_t = alpha / math.sqrt(alpha**2 + S_x)
            ap_t = alpha / math.sqrt(alpha**2 + S_x + math.fsum(lower))
            m = g if m is None else (1 - a_t) * m + a_t * g
            x, y = (
                x - eta_x * math.sqrt(ap_t) * math.copysign(1.0, m),
                y + eta_y / math.sqrt(gamma**2 + math.fsum(lower)) * g_y,
            )
            close(states[t].x[i], [x])
            close(states[t].y[i], [y])


# -------------------------------------------------------------------------------- traps of section 7.3


def test_trap_1_a_zero_momentum_moves_on():
    """x_1 = eta hits the minimizer exactly in one step; 0/0 := 1 sends the iterate on, along the first axis."""
    begin = {"x": np.array([[1.0], [-1.0]])}
    states = run(ada_nsgdm, Quadratic(), ada_nsgdm.Steps(1.0, 1.0), begin, 2)
    np.testing.assert_array_equal(states[1].x, [[0.0], [0.0]])
    np.testing.assert_array_equal(states[1].m, [[1.0], [-1.0]])
    np.testing.assert_allclose(states[2].x, [[-1 / math.sqrt(2)]] * 2, rtol=1e-15)
    # In more dimensions as well, along the first axis alone.
    states = run(ada_nsgdm, Quadratic(), ada_nsgdm.Steps(1.0, 1.0), {"x": np.zeros((1, 3))}, 1)
    np.testing.assert_array_equal(states[1].x, [[-1.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("algorithm", "instance"), [(ada_nsgdm, Quadratic()), (ada_minimax, QuadraticSaddle())]
)
def test_trap_1_noiseless_runs_never_freeze(algorithm, instance):
    """From 1.2345 a frozen run would show slope -1: after it stops, T times the running mean is constant."""
    begin = {"x": np.array([[1.2345]]), "y": np.array([[0.0]])}
    steps = algorithm.Steps(*(1.0 for _ in algorithm.Steps._fields))
    marks = np.array([2**j for j in range(15)])
    result = simulate(Problem(algorithm, instance, steps, begin), Run(marks))
    last, mean = result.data["grad_norm"][0], result.data["grad_norm_mean"][0]
    assert np.count_nonzero(last) >= len(marks) - 1
    slope = np.polyfit(np.log(marks[-5:]), np.log(mean[-5:]), 1)[0]
    assert -0.6 < slope < -0.4


def test_trap_1_level_of_the_noiseless_run():
    """Mean of |f'| tends to L eta T^-1/2, constant 1 (spec 6.2): oscillation of mean eta_t / 2."""
    problem = Problem(ada_nsgdm, Quadratic(), ada_nsgdm.Steps(1.0, 1.0), {"x": np.array([[1.2345]])})
    result = simulate(problem, Run(np.array([8192])))
    assert result.data["grad_norm_mean"][0, 0] * math.sqrt(8192) == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize(
    "cls", [SingleLevel, Saddle, ScalarBilevel, QuadraticSaddle, CosineSaddle, LogarithmSaddle]
)
def test_trap_8_the_largest_iterate_is_recorded(cls):
    """On functions flat at infinity divergence looks like convergence; only max |x_t| tells."""
    assert "max" in cls.RECORD["x_norm"]


# ------------------------------------------------------------------------------ the Neumann estimate


def bound_oracle(instance, **changes):
    oracle = Oracle(instance, np)
    for name, value in changes.items():
        setattr(oracle, name, value)
    return oracle


@given(instance=bilevels(), N=st.integers(1, 40), x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_neumann_sum_in_closed_form(instance, N, x, y):
    """Scalars: grad_x f + a f_y (1 - (1 - h/l)^N); and the bias bound of Lemma E.1, l l_f0 / mu (1 - mu/l)^N."""
    quiet = without_noise(instance)
    x, y, l = np.full((2, 1), x), np.full((2, 1), y), instance.h * (1 + instance.a**2)
    got = neumann(x, y, Draws(0, [0, 1], np)(0), N, l, bound_oracle(quiet), np)
    f_x, f_y = instance.grads_f(x, y, np)
    rest = (1 - instance.h / l) ** N
    np.testing.assert_allclose(got, f_x + instance.a * f_y * (1 - rest), rtol=1e-11, atol=1e-13)
    exact = f_x + instance.a * f_y
    assert np.all(np.abs(got - exact) <= l / instance.h * rest + 1e-13)


@given(instance=bilevels(), N=st.integers(1, 9), x=st.floats(-3, 3), y=st.floats(-3, 3))
def test_horner_equals_the_full_sum_without_hessian_noise(instance, N, x, y):
    quiet = without_noise(instance)
    args = (
        np.full((2, 1), x),
        np.full((2, 1), y),
        Draws(0, [0, 1], np)(0),
        N,
        instance.h * (1 + instance.a**2),
    )
    horner = neumann(*args, bound_oracle(quiet), np)
    full = neumann(*args, bound_oracle(quiet, hessian_is_exact=lambda: False), np)
    np.testing.assert_allclose(horner, full, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("N", [1, 2, 6])
def test_every_factor_has_a_sample_of_its_own(N):
    """N(N-1)/2 distinct Hessian samples zeta^(n,j), none of them the zeta^(0) of the Jacobian."""
    instance = ScalarBilevel(hessian_noise=0.2)
    hessians: list[int] = []
    jacobians: list[int] = []

    def note(seen):
        def product(x, y, v, zeta, k):
            seen.append(k)
            return v

        return product

    oracle = bound_oracle(instance, hess_yy_g=note(hessians), jac_xy_g=note(jacobians))
    one = np.ones((1, 1))
    neumann(one, one, Draws(0, [0], np)(0), N, 2.0, oracle, np)
    assert len(hessians) == len(set(hessians)) == N * (N - 1) // 2
    assert len(jacobians) == 1
    assert not set(hessians) & set(jacobians)
    assert all(k > 0 for k in hessians + jacobians)  # k = 0 is the sample of the gradients


def test_estimate_is_unbiased_under_hessian_noise():
    """Mean over 40 000 runs within 5 standard errors of the noiseless sum; reusing one Hessian sample is caught."""
    runs, N, l = 40_000, 6, 2.0
    instance = ScalarBilevel(noise_f=noise.Sphere(0.3), hessian_noise=0.9)
    x, y = np.full((runs, 1), 0.4), np.full((runs, 1), 2.0)
    xi = Draws(7, np.arange(runs), np).at(5)(0)
    truth = neumann(x[:1], y[:1], Draws(0, [0], np)(0), N, l, bound_oracle(without_noise(instance)), np)[0, 0]

    def z(oracle):
        got = neumann(x, y, xi, N, l, oracle, np)
        return (got.mean() - truth) / (got.std() / math.sqrt(runs))

    assert abs(z(bound_oracle(instance))) < 5
    # E (1 - H/l)^n > (1 - E H/l)^n: one sample for all factors biases the estimate.
    assert abs(z(bound_oracle(instance, hessian_is_exact=lambda: True))) > 10


# ------------------------------------------------------------------------------------------------ oracle calls


def calls_per_iteration(algorithm, instance, N=4):
    start = starts(3, 1)
    steps = steps_of(algorithm, instance, start)
    if "N" in steps._fields:
        steps = steps._replace(N=N)
    result = simulate(Problem(algorithm, instance, steps, start), Run(np.array([1, 7])))
    for count in result.calls.values():
        assert count.tolist() == [[count[0, 0], 7 * count[0, 0]]]
    return {k: int(v[0, 0]) for k, v in result.calls.items()}


def test_oracle_calls_of_the_single_level_method():
    """Two stochastic gradients per iteration (spec 2.1); the input m_1 uses the first of them again."""
    assert calls_per_iteration(ada_nsgdm, Quadratic()) == {"gradient": 2}


def test_oracle_calls_of_the_minimax_methods():
    assert calls_per_iteration(ada_minimax, QuadraticSaddle()) == {"gradient_x": 2, "gradient_y": 1}
    assert calls_per_iteration(practical, QuadraticSaddle()) == {"gradient_x": 1, "gradient_y": 1}


@pytest.mark.parametrize("N", [1, 2, 5, 8])
@pytest.mark.parametrize("hessian_noise", [0.0, 0.3])
def test_oracle_calls_of_the_bilevel_method(N, hessian_noise):
    """Twice per iteration N - 1 Hessian products, or the N(N-1)/2 independent ones where the Hessian is noisy."""
    instance = ScalarBilevel(hessian_noise=hessian_noise)
    hessians = N * (N - 1) // 2 if hessian_noise else N - 1
    expected = {"gradient_x_f": 2, "gradient_y_f": 2, "gradient_y_g": 1, "jacobian_vector": 2}
    expected |= {"hessian_vector": 2 * hessians} if hessians else {}
    assert calls_per_iteration(ada_bio, instance, N) == expected

"""Data instances of paper `f2obo`: derivatives by finite differences, phases, label noise, settings as printed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from declared_constants import check
from differences import along
from workbench.theorems.f2obo.experiments import imbalance_runs, noisy_label_runs
from workbench.theorems.f2obo.problems import imbalance, noisy_labels

from workbench.arrays.random import Draws
from workbench.claims import constants
from workbench.problems.datasets import digits_in_three

ROWS = 2
T1 = np.asarray(1.0)


def randoms(rows):
    return [np.random.default_rng(row) for row in range(rows)]


@pytest.fixture(scope="module")
def tuning():
    return imbalance.make(digits_in_three(300, 300), randoms(ROWS), n=20, rounds=10.0, hidden=3)


@pytest.fixture(scope="module")
def stream():
    return noisy_labels.make(400)


def point(instance, seed=0):
    rng = np.random.default_rng(seed)
    x = np.tile(np.repeat([1.0, 0.0], 10), (ROWS, 1)) + 0.2 * rng.standard_normal((ROWS, 20))
    y, v = (0.5 * rng.standard_normal((ROWS, instance.dimension)) for _ in range(2))
    return x, y, v


def inner_loss(instance, t, x, y):
    """g_t from scratch: network, scaled and shifted logits, cross-entropy, ridge."""
    j = int((float(t) - 1) // instance.rounds)
    total = []
    for row in range(ROWS):
        d, h = instance.train.shape[-1], instance.hidden
        W1, W2 = y[row, : d * h].reshape(d, h), y[row, d * h :].reshape(h + 1, 10)
        hidden = np.tanh(instance.train[row, j] @ W1)
        o = (hidden @ W2[:-1] + W2[-1]) * x[row, :10] + x[row, 10:]
        p = np.exp(o) / np.exp(o).sum(axis=1, keepdims=True)
        total.append(-np.mean(np.log(p[instance.train_labels[row, j] == 1])) + 0.005 * np.sum(y[row] ** 2))
    return np.array(total)[:, None]


def upper_loss(instance, t, y):
    j = int((float(t) - 1) // instance.rounds)
    total = []
    for row in range(ROWS):
        d, h = instance.train.shape[-1], instance.hidden
        W1, W2 = y[row, : d * h].reshape(d, h), y[row, d * h :].reshape(h + 1, 10)
        o = np.tanh(instance.validation[row, j] @ W1) @ W2[:-1] + W2[-1]
        p = np.exp(o) / np.exp(o).sum(axis=1, keepdims=True)
        labels = instance.validation_labels[row, j]
        total.append(-np.mean(np.log(p[labels == 1]) * (labels @ instance.weights[row, j])))
    return np.array(total)[:, None]


@pytest.mark.parametrize("t", [1.0, 25.0])
def test_network_derivatives(tuning, t):
    now, (x, y, v) = np.asarray(t), point(tuning)
    rng = np.random.default_rng(1)
    u = rng.standard_normal(x.shape)

    def dot(a, b):
        return np.sum(a * b, axis=1, keepdims=True)

    close = {"rtol": 1e-6, "atol": 1e-8}
    slope = dot(tuning.grad_y_g(now, x, y, np), v)
    np.testing.assert_allclose(slope, along(lambda y: inner_loss(tuning, t, x, y), y, v), **close)
    slope = dot(tuning.grad_x_g(now, x, y, np), u)
    np.testing.assert_allclose(slope, along(lambda x: inner_loss(tuning, t, x, y), x, u), **close)
    slope = dot(tuning.grad_y_f(now, x, y, np), v)
    np.testing.assert_allclose(slope, along(lambda y: upper_loss(tuning, t, y), y, v), **close)
    assert np.all(tuning.grad_x_f(now, x, y, np) == 0)
    hess = along(lambda y: tuning.grad_y_g(now, x, y, np), y, v)
    np.testing.assert_allclose(tuning.hess_yy_g(now, x, y, v, np), hess, rtol=1e-5, atol=1e-8)
    jac = along(lambda y: tuning.grad_x_g(now, x, y, np), y, v)
    np.testing.assert_allclose(tuning.jac_xy_g(now, x, y, v, np), jac, rtol=1e-5, atol=1e-8)


def test_class_frequencies_follow_the_phases():
    """Class i has frequency proportional to r^i; weights are the inverse frequencies of the validation part."""
    made = imbalance.make(digits_in_three(900, 500), randoms(8), n=200)
    for j, r in enumerate(imbalance.DECAYS):
        expected = r ** np.arange(10)
        counted = made.train_labels[:, j].sum(axis=(0, 1))
        assert np.max(np.abs(counted / 1600 - expected / expected.sum())) < 0.04
    count = made.validation_labels.sum(axis=2)
    seen = count > 0
    products = (made.weights * count)[seen]
    assert np.all(made.weights[~seen] == 0)
    np.testing.assert_allclose(products, (200 / seen.sum(axis=-1, keepdims=True) * np.ones_like(count))[seen])


def test_phases_change_when_they_should(tuning):
    assert [tuning._phase(np.asarray(float(t))) for t in (1, 10, 11, 20, 21, 31, 40, 99)] == [
        0,
        0,
        1,
        1,
        2,
        3,
        3,
        3,
    ]


def test_the_measured_hypergradient_is_that_of_the_solution(tuning):
    """With many steps: against the derivative of f at the re-solved inner problem."""
    from dataclasses import replace

    exact = replace(tuning, solve_steps=4000, solve_products=4000, ridge=0.3)
    x, y, _ = point(exact)
    u = np.zeros_like(x)
    u[:, 3], u[:, 14] = 1.0, -0.5

    def solved(x):
        v, m = y, np.zeros_like(y)
        for _ in range(4000):
            m = 0.8 * m + exact.grad_y_g(T1, x, v, np)
            v = v - 0.3 * m
        return upper_loss(exact, 1.0, v)

    got = np.sum(exact.hypergradient(T1, x, y, np) * u, axis=1, keepdims=True)
    np.testing.assert_allclose(got, along(solved, x, u, 1e-4), rtol=1e-4, atol=1e-8)


def test_box_of_the_upper_variable(tuning):
    x = np.concatenate([np.full((ROWS, 10), 9.0), np.full((ROWS, 10), -9.0)], axis=1)
    assert np.all(tuning.project(x, np) == np.repeat([2.0, -2.0], 10))


# ------------------------------------------------------------------------------------- label noise


def test_linear_derivatives(stream):
    rng = np.random.default_rng(3)
    d = stream.train.shape[1]
    x, u = rng.uniform(0, 0.1, (ROWS, d)), rng.standard_normal((ROWS, d))
    y, v = (0.3 * rng.standard_normal((ROWS, 10 * d)) for _ in range(2))

    def g(x, y):
        W = y.reshape(ROWS, d, 10)
        o = stream.train @ W
        loss = np.log(np.exp(o).sum(-1)) - np.sum(stream.train_labels * o, axis=-1)
        return (loss.mean(axis=1) + 0.5 * np.sum(x[..., None] * W**2, axis=(1, 2)))[:, None]

    def dot(a, b):
        return np.sum(a * b, axis=1, keepdims=True)

    close = {"rtol": 1e-6, "atol": 1e-8}
    np.testing.assert_allclose(
        dot(stream.grad_y_g(T1, x, y, xp=np), v), along(lambda y: g(x, y), y, v), **close
    )
    np.testing.assert_allclose(
        dot(stream.grad_x_g(T1, x, y, xp=np), u), along(lambda x: g(x, y), x, u), **close
    )
    hess = along(lambda y: stream.grad_y_g(T1, x, y, xp=np), y, v)
    np.testing.assert_allclose(stream.hess_yy_g(T1, x, y, v, xp=np), hess, rtol=1e-5, atol=1e-8)
    jac = along(lambda y: stream.grad_x_g(T1, x, y, xp=np), y, v)
    np.testing.assert_allclose(stream.jac_xy_g(T1, x, y, v, xp=np), jac, rtol=1e-5, atol=1e-8)


def test_declared_constants(stream, monkeypatch):
    """On few points: each of them is a pass over the data."""
    monkeypatch.setattr(constants, "POINTS", 16)
    monkeypatch.setattr(constants, "ROUNDS", 12)
    check(stream, noisy_labels.start(stream, 1))


def test_label_noise_steps_up_three_times(stream):
    levels = [stream.noise(np.asarray(float(t))) for t in (1, 100, 101, 200, 201, 300, 301, 400)]
    assert levels == [0.0, 0.0, 0.05, 0.05, 0.10, 0.10, 0.15, 0.15]


def test_share_of_replaced_labels():
    """At level 0.15 a label is random: it differs from the right one in 0.15 * 9/10 of the points."""
    stream = noisy_labels.make(4.0, batch=4000)
    zeta = Draws(1, np.arange(3), np).at(4)(0)
    clean = stream._points(stream.train, stream.train_labels, np.asarray(1.0), zeta, 0, np)
    noisy = stream._points(stream.train, stream.train_labels, np.asarray(4.0), zeta, 0, np)
    np.testing.assert_array_equal(clean[0], noisy[0])
    assert np.mean(np.any(clean[1] != noisy[1], axis=-1)) == pytest.approx(0.135, abs=0.01)
    assert np.all(noisy[1].sum(axis=-1) == 1)


def test_batches_are_fresh_for_every_inner_step(stream):
    zeta = Draws(1, np.arange(2), np).at(1)(0)
    one, two = (stream._points(stream.train, stream.train_labels, T1, zeta, k, np)[0] for k in (0, 1))
    again = stream._points(stream.train, stream.train_labels, T1, zeta, 0, np)[0]
    assert np.any(one != two)
    np.testing.assert_array_equal(one, again)


# ---------------------------------------------------------------------------------------- settings


def test_settings_are_those_printed():
    """L379-381."""
    of = {m.name: m.steps(gamma=0.001) for m in imbalance_runs.COMPETITION.methods}
    af = of["af2obo"]
    assert (af.alpha, af.lam, af.tau, af.delta_y, af.delta_z) == (0.1, 5.0, 1.0, 0.5, 0.1)
    assert af.beta * af.lam == pytest.approx(0.1)
    assert of["f2obo"].K == of["obbo"].K == 5
    assert of["f2obo-sl"].K == 1
    assert of["aobo"].M == of["sobow"].Q == 5
    assert of["aobo"].delta == 0.1
    assert 0.001 in imbalance_runs.GAMMAS
    of = {m.name: m.steps(gamma=noisy_label_runs.GAMMA) for m in noisy_label_runs.COMPETITION.methods}
    sobbo = of["sobbo"]
    assert (sobbo.alpha, sobbo.gamma, sobbo.K, sobbo.w) == (0.1, 0.001, 5, 50)
    sogd = of["sogd"]
    assert (sogd.alpha, sogd.beta, sogd.delta, sogd.eta) == (0.001, 0.1, 0.1, 0.9)
    assert of["sf2obo"].K_0 == 5


def test_runs_share_data_across_methods_and_steps():
    """Every method and both upper steps start alike on the same points."""
    made = {m.name: m for m in imbalance_runs.COMPETITION.methods}
    one, two = (imbalance_runs.make(made[name], 40, 2) for name in ("f2obo", "obbo"))
    np.testing.assert_array_equal(one.instance.train, two.instance.train)
    np.testing.assert_array_equal(one.start["y"], two.start["y"])
    np.testing.assert_array_equal(one.instance.train[:2], one.instance.train[2:])
    np.testing.assert_array_equal(one.start["y"][:2], one.start["y"][2:])
    assert np.any(one.start["y"][0] != one.start["y"][1])


def test_the_regret_of_figure_1_has_the_upper_step_of_its_row():
    """With gamma = 0.001 in both rows, a row with gamma = 0.05 would not be measured by the regret of Eq. (2)."""
    made = imbalance_runs.make(imbalance_runs.COMPETITION.methods[0], 40, 2)
    np.testing.assert_array_equal(made.instance.gamma, made.grid["gamma"])
    np.testing.assert_array_equal(made.instance.gamma, made.steps.beta)
    x = made.start["x"] + 0.4
    y, t = made.start["y"], T1
    found = made.instance.checkpoint_metrics(SimpleNamespace(x=x, y=y), t, np)["regret"]
    step = made.grid["gamma"] * made.instance.hypergradient(t, x, y, np)
    moved = x - np.clip(x - step, imbalance.Imbalance.LOW, imbalance.Imbalance.HIGH)
    np.testing.assert_allclose(found, np.sum((moved / made.grid["gamma"]) ** 2, axis=1, keepdims=True))


def test_metrics_are_what_they_say(tuning):
    x, y, _ = point(tuning)
    found = tuning.checkpoint_metrics(SimpleNamespace(x=x, y=y), T1, np)
    expected = inner_loss(tuning, 1.0, x, y) - 0.005 * np.sum(y**2, axis=1, keepdims=True)
    np.testing.assert_allclose(found["train_loss"], expected, rtol=1e-10)
    d, h = tuning.train.shape[-1], tuning.hidden
    W1, W2 = y[0, : d * h].reshape(d, h), y[0, d * h :].reshape(h + 1, 10)
    guess = np.argmax(np.tanh(tuning.test @ W1) @ W2[:-1] + W2[-1], axis=1)
    labels = tuning.test_labels.argmax(axis=1)
    balanced = np.mean([np.mean(guess[labels == c] == c) for c in range(10)])
    assert found["test_accuracy"][0, 0] == pytest.approx(balanced)


# ---------------------------------------------------------------------------------- the paper's own sets


def test_real_data_come_in_three_parts(monkeypatch):
    import sklearn.datasets

    from workbench.problems import real

    rng = np.random.default_rng(0)
    fake = SimpleNamespace(data=rng.integers(0, 256, (50, 784)), target=rng.integers(0, 10, 50).astype(str))
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *args, **kwargs: fake)
    train, validation, test = real.parts("mnist", 20, 15)
    assert [len(p) for p in (train, validation, test)] == [20, 15, 15]
    assert train.features.shape == (20, 785)
    assert np.all(train.features[:, -1] == 1)
    assert 0 <= train.features.min() <= train.features.max() <= 1
    assert train.labels.dtype == np.int64
    with pytest.raises(ValueError, match="too few for 40"):
        real.parts("mnist", 40, 20)


def test_words_of_the_newsgroups_are_the_most_frequent(monkeypatch):
    import sklearn.datasets
    from scipy.sparse import csr_matrix

    from workbench.problems import real

    counts = np.tile([0.1, 0.9, 0.0, 0.5], (12, 1))
    fake = SimpleNamespace(data=csr_matrix(counts), target=np.arange(12) % 3)
    monkeypatch.setattr(sklearn.datasets, "fetch_20newsgroups_vectorized", lambda *args, **kwargs: fake)
    train, _, _ = real.parts("newsgroups", 4, 4, words=2)
    assert train.features[0].tolist() == [0.9, 0.5, 1.0]


def test_what_cannot_be_fetched_is_one_sentence(monkeypatch):
    import sklearn.datasets

    from workbench.problems import real

    def refuse(*args, **kwargs):
        raise OSError("no route")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", refuse)
    with pytest.raises(ValueError, match=r"mnist cannot be fetched here \(no route\); use the bundled data"):
        real.parts("mnist", 10, 10)
    with pytest.raises(ValueError, match="choose one of mnist, newsgroups"):
        real.parts("cifar", 10, 10)

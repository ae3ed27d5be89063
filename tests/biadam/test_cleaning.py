"""Hyper-cleaning: derivatives against differences of a plain objective, minibatches, corruption, and the real set."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from declared_constants import check
from discover import same
from workbench.theorems.biadam.problems import cleaning

from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle
from workbench.problems import softmax
from workbench.problems.datasets import digits_in_three

RNG = np.random.default_rng(8)
IDS = np.array([0, 1, 0])
PORTIONS = np.array([0.5, 0.5, 0.0])


def small(batch: int | None) -> cleaning.Cleaning:
    return cleaning.make(PORTIONS, IDS, digits_in_three(30, 20), batch)


def point(instance: cleaning.Cleaning) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, n = instance.train_labels.shape
    p = instance.dimension
    return (
        RNG.standard_normal((rows, n)),
        0.2 * RNG.standard_normal((rows, p)),
        RNG.standard_normal((rows, p)),
    )


def g(instance: cleaning.Cleaning, row: int, x: np.ndarray, y: np.ndarray) -> float:
    """The training objective of one run, point by point."""
    total, W = 0.0, y.reshape(instance.train.shape[1], -1)
    for z, label, tau in zip(instance.train, instance.train_labels[row], x, strict=True):
        scores = z @ W
        loss = np.log(np.exp(scores - scores.max()).sum()) + scores.max() - scores[label]
        total += loss / (1 + np.exp(-tau)) / len(x)
    return total + instance.C * float(y @ y)


def test_derivatives_are_those_of_the_objective():
    instance = small(None)
    x, y, v = point(instance)
    oracle = Oracle(instance, np)
    slope, bend = oracle.grad_y_g(x, y, None), oracle.hess_yy_g(x, y, v, None, 0)
    mixed = oracle.jac_xy_g(x, y, v, None, 0)
    u = RNG.standard_normal(x.shape)
    for row in range(3):
        e = 1e-5
        along = [g(instance, row, x[row], y[row] + s * e * v[row]) for s in (1, -1)]
        assert slope[row] @ v[row] == pytest.approx((along[0] - along[1]) / (2 * e), rel=1e-6)
    e = 1e-6
    up, down = (oracle.grad_y_g(x, y + s * e * v, None) for s in (1, -1))
    np.testing.assert_allclose(bend, (up - down) / (2 * e), atol=1e-7)
    up, down = (np.sum(oracle.grad_y_g(x + s * e * u, y, None) * v, axis=1) for s in (1, -1))
    np.testing.assert_allclose(np.sum(mixed * u, axis=1), (up - down) / (2 * e), rtol=1e-6, atol=1e-9)


def test_the_upper_gradient_is_that_of_the_validation_loss_and_zero_in_tau():
    instance = small(None)
    x, y, v = point(instance)
    f_x, f_y = instance.grad_f(x, y, None, np)
    assert not f_x.any()
    e = 1e-6
    up, down = (
        softmax.loss(y + s * e * v, instance.validation, instance.validation_labels, np) for s in (1, -1)
    )
    np.testing.assert_allclose(np.sum(f_y * v, axis=1), ((up - down) / (2 * e))[:, 0], rtol=1e-6)


def test_minibatches_are_unbiased():
    """Every derivative: the mean over many minibatches within five standard errors of the full one."""
    repeats = 3000
    exact, noisy = (
        cleaning.make(np.full(n, 0.5), np.zeros(n, int), digits_in_three(30, 20), batch)
        for n, batch in ((1, None), (repeats, 8))
    )
    x, y, v = (a[:1] for a in point(exact))
    xs, ys, vs = (np.repeat(a, repeats, axis=0) for a in (x, y, v))
    xi = Draws(3, np.arange(repeats), np).at(1)(0)
    for many, one in (
        (noisy.grad_f(xs, ys, xi, np)[1], exact.grad_f(x, y, None, np)[1]),
        (noisy.grad_y_g(xs, ys, xi, np), exact.grad_y_g(x, y, None, np)),
        (noisy.hess_yy_g(xs, ys, vs, xi, 2, np), exact.hess_yy_g(x, y, v, None, 0, np)),
        (noisy.jac_xy_g(xs, ys, vs, xi, 0, np), exact.jac_xy_g(x, y, v, None, 0, np)),
    ):
        error = np.abs(many.mean(axis=0) - one[0])
        assert (error <= 5 * many.std(axis=0) / np.sqrt(repeats) + 1e-12).all()


def test_products_belong_to_the_minibatch_of_the_gradient():
    """hess and jac with k are the derivatives of grad_y g at the k-th repeated draw: the same points."""
    instance = small(8)
    x, y, v = point(instance)
    zeta = Draws(3, IDS, np).at(4)(1)
    for k in (0, 3):
        e, sample = 1e-6, zeta.repeat(k)
        up, down = (instance.grad_y_g(x, y + s * e * v, sample, np) for s in (1, -1))
        np.testing.assert_allclose(instance.hess_yy_g(x, y, v, zeta, k, np), (up - down) / (2 * e), atol=1e-6)
        mixed = instance.jac_xy_g(x, y, v, zeta, k, np)
        assert ((mixed != 0).sum(axis=1) <= 8).all()
        u = RNG.standard_normal(x.shape)
        up, down = (np.sum(instance.grad_y_g(x + s * e * u, y, sample, np) * v, axis=1) for s in (1, -1))
        np.testing.assert_allclose(np.sum(mixed * u, axis=1), (up - down) / (2 * e), rtol=1e-5, atol=1e-8)


def test_labels_are_corrupted_by_portion_and_by_run():
    """As many points as the portion says; more of them where it is larger; other ones in another run."""
    instance = cleaning.make(np.array([0.2, 0.8, 0.8, 0.0]), np.array([0, 0, 1, 0]), digits_in_three(100, 50))
    true = digits_in_three(100, 50)[0].labels
    assert instance.corruption.sum(axis=1).tolist() == [20, 80, 80, 0]
    assert (instance.corruption[0] <= instance.corruption[1]).all()
    assert (instance.corruption[1] != instance.corruption[2]).any()
    assert ((instance.train_labels != true) <= (instance.corruption == 1)).all()
    assert (instance.train_labels[3] == true).all()
    wrong = (instance.train_labels[1:3] != true).mean()  # one in ten random labels is right
    assert 0.6 < wrong < 0.8


def test_measures():
    instance = small(8)
    x, y, _ = point(instance)
    state = dataclasses.make_dataclass("State", ["x", "y"])(x, y)
    found = instance.checkpoint_metrics(state, np.asarray(1.0), np)
    weight = 1 / (1 + np.exp(-x))
    for row in range(2):
        bad = instance.corruption[row] == 1
        assert found["corrupted_weight"][row, 0] == pytest.approx(weight[row][bad].mean())
        assert found["intact_weight"][row, 0] == pytest.approx(weight[row][~bad].mean())
    assert found["corrupted_weight"][2, 0] == 0.0
    zero = instance.checkpoint_metrics(type(state)(x, 0 * y), np.asarray(1.0), np)
    np.testing.assert_allclose(zero["validation_loss"], np.log(10))
    assert all(v.shape == (3, 1) for v in found.values())


def test_constants():
    instance = cleaning.make(np.array([0.5]), np.array([0]), digits_in_three(12, 12))
    check(instance, {k: v + 0.1 for k, v in cleaning.start(instance).items()})


def test_every_row_has_labels_of_its_own_when_a_batch_is_cut():
    from workbench.engine.records import Problem, Rows
    from workbench.engine.rows import cut_problem

    instance = small(8)
    whole = Problem(None, instance, (), cleaning.start(instance), Rows(IDS, {"portion": PORTIONS}))
    cut = cut_problem(dataclasses.replace(whole, steps=type("Steps", (tuple,), {})()), slice(1, 3))
    same(cut.instance.train_labels, instance.train_labels[1:3])
    same(cut.instance.validation, instance.validation)

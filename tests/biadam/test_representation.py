"""Hyper-representation: derivatives against differences of a plain objective, minibatches, tasks, glyphs."""

from __future__ import annotations

import dataclasses
import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from declared_constants import check
from workbench.theorems.biadam.problems import glyphs, representation

from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle

RNG = np.random.default_rng(9)
WAY, TASKS = 3, 4
ALPHABET = glyphs.synthetic(12, 6)
SHOT = np.array([[1.0], [3.0]])


def small(batch: int | None = None, shot: np.ndarray = SHOT) -> representation.Representation:
    made = representation.make(shot, WAY, ALPHABET, tasks=TASKS, test_tasks=2, queries=2)
    return representation.Representation(
        made.support, made.query, made.test_support, made.test_query, made.shot, WAY, 4, 3, batch
    )


def point(instance: representation.Representation, rows: int = 2) -> tuple[np.ndarray, ...]:
    d, p = instance.dimensions
    return tuple(0.5 * RNG.standard_normal((rows, n)) for n in (d, p, d, p))


def losses(
    instance: representation.Representation, x: np.ndarray, y: np.ndarray, points: np.ndarray, shot: int
) -> list[float]:
    """Mean cross-entropy of each task, point by point; ``shot`` points of each class count."""
    cut = points.shape[2] * 4
    first, second = x[:cut].reshape(-1, 4), x[cut:].reshape(5, 3)
    heads = y.reshape(TASKS, 3, WAY)
    each, found = points.shape[1] // WAY, []
    for task in range(TASKS):
        total = []
        for c in range(WAY):
            for z in points[task][c * each : c * each + shot]:
                phi = np.tanh(np.append(np.tanh(z @ first), 1.0) @ second)
                scores = phi @ heads[task]
                total.append(np.log(np.exp(scores).sum()) - scores[c])
        found.append(float(np.mean(total)))
    return found


def g(instance: representation.Representation, x: np.ndarray, y: np.ndarray, shot: int) -> float:
    return sum(losses(instance, x, y, instance.support, shot)) + instance.C * float(y @ y)


def test_with_fresh_tasks_at_every_call_the_problem_is_trivial() -> None:
    """Tasks that are drawn anew, their classes in random order, have one head in common: 0, and there f has no slope.

    The mean over all orders of the classes is an exact expectation. g is strongly convex, so its root is the head.
    """
    one = representation.make(SHOT[:1], WAY, ALPHABET, tasks=1, test_tasks=1, queries=2)
    orders = list(itertools.permutations(range(WAY)))

    def in_all_orders(points: np.ndarray) -> np.ndarray:
        each = points.shape[1] // WAY
        blocks = [[points[0, c * each : (c + 1) * each] for c in order] for order in orders]
        return np.stack([np.concatenate(block) for block in blocks])

    every = dataclasses.replace(
        one, support=in_all_orders(one.support), query=in_all_orders(one.query), batch=None
    )
    x = representation.start(one, np.arange(1))["x"]
    zero = np.zeros((1, every.dimensions[1]))
    oracle = Oracle(every, np)
    of_tasks = oracle.grad_y_g(x, zero, None).reshape(len(orders), -1)
    assert np.abs(of_tasks).max() > 0.01  # a head of its own learns
    np.testing.assert_allclose(of_tasks.mean(axis=0), 0.0, atol=1e-12)  # a common one does not
    np.testing.assert_array_equal(oracle.grad_f(x, zero, None)[0], 0.0)


def test_derivatives_are_those_of_the_objectives():
    instance, e = small(), 1e-5
    x, y, u, v = point(instance)
    oracle = Oracle(instance, np)
    f_x, f_y = oracle.grad_f(x, y, None)
    slope = oracle.grad_y_g(x, y, None)
    for row, shot in enumerate((1, 3)):

        def f(s: float, row: int = row) -> float:
            return float(
                np.mean(losses(instance, x[row] + s * u[row], y[row] + s * v[row], instance.query, 2))
            )

        assert f_x[row] @ u[row] + f_y[row] @ v[row] == pytest.approx((f(e) - f(-e)) / (2 * e), rel=1e-6)
        along = [g(instance, x[row], y[row] + s * e * v[row], shot) for s in (1, -1)]
        assert slope[row] @ v[row] == pytest.approx((along[0] - along[1]) / (2 * e), rel=1e-6)
    up, down = (oracle.grad_y_g(x, y + s * e * v, None) for s in (1, -1))
    np.testing.assert_allclose(oracle.hess_yy_g(x, y, v, None, 0), (up - down) / (2 * e), atol=1e-7)
    up, down = (np.sum(oracle.grad_y_g(x + s * e * u, y, None) * v, axis=1) for s in (1, -1))
    mixed = np.sum(oracle.jac_xy_g(x, y, v, None, 0) * u, axis=1)
    np.testing.assert_allclose(mixed, (up - down) / (2 * e), rtol=1e-6, atol=1e-9)


def test_minibatches_of_tasks_are_unbiased():
    repeats = 4000
    exact, noisy = small(None, np.array([[3.0]])), small(2, np.full((repeats, 1), 3.0))
    x, y, _, v = point(exact, 1)
    xs, ys, vs = (np.repeat(a, repeats, axis=0) for a in (x, y, v))
    xi = Draws(3, np.arange(repeats), np).at(1)(0)
    for many, one in (
        (noisy.grad_f(xs, ys, xi, np)[0], exact.grad_f(x, y, None, np)[0]),
        (noisy.grad_f(xs, ys, xi, np)[1], exact.grad_f(x, y, None, np)[1]),
        (noisy.grad_y_g(xs, ys, xi, np), exact.grad_y_g(x, y, None, np)),
        (noisy.hess_yy_g(xs, ys, vs, xi, 2, np), exact.hess_yy_g(x, y, v, None, 0, np)),
        (noisy.jac_xy_g(xs, ys, vs, xi, 0, np), exact.jac_xy_g(x, y, v, None, 0, np)),
    ):
        error = np.abs(many.mean(axis=0) - one[0])
        assert (error <= 5 * many.std(axis=0) / np.sqrt(repeats) + 1e-12).all()


def test_products_belong_to_the_minibatch_of_the_gradient():
    instance, e = small(2), 1e-6
    x, y, u, v = point(instance)
    zeta = Draws(3, [0, 1], np).at(4)(1)
    up, down = (instance.grad_y_g(x, y + s * e * v, zeta.repeat(3), np) for s in (1, -1))
    np.testing.assert_allclose(instance.hess_yy_g(x, y, v, zeta, 3, np), (up - down) / (2 * e), atol=1e-7)
    up, down = (np.sum(instance.grad_y_g(x + s * e * u, y, zeta.repeat(3), np) * v, axis=1) for s in (1, -1))
    mixed = np.sum(instance.jac_xy_g(x, y, v, zeta, 3, np) * u, axis=1)
    np.testing.assert_allclose(mixed, (up - down) / (2 * e), rtol=1e-5, atol=1e-8)


def test_a_row_of_one_shot_sees_one_point_of_each_class():
    """Changing the others changes nothing for it, and something for a row with three."""
    instance = small()
    x, y, _, _ = point(instance)
    support = instance.support.copy()
    support.reshape(TASKS, WAY, 3, -1)[:, :, 1:] = 0.3
    other = representation.Representation(
        support, instance.query, instance.test_support, instance.test_query, instance.shot, WAY, 4, 3, None
    )
    before, after = (i.grad_y_g(x, y, None, np) for i in (instance, other))
    np.testing.assert_array_equal(before[0], after[0])
    assert (before[1] != after[1]).any()


def test_fitted_heads_of_test_tasks_are_close_to_the_optimum():
    """The heavy-ball steps come within three per cent of the loss that ten times as many reach."""
    instance = representation.make(np.array([[5.0]]), 5, glyphs.synthetic(60, 8))
    x = representation.start(instance, np.array([0]))["x"]
    state = SimpleNamespace(x=x, y=np.zeros((1, instance.dimensions[1])))
    usual = instance.checkpoint_metrics(state, np.asarray(1.0), np)
    few = representation.FIT_STEPS
    try:
        representation.FIT_STEPS = 10 * few
        longer = instance.checkpoint_metrics(state, np.asarray(1.0), np)
    finally:
        representation.FIT_STEPS = few
    assert abs(usual["test_loss"][0, 0] - longer["test_loss"][0, 0]) < 0.03 * longer["test_loss"][0, 0]
    assert usual["query_loss"][0, 0] == pytest.approx(np.log(5))
    assert 0.2 < usual["test_accuracy"][0, 0] <= 1.0


def test_tasks_of_training_and_test_share_no_class_and_no_point():
    instance = representation.make(np.array([[2.0]]), 4, ALPHABET, queries=2)
    place = {point.tobytes(): c for c, examples in enumerate(ALPHABET) for point in examples}

    def classes(points: np.ndarray) -> list[set[int]]:
        return [{place[z.tobytes()] for z in task} for task in points]

    for support, query in ((instance.support, instance.query), (instance.test_support, instance.test_query)):
        for a, b, left, right in zip(support, query, classes(support), classes(query), strict=True):
            assert left == right
            assert len(left) == 4
            assert not {z.tobytes() for z in a} & {z.tobytes() for z in b}
    trained = set().union(*classes(instance.support))
    assert not trained & set().union(*classes(instance.test_support))
    with pytest.raises(
        ValueError, match="5-way tasks need at least 15 classes with 5 examples, got 12 with 6"
    ):
        representation.make(np.array([[2.0]]), 5, ALPHABET)


def test_glyphs_of_a_class_look_alike():
    """The nearest other glyph is of the same class more often than not, of eight pixels a side and sixty classes."""
    alphabet = glyphs.synthetic(60, 8)[..., :-1].reshape(480, -1)
    distance = np.linalg.norm(alphabet[:, None] - alphabet[None], axis=-1) + 1e9 * np.eye(480)
    same = np.argmin(distance, axis=1) // 8 == np.arange(480) // 8
    assert 0.4 < same.mean() < 0.98
    assert alphabet.min() >= 0.0
    assert alphabet.max() <= 1.0


def test_constants():
    instance = small(None, np.array([[3.0]]))
    start = representation.start(instance, np.array([0]))
    check(instance, {k: v + 0.1 for k, v in start.items()})
    assert instance.constants(start)["L_g"] > np.linalg.norm(
        instance.hess_yy_g(start["x"], start["y"], np.ones_like(start["y"]), None, 0, np)
    ) / np.sqrt(start["y"].size)

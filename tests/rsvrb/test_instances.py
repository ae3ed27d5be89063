"""The quadratic problems: constants of one task and of m, oracles, projections' radii and weights."""

from __future__ import annotations

import itertools
import math
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from declared_constants import check
from workbench.theorems.rsvrb.problems.quadratic import Quadratic
from workbench.theorems.rsvrb.problems.tasks import QuadraticTasks, heterogeneous
from workbench.theorems.rsvrb.theory import THEOREMS, sampling, theorem_1, theorem_2

from workbench.arrays.random import Draws

SIZES = (1, 8, 64, 512)
EIGHT = QuadraticTasks()


def point(d: int) -> dict[str, np.ndarray]:
    return {"x": np.array([[1.2] * d, [-0.4] * d])}


@pytest.mark.parametrize(("i", "d"), [(0, 1), (3, 1), (6, 2)])
def test_constants_of_one_task_are_attained(i: int, d: int) -> None:
    check(EIGHT.task(i), point(d))


@pytest.mark.parametrize(("m", "alpha"), [*((m, 0.0) for m in SIZES), (64, 1.0)])
def test_constants_of_many_tasks_are_attained(m: int, alpha: float) -> None:
    problem = QuadraticTasks(**heterogeneous(m, alpha))
    check(problem, point(2))
    constants = problem.constants(point(2))
    each = [problem.task(i).constants(point(2)) for i in range(m)]
    assert constants["lam"] == min(c["lam"] for c in each)
    assert constants["L_g"] == max(c["L_g"] for c in each)
    assert constants["L_y"] == pytest.approx(math.sqrt(sum(c["L_y"] ** 2 for c in each)))
    assert constants["L_F"] == pytest.approx(np.mean([c["L_F"] for c in each]))


def signs(d: int) -> Any:
    """Every outcome of a sample of one coordinate: objects with ``sign``."""
    for bits in itertools.product((-1.0, 1.0), repeat=3):
        yield SimpleNamespace(sign=lambda d, part=0, k=0, bits=bits: np.full((1, 1), bits[part]))


def test_second_moments_are_attained_at_the_boundary() -> None:
    """Exact means over all outcomes, at the worst corner and at random points of the region."""
    rng = np.random.default_rng(0)
    for i in range(EIGHT.m):
        task = EIGHT.task(i)
        found = dict.fromkeys(("C_fx", "C_fy", "C_gy", "C_gxy", "C_gyy"), 0.0)
        corners = itertools.product((-task.R_x, task.R_x), (-task.R_y, task.R_y))
        inside = rng.uniform(-1, 1, (20, 2)) * (task.R_x, task.R_y)
        for x, y in (*corners, *inside):
            at = np.array([[x]]), np.array([[y]])
            drawn = [(*task.upper(*at, n, 0, np), *task.lower(*at, n, 0, np)) for n in signs(1)]
            fx, fy, gy, gxy, gyy = (np.sqrt(np.mean(np.square(part))) for part in zip(*drawn, strict=True))
            for name, value in zip(found, (fx, fy, gy, gxy, gyy), strict=True):
                found[name] = max(found[name], float(value))
        assert found == pytest.approx(task.moments(1), rel=1e-12)


def objective(s: float, c: float, e: float, A: float, B: float, x: float, y: float) -> float:
    return s * (A * (x - c) ** 2 + B * (y - e) ** 2) / 2


def lower_level(h: float, a: float, x: float, y: float) -> float:
    return h * (y - a * x) ** 2 / 2


@pytest.mark.parametrize("m", SIZES)
def test_every_oracle_is_unbiased_and_follows_from_the_objective(m: int) -> None:
    """Means over all signs are derivatives of f_i and g_i, by central differences; F and y* follow."""
    problem, rng, step = QuadraticTasks(**heterogeneous(m, 0.5)), np.random.default_rng(m), 1e-5
    for i in sorted({0, m // 2, m - 1}):
        h, a, s, c, e = (column[0, i] for column in (problem.h, problem.a, problem.s, problem.c, problem.e))
        x, y = rng.standard_normal(2)
        f = partial(objective, s, c, e, problem.A, problem.B)
        g = partial(lower_level, h, a)
        index, at = np.array([[i]]), (np.array([[x]]), np.array([[y]]))
        drawn = [
            (*problem.upper(index, *at, n, 0, np), *problem.lower(index, *at, n, 0, np)) for n in signs(1)
        ]
        fx, fy, gy, gxy, gyy = (float(np.mean(part)) for part in zip(*drawn, strict=True))
        assert fx == pytest.approx((f(x + step, y) - f(x - step, y)) / (2 * step), abs=1e-6)
        assert fy == pytest.approx((f(x, y + step) - f(x, y - step)) / (2 * step), abs=1e-6)
        assert gy == pytest.approx((g(x, y + step) - g(x, y - step)) / (2 * step), abs=1e-6)
        assert gyy == pytest.approx(h)
        assert gxy == pytest.approx(-h * a)
        assert a * x == pytest.approx(x * -gxy / gyy)  # the hypergradient's Jacobian of y*
    x = rng.standard_normal((1, 2))
    for j in range(2):
        move = step * np.eye(2)[j]
        slope = (problem.F(x + move, np) - problem.F(x - move, np)) / (2 * step)
        assert problem.grad_F(x, np)[0, j] == pytest.approx(float(slope[0, 0]), abs=1e-6)


def test_a_sample_of_all_tasks_is_a_sample_of_each() -> None:
    draw = Draws(2, [0, 1], np).at(3)
    x, y = np.ones((2, 3)), np.full((2, 8, 3), 0.5)
    fx, fy = EIGHT.all_upper(x, y, draw(0), 0, np)
    gy, gxy, gyy = EIGHT.all_lower(x, y, draw(1), 0, np)
    assert {a.shape for a in (fx, fy, gy, gxy, gyy)} == {(2, 8, 3)}
    assert np.abs(np.diff((gyy - EIGHT.h[..., None]), axis=1)).max() > 0  # tasks have samples of their own
    np.testing.assert_allclose(np.abs(gyy - EIGHT.h[..., None]), EIGHT.s_H)


@pytest.mark.parametrize("d", [1, 4])
def test_projections_use_the_second_moments(d: int) -> None:
    radii = EIGHT.radii(np.ones((1, d)), np)
    each = EIGHT.of_tasks(d)
    for radius, name in zip(radii, ("C_fx", "C_fy", "C_gxy"), strict=False):
        np.testing.assert_allclose(radius[0, :, 0], [task[name] for task in each], rtol=1e-12)
    assert np.all(radii[3] == EIGHT.R_y)


@pytest.mark.parametrize("m", SIZES)
def test_weights_add_up_to_one(m: int) -> None:
    q, Q = QuadraticTasks(**heterogeneous(m, 1.0)).sampling(np)
    np.testing.assert_allclose(np.cumsum(q, axis=1), Q, rtol=1e-12)
    assert Q[0, -1] == pytest.approx(1.0)
    assert np.all(np.diff(q[0]) <= 0)


@pytest.mark.parametrize("m", SIZES)
def test_the_theorems_take_the_constants_as_they_are(m: int) -> None:
    """Parameters, conditions and bound of Theorem 2 and the stages of Theorem 3 for every m; uniform p."""
    problem, start = QuadraticTasks(**heterogeneous(m)), {"x": np.array([[1.0]])}
    each = problem.of_tasks(1)
    constants = problem.constants(start)
    constants |= sampling.of_tasks(each, sampling.uniform(m), constants["lam"])
    constants |= {"delta_y": 0.0, "delta_0": float(m), "delta_d": 0.0, "sigma_z": 2.0}
    constants |= theorem_2.parameters(0.1, **constants)
    _, two, three = THEOREMS
    assert two.steps("repaired", **constants)["lam"] == constants["lam"]
    assert np.isfinite(two.numeric("repaired")(T=1e6, **constants)).all()
    assert three.steps("repaired", **constants)["T_1"] > 0
    assert sampling.LOWER_BOUND.value(lam=constants["lam"], m=m) <= constants["C_p"]


def test_theorem_1_takes_the_constants_of_one_task() -> None:
    problem, start = Quadratic(), {"x": np.array([[1.0]])}
    constants = problem.constants(start) | {"delta_y": 0.0, "delta_0": 0.0}
    constants |= theorem_1.parameters(**constants)
    steps = THEOREMS[0].steps("repaired", **constants)
    assert 0 < steps["gamma"] < 1
    assert THEOREMS[0].numeric("repaired")(T=1e6, **constants) > 0


@pytest.mark.parametrize("m", SIZES)
def test_gradient_dominance_is_an_equality(m: int) -> None:
    """mu (F - F_*) = |grad F|^2 in every point, and the metric ``gap`` is F - F_*."""
    problem, rng = QuadraticTasks(**heterogeneous(m, 0.3)), np.random.default_rng(1)
    x = rng.standard_normal((5, 2))
    mu = problem.constants({"x": x})["mu"]
    gradient = problem.grad_F(x, np)
    least = problem.F(x - gradient * 2.0 / mu, np)  # a Newton step
    gap = problem.F(x, np) - least
    np.testing.assert_allclose(mu * gap, (gradient**2).sum(axis=1, keepdims=True), rtol=1e-9)
    state = SimpleNamespace(x=x, x_old=x, d=gradient, y=problem.y_star(x, np))
    now = np.asarray(1.0)
    shown = {**problem.metrics(state, now, np), **problem.checkpoint_metrics(state, now, np)}
    np.testing.assert_allclose(shown["gap"], gap, rtol=1e-9)
    assert not shown["error_d"].any()
    assert not shown["lower_error"].any()


def changed(**columns: np.ndarray) -> QuadraticTasks:
    return QuadraticTasks(**{**heterogeneous(2), **columns})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Quadratic(a=2.0), r"y\*\(x\) leaves its ball: \|a\| R_x = 6\.0 > R_y = 3\.0"),
        (lambda: Quadratic(h=0.0), "needs h > 0"),
        (lambda: heterogeneous(0), "the number of tasks is at least 1, got 0"),
        (lambda: changed(s=np.array([[1.0, 0.0]])), "one without data has no lower level"),
        (lambda: changed(h=np.array([[1.0, -1.0]])), "every task needs a size s > 0 and a curvature h > 0"),
        (lambda: changed(Q=np.array([[0.5, 0.9]])), "it increases from above 0 to 1"),
        (lambda: changed(Q=np.array([[1.0, 1.0]])), "sums of positive probabilities"),
        (lambda: changed(Q=np.array([[0.0, 1.0]])), "sums of positive probabilities"),
        (
            lambda: changed(s=2.0 * heterogeneous(2)["s"]),
            "weights s_i/m of the tasks must add up to 1, got 2",
        ),
        (lambda: changed(a=np.array([[1.0, np.nan]])), "finite numbers"),
        (lambda: changed(a=np.array([[1.0]])), r"columns of shape \(1, m\), got \[\(1, 2\), \(1, 1\)"),
        (lambda: changed(**dict.fromkeys("hasceQ", np.zeros((1, 0)))), "m tasks need columns"),
    ],
)
def test_bad_problems_are_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()

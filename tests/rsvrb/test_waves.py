"""The problems that are not quadratic: constants, oracles, minimizers."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from declared_constants import check, mistakes, planted, record, verdict
from workbench.theorems.rsvrb.problems.wave_tasks import KINDS, REGION, WaveTasks, waves
from workbench.theorems.rsvrb.problems.waves import STEEPEST, Straight, Wave

from workbench.evidence.verdicts import Verdict


def start(d: int) -> dict[str, np.ndarray]:
    return {"x": np.array([[2.0] * d, [-0.4] * d])}


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize(
    "task", [Wave(), Straight(), WaveTasks(**waves(8)).task(3)], ids=["S", "S0", "S of 8"]
)
def test_constants_are_attained_or_bound(task: Wave, d: int) -> None:
    check(task, start(d))


@pytest.mark.parametrize(("m", "alpha"), [(1, 0.0), (8, 0.0), (64, 1.0), (512, 0.0)])
def test_constants_of_many_tasks(m: int, alpha: float) -> None:
    check(WaveTasks(**waves(m, alpha)), start(2))


def test_a_wrong_constant_is_found() -> None:
    made = record(Wave(), start(1))
    names = mistakes(made)
    assert {"lam", "L_g", "L_gy", "L_gxy", "L_gyy", "C_fy", "C_gxy", "sigma_gy", "Delta"} <= set(names)
    assert all(
        verdict(planted(made, name)) is Verdict.VIOLATED for name in ("L_gyy", "L_gy", "sigma_gxy", "Delta")
    )


def test_closed_forms() -> None:
    """By SymPy: y*, the hypergradient, and the largest derivatives behind L_gyy and L_F."""
    x, y, h, q, a, b, c, e, theta = sp.symbols("x y h q a b c e theta", positive=True)
    phi = sp.sin(x - theta)
    g = h * (y - phi) ** 2 / 2 + q * sp.log(sp.cosh(y - phi))
    f = a * sp.sqrt(1 + (x - c) ** 2) + b * sp.sqrt(1 + (y - e) ** 2)
    assert sp.diff(g, y).subs(y, phi).simplify() == 0  # y* = phi
    hyper = sp.diff(f, x) - sp.diff(g, x, y) / sp.diff(g, y, 2) * sp.diff(f, y)
    along = sp.diff(f.subs(y, phi), x)
    assert (hyper.subs(y, phi) - along).simplify() == 0
    t = sp.symbols("t", real=True)  # tanh r; the derivative of sech^2 is -2 t (1 - t^2)
    bend = 2 * t * (1 - t**2)
    top = max(abs(bend.subs(t, r)) for r in sp.solve(sp.diff(bend, t), t))
    assert float(top) == pytest.approx(STEEPEST)
    s = sp.symbols("s", real=True)  # cos^2 + |sin| <= 5/4
    assert max((1 - s**2 + s).subs(s, r) for r in sp.solve(sp.diff(1 - s**2 + s, s), s)) == sp.Rational(5, 4)


def signs() -> Any:
    """Every outcome of a sample of one coordinate."""
    for bits in itertools.product((-1.0, 1.0), repeat=3):
        yield SimpleNamespace(sign=lambda d, part=0, k=0, bits=bits: np.full((1, 1), bits[part]))


@pytest.mark.parametrize("task", [Wave(), Straight()], ids=["S", "S0"])
def test_oracles_are_derivatives_and_unbiased(task: Wave) -> None:
    rng, step = np.random.default_rng(2), 1e-5
    for x, y in rng.uniform(-2, 2, (20, 2)):
        at = np.array([[x]]), np.array([[y]])
        drawn = [(*task.upper(*at, n, 0, np), *task.lower(*at, n, 0, np)) for n in signs()]
        fx, fy, gy, gxy, gyy = (float(np.mean(part)) for part in zip(*drawn, strict=True))
        grad = [(task.grad_g(np.array([[x + i]]), np.array([[y + j]]), np)[0, 0]) for i, j in (
            (step, 0), (-step, 0), (0, step), (0, -step))]  # fmt: skip
        assert gxy == pytest.approx((grad[0] - grad[1]) / (2 * step), abs=1e-6)
        assert gyy == pytest.approx((grad[2] - grad[3]) / (2 * step), abs=1e-6)
        assert gy == pytest.approx(float(task.grad_g(*at, np)[0, 0]), abs=1e-12)
        assert [fx, fy] == pytest.approx([float(part[0, 0]) for part in task.grad_f(*at, np)])
        slope = (task.F(np.array([[x + step]]), np) - task.F(np.array([[x - step]]), np)) / (2 * step)
        assert float(task.grad_F(np.array([[x]]), np)[0, 0]) == pytest.approx(float(slope[0, 0]), abs=1e-6)


def test_the_specified_instance() -> None:
    """Its minimizer, F_* without the constants of the roots, and that F is not convex."""
    task = Wave()
    assert task.x_opt() == pytest.approx(0.76844, abs=1e-5)
    assert float(task.F(np.array([[task.x_opt()]]), np)[0, 0]) - 1.5 == pytest.approx(0.20151, abs=1e-5)
    x = np.linspace(-4, 4, 4001)[:, None]
    bend = np.gradient(task.grad_F(x, np)[:, 0], x[:, 0])
    assert bend.min() < -0.3
    assert bend.max() == pytest.approx(1.288, abs=0.01)


@pytest.mark.parametrize("m", [1, 8, 64])
def test_gradient_dominance_on_the_region_and_nowhere_else(m: int) -> None:
    problem = WaveTasks(**waves(m))
    mu = problem.constants(start(1))["mu"]
    x = np.random.default_rng(3).uniform(*REGION, (20_000, 1))
    gap = problem.F(x, np) - problem.F_least
    quotient = problem.grad_F(x, np) ** 2 / gap
    assert mu <= quotient.min() * (1 + 1e-6)
    assert quotient.min() < mu * 1.01
    far = np.array([[50.0]])
    assert problem.grad_F(far, np) ** 2 / (problem.F(far, np) - problem.F_least) < 0.1 * mu


def test_the_function_is_the_same_for_every_multiple_of_the_kinds() -> None:
    x = np.linspace(-3, 3, 50)[:, None]
    eight, many = (WaveTasks(**waves(m)) for m in (KINDS, 5 * KINDS))
    np.testing.assert_allclose(eight.F(x, np), many.F(x, np), rtol=1e-12)
    for problem in (eight, many, WaveTasks(**waves(24, 1.0))):
        weights = problem.s[0] / problem.m
        tasks = [problem.task(i) for i in range(problem.m)]
        np.testing.assert_allclose(
            problem.F(x, np),
            sum(w * t.F(x, np) / t.s for w, t in zip(weights, tasks, strict=True)),
            rtol=1e-12,
        )
        np.testing.assert_allclose(
            problem.grad_F(x, np), sum(t.grad_F(x, np) for t in tasks) / problem.m, rtol=1e-9, atol=1e-12
        )
        assert np.abs(problem.grad_F(np.array([[problem.x_opt()]]), np)).max() < 1e-7


def test_the_second_moment_of_a_sampled_hypergradient() -> None:
    """Against all 32 outcomes of u - V v/H at y displaced by the noise of w, for little noise."""
    small, x = 1e-4, 0.7
    task = Wave(**{f"s_{n}": small * v for n, v in zip("uvwVH", (0.5, 0.4, 0.3, 0.2, 0.3), strict=True)})
    at, z = np.array([[x]]), []
    phi, turn, bend = task.y_star(at, np), task.turn(at, np), task.h + task.q
    for n_u, n_v, n_H, n_V, n_w in itertools.product((-1.0, 1.0), repeat=5):
        w = task.s_H * n_H * phi - task.s_V * n_V * phi - task.s_w * n_w
        fx, fy = task.grad_f(at, phi - w / bend, np)
        u, v = fx + task.s_u * n_u, fy + task.s_v * n_v
        V, H = -turn * (bend + task.s_V * n_V), bend + task.s_H * n_H
        z.append(float((u - V * v / H)[0, 0]))
    mean = float(task.grad_F(at, np)[0, 0])
    assert task.sampled_moment(x) - mean**2 == pytest.approx(np.var(z), rel=1e-3)


def changed(**columns: Any) -> WaveTasks:
    return WaveTasks(**{**waves(8), **columns})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Wave(b=1.0), "F may have no minimum"),
        (lambda: Wave(h=0.0), "a wave needs h > 0"),
        (lambda: Wave(R=0.5), r"leaves its ball: R = 0\.5 is less than 1"),
        (lambda: Straight(q=0.1), "a straight task has q = 0"),
        (lambda: waves(0), "the number of tasks is at least 1, got 0"),
        (lambda: changed(s=2.0 * waves(8)["s"]), "positive, with mean 1"),
        (lambda: changed(Q=np.zeros((1, 8))), "it increases from above 0 to 1"),
        (lambda: changed(c=np.zeros((1, 3))), r"columns of shape \(1, m\)"),
        (lambda: changed(F_least=np.zeros((1, 1))), "F_least is not the least value of F"),
        (lambda: changed(b=2.0), "a > b >= 0"),
    ],
)
def test_bad_problems_are_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()

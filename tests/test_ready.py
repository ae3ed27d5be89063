"""The ready instances: gradients against differences, constants against sampling, both engines, minimizers.

Further tests of those that papers use are the papers'.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest
from declared_constants import check, mistakes, planted, record, verdict
from differences import partials
from engines import on_kernels, same_results
from scipy.optimize import minimize

from workbench import problems as ready
from workbench.arrays import noise
from workbench.engine import eager
from workbench.engine.cpu import CpuKernel
from workbench.engine.fused import Fused
from workbench.engine.records import Problem, Rows
from workbench.evidence.verdicts import Verdict

RNG = np.random.default_rng(3)
ONE, ON_DATA = {"ScalarBilevel"}, {"LeastSquares", "Logistic"}  # of one coordinate; eager, with a data set
CLASSES = [getattr(ready, name) for name in ready.__all__]
OTHERS = [
    ready.DiagonalQuadratic(noise.Gaussian(0.7), mu=0.01, L=3.0),
    ready.PseudoHuber(noise.TwoRadius(0.2, 1.0), L=3.0, delta=0.1),
    ready.Cosh(noise.Sphere(0.3), k=4.0),
    ready.QuadraticSum(n=2, L=2.0, h=-3.0, a=0.1),
    ready.LeastSquares(RNG.standard_normal((30, 4)), RNG.standard_normal(30), batch=3, ridge=0.5),
    ready.LeastSquares(np.array([[1.0, 2.0, 0.0, 0.0]]), np.array([2.0])),  # many minimizers
    ready.Logistic(RNG.standard_normal((30, 4)), np.where(RNG.random(30) < 0.5, -1.0, 1.0), ridge=0.0),
    ready.SimplexQuadratic(noise.Gaussian(0.1), L=2.0, k=3, depth=0.0),
    ready.SimplexQuadratic(k=0, depth=5.0),
    ready.BallQuadratic(radius=0.5, reach=2.0),
    ready.BallQuadratic(noise.Sphere(1.0), radius=2.0, reach=0.5),
    ready.DriftingQuadratic(noise.Gaussian(1.0), L=2.0, h=0.3, b=1.0),
    ready.StrongSaddle(noise.Gaussian(0.5), noise.Sphere(0.2), b=3.0, mu=0.1, mu_x=0.7),
    ready.BilinearSaddle(noise.Sphere(0.5), noise.Gaussian(0.1), b=2.0, radius=3.0),
    ready.ScalarBilevel(noise.Gaussian(0.5), noise.Gaussian(0.5)),
]
made = pytest.mark.parametrize("instance", [*(c() for c in CLASSES), *OTHERS], ids=lambda i: type(i).__name__)


def start_of(instance, runs=2):
    """A feasible start of the right sizes."""
    name = type(instance).__name__
    d = 1 if name in ONE else 4 if name in ON_DATA else 2 if name == "VectorBilevel" else 3
    rng = np.random.default_rng(5)  # of its own: no test depends on the order of the others
    start = {n: rng.standard_normal((runs, d)) for n in "xy"}
    if name == "VectorBilevel":
        start["y"] = rng.standard_normal((runs, 3))
    project = getattr(instance, "project", lambda x, xp: x)
    return {n: project(v, np) for n, v in start.items()}


@made
def test_constants_are_those_that_sampling_finds(instance):
    with np.errstate(over="ignore", invalid="ignore"):
        check(instance, start_of(instance))


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_a_constant_planted_wrong_is_violated(cls):
    claim = record(cls(), start_of(cls(), 1))
    names = mistakes(claim)
    assert names
    for name in names:
        with np.errstate(over="ignore", invalid="ignore"):
            assert verdict(planted(claim, name)) is Verdict.VIOLATED, name


@made
def test_gradients_are_those_of_differences(instance):
    start, now = start_of(instance), np.asarray(3.0)
    x, y = start["x"], start["y"]
    near = {"rtol": 1e-6, "atol": 1e-7}

    def slope(function, at):
        return partials(lambda v: function(v)[:, 0], at)

    if not hasattr(instance, "grads_f"):
        timed = (now,) if isinstance(instance, ready.DriftingQuadratic) else ()
        want = slope(lambda v: instance.f(*timed, v, np), x)
        np.testing.assert_allclose(instance.grad_f(*timed, x, np), want, **near)
        return
    f_x, f_y = instance.grads_f(x, y, np)
    np.testing.assert_allclose(f_x, slope(lambda v: instance.f(v, y, np), x), **near)
    np.testing.assert_allclose(f_y, slope(lambda v: instance.f(x, v, np), y), **near)
    if hasattr(instance, "grad_phi"):
        np.testing.assert_allclose(instance.grad_phi(x, np), slope(lambda v: instance.phi(v, np), x), **near)


# ------------------------------------------------------------------------------------------ minimizers


@made
def test_no_point_has_a_smaller_value(instance):
    """Delta_1 less the gap to the best point that a solver finds is zero; for constrained ones, over the set."""
    if not hasattr(instance, "grad_f") or {"hess_yy_g"} & set(instance.COSTS) or hasattr(instance, "drift"):
        return
    start = start_of(instance, 1)
    x = start["x"]
    inside = getattr(instance, "project", lambda v, xp: v)

    def value(v):
        return float(instance.f(inside(v[None], np), np)[0, 0])

    found = min(
        (minimize(value, x[0] * s, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000})
         for s in (1.0, 0.1)),
        key=lambda r: r.fun,
    )  # fmt: skip
    least = float(instance.f(x, np)[0, 0] - np.ravel(instance.constants(start)["Delta_1"])[0])
    assert least <= found.fun + 1e-12
    assert found.fun == pytest.approx(least, abs=1e-6)


def test_path_lengths_are_sums():
    marks = np.array([1, 2, 7, 30])
    drift = ready.DriftingQuadratic(h=np.array([[0.5], [2.0]]), b=np.array([[0.5], [1.0]])).drift(marks)
    for row, (h, b) in enumerate([(0.5, 0.5), (2.0, 1.0)]):
        steps = [abs(h * t**b - h * (t - 1) ** b) for t in range(2, 31)]
        for column, mark in enumerate(marks):
            assert drift["P_T"][row, column] == pytest.approx(sum(steps[: mark - 1]))
            assert drift["S_T"][row, column] == pytest.approx(sum(s**2 for s in steps[: mark - 1]))


def test_the_duality_gap_of_the_bilinear_saddle_is_that_of_a_search():
    saddle = ready.BilinearSaddle(b=1.5, radius=2.0)
    state = SimpleNamespace(x=np.array([[1.0, 0.5]]), y=np.array([[0.3, -0.2]]))
    angles = np.linspace(0.0, 2 * np.pi, 10_001)
    circle = 2.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    best = (1.5 * circle @ state.x[0]).max() - (1.5 * circle @ state.y[0]).min()
    got = saddle.checkpoint_metrics(state, np.asarray(1.0), np)["gap"]
    assert got[0, 0] == pytest.approx(best, rel=1e-6)
    averages = SimpleNamespace(x=state.x, y=state.y, z=0.5 * state.x, w=0.5 * state.y)
    assert saddle.checkpoint_metrics(averages, np.asarray(1.0), np)["gap"] == pytest.approx(0.5 * got)


# --------------------------------------------------------------------------------------------- engines

Steps = namedtuple("Steps", "eta")


def step_of(instance):
    """A step that calls every method of the oracle."""
    costs = instance.COSTS

    def step(s, t, c, oracle, draw, xp):
        if isinstance(instance, ready.DriftingQuadratic):
            return type(s)(s.x - c.eta * oracle.grad_at(t, s.x, draw(0)), s.y)
        if "hess_yy_g" in costs:
            f_x, f_y = oracle.grad_f(s.x, s.y, draw(0))
            v = oracle.hess_yy_g(s.x, s.y, f_y, draw(0), 1)
            f_x = f_x - oracle.jac_xy_g(s.x, s.y, v, draw(0), 1)
            return type(s)(s.x - c.eta * f_x, s.y - c.eta * oracle.grad_y_g(s.x, s.y, draw(1)))
        if "gradient_y" in costs["grad"]:
            g_x, g_y = oracle.grad(s.x, s.y, draw(0))
            g_x = g_x + oracle.grad_x(s.x, s.y, draw(1)) if "grad_x" in costs else g_x
            return type(s)(s.x - c.eta * g_x, s.y + c.eta * g_y)
        g = oracle.grad(s.x, draw(0))
        g = g + oracle.full_grad(s.x) if "full_grad" in costs else g
        g = g + oracle.batch(s.x, 4.0, draw(1)) if "batch" in costs else g
        g = s.x - oracle.lmo(g) if "lmo" in costs else g
        return type(s)(s.x - c.eta * g, s.y)

    return step


def oracle_of(cls):
    """What `step_of` and the test itself tell instances apart by."""
    return cls is ready.VectorBilevel, *cls.COSTS, *cls.COSTS.get("grad", ())


COMPILED = [c for c in CLASSES if c.__name__ not in ON_DATA]
FIRST = {oracle_of(c): c for c in reversed(COMPILED)}.values()  # of each kind of oracle
IN_SHORT = [c if c in FIRST else pytest.param(c, marks=pytest.mark.long) for c in COMPILED]


@pytest.mark.parametrize("cls", IN_SHORT, ids=[c.__name__ for c in COMPILED])
def test_both_engines_agree(cls):
    law = noise.TwoRadius(np.linspace(0.1, 0.3, 5)[:, None], 0.5)
    laws = {f.name: law for f in dataclasses.fields(cls) if f.name.startswith("noise")}
    instance = cls(**laws)
    start = start_of(instance, 5)
    State = namedtuple("State", "x y")
    algorithm = SimpleNamespace(
        init=lambda start, c, oracle, draw, xp: State(start["x"], start["y"]), step=step_of(instance)
    )
    problem = Problem(algorithm, instance, Steps(0.05), start, Rows(np.arange(5)))
    run = on_kernels((1, 2, 31, 33), 9)
    eagerly, compiled = eager.simulate(problem, run), Fused(problem, run, CpuKernel).result(run)
    same_results(compiled, eagerly, 1e-12 if cls is ready.VectorBilevel else 0.0)
    assert any(np.ptp(v[:, -1]) > 0 for v in eagerly.data.values()), "all runs are alike"


# ---------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ready.DiagonalQuadratic(mu=2.0).constants({"x": np.ones((1, 2))}), "0 < mu <= L"),
        (lambda: ready.QuadraticSum(n=1), "two components"),
        (lambda: ready.LeastSquares(batch=0), "batch >= 1"),
        (lambda: ready.LeastSquares(ridge=-1.0), "ridge >= 0"),
        (lambda: ready.LeastSquares(x_star=np.zeros(4)), "other data"),
        (lambda: ready.LeastSquares(b=np.ones(3)), "n labels"),
        (lambda: ready.Logistic(b=np.arange(12.0)), "labels"),
        (lambda: ready.Logistic(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), ridge=0.0), "ridge"),
        (lambda: ready.SimplexQuadratic(depth=-1.0), "depth >= 0"),
        (lambda: ready.SimplexQuadratic().constants({"x": np.ones((1, 3))}), "does not lie in the set"),
        (lambda: ready.BallQuadratic(radius=0.0).constants({"x": np.zeros((1, 3))}), "positive"),
        (lambda: ready.DriftingQuadratic(b=2.0).constants({"x": np.ones((1, 2))}), "0 <= b <= 1"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_new_data_find_a_new_minimizer_or_are_refused():
    """A copy with other data must not keep the minimizer of the old ones."""
    made = ready.LeastSquares()
    with pytest.raises(ValueError, match="other data"):
        dataclasses.replace(made, b=-made.b)
    again = dataclasses.replace(made, b=-made.b, x_star=None)
    np.testing.assert_allclose(again.x_star, -made.x_star)

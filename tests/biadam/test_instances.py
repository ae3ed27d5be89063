"""TRIG: constants against sampling, derivatives against differences, and what bad parameters are told."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from declared_constants import check
from scipy.optimize import minimize, minimize_scalar
from workbench.theorems.biadam.methods.biadam import State
from workbench.theorems.biadam.problems.bent import Bent
from workbench.theorems.biadam.problems.coupled import Coupled
from workbench.theorems.biadam.problems.trig import Trig
from workbench.theorems.biadam.theory import THEOREMS
from workbench.theorems.biadam.theory.common import values_at_limits

from workbench.arrays.random import Draws

START = {"x": np.array([[1.0, 1.0], [0.2, -0.5]]), "y": np.array([[1.0, 1.0], [0.0, 0.3]])}
COMPLIANT = Trig(
    a=0.1, s=0.15, c=0.25, h=1.1, sigma_x=0.1, sigma_y=0.1, sigma_g=0.1, s_x=0.05, s_g=0.1
)  # mu = 1, L_g = 1.2, L_f = 0.15
NONCONVEX = replace(COMPLIANT, a=0.04, theta=2.0, s_x=0.03)
INSTANCES = {
    "tuned": Trig(),
    "compliant": COMPLIANT,
    "nonconvex": NONCONVEX,
    "active box": replace(COMPLIANT, B=1.0),
    "inactive box": replace(NONCONVEX, B=50.0, B_y=12.0),
    "steep coupling": Trig(c=2.0, s_g=0.3, s_x=0.8, sigma_y=0.5),
    "bent": Bent(s_g=0.3, sigma_y=0.5),
    "bent, nonconvex": Bent(e=0.5, theta=0.5, omega=1.5, s_x=0.8, c=1.4),
    "coupled": Coupled(s_g=0.3, sigma_y=0.5),
    "coupled, steep": Coupled(q=0.4, s_g=0.4, c=2.0, s_x=0.2),
}
each_instance = pytest.mark.parametrize("instance", INSTANCES.values(), ids=INSTANCES)


@each_instance
def test_constants(instance: Trig) -> None:
    check(instance, START)


@each_instance
def test_gradients_are_those_of_the_values(instance: Trig) -> None:
    x, y, e = np.array([[0.4, -0.7]]), np.array([[0.3, 1.8]]), 1e-6
    f_x, f_y = instance.grads_f(x, y, np)
    total = instance.grad_phi(x, np)
    for i in range(2):
        u = np.eye(2)[i : i + 1] * e
        assert (instance.f(x + u, y, np) - instance.f(x - u, y, np)) / (2 * e) == pytest.approx(
            f_x[:, i : i + 1]
        )
        assert (instance.f(x, y + u, np) - instance.f(x, y - u, np)) / (2 * e) == pytest.approx(
            f_y[:, i : i + 1]
        )
        assert (instance.phi(x + u, np) - instance.phi(x - u, np)) / (2 * e) == pytest.approx(
            total[:, i : i + 1]
        )
    assert np.all(instance.slope_g(x, instance.y_star(x, np), np) == pytest.approx(0.0, abs=1e-15))
    np.testing.assert_array_equal(instance.surrogate(x, instance.y_star(x, np), np), total)


@each_instance
def test_the_minimum(instance: Trig) -> None:
    """F* of one coordinate against SciPy from many brackets."""
    end = min(instance.B, 10.0)
    points = np.linspace(-end, end, 41)

    def value(x: float) -> float:
        return float(instance.phi(np.array([[x]]), np)[0, 0])

    least = min(
        minimize_scalar(value, bounds=(a, b), method="bounded", options={"xatol": 1e-10}).fun
        for a, b in itertools.pairwise(points)
    )
    assert instance.least(1).item() == pytest.approx(least, abs=1e-12)


def test_the_minimum_of_coupled_coordinates() -> None:
    """Against SciPy in d = 3, where F is not a sum over coordinates."""
    instance = Coupled(s_g=0.3)
    found = minimize(lambda x: float(instance.phi(x[None], np)[0, 0]), np.zeros(3), tol=1e-12)
    assert instance.least(3).item() == pytest.approx(found.fun, abs=1e-9)
    parts = sum(float(instance.phi(x[None], np)[0, 0]) for x in np.diag(found.x))
    rest = 2 * float(instance.phi(np.zeros((1, 3)), np)[0, 0])
    assert abs(parts - rest - found.fun) > 1e-3  # not separable


def jacobian(map_: Any, z: np.ndarray) -> np.ndarray:
    """(d, d) by central differences; columns are coordinates of z (1, d)."""
    e = 1e-5
    return np.stack(
        [(map_(z + e * u) - map_(z - e * u))[0] / (2 * e) for u in np.eye(z.shape[1])[:, None]], axis=1
    )


@each_instance
def test_surrogate_gradient_and_bias_from_the_derivatives(instance: Trig) -> None:
    """grad f(x, y) and the mean of (6) from differences of grad_y g, away from y*(x), in d = 3.

    The samples of the Hessian are independent and linear in their signs, so E (6) has the mean Hessian in each factor.
    """
    K, (_, L_g, _) = 4, instance.smoothness(np)
    x, y = np.array([[0.4, -0.7, 0.1]]), np.array([[0.3, 1.8, -1.1]])
    H = jacobian(lambda v: instance.slope_g(x, v, np), y)
    J = jacobian(lambda v: instance.slope_g(v, y, np), x).T  # grad^2_xy g
    f_x, f_y = (v[0] for v in instance.grads_f(x, y, np))
    surrogate = f_x - J @ np.linalg.solve(H, f_y)
    np.testing.assert_allclose(instance.surrogate(x, y, np)[0], surrogate, atol=1e-8)
    series = sum(np.linalg.matrix_power(np.eye(3) - H / L_g, k) for k in range(K)) / L_g
    bias = f_x - J @ series @ f_y - surrogate
    np.testing.assert_allclose(instance.bias(x, y, K, np)[0], bias, atol=1e-8)


@each_instance
def test_products_by_sampled_derivatives_are_those_of_the_sampled_gradient(instance: Trig) -> None:
    """Mean over many samples of H_zeta u and J u, against differences of the mean gradient; and their spread."""
    drawn, u = 4000, np.array([[0.2, -1.0, 0.5]])
    x, y = np.array([[0.4, -0.7, 0.1]]), np.array([[0.3, 1.8, -1.1]])
    many_x, many_y, many_u = (np.repeat(v, drawn, axis=0) for v in (x, y, u))
    xi = Draws(3, np.arange(drawn), np).at(5)(0)
    H = jacobian(lambda v: instance.slope_g(x, v, np), y)
    J = jacobian(lambda v: instance.slope_g(v, y, np), x).T
    sampled = instance.hess_yy_g(many_x, many_y, many_u, xi, 2, np)
    error = sampled.std(axis=0).max() / np.sqrt(drawn)
    np.testing.assert_allclose(sampled.mean(axis=0), H @ u[0], atol=5 * error + 1e-8)
    assert (sampled.std(axis=0).max() > 1e-9) == (instance.s_g > 0)
    np.testing.assert_allclose(instance.jac_xy_g(x, y, u, xi, 0, np)[0], J @ u[0], atol=1e-8)
    gradient = instance.grad_y_g(many_x, many_y, xi, np)
    np.testing.assert_allclose(
        gradient.mean(axis=0), instance.slope_g(x, y, np)[0], atol=5 * gradient.std() / np.sqrt(drawn)
    )


def test_rows_of_a_grid_have_their_own_constants() -> None:
    a = np.array([[0.1], [0.3]])
    rows = replace(COMPLIANT, a=a).constants(START)
    for i in range(2):
        one = replace(COMPLIANT, a=float(a[i, 0])).constants({n: v[i : i + 1] for n, v in START.items()})
        for name, value in one.items():
            found = np.broadcast_to(rows[name], (2, 1))[i, 0]
            assert found == pytest.approx(np.asarray(value).item(), rel=1e-12), name


def test_the_weight_of_the_metric_is_l_0_of_the_theorem() -> None:
    for d in (1, 2):
        start = {n: v[:1, :d] for n, v in START.items()}
        known = {n: float(np.max(v)) for n, v in COMPLIANT.constants(start).items()}
        free = {"sigma": 1.0, "rho": 1.0, "b_l": 1.0, "b_u": 1.0, "b_1": 1.0, "k": 1.0, "T": 100.0}
        at = values_at_limits(THEOREMS[0], "repaired", **known, **free)
        assert COMPLIANT.L_0(d, np) == pytest.approx(THEOREMS[0].constants("repaired", **at)["L_0"])
    assert COMPLIANT.L_0(2, np) ** 2 == pytest.approx(0.191475)


def test_lemma_5_and_the_gradient_mapping_below_the_metric() -> None:
    """|w - grad F|^2 <= L_0^2 |y - y*|^2 + 2 |w - grad f|^2 (L45), and |G_X| <= calG_t (11), for any w."""
    rng = np.random.default_rng(0)
    for instance in INSTANCES.values():
        box = min(instance.B, 5.0)
        x = rng.uniform(-box, box, (500, 2))
        y, w = 3 * rng.standard_normal((500, 2)), rng.standard_normal((500, 2))
        A, none = 1.0 + rng.exponential(size=(500, 2)), np.zeros((500, 1))
        found = instance.metrics(State(x, y, w, y, A, none, w, none), np.asarray(1.0), np)
        left = ((w - instance.grad_phi(x, np)) ** 2).sum(axis=1, keepdims=True)
        assert np.all(left <= (instance.L_0(2, np) * found["dist_y"]) ** 2 + 2 * found["error_w"] ** 2)
        assert np.all(found["mapping"] <= found["metric"])
        assert np.any(found["mapping"] > 0)


def test_generalized_projection_against_a_search() -> None:
    """argmin over the box of <w, z> + (z - x)' A (z - x)/(2 gamma), by a fine grid in each coordinate."""
    instance = replace(COMPLIANT, B=0.5)
    x, w, A, gamma = np.array([[0.3, -0.4]]), np.array([[-2.0, 0.1]]), np.array([[1.0, 3.0]]), 0.7
    z = np.linspace(-0.5, 0.5, 100001)[:, None]
    best = z[np.argmin(w * z + A * (z - x) ** 2 / (2 * gamma), axis=0), 0]
    np.testing.assert_allclose(instance.nearest_x(x - gamma * w / A, A, np)[0], best, atol=1e-5)
    free = replace(instance, B=math.inf)
    np.testing.assert_array_equal(free.nearest_x(x - gamma * w / A, A, np), x - gamma * w / A)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (replace(COMPLIANT, s_g=1.2), "s_g must be less than h"),
        (replace(COMPLIANT, B=8.0, B_y=1.0), "c B must be at most h B_y"),
        (Bent(e=0.8, s_g=0.7), r"e\^2 \+ s_g\^2 must be less than h\^2"),
        (Coupled(s_g=1.5), "s_g must be at most q"),
        (Coupled(theta=1.0), "theta 0"),
        (Coupled(B=1.0), "X = R\\^d only"),
    ],
    ids=str,
)
def test_parameters_outside_the_assumptions(wrong: Trig, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wrong.constants(START)

"""Instance B2: its formulas against differences of f and g, its constants, and the mean of its noisy oracle."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from workbench.theorems.ada_minimax.theory.theorem_4_2 import THEOREM
from workbench.theorems.baselines.estimators.neumann import neumann

from tests.differences import partials
from workbench.arrays.noise import Sphere
from workbench.arrays.random import Draws
from workbench.claims.constants import Constants
from workbench.problems.vector_bilevel import D_X, D_Y, VectorBilevel

RUNS = 4
NOISY = VectorBilevel(noise_f=Sphere(0.5), noise_g=Sphere(0.4), hessian_noise=0.3)


@pytest.fixture
def points() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, y and a vector of the size of y."""
    rng = np.random.default_rng(7)
    return tuple(2.0 * rng.standard_normal((RUNS, d)) for d in (D_X, D_Y, D_Y))


def sample(rows: int = RUNS):
    return Draws(0, np.arange(rows), np).at(1)(0)


def test_gradients_are_those_of_f_and_g(points) -> None:
    x, y, _ = points
    b2 = VectorBilevel()
    pairs = (b2.f, b2.grads_f(x, y, np)), (b2.g, b2.grads_g(x, y, np))
    for value, (g_x, g_y) in pairs:
        along_x = partials(lambda u, of=value: of(u, y, np), x)
        along_y = partials(lambda u, of=value: of(x, u, np), y)
        np.testing.assert_allclose(g_x, along_x.reshape(x.shape), atol=1e-8)
        np.testing.assert_allclose(g_y, along_y.reshape(y.shape), atol=1e-8)


def test_second_derivatives_are_those_of_g(points) -> None:
    x, y, v = points
    b2 = VectorBilevel()
    by_x = partials(lambda u: b2.grads_g(u, y, np)[1], x)
    by_y = partials(lambda u: b2.grads_g(x, u, np)[1], y)
    zeta = sample()
    np.testing.assert_allclose(
        b2.hess_yy_g(x, y, v, zeta, 1, np), np.einsum("rij,rj->ri", by_y, v), atol=1e-8
    )
    np.testing.assert_allclose(b2.jac_xy_g(x, y, v, zeta, 1, np), np.einsum("rij,ri->rj", by_x, v), atol=1e-8)
    assert np.abs(by_y[:, 0, 1]).min() > 1e-3  # not diagonal


def test_the_lower_solution_and_the_hypergradient(points) -> None:
    x, _, _ = points
    b2 = VectorBilevel()
    far = np.vstack([x, 50.0 * x])
    assert np.abs(b2.grads_g(far, b2.y_star(far, np), np)[1]).max() < 1e-12
    np.testing.assert_allclose(
        b2.grad_phi(x, np), partials(lambda u: b2.phi(u, np), x).reshape(x.shape), atol=1e-8
    )
    best, value = b2.minimum()
    assert np.abs(b2.grad_phi(best[None], np)).max() < 1e-6
    grid = np.stack(np.meshgrid(*[np.linspace(-8, 8, 161)] * 2), axis=-1).reshape(-1, D_X)
    assert b2.phi(grid, np).min() >= value
    assert b2.phi(grid, np).min() < value + 1e-2


@pytest.mark.parametrize("b2", [VectorBilevel(Sphere(1.0), Sphere(1.0)), NOISY], ids=["gradients", "all"])
def test_its_constants(b2: VectorBilevel) -> None:
    start = {"x": np.array([[1.0, -2.0]]), "y": np.array([[0.3, 0.2, -1.0]])}
    found = Constants(THEOREM, "B2", lambda: b2, start).finding({})
    assert found.value <= 1.0
    assert found.value > 0.99, found.note


def test_sampled_hessians_stay_where_the_estimate_needs_them(points) -> None:
    """E7: between mu_g I and l_g1 I, every sample."""
    x, y, _ = points
    known = NOISY.constants({"x": x, "y": y})
    hessians = np.stack(
        [NOISY.hess_yy_g(x, y, np.tile(e, (RUNS, 1)), sample(), 1, np) for e in np.eye(D_Y)], axis=-1
    )
    np.testing.assert_allclose(hessians, hessians.transpose(0, 2, 1), atol=1e-14)
    eigenvalues = np.linalg.eigvalsh(hessians)
    assert eigenvalues.min() >= known["mu_g"]
    assert eigenvalues.max() <= known["l_g1"]


def test_the_mean_of_the_estimate_is_that_without_noise() -> None:
    """What the probe of Ada-BiO takes for the mean: 40,000 estimates of 3 terms."""
    rows, terms = 40_000, 3
    x, y = np.tile([[1.0, -0.5]], (rows, 1)), np.tile([[0.2, 0.4, -1.0]], (rows, 1))

    def estimate(of: VectorBilevel) -> np.ndarray:
        oracle = SimpleNamespace(**{name: partial(getattr(of, name), xp=np) for name in of.COSTS})
        return neumann(x, y, sample(rows), terms, 2.9, oracle, np)

    noisy, mean = estimate(NOISY), estimate(NOISY.noiseless())
    assert np.ptp(mean, axis=0).max() == 0.0
    error = (noisy - mean).mean(axis=0) / (noisy.std(axis=0) / np.sqrt(rows))
    assert np.abs(error).max() < 4.0
    truncation = mean[0] - NOISY.surrogate(x[:1], y[:1], np)[0]
    assert np.abs(truncation).max() > 1e-3  # three terms are not the inverse

"""Baselines: each reaches the exact solution without noise, and each trap of its update rule is pinned by hand."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from discover import trajectory
from workbench.theorems.baselines import nsgdm, pdsm, sgda, tfbo, tiada, tiada_coordinate
from workbench.theorems.baselines.schedules import NSGDM

from workbench.arrays.noise import Sphere
from workbench.arrays.random import Draws
from workbench.problems.saddle import QuadraticSaddle
from workbench.problems.single_level import Quadratic

MINIMAX = {
    sgda: sgda.Steps(eta_x=0.3, eta_y=0.5),
    pdsm: pdsm.Steps(eta_x=0.1, eta_y=0.5, beta_x=0.5, beta_y=1.0),
    tiada: tiada.Steps(eta_x=1.0, eta_y=1.0, a=0.6, b=0.4, v_0=1e-12),
    tiada_coordinate: tiada_coordinate.Steps(eta_x=1.0, eta_y=1.0, a=0.6, b=0.4, v_0=1e-12),
}
ALL = (*MINIMAX, nsgdm, tfbo)


def run(algorithm, instance, steps, start, horizon):
    """The states x_1, ..., x_{horizon+1}."""
    start = {k: np.atleast_2d(np.asarray(v, dtype=float)) for k, v in start.items()}
    return trajectory(algorithm, instance, steps, start, np.arange(len(start["x"])), horizon)


@dataclasses.dataclass(frozen=True)
class QuadraticBilevel:
    """g = y'Hy/2 - x'Ky, f = |x - p|^2/2 + |y - q|^2/2: everything in closed form. 2 outer, 3 inner coordinates."""

    H: Any
    K: Any  # (d_x, d_y); d2g/dxdy = -K
    p: Any
    q: Any

    COSTS: ClassVar = {name: {name: 1} for name in ("grad_f", "grad_y_g", "hess_yy_g", "jac_xy_g")}

    def grad_f(self, x, y, xi, xp):
        return x - self.p, y - self.q

    def grad_y_g(self, x, y, zeta, xp):
        return y @ self.H - x @ self.K

    def hess_yy_g(self, x, y, v, zeta, k, xp):
        return v @ self.H

    def jac_xy_g(self, x, y, v, zeta, k, xp):
        return -v @ self.K.T

    def solution(self):
        """x* of |x - p|^2/2 + |S x - q|^2/2 with y*(x) = S x."""
        S = np.linalg.solve(self.H, self.K.T)
        return np.linalg.solve(np.eye(len(self.p)) + S.T @ S, self.p + S.T @ self.q), S


def quadratic_bilevel():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((3, 3))
    return QuadraticBilevel(
        A @ A.T / 3 + np.eye(3),
        rng.standard_normal((2, 3)),
        rng.standard_normal(2),
        rng.standard_normal(3),
    )


@pytest.mark.parametrize("algorithm", ALL, ids=lambda m: m.__name__.rpartition(".")[2])
def test_label(algorithm):
    """C: confirmed from public source, P: partly, GK: general knowledge (baselines.md)."""
    assert algorithm.LABEL in {"C", "P", "GK"}


@pytest.mark.parametrize("algorithm", MINIMAX, ids=lambda m: m.__name__.rpartition(".")[2])
def test_reaches_the_saddle_point(algorithm):
    start = {"x": [[1.2, -0.7], [3.0, 0.1]], "y": [[0.0, 0.5], [-1.0, 2.0]]}
    last = run(algorithm, QuadraticSaddle(), MINIMAX[algorithm], start, 4000)[-1]
    assert np.abs(last.x).max() < 1e-9
    assert np.abs(last.y).max() < 1e-9


def test_tfbo_reaches_the_bilevel_solution():
    instance = quadratic_bilevel()
    steps = tfbo.Steps(a_0=1.0, b_0=1.0, c_0=1.0)
    last = run(tfbo, instance, steps, {"x": np.zeros((1, 2)), "y": np.zeros((1, 3))}, 20_000)[-1]
    x, S = instance.solution()
    np.testing.assert_allclose(last.x[0], x, atol=1e-9)
    np.testing.assert_allclose(last.y[0], S @ x, atol=1e-9)
    np.testing.assert_allclose(last.v[0], np.linalg.solve(instance.H, S @ x - instance.q), atol=1e-9)


def test_nsgdm_moves_by_eta_and_ends_within_it():
    """Normalized steps of constant length: without noise the end is a swing around the minimizer."""
    states = run(nsgdm, Quadratic(L=2.0), nsgdm.Steps(alpha=1.0, eta=0.01), {"x": [[0.5]]}, 300)
    x = np.array([s.x[0, 0] for s in states])
    np.testing.assert_allclose(np.abs(np.diff(x)), 0.01, rtol=1e-10)
    assert np.abs(x[100:]).max() <= 0.01 * (1 + 1e-9)


def test_nsgdm_takes_the_schedule_of_the_theory():
    """alpha = min(1, sqrt(Delta L) / (sigma sqrt T)), eta = sqrt(Delta alpha / (L T)); alpha = 1 without noise."""
    values = {"Delta_1": 2.0, "L": 2.0, "T": 100.0}
    noisy = nsgdm.Steps(**NSGDM.steps(**values, sigma_bar=4.0))
    assert float(noisy.alpha) == pytest.approx(2.0 / 40.0)
    assert float(noisy.eta) == pytest.approx(np.sqrt(2.0 * 0.05 / 200.0))
    assert float(nsgdm.Steps(**NSGDM.steps(**values, sigma_bar=0.0)).alpha) == pytest.approx(1.0)


# The rules by hand. f = -x^2/4 + x y - y^2/2 at (2, 3): g_x = -1 + 3 = 2, g_y = 2 - 3 = -1.
POINT = {"x": [[2.0]], "y": [[3.0]]}


def test_sgda_moves_both_from_the_old_point():
    last = run(sgda, QuadraticSaddle(), sgda.Steps(0.1, 0.2), POINT, 1)[-1]
    assert last.x[0, 0] == pytest.approx(2.0 - 0.1 * 2.0)
    assert last.y[0, 0] == pytest.approx(3.0 - 0.2 * 1.0)  # with the new x it would be 3 - 0.2 * 1.2


def test_tiada_divides_by_sums_that_hold_the_current_gradients():
    steps = tiada.Steps(eta_x=0.1, eta_y=0.2, a=0.6, b=0.4, v_0=5.0)
    last = run(tiada, QuadraticSaddle(), steps, POINT, 1)[-1]
    assert last.v_x[0, 0] == 9.0
    assert last.v_y[0, 0] == 6.0
    assert last.x[0, 0] == pytest.approx(2.0 - 0.1 * 2.0 / 9.0**0.6)
    assert last.y[0, 0] == pytest.approx(3.0 - 0.2 * 1.0 / 6.0**0.4)


@pytest.mark.parametrize("algorithm", [tiada, tiada_coordinate])
def test_tiada_x_waits_for_the_larger_sum(algorithm):
    """At (2, 12): g_x = 11, g_y = -10; at (2, 30) the dual sum is below the primal one, at (2, -9) above it."""
    steps = algorithm.Steps(eta_x=0.1, eta_y=0.2, a=0.6, b=0.4, v_0=1e-12)
    for y in (30.0, -9.0):
        g_x, g_y = -1.0 + y, 2.0 - y
        last = run(algorithm, QuadraticSaddle(), steps, {"x": [[2.0]], "y": [[y]]}, 1)[-1]
        larger = max(g_x**2, g_y**2)
        assert last.x[0, 0] == pytest.approx(2.0 - 0.1 * g_x / larger**0.6)
        assert last.y[0, 0] == pytest.approx(y + 0.2 * g_y / (g_y**2) ** 0.4)


def test_tiada_forms_agree_on_the_line_and_differ_in_the_plane():
    noisy = QuadraticSaddle(noise_x=Sphere(0.5), noise_y=Sphere(0.5))
    ends = [run(m, noisy, MINIMAX[m], POINT, 200)[-1] for m in (tiada, tiada_coordinate)]
    np.testing.assert_allclose(ends[0].x, ends[1].x, rtol=1e-10)
    plane = {"x": [[2.0, 0.5]], "y": [[3.0, 0.0]]}
    ends = [run(m, noisy, MINIMAX[m], plane, 5)[-1] for m in (tiada, tiada_coordinate)]
    assert np.abs(ends[0].x - ends[1].x).max() > 1e-3


def test_tiada_coordinate_scales_by_the_ratio_of_the_totals():
    steps = tiada_coordinate.Steps(eta_x=0.1, eta_y=0.2, a=0.6, b=0.4, v_0=1e-12)
    x, y = np.array([2.0, -1.0]), np.array([30.0, -4.0])
    g_x, g_y = -0.5 * x + y, x - y
    last = run(tiada_coordinate, QuadraticSaddle(), steps, {"x": [x], "y": [y]}, 1)[-1]
    ratio = (g_x @ g_x / max(g_x @ g_x, g_y @ g_y)) ** 0.6
    np.testing.assert_allclose(last.x[0], x - 0.1 * ratio * g_x / np.abs(g_x) ** 1.2, rtol=1e-9)
    np.testing.assert_allclose(last.y[0], y + 0.2 * g_y / np.abs(g_y) ** 0.8, rtol=1e-9)


def test_pdsm_contains_sgda_and_plain_ascent():
    """beta = 1 switches an average off, bit for bit; beta_x < 1 starts from the first gradient, not from zero."""
    noisy = QuadraticSaddle(noise_x=Sphere(0.5), noise_y=Sphere(0.5))
    plain = run(sgda, noisy, sgda.Steps(0.1, 0.2), POINT, 30)
    same = run(pdsm, noisy, pdsm.Steps(0.1, 0.2, 1.0, 1.0), POINT, 30)
    assert all(a.x == b.x and a.y == b.y for a, b in zip(plain, same, strict=True))
    averaged = run(pdsm, noisy, pdsm.Steps(0.1, 0.2, 0.1, 1.0), POINT, 2)
    np.testing.assert_allclose(averaged[1].x, plain[1].x, rtol=1e-14)
    m = averaged[2].m
    assert m != averaged[1].m
    np.testing.assert_allclose(averaged[2].x, averaged[1].x - 0.1 * m, rtol=1e-14)  # the new average is used


def test_pdsm_averages_y_on_request():
    noisy = QuadraticSaddle(noise_x=Sphere(0.5), noise_y=Sphere(0.5))
    s = run(pdsm, noisy, pdsm.Steps(0.1, 0.2, 1.0, 0.25), POINT, 2)
    draw = Draws(1, np.arange(1), np).at(2)
    _, g_y = noisy.grad(s[1].x, s[1].y, draw(0), np)
    np.testing.assert_allclose(s[2].u, 0.75 * s[1].u + 0.25 * g_y, rtol=1e-14)


def test_nsgdm_first_momentum_is_the_first_gradient():
    noisy = Quadratic(noise=Sphere(0.5))
    s = run(nsgdm, noisy, nsgdm.Steps(alpha=0.1, eta=0.01), {"x": [[0.3, 0.4]]}, 1)
    np.testing.assert_allclose(s[1].m, s[0].m, rtol=1e-15)


def test_tfbo_by_hand():
    """Accumulators are squares, hold the current directions, and every direction is taken at the old point."""
    instance = quadratic_bilevel()
    first = tfbo.Steps(a_0=0.01, b_0=0.1, c_0=0.1)
    s = run(tfbo, instance, first, {"x": [[1.0, -2.0]], "y": [[0.3, 0.0, -0.5]]}, 2)
    x, y, v = s[1].x[0], s[1].y[0], s[1].v[0]
    assert not s[0].v.any()
    g_y = instance.H @ y - instance.K.T @ x
    r = instance.H @ v - (y - instance.q)
    h = x - instance.p + instance.K @ v
    for name, direction in (("A", h), ("B", g_y), ("C", r)):
        np.testing.assert_allclose(
            getattr(s[2], name), getattr(s[1], name) + direction @ direction, rtol=1e-12
        )
    a, b, c = (np.sqrt(q[0, 0]) for q in (s[2].A, s[2].B, s[2].C))
    np.testing.assert_allclose(s[2].x[0], x - h / (a * max(b, c)), rtol=1e-12)
    np.testing.assert_allclose(s[2].y[0], y - g_y / b, rtol=1e-12)
    np.testing.assert_allclose(s[2].v[0], v - r / max(b, c), rtol=1e-12)
    assert s[0].A[0, 0] == pytest.approx(1e-4)  # a_0 = 0.01 is a, not a^2


def test_tfbo_draws_independent_samples():
    """xi for f; zeta for g, with the Hessian and the Jacobian on draws of their own."""
    seen = {}

    def spy(name, value):
        def call(*args):
            samples = [a for a in args if isinstance(a, str)] + [a for a in args if isinstance(a, int)]
            seen[name] = samples
            return value

        return call

    one = np.ones((1, 1))
    oracle = SimpleNamespace(
        grad_f=spy("f", (one, one)),
        grad_y_g=spy("g", one),
        hess_yy_g=spy("hess", one),
        jac_xy_g=spy("jac", one),
    )
    state = tfbo.init({"x": one, "y": one}, tfbo.Steps(1.0, 1.0, 1.0), oracle, None, np)
    tfbo.step(state, 1.0, tfbo.Steps(1.0, 1.0, 1.0), oracle, lambda i: f"sample {i}", np)
    assert seen == {"f": ["sample 0"], "g": ["sample 1"], "hess": ["sample 1", 1], "jac": ["sample 1", 2]}

"""The re-weighting problem of Figures 1 and 2, and the methods that keep V and H by rows, against dense references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from differences import along
from discover import trajectory
from scipy import sparse
from scipy.optimize import minimize
from scipy.sparse.linalg import cg
from workbench.theorems.baselines import bsa, stable, stocbio, ttsa
from workbench.theorems.baselines.estimators.safeguarded import solved_above
from workbench.theorems.rsvrb.methods import re_rsvrb_rows, rows, svrb, svrb_rows
from workbench.theorems.rsvrb.problems import reweighting
from workbench.theorems.rsvrb.problems.libsvm import Points

from workbench.arrays import backends
from workbench.arrays.random import Draws
from workbench.engine.oracle import Oracle

RUNS, SEED, N, D, LAM = 2, 7, 12, 4, 0.1
RNG = np.random.default_rng(4)


def points(n: int) -> Points:
    features = (RNG.random((n, D)) < 0.6).astype(float)
    return Points(sparse.csr_matrix(features), np.where(RNG.random(n) < 0.5, 1.0, -1.0))


PARTS = points(N), points(9)
SIGMA = np.array([1.0, 1.7, 3.0, 5.0])
UNEVEN = np.array([0.1, 0.2, 0.3, 0.4])
ONE = reweighting.make(PARTS, np.ones(1), LAM, 3, bias=False)
FOUR = reweighting.make(PARTS, SIGMA, LAM, 3, bias=False, tasks_at_a_time=2, p=UNEVEN)
A, A_VALIDATION = (part.features.toarray() * part.labels[:, None] for part in PARTS)
X = RNG.standard_normal((RUNS, N))
Y = RNG.standard_normal((RUNS, 4 * D))


def sigmoid(s: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-s))


def g(i: int, x: np.ndarray, w: np.ndarray, index: Any = slice(None)) -> Any:
    """g_i of one run over some rows, typed from the definition."""
    losses = np.logaddexp(0.0, -(A[index] @ w) / SIGMA[i])
    return np.mean(sigmoid(x[index]) * losses) + LAM / 2 * w @ w


def per_task(function: Callable[[int, np.ndarray, np.ndarray], Any], y: np.ndarray) -> np.ndarray:
    """(runs, tasks, ...) of a function of (task, x, w)."""
    return np.array([[function(i, X[r], y[r].reshape(4, D)[i]) for i in range(4)] for r in range(RUNS)])


# ------------------------------------------------------------------------------------------ the instance


def test_derivatives_are_those_of_the_definition() -> None:
    """All rows: gradient, Hessian and Jacobian products against central differences of g."""
    exact, v = replace(FOUR, batch=0), RNG.standard_normal(Y.shape)

    def slope(i: int, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        return np.array([along(lambda u: g(i, x, u), w, e) for e in np.eye(D)])

    np.testing.assert_allclose(
        exact.grad_y_g(X, Y, None, np), per_task(slope, Y).reshape(RUNS, -1), atol=1e-8
    )
    hessian = along(lambda y: exact.grad_y_g(X, y, None, np), Y, v)
    np.testing.assert_allclose(exact.hess_yy_g(X, Y, v, None, 0, np), hessian, atol=1e-8)
    jacobian = [along(lambda x: np.sum(exact.grad_y_g(x, Y, None, np) * v, -1), X, e) for e in np.eye(N)]
    np.testing.assert_allclose(exact.jac_xy_g(X, Y, v, None, 0, np), np.stack(jacobian, -1), atol=1e-8)


def test_minibatches_are_means_over_the_drawn_rows() -> None:
    """Rows drawn twice count twice; every task has rows of its own."""
    zeta = Draws(SEED, np.arange(RUNS), np).at(3)(1)
    index = zeta.index(N, (4, 3), 0, 2)
    assert len(np.unique(index)) > 3
    found = FOUR.jac_xy_g(X, Y, Y, zeta, 2, np)
    for r in range(RUNS):
        expected = np.zeros(N)
        for i in range(4):
            w = Y[r].reshape(4, D)[i]
            for j in index[r, i]:
                p = sigmoid(X[r, j])
                expected[j] -= p * (1 - p) * sigmoid(-A[j] @ w / SIGMA[i]) / SIGMA[i] * (A[j] @ w) / 3
        np.testing.assert_allclose(found[r], expected, atol=1e-14)
    one = FOUR.grad_y_g(X, Y, zeta.repeat(2), np).reshape(RUNS, 4, D)
    for r, i in ((0, 1), (1, 3)):
        slope = [
            along(lambda u, r=r, i=i: g(i, X[r], u, index[r, i]), Y[r].reshape(4, D)[i], e) for e in np.eye(D)
        ]
        np.testing.assert_allclose(one[r, i], slope, atol=1e-8)


def test_estimates_by_rows_are_the_matrices() -> None:
    nu, h, w = RNG.standard_normal((RUNS, 4, N)), RNG.random((RUNS, 4, N)), RNG.standard_normal((RUNS, 4, D))
    for r in range(RUNS):
        for i in range(4):
            V = np.diag(nu[r, i]) @ A / N
            H = A.T @ np.diag(h[r, i]) @ A / N + LAM * np.eye(D)
            np.testing.assert_allclose(FOUR.times_jacobian(nu, w, np)[r, i], V @ w[r, i], atol=1e-13)
            np.testing.assert_allclose(FOUR.jacobian_times(nu, X, np)[r, i], V.T @ X[r], atol=1e-13)
            np.testing.assert_allclose(FOUR.times_hessian(h, w, np)[r, i], H @ w[r, i], atol=1e-13)


def test_the_objective_is_that_of_a_general_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lower problem by a quasi-Newton method, for weights far from those at the start too.

    More steps than are taken for figures reach its precision; those taken there reach 1e-5.
    """
    for scale in (0.0, 1.0, 4.0):
        x, total = scale * X, np.zeros(RUNS)
        for r in range(RUNS):
            for i in range(4):
                w = minimize(lambda u, r=r, i=i, x=x: g(i, x[r], u), np.zeros(D), options={"gtol": 1e-9}).x
                total[r] += np.mean(np.logaddexp(0.0, -A_VALIDATION @ w / SIGMA[i])) / 4
        np.testing.assert_allclose(FOUR.F(x, np)[:, 0], total, rtol=1e-4 if scale > 1.0 else 1e-5)
        with monkeypatch.context() as patch:
            patch.setattr(reweighting, "NEWTON", 6)
            patch.setattr(reweighting, "INNER", D)
            np.testing.assert_allclose(FOUR.F(x, np)[:, 0], total, rtol=1e-8)


def test_many_tasks_are_interpolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """F of 40 temperatures from 10 nodes, and one at a time; with more steps, which leave no other error."""
    monkeypatch.setattr(reweighting, "NEWTON", 6)
    monkeypatch.setattr(reweighting, "INNER", 6)
    sigma = np.random.default_rng(2).uniform(1.0, 11.0, 40)
    many = reweighting.make(PARTS, sigma, LAM, 3, bias=True, tasks_at_a_time=10)
    assert many.exact.nodes.size == reweighting.NODES
    each = [reweighting.make(PARTS, np.array([s]), LAM, 3, bias=True).F(X, np) for s in sigma]
    np.testing.assert_allclose(many.F(X, np), np.mean(each, axis=0), rtol=1e-8)


def test_the_validation_loss_is_that_of_the_current_weights() -> None:
    state = svrb_rows.State(X, X, Y.reshape(RUNS, 4, D), Y, Y, X, X, Y)
    found = FOUR.checkpoint_metrics(state, np.asarray(1.0), np)["validation_loss"]
    w = Y.reshape(RUNS, 4, D) / SIGMA[:, None]
    np.testing.assert_allclose(
        found[:, 0], np.mean(np.logaddexp(0.0, -w @ A_VALIDATION.T), axis=(1, 2)), rtol=1e-13
    )


def test_other_libraries_scatter_the_same() -> None:
    index, values = RNG.integers(N, size=(RUNS, 3, 5)), RNG.standard_normal((RUNS, 3, 5))
    strict = backends.namespace("array-api-strict")
    theirs = reweighting.scatter(strict.asarray(index), strict.asarray(values), N, strict)
    np.testing.assert_allclose(reweighting.scatter(index, values, N, np), np.asarray(theirs), atol=1e-14)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"sigma": np.array([])}, "m = 0: there is no lower problem"),
        ({"sigma": np.array([1.0, 0.0])}, "temperatures must be positive"),
        ({"sigma": np.array([1.0, np.nan])}, "temperatures must be positive"),
        ({"p": np.array([0.5, 0.5])}, "4 tasks, but 2 probabilities"),
        ({"p": np.array([0.5, 0.3, 0.2, 0.0])}, "task 4 has the probability 0: it must be > 0"),
        ({"p": np.array([0.5, 0.3, 0.2, 0.1])}, "sum to 1.1, not to 1"),
        (
            {"p": np.array([0.7, 0.1, 0.1, 0.1])},
            "task 1 has the probability 0.7: with 2 tasks at a time at most 0.5",
        ),
        ({"sigma": np.array([1.0, np.inf])}, "temperatures must be positive numbers, got inf"),
        ({"lam": 0.0}, "lam must be a positive number and batch at least 1, got 0.0 and 3"),
        ({"batch": -1}, "lam must be a positive number and batch at least 1"),
        ({"tasks_at_a_time": 5}, "5 of 4 tasks cannot be drawn"),
        (
            {"parts": (PARTS[0].first(0), PARTS[1])},
            "training part has no rows, so every task is without data",
        ),
        ({"parts": (PARTS[0], PARTS[1].first(0))}, "validation part has no rows"),
    ],
)
def test_tasks_that_are_none_are_one_sentence(change: dict[str, Any], match: str) -> None:
    given: dict[str, Any] = {
        "parts": PARTS,
        "sigma": SIGMA,
        "lam": LAM,
        "batch": 3,
        "bias": False,
        "tasks_at_a_time": 2,
    }
    with pytest.raises(ValueError, match=match) as caught:
        reweighting.make(**{**given, **change})
    assert "\n" not in str(caught.value)


# ------------------------------------------------------------------------------------------- conjugate gradients


def test_conjugate_gradients_are_those_of_scipy_and_stop_at_small_curvature() -> None:
    H = A.T @ A / N + LAM * np.eye(D)
    b = RNG.standard_normal((RUNS, 3, D))
    for steps in (1, 2, D):
        found = solved_above(lambda p: p @ H, b, LAM, steps, np)
        for r, i in np.ndindex(RUNS, 3):
            expected, _ = cg(H, b[r, i], maxiter=steps, rtol=1e-15)
            np.testing.assert_allclose(found[r, i], expected, rtol=1e-9, atol=1e-12)
    lowered = H - 5.0 * np.outer(b[0, 0], b[0, 0]) / np.sum(b[0, 0] ** 2)
    found = solved_above(lambda p: p @ lowered, b, LAM, D, np)
    assert b[0, 0] @ lowered @ b[0, 0] < 0.0
    np.testing.assert_array_equal(found[0, 0], np.zeros(D))  # stopped at its first direction
    assert np.isfinite(found).all()


# --------------------------------------------------------------------------------------------------- methods


@dataclass(frozen=True)
class Dense:
    """`ONE` with matrices in place of vectors over the rows, as `svrb` takes them."""

    of: Any = ONE

    COSTS: ClassVar = {"upper": {}, "lower": {}}

    def upper(self, x: Any, y: Any, xi: Any, k: Any, xp: Any) -> Any:
        w = y[:, None, :]
        return np.zeros_like(x), self.of.upper_at_both(w, w, xi.repeat(k), np)[0][:, 0]

    def lower(self, x: Any, y: Any, zeta: Any, k: Any, xp: Any) -> Any:
        w = y[:, None, :]
        grad, nu, h, _, _, _, index = self.of.lower_at_both(x, w, x, w, zeta.repeat(k), np)
        nu, h = (self.of.scatter_rows(index, v, np)[:, 0] for v in (nu, h))
        return grad[:, 0], nu[..., None] * A / N, np.einsum("ji,rj,jk->rik", A, h, A) / N + LAM * np.eye(D)


class Unbounded(reweighting.OneTask):
    """V is never projected."""

    def jacobian_norm(self, nu: Any, xp: Any) -> Any:
        return 0.0 * nu[..., :1]


def test_svrb_by_rows_is_svrb() -> None:
    """Where no matrix is projected: the iteration of Algorithm 1, with S = 2 minibatches at the start."""
    start = {"x": X, "y": Y[:, :D]}
    common = {"gamma": 2.0, "tau": 0.5, "c": 1.0, "c_0": 8.0, "S": 2}
    ours = svrb_rows.Steps(b=0.4, lam=1e-9, K=D, **common)
    betas = dict.fromkeys(("b_fx", "b_fy", "b_gxy", "b_gyy", "b_gy"), 0.4)
    theirs = svrb.Steps(
        C_fy=float(np.linalg.norm(A_VALIDATION, axis=1).max()), C_gxy=1e9, lam=1e-9, **betas, **common
    )
    ids = np.arange(RUNS)
    free = Unbounded(*(getattr(ONE, f.name) for f in fields(ONE)))
    found = trajectory(svrb_rows, free, ours, start, ids, 6)[-1]
    expected = trajectory(svrb, Dense(), theirs, start, ids, 6)[-1]
    np.testing.assert_allclose(found.x, expected.x, rtol=1e-9)
    np.testing.assert_allclose(found.y[:, 0], expected.y, rtol=1e-9)
    np.testing.assert_allclose(found.nu[:, 0, :, None] * A / N, expected.V, rtol=1e-8, atol=1e-12)


class OneRun:
    """A run of `FOUR` with vectors and matrices; samples by their addresses."""

    def __init__(self, run: int) -> None:
        self.draws = Draws(SEED, [run], np)

    def f_y(self, i: int, w: np.ndarray, j: np.ndarray) -> np.ndarray:
        s = A_VALIDATION[j] @ w / SIGMA[i]
        return -(A_VALIDATION[j].T @ sigmoid(-s)) / len(j) / SIGMA[i]

    def lower(self, i: int, x: np.ndarray, w: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, ...]:
        """(gradient, Jacobian (n, d'), Hessian without lam I) of a minibatch."""
        p, q = sigmoid(x[j]), sigmoid(-A[j] @ w / SIGMA[i])
        V, H = np.zeros((N, D)), np.zeros((D, D))
        for k, row in enumerate(j):
            V[row] -= p[k] * (1 - p[k]) * q[k] / SIGMA[i] * A[row] / len(j)
            H += p[k] * q[k] * (1 - q[k]) / SIGMA[i] ** 2 * np.outer(A[row], A[row]) / len(j)
        return -(A[j].T @ (p * q)) / len(j) / SIGMA[i] + LAM * w, V, H


def cut(V: np.ndarray, i: int) -> np.ndarray:
    """V inside the ball of the largest |V| there is, all weights and slopes at their bounds."""
    largest = np.linalg.norm(A) / 4 / SIGMA[i] / N
    return V / max(1.0, np.linalg.norm(V) / largest)


STEPS = re_rsvrb_rows.Steps(gamma=2.0, tau=0.5, c=0.6, b=0.5, b_d=0.7, lam=1e-9, T_1=2.0, K=D, S=1)


def re_rsvrb_of(run: int, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Algorithms 2 and 3 typed from the listings: two tasks at a time, matrices, dense solves."""
    one, c, q = OneRun(run), STEPS, 2 * UNEVEN
    x, y = X[run].copy(), Y[run].reshape(4, D).copy()
    x_old, y_old = x.copy(), y.copy()

    def index(sample: Any, n: int, tasks: int, part: int) -> np.ndarray:
        return sample.index(n, (tasks, 3), part)[0]

    xi, zeta = (one.draws.at(1)(k) for k in (3, 4))
    at, of = index(xi, 9, 4, 2), index(zeta, N, 4, 0)
    v = np.stack([one.f_y(i, y[i], at[i]) for i in range(4)])
    w, V, H = (np.stack(a) for a in zip(*(one.lower(i, x, y[i], of[i]) for i in range(4)), strict=True))

    def z(i: int) -> np.ndarray:
        return -V[i] @ np.linalg.solve(H[i] + LAM * np.eye(D), v[i])

    d = np.mean([z(i) for i in range(4)], axis=0)
    C_fy, R = np.linalg.norm(A_VALIDATION, axis=1).max() / SIGMA, np.sqrt(2 * np.log(2) / LAM)
    eta, stage, made = c.c, 1, 0
    for t in range(1, T + 1):
        pick, xi, zeta = (one.draws.at(t)(k) for k in range(3))
        u = float(pick.uniform(1, 0)[0, 0])
        chosen = [int(np.sum(np.cumsum(q) <= u + k)) for k in range(2)]
        others = [int((float(pick.uniform(1, 1)[0, 0]) + k) * 2) for k in range(2)]
        at, of = index(xi, 9, 2, 2), index(zeta, N, 2, 0)
        keep = 1 - c.b * eta**2
        before = [z(j) for j in others]
        for i in range(4):
            if i not in chosen:
                v[i], w[i], V[i], H[i] = keep * v[i], keep * w[i], keep * V[i], keep * H[i]
                continue
            k = chosen.index(i)
            f_old, f_new = one.f_y(i, y_old[i], at[k]), one.f_y(i, y[i], at[k])
            v[i] = keep * (v[i] - f_old / q[i]) + f_new / q[i]
            v[i] /= max(1.0, np.linalg.norm(v[i]) / C_fy[i])
            old, new = one.lower(i, x_old, y_old[i], of[k]), one.lower(i, x, y[i], of[k])
            w[i], V[i], H[i] = (
                keep * (e - a / q[i]) + b / q[i] for e, a, b in zip((w[i], V[i], H[i]), old, new, strict=True)
            )
            V[i] = cut(V[i], i)
        d = (1 - c.b_d * eta**2) * (d - np.mean(before, axis=0)) + np.mean([z(j) for j in others], axis=0)
        x_old, x = x, x - eta * c.gamma * d
        target = y - c.tau * w
        target = target / np.maximum(1.0, np.linalg.norm(target, axis=1, keepdims=True) / R)
        y_old, y = y, (1 - eta) * y + eta * target
        made += 1
        if made == c.T_1 * 2 ** (stage - 1):
            made, stage, eta = 0, stage + 1, eta / np.sqrt(2.0)
    return x, y


def test_re_rsvrb_by_rows_is_the_listing_with_two_tasks_at_a_time() -> None:
    T = 7  # two stages and the first iteration of the third
    state = trajectory(re_rsvrb_rows, FOUR, STEPS, {"x": X, "y": Y}, np.arange(RUNS), T, seed=SEED)[-1]
    for run in range(RUNS):
        x, y = re_rsvrb_of(run, T)
        np.testing.assert_allclose(state.x[run], x, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(state.y[run], y, rtol=1e-8, atol=1e-10)


def test_stable_is_its_listing() -> None:
    """With dense matrices and solves, for all tasks."""
    c = stable.Steps(alpha=1.5, beta=0.4, tau=0.8, m=4.0, lam=1e-9, K=D)
    state = trajectory(stable, FOUR, c, {"x": X, "y": Y}, np.arange(RUNS), 5, seed=SEED)[-1]
    for run in range(RUNS):
        one, x, y = OneRun(run), X[run].copy(), Y[run].reshape(4, D).copy()
        of = one.draws.at(1)(3).index(N, (4, 3), 0)[0]
        V, H = (
            np.stack(a) for a in list(zip(*(one.lower(i, x, y[i], of[i]) for i in range(4)), strict=True))[1:]
        )
        x_old, y_old = x, y
        for t in range(1, 6):
            rate = 1 / np.sqrt(c.m + t)
            keep = 1 - min(1.0, c.tau * rate)
            at = one.draws.at(t)(0).index(9, (4, 3), 2)[0]
            of = one.draws.at(t)(1).index(N, (4, 3), 0)[0]
            slopes, z = [], np.zeros(N)
            for i in range(4):
                _, V_old, H_old = one.lower(i, x_old, y_old[i], of[i])
                slope, V_new, H_new = one.lower(i, x, y[i], of[i])
                V[i], H[i] = cut(keep * (V[i] - V_old) + V_new, i), keep * (H[i] - H_old) + H_new
                z -= V[i] @ np.linalg.solve(H[i] + LAM * np.eye(D), one.f_y(i, y[i], at[i]) / 4)
                slopes.append(slope)
            new = x - c.alpha * rate * z
            shift = [np.linalg.solve(H[i] + LAM * np.eye(D), V[i].T @ (new - x)) for i in range(4)]
            x_old, y_old, y = x, y, y - c.beta * rate * np.stack(slopes) - np.stack(shift)
            x = new
        np.testing.assert_allclose(state.x[run], x, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(state.y[run], y, rtol=1e-8, atol=1e-10)


def test_tasks_are_drawn_with_their_probabilities_and_never_twice() -> None:
    q = 3 * np.array([0.05, 0.3, 0.2, 1 / 3, 7 / 60])
    u = (np.arange(6000) + 0.5)[:, None] / 6000
    found = rows.systematic(u, np.cumsum(q), 3, np)
    assert (np.diff(np.sort(found, axis=1), axis=1) > 0).all()
    np.testing.assert_allclose([np.mean(np.any(found == i, axis=1)) for i in range(5)], q, atol=1e-3)


def test_blocks_of_tasks_are_put_and_taken_alike_on_other_libraries() -> None:
    a, new = RNG.standard_normal((RUNS, 5, 3)), RNG.standard_normal((RUNS, 2, 3))
    i = np.array([[3, 0], [1, 4]])
    strict = backends.namespace("array-api-strict")
    theirs = rows.decay(strict.asarray(a), 0.5, *(strict.asarray(v) for v in (i, new)), strict)
    ours = rows.decay(a, 0.5, i, new, np)
    np.testing.assert_array_equal(ours[0, 1], 0.5 * a[0, 1])
    np.testing.assert_array_equal(ours, np.asarray(theirs))
    np.testing.assert_array_equal(rows.at_tasks(ours, i, np), new)
    taken = rows.at_tasks(strict.asarray(ours), strict.asarray(i), strict)
    np.testing.assert_array_equal(np.asarray(taken), new)


@pytest.mark.parametrize(
    ("method", "own", "printed"),
    [
        (ttsa, ttsa.Steps(0.3, 0.2, 5.0, 3, 0.4), {"a": 0.5, "b": 1.0}),
        (stocbio, stocbio.Steps(0.2, 0.3, 2, 3, 0.4), {"m": 5.0, "a": 0.5, "b": 1.0}),
        (bsa, bsa.Steps(0.3, 0.2, 3, 0.4), {"m": 5.0, "a": 0.5, "b": 1.0, "p": 0.0}),
    ],
)
def test_the_printed_decay_of_a_competitor_is_its_step_at_each_iteration(
    method: Any, own: Any, printed: Any
) -> None:
    """One iteration at a time, each with constant steps set by hand to (m + t)^-a and (m + t)^-b times the factors."""
    decaying = own._replace(**printed)
    state = trajectory(method, FOUR, decaying, {"x": X, "y": Y}, np.arange(RUNS), 3, seed=SEED)
    x_name, y_name = ("beta", "alpha") if method is stocbio else ("alpha", "beta")
    constant = {"m": 1.0, "a": 0.0, "b": 0.0}
    for t in (1, 2, 3):
        m = decaying.m + t
        fixed = decaying._replace(
            **{x_name: getattr(own, x_name) * m**-0.5, y_name: getattr(own, y_name) / m}, **constant
        )
        new = method.step(
            state[t - 1],
            np.asarray(float(t)),
            fixed,
            Oracle(FOUR, np),
            Draws(SEED, np.arange(RUNS), np).at(t),
            np,
        )
        np.testing.assert_allclose(new.x, state[t].x, rtol=1e-12)
        np.testing.assert_allclose(new.y, state[t].y, rtol=1e-12)

"""Bilevel problems: gradients by differences, unbiased samples, constants under sampling, optima by other solvers."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from declared_constants import check
from differences import partials
from scipy.optimize import linprog
from workbench.theorems.ir_cg.problems import dictionary, least_norm, nonconvex, real, regression, witness
from workbench.theorems.ir_cg.problems.data import TwoLevels

from workbench.arrays.data_matrix import Csr, csr
from workbench.arrays.random import Draws
from workbench.arrays.sets import L1Ball
from workbench.claims import constants
from workbench.problems import rows

RNG = np.random.default_rng(30)


def small_regression():
    return regression.synthetic(40, 30)


def small_logistic():
    features = least_norm.standardize(RNG.standard_normal((120, 9)))
    features[:, 8] = features[:, 0] - features[:, 1]  # a flat direction
    labels = np.where(features[:, 2] + 0.7 * RNG.standard_normal(120) > 0, 1.0, -1.0)
    return least_norm.minimal_norm_logistic(features, labels)


CASES = {
    "hc": (witness.HuberCosh(h=0.2), 2),
    "hc-wide": (witness.HuberCosh(), 5),
    "exp": (witness.Exponential(b=0.1), 2),
    "fs-exp": (witness.SpreadComponents(n=16), 2),
    "nc": (nonconvex.SaddleOuter(), 3),
    "nc-fs": (nonconvex.SaddleComponents(n=16), 3),
    "linear": (nonconvex.Linear(b=0.5), 2),
    "least-norm": (least_norm.hadamard_least_norm(), 8),
    "regression": (small_regression(), 30),
    "logistic": (small_logistic(), 9),
}
each = pytest.mark.parametrize("name", CASES)


def points(instance, d, count):
    """Points of the set, many of them on its boundary."""
    return instance.box.project(RNG.standard_normal((count, d)) * RNG.choice([0.1, 0.5, 3.0], (count, 1)), np)


def gradient(value, x):
    return partials(lambda v: value(v, np), x, 1e-6).reshape(x.shape)


@each
def test_gradients_are_those_of_the_values(name):
    instance, d = CASES[name]
    x = 0.9 * points(instance, d, 20) + 0.01
    np.testing.assert_allclose(instance.grad_F(x, np), gradient(instance.F, x), rtol=2e-5, atol=2e-7)
    np.testing.assert_allclose(instance.grad_G(x, np), gradient(instance.G, x), rtol=2e-5, atol=2e-7)


class Every:
    """A sample whose indices run through all components, one per row, and whose signs through all combinations."""

    def __init__(self, rows):
        self.rows = np.asarray(rows)

    def index(self, n, size, part=0, k=0):
        return np.repeat(self.rows[:, None] % n, size, axis=1)

    def sign(self, d, part=0, k=0):
        return np.where((self.rows[:, None] >> np.arange(d)) % 2 == 0, -1.0, 1.0)


def all_samples(name, instance, d):
    """Number of equally likely samples of one draw."""
    if name in ("hc", "hc-wide", "exp", "nc"):
        return 2**d
    if name == "linear":  # without noise
        return 1
    return instance.inner.n if isinstance(instance, TwoLevels) else instance.n


@each
def test_samples_are_unbiased_and_share_the_sample(name):
    """The mean over all equally likely samples is the exact gradient; a pair is two evaluations with one sample."""
    instance, d = CASES[name]
    count = all_samples(name, instance, d)
    x, x_old = points(instance, d, 2)
    rows, rows_old = np.tile(x, (count, 1)), np.tile(x_old, (count, 1))
    sample = Every(np.arange(count))
    g, g_old = instance.pair_g(rows, rows_old, sample, 1, np)
    np.testing.assert_allclose(g.mean(0), instance.grad_G(x[None], np)[0], atol=1e-12)
    np.testing.assert_allclose(g_old.mean(0), instance.grad_G(x_old[None], np)[0], atol=1e-12)
    np.testing.assert_allclose(instance.grad_g(rows, sample, np), g, atol=1e-13)
    np.testing.assert_allclose(instance.difference_g(rows, rows_old, sample, 1, np), g - g_old, atol=1e-13)
    f, f_old = instance.pair_f(rows, rows_old, sample, 1, np)
    np.testing.assert_allclose(instance.difference_f(rows, rows_old, sample, 1, np), f - f_old, atol=1e-13)
    np.testing.assert_allclose(f.mean(0), instance.grad_F(x[None], np)[0], atol=1e-12)
    value, value_old, again, again_old = instance.valued_pair_g(rows, rows_old, sample, 1, np)
    np.testing.assert_allclose(again, g, atol=1e-13)
    np.testing.assert_allclose(again_old, g_old, atol=1e-13)
    assert value.mean() == pytest.approx(instance.G(x[None], np)[0, 0], abs=1e-12)
    assert value_old.mean() == pytest.approx(instance.G(x_old[None], np)[0, 0], abs=1e-12)
    value, single = instance.valued_grad_g(rows, sample, np)
    np.testing.assert_allclose(single, g, atol=1e-13)
    full_value, full = instance.full_valued_g(x[None], np)
    np.testing.assert_allclose(full, instance.full_g(x[None], np), atol=1e-13)
    assert full_value[0, 0] == pytest.approx(instance.G(x[None], np)[0, 0])


@pytest.mark.parametrize("name", ["hc", "exp", "fs-exp", "nc", "regression", "logistic"])
def test_a_batch_is_the_mean_of_its_samples(name):
    instance, d = CASES[name]
    x = points(instance, d, 3)
    xi = Draws(3, np.arange(3), np).at(4)(1)
    batch = instance.pair_g(x, 0.5 * x, xi, 5, np)
    if name in ("fs-exp", "regression", "logistic"):
        n = instance.inner.n if isinstance(instance, TwoLevels) else instance.n
        index = xi.index(n, 5)
        singles = [SimpleNamespace(index=lambda n, size, k=k: index[:, k : k + 1]) for k in range(5)]
    else:
        singles = [SimpleNamespace(sign=lambda d, part=0, k=0, j=j: xi.sign(d, 0, j)) for j in range(5)]
    for part in (0, 1):
        means = np.mean([instance.pair_g(x, 0.5 * x, one, 1, np)[part] for one in singles], axis=0)
        np.testing.assert_allclose(batch[part], means, atol=1e-13)


@each
def test_declared_constants_are_never_exceeded_and_nearly_attained(name):
    """Witnesses and data."""
    instance, d = CASES[name]
    check(instance, {"x": np.full((1, d), 0.2)})


@pytest.mark.parametrize("name", [name for name, (instance, _) in CASES.items() if instance.UNIQUE])
def test_the_solution_is_optimal_on_both_levels(name):
    """Inner: no feasible direction of descent. Outer: none within the solution set, sampled through flat directions."""
    instance, d = CASES[name]
    x = np.broadcast_to(instance.solution(d, np), (1, d)).astype(float)
    assert instance.G(x, np)[0, 0] == pytest.approx(instance.G_opt, abs=1e-12)
    assert instance.F(x, np)[0, 0] == pytest.approx(instance.F_opt, abs=1e-12)
    g = instance.grad_G(x, np)
    assert float((g * (x - instance.box.lmo(g, np))).sum()) <= 1e-9
    feasible = points(instance, d, 2000)
    assert instance.G(feasible, np).min() >= instance.G_opt - 1e-12
    flat = instance.G(feasible, np)[:, 0] <= instance.G_opt + 1e-12
    if flat.any():
        assert instance.F(feasible[flat], np).min() >= instance.F_opt - 1e-12


def test_exponential_level_is_the_minimizer_of_the_regularized_problem():
    instance = witness.Exponential(kappa=12.0)
    y = np.linspace(0, 1, 2_000_001)[:, None]
    for sigma in (0.9, 0.1, 1e-3):
        best = y[np.argmin(sigma * instance.F(y, np) + instance.G(y, np))][None]
        assert instance.G(best, np)[0, 0] == pytest.approx(instance.regularized_gap(sigma, 1), rel=1e-4)


def test_least_norm_level_is_the_minimizer_of_the_regularized_problem():
    instance = least_norm.hadamard_least_norm()
    A, b = instance.inner.A, instance.inner.b
    for sigma in (2.0, 0.1, 1e-3):
        x = np.linalg.solve(sigma * np.eye(8) + A.T @ A / 4, A.T @ b / 4)[None]
        predicted = instance.regularized_gaps(sigma)
        assert instance.F(x, np)[0, 0] - instance.F_opt == pytest.approx(predicted["outer_gap"])
        assert instance.G(x, np)[0, 0] == pytest.approx(predicted["inner_gap"])
        assert np.linalg.norm(x - instance.optimum) == pytest.approx(predicted["distance"])


def test_merit_is_a_linear_programme_over_the_solution_set():
    """HiGHS: max over v in X_opt = {y = c_y} of <grad F(x), x - v>."""
    instance, d = CASES["nc"]
    for x in points(instance, d, 10):
        g = instance.grad_F(x[None], np)[0]
        v = linprog(g, bounds=[(-1, 1), (-1, 1), (instance.c_y, instance.c_y)])
        merit = instance.calF(x[None], np)[0, 0]
        assert merit == pytest.approx(g @ x - v.fun)


def solved(outer, constraints, variable):
    cvxpy = pytest.importorskip("cvxpy")
    problem = cvxpy.Problem(cvxpy.Minimize(outer), constraints)
    problem.solve(solver=cvxpy.CLARABEL)
    assert problem.status == "optimal"
    return problem.value, variable.value


def test_regression_optimum_by_an_independent_solver():
    """CVXPY on the reformulation min F over {A x = b, |x|_1 <= r}, as the inner optimal value is 0."""
    cvxpy = pytest.importorskip("cvxpy")
    instance = small_regression()
    x = cvxpy.Variable(30)
    inner = [instance.inner.A @ x == instance.inner.b, cvxpy.norm1(x) <= instance.box.radius]
    outer = cvxpy.sum_squares(instance.outer.A @ x - instance.outer.b) / instance.outer.n
    value, point = solved(outer, inner, x)
    assert instance.F_opt == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(instance.optimum, point, atol=1e-4)
    lower, _ = solved(outer, [cvxpy.norm1(x) <= instance.box.radius], x)
    assert (
        lower < 0.5 * instance.F_opt
    )  # the levels disagree: the outer optimum is not feasible for the inner


def test_logistic_optimum_by_an_independent_solver():
    """CVXPY for G_opt, then the least norm among the points with the same predictions."""
    cvxpy = pytest.importorskip("cvxpy")
    instance = small_logistic()
    assert instance.gap < 1e-12
    A, b = instance.inner.A, instance.inner.b
    x = cvxpy.Variable(9)
    loss = cvxpy.sum(cvxpy.logistic(-cvxpy.multiply(b, A @ x))) / len(b)
    value, _ = solved(loss, [cvxpy.norm1(x) <= 20.0], x)
    assert instance.G_opt == pytest.approx(value, abs=1e-7)
    least, point = solved(cvxpy.sum_squares(x) / 2, [A @ x == A @ instance.optimum], x)
    assert instance.F_opt == pytest.approx(least, rel=1e-6)
    np.testing.assert_allclose(point, instance.optimum, atol=1e-4)


def test_the_papers_sizes():
    made = least_norm.madelon_like()
    assert made.inner.A.shape == (2000, 500)
    spectrum = np.linalg.eigvalsh(made.inner.A.T @ made.inner.A)
    assert (spectrum > 1e-8 * spectrum[-1]).sum() == 485  # 15 features are combinations of others
    assert made.gap < 1e-12
    assert np.abs(made.optimum).sum() < made.box.radius
    made = regression.synthetic()
    assert made.inner.A.shape == (641, 730)
    assert made.outer.A.shape == (214, 730)
    assert made.F_opt == pytest.approx(regression.NOISE**2)
    assert made.G(made.optimum[None], np)[0, 0] < 1e-24


def test_dictionary():
    """Gradients by differences along random directions; samples unbiased; the true dictionary is optimal."""
    made = dictionary.synthetic()
    x = made.box.project(RNG.standard_normal((2, dictionary.DIMENSION)), np)
    assert made.constants({"x": x})["n"] == 250
    for value, gradient in ((made.F, made.grad_F), (made.G, made.grad_G)):
        way = RNG.standard_normal(x.shape)
        slope = (value(x + 1e-5 * way, np) - value(x - 1e-5 * way, np)) / 2e-5
        np.testing.assert_allclose((gradient(x, np) * way).sum(1, keepdims=True), slope, rtol=1e-6)
    rows, every = np.repeat(x[:1], 250, axis=0), Every(np.arange(250))
    np.testing.assert_allclose(
        made.sampled_f(rows, every, 1, np).mean(0), made.grad_F(x[:1], np)[0], atol=1e-12
    )
    np.testing.assert_allclose(
        made.sampled_g(rows, every, 1, np).mean(0), made.grad_G(x[:1], np)[0], atol=1e-12
    )
    value, _ = made.valued_grad_g(rows, every, np)
    assert value.mean() == pytest.approx(made.G(x[:1], np)[0, 0])
    two = made.sampled_f(x, Draws(1, [0, 1], np).at(1)(0), 4, np)
    index = Draws(1, [0, 1], np).at(1)(0).index(250, 4)
    singles = [
        made.sampled_f(x, SimpleNamespace(index=lambda n, s, k=k: index[:, k : k + 1]), 1, np)
        for k in range(4)
    ]
    np.testing.assert_allclose(two, np.mean(singles, axis=0), atol=1e-13)
    atoms = np.linalg.lstsq(made.codes, made.old, rcond=None)[0]
    assert np.linalg.norm(atoms, axis=1) == pytest.approx(np.ones(40))
    truth = x.copy()
    truth[:, : 40 * 25] = atoms.reshape(-1)
    assert made.G(truth, np).max() < 1e-20


def test_constants_of_the_dictionary(monkeypatch):
    monkeypatch.setattr(constants, "POINTS", 16)
    monkeypatch.setattr(constants, "ROUNDS", 80)
    made = dictionary.synthetic()
    check(made, {"x": made.box.project(RNG.standard_normal((1, dictionary.DIMENSION)), np)})


def test_dictionary_cut_concerns_the_atoms():
    """Against the general oracle on the whole product."""
    from workbench.arrays.sets import cut_lmo

    made = dictionary.synthetic()
    x = made.box.project(RNG.standard_normal((2, dictionary.DIMENSION)), np)
    c, a = made.grad_F(x, np), made.grad_G(x, np)
    r = (a * x).sum(1, keepdims=True) - 0.01
    v, empty = made.lmo_cut(c, a, r, np)
    w, _ = cut_lmo(made.box.lmo, c, a, r, np)
    assert not empty.any()
    assert np.all((a * v).sum(1, keepdims=True) <= r + 1e-9)
    np.testing.assert_allclose((c * v).sum(1), (c * w).sum(1), atol=1e-7)


@pytest.mark.parametrize("loss", rows.LOSSES)
def test_sparse_rows_are_the_dense_ones(loss):
    """Every answer of a level is that of the same matrix held densely; rows may be empty, or repeat in a batch."""
    A = RNG.standard_normal((20, 7)) * (RNG.random((20, 7)) < 0.3)
    A[3] = 0.0
    b = np.where(RNG.random(20) < 0.5, 1.0, -1.0)
    dense, thin = rows.Rows(A, b, loss), rows.Rows(csr(scipy.sparse.csr_array(A)), b, loss)
    x, x_old = RNG.standard_normal((2, 5, 7))
    xi = Draws(2, np.arange(5), np).at(3)(0)
    for name, arguments in (
        ("value", (x,)), ("grad", (x,)), ("at_sample", (x, xi, 30)), ("pair", (x, x_old, xi, 4)),
    ):  # fmt: skip
        ours, theirs = getattr(thin, name)(*arguments, np), getattr(dense, name)(*arguments, np)
        single = name in ("value", "grad")
        for one, other in zip((ours,), (theirs,), strict=True) if single else zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-13)
    assert thin.smoothness() == pytest.approx(dense.smoothness())
    assert thin.n == dense.n


@pytest.mark.parametrize("loss", rows.LOSSES)
def test_losses(loss):
    """Slope by differences, curvature never above the declared one, no overflow far out."""
    p = np.linspace(-4, 4, 401)
    b = np.where(np.arange(401) % 2 == 0, 1.0, -1.0)
    _, slope = rows.LOSSES[loss](p, b, np)
    up, down = (rows.LOSSES[loss](p + h, b, np) for h in (1e-5, -1e-5))
    np.testing.assert_allclose(slope, (up[0] - down[0]) / 2e-5, atol=1e-8)
    curvature = (up[1] - down[1]) / 2e-5
    assert curvature.max() == pytest.approx(rows.CURVATURE[loss], rel=1e-4)
    far = rows.LOSSES[loss](np.array([-1e4, 1e4]), np.array([1.0, 1.0]), np)
    assert np.isfinite(far).all()


BAD = {
    "sparse": (
        lambda: rows.Rows(csr(scipy.sparse.csr_array([[np.nan, 0.0, 1.0]])), np.ones(1)),
        "NaN or infinite",
    ),
    "nan": (lambda: rows.Rows(np.array([[np.nan, 1.0]]), np.ones(1)), "NaN or infinite"),
    "infinite label": (lambda: rows.Rows(np.ones((1, 2)), np.array([np.inf])), "NaN or infinite"),
    "labels": (lambda: rows.Rows(np.ones((2, 2)), np.ones(3)), "n labels"),
    "no rows": (lambda: rows.Rows(np.ones((0, 2)), np.ones(0)), "n labels"),
    "classes": (lambda: rows.Rows(np.ones((1, 2)), np.zeros(1), "logistic"), "-1 or"),
    "lists": (lambda: rows.Rows([[1.0]], [1.0]), "arrays of float64"),
    "integers": (lambda: rows.Rows(np.ones((1, 2), int), np.ones(1)), "arrays of float64"),
    "sparse, outside": (lambda: Csr(np.ones(1), np.array([3]), np.array([0, 1]), 3), "with 3 columns"),
    "sparse, unordered": (
        lambda: Csr(np.ones(2), np.zeros(2, int), np.array([0, 2, 1]), 3),
        "with 3 columns",
    ),
    "columns": (
        lambda: TwoLevels(
            outer=rows.Rows(np.ones((1, 2)), np.ones(1)), inner=rows.Rows(np.ones((1, 3)), np.ones(1))
        ),
        "same number of columns",
    ),
    "dictionary": (
        lambda: dataclasses.replace(dictionary.synthetic(), new=np.full((2, 25), np.nan)),
        "NaN or infinite",
    ),
    "codes": (lambda: dataclasses.replace(dictionary.synthetic(), old=np.ones((2, 25))), "do not fit"),
    "atoms": (lambda: dataclasses.replace(dictionary.synthetic(), atoms=39), "40 atoms"),
    "fetched": (
        lambda: real.regression_problem(np.full((60, 45), np.nan), np.ones(60)),
        "NaN or infinite",
    ),
    "loss": (lambda: rows.Rows(np.ones((1, 2)), np.zeros(1), "hinge"), "unknown loss"),
    "components": (lambda: witness.SpreadComponents(n=1), "at least 2"),
    "outside": (lambda: witness.HuberCosh().constants({"x": np.full((1, 2), 1.5)}), "feasible set"),
    "start": (lambda: witness.HuberCosh().constants({"x": np.full((1, 2), np.nan)}), "not finite"),
    "radius": (lambda: least_norm.hadamard_least_norm(size=2.0), "must lie inside"),
    "split": (lambda: regression.synthetic(40, 10), "under-determined"),
    "separable": (
        lambda: least_norm.minimal_norm_logistic(np.eye(4), np.array([1.0, -1.0, 1.0, -1.0])),
        "does not lie inside",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_ends_in_one_sentence(case):
    make, words = BAD[case]
    with pytest.raises(ValueError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_reference_value_of_a_real_problem_is_certified():
    """What the fetched sets would get, on generated rows: G_opt is a lower bound, off by at most the duality gap."""
    cvxpy = pytest.importorskip("cvxpy")
    made = real.regression_problem(RNG.standard_normal((60, 45)), RNG.standard_normal(60))
    assert 0 < made.gap <= 1e-6
    assert made.inner.A.shape == (36, 45)
    x = cvxpy.Variable(45)
    loss = cvxpy.sum_squares(made.inner.A @ x - made.inner.b) / made.inner.n
    value, _ = solved(loss, [cvxpy.norm1(x) <= made.box.radius], x)
    assert made.G_opt - 1e-8 <= value <= made.G_opt + made.gap + 1e-8


@pytest.mark.parametrize("name", ["madelon", "wiki"])
def test_a_set_that_cannot_be_fetched_ends_in_one_sentence(name, monkeypatch):
    def unreachable(*args, **kwargs):
        raise OSError("no\nroute to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", unreachable)
    monkeypatch.setattr(real, "urlopen", unreachable)
    with pytest.raises(ValueError, match="could not be fetched \\(no route to host\\)") as caught:
        getattr(real, name)()
    assert "\n" not in str(caught.value)


def test_exact_levels_cost_nothing():
    made = least_norm.hadamard_least_norm()
    assert made.COSTS["pair_f"] == made.COSTS["difference_f"] == {}
    assert made.COSTS["pair_g"] == {"batch_g": 1}
    both = dataclasses.replace(made, outer=made.inner)
    assert both.COSTS["pair_f"] == both.COSTS["difference_f"] == {"batch_f": 1}


def test_a_ball_that_is_too_small():
    with pytest.raises(ValueError, match="radius must be positive"):
        L1Ball(-1.0)

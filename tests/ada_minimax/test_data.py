"""Instances on data, the simulations made of them and the figures drawn from those."""

from __future__ import annotations

import dataclasses
import importlib

import numpy as np
import pytest
from declared_constants import check
from scipy.optimize import minimize
from workbench.theorems.ada_minimax.experiments import auc as auc_experiment
from workbench.theorems.ada_minimax.experiments import ridge as ridge_experiment
from workbench.theorems.ada_minimax.figures.style import METHODS
from workbench.theorems.ada_minimax.problems import auc, ridge
from workbench.theorems.baselines.estimators.neumann import neumann

from workbench.arrays.ops import dot
from workbench.arrays.random import Draws
from workbench.claims import constants
from workbench.engine.eager import simulate
from workbench.engine.marks import log_marks
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem, Result, Run
from workbench.homes import papers
from workbench.problems import datasets

# ---- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", datasets.BINARY)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_binary_parts(name, share):
    """The share is reached to the nearest point, the training part is standardized, the test part keeps its balance."""
    train, test = datasets.binary(name, share)
    n = len(train)
    assert abs(train.labels.sum() - share * n) <= 1.0
    np.testing.assert_allclose(train.features.mean(axis=0), 0.0, atol=1e-12)
    deviations = train.features.std(axis=0)
    assert np.all(np.isclose(deviations, 1.0) | (deviations == 0.0))
    assert np.all(test.features[:, deviations == 0.0] == 0.0)
    assert 0.3 < test.labels.mean() < 0.7
    again, _ = datasets.binary.__wrapped__(name, share)
    assert np.array_equal(again.features, train.features)


def test_the_tables_are_those_of_scikit_learns_loaders():
    """Its files are read directly; here is noticed if a release keeps them elsewhere or changes them."""
    from sklearn.datasets import load_breast_cancer, load_digits

    for name, load in (("ten digits", load_digits), ("cancer", load_breast_cancer)):
        features, labels = load(return_X_y=True)
        ours = datasets._load(name)
        assert np.array_equal(ours[0], features)
        assert np.array_equal(ours[1], labels)
    assert np.array_equal(datasets._load("digits")[1], load_digits().target % 2)


def test_binary_refusals():
    with pytest.raises(ValueError, match="choose one of digits, cancer"):
        datasets.binary("iris", 0.5)
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        datasets.binary("digits", 1.0)


def test_three_parts_are_disjoint_and_complete():
    parts = datasets.digits_in_three(300, 300)
    assert [len(p) for p in parts] == [300, 300, 1197]
    rows = np.concatenate([p.features for p in parts])
    assert len(np.unique(rows, axis=0)) == 1797
    assert np.array_equal(parts[0].one_hot(10).argmax(axis=1), parts[0].labels)


# ---- deep AUC maximization -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def deep() -> auc.DeepAuc:
    return auc.make("digits", p=0.1, hidden=5, batch=16, probes=7)


def somewhere(instance: auc.DeepAuc, runs: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = auc.start(instance, np.arange(runs))["x"]
    return x + 0.1 * rng.standard_normal(x.shape), rng.standard_normal((runs, 1))


def test_auc_gradient_is_the_derivative(deep):
    """Central differences of f along random directions; step 1e-5, so errors of 1e-10 relative to values of order 1."""
    x, y = somewhere(deep)
    g_x, g_y = deep.grads_f(x, y, np)
    rng = np.random.default_rng(1)
    for _ in range(5):
        d, e, h = rng.standard_normal(x.shape), rng.standard_normal(y.shape), 1e-5
        slope = (deep.f(x + h * d, y + h * e, np) - deep.f(x - h * d, y - h * e, np)) / (2 * h)
        np.testing.assert_allclose(slope, dot(g_x, d, np) + g_y * e, rtol=1e-6, atol=1e-8)


def test_auc_dual_is_strongly_concave_with_modulus_2p1p(deep):
    """f is quadratic in y: the second difference is -2 p (1-p) exactly, and y* is where the gradient vanishes."""
    x, y = somewhere(deep)
    second = deep.f(x, y + 1.0, np) - 2 * deep.f(x, y, np) + deep.f(x, y - 1.0, np)
    np.testing.assert_allclose(second, -deep.constants({})["mu"], rtol=1e-10)
    np.testing.assert_allclose(deep.grads_f(x, deep.y_star(x, np), np)[1], 0.0, atol=1e-14)
    np.testing.assert_allclose(
        deep.phi(x, np), deep.f(x, y, np) + deep.constants({})["mu"] / 2 * (y - deep.y_star(x, np)) ** 2
    )


def test_auc_primal_is_the_square_loss_over_pairs(deep):
    """With the best a and b (the class means), Phi = p (1-p) (E(1 - h_+ + h_-)^2 - 1)."""
    x, _ = somewhere(deep)
    h, pos = deep.scores(x, deep.features, np), deep.positive == 1.0
    x = x.copy()
    x[:, -2], x[:, -1] = h[:, pos].mean(axis=1), h[:, ~pos].mean(axis=1)
    pairs = (1 - h[:, pos][:, :, None] + h[:, ~pos][:, None, :]) ** 2
    p = deep.p
    np.testing.assert_allclose(deep.phi(x, np)[:, 0], p * (1 - p) * (pairs.mean(axis=(1, 2)) - 1), rtol=1e-10)


def test_auc_exchange_of_the_labels(deep):
    """p and 1-p are one problem: labels exchanged, (h, a, b) -> (-h, -b, -a). So the paper's 0.9 is 0.1."""
    other = dataclasses.replace(deep, positive=1.0 - deep.positive, p=1.0 - deep.p)
    x, y = somewhere(deep)
    k = deep.hidden
    mirrored = x.copy()
    mirrored[:, -2 - k : -2] *= -1.0  # v, hence the score
    mirrored[:, -2], mirrored[:, -1] = -x[:, -1], -x[:, -2]
    np.testing.assert_allclose(other.f(mirrored, y, np), deep.f(x, y, np), rtol=1e-12)


def test_auc_minibatches(deep):
    """The oracle averages over the points it draws; on each point once it gives the exact gradient."""
    x, y = somewhere(deep)
    n = len(deep.positive)
    whole = np.broadcast_to(np.arange(n), (3, n))
    for a, b in zip(deep._on(whole, x, y, np), deep.grads_f(x, y, np), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-14)
    xi = Draws(1, np.arange(3), np)(0)
    index = xi.index(n, deep.batch)
    for row in range(3):
        part = dataclasses.replace(
            deep, features=deep.features[index[row]], positive=deep.positive[index[row]]
        )
        one = slice(row, row + 1)
        alone = part.grads_f(x[one], y[one], np)
        np.testing.assert_allclose(deep.grad(x, y, xi, np)[0][one], alone[0], atol=1e-14)
    assert np.array_equal(deep.grad(x, y, xi, np)[0], deep.grad_x(x, y, xi, np))


def test_auc_noise_on_the_probes(deep):
    x, y = somewhere(deep)
    exact = deep.grads_f(x, y, np)[0]
    noise = deep.noise(x, y, np)
    assert noise.shape == (3, 7)
    for k in range(7):
        drawn = deep._on(np.broadcast_to(deep.probes[k], (3, deep.batch)), x, y, np)[0]
        np.testing.assert_allclose(noise[:, k], np.linalg.norm(drawn - exact, axis=1))


def test_auc_is_exact_with_ties():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    positive = (rng.random(200) < 0.2) * 1.0
    scores = np.stack([rng.random(200), np.round(rng.random(200), 1), np.zeros(200), positive, -positive])
    ours = auc.auc(scores, positive, np)[:, 0]
    np.testing.assert_allclose(ours, [roc_auc_score(positive, s) for s in scores], rtol=1e-14)
    assert ours[2:].tolist() == [0.5, 1.0, 0.0]


# ---- hyper-parameter optimization ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact() -> ridge.RidgeLogistic:
    return ridge.make(batch=None, train=120, validation=120)


def weights(instance: ridge.RidgeLogistic, runs: int = 2, seed: int = 0) -> np.ndarray:
    return 0.1 * np.random.default_rng(seed).standard_normal((runs, instance.dimension))


def test_ridge_first_derivatives(exact):
    x, y, d, h = np.array([[-3.0], [-1.0]]), weights(exact), weights(exact, seed=1), 1e-4
    slope = (exact.g(x, y + h * d, np) - exact.g(x, y - h * d, np)) / (2 * h)
    np.testing.assert_allclose(slope, dot(exact.grad_y_g(x, y, None, np), d, np), rtol=1e-7)
    slope = (exact.f(x, y + h * d, np) - exact.f(x, y - h * d, np)) / (2 * h)
    f_x, f_y = exact.grad_f(x, y, None, np)
    np.testing.assert_allclose(slope, dot(f_y, d, np), rtol=1e-7)
    assert not f_x.any()  # f does not contain x


def test_ridge_second_derivatives(exact):
    """Differences of grad_y g in y (Hessian) and in x (mixed derivative)."""
    x, y, d, h = np.array([[-3.0], [-1.0]]), weights(exact), weights(exact, seed=1), 1e-5

    def g_y(x, y):
        return exact.grad_y_g(x, y, None, np)

    product = (g_y(x, y + h * d) - g_y(x, y - h * d)) / (2 * h)
    np.testing.assert_allclose(exact.hess_yy_g(x, y, d, None, 1, np), product, atol=1e-9)
    mixed = dot((g_y(x + h, y) - g_y(x - h, y)) / (2 * h), d, np)
    np.testing.assert_allclose(exact.jac_xy_g(x, y, d, None, 1, np), mixed, rtol=1e-8)


def test_ridge_hypergradient_is_the_derivative_of_phi(exact):
    """Phi(x) = f(x, y*(x)) by Newton's method, differences of step 1e-4; and the Neumann series tends to it."""
    x, h = np.array([[-3.0], [-1.0]]), 1e-4
    y = exact.y_star(x, np)
    assert np.abs(exact.grad_y_g(x, y, None, np)).max() < 1e-12
    above, below = (exact.f(x, exact.y_star(x + s * h, np), np) for s in (1.0, -1.0))
    hypergradient = exact.hypergradient(x, y, np)
    np.testing.assert_allclose(hypergradient, (above - below) / (2 * h), rtol=1e-6)
    l_g1 = exact.constants({})["l_g1"]
    series = neumann(x, y, None, 4000, l_g1, Oracle(exact, np), np)
    np.testing.assert_allclose(series, hypergradient, rtol=1e-10)


def test_ridge_constants_hold(exact):
    """mu_g <= <v, Hv>/|v|^2 <= l_g1 over the stated range of x; near y = 0 the upper one is nearly attained."""
    c = exact.constants({})
    low, high = exact.x_range
    z = exact.train
    top = np.linalg.eigh(z.T @ z)[1][:, -1]
    spread = np.zeros((2, exact.dimension))
    spread[:] = np.outer(top, np.r_[1.0, -1.0, np.zeros(8)]).ravel()
    y = np.zeros((2, exact.dimension))
    y.reshape(2, -1, 10)[:, -1, :2] = 30.0  # two classes of probability 1/2: the softmax Hessian's worst case
    for v in (spread, weights(exact)):
        quotient = dot(v, exact.hess_yy_g(np.array([[low], [high]]), y, v, None, 1, np), np) / dot(v, v, np)
        assert np.all(quotient >= c["mu_g"])
        assert np.all(quotient <= c["l_g1"] * (1 + 1e-12))
    assert exact.hess_yy_g(np.array([[high]]), y[:1], spread[:1], None, 1, np) @ spread[0] == pytest.approx(
        c["l_g1"] * (spread[0] @ spread[0]), rel=1e-6
    )


def test_declared_constants(monkeypatch):
    """Of both problems, on few points: each of them is a pass over the data."""
    monkeypatch.setattr(constants, "POINTS", 48)
    monkeypatch.setattr(constants, "ROUNDS", 40)
    deep, tuning = auc.make("digits", p=0.1, hidden=2), ridge.make(train=60, validation=60)
    check(deep, auc.start(deep, np.arange(1)))
    check(tuning, ridge.start(tuning, np.array([[-2.0]])))


def test_ridge_minibatches_are_unbiased():
    """Mean of 3000 independent draws against the exact derivative, six standard errors on every coordinate."""
    noisy = ridge.make(batch=8, train=120, validation=120)
    sharp = dataclasses.replace(noisy, batch=None)
    runs = 3000
    x, y, v = np.full((runs, 1), -2.0), *(np.repeat(weights(noisy, 1, s), runs, axis=0) for s in (0, 1))
    zeta = Draws(1, np.arange(runs), np)(1)
    for name, more in (("grad_y_g", ()), ("hess_yy_g", (3,))):
        arguments = (x, y, v) if more else (x, y)
        drawn = getattr(noisy, name)(*arguments, zeta, *more, np)
        target = getattr(sharp, name)(*(a[:1] for a in arguments), None, *more, np)
        error = np.abs(drawn.mean(axis=0) - target[0])
        assert np.all(error <= 6 * drawn.std(axis=0) / np.sqrt(runs) + 1e-12), name
    assert not noisy.hessian_is_exact(np)
    assert sharp.hessian_is_exact(np)


def test_ridge_metrics(exact):
    from sklearn.metrics import accuracy_score, log_loss

    s = dataclasses.make_dataclass("S", ["x", "y"])(np.zeros((2, 1)), weights(exact))
    found = exact.checkpoint_metrics(s, np.asarray(1.0), np)
    logits = exact.test @ s.y[1].reshape(-1, 10)
    labels = exact.test_labels.argmax(axis=1)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert found["test_accuracy"][1] == pytest.approx(accuracy_score(labels, logits.argmax(axis=1)))
    assert found["test_loss"][1, 0] == pytest.approx(log_loss(labels, shares))


# ---- simulations and figures -----------------------------------------------------------------------------------------


def execute(sim, horizon: int, runs: int, backend_name: str = "numpy") -> Result:
    batch = sim.make(horizon, runs)
    algorithm = importlib.import_module(papers.module_name("methods", sim.algorithm))
    problem = Problem(algorithm, batch.instance, batch.steps, batch.start, batch.grid)
    return simulate(problem, Run(log_marks(horizon), seed=7, backend=backend_name))


SIMULATIONS = {s.key: s for m in (auc_experiment, ridge_experiment) for s in m.SIMS.values()}


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    """A few iterations of everything."""
    return {key: execute(sim, 8, 3) for key, sim in SIMULATIONS.items()}


@pytest.mark.parametrize(
    "shown",
    [{m.title for m in auc_experiment.COMPETITION.methods}, {"Ada-BiO", "TFBO"}, {"Ada-Minimax", "TiAda"}],
)
def test_methods_in_one_figure_look_different(shown):
    """By colour and by dash: a colour-blind reader and a black-and-white print need the second."""
    for what in ("color", "linestyle"):
        assert len({str(METHODS[name][what]) for name in shown}) == len(shown)


def test_epochs_are_the_data_s():
    assert auc_experiment.problem().per_epoch == auc_experiment.PER_EPOCH
    assert ridge_experiment.problem().per_epoch == ridge_experiment.PER_EPOCH
    for sim in SIMULATIONS.values():
        assert all(h <= max(sim.marks) for h in sim.horizon.values())


def test_paper_s_steps_are_on_the_grid():
    assert {m.name for m in auc_experiment.COMPETITION.methods} == auc_experiment.PRINTED.keys()
    for printed in auc_experiment.PRINTED.values():
        assert printed in auc_experiment.POINTS
    assert auc_experiment.BASE in auc_experiment.SWEPT
    assert len(auc_experiment.SWEPT) == 13


def test_all_methods_start_alike_and_draw_one_minibatch(results):
    """Equal starts at t = 1, equal batch shapes, one stochastic gradient an iteration."""
    found = [result for _, result in auc_experiment.COMPETITION.results(results)]
    for result in found[1:]:
        assert np.array_equal(result.data["train_auc"][:, 0], found[0].data["train_auc"][:, 0])
        assert result.size == found[0].size
    assert {int(r.calls["gradient_x"][0, -1]) for r in found} == {8}


def test_tuning_looks_at_the_selection_runs_only():
    """Planted AUC: one point best in runs 0 and 1, another in run 2, a third best but failed."""
    points, runs = auc_experiment.POINTS, 3
    value = np.full((len(points), runs), 0.6)
    value[7, :2], value[11, 2], value[20, :] = 0.8, 1.0, 0.9
    status = np.zeros((len(points), runs), dtype=int)
    status[20, :] = 1
    marks = np.array([1, auc_experiment.PER_EPOCH, 2 * auc_experiment.PER_EPOCH])
    result = Result(
        marks=marks,
        data={"train_auc": np.repeat(value.reshape(-1, 1), 3, axis=1)},
        params={n: np.repeat([p[n] for p in points], runs) for n in points[0]},
        run_ids=np.tile(np.arange(runs), len(points)),
        status=status.ravel(),
        failed_at=np.zeros(status.size),
        calls={},
        elapsed=np.zeros(3),
    )
    assert auc_experiment.tuned_steps(result) == points[7]


def test_paper_s_eta_x_pins_lambda(results):
    """|log lambda_t - log lambda_1| <= 2 eta_x sqrt(t), whatever the gradients are."""
    result = results["ada_minimax/sim-fig-4-ada-bio"]
    for eta_x in ridge_experiment.ETA_X:
        for start in ridge_experiment.STARTS:
            moved = np.abs(
                result.curve("log_lambda", eta_x=eta_x, lambda_1=start)[:, -1] - np.log(start)
            ).max()
            assert 0.0 < moved <= ridge_experiment.reach(8, eta_x) + 1e-12
    assert ridge_experiment.reach(500) < 5e-4


@pytest.mark.gpu
@pytest.mark.parametrize("key", ["ada_minimax/sim-fig-4-tfbo", "ada_minimax/sim-appendix-l"])
def test_cupy_agrees(key, results):
    there = execute(SIMULATIONS[key], 8, 3, backend_name="cupy")
    for name, values in results[key].data.items():
        np.testing.assert_allclose(there.data[name], values, rtol=1e-7, atol=1e-9, err_msg=name)


def test_figure_4_has_an_optimum_between_its_starts() -> None:
    """The validation loss at the solution of the inner problem, on either side of the optimum and near it."""
    exact = dataclasses.replace(ridge_experiment.problem(), batch=None)

    def validation_loss(log10: float) -> float:
        x = np.array([[np.log(10.0) * log10]])

        def inner(y: np.ndarray) -> tuple[float, np.ndarray]:
            return float(exact.g(x, y[None], np).item()), exact.grad_y_g(x, y[None], None, np)[0]

        found = minimize(
            inner, np.zeros(exact.dimension), jac=True, method="L-BFGS-B", options={"maxiter": 2000}
        )
        return float(exact.f(x, found.x[None], np).item())

    above, below = (np.log10(start) for start in ridge_experiment.STARTS)
    best = validation_loss(-2.6)
    assert best < validation_loss(-2.0) - 0.05 < validation_loss(above)
    assert best < validation_loss(-3.4) - 0.05 < validation_loss(below)

"""The paper's experiments: schedules, alignment of bounds and marks, falsifiers that apply, tables of oracle calls."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from workbench.theorems.ir_cg.experiments import (
    claims_finite_sum,
    claims_nonconvex,
    claims_one_sample,
    claims_remark_1,
    competition,
    finite_sum,
    one_sample,
    study,
)
from workbench.theorems.ir_cg.experiments import fig_1 as sims_1
from workbench.theorems.ir_cg.experiments import fig_2 as sims_2
from workbench.theorems.ir_cg.experiments import fig_3 as sims_3
from workbench.theorems.ir_cg.experiments.joint import Both
from workbench.theorems.ir_cg.experiments.limits import limit
from workbench.theorems.ir_cg.figures import competition as drawing
from workbench.theorems.ir_cg.figures import fig_1, fig_2, fig_3

from workbench.claims.claims import caught
from workbench.claims.runs import Runs
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.evidence.verdicts import decide
from workbench.run.jobs import execute, prepare
from workbench.run.options import Options

SIMS = {**one_sample.SIMS, **finite_sum.SIMS}


def test_schedules_are_the_theorems():
    """alpha_t, sigma_t of Theorems 1, 2, 5, 6 in numbers."""
    steps = SIMS["hc"].make(10, 1).steps
    assert (steps.a, steps.b, steps.omega) == (2, 2, 1)
    np.testing.assert_allclose(np.ravel(steps.p), [0.1, 0.25, 0.4])
    steps = SIMS["nc"].make(10, 1).steps
    assert (float(steps.p), float(steps.omega)) == pytest.approx((2 / 7, 6 / 7))
    steps = SIMS["fs-exp"].make(10, 1).steps
    assert (steps.q, steps.S, steps.hold) == (8, 8, 8)
    assert float(steps.alpha_0) == pytest.approx(np.log(8) / 8)
    steps = SIMS["fs-nc"].make(10, 1).steps
    assert (steps.q, steps.hold) == (8, 9)
    assert float(steps.alpha_0) == pytest.approx(np.log(9) / 9)
    assert (float(steps.p), float(steps.omega)) == (0.5, 0.75)


def result_of(data, marks, **params):
    rows = next(iter(data.values())).shape[0]
    return Result(
        marks=np.asarray(marks),
        data=data,
        params={k: np.asarray(v, float) for k, v in params.items()},
        run_ids=np.arange(rows),
        status=np.zeros(rows, int),
        failed_at=np.zeros(rows, int),
        calls={},
        elapsed=np.ones(len(marks)),
    )


def test_bounds_are_taken_at_t_equal_to_mark_minus_one():
    """A metric that sits a hair above the bound at t = mark - 1 is caught, one a hair below passes."""
    (bound,) = study.bounds(study.OUTER_1, ("own",), SIMS["hc"], "outer_gap")
    result = execute(prepare(SIMS["hc"], Options(horizon=200, runs=60)), "numpy")
    p, t = result.params["p"][:, None], np.maximum(result.marks - 1.0, 1.0)[None, :]
    right = study.OUTER_1.numeric("own")(**result.constants, varsigma=1.0, p=p, delta=study.DELTA, T=t)
    for factor, holds in ((0.999, True), (1.001, False)):
        result.data["outer_gap"][:] = factor * right
        finding = bound.finding({bound.sim.key: result})
        assert (finding.p_if_wrong < 0.01) is holds
        assert (finding.p_if_right < 0.01) is not holds


def test_exponents_of_the_estimators_are_those_of_the_lemmas():
    assert {r.claimed.value for r in claims_one_sample.ERROR} == {-0.5}
    assert {r.claimed.value for r in claims_finite_sum.ERROR} == {-1.0}


def test_weights_of_theorem_6():
    """Against the definition (L1067) summed directly."""
    q, T = study.Q, 40
    sim = SIMS["fs-nc"]
    result = execute(prepare(sim, Options(horizon=T, runs=2)), "numpy")
    marks = result.marks
    job = prepare(sim, Options(horizon=T, runs=2))
    job = dataclasses.replace(job, marks=np.arange(1, T + 1))
    every = execute(job, "numpy")
    calF, alpha = every.data["calF"], np.log(q + 1) / (q + 1)
    sigma_0 = (q + 2.0) ** -0.5
    early = [sigma_0 * (q + 1) ** 0.75 * alpha * (1 - alpha) ** (q - t) for t in range(q + 1)]
    beta = np.array([*early, *((t + 1.0) ** -0.5 for t in range(q + 1, T))])
    direct = np.cumsum(beta * calF, axis=1) / np.cumsum(beta)
    ours = claims_nonconvex.weighted_calF_beta(result)
    np.testing.assert_allclose(
        ours[:, marks > q], direct[:, marks[marks > q] - 1], rtol=1e-10
    )  # from t = q on


@pytest.mark.parametrize("t", [study.Q, study.Q + 1])
@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_theorem_6_is_read_at_q_and_q_plus_1(t, factor):
    """Runs a hair beyond a repaired bound there, and nowhere else, are noticed; the printed ones start at q + 2."""
    result = execute(prepare(SIMS["fs-nc"], Options(horizon=40, runs=60)), "numpy")
    at, results = result.at(t + 1), {"ir_cg/sim-fs-nc": result}
    outer, inner = claims_nonconvex.OUTER_FROM_Q, claims_nonconvex.INNER_FROM_Q
    before = claims_nonconvex.weighted_calF_beta(result)
    result.data["weighted_calF_sum"] += 1.0
    change = 1.0 / (
        claims_nonconvex.weighted_calF_beta(result) - before
    )  # of the sum, for a change of the mean by 1
    result.data["weighted_calF_sum"] += change * (before - claims_nonconvex.weighted_calF_beta(result))
    beyond = (factor * outer.curves(result) - before)[:, at] * change[:, at]
    for name, claim, values in (
        ("weighted_calF_sum", outer, result.data["weighted_calF_sum"][:, at] + beyond),
        ("last_inner_gap", inner, factor * inner.curves(result)[:, at]),
    ):
        kept = result.data[name].copy()
        result.data[name][:, at] = values
        for both in (claim, Both(outer, inner)):
            assert both.finding(results).value == (1.0 if factor > 1 else 0.0)
        for printed in (claims_nonconvex.OUTER_BOUNDS_6[0], claims_nonconvex.INNER_BOUNDS_6[0]):
            assert printed.finding(results).value == 0.0
        result.data[name] = kept


def test_on_lin_the_start_of_theorem_6_is_nearly_attained():
    """x_t = (1 - alpha)^t x_0: the inner gap in closed form, and its bound at q, q + 1 less than twice as large."""
    result = execute(prepare(SIMS["fs-linear-inner"], Options(runs=40)), "numpy")
    alpha, t = np.log(study.Q + 1) / (study.Q + 1), result.marks - 1.0
    gap = result.data["last_inner_gap"]
    np.testing.assert_allclose(gap, (1.0 - alpha) ** t * gap[:, :1], rtol=1e-12)
    claim = claims_nonconvex.INNER_AT_Q
    ratio = claim.read(result, claim.curves)[0] / claim.read(result, claim.metric)[0]
    assert ratio.shape == (40, 2)
    assert ratio.min() > 1.3
    assert ratio.max() < 2.0


def test_block_averages_are_read_off_the_sums():
    marks = log_marks(4096)
    t = np.cumsum(np.arange(1, 4097.0) ** -0.5)[marks - 1]
    result = result_of(
        {"weighted_calF_sum": np.tile(t, (3, 1)), "weight_sum": np.tile(marks + 0.0, (3, 1))}, marks
    )
    reading = claims_nonconvex.MERIT_5
    values, at = reading.curve({reading.sim.key: result})
    slope = np.polyfit(np.log(at[-8:]), np.log(values[0, -8:]), 1)[0]
    assert slope == pytest.approx(-0.5, abs=0.01)


def test_limits_are_told_from_growth():
    sim, marks = SIMS["hc"], log_marks(10_000)
    claim = limit(study.THEOREM_3, sim, "outer_gap")
    for exponent, grows in ((-0.2, False), (0.2, True)):
        noise = 1 + 0.1 * np.random.default_rng(0).standard_normal((64, 1))
        results = {sim.key: result_of({"outer_gap": noise * marks**exponent}, marks, p=np.zeros(64))}
        assert (claim.finding(results).p_if_wrong < 0.01) is not grows
        assert (caught(claim).finding(results).p_if_wrong < 0.01) is grows


# ------------------------------------------------------------------------------------------------ figures

# Iterations / oracle calls of the paper's tables (L231-245, L263-274, L1291-1303), for the methods without a start.
PRINTED = {
    ("fig-1", "ir-scg"): 2365234.0 / 1182617.0,
    ("fig-1", "seg-long"): 3199300.0 / 799725.0,
    ("fig-1", "sdbgd-long"): 2487440.2 / 1243720.1,
    ("fig-2", "ir-scg"): 1.0,
    ("fig-2", "ir-fscg"): 19926327.2 / 225263.8,
    ("fig-2", "seg-long"): 1946537.4 / 973268.7,
    ("fig-2", "sdbgd-long"): 1.0,
    ("fig-3", "ir-scg"): 2.0,
    ("fig-3", "ir-fscg"): 1872851.0 / 30532.6,
    ("fig-3", "seg-long"): 25112.4 / 6278.1,
    ("fig-3", "sdbgd-long"): 2.0,
}
MODULES = {"fig-1": sims_1, "fig-2": sims_2, "fig-3": sims_3}


def counted(sizes, name, T):
    """The calls an engine would meter, from the listing: a pass every q iterations, batches in between."""
    q = competition.root(max(sizes.values()))
    passes = len(range(0, T, q))
    per = {
        "ir-scg": {"batch": T},
        "ir-fscg": {"pass": passes, "batch": T - passes},
        "seg-long": {"sample": 2 * T},
        "sdbgd-long": {"sample": T},
    }[name]
    return {f"{kind}_{level}": np.array([[count]]) for kind, count in per.items() for level in sizes}


@pytest.mark.parametrize(("figure", "name"), PRINTED)
def test_calls_per_iteration_are_those_of_the_papers_tables(figure, name):
    module = MODULES[figure]
    T = 44 * 1000 if figure == "fig-2" else 15 * 1000
    (method,) = (m for m in module.COMPETITION.methods if m.name == name)
    result = result_of({"inner_gap": np.ones((1, 1))}, [T])
    result.calls.update(counted(module.SIZES, name, T))
    calls = competition.calls_of(method, result, module.SIZES)[-1]
    assert calls / T == pytest.approx(PRINTED[figure, name], rel=2e-4)


@pytest.mark.parametrize("module", [sims_1, sims_2, sims_3], ids=MODULES)
def test_settings_of_the_figures(module):
    """S = q = floor(sqrt(n)); the steps of L219-221 and L1285-1287; the first half of SBCGI is its warm start."""
    made = {m.name: m.steps(100, 60) for m in module.COMPETITION.methods}
    assert (made["ir-fscg"].q, made["ir-fscg"].S, made["sbcgf"].q) == (10, 10, 10)
    assert made["sbcgi"].warm == made["sbcgf"].warm == 30
    assert made["seg-long"].gamma == made["sdbgd-long"].gamma == 1e-2
    if module is sims_3:
        assert (made["ir-fscg"].hold, made["sbcgi"].K_0, made["sdbgd-short"].gamma) == (11, 0.01, 5e-3)
        assert float(made["ir-scg"].varsigma) == 0.1
    else:
        assert (made["ir-fscg"].b, made["ir-scg"].b, made["sbcgi"].K_0) == (1, 2, 1e-4)
        assert (made["seg-short"].gamma, made["seg-short"].rho, made["sdbgd-short"].gamma) == (
            1e-7,
            1e3,
            1e-6,
        )


def planted(exponent: float, sim: str, grid: tuple[str, float], runs: int = 64) -> dict[str, Result]:
    """Both gaps fall like N^exponent in the oracle calls N, with scatter of 1 % between the runs."""
    marks = np.unique(np.concatenate([np.logspace(0.5, 6, 80).astype(int) // 8 * 8 + 5]))
    factor = 1.0 + 0.01 * np.random.default_rng(0).standard_normal((runs, 1))
    values = factor * marks.astype(float) ** exponent
    result = Result(
        marks=marks,
        data={"outer_gap": values, "inner_gap": 0.5 * values},
        params={grid[0]: np.full(runs, grid[1])},
        run_ids=np.arange(runs),
        status=np.zeros(runs, int),
        failed_at=np.zeros(runs, int),
        calls={"batch_f": marks[None], "batch_g": marks[None]},
        elapsed=np.zeros(len(marks)),
        meta={},
    )
    return {sim: result}


@pytest.mark.parametrize(
    ("method", "p", "claimed"), [(claims_remark_1.ON_HC, 0.25, -4.0), (claims_remark_1.ON_FS_EXP, 0.5, -2.0)]
)
def test_costs_are_read_off_the_slope(method, p, claimed):
    """A gap N^(1/claimed) is the claimed cost; a slower one is dearer, and refused; a faster one passes."""
    claim = dataclasses.replace(method, batch=1, n=1).cost(claimed)
    for exponent, verdict in ((1 / claimed, "holds"), (0.6 / claimed, "violated"), (1.5 / claimed, "holds")):
        found = claim.finding(planted(exponent, method.sim.key, ("p", p)))
        (decided,) = decide([found])
        assert decided.verdict == verdict
        assert found.value == pytest.approx(1 / exponent, rel=1e-3)
        assert decided.low <= found.value <= decided.high
        assert (found.evidence, found.claimed) == ("complexity", claimed)


def test_a_gap_that_does_not_fall_costs_infinitely_much():
    method = claims_remark_1.ON_HC
    found = method.cost(-4).finding(planted(0.01, method.sim.key, ("p", 0.25)))
    assert decide([found])[0].verdict == "violated"
    assert found.low == -np.inf


def test_figures_draw_from_results_alone():
    """Figure 3 from a few iterations: eight curves in each panel, the table, and a caption with the counts."""
    results = {s.key: execute(prepare(s, Options(horizon=12, runs=2)), "numpy") for s in sims_3.SIMS.values()}
    figure = fig_3.FIGURE
    drawn = figure.draw(results)
    assert [len(ax.lines) for ax in drawn.axes[:6]] == [8 * 3] * 6  # each mean, and its two runs
    assert len(drawn.axes[-1].tables[0].get_celld()) == 9 * len(drawing.HEAD)
    said = figure.text(results)
    assert "Iterations / oracle calls: IR-SCG 12 / 24" in said
    assert fig_1.FIGURE.needs == tuple(s.key for s in sims_1.SIMS.values())
    assert fig_2.FIGURE.needs == tuple(s.key for s in sims_2.SIMS.values())


@pytest.mark.parametrize("module", [sims_1, sims_2], ids=["fig-1", "fig-2"])
def test_real_data_are_asked_for_and_missed_in_one_sentence(module, monkeypatch):
    """`--data real` reaches the loader; without a network its sentence comes back."""

    def unreachable(*args, **kwargs):
        raise OSError("no route")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", unreachable)
    monkeypatch.setattr("workbench.theorems.ir_cg.problems.real.urlopen", unreachable)
    runs = Runs(2, data="real")
    with pytest.raises(ValueError, match="could not be fetched"):
        next(iter(module.SIMS.values())).make(40, runs)
    assert runs.asked_for_real

"""Waterfalls: the factors multiply to the slack, every line of every proof loses, and a line that gains is found."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sympy import Symbol, sqrt
from typer.testing import CliRunner

from workbench.claims.waterfalls import Step, Waterfall
from workbench.cli.app import app
from workbench.engine.records import Result
from workbench.ledger.waterfall import fall, product
from workbench.run import catalog, jobs
from workbench.run.options import Options, UsageError
from workbench.theory.record import Form, Theorem
from workbench.verdicts.studies import slack

WATERFALLS = catalog.waterfalls()
SHORT = {"profile": "quick", "horizon": 48, "runs": 24, "engine": "eager"}
SEEDS = (0, 1)
BOUND, T = Symbol("bound", positive=True), Symbol("T", positive=True)
SQUARE, SIZE = Symbol("square", positive=True), Symbol("size", positive=True)


@pytest.fixture(scope="module")
def results() -> dict[int, dict[str, Result]]:
    """Seed -> results of all waterfalls' simulations over a short horizon; the lines hold at every T."""
    found: dict[int, dict[str, Result]] = {}
    for seed in SEEDS:
        options = Options(seed=seed, **SHORT)
        sims = slack.simulations(WATERFALLS)
        found[seed] = {s.key: jobs.execute(jobs.prepare(s, options), "numpy", options) for s in sims}
    return found


def test_every_paper_has_one():
    assert {w.key.split("/")[0] for w in WATERFALLS} == set(catalog.papers_in_view())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("waterfall", WATERFALLS, ids=lambda w: f"{w.key} {w.name}")
def test_factors_multiply_to_the_slack(waterfall, seed, results):
    found = fall(waterfall, results[seed][waterfall.sim.key])
    assert product(found.bars) == pytest.approx(found.slack, rel=1e-12)
    assert found.slack == found.bound / found.measured
    assert all(a.after == b.before for a, b in zip(found.bars, found.bars[1:], strict=False))
    assert sum(map(found.share, found.bars)) == pytest.approx(1.0, abs=1e-6)
    assert 4 <= len(found.bars) <= 14
    assert all(bar.step.source for bar in found.bars)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("waterfall", WATERFALLS, ids=lambda w: f"{w.key} {w.name}")
def test_no_line_gains_unless_an_erratum_says_so(waterfall, seed, results):
    found = fall(waterfall, results[seed][waterfall.sim.key])
    assert [bar.step.name for bar in found.bars if bar.surprising] == []


@pytest.mark.parametrize("waterfall", WATERFALLS, ids=lambda w: f"{w.key} {w.name}")
def test_the_ends_are_what_the_bound_claims_compare(waterfall, results):
    """The last right-hand side is the theorem's own bound at this T, the first a positive measured quantity."""
    result = results[0][waterfall.sim.key]
    found = fall(waterfall, result)
    rows = result.rows(**waterfall.where)
    values = {**result.constants, **waterfall.known(result)}
    last = {
        n: np.broadcast_to(np.atleast_1d(np.asarray(v, float))[..., -1:], (len(rows), 1))
        for n, v in values.items()
    }
    values = {n: v[rows] if np.ndim(v) == 2 else v for n, v in last.items()} | {"T": found.T}
    bound = waterfall.theorem.numeric(waterfall.form)(**values)
    assert found.bound == pytest.approx(float(np.mean(bound)), rel=1e-9)
    assert found.measured > 0


# ------------------------------------------------------------------------------------- planted lines


def theorem(kind: str) -> Theorem:
    """A theorem about the mean of ``size``, whose bound is 4."""
    real = WATERFALLS[0].theorem
    form = Form("printed", ((BOUND, 4 + 0 * T),), "L1")
    return replace(real, key="toy/thm-1", forms=(form,), cases=(), laws=(), kind=kind)


def result_of(size: np.ndarray, status: int = 0) -> Result:
    """(runs,) values of ``size`` at one mark."""
    real = np.asarray(size, float)[:, None]
    n = len(real)
    return Result(
        marks=np.array([10]), data={"size": real, "square": real**2}, params={}, run_ids=np.arange(n),
        status=np.where(np.arange(n) == 0, status, 0), failed_at=np.zeros(n, int), calls={}, elapsed=np.zeros(1),
    )  # fmt: skip


def toy(*steps: Step, kind: str = "expectation") -> Waterfall:
    return Waterfall(
        theorem(kind), replace(WATERFALLS[0].sim, probe=""), SIZE, (*steps, Step("end", BOUND, "L9"))
    )


JENSEN = Step("Jensen", sqrt(SQUARE), "L2")
DRAWN = np.random.default_rng(3).uniform(0.5, 1.5, 64)


def test_means_for_a_theorem_in_expectation():
    found = fall(toy(JENSEN), result_of(DRAWN))
    assert found.bars[0].before == pytest.approx(DRAWN.mean())
    assert found.bars[0].after == pytest.approx(np.sqrt((DRAWN**2).mean()))
    assert found.bars[0].factor > 1
    assert found.bars[0].low < found.bars[0].factor < found.bars[0].high
    assert not any(bar.gains for bar in found.bars)


def test_runs_for_a_theorem_with_a_probability():
    """Run by run the root of the square is the value itself: Jensen loses nothing."""
    found = fall(toy(JENSEN, kind="probability"), result_of(DRAWN))
    assert found.bars[0].factor == pytest.approx(1.0, abs=1e-12)
    assert not found.bars[0].gains


@pytest.mark.parametrize("erratum", ["", "E1"])
def test_a_line_that_gains_is_found(erratum):
    wrong = Step("the root of a square is at most half of it", 0.5 * sqrt(SQUARE), "L2", erratum)
    found = fall(toy(wrong), result_of(DRAWN))
    assert found.bars[0].gains
    assert found.bars[0].surprising is (erratum == "")
    assert ("unexpected" in slack.verdict([found])) is (erratum == "")
    assert product(found.bars) == pytest.approx(found.slack, rel=1e-12)


def test_a_gain_within_the_scatter_is_not_called_one():
    wrong = Step("a hair too small", SIZE * (1 - 1e-12), "L2")
    assert not fall(toy(wrong), result_of(DRAWN)).bars[0].gains
    few = fall(toy(Step("half", 0.5 * sqrt(SQUARE), "L2")), result_of(DRAWN[:8]))
    assert not few.bars[0].gains  # 8 runs that differ decide nothing


@pytest.mark.parametrize(
    ("steps", "status", "said"),
    [
        ((Step("odd", Symbol("nothing"), "L2"),), 0, "odd: nothing is not recorded; available: .*size"),
        ((Step("odd", SIZE - 100, "L2"),), 0, "odd: the right-hand side is -"),
        ((JENSEN,), 1, "1 of 64 runs are not finite"),
    ],
)
def test_what_cannot_be_evaluated_is_said(steps, status, said):
    with pytest.raises(ValueError, match=said):
        fall(toy(*steps), result_of(DRAWN, status))


def test_the_steps_end_in_the_bound():
    with pytest.raises(ValueError, match="the last step must be bound"):
        Waterfall(theorem("expectation"), WATERFALLS[0].sim, SIZE, (JENSEN,))


# ------------------------------------------------------------------------------------- the command


def test_the_command(tmp_path):
    key = min(WATERFALLS, key=lambda w: len(w.steps)).key
    small = ["--profile", "quick", "--horizon", "60", "--runs", "24", "--engine", "eager", "--jobs", "1"]
    args = [
        "ledger",
        key,
        "--slack",
        *small,
        "--store",
        str(tmp_path / "st"),
        "--json",
        str(tmp_path / "w.json"),
    ]
    done = CliRunner().invoke(app, args)
    assert done.exit_code == 0, done.output
    assert "most is lost in" in done.output
    (one,) = json.loads((tmp_path / "w.json").read_text())["waterfalls"]
    assert np.prod([step["factor"] for step in one["steps"]]) == pytest.approx(one["slack"], rel=1e-12)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--slack", "--lines"], "show different things"),
        (["--slack", "--profile", "quicker"], "unknown profile"),
    ],
)
def test_wrong_use_is_one_sentence(args, said, tmp_path):
    done = CliRunner().invoke(app, ["ledger", *args, "--store", str(tmp_path)])
    assert done.exit_code == 2
    assert said in done.output.replace("\n", " ")


def test_a_theorem_without_one_is_said():
    other = next(k for k in catalog.theorems() if k not in {w.key for w in WATERFALLS})
    with pytest.raises(UsageError, match="has its right-hand sides recorded"):
        slack.waterfalls_of([other])

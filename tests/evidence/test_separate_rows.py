"""Rows are a sample only if each is computed from its own run: metrics that mix runs are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from workbench import evidence as ev
from workbench.claims.usable_rows import Refused, check_separate, unless_random
from workbench.cli.app import app
from workbench.engine.records import Result
from workbench.evidence.verdicts import Verdict, decide

MARKS = np.unique(np.geomspace(10, 10_000, 31).astype(int))
Metric = Callable[[Result], np.ndarray]


def result(runs: int, points: int = 1) -> Result:
    rng = np.random.default_rng([4805, runs])
    gap = (
        MARKS**-0.25
        * rng.normal(1, 0.02, (runs * points, 1))
        * rng.normal(1, 0.01, (runs * points, len(MARKS)))
    )
    size = runs * points
    params = {"p": np.repeat(np.arange(points, dtype=float), runs)}
    return Result(
        MARKS, {"gap": gap}, params, np.tile(np.arange(runs), points), np.zeros(size), np.zeros(size), {},
        np.zeros(len(MARKS)), meta={"noise": "drawn"},
    )  # fmt: skip


def of_gap(change: Callable[[np.ndarray], np.ndarray]) -> Metric:
    def metric(held: Result) -> np.ndarray:
        table = held.table("gap")
        return np.broadcast_to(change(table), table.shape)

    return metric


def differences(held: Result) -> np.ndarray:
    """Of two grid points, run by run."""
    first, second = np.split(held.table("gap"), 2)
    return np.concatenate([first - second, second - first])


MIXED = {
    "mean over runs": lambda g: g.mean(axis=0),
    "first run": lambda g: g[:1],
    "largest": lambda g: g.max(axis=0),
    "sorted": lambda g: np.sort(g, axis=0),
    "less the mean": lambda g: g - 0.01 * g.mean(axis=0),
    "neighbours": lambda g: (g + np.roll(g, 1, axis=0)) / 2,
    "ranks": lambda g: np.argsort(np.argsort(g, axis=0), axis=0).astype(float),
    "over the largest of all": lambda g: g / g.max(),
}
SEPARATE = {
    "itself": lambda g: g,
    "squared": lambda g: g**2,
    "of its own past": lambda g: np.minimum.accumulate(g, axis=1),
    "matrix product": lambda g: g @ np.tri(len(MARKS)),
    "not finite": lambda g: np.where(g > 0.3, np.nan, g),
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("runs", [2, 3, 32, 100])
def test_a_metric_that_mixes_runs_is_refused(name: str, runs: int) -> None:
    with pytest.raises(Refused, match="when other runs are left out"):
        check_separate(result(runs), of_gap(MIXED[name]))


@pytest.mark.parametrize("name", SEPARATE)
@pytest.mark.parametrize("runs", [1, 2, 3, 32, 100])
def test_a_metric_of_each_run_alone_is_not(name: str, runs: int) -> None:
    check_separate(result(runs), of_gap(SEPARATE[name]))


def test_grid_points_of_one_run_may_be_compared() -> None:
    check_separate(result(24, points=2), differences)


FROM_ELSEWHERE = MARKS**-0.25


@pytest.mark.parametrize("runs", [5, 24, 64])
def test_rows_that_coincide_although_what_they_are_made_of_differs_decide_nothing(runs: int) -> None:
    """Not even by chance, as an indicator may: a curve from elsewhere that is multiplied by nothing of the runs."""
    held = result(runs)

    def metric(held: Result) -> np.ndarray:
        return FROM_ELSEWHERE * np.ones_like(held.table("gap"))

    found = ev.rate(metric(held), MARKS, -0.25)
    assert found.exact
    (decision,) = decide([unless_random(found, held, np.ones(runs, bool), metric)])
    assert decision.verdict is Verdict.INCONCLUSIVE
    assert "all runs agree although gap, of which metric is made, differs" in decision.finding.note


def test_what_is_made_of_nothing_random_is_a_sample_as_before() -> None:
    held = result(30)

    def deterministic(held: Result) -> np.ndarray:
        return np.tile(FROM_ELSEWHERE, (held.size, 1))

    found = ev.rate(deterministic(held), MARKS, -0.25)
    kept = unless_random(found, held, np.ones(30, bool), deterministic)
    assert (kept.p_if_wrong, "the runs differ in gap" in kept.note) == (found.p_if_wrong, True)


PAPER = """
import numpy as np
import workbench as wb

State, Steps = wb.state("x"), wb.steps("eta")
PAPER = wb.Paper(__name__, "SGD", "me", "draft")

def init(start, c, oracle, draw, xp):
    return State(start["x"])

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta / t * oracle.grad(s.x, draw(0)))

def honest(result):
    return result.table("grad_norm") ** 2

def averaged(result):
    m = result.table("grad_norm") ** 2
    return np.broadcast_to(m.mean(axis=0, keepdims=True), m.shape)

STUDY = wb.Study(PAPER, metric=honest, view=wb.iterates(2))
SGD = STUDY.simulation(
    step, Steps(1.0), name="sgd", title="SGD", problem=wb.problems.Quadratic(wb.Sphere(1.0)), start={"x": 1.0},
    horizon=500, runs=32,
)
A = STUDY.reading(f"{PAPER.key}/a", SGD, claimed=wb.Claimed(-1.0, "true: 1/T"))
CLAIMS = (CLAIM,)
"""


@pytest.mark.parametrize(
    "claim",
    [
        "A.tight(metric=averaged)",
        "A.rate(metric=averaged)",
        'A.level(lambda T, **_: 1 / T, "1/T", metric=averaged)',
        "A.caught(metric=averaged)",
    ],
)
def test_verify_refuses_it_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mixes.py").write_text(PAPER.replace("CLAIM,", f"{claim},"))
    words = ["verify", "./mixes.py", "--profile", "quick", "--jobs", "1", "--engine", "eager", "--store", "s"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "the metric averaged gives a run other values when other runs are left out" in done.stderr

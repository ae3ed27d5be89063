"""What of a result is evidence: rows until they fail, and identical runs only where nothing is random."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
import toy_method

from workbench import evidence as ev
from workbench.arrays.noise import Sphere
from workbench.arrays.ops import branch
from workbench.claims.oracle_calls import Count
from workbench.claims.records import Batch, Simulation
from workbench.claims.usable_rows import unless_random, until_failure
from workbench.engine.records import Grid, Problem, Result, Run, Status
from workbench.engine.trial import draws_noise
from workbench.evidence.verdicts import Finding, NotEnough, Verdict, decide
from workbench.run import jobs
from workbench.run.options import Options

MARKS = np.unique(np.geomspace(10, 10_000, 31).astype(int))
HOLDS, OPEN = Verdict.HOLDS, Verdict.INCONCLUSIVE


def result(runs: int, noise: str = "drawn", failed: int = 0, at: int = 5000, **data: np.ndarray) -> Result:
    status = np.where(np.arange(runs) < failed, Status.NONFINITE, Status.OK)
    first = int(MARKS[at <= MARKS][0])
    return Result(
        MARKS, data, {}, np.arange(runs), status, np.where(status == Status.OK, 0, first), {},
        np.zeros(len(MARKS)), meta={"noise": noise},
    )  # fmt: skip


def curves(runs: int, spread: float = 0.02) -> np.ndarray:
    """T^-1/4 in expectation."""
    rng = np.random.default_rng(0)
    return MARKS**-0.25 * rng.normal(1, spread, (runs, 1)) * rng.normal(1, 0.002, (runs, len(MARKS)))


def every_kind(values: np.ndarray) -> dict[str, Finding]:
    """All kinds of evidence on the same curves, each of a claim that holds."""
    line, columns = MARKS**-0.25, [5, 15, -1]
    return {
        "bound": ev.bound(values, 2 * line, MARKS),
        "probability": ev.bound(values, 2 * line, MARKS, "probability", 0.004),
        "rate": ev.rate(values, MARKS, -0.25),
        "tight": ev.tight(values, MARKS, -0.25),
        "level": ev.level(values, MARKS, line),
        "same": ev.same(values, values[::-1], MARKS),
        "scaling": ev.scaling(values[:, columns], MARKS[columns], -0.25),
    }


@pytest.mark.parametrize("share", [0.0, 0.01])
def test_one_per_cent_of_failed_runs_blocks_every_kind_of_evidence(share: float) -> None:
    """Their metric stays finite and harmless; only the status tells that the iterate is gone."""
    held = result(2000, failed=int(share * 2000), gap=curves(2000))
    for name, finding in every_kind(until_failure(held).data["gap"]).items():
        assert (decide([finding])[0].verdict is HOLDS) == (not share), name
        assert ("0 of 2000 runs failed" in finding.note) == bool(share), name
    for name, finding in every_kind(held.data["gap"]).items():  # what the status is needed for
        assert decide([finding])[0].verdict is HOLDS, name


def test_values_before_the_failure_stay() -> None:
    held = result(3, failed=1, gap=curves(3))
    found = until_failure(held).data["gap"]
    assert np.isnan(found[0, MARKS >= 5000]).all()
    assert np.isfinite(found[0, MARKS < 5000]).all()
    np.testing.assert_array_equal(found[1:], held.data["gap"][1:])
    assert until_failure(result(3, gap=curves(3))).data["gap"] is not None
    whole = result(3, gap=curves(3))
    assert until_failure(whole) is whole


# ------------------------------------------------------------------------------------------- identical runs


def identical(runs: int) -> np.ndarray:
    return np.tile(MARKS**-0.25, (runs, 1))


def judged(held: Result) -> tuple[Verdict, str]:
    finding = ev.rate(held.data["gap"], MARKS, -0.25)
    assert finding.exact
    (decision,) = decide([unless_random(finding, held, np.ones(held.size, bool))])
    return decision.verdict, decision.finding.note


@pytest.mark.parametrize("noise", ["drawn", "none"])  # none: starts are random
def test_runs_that_agree_in_one_quantity_only_are_a_sample(noise: str) -> None:
    """A count, an indicator, or a maximum over the first iterations, agrees by chance."""
    verdict, note = judged(result(23, noise, gap=identical(23), loss=curves(23)))
    assert verdict is OPEN
    assert "the runs differ in loss, and 23 of them agree here perhaps by chance" in note
    held = result(64, noise, gap=identical(64), loss=curves(64))
    verdict, note = judged(held)
    assert (verdict, "differ in loss, and a share of runs up to 0.069" in note) == (HOLDS, True)
    assert not unless_random(ev.rate(held.data["gap"], MARKS, -0.25), held, np.ones(64, bool)).exact


def test_a_step_that_draws_needs_runs_enough_to_be_called_exact() -> None:
    assert judged(result(5, noise="none", gap=identical(5)))[0] is HOLDS
    verdict, note = judged(result(5, gap=identical(5)))
    assert verdict is OPEN
    assert "random numbers are drawn, and 5 of them agree here perhaps by chance" in note
    verdict, note = judged(result(64, gap=identical(64)))
    assert (verdict, "a share of runs up to 0.069 could differ here unseen" in note) == (HOLDS, True)


def test_only_the_rows_that_are_read_must_agree() -> None:
    """Without noise at one grid point, with noise at another."""
    held = result(60, gap=np.concatenate([identical(30), curves(30)]))
    held = replace(held, run_ids=np.tile(np.arange(30), 2))
    finding = ev.rate(held.data["gap"][:30], MARKS, -0.25)
    assert unless_random(finding, held, np.arange(60) < 30).exact
    assert not unless_random(finding, held, np.ones(60, bool)).exact


def test_what_is_not_exact_is_left_alone() -> None:
    held = result(64, gap=curves(64))
    finding = ev.rate(held.data["gap"], MARKS, -0.25)
    assert unless_random(finding, held, np.ones(64, bool)) is finding


# ------------------------------------------------------------------------------------------- in the workbench


class Late:
    """x + noise from the second iteration on."""

    class State(NamedTuple):
        x: Any

    @staticmethod
    def init(start: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        return Late.State(start["x"])

    @staticmethod
    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        return Late.State(*branch(t > 1, lambda: (s.x + draw(0).normal(1),), lambda: (s.x,), xp))


class Never(Late):
    @staticmethod
    def step(s: Any, t: Any, c: Any, oracle: Any, draw: Any, xp: Any) -> Any:
        return Late.State(s.x / 2)


@pytest.mark.parametrize(("method", "draws"), [(toy_method, True), (Late, True), (Never, False)])
def test_it_is_found_out_whether_a_step_draws(method: Any, draws: bool) -> None:
    """Noise of size 0 is drawn all the same."""
    steps, start = toy_method.Steps(1.0, 1.0), {"x": np.ones((3, 1))}
    problem = Problem(method, toy_method.Quadratic(Sphere(0.0)), steps, start)
    assert draws_noise(problem, Run(np.array([5]))) == draws


def make(horizon: int, runs: int) -> Batch:
    grid = Grid([{}], runs)
    return Batch(toy_method.Quadratic(Sphere(0.0)), toy_method.Steps(1.0, 1.0), {"x": grid.full(1.0)}, grid)


SIM = Simulation("toy/sim-a", "Toy", "toy_method", make, {"quick": 20}, {"quick": 2}, "practical")


def test_results_say_whether_noise_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "algorithm_of", lambda sim: toy_method)
    monkeypatch.setattr(jobs, "simulation_key", lambda *given: "key")
    job = jobs.prepare(SIM, Options(profile="quick"))
    assert jobs.execute(job, "numpy").meta["noise"] == "drawn"


def test_counts_of_failed_runs_are_left_out() -> None:
    count = Count("toy/thm-1", SIM, "gradient", 3)
    calls = np.full((4, len(MARKS)), 3 * MARKS[-1])
    calls[0] = 7
    held = replace(result(4, failed=1, gap=curves(4)), calls={"gradient": calls})
    finding = count.finding({SIM.key: held})
    assert (finding.p_if_wrong, "1 of 4 runs failed and are left out" in finding.note) == (0.0, True)
    assert count.finding({SIM.key: replace(held, status=np.zeros(4))}).p_if_right == 0.0
    with pytest.raises(NotEnough, match="every run failed"):
        count.finding({SIM.key: replace(held, status=np.ones(4))})


def test_runs_that_agree_in_what_is_recorded_are_not_exact_if_something_is_not() -> None:
    """A quantity that was left out of the result may differ: the start alone was random."""
    same = np.tile(MARKS**-0.25, (16, 1))
    whole = result(16, noise="none", gap=same)
    some = replace(whole, meta={**whole.meta, "recorded": "some"})
    finding, rows = ev.rate(same, MARKS, -0.25), np.ones(16, bool)
    assert unless_random(finding, whole, rows) is finding
    assert decide([unless_random(finding, some, rows)])[0].verdict == OPEN
    assert "not all is recorded" in unless_random(finding, some, rows).note

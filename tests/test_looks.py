"""Looks: claims are decided on the first runs that decide them, and no verdict depends on how the runs came about."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from from_catalog import claims_of, looked_at, multiplying, mutated, of_points
from scipy.special import stdtr
from sympy import Integer, Symbol
from test_runner import identical
from thin import one_in

from workbench.claims import interim_analyses as of_experiments
from workbench.claims import usable_rows
from workbench.claims.claims import Custom
from workbench.claims.oracle_calls import Count
from workbench.engine import rows
from workbench.engine.per_row import typed_record
from workbench.engine.records import Result, Status
from workbench.evidence import falsifier
from workbench.evidence import interim_analyses as looks
from workbench.evidence.budget import LEVEL
from workbench.evidence.stats import clopper_pearson
from workbench.evidence.verdicts import Finding
from workbench.ledger import status, trajectories
from workbench.ledger.claims import MeasuredCheck
from workbench.run import jobs, pending, pool, row_blocks
from workbench.run.options import Options, UsageError
from workbench.run.store.results import Store, StoreError
from workbench.theory.lemma import AlongTrajectory, Lemma
from workbench.theory.record import Paper
from workbench.verdicts import verify
from workbench.verdicts.calibration import interim_analyses

LEMMA = Lemma("demo/lem-1", Paper("demo", "", "", ""), "", "", "")
SHORT = Options("quick", backend="numpy", engine="eager", seed=5, horizon=40, jobs=1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks at every simulation of this process, however short."""
    monkeypatch.setattr(of_experiments, "WORK", 0)
    monkeypatch.setattr(looks, "LEAST", 2)


# ------------------------------------------------------------------------------------------------ error probability


def test_the_shares_of_the_looks_add_up_to_the_whole() -> None:
    for number in range(1, 9):
        shares = [looks.share(look, number) for look in range(1, number + 1)]
        assert sum(shares) == 1
        assert shares == sorted(shares)


@pytest.mark.parametrize("runs", [1, 2, 127, 128, 255, 256, 300, 1000, 1024, 9216])
def test_looks_are_halves_and_never_few_runs(runs: int) -> None:
    made = looks.sizes(runs)
    assert made[-1] == runs
    assert list(made) == sorted(set(made))
    assert len(made) <= looks.MOST
    assert all(n >= looks.LEAST for n in made[:-1])
    assert (len(made) > 1) == (runs >= 2 * looks.LEAST - 1)


def test_more_runs_come_with_no_larger_first_look() -> None:
    """An eighth that is too small is raised: 1,000 runs are looked at where 1,024 are."""
    first = [looks.sizes(runs)[0] for runs in range(2 * looks.LEAST, 8 * looks.LEAST + 1)]
    assert set(first) == {looks.LEAST}
    for runs in range(2 * looks.LEAST, 4000, 37):
        made = looks.sizes(runs)
        assert all(b >= looks.GROWTH * a for a, b in itertools.pairwise(made))


def of_normal_runs(values: np.ndarray) -> Finding:
    """A claim that a mean is at most 0, by Student's test."""
    n = len(values)
    t = values.mean() * np.sqrt(n) / values.std(ddof=1)
    return Finding("bound", 0.0, values.mean(), 0.0, 0.0, float(stdtr(n - 1, t)), float(stdtr(n - 1, -t)))


def test_looking_often_is_wrong_no_more_often_than_looking_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the edge of a claim, where wrong verdicts are as frequent as they may be: 5 % and no more.

    Without shares, more than 5 % would be wrong.
    """
    level, draws = 0.05, 4000
    monkeypatch.setattr(interim_analyses.Checks, "side", level)
    rng = np.random.default_rng(7)
    samples = rng.standard_normal((draws, 1024))

    def wrong() -> int:
        found = (
            interim_analyses.Checks().by_looks(lambda n, v=v: of_normal_runs(v[:n]), len(v)) for v in samples
        )
        return sum(f.p_if_right <= level for f in found)

    assert clopper_pearson(wrong(), draws, 0.005)[0] <= level
    monkeypatch.setattr(looks, "at_share", lambda finding, part: finding)
    assert clopper_pearson(wrong(), draws, 0.005)[0] > level


def test_a_look_is_judged_at_its_share() -> None:
    """Everything that has a level: both p-values, limits, advice and sensitivity."""
    whole = Finding(
        "rate",
        0.0,
        0.0,
        -1.0,
        1.0,
        0.001,
        0.4,
        limits=lambda level: (-level, level),
        advice=lambda level: f"{level:g}",
        rejects=lambda level: level,
    )
    part = looks.at_share(whole, 0.25)
    assert (part.p_if_wrong, part.p_if_right) == (0.004, 1.0)
    assert part.limits is not None
    assert part.advice is not None
    assert part.rejects is not None
    assert part.limits(0.04) == (-0.01, 0.01)
    assert part.advice(0.04) == "0.01"
    assert part.rejects(0.04) == 0.01
    assert (part.low, part.high) == part.limits(0.01)
    exact = dataclasses.replace(whole, p_if_wrong=0.0, p_if_right=1.0, exact=True)
    assert looks.at_share(exact, 0.25) is exact
    assert looks.at_share(whole, 1.0) is whole


def test_a_finding_ends_the_looks_only_if_it_is_decisive_one_way() -> None:
    def stated(holds: float, violated: float) -> Finding:
        return Finding("rate", 0.0, 0.0, 0.0, 0.0, holds, violated)

    assert looks.is_decisive(stated(0.01, 0.5), 0.01)
    assert looks.is_decisive(stated(0.5, 0.01), 0.01)
    assert not looks.is_decisive(stated(0.02, 0.5), 0.01)
    assert not looks.is_decisive(stated(0.0, 0.0), 0.01)


def test_looking_goes_on_where_more_runs_can_make_a_line_worth_more() -> None:
    """A decided claim that would have noticed no error of 1/12, while that is still to be had."""

    def holding(smallest: float, **fields: Any) -> Finding:
        return Finding("tight", 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, rejects=lambda level: smallest, **fields)

    near, far = 1.5 * looks.NOTICED, 3 * looks.NOTICED
    assert looks.is_settled(holding(looks.NOTICED), 0.01, 8.0)
    assert not looks.is_settled(holding(near), 0.01, 4.0)
    assert looks.is_settled(holding(near), 0.01, 2.0)  # the root of 2 is less than 1.5
    assert looks.is_settled(holding(far), 0.01, 8.0)
    assert not looks.is_settled(holding(math.inf), 0.01, 2.0)  # the line could not have failed
    assert looks.is_settled(dataclasses.replace(holding(near), evidence="bound"), 0.01, 4.0)
    assert looks.is_settled(holding(near, exact=True), 0.01, 4.0)
    assert not looks.is_settled(dataclasses.replace(holding(near), p_if_wrong=0.5), 0.01, 4.0)
    assert looks.is_settled(dataclasses.replace(holding(near), rejects=None), 0.01, 4.0)


def test_a_claim_goes_on_until_it_is_worth_something(
    store: Store, early: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its finding is that of the look at which it is."""
    (sim,) = mutated(1)
    made = jobs.prepare(sim, SHORT).looks

    def decided_at_once(claim, results, options, plan) -> Finding:
        runs = results[sim.key].runs
        smallest = math.inf if runs < made[1] else 0.01
        return Finding("rate", 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, runs=runs, rejects=lambda level: smallest)

    monkeypatch.setattr(verify, "evaluate", decided_at_once)
    (line,) = verify.verify(claims_of(sim), SHORT, store)
    assert line.decision.finding.runs == made[1]
    held = store.load(jobs.prepare(sim, SHORT).key)
    assert held is not None
    assert held.runs == made[1]


# ------------------------------------------------------------------------------------------------ results


def grown(sim, options: Options, store: Store) -> Iterator[Result]:
    """The result at each of its looks, each made from the one before."""
    for look in jobs.prepare(sim, options).looks:
        made = pool.ensure([sim], options, store, begin=lambda held, looks, look=look: look)[sim.key]
        assert made.runs == look
        identical(store.load(jobs.prepare(sim, options).key), made)
        yield made


@pytest.mark.parametrize("engine", ["eager", "fused"])
@pytest.mark.parametrize("number", one_in(2, [0, 1, 2]))
def test_a_result_that_grew_has_the_bits_of_one_made_whole(
    number: int, engine: str, store: Store, early: None
) -> None:
    sim = [*mutated(2), of_points(4)][number]
    options = dataclasses.replace(SHORT, engine=engine)
    job = jobs.prepare(sim, options)
    assert len(job.looks) > 1
    whole = jobs.execute(job, "numpy", options)
    for made in grown(sim, options, store):
        identical(made, of_experiments.first(whole, made.runs))
    identical(made, whole)


def test_there_is_one_look_where_bits_depend_on_the_company_or_runs_are_asked_for(early: None) -> None:
    assert len(jobs.prepare(multiplying(), SHORT).looks) == 1
    assert len(jobs.prepare(mutated(1)[0], dataclasses.replace(SHORT, fast=True)).looks) == 1
    assert jobs.prepare(mutated(1)[0], dataclasses.replace(SHORT, runs=64)).looks == (64,)
    with pytest.raises(ValueError, match="not of 0 and 3"):
        row_blocks.pieces(jobs.prepare(mutated(1)[0], SHORT), 0, 3)


def test_a_result_of_a_number_of_runs_that_is_no_look_is_made_anew(store: Store, early: None) -> None:
    """A file of a version that had other looks, or one that somebody has put there."""
    (sim,) = mutated(1)
    job = jobs.prepare(sim, SHORT)
    whole = jobs.execute(job, "numpy", SHORT)
    store.save(job.key, of_experiments.first(whole, job.looks[0] + 1))
    identical(pool.ensure([sim], SHORT, store)[sim.key], whole)


def test_another_process_may_have_stored_more_or_less_meanwhile(store: Store, early: None) -> None:
    (sim,) = mutated(1)
    job = jobs.prepare(sim, SHORT)
    whole = jobs.execute(job, "numpy", SHORT)
    for theirs in (job.looks[0], job.looks[-1]):
        store.save(job.key, of_experiments.first(whole, theirs))
        made, problem = pool._run_and_store(pending.Task(job, job.looks[1]), "numpy", SHORT, store, 1, None)
        assert problem is None
        assert made.runs == max(theirs, job.looks[1])
        identical(made, of_experiments.first(whole, made.runs))


def test_runs_that_could_not_be_stored_are_extended_all_the_same(
    store: Store, early: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "save", full)
    (sim,) = mutated(1)
    job = jobs.prepare(sim, SHORT)
    heard: list[str] = []

    def more(results: Mapping[str, Result]) -> list[str]:
        return [key for key, result in results.items() if result.runs < job.looks[-1]]

    made = pool.ensure([sim], SHORT, store, warn=heard.append, begin=pending.at_first, more=more)
    identical(made[sim.key], jobs.execute(job, "numpy", SHORT))
    assert len(heard) == len(job.looks)


# ------------------------------------------------------------------------------------------------ verdicts


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, list[verify.Line]]:
    """A simulation of the quick profile, verified in an empty store."""
    made = Store(tmp_path_factory.mktemp("looks"))
    return made, verify.verify(claims_of(looked_at()), LONG, made)


LONG = Options("quick", backend="numpy", engine="fused", jobs=1)


@pytest.fixture(scope="module")
def all_runs(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The same simulation with every run, made once."""
    return pool.ensure([looked_at()], LONG, Store(tmp_path_factory.mktemp("whole")))[looked_at().key]


def same_decisions(ours: list[verify.Line], theirs: list[verify.Line]) -> None:
    assert [line.claim for line in ours] == [line.claim for line in theirs]
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_equal(
            *(
                {k: v for k, v in dataclasses.asdict(x.decision).items() if not callable(v)}
                | {"finding": [v for v in dataclasses.astuple(x.decision.finding) if not callable(v)]}
                for x in (a, b)
            )
        )


def test_claims_that_are_decided_leave_the_other_runs_undone(once: tuple[Store, list[verify.Line]]) -> None:
    store, lines = once
    job = jobs.prepare(looked_at(), LONG)
    held = store.load(job.key)
    assert held is not None
    assert held.runs < job.looks[-1]
    assert max(line.decision.finding.runs for line in lines) == held.runs


def test_a_verdict_does_not_depend_on_how_the_runs_came_about(
    once: tuple[Store, list[verify.Line]], all_runs: Result, tmp_path: Path
) -> None:
    """Nor on what else was asked for: a store in which all runs are, and each claim alone."""
    store, lines = once
    full = Store(tmp_path / "full")
    full.save(jobs.prepare(looked_at(), LONG).key, all_runs)
    same_decisions(verify.verify(claims_of(looked_at()), LONG, full), lines)
    same_decisions(verify.verify(claims_of(looked_at()), LONG, store), lines)
    for line in lines:
        (alone,) = verify.verify([line.claim], LONG, full)
        assert alone.decision.finding.runs == line.decision.finding.runs
        assert alone.decision.finding.value == line.decision.finding.value


def failing_last(result: Result) -> Result:
    """The result, with one failure: of the last run, at its first grid point."""
    status, failed_at = result.status.copy(), result.failed_at.copy()
    row = np.flatnonzero(result.run_ids == result.run_ids.max())[0]
    status[row], failed_at[row] = Status.NONFINITE, result.marks[-1]
    return dataclasses.replace(result, status=status, failed_at=failed_at)


def test_a_run_that_fails_behind_the_deciding_look_counts(
    once: tuple[Store, list[verify.Line]], all_runs: Result, tmp_path: Path
) -> None:
    """No expectation holds while a run that was made has failed; all lines of the simulation are given all runs."""
    _, lines = once
    full, job = Store(tmp_path / "full"), jobs.prepare(looked_at(), LONG)
    full.save(job.key, failing_last(all_runs))
    made = verify.verify(claims_of(looked_at()), LONG, full)
    for before, now in zip(lines, made, strict=True):
        assert (before.decision.verdict, now.decision.verdict) == ("holds", "inconclusive")
        assert before.decision.finding.runs < now.decision.finding.runs == job.looks[-1] - 1
        assert f"1 of {job.looks[-1]} runs failed" in now.decision.finding.note


def test_a_decided_claim_is_looked_at_again_when_a_later_run_fails(all_runs: Result) -> None:
    whole, sim = failing_last(all_runs), looked_at()
    findings = verify._Findings(claims_of(sim), LONG)
    for number in jobs.prepare(sim, LONG).looks:
        fewer = {
            name: value
            for name, value in of_experiments.first(whole, number).meta.items()
            if name != of_experiments.BEHIND
        }
        results = {sim.key: dataclasses.replace(of_experiments.first(whole, number), meta=fewer)}
        while findings.make_one(results):
            pass
        at_most = {finding.p_if_wrong for finding, _ in findings._findings.values()}
    assert at_most == {1.0}


def test_failures_behind_are_those_of_the_grid_points_that_are_read(store: Store, early: None) -> None:
    """A bound with a probability, and a violation, are not touched: they only say so."""
    sim = of_points(4)
    whole = failing_last(pool.ensure([sim], SHORT, store)[sim.key])
    some = of_experiments.first(whole, whole.runs // 2)
    points = [tuple(values[row] for values in some.params.values()) for row in range(some.size)]
    here = np.array([point == points[0] for point in points])
    assert of_experiments.failed_behind(some) == of_experiments.failed_behind(some, here) == 1
    assert of_experiments.failed_behind(some, ~here) == of_experiments.failed_behind(whole) == 0
    of_mean = Finding("rate", 0.0, 0.0, 0.0, 0.0, 0.001, 0.4, of_mean=True)
    for finding, p in ((of_mean, 1.0), (dataclasses.replace(of_mean, of_mean=False), 0.001)):
        told = usable_rows.unless_failed_behind(finding, 1)
        assert (told.p_if_wrong, told.p_if_right) == (p, 0.4)
        assert "1 run of the same simulation failed behind these" in told.note
    assert usable_rows.unless_failed_behind(of_mean, 0) is of_mean


def test_processes_look_at_the_same_runs(once: tuple[Store, list[verify.Line]], tmp_path: Path) -> None:
    """Two simulations, so that there are two processes; the worker that extends a result is any of them."""
    store, lines = once
    key = jobs.prepare(looked_at(), LONG).key
    other = Store(tmp_path / "other")
    sims = [looked_at(), mutated(1)[0]]
    claims = [c for sim in sims for c in claims_of(sim)]
    both = verify.verify(claims, dataclasses.replace(LONG, jobs=2), other)
    ours = store.load(key)
    assert ours is not None
    identical(other.load(key), ours)
    assert [line.decision.finding.runs for line in both][: len(lines)] == [
        line.decision.finding.runs for line in lines
    ]


def test_an_undecided_claim_is_given_all_runs(
    store: Store, early: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many looks as there are, no more, and its finding is that of the last one at half of the level."""
    (sim,) = mutated(1)
    seen: list[int] = []

    def open_(claim, results, options, plan) -> Finding:
        seen.append(results[sim.key].runs)
        return Finding("bound", 0.0, 0.0, 0.0, 0.0, 0.2, 0.3, runs=seen[-1])

    monkeypatch.setattr(verify, "evaluate", open_)
    (line,) = verify.verify(claims_of(sim), SHORT, store)
    looked_for = jobs.prepare(sim, SHORT).looks
    assert tuple(seen) == looked_for
    assert (line.decision.finding.p_if_wrong, line.decision.finding.runs) == (0.4, looked_for[-1])


def test_the_level_at_which_looks_end_is_that_of_the_whole_paper() -> None:
    """Whichever of its claims are asked for."""
    of_sim = claims_of(looked_at())
    paper = [c for c in verify.claims() if verify.family_of(c) == verify.family_of(of_sim[0])]
    both = (verify.sides(of_sim, "quick"), verify.sides(paper, "quick"))
    assert both[0][0] == both[1][paper.index(of_sim[0])]
    assert 0 < both[0][0] < LEVEL / 2


def test_replay_extends_a_result_that_lacks_the_run(store: Store, early: None) -> None:
    from workbench.run import replay

    sim = of_points(4)
    job = jobs.prepare(sim, SHORT)
    pool.ensure([sim], SHORT, store, begin=pending.at_first)
    last = job.batch.grid.rows - 1
    assert last not in row_blocks.row_numbers(job, job.looks[0])
    for row in (0, last):
        held = pool.ensure([sim], SHORT, store, begin=replay.looks_with(job, row))[sim.key]
        alone = replay.replay(job, row, "numpy", SHORT)
        at = replay.position(job, held, row)
        assert all(cell.gap == 0 for cell in replay.comparison(held, at, alone))
        assert replay.outcome(job, held, at, alone).same
    with pytest.raises(UsageError):
        replay.check_run(job, last + 1)


# ------------------------------------------------------------------------------------------------ found by attack


def test_what_no_run_contradicts_waits_for_all_runs() -> None:
    """A line that one run in 200 violates would look flawless on the first of them."""
    line = AlongTrajectory("line", Symbol("x"), Integer(1), on=("s",))

    def looked_at_first(values: np.ndarray) -> Finding:
        record = trajectories.Record(
            {"x": values},
            np.arange(1, values.shape[1] + 1),
            np.ones(len(values), bool),
            np.zeros(len(values), int),
            3,
        )
        return trajectories.finding(LEMMA, line, {"s": record})

    values = np.full((1024, 3), 0.5) + 0.1 * np.random.default_rng(0).random((1024, 1))
    values[1000] = 2.0
    early = looked_at_first(values[:128])
    assert (early.p_if_wrong, early.provisional) == (0.0, True)
    assert "a share of runs up to 0.035 could misbehave unseen" in early.note
    assert not looks.is_settled(early, 0.01, 8.0)
    assert looks.is_settled(early, 0.01, 1.0)
    late = looked_at_first(values)
    assert (late.p_if_right, late.provisional) == (0.0, False)
    assert looks.is_settled(late, 0.01, 8.0)
    assert not looked_at_first(np.full((128, 3), 0.5)).provisional  # runs without randomness
    assert not looks.is_settled(falsifier(early), 0.01, 8.0)  # what has not been caught yet may be
    assert looks.is_settled(falsifier(late), 0.01, 8.0)


def test_counts_that_differ_between_runs_wait_for_all_of_them(store: Store) -> None:
    sim = mutated(1)[0]
    result = pool.ensure([sim], SHORT, store)[sim.key]
    resource, calls = next((n, c) for n, c in result.calls.items() if len(c) == 1)
    claim = Count("p/thm", sim, resource, float(calls[0, -1]) / result.horizon)
    assert not claim.finding({sim.key: result}).provisional
    each = dataclasses.replace(result, calls={resource: np.repeat(calls, result.size, axis=0)})
    finding = claim.finding({sim.key: each})
    assert (finding.p_if_wrong, finding.provisional) == (0.0, True)
    assert "unseen" in finding.note


def test_simulations_with_the_same_runs_are_read_at_the_same_runs(store: Store) -> None:
    """Their rows may be compared in pairs, though one of them is short enough to have a single look."""
    sims = mutated(2)
    one, two = (pool.ensure([s], SHORT, store)[s.key] for s in sims)
    runs = one.runs
    half = of_experiments.with_looks(one, (runs // 2, runs))
    whole = of_experiments.with_looks(two, (runs,))
    assert of_experiments.runs_at_look({"a": half, "b": whole}, 1, 2) == {"a": runs // 2, "b": runs // 2}
    assert of_experiments.runs_at_look({"a": half, "b": whole}, 2, 2) == {"a": runs, "b": runs}
    other = of_experiments.with_looks(two, (runs + 1,))
    assert of_experiments.runs_at_look({"a": half, "b": other}, 1, 2) == {"a": runs // 2, "b": runs + 1}


def test_looks_end_at_no_larger_level_than_the_verdict_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims without a simulation that are no exact ones belong to the family as well."""
    of_sim = claims_of(looked_at())[:1]
    paper = of_sim[0].key.split("/")[0]
    sampled = [
        Custom(f"{paper}/thm", "bound", f"sampled {n}", lambda results: of_normal_runs(np.arange(9.0)))
        for n in range(50)
    ]
    monkeypatch.setattr(verify, "selected_claims", lambda keys: [*of_sim, *sampled])
    assert verify.sides(of_sim, "quick") == [LEVEL / 2 / 51]


def test_a_smaller_result_replaces_no_larger_one(
    store: Store, early: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two commands the one that wants fewer runs may be the last to save."""
    (sim,) = mutated(1)
    job = jobs.prepare(sim, SHORT)
    whole = jobs.execute(job, "numpy", SHORT)
    extended = pool.extend

    def slowly(*args: Any) -> Result:
        made = extended(*args)
        store.save(job.key, whole)
        return made

    monkeypatch.setattr(pool, "extend", slowly)
    made, problem = pool._run_and_store(pending.Task(job, job.looks[0]), "numpy", SHORT, store, 1, None)
    assert problem is None
    identical(made, whole)
    identical(store.load(job.key), whole)


def test_a_claim_whose_runs_are_not_all_there_says_so(store: Store, early: None) -> None:
    """Judging what is in the store, as a report does, after a command that asked for other claims."""
    (sim,) = mutated(1)
    results = pool.ensure([sim], SHORT, store, begin=pending.at_first)
    lines = verify.lines_from(claims_of(sim), results, SHORT, store)
    told = [x.decision.decides for x in lines if x.decision.verdict == "inconclusive"]
    assert told
    assert set(told) == {verify.MISSING}


def test_the_ledger_has_the_verdicts_of_the_table(store: Store, early: None) -> None:
    """Whatever else was added to the store since: one run, not among the first, makes every line wrong."""
    claims = [c for c in verify.claims() if isinstance(c, MeasuredCheck) and "quick" in c.profiles]
    claim = next(c for c in claims if isinstance(c.item, AlongTrajectory) and len(c.needs) == 1)
    (sim,) = verify.simulations_of([claim])
    results = pool.ensure([sim], SHORT, store)
    (line,) = verify.lines_from([claim], results, SHORT, store)
    paper = claim.lemma.paper.key
    found = verify.measured(verify.measured_lines([paper], results, SHORT, store))
    assert found[claim.lemma.key, claim.item.name] == line.decision.verdict
    assert status.links([claim.lemma], {}, None)[claim.lemma.key].words != ""


def test_columns_in_a_tuple_are_cut_like_all_others() -> None:
    column, shared = np.arange(8.0)[:, None], np.arange(8.0)[None, :]
    cut = rows.cut(typed_record((column, [shared, 2.0]), 8), slice(2, 5))
    assert np.array_equal(cut[0], column[2:5])
    assert cut[1][0] is shared

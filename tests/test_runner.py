"""From simulations to stored results: what is computed, what is not computed again, and that every way gives the same
bits."""

from __future__ import annotations

import dataclasses
import multiprocessing
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from discover import same
from from_catalog import claims_of, multiplying, mutated, of_points

from workbench.claims.records import Simulation
from workbench.engine.marks import log_marks
from workbench.engine.records import Result
from workbench.ledger.claims import ExactCheck
from workbench.run import jobs, pool, replay
from workbench.run.options import Options, UsageError
from workbench.run.store.results import Store, StoreError
from workbench.verdicts import verify

ONE, TWO = mutated(2)
THREE = of_points(4)
# One engine: the automatic choice depends on how busy the machine is, and results name their engine.
SMALL = Options("quick", backend="numpy", engine="eager", seed=5, horizon=40, runs=3, jobs=1)


def identical(a: Result, b: Result) -> None:
    """The same bits in everything but the wall clock."""
    assert a.data.keys() == b.data.keys()
    for name, values in a.data.items():
        same(values, b.data[name])
    for field in ("marks", "run_ids", "status", "failed_at"):
        np.testing.assert_array_equal(getattr(a, field), getattr(b, field))
    for field in ("params", "calls", "constants", "steps"):
        for name, values in getattr(a, field).items():
            np.testing.assert_array_equal(values, getattr(b, field)[name])
    assert a.meta == b.meta


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the simulations that are really run, in order."""
    keys: list[str] = []
    execute = jobs.execute

    def counted(job: jobs.Job, *rest: object) -> Result:
        keys.append(job.simulation.key)
        return execute(job, *rest)

    monkeypatch.setattr(pool, "execute", counted)
    return keys


# ------------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"profile": "fast"}, "unknown profile 'fast'; choose one of quick, default, full"),
        ({"engine": "warp"}, "unknown engine 'warp'"),
        ({"horizon": 0}, "at least 1, got 0"),
        ({"horizon": 1 << 32}, r"below 2\^32"),  # iterations are 32-bit words of the noise's address
        ({"runs": 1}, "at least 2 runs, got 1"),
        ({"runs": 1 << 32}, r"below 2\^32"),
        ({"seed": -1}, r"\[0, 2\^64\), got -1"),
        ({"seed": 1 << 64}, r"\[0, 2\^64\)"),
        ({"jobs": 0}, "at least 1, got 0"),
    ],
)
def test_options_that_cannot_be_meant(wrong: dict, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Options(**wrong)


# ------------------------------------------------------------------------------------------------ prepare


def test_numbers_come_from_the_profile_unless_given() -> None:
    for profile in ("quick", "default"):
        job = jobs.prepare(ONE, Options(profile))
        assert job.marks[-1] == ONE.horizon[profile]
        assert job.batch.grid.runs == ONE.runs[profile]
    job = jobs.prepare(ONE, SMALL)
    assert (job.marks[-1], job.batch.grid.runs) == (40, 3)


def test_marks_of_the_simulation_up_to_the_horizon() -> None:
    odd = dataclasses.replace(ONE, marks=(13, 37, 999))
    marks = set(jobs.prepare(odd, SMALL).marks.tolist())
    assert marks == {13, 37, *log_marks(40).tolist()}


def test_the_key_knows_what_the_numbers_depend_on() -> None:
    """And not what they do not depend on: profile name, processes, backend."""
    key = jobs.prepare(ONE, SMALL).key
    for change in ({"seed": 6}, {"horizon": 41}, {"runs": 4}):
        assert jobs.prepare(ONE, dataclasses.replace(SMALL, **change)).key != key
    for change in ({"profile": "full"}, {"jobs": 7}, {"backend": "array-api-strict"}):
        assert jobs.prepare(ONE, dataclasses.replace(SMALL, **change)).key == key


# ------------------------------------------------------------------------------------------------ execute


def test_a_result_says_how_it_was_made() -> None:
    result = jobs.execute(jobs.prepare(ONE, SMALL), "numpy")
    assert result.meta["simulation"] == ONE.key
    assert result.meta["kind"] == "falsifier"
    assert result.meta["chosen"] == ONE.chosen
    assert result.runs == 3
    assert result.horizon == 40
    identical(result, jobs.execute(jobs.prepare(ONE, SMALL), "numpy"))


def test_the_seed_moves_the_noise() -> None:
    a, b = (jobs.execute(jobs.prepare(ONE, dataclasses.replace(SMALL, seed=s)), "numpy").data for s in (5, 6))
    assert any((a[name] != b[name]).any() for name in a)  # in single runs signs may agree by chance


def test_a_mutant_is_not_its_parent() -> None:
    wrong = jobs.execute(jobs.prepare(ONE, SMALL), "numpy")
    right = jobs.execute(jobs.prepare(dataclasses.replace(ONE, mutation=None), SMALL), "numpy")
    assert any((wrong.data[name] != right.data[name]).any() for name in wrong.data)


# ------------------------------------------------------------------------------------------------- replay


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], 0.0),
        ([0.0, 0.0], [0.0, -0.0], 0.0),
        ([4.0, 1e-9], [4.0, 2e-9], 0.25e-9),  # against the size of the curve, not of the entry
        ([1.0, 1.0], [1.0, np.nan], np.inf),
        ([1.0, np.inf], [1.0, -np.inf], np.inf),
        ([np.inf, 2.0], [np.inf, 1.0], 0.5),
    ],
)
def test_relative_difference(a: list[float], b: list[float], expected: float) -> None:
    assert replay.relative_difference(np.array(a), np.array(b)) == pytest.approx(expected, rel=1e-12)


def test_what_a_replay_shows() -> None:
    """Round-off is an excuse for who multiplies matrices, and for nobody else."""
    plain = jobs.prepare(ONE, SMALL)
    data = jobs.prepare(multiplying(), SMALL)
    stored = np.array([[1.0, 2.0]])
    for job in (plain, data):
        assert replay.of_curves(job, stored, stored) == replay.Outcome(True, "same bits")
        assert not replay.of_curves(job, stored, stored * 1.01).same
    nearly = stored * (1 + 1e-15)
    assert not replay.of_curves(plain, stored, nearly).same
    assert replay.of_curves(data, stored, nearly).same


@pytest.mark.parametrize("run", [-1, 3, 10**6])
def test_a_row_that_is_not_there(run: int) -> None:
    with pytest.raises(UsageError, match=rf"runs 0 to 2, not {run}"):
        replay.replay(jobs.prepare(ONE, SMALL), run, "numpy")


# ------------------------------------------------------------------------------------------------- ensure


def test_only_what_is_missing_is_computed(store: Store, computed: list[str]) -> None:
    told: list[tuple[str, bool]] = []
    first = pool.ensure([ONE], SMALL, store)
    again = pool.ensure([ONE, TWO], SMALL, store, lambda sim, stored: told.append((sim.key, stored)))
    assert computed == [ONE.key, TWO.key]
    assert told == [(ONE.key, True), (TWO.key, False)]
    identical(first[ONE.key], again[ONE.key])
    pool.ensure([ONE], dataclasses.replace(SMALL, seed=6), store)
    assert computed == [ONE.key, TWO.key, ONE.key]


@pytest.mark.parametrize("runs", [2, jobs.ON_DEVICE])
def test_a_gpu_gets_the_large_batches_unless_it_is_asked_for(runs: int) -> None:
    """By the rows of the whole batch, so that a simulation that grows by looks stays where it is."""
    job = jobs.prepare(ONE, dataclasses.replace(SMALL, runs=runs))
    large = job.batch.grid.rows >= jobs.ON_DEVICE
    assert large is (runs > 2)
    free, asked = (dataclasses.replace(SMALL, backend=name) for name in ("auto", "cupy"))
    assert jobs.backend_of(job, "cupy", free) == ("cupy" if large else "numpy")
    assert jobs.backend_of(job, "cupy", asked) == "cupy"
    assert jobs.backend_of(job, "numpy", free) == "numpy"


def test_a_backend_asked_for_by_name_is_used(store: Store, computed: list[str]) -> None:
    """Without a name any stored result will do: backends agree up to round-off."""
    for backend, times in (("numpy", 1), ("auto", 1), ("array-api-strict", 2), ("auto", 2), ("numpy", 3)):
        result = pool.ensure([ONE], dataclasses.replace(SMALL, backend=backend), store)[ONE.key]
        assert len(computed) == times
        assert backend in ("auto", result.meta["backend"])


def test_long_simulations_go_first(store: Store, computed: list[str]) -> None:
    """So that processes end at about the same time."""
    sims = [ONE, of_points(3)]  # 1 point, several points
    pool.ensure(sims, dataclasses.replace(SMALL, runs=50), store)
    assert computed == [sims[1].key, sims[0].key]


def test_processes_give_the_bits_of_one_process(store: Store, tmp_path: Path) -> None:
    sims = [ONE, TWO, THREE]
    serial = pool.ensure(sims, SMALL, store)
    other = Store(tmp_path / "other")
    parallel = pool.ensure(sims, dataclasses.replace(SMALL, jobs=2), other)
    for sim in sims:
        identical(serial[sim.key], parallel[sim.key])
    assert {e.key for e in store.entries()} == {e.key for e in other.entries()}


@pytest.mark.long
def test_this_process_works_while_others_compute(store: Store) -> None:
    """One piece of work at a time, with what is finished by then; and no longer than there is some."""
    seen: list[set[str]] = []

    def idle(results: Mapping[str, Result]) -> bool:
        seen.append(set(results))
        return len(seen) % 3 > 0

    sims = [ONE, TWO, THREE]
    pool.ensure(sims, dataclasses.replace(SMALL, jobs=2), store, idle=idle)
    assert seen[0] == set()
    assert all(before <= after <= {s.key for s in sims} for before, after in pairwise(seen))
    seen.clear()
    pool.ensure(sims, dataclasses.replace(SMALL, jobs=2), store, idle=idle)
    assert seen == [{s.key for s in sims}] * 3  # nobody to wait for, and what is found may ask for more


@pytest.mark.long
def test_a_result_deleted_before_it_is_read_is_computed_again(
    store: Store, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the save of a worker and the load of the command."""
    sims = [ONE, TWO]
    serial = pool.ensure(sims, SMALL, store)
    computed.clear()
    load, lost = Store.load, Store(store.folder.with_name("other"))

    def once(self: Store, key: str) -> Result | None:
        if self.path(key).exists() and key not in deleted:
            deleted.append(key)
            self.path(key).unlink()
        return load(self, key)

    deleted: list[str] = []
    monkeypatch.setattr(Store, "load", once)
    parallel = pool.ensure(sims, dataclasses.replace(SMALL, jobs=2), lost)
    assert sorted(computed) == sorted(s.key for s in sims)
    for sim in sims:
        identical(serial[sim.key], parallel[sim.key])


def test_an_interrupt_keeps_what_is_finished(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    execute, begun = jobs.execute, []

    def interrupted(job: jobs.Job, *rest: object) -> Result:
        begun.append(job.simulation.key)
        if len(begun) == 3:
            raise KeyboardInterrupt
        return execute(job, *rest)

    sims = [ONE, TWO, THREE]
    with monkeypatch.context() as m:
        m.setattr(pool, "execute", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.ensure(sims, SMALL, store)
    held = {s.key for s in sims if store.has(jobs.prepare(s, SMALL).key)}
    assert held == set(begun[:2])


def test_a_killed_process_is_reported_and_the_rest_kept(store: Store) -> None:
    """What a machine out of memory does to one of several processes."""
    sims = [*mutated(4), THREE]

    def kill(sim: Simulation, stored: bool) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    options = dataclasses.replace(SMALL, horizon=20_000, jobs=2)
    with pytest.raises(UsageError, match=r"a worker process was killed .* smaller --jobs"):
        pool.ensure(sims, options, store, kill)
    assert 1 <= len(store.entries()) < len(sims)


def test_a_full_disk_costs_nothing_but_the_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, computed: list[str]
) -> None:
    save = Store.save

    def full(self: Store, key: str, result: Result) -> None:
        if result.meta["simulation"] == ONE.key:
            raise StoreError("cannot write to the store: the disk is full")
        save(self, key, result)

    monkeypatch.setattr(Store, "save", full)
    heard: list[str] = []
    results = pool.ensure([ONE, TWO], SMALL, store, warn=heard.append)
    assert set(results) == {ONE.key, TWO.key}
    assert len(heard) == 1
    assert heard[0].startswith(f"{ONE.key} was computed but could not be stored: ")
    assert [e.attributes["simulation"] for e in store.entries()] == [TWO.key]
    monkeypatch.undo()
    identical(pool.ensure([ONE], SMALL, store)[ONE.key], results[ONE.key])


def test_a_process_sends_back_only_what_it_could_not_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker does, called here: results are large, and the store is between the processes anyway."""
    key = jobs.prepare(ONE, SMALL).key
    words = (ONE.key, SMALL, "numpy", str(store.folder))
    assert pool._work(*words, key, 3) == (None, None)
    identical(store.load(key), jobs.execute(jobs.prepare(ONE, SMALL), "numpy"))

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Store, "save", full)
    store.path(key).unlink()
    result, problem = pool._work(*words, key, 3)
    identical(jobs.execute(jobs.prepare(ONE, SMALL), "numpy"), result)
    assert problem == f"{ONE.key} was computed but could not be stored: the disk is full"


def test_a_source_edited_between_two_processes_is_noticed(store: Store) -> None:
    """The worker read other code than the command: its result must not get the command's key."""
    with pytest.raises(UsageError, match="changed while this command was starting"):
        pool._work(ONE.key, SMALL, "numpy", str(store.folder), "another-key", 3)
    assert store.entries() == []


def test_a_store_that_cannot_be_written_is_refused_before_anything_runs(
    tmp_path: Path, computed: list[str]
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="a file where the folder should be"):
        pool.ensure([ONE], SMALL, Store(tmp_path / "file"))
    assert computed == []


def damaged(path: Path) -> Iterator[bytes]:
    whole = path.read_bytes()
    yield whole[: len(whole) // 2]
    yield whole[:100] + bytes([whole[100] ^ 1]) + whole[101:]
    yield b""


def test_a_damaged_file_is_set_aside_and_its_result_comes_back(store: Store, computed: list[str]) -> None:
    first = pool.ensure([ONE], SMALL, store)[ONE.key]
    path = store.path(jobs.prepare(ONE, SMALL).key)
    for n, content in enumerate(damaged(path), start=1):
        path.write_bytes(content)
        heard: list[str] = []
        again = pool.ensure([ONE], SMALL, store, warn=heard.append)[ONE.key]
        identical(first, again)
        assert len(heard) == 1
        assert f"it was renamed to {path.name}.damaged-{n}" in heard[0]
        assert path.with_name(f"{path.name}.damaged-{n}").read_bytes() == content
    assert computed == [ONE.key] * 4


def test_an_unknown_simulation_is_an_error_not_an_omission() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        pool.select({}, ["nowhere"])


def test_findings_are_made_as_soon_as_they_can_be(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Early or late, each claim once, and the same verdicts in the same order."""
    claims, _ = verify.chosen_claims([claims_of(ONE)[0].key], Options("quick"))
    claims = [c for c in claims if c.needs in ((), (ONE.key,)) and not isinstance(c, ExactCheck)]
    assert {len(c.needs) for c in claims} == {0, 1}
    late = verify.verify(claims, SMALL, store)
    made: list[str] = []

    def computed(*words: Any) -> dict[str, Result]:
        *asked, make_one, begin, more = words
        results = ensure(*asked, begin=begin)
        assert more(results) == []
        while make_one({}):
            made.append("without")
        while make_one(results):
            made.append("with")
        return results

    ensure = pool.ensure
    monkeypatch.setattr(verify, "ensure", computed)
    early = verify.verify(claims, SMALL, store)
    assert made == ["without" if not c.needs else "with" for c in sorted(claims, key=lambda c: len(c.needs))]
    assert [line.decision.verdict for line in early] == [line.decision.verdict for line in late]
    assert [line.claim for line in early] == claims

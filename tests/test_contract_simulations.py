"""What every simulation of the catalog keeps, whatever paper it comes from; a new one is picked up by itself.

Steps alone, on every instance that fits them: `test_contract`. Here they run as the catalog has them: on their grids,
with their schedules, mutated, beside their probes.
"""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest
from discover import same
from from_catalog import multiplying, plain
from thin import one_in
from toy_method import Dense, Quadratic, Steps

from workbench.claims.records import PROFILES, Batch, Simulation
from workbench.engine.records import Grid, Result, Status
from workbench.run import catalog, jobs, replay
from workbench.run.options import Options
from workbench.run.store.fingerprint import multiplies_matrices
from workbench.run.store.sources import reaches

SIMULATIONS = catalog.simulations()
SMALL = Options("quick", horizon=6, runs=2)
each_simulation = pytest.mark.parametrize("sim", SIMULATIONS.values(), ids=SIMULATIONS)


def methods() -> list[str]:
    """The first simulation of each algorithm with its mutation and its probe."""
    found: dict[tuple[object, ...], str] = {}
    for sim in SIMULATIONS.values():
        found.setdefault((sim.algorithm, sim.mutation, sim.probe, sim.kind == "paper"), sim.key)
    return list(found.values())


FIRST = methods()
costly = pytest.mark.parametrize(
    "sim",
    [s if s.key in FIRST else pytest.param(s, marks=pytest.mark.long) for s in SIMULATIONS.values()],
    ids=SIMULATIONS,
)


@cache
def job_of(key: str) -> jobs.Job:
    return jobs.prepare(SIMULATIONS[key], SMALL)


@cache
def result_of(key: str) -> Result:
    return jobs.execute(job_of(key), "numpy")


@each_simulation
def test_a_simulation_is_complete(sim: Simulation) -> None:
    assert sim.key.split("/")[1].startswith("sim-")
    assert sim.title
    assert sim.chosen, "an experiment says what it chose"
    assert set(sim.horizon) == set(sim.runs) == set(PROFILES)
    for numbers in (sim.horizon, sim.runs):
        assert all(isinstance(numbers[p], int) and numbers[p] > 0 for p in PROFILES)
    assert sim.horizon["quick"] <= sim.horizon["default"] <= sim.horizon["full"]
    assert min(sim.runs.values()) >= 2, "one run shows no spread"
    algorithm = jobs.algorithm_of(sim)
    assert algorithm.TITLE
    assert algorithm.step is not None


@costly
def test_batches_fit_their_grid(sim: Simulation) -> None:
    """At the numbers of the longest profile, where a schedule may depend on the horizon, and at small ones."""
    sizes = [(sim.horizon["full"], sim.runs["full"]), (100, 2)]
    for horizon, runs in sizes:
        batch = sim.make(horizon, runs)
        assert batch.grid.rows == len(batch.grid.points) * runs
        assert all(v.shape == (batch.grid.rows,) for v in batch.grid.params.values())
        assert all(v.ndim == 2 and len(v) == batch.grid.rows for v in batch.start.values())
        assert all(np.ndim(v) == 0 or v.shape == (batch.grid.rows, 1) for v in batch.steps)


@costly
def test_a_simulation_runs(sim: Simulation) -> None:
    whole = result_of(sim.key)
    assert (whole.status == Status.OK).all()
    assert whole.marks.tolist() == [1, 2, 3, 4, 5, 6]
    assert whole.meta["simulation"] == sim.key


@pytest.mark.parametrize("key", one_in(3, FIRST))
def test_any_row_can_be_replayed_alone(key: str) -> None:
    """The first row, the last, and one in the middle: bit for bit, by round-off where matrices are multiplied."""
    job, whole = job_of(key), result_of(key)
    rtol = replay.ROUND_OFF if multiplies_matrices(job.batch) else 0.0
    for run in {0, whole.size // 2, whole.size - 1}:
        alone = replay.replay(job, run, "numpy")
        assert alone.run_ids.tolist() == [whole.run_ids[run]]
        assert {n: v[0] for n, v in alone.params.items()} == {n: v[run] for n, v in whole.params.items()}
        for name, values in alone.data.items():
            same(values[0], whole.data[name][run], rtol)


@pytest.mark.parametrize("key", one_in(8, FIRST[::6]))  # the strict namespace is slow
def test_numpy_and_strict_give_the_same_bits(key: str, no_implicit_copies: None) -> None:
    """Whole simulations: batches, mutants, probes, records. (Each pair of algorithm and instance: `test_contract`.)"""
    job = jobs.prepare(SIMULATIONS[key], Options("quick", horizon=2, runs=2))
    ours, theirs = (jobs.execute(job, name) for name in ("numpy", "array-api-strict"))
    rtol = replay.ROUND_OFF if multiplies_matrices(job.batch) else 0.0
    assert ours.data.keys() == theirs.data.keys()
    for name, values in ours.data.items():
        same(values, theirs.data[name], rtol)
    same(ours.status, theirs.status)
    for name, calls in ours.calls.items():
        same(calls, theirs.calls[name])


def test_keys_and_seeds_of_simulations_differ() -> None:
    """Two experiments share neither a result nor, by accident, their noise."""
    made = [job_of(key) for key in SIMULATIONS]
    assert len({job.key for job in made}) == len({job.seed for job in made}) == len(SIMULATIONS)


def test_who_multiplies_matrices() -> None:
    """Read off the sources of the instance; everybody else is asked for bits above."""
    grid = Grid([{}], 2)
    for instance, expected in ((Quadratic(), False), (Dense(), True)):
        batch = Batch(instance, Steps(1.0, 1.0), {"x": np.ones((2, 3))}, grid)
        assert multiplies_matrices(batch) is expected
        moved = dataclasses.replace(batch, instance={"inside": (instance,)})
        assert multiplies_matrices(moved) is expected
    assert any(plain())
    assert multiplying().kind == "paper"
    assert not reaches(
        {"workbench.problems.hypergradients:KnowsHypergradient"}, ("MatMult",)
    )  # of scalars as well

"""Starts, phases and samples of data come from the user's seed."""

from __future__ import annotations

import numpy as np

from workbench.claims.runs import Runs, first_draws, generators, random_start
from workbench.engine.records import Grid
from workbench.run import catalog, jobs
from workbench.run.options import Options

GRID = Grid([{"a": 1.0}, {"a": 2.0}], 5)


def test_another_seed_draws_other_starts():
    first, second = (random_start(Grid(GRID.points, Runs(5, seed)), -1.0, 2.0, 4) for seed in (3, 4))
    assert first.shape == (10, 4)
    assert first.min() >= -1.0
    assert first.max() <= 2.0
    assert np.all(first != second)


def test_points_of_a_grid_share_their_starts_and_runs_do_not():
    start = random_start(GRID, 0.0, 1.0)
    np.testing.assert_array_equal(start[:5], start[5:])
    assert len(np.unique(start)) == 5


def test_the_number_of_runs_does_not_change_a_run():
    np.testing.assert_array_equal(random_start(Grid([{}], 9), 0.0, 1.0)[:5], random_start(GRID, 0.0, 1.0)[:5])


def test_a_plain_number_of_runs_has_the_seed_0():
    seeds = [first_draws(Grid(GRID.points, runs))(0).uniform(1) for runs in (5, Runs(5), Runs(5, 8))]
    np.testing.assert_array_equal(seeds[0], seeds[1])
    assert np.all(seeds[0] != seeds[2])


def test_more_runs_have_the_same_seed_and_data():
    more = Runs(5, 8, "real").more(2)
    assert (more, more.seed, more.data, more.asked_for_real) == (7, 8, "real", False)


def test_generators_differ_by_name_run_and_seed():
    def first(name: str, seed: int) -> list[float]:
        return [random.random() for random in generators(GRID.run_ids, name, seed)]

    found = first("points", 0)
    assert found[:5] == found[5:]
    assert len({*found, *first("weights", 0), *first("points", 1)}) == 15


def noiseless() -> list[str]:
    """Simulations whose runs differ in what is drawn before the first iteration, and in nothing else."""
    found = []
    for key, sim in catalog.simulations().items():
        if sim.kind == "paper":
            continue
        start = sim.make(64, 2).start
        if any(np.any(v[0] != v[1]) for v in start.values()):
            found.append(key)
    return found


def test_every_drawn_start_moves_with_the_seed():
    """Where it does not, `verify --seed` would judge the same bits again and again."""
    keys = noiseless()
    assert len(keys) > 30
    for key in keys:
        one, two = (
            jobs.prepare(catalog.simulations()[key], Options(seed=s, horizon=64, runs=2)) for s in (1, 2)
        )
        differs = [np.any(v != two.batch.start[name]) for name, v in one.batch.start.items()]
        assert any(differs), key
        assert one.key != two.key

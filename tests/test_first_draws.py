"""Starts, phases and samples of data come from the user's seed."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.claims.first_draws import first_draws, generators, random_start, seeded
from workbench.engine.records import Grid
from workbench.run import catalog, jobs
from workbench.run.options import Options

GRID = Grid([{"a": 1.0}, {"a": 2.0}], 5)


def test_another_seed_draws_other_starts():
    with seeded(3):
        first = random_start(GRID, -1.0, 2.0, 4)
    with seeded(4):
        second = random_start(GRID, -1.0, 2.0, 4)
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


def test_the_context_ends_with_its_block():
    before = first_draws(GRID.run_ids)(0).uniform(1)
    with pytest.raises(RuntimeError, match="left"), seeded(8):
        raise RuntimeError("left")
    np.testing.assert_array_equal(first_draws(GRID.run_ids)(0).uniform(1), before)


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

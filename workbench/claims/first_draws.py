"""What a simulation draws once per run, before its first iteration: starts, phases, samples of data.

``with seeded(7):`` wraps the construction of a batch, as `data_source.source` does. The numbers depend on the user's
seed and on the run's noise identity, not on the simulation: methods that are compared start at the same points.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from workbench.arrays.random import Draws, derived_seed
from workbench.engine.records import Grid

_SEED: ContextVar[int] = ContextVar("seed", default=0)


@contextmanager
def seeded(user: int) -> Iterator[None]:
    """A context in which batches are made for this seed (the ``--seed`` of a command; 0 outside of any context)."""
    token = _SEED.set(user)
    try:
        yield
    finally:
        _SEED.reset(token)


def seed() -> int:
    """The seed of the present context."""
    return _SEED.get()


def first_draws(run_ids: np.ndarray) -> Draws:
    """Draws with one row per noise identity. They are independent of the noise along the runs."""
    return Draws(derived_seed(seed(), "first draws"), run_ids, np).at(0)


def random_start(grid: Grid, low: float, high: float, d: int = 1) -> np.ndarray:
    """(rows, d): coordinates drawn uniformly from [low, high] for each noise identity.

    Runs without noise differ only in their start, so a random start is needed to make them a sample.
    """
    return low + (high - low) * first_draws(grid.run_ids)(0).uniform(d)


def generators(run_ids: np.ndarray, name: str, seed: int) -> list[np.random.Generator]:
    """A generator of NumPy for each row, for draws that need one: samples of a data set, initial weights.

    name: of what is drawn; different names give independent generators. Rows of one noise identity get equal ones.
    """
    return [np.random.default_rng([derived_seed(seed, name), int(run)]) for run in run_ids]

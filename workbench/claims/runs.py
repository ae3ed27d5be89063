"""What a simulation is made from: its number of runs, the user's seed, and bundled or fetched data.

A paper's ``make(horizon, runs)`` is given `Runs`: a whole number that knows the seed and the data. A grid made with it
hands them on to what is drawn once per run, before the first iteration: starts, phases, samples of data. The numbers
depend on the user's seed and on the run's noise identity, not on the simulation: methods that are compared start at the
same points.
"""

from __future__ import annotations

import numpy as np

from workbench.arrays.random import Draws, derived_seed
from workbench.engine.records import Grid, Rows

SOURCES = ("bundled", "real")


class Runs(int):
    """How many runs there are, the user's seed, and the data that a paper is to use where there is a choice.

    asked_for_real: whether an experiment that can fetch the paper's own data has asked for them, and is to have them.
    """

    seed: int
    data: str
    asked_for_real: bool

    def __new__(cls, number: int, seed: int = 0, data: str = "bundled") -> Runs:
        runs = super().__new__(cls, number)
        runs.seed, runs.data, runs.asked_for_real = seed, data, False
        return runs

    @staticmethod
    def of(grid: Grid | Rows | int) -> Runs:
        """Those that a grid was made with; with the seed 0 and bundled data where it was made with a plain number."""
        number = grid if isinstance(grid, int) else getattr(grid, "runs", 0)
        return number if isinstance(number, Runs) else Runs(number)

    def more(self, number: int) -> Runs:
        """So many more runs of the same seed and data."""
        return Runs(self + number, self.seed, self.data)


def seed_for(purpose: str, seed: int = 0) -> int:
    """A seed for one purpose, which is its name, from the user's: those of different purposes are unrelated."""
    return derived_seed(seed, purpose)


def seed_of(grid: Grid | Rows | int) -> int:
    """The user's seed (``--seed``)."""
    return Runs.of(grid).seed


def wants_real(grid: Grid | Rows | int) -> bool:
    """Whether to fetch the paper's own data set (``--data real``). Asked by experiments that can."""
    runs = Runs.of(grid)
    if runs.data == "real":
        runs.asked_for_real = True
    return runs.data == "real"


def first_draws(grid: Grid) -> Draws:
    """Draws with one row per noise identity. They are independent of the noise along the runs."""
    return Draws(seed_for("first draws", seed_of(grid)), grid.run_ids, np).at(0)


def random_start(grid: Grid, low: float, high: float, d: int = 1) -> np.ndarray:
    """(rows, d): coordinates drawn uniformly from [low, high] for each noise identity.

    Runs without noise differ only in their start, so a random start is needed to make them a sample.
    """
    return low + (high - low) * first_draws(grid)(0).uniform(d)


def generators(run_ids: np.ndarray, name: str, seed: int) -> list[np.random.Generator]:
    """A generator of NumPy for each row, for draws that need one: samples of a data set, initial weights.

    name: of what is drawn; different names give independent generators. Rows of one noise identity get equal ones.
    """
    return [np.random.default_rng([seed_for(name, seed), int(run)]) for run in run_ids]

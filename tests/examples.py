"""Entries of the catalog that stand as examples, chosen by what they are: no test of a mechanism names a paper."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from workbench import catalog, verify
from workbench.experiments.claims import Claim
from workbench.experiments.records import Simulation
from workbench.run import jobs
from workbench.run.options import Options
from workbench.store.fingerprint import multiplies_matrices

TINY = Options("quick", horizon=4, runs=2)


@cache
def plain() -> list[Simulation]:
    """Without data, probes and products left to BLAS, so that bits can be compared; the fewest iterations first."""
    found = []
    for sim in catalog.simulations().values():
        if sim.kind != "paper" and not sim.probe:
            batch = sim.make(TINY.horizon, TINY.runs)
            if not multiplies_matrices(batch):
                size = len(batch.grid.points) * sim.horizon["quick"] * sim.runs["quick"]
                found.append((size, sim.key))
    return [catalog.simulations()[key] for _, key in sorted(found)]


def noisy(sim: Simulation) -> bool:
    """Whether another seed gives every row other numbers."""
    one, two = (jobs.execute(jobs.prepare(sim, replace(TINY, seed=s)), "numpy") for s in (0, 1))
    return any((one.data[name][:, -1] != two.data[name][:, -1]).all() for name in one.data)


@cache
def mutated() -> list[Simulation]:
    """Noisy ones of a mutated step, at a single grid point."""
    return [s for s in plain() if s.mutation and len(s.make(4, 2).grid.points) == 1 and noisy(s)]


@cache
def multiplying() -> Simulation:
    """One on a data set, with products left to BLAS and noise."""
    of_data = (s for s in catalog.simulations().values() if s.kind == "paper")
    return next(s for s in of_data if multiplies_matrices(s.make(TINY.horizon, TINY.runs)) and noisy(s))


def claims_of(sim: Simulation, profile: str = "quick") -> list[Claim]:
    """Claims that read this simulation and no other."""
    return [c for c in verify.claims() if c.needs == (sim.key,) and profile in c.profiles]


def of_points(number: int) -> Simulation:
    """A plain one with at least so many grid points."""
    return next(s for s in plain() if len(s.make(TINY.horizon, TINY.runs).grid.points) >= number)

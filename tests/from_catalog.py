"""Entries of the catalog that stand as examples, chosen by what they are: no test of a mechanism names a paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from workbench.claims.claims import Claim
from workbench.claims.readings import Rate, Tight
from workbench.claims.records import Batch, Simulation
from workbench.evidence.interim_analyses import LEAST
from workbench.run import catalog, jobs
from workbench.run.options import Options
from workbench.run.store.fingerprint import multiplies_matrices
from workbench.verdicts import verify

TINY = Options("quick", horizon=4, runs=2)
LIGHT = 16  # calls of an iteration


def batch_of(sim: Simulation) -> Batch:
    return sim.make(TINY.horizon, TINY.runs)


def plain(wanted: Callable[[Simulation], bool] = lambda sim: True) -> Iterator[Simulation]:
    """Without data, probes and products left to BLAS, so that bits can be compared; the shortest first."""
    found = [s for s in catalog.simulations().values() if s.kind != "paper" and not s.probe and wanted(s)]
    for sim in sorted(found, key=lambda s: (s.horizon["quick"] * s.runs["quick"], s.key)):
        if _of_bits(sim.key):
            yield sim


@cache
def _of_bits(key: str) -> bool:
    return not multiplies_matrices(batch_of(catalog.simulations()[key]))


def noisy(sim: Simulation) -> bool:
    """Whether another seed gives every row other numbers."""
    one, two = (jobs.execute(jobs.prepare(sim, replace(TINY, seed=s)), "numpy") for s in (0, 1))
    return any((one.data[name][:, -1] != two.data[name][:, -1]).all() for name in one.data)


def light(sim: Simulation) -> bool:
    """Whether an iteration makes few calls, however many came before: tests can afford thousands of them."""
    job = jobs.prepare(sim, replace(TINY, horizon=64))
    made = jobs.execute(job, "numpy", Options(engine="eager")).calls
    return sum(float(calls[:, -1].max()) for calls in made.values()) <= LIGHT * 64


@cache
def mutated(number: int) -> list[Simulation]:
    """Noisy ones of a mutated step, at a single grid point, with one claim in the quick profile: that it is caught."""
    wrong = plain(lambda s: s.mutation is not None and len(claims_of(s)) == 1)
    found = (s for s in wrong if len(batch_of(s).grid.points) == 1)
    return list(islice((s for s in found if light(s) and noisy(s)), number))


@cache
def multiplying() -> Simulation:
    """One on a data set, with products left to BLAS and noise."""
    of_data = (s for s in catalog.simulations().values() if s.kind == "paper")
    return next(s for s in of_data if multiplies_matrices(batch_of(s)) and noisy(s))


@cache
def of_points(number: int) -> Simulation:
    """A plain one with at least so many grid points."""
    return next(s for s in plain() if len(batch_of(s).grid.points) >= number)


@cache
def looked_at() -> Simulation:
    """A plain one with several looks in the quick profile, the shortest of its kind, of which rates alone are claimed.

    A level would be claimed within a few percent, which the first looks cannot tell.
    """
    many = plain(lambda s: s.runs["quick"] >= 4 * LEAST)
    long = (s for s in many if any(isinstance(c, Rate) for c in claims_of(s)))
    long = (s for s in long if all(isinstance(c, Rate | Tight) for c in claims_of(s)))
    return next(s for s in long if len(jobs.prepare(s, Options("quick")).looks) > 2)


def claims_of(sim: Simulation, profile: str = "quick") -> list[Claim]:
    """Claims that read this simulation and no other."""
    return [c for c in verify.claims() if c.needs == (sim.key,) and profile in c.profiles]

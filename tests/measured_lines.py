"""Records of the ledgers' own simulations and samplers in the quick profile, for tests of measured lines."""

from __future__ import annotations

import dataclasses
import os
from functools import cache

from workbench.claims.probes import computed_names
from workbench.claims.records import Simulation
from workbench.engine.records import Result
from workbench.evidence.verdicts import Finding
from workbench.homes import disk
from workbench.ledger import trajectories
from workbench.run import catalog, jobs
from workbench.run.options import Options
from workbench.run.store.results import Store
from workbench.theory.lemma import MEASURED

OPTIONS = Options("quick", backend="numpy")
LEMMAS = catalog.lemmas()
LINES = [(key, c.name) for key, x in LEMMAS.items() for c in x.checks if isinstance(c, MEASURED)]


@cache
def record(name: str, *also: str) -> trajectories.Record:
    """What a simulation or a sampler shows, by its key. also: quantities that the simulation does not keep."""
    if name in catalog.samplers():
        return trajectories.from_sampler(catalog.samplers()[name])
    sim = catalog.simulations()[name]
    sim = dataclasses.replace(sim, record=(*sim.record, *also))
    return trajectories.from_result(_result(sim), sim)


def _result(sim: Simulation) -> Result:
    """Simulated once for all processes of the suite (`conftest.one_simulation_for_all`)."""
    job, store = jobs.prepare(sim, OPTIONS), Store(os.environ["WORKBENCH_TEST_RECORDS"])
    with disk.lock(store.folder / f"{job.key}.lock"):
        if not store.has(job.key):
            store.save(job.key, jobs.execute(job, "numpy", OPTIONS))
        held = store.load(job.key)
    assert held is not None
    return held


def measured(key: str, check: object) -> Finding:
    """The finding of a measured check of the lemma ``key``; the check may be one that the lemma does not have."""
    assert isinstance(check, MEASURED)
    records = {name: record(name, *_beyond(name, {s.name for s in check.symbols})) for name in check.on}
    return trajectories.finding(LEMMAS[key], check, records)


def _beyond(name: str, read: set[str]) -> list[str]:
    """What a check reads of a simulation's probe and no line of a lemma does."""
    sim = catalog.simulations().get(name)
    return sorted((read & set(computed_names(sim.probe))) - catalog.read_along()[name]) if sim else []

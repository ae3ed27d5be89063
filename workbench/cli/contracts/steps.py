"""Contracts of a step on the instance of its simulation, over a few iterations of a few runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.random import Draws
from workbench.claims.records import Simulation
from workbench.cli.contracts.outcome import Skipped
from workbench.engine.choice import EngineError, compiler_problem
from workbench.engine.oracle import Oracle
from workbench.engine.records import Problem, Result
from workbench.run import jobs, replay
from workbench.run.options import Options, UsageError
from workbench.run.store.fingerprint import multiplies_matrices

SMALL = Options("quick", engine="eager", horizon=6, runs=3)
STRICT = "array-api-strict"


def shapes(sim: Simulation) -> Iterator[str]:
    """The step keeps shapes and types, takes noise from ``draw`` alone and mixes no rows: `workbench.engine.trial`."""
    ran(sim)
    return iter(())


def ran(sim: Simulation, backend: str = "numpy", engine: str = "eager") -> Result:
    """A short run. Raises UsageError for a mistake that the engine refuses."""
    options = Options("quick", engine=engine, horizon=SMALL.horizon, runs=SMALL.runs)
    return jobs.execute(jobs.prepare(sim, options), backend, options)


def purity(sim: Simulation) -> Iterator[str]:
    """The step writes into nothing that it is given, and the same input gives the same output."""
    problem = jobs.problem_of(jobs.prepare(sim, SMALL))
    with jobs.explaining(sim):
        yield from (f"{sim.key}: {sentence}" for sentence in impurities(problem))


def impurities(problem: Problem, iterations: int = 3, seed: int = 1) -> Iterator[str]:
    """Where a repeated step differs; nothing if it is pure.

    Every array that goes in is read-only: start, state, samples, and what the oracle returns. NumPy raises a ValueError
    for a write into one.
    """
    xp = backends.namespace_of(np)
    oracle = Frozen(Oracle(backends.place(problem.instance, xp), xp))
    draws = Draws(seed, problem.run_ids, xp)
    c = type(problem.steps)(*(freeze(backends.place(v, xp)) for v in problem.steps))
    begin = {name: freeze(np.array(value)) for name, value in problem.start.items()}
    state = freeze(problem.algorithm.init(begin, c, oracle, Frozen(draws.at(1)), xp))
    for t in range(1, iterations + 1):
        given = (state, freeze(np.asarray(float(t))), c, oracle, Frozen(draws.at(t)), xp)
        one, two = problem.algorithm.step(*given), problem.algorithm.step(*given)
        for name, a, b in zip(state._fields, one, two, strict=True):
            if not np.array_equal(a, b, equal_nan=True):
                yield f"the same step gives another {name!r} the second time; keep no state outside `State`"
                return
        state = freeze(one)


class Frozen:
    """An oracle, or the noise of a batch, that hands out read-only arrays only."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __call__(self, i: int) -> Frozen:
        return Frozen(self._source(i))

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._source, name)
        return lambda *args, **kwargs: freeze(method(*args, **kwargs))


def freeze(value: Any) -> Any:
    """Read-only views of the NumPy arrays in a value, a tuple or a named tuple."""
    if isinstance(value, tuple):
        return type(value)(*map(freeze, value)) if hasattr(value, "_fields") else tuple(map(freeze, value))
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


def one_by_one(sim: Simulation) -> Iterator[str]:
    """The first, the middle and the last row of a batch have the same bits when they are run alone."""
    job, whole = jobs.prepare(sim, SMALL), ran(sim)
    for row in sorted({0, whole.size // 2, whole.size - 1}):
        alone = replay.replay(job, row, "numpy", SMALL)
        outcome = replay.outcome(job, whole, row, alone)
        if not outcome.same:
            yield (
                f"{sim.key}: run {row} alone gives {outcome.sentence}; a number per run is a column (runs, 1),"
                " and sums run over the last axis"
            )
            return


def standard(sim: Simulation) -> Iterator[str]:
    """On an array library that has nothing but the array-API standard the step has NumPy's bits."""
    try:
        backends.namespace(STRICT)
    except backends.BackendError:
        raise Skipped(f"{STRICT} is not installed; pip install {STRICT}") from None
    yield from differences(sim, ran(sim), ran(sim, STRICT), f"on {STRICT}")


def engines(sim: Simulation) -> Iterator[str]:
    """The compiled engine has the eager one's bits."""
    if obstacle := compiler_problem("numpy"):
        raise Skipped(obstacle)
    try:
        theirs = ran(sim, engine="fused")
    except UsageError as error:
        if not isinstance(error.__context__, EngineError):
            raise
        raise Skipped(f"not compiled, so only the eager engine runs it: {error}") from None
    yield from differences(sim, ran(sim), theirs, "compiled")


def differences(sim: Simulation, ours: Result, theirs: Result, where: str) -> Iterator[str]:
    """A sentence on the first quantity that differs, by more than round-off where matrices are multiplied."""
    near = replay.ROUND_OFF if multiplies_matrices(jobs.prepare(sim, SMALL).batch) else 0.0
    for name, values in ours.data.items():
        gap = replay.relative_difference(values, theirs.data[name])
        if gap > near or not np.array_equal(np.isnan(values), np.isnan(theirs.data[name])):
            yield (
                f"{sim.key}: {name} differs {where}, relatively by {gap:.2g};"
                " write with the functions of `wb.ops`"
            )
            return

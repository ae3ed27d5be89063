"""From simulations to stored results: computes missing ones in parallel processes and stores each as it finishes.

An interrupted simulation leaves a checkpoint (`workbench.store.checkpoint`), from which the next command resumes.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from workbench.arrays import backends
from workbench.engine.records import Result
from workbench.experiments.records import Simulation
from workbench.run import processes
from workbench.run.jobs import Job, Progress, execute, named, prepare, throttled
from workbench.run.options import Options, UsageError
from workbench.run.timings import SIMULATING, TIMINGS
from workbench.store.checkpoint import Checkpointer
from workbench.store.interrupts import Interrupts
from workbench.store.results import Store, StoreError

Report = Callable[[str], None]


def ensure(
    sims: Iterable[Simulation],
    options: Options,
    store: Store,
    done: Callable[[Simulation, bool], None] = lambda sim, stored: None,
    warn: Report = lambda sentence: None,
    progress: Progress | None = None,
    idle: Callable[[Mapping[str, Result]], bool] = lambda results: False,
) -> dict[str, Result]:
    """Results by simulation key: loaded from the store if present, otherwise computed and stored.

    ``done(simulation, was_stored)`` is called as each result becomes available. A result that cannot be stored is
    still returned, and ``warn`` receives one sentence about it. An interrupt loses only seconds of work, because long
    simulations write checkpoints. ``progress(key, iterations done, total)`` is called periodically while a simulation
    runs, and ``progress(key, t, total, True)`` when one resumes after iteration t. ``idle(results so far)`` is called
    while other processes compute: it does one unit of work, or returns False if there is none at the moment.
    """
    # On a cluster each worker has its own.
    backend_name = options.backend if options.cluster else backends.resolve(options.backend)
    results: dict[str, Result] = {}
    missing: list[Job] = []
    told: set[str] = set()
    for sim in sims:
        with TIMINGS.phase("reading the store"):
            job = prepare(sim, options)
            held = store.load(job.key)
        if held is not None and options.backend != "auto" and held.meta["backend"] != backend_name:
            held = None  # backends agree to round-off, but an explicitly requested one is always used
        if held is None:
            missing.append(job)
            if len(missing) == 2 and _workers(len(missing), options, backend_name) > 1:
                processes.context()  # whose imports overlap with the work of this process
        else:
            results[sim.key] = held
            done(sim, True)
    for notice in store.take_notices():
        warn(notice)
    if missing:
        store.check_writable()
    missing.sort(
        key=lambda j: -int(j.marks[-1]) * (100 + j.batch.grid.rows)
    )  # longest first: balances the load
    computed = _computed(missing, options, backend_name, store, progress, lambda: idle(results), warn)
    for job, result, problem in TIMINGS.over(SIMULATING, computed):
        results[job.simulation.key] = result
        TIMINGS.simulated(result)
        if problem:
            warn(problem)
        if (why := str(result.meta.get("uncompiled", ""))) and why not in told:
            told.add(why)
            warn(f"{job.simulation.key} ran uncompiled, which is slower: {why}")
        done(job.simulation, False)
    return results


def stored(sims: Iterable[Simulation], options: Options, store: Store, warn: Report) -> dict[str, Result]:
    """The results that are in the store already, by simulation key. warn: called for each damaged file."""
    found = {sim.key: store.load(prepare(sim, options).key) for sim in sims}
    for notice in store.take_notices():
        warn(notice)
    return {key: result for key, result in found.items() if result is not None}


def _computed(
    jobs: list[Job],
    options: Options,
    backend_name: str,
    store: Store,
    progress: Progress | None,
    idle: Callable[[], bool],
    warn: Report,
) -> Generator[tuple, None, None]:
    """Yields (job, result, storage problem or None) as jobs finish."""
    if options.cluster and jobs:
        from workbench.run import cluster

        yield from cluster.compute(jobs, options, store, progress, idle, warn)
        return
    workers = _workers(len(jobs), options, backend_name)
    if workers <= 1:
        threads = options.jobs or os.cpu_count() or 1
        for job in jobs:
            yield job, *_run_and_store(job, backend_name, options, store, threads, progress)
        return
    context = processes.context()
    updates = context.Queue()
    with processes.pool(workers, _begin, (updates, processes.environment())) as pool:
        waiting: dict[Future, Job] = {}
        for j in jobs:
            name = j.simulation.key
            with processes.told(f"computing {name}"):
                future = pool.submit(_work, name, options, backend_name, str(store.folder), j.key)
            waiting[future] = j
        while waiting:
            pause = 0.0 if idle() else 0.3
            finished = wait(waiting, pause, return_when=FIRST_COMPLETED).done
            _forward(updates, progress)
            for future in finished:
                job = waiting.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    with processes.told(f"computing {job.simulation.key}"):
                        future.result()
                result, problem = future.result()
                if result is None and (result := store.load(job.key)) is None:
                    # Somebody deleted or damaged the file since the worker saved it.
                    result, problem = _run_and_store(job, backend_name, options, store, 1, progress)
                yield job, result, problem


def _workers(jobs: int, options: Options, backend_name: str) -> int:
    """The number of worker processes for this many jobs; on a GPU, one, and none beside a cluster's."""
    return 1 if backend_name == "cupy" or options.cluster else min(jobs, options.jobs or os.cpu_count() or 1)


_updates: Any = None  # in a worker: the queue for its progress reports


def _begin(updates: Any, environment: dict[str, str]) -> None:
    global _updates
    _updates = updates
    processes.begin(environment)


def _forward(updates: Any, progress: Progress | None) -> None:
    """Passes on the workers' progress reports since the last call."""
    while True:
        try:
            update = updates.get_nowait()
        except queue.Empty:
            return
        if progress is not None:
            progress(*update)


def _work(
    name: str, options: Options, backend_name: str, folder: str, key: str
) -> tuple[Result | None, str | None]:
    """In a worker: looks the simulation up by name, runs and stores it. Returns the result only if storing failed."""
    job = named(name, options)
    if job.key != key:
        raise UsageError(
            f"the source files of {name} changed while this command was starting; run it again (if it comes back, a"
            " module reads a clock or draws numbers when it is imported)"
        )
    report = None if _updates is None else lambda *update: _updates.put(update)
    result, problem = _run_and_store(job, backend_name, options, Store(folder), 1, report)
    return (result if problem else None), problem


def _run_and_store(
    job: Job, backend_name: str, options: Options, store: Store, threads: int, progress: Progress | None
) -> tuple[Result, str | None]:
    name, horizon = job.simulation.key, int(job.marks[-1])

    def resumed(t: int) -> None:
        if progress is not None:
            progress(name, t, horizon, True)

    report = None if progress is None else throttled(progress)
    with Interrupts() as interrupts:
        keep = Checkpointer(store, job.key, interrupts, resumed)
        result = execute(job, backend_name, options, threads, report, keep)
        try:
            store.save(job.key, result)
        except StoreError as error:
            return result, f"{name} was computed but could not be stored: {error}"
        store.remove_partials(job.key)
    return result, None


def select(results: Mapping[str, Result], keys: Iterable[str]) -> dict[str, Result]:
    """The results with these keys. Raises KeyError for one that was not computed."""
    return {key: results[key] for key in keys}

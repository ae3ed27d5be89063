"""From simulations to stored results: what is missing is computed, in parallel processes, and kept as it comes.

A simulation that is interrupted leaves its position (`workbench.partial`), from which the next command goes on.
"""

from __future__ import annotations

import dataclasses
import importlib
import os
import queue
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from workbench import backend, processes
from workbench.data_source import SOURCES, source
from workbench.engine.choice import ENGINES, EngineError, simulate
from workbench.engine.marks import log_marks
from workbench.engine.rows import cut, cut_steps
from workbench.experiment import PROFILES, Batch, Simulation
from workbench.fingerprint import multiplies_matrices, simulation_key
from workbench.interrupts import Interrupts
from workbench.mutation import mutant
from workbench.partial import Keeper
from workbench.probes import Probed, probed
from workbench.random import derived_seed
from workbench.records import Result
from workbench.store import Store, StoreError

Report = Callable[[str], None]
Progress = Callable[..., None]  # simulation key, iterations done, of how many; True: taken up after them
ROUND_OFF = 1e-9  # what differences in the last bits may grow to along a run, as a share of a quantity's size
LARGEST = (1 << 32) - 1  # iterations and noise identities are 32-bit words of the generator's counter


class UsageError(ValueError):
    """What was asked for cannot be done; the message is one sentence fit for a user."""


@dataclass(frozen=True)
class Options:
    """How simulations are run. ``horizon`` and ``runs`` override the profile's numbers for every simulation."""

    profile: str = "default"
    backend: str = "auto"
    engine: str = "auto"
    seed: int = 0
    horizon: int | None = None
    runs: int | None = None
    jobs: int | None = None
    fast: bool = False  # compiled kernels may fuse a * b + c; such results have keys of their own
    data: str = "bundled"  # or "real": the papers' own sets, where an experiment can fetch one

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise UsageError(f"unknown profile {self.profile!r}; choose one of {', '.join(PROFILES)}")
        if self.engine not in ENGINES:
            raise UsageError(f"unknown engine {self.engine!r}; choose one of {', '.join(ENGINES)}")
        if self.data not in SOURCES:
            raise UsageError(f"unknown data {self.data!r}; choose one of {', '.join(SOURCES)}")
        if self.horizon is not None and self.horizon < 1:
            raise UsageError(f"the horizon must be at least 1, got {self.horizon}")
        if self.runs is not None and self.runs < 2:
            raise UsageError(f"intervals over runs need at least 2 runs, got {self.runs}")
        for name, number in (("horizon", self.horizon), ("number of runs", self.runs)):
            if number is not None and number > LARGEST:
                raise UsageError(
                    f"the {name} must be below 2^32, got {number}: the noise has no more addresses"
                )
        if not 0 <= self.seed < 1 << 64:
            raise UsageError(f"the seed must lie in [0, 2^64), got {self.seed}")
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"the number of processes must be at least 1, got {self.jobs}")


@dataclass(frozen=True)
class Job:
    """One simulation with every number filled in. ``key`` names it in the store."""

    simulation: Simulation
    batch: Batch
    marks: np.ndarray
    seed: int
    key: str
    data: str = "bundled"


def prepare(sim: Simulation, options: Options) -> Job:
    horizon = sim.horizon[options.profile] if options.horizon is None else options.horizon
    runs = sim.runs[options.profile] if options.runs is None else options.runs
    # One BLAS thread: a reference solution computed with two differs in its last bits, and with them the key.
    with source(options.data) as data, threadpool_limits(1, "blas"):
        try:
            batch = sim.make(horizon, runs)
        except ValueError as error:
            if not data.used:
                raise
            raise UsageError(f"{sim.key}: {error}") from None
    if sim.probe:
        batch = dataclasses.replace(batch, instance=Probed(batch.instance, sim.probe))
    marks = log_marks(horizon, extra=[m for m in sim.marks if m <= horizon])
    seed = derived_seed(options.seed, sim.key)
    key = simulation_key(sim, batch, marks, seed, options.fast)
    return Job(sim, batch, marks, seed, key, "real" if data.used else "bundled")


def algorithm_of(sim: Simulation) -> Any:
    module = importlib.import_module(f"workbench.algorithms.{sim.algorithm}")
    chosen = module if sim.mutation is None else mutant(module, sim.mutation)
    return probed(chosen, sim.probe) if sim.probe else chosen


def execute(
    job: Job,
    backend_name: str,
    options: Options = Options(),
    threads: int = 1,
    progress: Progress | None = None,
    keep: Keeper | None = None,
) -> Result:
    """Runs one job to its last iteration: from the first, or from where ``keep`` has a position.

    Raises UsageError where the engine asked for cannot.
    """
    sim, batch = job.simulation, job.batch
    result = _simulated(
        job,
        (batch.instance, batch.steps, batch.start),
        batch.grid.run_ids,
        batch.grid.params,
        backend_name=backend_name,
        engine=options.engine,
        fast=options.fast,
        threads=threads,
        progress=None if progress is None else lambda t, horizon: progress(sim.key, t, horizon),
        keep=keep,
    )
    about = {"simulation": sim.key, "title": sim.title, "kind": sim.kind, "chosen": sim.chosen}
    if job.data == "real":
        about["data"] = "real"
    return dataclasses.replace(result, meta={**result.meta, **about})


def replay(job: Job, run: int, backend_name: str, options: Options = Options()) -> Result:
    """Row ``run`` of a job again, alone. Raises UsageError where the batch has no such row."""
    check_run(job, run)
    batch, one = job.batch, slice(run, run + 1)
    rows = batch.grid.rows
    return _simulated(
        job,
        (
            cut(batch.instance, rows, one),
            cut_steps(batch.steps, rows, one),
            {name: value[one] for name, value in batch.start.items()},
        ),
        batch.grid.run_ids[one],
        {name: value[one] for name, value in batch.grid.params.items()},
        backend_name=backend_name,
        engine=options.engine,
        fast=options.fast,
    )


def replayed(job: Job, stored: np.ndarray, alone: np.ndarray) -> str:
    """What a replay shows, (quantities, M) against (quantities, M): the same bits, round-off, or a difference."""
    relative = max(map(relative_difference, stored, alone), default=0.0)
    if np.array_equal(stored, alone, equal_nan=True):
        return "same bits"
    if relative <= ROUND_OFF and multiplies_matrices(job.batch):
        return f"same up to round-off (largest relative difference {relative:.2g}; BLAS adds in an order of its own)"
    return f"NOT the same bits (largest relative difference {relative:.2g})"


def relative_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of two curves against the largest finite size of either; infinite where one is not."""
    apart = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not apart.any():
        return 0.0
    if not (np.isfinite(a) & np.isfinite(b))[apart].all():
        return np.inf
    size = max(np.abs(v[np.isfinite(v)]).max() for v in (a, b))
    return float(np.abs(a[apart] - b[apart]).max() / size)


def _simulated(job: Job, batch: tuple, run_ids: np.ndarray, params: Mapping[str, Any], **how: Any) -> Result:
    try:
        return simulate(
            algorithm_of(job.simulation),
            *batch,
            marks=job.marks,
            run_ids=run_ids,
            seed=job.seed,
            params=params,
            **how,
        )
    except EngineError as error:
        raise UsageError(f"{job.simulation.key}: {error}") from None


def check_run(job: Job, run: int) -> None:
    rows = job.batch.grid.rows
    if not 0 <= run < rows:
        raise UsageError(f"{job.simulation.key} has runs 0 to {rows - 1}, not {run}")


def ensure(
    sims: Iterable[Simulation],
    options: Options,
    store: Store,
    done: Callable[[Simulation, bool], None] = lambda sim, stored: None,
    warn: Report = lambda sentence: None,
    progress: Progress | None = None,
    idle: Callable[[Mapping[str, Result]], bool] = lambda results: False,
) -> dict[str, Result]:
    """Results by simulation key: from the store where it holds them, computed (and stored) where not.

    ``done(simulation, was_stored)`` is called as each one is ready. A result that cannot be stored is still
    returned, and ``warn`` says so in one sentence. An interrupt loses seconds: long simulations are taken up where they
    were. ``progress(key, iterations done, of)`` is called now and then while one runs, and ``progress(key, t, of,
    True)`` where one goes on after iteration t. ``idle(results so far)`` is called while other processes compute: it
    does a piece of work, or returns False where there is none at the moment.
    """
    backend_name = backend.resolve(options.backend)
    results: dict[str, Result] = {}
    missing: list[Job] = []
    for sim in sims:
        job = prepare(sim, options)
        held = store.load(job.key)
        if held is not None and options.backend != "auto" and held.meta["backend"] != backend_name:
            held = None  # backends agree to round-off; one that was asked for by name is used all the same
        if held is None:
            missing.append(job)
            if len(missing) == 2 and _workers(len(missing), options, backend_name) > 1:
                processes.prepare()
        else:
            results[sim.key] = held
            done(sim, True)
    for notice in store.take_notices():
        warn(notice)
    if missing:
        store.check_writable()
    missing.sort(key=lambda j: -int(j.marks[-1]) * (100 + j.batch.grid.rows))  # long ones first: even finish
    for job, result, problem in _compute(
        missing, options, backend_name, store, progress, lambda: idle(results)
    ):
        results[job.simulation.key] = result
        if problem:
            warn(problem)
        done(job.simulation, False)
    return results


def _compute(
    jobs: list[Job],
    options: Options,
    backend_name: str,
    store: Store,
    progress: Progress | None,
    idle: Callable[[], bool],
) -> Iterable[tuple]:
    """Yields (job, result, what went wrong with storing it or None) as jobs finish."""
    workers = _workers(len(jobs), options, backend_name)
    if workers <= 1:
        threads = options.jobs or os.cpu_count() or 1
        for job in jobs:
            yield job, *_run_and_store(job, backend_name, options, store, threads, progress)
        return
    context = processes.context()
    news = context.Queue()
    with ProcessPoolExecutor(workers, context, _begin, (news, dict(os.environ))) as pool:
        waiting: dict[Future, Job] = {}
        try:
            for j in jobs:
                name = j.simulation.key
                waiting[pool.submit(_work, name, options, backend_name, str(store.folder), j.key)] = j
            while waiting:
                pause = 0.0 if idle() else 0.3
                finished = wait(waiting, pause, return_when=FIRST_COMPLETED).done
                _pass_on(news, progress)
                for future in finished:
                    job = waiting.pop(future)
                    try:
                        result, problem = future.result()
                    except BrokenProcessPool:
                        raise UsageError(
                            f"a process was killed while computing {job.simulation.key} (out of memory?); what is "
                            "finished is kept, try again with a smaller --jobs"
                        ) from None
                    yield job, store.load(job.key) if result is None else result, problem
        except BaseException:
            for process in list((pool._processes or {}).values()):
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _workers(jobs: int, options: Options, backend_name: str) -> int:
    """How many processes compute so many jobs. One GPU: one process."""
    return 1 if backend_name == "cupy" else min(jobs, options.jobs or os.cpu_count() or 1)


_news: Any = None  # of a worker: where it tells how far it is


def _begin(news: Any, environment: dict[str, str]) -> None:
    global _news
    _news = news
    processes.begin(environment)


def _pass_on(news: Any, progress: Progress | None) -> None:
    """What the workers told since the last time."""
    while True:
        try:
            told = news.get_nowait()
        except queue.Empty:
            return
        if progress is not None:
            progress(*told)


def _now_and_then(progress: Progress, seconds: float = 0.5) -> Progress:
    """``progress``, at most once in so many seconds."""
    last = time.monotonic()

    def tell(key: str, t: int, horizon: int) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            progress(key, t, horizon)

    return tell


def _work(
    name: str, options: Options, backend_name: str, folder: str, key: str
) -> tuple[Result | None, str | None]:
    """In a worker: look the simulation up by name, run it, store it. The result travels only if storing failed."""
    from workbench import catalog

    job = prepare(catalog.simulations()[name], options)
    if job.key != key:
        raise UsageError(f"the source files of {name} were edited while this command began; start it again")
    tell = None if _news is None else lambda *told: _news.put(told)
    result, problem = _run_and_store(job, backend_name, options, Store(folder), 1, tell)
    return (result if problem else None), problem


def _run_and_store(
    job: Job, backend_name: str, options: Options, store: Store, threads: int, progress: Progress | None
) -> tuple[Result, str | None]:
    name, horizon = job.simulation.key, int(job.marks[-1])

    def resumed(t: int) -> None:
        if progress is not None:
            progress(name, t, horizon, True)

    tell = None if progress is None else _now_and_then(progress)
    with Interrupts() as interrupts:
        keep = Keeper(store, job.key, interrupts, resumed)
        result = execute(job, backend_name, options, threads, tell, keep)
        try:
            store.save(job.key, result)
        except StoreError as error:
            return result, f"{name} was computed but could not be kept: {error}"
        store.remove_partials(job.key)
    return result, None


def select(results: Mapping[str, Result], keys: Iterable[str]) -> dict[str, Result]:
    """The results a claim or figure asked for. Raises KeyError for one that was not computed."""
    return {key: results[key] for key in keys}

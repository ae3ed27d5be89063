"""From simulations to stored results: what is missing is computed, in parallel processes, and kept as it comes.

A simulation that is interrupted leaves its position (`workbench.store.checkpoint`), from which the next command goes
on.
"""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from workbench.arrays import backends
from workbench.engine.records import Result
from workbench.experiments.records import Simulation
from workbench.run import processes
from workbench.run.jobs import Job, Progress, execute, prepare
from workbench.run.options import Options, UsageError
from workbench.store.checkpoint import Keeper
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
    """Results by simulation key: from the store where it holds them, computed (and stored) where not.

    ``done(simulation, was_stored)`` is called as each one is ready. A result that cannot be stored is still
    returned, and ``warn`` says so in one sentence. An interrupt loses seconds: long simulations are taken up where they
    were. ``progress(key, iterations done, of)`` is called now and then while one runs, and ``progress(key, t, of,
    True)`` where one goes on after iteration t. ``idle(results so far)`` is called while other processes compute: it
    does a piece of work, or returns False where there is none at the moment.
    """
    backend_name = backends.resolve(options.backend)
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

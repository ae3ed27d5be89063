"""From simulations to stored results: computes missing ones in parallel processes and stores each as it finishes.

An interrupted simulation leaves a checkpoint (`workbench.run.store.checkpoint`), from which the next command resumes.
"""

from __future__ import annotations

import contextlib
import queue
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from workbench.arrays import backends
from workbench.claims.interim_analyses import with_looks
from workbench.claims.records import Simulation
from workbench.engine.records import Result
from workbench.homes import processors
from workbench.run import processes
from workbench.run.jobs import Progress, backend_of, execute, identity, job_of, throttle, with_observers
from workbench.run.options import Options, UsageError
from workbench.run.pending import Begin, Task, Work, length, reaches, save, usable, whole
from workbench.run.row_blocks import extend
from workbench.run.store.checkpoint import Checkpointer
from workbench.run.store.interrupts import Interrupts
from workbench.run.store.results import Store
from workbench.run.store.sources import large_libraries
from workbench.run.timings import SIMULATING, TIMINGS

Report = Callable[[str], None]
# Simulations on a GPU at a time: while one computes there, the others trace, compile and store.
SHARING = 8


def ensure(
    sims: Iterable[Simulation],
    options: Options,
    store: Store,
    on_result: Callable[[Simulation, bool], None] = lambda sim, from_store: None,
    warn: Report = lambda sentence: None,
    progress: Progress | None = None,
    idle: Callable[[Mapping[str, Result]], bool] = lambda results: False,
    begin: Begin = whole,
    more: Callable[[Mapping[str, Result]], Iterable[str]] = lambda results: (),
) -> dict[str, Result]:
    """Results by simulation key: loaded from the store if present, otherwise computed and stored.

    ``on_result(simulation, from_store)`` is called when a result first becomes available. One that cannot be stored
    is still returned, and ``warn`` receives one sentence about it. An interrupt loses only seconds of work: long
    simulations write checkpoints. ``progress(key, iterations done, total)`` is called periodically while a simulation
    runs, and ``progress(key, t, total, True)`` when one resumes after iteration t. ``idle(results so far)`` is called
    while other processes compute, and at the end: it does one unit of work, or returns False if there is none at the
    moment. ``begin``: with how many runs a simulation starts. ``more(results so far)``: keys of those that need
    another look, asked for until there are none.
    """
    work = Work(options, store, idle, more)
    reasons: set[str] = set()
    for sim in sims:
        with TIMINGS.phase("reading the store"):
            is_stored = work.add(sim, begin)
        if len(work.tasks) == 2 and _workers(len(work.tasks), options) > 1:
            processes.context()  # whose imports overlap with the work of this process
        if is_stored:
            on_result(sim, True)
    for notice in store.take_notices():
        warn(notice)
    for name, folder in large_libraries().items():
        warn(
            f"{name} is imported from {folder}, where it was not installed: results depend on every file of it"
            " (of an installed library none would count)"
        )
    if work.tasks:
        store.check_writable()
        if len(work.tasks) > 1 and not options.cluster and (why := processes.obstacle()):
            warn(f"simulating in one process: {why}")
    # Longest first: balances the load.
    work.tasks = deque(sorted(work.tasks, key=lambda t: -length(t.job, t.job.batch.grid.rows)))
    for task, result, problem in TIMINGS.over(SIMULATING, _results_of(work, progress, warn)):
        name = task.job.simulation.key
        is_first = name not in work.results
        TIMINGS.note_simulation(result, work.results.get(name))
        work.take_in(task, result)
        if problem:
            store.failures_to_save.append(name)
            warn(problem)
        if (why := str(result.meta.get("uncompiled", ""))) and why not in reasons:
            reasons.add(why)
            warn(f"{name} ran uncompiled, which is slower: {why}")
        if is_first:
            on_result(task.job.simulation, False)
    return work.results


def expect(options: Options, store: Store) -> None:
    """Starts what workers are forked from, whose imports then overlap with this process's, if the store is empty.

    For a command on all papers, which has not imported them yet. A store with results may lack none, and no worker be
    needed.
    """
    if _workers(2, options) > 1 and store.empty():
        processes.context()


def load_results(
    sims: Iterable[Simulation], options: Options, store: Store, warn: Report
) -> dict[str, Result]:
    """The results that are in the store already, by simulation key. warn: called for each damaged file."""
    jobs = {sim.key: identity(sim, options) for sim in sims}
    results = {key: job.load(store) for key, job in jobs.items()}
    for notice in store.take_notices():
        warn(notice)
    return {key: with_looks(one, jobs[key].looks) for key, one in results.items() if one is not None}


def _results_of(work: Work, progress: Progress | None, warn: Report) -> Generator[tuple, None, None]:
    """Yields (task, result, storage problem or None) as tasks finish."""
    options, store = work.options, work.store
    if options.cluster and work.tasks:
        from workbench.run import cluster

        yield from cluster.compute(work, options, store, progress, warn)
        return
    workers = _workers(len(work.tasks), options)
    if workers <= 1:
        threads = options.jobs or processors.count()
        while (task := work.next()) is not None:
            yield task, *_run_and_store(task, work.backend, options, store, threads, progress)
        return
    context = processes.context()
    updates, turns = context.Queue(), context.BoundedSemaphore(SHARING)
    with processes.pool(workers, _begin, (updates, turns, processes.environment())) as pool:
        waiting: dict[Future, Task] = {}
        while waiting or work.tasks or work.idle() or work.tasks:
            while work.tasks:
                task = work.tasks.popleft()
                name = task.job.simulation.key
                with processes.explaining_a_kill(f"computing {name}"):
                    future = pool.submit(
                        _work, name, options, work.backend, str(store.folder), task.job.key, task.runs
                    )
                waiting[future] = task
            pause = 0.0 if work.idle() else 0.3
            ready = wait(waiting, pause, return_when=FIRST_COMPLETED).done
            _forward(updates, progress)
            for future in ready:
                task = waiting.pop(future)
                if isinstance(future.exception(), BrokenProcessPool):
                    with processes.explaining_a_kill(f"computing {task.job.simulation.key}"):
                        future.result()
                result, problem = future.result()
                if result is None and not reaches(result := task.job.identity.load(store), task):
                    # Somebody deleted, damaged or replaced the file since the worker saved it.
                    result, problem = _run_and_store(task, work.backend, options, store, 1, progress)
                yield task, result, problem


def _workers(jobs: int, options: Options) -> int:
    """The number of worker processes for this many jobs; none beside a cluster's."""
    most = SHARING if options.backend == "cupy" and options.jobs is None else jobs
    return 1 if options.cluster else processes.count(min(jobs, most), options.jobs)


_updates: Any = None  # in a worker: the queue for its progress reports
_turns: Any = contextlib.nullcontext()  # in a worker: the semaphore of those that may use the GPU


def _begin(updates: Any, turns: Any, environment: dict[str, str]) -> None:
    global _updates, _turns
    _updates, _turns = updates, turns
    processes.begin(environment)


@contextlib.contextmanager
def _turn(backend_name: str) -> Iterator[None]:
    """A turn on the GPU, if it is wanted; other processes get its memory afterwards."""
    if backend_name != "cupy":
        yield
        return
    with _turns:
        try:
            yield
        finally:
            backends.release(backend_name)


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
    name: str, options: Options, backend_name: str, folder: str, key: str, runs: int
) -> tuple[Result | None, str | None]:
    """In a worker: looks the simulation up by name, runs and stores it. Returns the result only if storing failed."""
    job = job_of(name, options)
    if job.key != key:
        raise UsageError(
            f"the source files of {name} changed while this command was starting; run it again (if it comes back, a"
            " module reads a clock or draws numbers when it is imported)"
        )
    report = None if _updates is None else lambda *update: _updates.put(update)
    result, problem = _run_and_store(Task(job, runs), backend_name, options, Store(folder), 1, report)
    return (result if problem else None), problem


def _run_and_store(
    task: Task, backend_name: str, options: Options, store: Store, threads: int, progress: Progress | None
) -> tuple[Result, str | None]:
    job, name, horizon = task.job, task.job.simulation.key, int(task.job.marks[-1])
    backend_name = backend_of(job, backend_name, options)
    previous = usable(job.identity.load(store), job.looks, options, backend_name)
    if reaches(previous, task):
        assert previous is not None
        return previous, None

    def on_resume(t: int) -> None:
        if progress is not None:
            progress(name, t, horizon, True)

    report = None if progress is None else throttle(progress)
    if previous is not None and previous.meta["backend"] != backend_name:
        previous = None  # one result, one backend
    with _turn(backend_name), Interrupts() as interrupts:  # who waits for a turn can be ended at once
        before = 0 if previous is None else previous.runs
        keep = Checkpointer(store, job.key, interrupts, on_resume, of=f"runs {before} to {task.runs}")
        if previous is None and task.runs == job.looks[-1]:
            result = execute(job, backend_name, options, threads, report, keep)
        else:
            run = with_observers(job, backend_name, options, threads, report, keep)
            result = extend(job, run, previous, task.runs)
        return save(task, result, options, store)


def select(results: Mapping[str, Result], keys: Iterable[str]) -> dict[str, Result]:
    """The results with these keys. Raises KeyError for one that was not computed."""
    return {key: results[key] for key in keys}

"""What a worker of a cluster does with a piece of a simulation: it passes it on to a process of its own.

Dask's worker runs tasks in threads, beside its own. A piece runs in the main thread of a child process, as on one
machine: what it watches and sets (signals, random numbers, the files that are read) is its process's, a kernel never
holds up the worker's heartbeats, and when it is killed for its memory the worker lives on and says so. A child ends
when its worker does (`workbench.run.processes.begin`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
import tempfile
import threading
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import process
from pathlib import Path
from typing import Any

from workbench.homes import papers, processors, threads
from workbench.run import processes
from workbench.run.options import Options, UsageError
from workbench.run.row_blocks import Piece
from workbench.run.shipping import Parcel, unpack

TOPIC = "workbench progress"  # of the events that tell the client (piece, iterations done)
LOOK = 0.5  # seconds between two looks at a child's progress


class ChildKilled(Exception):
    """The process that computed a piece was killed, by the kernel or by a person."""


def work(piece: Piece, options: Options, parcel: Parcel) -> bytes:
    """A stored result's bytes (`workbench.run.store.format`). Called by Dask, in a thread of its worker.

    Raises UsageError as `workbench.run.jobs.prepare` and `execute` do, and if this machine's sources or libraries
    differ; ChildKilled.
    """
    from distributed import get_worker

    worker = get_worker()
    task = worker.get_current_task()
    with _of_parcel(parcel) as children:
        future = children.submit(piece, options)
        while not wait([future], LOOK).done:
            for event in children.news():
                worker.log_event(TOPIC, event)
            state = worker.state.tasks.get(task)
            if state is None or state.state == "cancelled":  # nobody waits for it any more
                children.kill()
                raise ChildKilled(piece.simulation)
        try:
            return future.result()
        except BrokenProcessPool:
            children.is_broken = True
            raise ChildKilled(piece.simulation) from None


class _Children:
    """The child processes that compute for one command's papers."""

    def __init__(self, parcel: Parcel) -> None:
        self.parcel, self.users, self.is_broken = parcel, 0, False
        self.folder = tempfile.TemporaryDirectory(prefix="workbench-papers-")
        # A nanny's worker may have no children since it may be killed without a word to them; ours notice it.
        process.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
        threads.one_each()
        places = tuple(unpack(parcel, Path(self.folder.name)))
        view = papers.View(parcel.standing, places, parcel.only)
        context = processes.context(view)
        self.updates: Any = context.Queue()
        given = (self.updates, processes.environment(view))
        self.pool = ProcessPoolExecutor(processors.count(), context, _begin, given)

    def submit(self, piece: Piece, options: Options) -> Future[bytes]:
        """Raises ChildKilled if the server that children are forked from was killed."""
        try:
            return self.pool.submit(_simulate, piece, options)
        except (BrokenExecutor, EOFError, OSError):
            self.is_broken = True
            raise ChildKilled(piece.simulation) from None

    def news(self) -> list[Any]:
        events = []
        with contextlib.suppress(queue.Empty):
            while True:
                events.append(self.updates.get_nowait())
        return events

    def kill(self) -> None:
        self.is_broken = True
        processes.end(list((self.pool._processes or {}).values()), 0.0)

    def end(self) -> None:
        self.kill()
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.folder.cleanup()


_current: _Children | None = None
_changing = threading.Lock()


@contextlib.contextmanager
def _of_parcel(parcel: Parcel) -> Any:
    """The children for a command's papers; those for other papers end when nobody waits for them."""
    global _current
    with _changing:
        if _current is None or _current.is_broken or _current.parcel.digest != parcel.digest:
            if _current is not None and _current.users == 0:
                _current.end()
            try:
                _current = _Children(parcel)
            except (OSError, EOFError) as error:  # of this machine: another may do
                raise ChildKilled(f"{type(error).__name__}: {error}") from None
        mine = _current
        mine.users += 1
    try:
        yield mine
    finally:
        with _changing:
            mine.users -= 1
            if mine is not _current and mine.users == 0:
                mine.end()


_updates: Any = None  # in a child: the queue for its progress


def _begin(updates: Any, environment: dict[str, str]) -> None:
    global _updates
    _updates = updates
    processes.begin(environment)


def _simulate(piece: Piece, options: Options) -> bytes:
    """In a child: looks the simulation up by name and runs the piece."""
    from workbench.arrays import backends
    from workbench.run import jobs, row_blocks
    from workbench.run.store.format import encode, seal

    job = jobs.job_of(piece.simulation, options)
    if job.key != piece.key:
        raise UsageError(
            f"a worker on {os.uname().nodename if hasattr(os, 'uname') else 'another machine'} would compute another "
            f"{piece.simulation}: the workbench, NumPy or the paper's sources are not the same there"
        )
    report = jobs.throttle(lambda key, t, horizon: _updates.put((piece.key, piece.start, t)))
    backend = jobs.backend_of(job, backends.resolve(options.backend), options)
    run = jobs.run_of(job, backend, options)
    run = dataclasses.replace(run, progress=lambda t, horizon: report(piece.simulation, t, horizon))
    body = encode(piece.key, row_blocks.simulate(job, piece, run))
    return body + seal(body)

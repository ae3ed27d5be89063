"""Simulations on the workers of a Dask cluster: cut into pieces, sent out, joined and stored.

Dask carries pieces to the workers and their bytes back; what is done when a worker is lost is decided here. A piece of
a larger simulation is stored as it arrives, so that another command can go on. A worker gets few pieces at a time: Dask
suspects whatever is assigned to a worker of its death. A piece is sent again until it has lost `DEATHS` workers.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from workbench.engine.records import Result
from workbench.run.connection import client_of
from workbench.run.jobs import Job, Progress, run_of
from workbench.run.options import Options, UsageError
from workbench.run.pending import Task, Work, length, save
from workbench.run.remote import TOPIC, ChildKilled, work
from workbench.run.row_blocks import Piece, pieces, rows_of, whole
from workbench.run.shipping import pack
from workbench.run.store.format import Damage, decode
from workbench.run.store.results import Store, StoreError

if TYPE_CHECKING:
    from distributed import Client, Future


AHEAD = 2  # pieces that a worker has at a time: the one it computes and the next
DEATHS = 10  # workers lost while they had a piece, after which the command gives up
LOOK = 2.0  # seconds between two counts of the workers
PATIENCE = 60.0  # seconds without a worker after which that is said
LATE, TIMES = (
    120.0,
    5,
)  # a piece is late after so many seconds, if that is also so many times what others took

GONE = "the scheduler of the cluster went away; what was finished is stored, and the same command goes on"


def compute(
    work: Work, options: Options, store: Store, progress: Progress | None, warn: Callable[[str], None]
) -> Iterator[tuple[Task, Result, str | None]]:
    """Yields (task, result, storage problem or None) as tasks finish. Raises UsageError if no cluster can be used."""
    todo = _Todo(work, options, store)
    yield from todo.complete_tasks()
    if todo.more():
        with client_of(str(options.cluster)) as client:
            try:
                yield from _on(client, todo, options, progress, warn)
            except Exception as error:
                if isinstance(error, UsageError) or client.status not in ("closing", "closed"):
                    raise
                raise UsageError(GONE) from None


@dataclass
class _Open:
    """A task of which pieces are missing.

    previous: the result to be extended. progress_of: start of a piece -> iterations done.
    """

    task: Task
    previous: Result | None
    of: list[Piece]
    parts: dict[int, Result] = field(default_factory=dict)
    progress_of: dict[int, int] = field(default_factory=dict)

    @property
    def job(self) -> Job:
        return self.task.job

    @property
    def iterations_done(self) -> int:
        """Iterations, as if all rows advanced together."""
        rows = {p.start: p.stop - p.start for p in self.of}
        return sum(self.progress_of.get(start, 0) * n for start, n in rows.items()) // sum(rows.values())


class _Todo:
    """The pieces that are missing, and what has been computed of unfinished tasks."""

    def __init__(self, work: Work, options: Options, store: Store) -> None:
        self.work, self.options, self.store = work, options, store
        self.jobs: dict[str, _Open] = {}
        self.pieces: deque[Piece] = deque()
        self.take()

    def take(self) -> None:
        """Cuts the tasks that have come up into pieces."""
        while self.work.tasks:
            task = self.work.tasks.popleft()
            self._cut(task, self.work.results.get(task.job.simulation.key))
        # The longest first: what cannot be cut takes as long as all workers together need for the rest.
        self.pieces = deque(
            sorted(self.pieces, key=lambda p: -length(self.jobs[p.key].job, p.stop - p.start))
        )

    def _cut(self, task: Task, previous: Result | None) -> None:
        of = pieces(task.job, 0 if previous is None else previous.runs, task.runs, self.options.fast)
        self.jobs[task.job.key] = _Open(task, previous, of)
        for piece in of:
            result = self._load_piece(piece) if len(of) > 1 else None
            if result is None:
                self.pieces.append(piece)
            else:
                self._keep(piece, result)

    def more(self) -> bool:
        """Whether anything is open, after all other work from which a task could come."""
        while not (self.jobs or self.work.tasks) and self.work.idle():
            pass
        self.take()
        return bool(self.jobs)

    def _load_piece(self, piece: Piece) -> Result | None:
        with contextlib.suppress(StoreError, Damage):
            content = self.store.load_partial(piece.key, _part(piece))
            if content is not None:
                result = self._read(piece, content)
                others = {str(part.meta["backend"]) for part in self.jobs[piece.key].parts.values()}
                if others <= {result.meta["backend"]}:
                    return result
        return None

    def _read(self, piece: Piece, content: bytes) -> Result:
        """Raises Damage for bytes that are not the result of this piece, on the backend that is asked for."""
        result, job = decode(piece.key, content), self.jobs[piece.key].job
        rows, grid = rows_of(job, piece), job.batch.grid
        same = np.array_equal(result.run_ids, grid.run_ids[rows]) and np.array_equal(result.marks, job.marks)
        same = same and result.meta.get("seed") == job.seed
        if not (same and all(np.array_equal(result.params[n], v[rows]) for n, v in grid.params.items())):
            raise Damage("holds other rows")
        if self.options.backend not in ("auto", result.meta["backend"]):
            raise Damage(f"was computed on {result.meta['backend']}")
        return result

    def _keep(self, piece: Piece, result: Result) -> None:
        open_task = self.jobs[piece.key]
        open_task.parts[piece.start], open_task.progress_of[piece.start] = result, result.horizon

    def take_in(self, piece: Piece, content: bytes) -> None:
        """Takes a piece and, if there are others, stores it. Raises Damage for bytes that were changed on the way."""
        if piece.key not in self.jobs or piece not in self.jobs[piece.key].of:  # a second copy
            return
        result, opened = self._read(piece, content), self.jobs[piece.key]
        if opened.previous is not None and opened.previous.meta["backend"] != result.meta["backend"]:
            self._cut(opened.task, None)  # one result, one backend: what was held is computed again
            return
        if len(opened.of) > 1:
            with contextlib.suppress(StoreError):  # which saving the whole result reports
                self.store.save_partial(piece.key, _part(piece), [content])
        self._keep(piece, result)

    def complete_tasks(self) -> Iterator[tuple[Task, Result, str | None]]:
        """Joins and stores the tasks of which no piece is missing any more."""
        for opened in [h for h in self.jobs.values() if len(h.parts) == len(h.of)]:
            job = opened.job
            del self.jobs[job.key]
            before = [] if opened.previous is None else [opened.previous]
            name, parts = job.simulation.key, [*before, *(opened.parts[piece.start] for piece in opened.of)]
            if len(backends := sorted({str(part.meta["backend"]) for part in parts})) > 1:
                raise UsageError(
                    f"pieces of {name} ran on {' and on '.join(backends)}, which agree to round-off only: choose one "
                    "with --backend"
                )
            result = whole(job, run_of(job, "numpy", self.options), parts)
            yield opened.task, *save(opened.task, result, self.options, self.store)


def _part(piece: Piece) -> str:
    return f"rows-{piece.start}-{piece.stop}"


def _on(
    client: Client,
    todo: _Todo,
    options: Options,
    progress: Progress | None,
    warn: Callable[[str], None],
) -> Iterator[tuple[Task, Result, str | None]]:
    news: queue.Queue[tuple[str, int, int]] = queue.Queue()
    client.subscribe_topic(TOPIC, lambda event: news.put(event[1]))
    workers = _Workers(client, warn)
    with _Sent(client, options) as queue_of_tasks:
        while True:
            yield from todo.complete_tasks()
            if not todo.more():
                return
            free = workers.count() - len(queue_of_tasks)
            while todo.pieces and free + (AHEAD - 1) * workers.cores > 0:
                queue_of_tasks.send(todo.pieces.popleft())
                free -= 1
            if not todo.pieces and free > 0:
                queue_of_tasks.send_again_what_is_late(free)
            try:
                piece, future = queue_of_tasks.ready.get(timeout=0.001 if todo.work.idle() else 0.3)
            except queue.Empty:
                _tell(todo, news, progress)
                continue
            try:
                todo.take_in(piece, future.result(timeout=PATIENCE))
                queue_of_tasks.take_in(piece, future)
            except Exception as error:
                if not _is_loss(error, client):
                    raise
                workers.count()  # which raises if there is no scheduler any more
                if queue_of_tasks.must_be_sent_again(piece, future, error):
                    todo.pieces.appendleft(piece)
            _tell(todo, news, progress)


class _Sent:
    """The pieces that are with the workers, some of them twice. At the end of the block what is left is cancelled."""

    def __init__(self, client: Client, options: Options) -> None:
        self.client, self.options, self.parcel = client, options, pack()
        self.ready: queue.Queue[tuple[Piece, Future]] = queue.Queue()
        self.futures: dict[Piece, list[Future]] = {}
        self.since: dict[Future, float] = {}
        self.deaths: dict[Piece, int] = {}
        self.number, self.longest = 0, 0.0
        self.name = secrets.token_hex(4)  # a scheduler may serve other commands with the same pieces

    def __enter__(self) -> _Sent:
        return self

    def __exit__(self, *_: object) -> None:
        self._cancel([f for futures in self.futures.values() for f in futures])

    def __len__(self) -> int:
        return sum(map(len, self.futures.values()))

    def send(self, piece: Piece) -> None:
        self.number += 1
        name = f"{piece.key}-{piece.start}-{self.name}-{self.number}"  # a lost task is not its repetition
        future = self.client.submit(work, piece, self.options, self.parcel, key=name, pure=False, retries=0)
        self.futures.setdefault(piece, []).append(future)
        self.since[future] = time.monotonic()
        future.add_done_callback(lambda f: self.ready.put((piece, f)))

    def send_again_what_is_late(self, free: int) -> None:
        """To idle workers: a machine may hang without a sign."""
        now, patience = time.monotonic(), max(LATE, TIMES * self.longest) if self.longest else 10 * LATE
        alone = {p: futures[0] for p, futures in self.futures.items() if len(futures) == 1}
        for piece in [p for p, future in alone.items() if now - self.since[future] > patience][:free]:
            self.send(piece)

    def take_in(self, piece: Piece, future: Future) -> None:
        """Forgets a piece; a second copy of it is cancelled."""
        self.longest = max(self.longest, time.monotonic() - self.since.pop(future))
        self._cancel([f for f in self.futures.pop(piece, []) if f is not future])

    def must_be_sent_again(self, piece: Piece, future: Future, error: Exception) -> bool:
        """Whether a piece must be sent again. Raises UsageError if it has lost too many workers."""
        from distributed import CancelledError

        self.since.pop(future, None)
        if piece not in self.futures:  # a second copy, which nobody waits for
            return False
        self.futures[piece] = [f for f in self.futures[piece] if f is not future]
        if not isinstance(error, TimeoutError | CancelledError):  # which say something about a connection
            self.deaths[piece] = self.deaths.get(piece, 0) + 1
        if self.deaths.get(piece, 0) > DEATHS:
            raise UsageError(
                f"{self.deaths[piece]} workers of the cluster were lost while computing {piece.simulation} "
                f"({type(error).__name__}: {error}; out of memory?); finished results are stored"
            )
        if self.futures[piece]:
            return False
        del self.futures[piece]
        return True

    def _cancel(self, futures: list[Future]) -> None:
        if self.client.status == "running":
            with contextlib.suppress(Exception):
                self.client.cancel(futures)


def _is_loss(error: Exception, client: Client) -> bool:
    """Whether a piece was lost on its way, and not refused by what computes it. Raises UsageError for some refusals."""
    from distributed import CancelledError, KilledWorker
    from distributed.comm import CommClosedError

    missing = error.__cause__ if isinstance(error, RuntimeError) else error  # by the scheduler, by a worker
    if isinstance(missing, ModuleNotFoundError):
        raise UsageError(
            f"the cluster cannot import {missing.name}: install the same workbench there"
        ) from None
    losses = (KilledWorker, ChildKilled, CancelledError, CommClosedError, TimeoutError, Damage)
    return isinstance(error, losses) or client.status != "running"


def _tell(todo: _Todo, news: queue.Queue, progress: Progress | None) -> None:
    """Passes on what the workers have told of their progress."""
    with contextlib.suppress(queue.Empty):
        while True:
            key, start, t = news.get_nowait()
            open_task = todo.jobs.get(key)
            if open_task is not None and start not in open_task.parts:
                open_task.progress_of[start] = t
                if progress is not None:
                    progress(
                        open_task.job.simulation.key, open_task.iterations_done, int(open_task.job.marks[-1])
                    )


class _Workers:
    """How many workers there are, counted now and then."""

    def __init__(self, client: Client, warn: Callable[[str], None]) -> None:
        self.client, self.warn = client, warn
        self.cores, self.since, self.last_look, self.has_warned = 0, time.monotonic(), 0.0, False

    def count(self) -> int:
        """Raises UsageError if the scheduler has gone away."""
        now = time.monotonic()
        if self.client.status in ("closing", "closed"):
            raise UsageError(GONE)
        if now - self.last_look < LOOK or self.client.status != "running":
            return self.cores
        self.last_look = now
        with contextlib.suppress(OSError, TimeoutError):
            self.cores = len(self.client.sync(self.client.scheduler.ncores, callback_timeout=10))
        if self.cores:
            self.since = now
        elif now - self.since > PATIENCE and not self.has_warned:
            self.has_warned = True
            self.warn(f"the cluster has had no worker for {PATIENCE:.0f} s; this command waits for one")
        return self.cores

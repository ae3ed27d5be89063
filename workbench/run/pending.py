"""What of the wanted results is there, and which tasks are left: the stored runs of each simulation, and its next look.

A simulation is made with the runs of one of its looks (`workbench.claims.interim_analyses`), and may be asked for
again with those of a later one. `workbench.run.pool` and `workbench.run.cluster` take the tasks from here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from workbench.arrays import backends
from workbench.claims.interim_analyses import with_looks
from workbench.claims.records import Simulation
from workbench.engine.records import Result
from workbench.run.jobs import Job, identity, prepare
from workbench.run.options import Options
from workbench.run.store.results import Store, StoreError


@dataclass(frozen=True)
class Task:
    """The result of a job with so many runs, one of its looks."""

    job: Job
    runs: int


# How many runs a command wants at first, from those that are stored (0: none) and the looks of the simulation.
Begin = Callable[[int, tuple[int, ...]], int]


def whole(runs_before: int, looks: tuple[int, ...]) -> int:
    """All runs."""
    return looks[-1]


def as_held(runs_before: int, looks: tuple[int, ...]) -> int:
    """What is stored, or all runs."""
    return runs_before or looks[-1]


def at_first(runs_before: int, looks: tuple[int, ...]) -> int:
    """What is stored, or the runs of the first look."""
    return runs_before or looks[0]


def length(job: Job, rows: int) -> int:
    """What so many rows of a simulation cost, up to a factor: an iteration costs as much as a hundred rows of it."""
    return int(job.marks[-1]) * (100 + rows)


class Work:
    """What is there, what is to be computed, and what to do in the meantime."""

    def __init__(
        self,
        options: Options,
        store: Store,
        idle: Callable[[Mapping[str, Result]], bool] = lambda results: False,
        more: Callable[[Mapping[str, Result]], Iterable[str]] = lambda results: (),
    ) -> None:
        self.options, self.store = options, store
        # On a cluster each worker has its own.
        self.backend = options.backend if options.cluster else backends.resolve(options.backend)
        self.results: dict[str, Result] = {}
        self.tasks: deque[Task] = deque()
        self._idle, self._more = idle, more
        self._sims: dict[str, Simulation] = {}
        self._pending: set[str] = set()

    def add(self, sim: Simulation, begin: Begin) -> bool:
        """Takes what the store has of a simulation, and notes what is missing. Whether nothing is."""
        self._sims[sim.key] = sim
        about = identity(sim, self.options)
        result = usable(about.load(self.store), about.looks, self.options, self.backend)
        if result is not None:
            self.results[sim.key] = result
        before = 0 if result is None else result.runs
        runs = begin(before, about.looks)
        if runs > before:
            self._note(Task(prepare(sim, self.options), runs))
        return runs <= before

    def _note(self, task: Task) -> None:
        self._pending.add(task.job.simulation.key)
        self.tasks.append(task)

    def take_in(self, task: Task, result: Result) -> None:
        self._pending.discard(task.job.simulation.key)
        self.results[task.job.simulation.key] = result

    def idle(self) -> bool:
        """Does one unit of other work; False if there is none at the moment."""
        did_work = self._idle(self.results)
        self._ask()
        return did_work

    def _ask(self) -> None:
        for key in self._more(self.results):
            sim, before = self._sims[key], self.results[key].runs
            looks = identity(sim, self.options).looks
            if key not in self._pending and before < looks[-1]:
                self._note(Task(prepare(sim, self.options), min(n for n in looks if n > before)))

    def next(self) -> Task | None:
        """The next task; None if there is none, and nothing to do from which one could come."""
        while not self.tasks and self.idle():
            pass
        return self.tasks.popleft() if self.tasks else None


def usable(
    previous: Result | None, looks: tuple[int, ...], options: Options, backend_name: str
) -> Result | None:
    """A stored result that may be used, with the job's looks; None where it has none of them.

    Backends agree to round-off, but an explicitly requested one is always used. Other numbers of runs than those of the
    looks come from a version that had others.
    """
    if previous is None or (options.backend != "auto" and previous.meta["backend"] != backend_name):
        return None
    return with_looks(previous, looks) if previous.runs in looks else None


def save(task: Task, result: Result, options: Options, store: Store) -> tuple[Result, str | None]:
    """Stores a result, unless another command has stored one with more runs. (What is stored now, problem or None.)"""
    key, backend = task.job.key, result.meta["backend"]
    other = usable(task.job.identity.load(store), task.job.looks, options, backend)
    if other is not None and other.runs > result.runs and other.meta["backend"] == backend:
        result = other
    else:
        try:
            store.save(key, result)
        except StoreError as error:
            return result, f"{task.job.simulation.key} was computed but could not be stored: {error}"
    store.remove_partials(key)
    return result, None


def reaches(result: Result | None, task: Task) -> bool:
    return result is not None and result.runs >= task.runs and result.runs in task.job.looks

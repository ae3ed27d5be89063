"""A job: one simulation with all parameters resolved, and its execution."""

from __future__ import annotations

import dataclasses
import importlib
import multiprocessing
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.random import derived_seed
from workbench.claims.exact_curves import ExactValues
from workbench.claims.interim_analyses import looks
from workbench.claims.method import complete
from workbench.claims.mutation import mutant
from workbench.claims.probes import Probed, computed_names, with_probe
from workbench.claims.recording import Recording
from workbench.claims.records import AS_READ, Batch, Simulation
from workbench.claims.runs import Runs
from workbench.engine import rows
from workbench.engine.choice import EngineError, Uncompiled, compiler_problem, simulate
from workbench.engine.records import Problem, Result, Run, Status, class_of
from workbench.engine.refusal import TraceError
from workbench.engine.start import begin
from workbench.engine.trial import draws_noise, unseen_metric
from workbench.engine.validate import ProblemError, validate
from workbench.homes import mistakes, papers, threads
from workbench.homes.keys import Key
from workbench.run import make_contract
from workbench.run.options import DEFAULT, Options, UsageError
from workbench.run.store import sources
from workbench.run.store.checkpoint import Checkpointer
from workbench.run.store.fingerprint import multiplies_matrices, simulation_key
from workbench.run.store.results import Store

# Called with simulation key, iterations done, total; a fourth argument True: resumed from there.
Progress = Callable[..., None]
SLOW = 2.0  # seconds from which on it is worth saying that a simulation was not compiled
# Rows of a batch from which a GPU pays. Its time per iteration, a microsecond on an H200 (benchmarks/results), hardly
# depends on them; one core does about 100 rows in that time, and there are many cores.
ON_DEVICE = 1024
EARLY = 2  # a batch that is lost by this iteration was wrong from the start


@dataclass(frozen=True)
class Job:
    """One simulation with all parameters resolved. ``key`` identifies it in the store.

    looks: numbers of runs, increasing, with which its result is made and extended; the last is all of them.
    """

    simulation: Simulation
    batch: Batch
    marks: np.ndarray
    seed: int
    key: str
    looks: tuple[int, ...]
    data: str = "bundled"

    @property
    def identity(self) -> Identity:
        """What a store knows it by."""
        return Identity(self.key, self.looks, self.simulation.key, self.seed)


def prepare(sim: Simulation, options: Options) -> Job:
    """The job of a simulation. Raises UsageError for a mistake in the paper's own code."""
    with explaining(sim):
        job = _prepare(sim, options)
    _identities()[sim.key, options] = sim, job.identity
    return job


@dataclass(frozen=True)
class Identity:
    """What a store knows a job by: see `Job`."""

    key: str
    looks: tuple[int, ...]
    simulation: str
    seed: int

    def load(self, store: Store) -> Result | None:
        """The stored result, if it is that of this simulation and seed; see `Store.load`."""
        return store.load(self.key, {"simulation": self.simulation, "seed": self.seed})


def identity(sim: Simulation, options: Options) -> Identity:
    """That of a simulation's job, which is prepared for it only once in a process. Raises as `prepare` does."""
    earlier, about = _identities().get((sim.key, options), (None, None))
    if earlier is not sim or about is None:
        prepare(sim, options)
        _, about = _identities()[sim.key, options]
    return about


@papers.per_view
def _identities() -> dict[tuple[str, Options], tuple[Simulation, Identity]]:
    return {}


def job_of(name: str, options: Options) -> Job:
    """In a worker: the job of a simulation. Raises UsageError if it is not found, and as `prepare` does."""
    from workbench.run import catalog

    if name not in (simulations := catalog.simulations()):
        reason = "; ".join(catalog.import_failures().get(Key.of(name).paper, ())) or "its module changed"
        raise UsageError(f"a worker process does not find {name}: {reason}")
    return prepare(simulations[name], options)


def explaining(sim: Simulation) -> AbstractContextManager[None]:
    """Says in one sentence what a mistake in the code of this simulation's paper raises."""
    return mistakes.blame(sim.key, sim.make)


def _prepare(sim: Simulation, options: Options) -> Job:
    mistakes.check_method(sim)
    sources.look()
    horizon = _of_profile(sim, "horizon", options.profile) if options.horizon is None else options.horizon
    number = _of_profile(sim, "runs", options.profile) if options.runs is None else options.runs
    runs = Runs(number, options.seed, options.data)
    # One BLAS thread: a reference solution computed with two differs in its last bits, and so would the key.
    with threads.one_for_blas():
        try:
            batch = sim.make(horizon, runs)
        except ValueError as error:
            if not runs.asked_for_real:
                raise
            raise UsageError(str(error), sim.key) from None
        if not isinstance(batch, Batch):
            why = f"make returns {type(batch).__name__}; wanted a Batch(instance, steps, start, grid)"
            raise UsageError(why, sim.key, mistakes.defined_at(sim.make))
        if multiprocessing.parent_process() is None:
            make_contract.check(sim, batch, horizon, runs)
    if sim.probe:
        batch = dataclasses.replace(batch, instance=Probed(batch.instance, sim.probe))
    if sim.record or sim.probe:
        batch = dataclasses.replace(
            batch, instance=Recording(batch.instance, tuple(sorted(_names_to_keep(sim))))
        )
    marks = sim.marks_up_to(horizon, batch.horizons)
    seed = derived_seed(options.seed, sim.key)
    key = simulation_key(sim, batch, marks, seed, options.fast)
    run_counts = _looks(batch, horizon, options)
    return Job(sim, batch, marks, seed, key, run_counts, "real" if runs.asked_for_real else "bundled")


def _names_to_keep(sim: Simulation) -> set[str]:
    """The recorded quantities that a result of a simulation keeps."""
    from workbench.run import catalog

    names = {*sim.record, *(_read_of_probe(sim) if sim.probe else ())}
    if names >= {*AS_READ}:
        names = names - {*AS_READ} | catalog.read_by_claims().get(sim.key, frozenset())
        if not names:
            why = "it keeps what claims read, and no claim says what it reads: name it in record"
            raise UsageError(why, sim.key, mistakes.defined_at(sim))
    return names


def _read_of_probe(sim: Simulation) -> tuple[str, ...]:
    """The quantities of its probe that a line of a proof, a waterfall or a claim reads; if there is none, all."""
    from workbench.run import catalog

    every, quantities = computed_names(sim.probe), catalog.read_along().get(sim.key, ())
    return tuple(name for name in every if name in quantities) or every


def _looks(batch: Batch, horizon: int, options: Options) -> tuple[int, ...]:
    """All runs at once where the user has said how many, or where a run's bits depend on which others are beside it."""
    runs = len(np.unique(batch.grid.run_ids))
    if options.runs is not None or not splits(batch, options.fast):
        return (runs,)
    return looks(runs, batch.grid.rows, horizon)


def splits(batch: Batch, fast: bool = False) -> bool:
    """Whether rows have the same bits wherever they are computed.

    Not where the instance multiplies matrices: BLAS sums in an order that depends on how many rows there are. Nor
    where kernels may fuse operations (``fast``): not every part need be compiled.
    """
    return not (fast or multiplies_matrices(batch))


def _of_profile(sim: Simulation, name: str, profile: str) -> int:
    """The horizon or the runs of a profile. Raises UsageError where there is none."""
    given = getattr(sim, name)
    if profile not in given:
        why = f"there is no {name} for the profile {profile}, only for {', '.join(given)}"
        raise UsageError(why, sim.key, mistakes.defined_at(sim))
    return int(given[profile])


def algorithm_of(sim: Simulation) -> Any:
    if sim.method is not None:
        return sim.method
    module = importlib.import_module(papers.module_name("methods", sim.algorithm))
    algorithm = complete(module if sim.mutation is None else mutant(module, sim.mutation))
    return with_probe(algorithm, sim.probe) if sim.probe else algorithm


def execute(
    job: Job,
    backend_name: str,
    options: Options = DEFAULT,
    threads: int = 1,
    progress: Progress | None = None,
    keep: Checkpointer | None = None,
) -> Result:
    """Runs all rows of a job to its last iteration, resuming from a checkpoint if ``keep`` has one.

    Raises UsageError if the requested engine cannot run it.
    """
    run = with_observers(job, backend_name, options, threads, progress, keep)
    problem = problem_of(job)
    return with_description(job, problem, run, simulate_job(job, problem, run))


def with_observers(
    job: Job,
    backend_name: str,
    options: Options,
    threads: int,
    progress: Progress | None,
    keep: Checkpointer | None,
) -> Run:
    """How a job is run, with reports of its progress and checkpoints."""
    name = job.simulation.key
    return dataclasses.replace(
        run_of(job, backend_name, options),
        threads=threads,
        progress=None if progress is None else lambda t, horizon: progress(name, t, horizon),
        keep=keep,
    )


def with_description(job: Job, problem: Problem, run: Run, result: Result) -> Result:
    """The result of a whole job with what `meta` says about it. Raises UsageError if all of it was lost at once."""
    sim = job.simulation
    if (result.status != Status.OK).all() and result.failed_at.max() <= EARLY:
        reason = f"infinite or not a number in every run by iteration {EARLY}"
        if metric := unseen_metric(problem, run):
            part, why = "metrics", f"the metric {metric!r} is {reason}, though the state is not"
        else:
            part, why = "step", f"the state is {reason}; check the step and its sizes"
        raise UsageError(why, sim.key, mistakes.defined_at(_part(problem, sim, part)))
    # Products of matrices are left to BLAS: no compiled kernel would be faster.
    why = "" if multiplies_matrices(job.batch) else _why_not_compiled(problem, run, result)
    about: dict[str, Any] = {
        "simulation": sim.key,
        "title": sim.title,
        "kind": sim.kind,
        "chosen": sim.chosen,
    }
    about["looks"] = list(job.looks)
    about["noise"] = "drawn" if draws_noise(problem, run) else "none"
    if sim.record or sim.probe:
        about["recorded"] = "some"
    if sim.method is not None:
        about["optimizer"] = ", ".join([sim.method.title, *sim.method.versions])
    if why:
        about["uncompiled"] = why
    if job.data == "real":
        about["data"] = "real"
    return dataclasses.replace(result, meta={**result.meta, **about})


def throttle(progress: Progress, seconds: float = 0.5) -> Progress:
    """``progress``, called at most once every ``seconds``."""
    last = time.monotonic()

    def report(key: str, t: int, horizon: int) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            progress(key, t, horizon)

    return report


def _why_not_compiled(problem: Problem, run: Run, result: Result) -> str:
    """Why a long simulation was not compiled, although the engine was free to choose; "" if there is no obstacle.

    An obstacle in the library, as a product with a data matrix, is none that the author could remove.
    """
    if run.engine != "auto" or result.meta.get("engine") != "eager" or result.elapsed[-1] < SLOW:
        return ""
    if obstacle := compiler_problem(run.backend):
        return obstacle
    from workbench.engine import fused

    problem, _ = validate(problem, run)
    try:
        fused.trace(problem, begin(problem, run.seed, backends.namespace("numpy")).state)
    except TraceError as error:
        return str(error) if not error.file or papers.author(error.file) else ""
    return ""


def problem_of(job: Job) -> Problem:
    batch, sim = job.batch, job.simulation
    with mistakes.blame(sim.key, (sim.mutation, sim)):
        return Problem(algorithm_of(sim), batch.instance, batch.steps, batch.start, batch.grid)


def backend_of(job: Job, backend_name: str, options: Options) -> str:
    """Where a job is computed: with ``--backend auto`` a GPU gets only batches large enough to pay there."""
    if options.backend == "auto" and job.batch.grid.rows < ON_DEVICE:
        return "numpy"
    return backend_name


def run_of(job: Job, backend_name: str, options: Options) -> Run:
    return Run(job.marks, job.seed, backend_name, options.engine, options.fast)


def simulate_job(job: Job, problem: Problem, run: Run, of: np.ndarray | None = None) -> Result:
    """The result of ``simulate``, of all rows or of some (increasing numbers).

    Raises UsageError if it refuses the problem, or the engine cannot run it.
    """
    with explaining(job.simulation):
        if isinstance(problem.instance, ExactValues):  # computed when it was prepared
            return problem.instance.result(problem, run.marks, int(run.seed))
        try:
            if of is not None:
                problem, run = validate(problem, run)
                problem = rows.cut_problem(problem, of)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Uncompiled)  # said at the end of the command, for long runs
                return simulate(problem, run)
        except ProblemError as error:
            where = mistakes.defined_at(_part(problem, job.simulation, error.part))
            raise UsageError(str(error), job.simulation.key, where) from None
        except EngineError as error:
            raise UsageError(str(error), job.simulation.key) from None


def _part(problem: Problem, sim: Simulation, name: str) -> Any:
    """The function or the class behind a part of a problem (`ProblemError.part`)."""
    if name == "make":
        return sim.make
    owner = problem.algorithm if name in ("init", "step") else class_of(problem.instance)
    part = getattr(owner, name, None)
    return part if callable(part) else owner

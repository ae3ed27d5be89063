"""Pieces of a simulation: rows of its batch, simulated apart and joined to the same bits.

Rows are taken in the order of the job's looks: those of the first, then what each later one adds (`order`). So the
result with the runs of a look is made of the first pieces, and grows by further ones. Which pieces there are depends on
the job alone, not on the number of workers: what a command has finished of them, the next one finds
(`workbench.run.store.results.Store.save_partial`), wherever it runs.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass

import numpy as np

from workbench.engine import rows, stored_constants
from workbench.engine.records import Result, Run
from workbench.engine.validate import validate
from workbench.run.jobs import Job, problem_of, simulate_job, splits, with_description

WORK = (
    2e8  # rows times iterations of a piece, at most; half a second of a fast kernel, a minute of a slow one
)
LEAST = 64  # rows of a piece, at least: a kernel's blocks should be full


@dataclass(frozen=True)
class Piece:
    """Rows [start, stop) in the `order` of a job, which is named by its simulation and its key."""

    simulation: str
    key: str
    start: int
    stop: int


def order(job: Job) -> np.ndarray:
    """The numbers of all rows: look by look, and within what a look adds as they are in the batch."""
    return np.argsort(np.searchsorted(job.looks, _run_numbers(job), side="right"), kind="stable")


def row_numbers(job: Job, runs: int) -> np.ndarray:
    """The numbers of the rows of a result with so many runs, increasing as in the result."""
    return np.flatnonzero(_run_numbers(job) < runs)


def _run_numbers(job: Job) -> np.ndarray:
    """The runs of the rows, numbered from 0."""
    return np.unique(job.batch.grid.run_ids, return_inverse=True)[1]


def pieces(job: Job, runs_before: int, runs: int, fast: bool = False) -> list[Piece]:
    """What a result with so many runs has beyond one with ``runs_before``, in `order`.

    Raises ValueError for no look's runs. One piece where rows do not have the same bits in every company
    (`workbench.run.jobs.splits`).
    """
    if runs_before not in (0, *job.looks) or runs not in job.looks:
        raise ValueError(
            f"{job.simulation.key} has results of {job.looks} runs, not of {runs_before} and {runs}"
        )
    whole = not splits(job.batch, fast)
    ends = [len(row_numbers(job, n)) for n in (runs_before, *job.looks) if runs_before <= n <= runs]
    blocks = []
    for a, b in itertools.pairwise(ends if not whole else (ends[0], ends[-1])):
        n = 1 if whole else count(b - a, int(job.marks[-1]))
        at = [a + (b - a) * i // n for i in range(n + 1)]
        blocks += [Piece(job.simulation.key, job.key, *ends) for ends in itertools.pairwise(at)]
    return [piece for piece in blocks if piece.start < piece.stop]


def count(size: int, iterations: int) -> int:
    """The number of pieces of so many rows."""
    return max(1, min(-(-size * iterations // int(WORK)), size // LEAST))


def simulate(job: Job, piece: Piece, run: Run) -> Result:
    """The result of a piece, its rows as they are in the batch.

    Raises UsageError as `workbench.run.jobs.simulate_job` does.
    """
    is_whole = piece.stop - piece.start == job.batch.grid.rows
    return simulate_job(job, problem_of(job), run, None if is_whole else rows_of(job, piece))


def rows_of(job: Job, piece: Piece) -> np.ndarray:
    """The numbers of a piece's rows, increasing."""
    return _rows(job, piece.start, piece.stop)


def _rows(job: Job, start: int, stop: int) -> np.ndarray:
    return np.sort(order(job)[start:stop])


def extend(job: Job, run: Run, previous: Result | None, runs: int) -> Result:
    """The result with so many runs, one of the job's looks, from one with fewer (or none).

    Raises UsageError as `workbench.run.jobs.simulate_job` does.
    """
    start = 0 if previous is None else previous.size
    piece = Piece(job.simulation.key, job.key, start, len(row_numbers(job, runs)))
    return whole(job, run, [*([] if previous is None else [previous]), simulate(job, piece, run)])


def whole(job: Job, run: Run, parts: list[Result]) -> Result:
    """The result with the rows of consecutive parts, the first rows in `order`; ``elapsed`` adds up."""
    problem = problem_of(job)
    size = job.batch.grid.rows
    if len(parts) == 1 and parts[0].size == size:
        return with_description(job, problem, run, parts[0])
    ends = np.cumsum([0, *(part.size for part in parts)])
    numbers = np.concatenate([_rows(job, a, b) for a, b in itertools.pairwise(ends)])
    together = rows.concatenate(parts).keeping(np.argsort(numbers))
    valid, valid_run = validate(problem, run)
    if len(numbers) < size:
        valid = rows.cut_problem(valid, np.sort(numbers))
    constants, steps = stored_constants.constants(valid, valid_run.marks), stored_constants.steps(valid)
    return with_description(
        job, problem, run, dataclasses.replace(together, constants=constants, steps=steps)
    )

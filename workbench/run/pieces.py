"""Pieces of a simulation: consecutive rows of its batch, simulated apart and joined to the same bits.

Which pieces there are depends on the job alone, not on the number of workers: what a command has finished of them, the
next one finds (`workbench.store.results.Store.save_partial`), wherever it runs.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass

from workbench.engine import known, rows
from workbench.engine.records import Result, Run
from workbench.engine.trial import written_in_place
from workbench.engine.validate import validated
from workbench.run.jobs import Job, described, problem_of, simulated
from workbench.store.fingerprint import multiplies_matrices

WORK = (
    2e8  # rows times iterations of a piece, at most; half a second of a fast kernel, a minute of a slow one
)
LEAST = 64  # rows of a piece, at least: a kernel's blocks should be full


@dataclass(frozen=True)
class Piece:
    """Rows [start, stop) of the batch of a job, which is named by its simulation and its key."""

    simulation: str
    key: str
    start: int
    stop: int


def pieces(job: Job, fast: bool = False) -> list[Piece]:
    """The pieces of a job in the order of their rows.

    One where the instance multiplies matrices: BLAS sums in an order that depends on how many rows there are. One
    where kernels may fuse operations (``fast``): not every piece need be compiled.
    """
    size = job.batch.grid.rows
    n = 1 if fast or multiplies_matrices(job.batch) else count(size, int(job.marks[-1]))
    at = [size * i // n for i in range(n + 1)]
    return [Piece(job.simulation.key, job.key, a, b) for a, b in itertools.pairwise(at)]


def count(size: int, iterations: int) -> int:
    """The number of pieces of so many rows."""
    return max(1, min(-(-size * iterations // int(WORK)), size // LEAST))


def simulate(job: Job, piece: Piece, run: Run) -> Result:
    """The result of a piece. Raises UsageError as `workbench.run.jobs.simulated` does."""
    is_whole = piece.stop - piece.start == job.batch.grid.rows
    return simulated(job, problem_of(job), run, None if is_whole else slice(piece.start, piece.stop))


def whole(job: Job, run: Run, parts: list[Result]) -> Result:
    """The result of the job, from those of all its pieces in order; ``elapsed`` adds up."""
    problem = problem_of(job)
    if len(parts) == 1:
        return described(job, problem, run, parts[0])
    valid, valid_run = validated(problem, run)
    with written_in_place():
        constants, steps = known.constants(valid, valid_run.marks), known.steps(valid)
    joined = dataclasses.replace(rows.joined(parts), constants=constants, steps=steps)
    return described(job, problem, run, joined)

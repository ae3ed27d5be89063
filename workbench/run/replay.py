"""Replays one row of a stored batch on its own and compares it with the stored row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench.engine.records import Result
from workbench.engine.rows import cut_problem
from workbench.run.jobs import Job, problem_of, run_of, simulate_job
from workbench.run.options import DEFAULT, Options, UsageError
from workbench.run.row_blocks import row_numbers
from workbench.run.store.fingerprint import multiplies_matrices

ROUND_OFF = 1e-9  # relative size that differences in the last bits may grow to along a run


def replay(job: Job, run: int, backend_name: str, options: Options = DEFAULT) -> Result:
    """Recomputes row ``run`` of a job on its own. Raises UsageError if the batch has no such row."""
    check_run(job, run)
    alone = cut_problem(problem_of(job), slice(run, run + 1))
    return simulate_job(job, alone, run_of(job, backend_name, options))


def looks_with(job: Job, run: int) -> Callable[[int, tuple[int, ...]], int]:
    """How many runs are wanted (`workbench.run.pool.Begin`): what is stored if row ``run`` is in it, or the first look
    that has it."""
    return lambda runs_before, looks: next(
        n for n in looks if n >= runs_before and run in row_numbers(job, n)
    )


def position(job: Job, original: Result, run: int) -> int:
    """Where row ``run`` of the batch is in a stored result."""
    return int(np.searchsorted(row_numbers(job, original.runs), run))


@dataclass(frozen=True)
class Compared:
    """One quantity, stored and recomputed: both values at the last mark, and the largest difference at any mark."""

    quantity: str
    original: float
    alone: float
    gap: float


def comparison(original: Result, run: int, alone: Result) -> list[Compared]:
    """Every quantity of row ``run`` of a stored result, next to its replay."""
    rows = []
    for name, (again,) in alone.data.items():
        values = original.data[name][run]
        with np.errstate(invalid="ignore"):
            gaps = np.abs(values - again)
        gap = float(np.nanmax(gaps)) if np.isfinite(gaps).any() else 0.0
        rows.append(Compared(name, values[-1], again[-1], gap))
    return rows


@dataclass(frozen=True)
class Outcome:
    """Whether a replay gave the same numbers, up to round-off where that is admitted, and how near they are."""

    same: bool
    sentence: str


def outcome(job: Job, original: Result, run: int, alone: Result) -> Outcome:
    """That of the replay of row ``run`` of a stored result."""
    return of_curves(
        job,
        np.array([original.data[n][run] for n in alone.data]),
        np.array([v[0] for v in alone.data.values()]),
    )


def of_curves(job: Job, original: np.ndarray, alone: np.ndarray) -> Outcome:
    """The outcome of (quantities, M) against (quantities, M): identical bits, round-off, or a difference."""
    relative = max(map(relative_difference, original, alone), default=0.0)
    size = f"largest relative difference {relative:.2g}"
    if np.array_equal(original, alone, equal_nan=True):
        return Outcome(True, "same bits")
    if relative <= ROUND_OFF and multiplies_matrices(job.batch):
        return Outcome(True, f"same up to round-off ({size}; BLAS sums in a different order)")
    return Outcome(False, f"NOT the same bits ({size})")


def relative_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of two curves relative to their largest finite magnitude.

    Infinite if they differ where one of them is not finite.
    """
    apart = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not apart.any():
        return 0.0
    if not (np.isfinite(a) & np.isfinite(b))[apart].all():
        return np.inf
    size = max(np.abs(v[np.isfinite(v)]).max() for v in (a, b))
    return float(np.abs(a[apart] - b[apart]).max() / size)


def check_run(job: Job, run: int) -> None:
    rows = job.batch.grid.rows
    if not 0 <= run < rows:
        raise UsageError(f"{job.simulation.key} has runs 0 to {rows - 1}, not {run}")

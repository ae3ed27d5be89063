"""The looks of a simulation, and what a claim reads at one of them.

A simulation whose time grows with its runs is not made whole at once: it starts with the first of its looks, and gets
the runs of the next one as long as a claim on it is not settled (`workbench.evidence.interim_analyses`). A look is a
number of runs, the same for every grid point. What a claim reads at a look depends on the results alone: runs that
were added for another claim, by another command or for a figure are left aside until the claim comes to their look.
So its finding does not depend on the way in which the runs came about.

With one exception: a run that failed is a fact about the simulation, and one simulation gives one answer to all its
lines. The result of the first runs knows how many of the others failed (`failed_behind`), and what is claimed of an
expectation does not hold on its strength (`usable_rows.unless_failed_behind`), but goes on to the look that reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from workbench.engine.records import Result, Status
from workbench.evidence.interim_analyses import sizes

WORK = 1e7  # rows times iterations of a simulation that is worth more than one look; some tenths of a second


def looks(runs: int, rows: int, iterations: int) -> tuple[int, ...]:
    """Numbers of runs, increasing, the last of which is all."""
    return sizes(runs) if rows * iterations > WORK else (runs,)


def with_looks(result: Result, looks: tuple[int, ...]) -> Result:
    """The result, which says of itself what its looks are."""
    return replace(result, meta={**result.meta, "looks": list(looks)})


def of(result: Result) -> tuple[int, ...]:
    """The looks of a result; a single one if nothing is said."""
    return tuple(result.meta.get("looks") or (result.runs,))


def most(results: Iterable[Result]) -> int:
    """The number of looks of a claim that needs these results."""
    return max((len(of(r)) for r in results), default=1)


def runs_at_look(results: Mapping[str, Result], look: int, last: int) -> dict[str, int]:
    """The runs that a claim which needs these results reads of each at its look, of 1, ..., last.

    The looks of several simulations end together: one with fewer of them is read at its first until then. Of those with
    the same runs in the end the same are read before, since their runs may be compared in pairs.
    """
    own = {key: of(result) for key, result in results.items()}
    numbers = {key: looks[max(0, len(looks) - 1 - (last - look))] for key, looks in own.items()}
    return {key: min(numbers[k] for k in own if own[k][-1] == looks[-1]) for key, looks in own.items()}


def read(results: Mapping[str, Result], look: int, last: int) -> dict[str, Result]:
    """What a claim that needs these results reads at its look: of each, its first runs."""
    runs = runs_at_look(results, look, last)
    return {key: first(result, runs[key]) for key, result in results.items()}


BEHIND = "failed behind"  # in the metadata of `first`: [run, its grid point] of every row that failed


def first(result: Result, runs: int) -> Result:
    """The result of the first runs alone, at every grid point. It knows which of the others failed."""
    if result.runs <= runs:
        return result
    mine = np.isin(result.run_ids, np.unique(result.run_ids)[:runs])
    rows = np.flatnonzero((result.status != Status.OK) & ~mine).tolist()
    failed = [[int(result.run_ids[row]), _point(result, row)] for row in rows]
    return replace(result.keeping(mine), meta=result.meta | {BEHIND: failed} if failed else result.meta)


def failed_behind(result: Result, rows: np.ndarray | None = None) -> int:
    """How many runs failed behind those of a result, at the grid points of some of its rows (default: at any)."""
    failed = result.meta.get(BEHIND, [])
    if not failed or rows is None:
        return len({run for run, _ in failed})
    points = [_point(result, row) for row in np.flatnonzero(rows).tolist()]
    return len({run for run, point in failed if point in points})


def _point(result: Result, row: int) -> list[float]:
    return [float(values[row]) for values in result.params.values()]

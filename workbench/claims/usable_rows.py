"""What of a result may be evidence: rows until they fail, and identical runs only where nothing was random.

Findings see arrays. Whether a row had left the numbers before its metric did, and whether runs that agree in one curve
agree by necessity, only the result knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from workbench.engine.records import Result, Status
from workbench.evidence import stats
from workbench.evidence._common import SIDE
from workbench.evidence.verdicts import Finding


@dataclass(frozen=True)
class Chance:
    """How chance had a part in some rows of a result. differ: the runs are seen to differ, in another curve."""

    sentence: str
    differ: bool = False


def until_failure(result: Result) -> Result:
    """The result without the values that a failed row has from the mark on at which its failure was seen.

    An iterate may overflow where a metric stays finite (a distance to a box, an indicator). Such a row is no run of the
    method any more, so its values become NaN, which every kind of evidence counts as a failure. `Result.calls` stay.
    """
    failed = result.status != Status.OK
    if not failed.any():
        return result
    gone = failed[:, None] & (result.marks >= result.failed_at[:, None])
    return replace(result, data={n: np.where(gone, np.nan, table) for n, table in result.data.items()})


def unless_random(finding: Finding, result: Result, rows: np.ndarray) -> Finding:
    """The finding; not exact if the runs agree in its curve, while chance had a part in them.

    rows: (rows of the result,) mask of what was read. A quantity with few values (a count, an indicator, a maximum) can
    agree by chance. So identical runs are exact only if every quantity agrees, at every mark. If not, or if the step
    draws noise, or if some quantities were left out of the result (`Simulation.record`), they are a sample like any
    other: fewer than `stats.MIN_RUNS` of them decide nothing, and the note says how rare a different run may be.
    """
    return by_chance(finding, result.runs, chance(result, rows))


def chance(result: Result, rows: np.ndarray) -> Chance | None:
    """How chance had a part in some rows of a result; None if it had none."""
    if result.runs < 2:
        return None
    for name, table in sorted(result.data.items()):
        if not stats.identical(result.by_run(table[rows])):
            return Chance(f"the runs differ in {name}", differ=True)
    if result.meta.get("noise") == "drawn":
        return Chance("random numbers are drawn")
    return Chance("not all is recorded") if result.meta.get("recorded") == "some" else None


def by_chance(finding: Finding, runs: int, part: Chance | None) -> Finding:
    """`unless_random`, where it is known whether runs that agree may do so by chance (`chance`)."""
    if part is None or not finding.exact or finding.runs < 2:
        return finding
    if runs < stats.MIN_RUNS:
        return replace(
            finding,
            p_if_wrong=1.0,
            p_if_right=1.0,
            note=f"{finding.note}; {part.sentence}, and {runs} of them agree here perhaps by chance",
            decides=f"about {stats.MIN_RUNS} runs",
        )
    share = stats.unseen_share(runs, SIDE)
    note = f"{finding.note}; {part.sentence}, and a share of runs up to {share:.2g} could differ here unseen"
    return replace(finding, exact=not part.differ, provisional=finding.p_if_wrong == 0.0, note=note)

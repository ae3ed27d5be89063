"""What of a result may be evidence: rows until they fail, each of its own run, and identical ones only without chance.

Findings see arrays. Whether a row had left the numbers before its metric did, whether its metric is that of its run
alone, and whether runs that agree in one curve agree by necessity, only the result knows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from workbench.claims.interim_analyses import failed_behind
from workbench.claims.views import Quantity, Readable, name_of
from workbench.engine.records import Result, Status
from workbench.evidence import stats
from workbench.evidence._common import SIDE
from workbench.evidence.verdicts import Finding


class Refused(ValueError):
    """A claim whose premise is false on its instance: the claim is at fault, not the horizon or the runs."""


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
    lost_marks = failed[:, None] & (result.marks >= result.failed_at[:, None])
    return replace(result, data={n: np.where(lost_marks, np.nan, table) for n, table in result.data.items()})


def check_separate(result: Result, metric: Quantity) -> None:
    """Raises Refused for a metric whose values in a row are others where some of the other runs are left out.

    Such rows are no sample: the mean over runs in every row would look like a curve without noise. Tried with each
    third of the runs, at all of their grid points, so that a metric may compare these. Up to round-off.
    """
    if isinstance(metric, str) or result.runs < 2:
        return
    among_all, identities = np.asarray(metric(result)), np.unique(result.run_ids)
    size = 1e-12 * float(np.abs(among_all[np.isfinite(among_all)]).max(initial=0.0))
    for first in range(min(3, result.runs)):
        some = np.isin(result.run_ids, identities[first::3])
        here, alone = among_all[some], np.asarray(metric(result.keeping(some)))
        if here.shape != alone.shape or not np.allclose(alone, here, 1e-6, size, equal_nan=True):
            raise Refused(
                f"the metric {name_of(metric)} gives a run other values when other runs are left out; a run is evidence"
                " of its own only where its values are computed from that run alone"
            )


def _differing(result: Result, rows: np.ndarray, metric: Quantity) -> str:
    """The name of a recorded quantity that a metric is computed from and in which the runs differ, or ""."""
    if isinstance(metric, str):
        return ""
    tables = Readable(result.data)
    metric(replace(result, data=tables))
    differ = (n for n in sorted(tables.names) if not stats.identical(result.by_run(result.data[n][rows])))
    return next(differ, "")


def unless_random(finding: Finding, result: Result, rows: np.ndarray, *metrics: Quantity) -> Finding:
    """The finding; not exact if the runs agree in its curve, while chance had a part in them.

    rows: (rows of the result,) mask of what was read. metrics: what it was read of. A quantity with few values (a
    count, an indicator, a maximum) can agree by chance. So identical runs are exact only if every quantity agrees, at
    every mark. If not, or if the step draws noise, or if some quantities were left out of the result
    (`Simulation.record`), they are a sample like any other: fewer than `stats.MIN_RUNS` of them decide nothing, and the
    note says how rare a different run may be. Where a metric is a function of quantities in which the runs differ, runs
    that agree are no sample, and decide nothing. Raises Refused as `check_separate` does.
    """
    for metric in metrics:
        check_separate(result, metric)
        if finding.exact and (name := _differing(result, rows, metric)):
            why = f"all runs agree although {name}, of which {name_of(metric)} is made, differs: they are no sample"
            note, decides = f"{finding.note}; {why}", "a metric in which the runs differ"
            return replace(finding, exact=False, p_if_wrong=1.0, p_if_right=1.0, note=note, decides=decides)
    finding = unless_failed_behind(finding, failed_behind(result, rows))
    return by_chance(finding, result.runs, chance(result, rows))


def unless_failed_behind(finding: Finding, failed: int) -> Finding:
    """The finding on the first runs of a simulation, where so many of its other runs failed.

    What is claimed of an expectation cannot hold then, as if they had been read (`_common.unless_failed`).
    """
    if not failed:
        return finding
    runs = "run" if failed == 1 else "runs"
    finding = replace(
        finding, note=f"{finding.note}; {failed} {runs} of the same simulation failed behind these"
    )
    if not finding.of_mean:
        return finding
    return replace(
        finding, p_if_wrong=1.0, decides=finding.decides or "all runs, and that none of them fails"
    )


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

"""The trend of measured/bound: how its mean changes with T in the tail, beside the slack, which is that of one mark.

A bound that is a thousand times above the curve holds at every affordable horizon, whatever its exponent. If
measured/bound falls, a longer horizon only adds to the slack; if it rises, the bound is used up in time unless the rise
ends, and the verdict says so.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from workbench.evidence import rates
from workbench.evidence._common import SIDE
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough

MOST = 99  # decimal digits of a horizon; a later one is not told


def with_trend(finding: Finding, ratios: Floats, marks: Floats) -> Finding:
    """The finding on a bound with the slope of measured/bound in the tail, its upper limit, and the last slack.

    ratios (runs, M): measured/bound of the runs that are finite. marks (M,): those of several grid points may follow
    each other; then the point with the largest upper limit counts. The finding is returned as it is where no point has
    marks enough, or where the mean is not positive: there is no slope then.
    """
    slopes = [e for part in _points(marks) if (e := _slope(ratios[:, part], marks[part])) is not None]
    if not slopes:
        return finding
    steepest = max(slopes, key=lambda e: e.interval(SIDE)[1])
    low, high = steepest.interval(SIDE)
    last = max(float(ratios[:, part[-1]].mean()) for part in _points(marks))
    note = f"{finding.note}; at the horizon measured/bound is {last:.3g}"
    if np.isfinite(high):
        note += f", its slope in the tail {steepest.value:+.3f} (at most {high:+.3f})"
    if low > 0:
        note += ": it still rises"
        if last < 1:
            note += f", and would reach 1 {_when(float(marks[-1]), last, steepest.value)}"
    return replace(finding, note=note, trend=(steepest.value, high))


def _when(horizon: float, last: float, slope: float) -> str:
    """Where a curve that goes on with this slope reaches 1."""
    power = np.log10(horizon) - np.log10(last) / slope
    return f"at T = 1e{power:.0f} if it went on so" if power < MOST else f"beyond T = 1e{MOST} only"


def _points(marks: Floats) -> list[np.ndarray]:
    """The columns of each grid point: the marks increase within one."""
    return np.split(np.arange(marks.size), np.flatnonzero(np.diff(marks) <= 0) + 1)


def _slope(ratios: Floats, marks: Floats) -> Estimate | None:
    positive = marks > 0
    if not len(ratios) or not positive.any():
        return None
    try:
        tail = rates.window_slopes(ratios[:, positive], marks[positive]).tail
    except NotEnough:
        return None
    return tail if np.isfinite(tail.value) else None

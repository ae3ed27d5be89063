"""Levels: the curve itself is predicted, constant and all."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from workbench import rates, stats
from workbench.evidence._common import (
    MAX_FAILED,
    Window,
    checked_formula,
    checked_table,
    diverged,
    estimate_finding,
    p_either,
    p_inside,
    sample,
)
from workbench.stats import Floats
from workbench.verdicts import Finding


def level(
    values: ArrayLike,
    marks: ArrayLike,
    predicted: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    deterministic: bool = False,
) -> Finding:
    """Is measured/predicted equal to 1 within rtol over the tail? Far sharper than a slope.

    predicted broadcasts against (runs, M) and counts as known: for a measured curve pass its mean over runs,
    with a tolerance that covers its own error. violated needs the ratio outside 1 +- rtol in the tail *and* still
    outside, on the same side, when its drift is continued for another window.

    Raises ValueError for values that are not (runs, M), a level that is not finite and positive, and a window
    that is empty or lacks marks in one of its halves.
    """
    marks = np.asarray(marks, float)
    runs = sample(checked_table(values, marks.size) / checked_formula(predicted, "the level"))
    if runs.too_few(max_failed):
        return diverged("level", 1.0, runs, float(marks[-1]), max_failed, deterministic)
    start, weights = _half_weights(marks, window)
    found = stats.jackknife(runs.clean, lambda means: means @ weights)
    now, ahead = [stats.deterministic(e) for e in found] if deterministic else found
    above = max(now.p_above(1 + rtol), ahead.p_above(1 + rtol))
    below = max(now.p_below(1 - rtol), ahead.p_below(1 - rtol))
    return estimate_finding(
        "level",
        1.0,
        now,
        p_holds=p_inside(now, 1 - rtol, 1 + rtol),
        p_violated=p_either(above, below),
        horizon=float(marks[-1]),
        note=runs.note(f"mean of measured/predicted from {start:.3g}, tolerance {rtol:g}"),
        margins=[(now, rtol - abs(now.value - 1))],
    )


def _half_weights(marks: Floats, window: Window | None) -> tuple[float, Floats]:
    """Where the tail starts, and weights (M, 2): the mean over the tail, and its continuation by one window."""
    lo, hi = rates.window_of(marks, window)
    middle = float(np.sqrt(lo * hi))
    tail = (marks >= middle) & (marks <= hi * (1 + 1e-9))
    before = (marks >= lo * (1 - 1e-9)) & ~tail & (marks < hi)
    if not tail.any() or not before.any():
        raise ValueError("`level` needs marks in both halves of its window")
    last, first = tail / tail.sum(), before / before.sum()
    return middle, np.stack([last, 2 * last - first], axis=1)

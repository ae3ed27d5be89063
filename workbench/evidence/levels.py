"""Levels: the curve itself, including its constant, is predicted by a formula (`level`) or another method (`same`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import rates, stats
from workbench.evidence._common import (
    MAX_FAILED,
    SIDE,
    Sample,
    Window,
    check_claim,
    checked_formula,
    checked_marks,
    checked_table,
    divergence,
    estimate_finding,
    p_either,
    p_inside,
    sample,
    unless_failed,
)
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough


def level(
    values: ArrayLike,
    marks: ArrayLike,
    predicted: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Is measured/predicted equal to 1 within rtol over the tail? Far sharper than a slope.

    predicted broadcasts against (runs, M) and is treated as exact; see `same` for a measured prediction.
    holds: the mean ratio over the tail lies significantly inside 1 +- rtol, and so does its linear extrapolation (in
    log T) by one more window. So the right level with an exponent wrong by more than rtol/log(T/T_mid), 0.009 by
    default, is not accepted.
    violated: the ratio lies significantly outside in the tail *and*, on the same side, after extrapolating the change
    from the window before. (Each extrapolation is the conservative one: while a transient decays, the ratio changes
    less within the tail than it did before.)

    Raises ValueError for values that are not (runs, M), marks that do not increase, a tolerance that is not positive,
    and a level that is not finite and positive; `NotEnough` for a window that is empty or has no mark in its earlier
    half or fewer than three in its tail.
    """
    marks = checked_marks(marks)
    check_claim(1.0, rtol=rtol)
    runs = sample(checked_table(values, marks.size) / checked_formula(predicted, "the level"))
    if runs.too_few(max_failed):
        return divergence("level", 1.0, runs, float(marks[-1]), max_failed)
    start, weights, keeps = _tail_weights(marks, window)
    estimates = stats.jackknife(runs.clean, lambda means: means @ weights + (0, 0, 0, keeps))
    note = f"mean of measured/predicted from {start:.3g}, tolerance {rtol:g}"
    return _near_one("level", estimates, keeps, rtol, runs, float(marks[-1]), note)


def same(
    values_a: ArrayLike,
    values_b: ArrayLike,
    marks: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Do two methods follow the same curve: is mean(a)/mean(b) equal to 1 within rtol over the tail?

    Both are measured, (runs, M) each at the same marks. Rows i of both form a pair, as rows that share their noise
    identity do. (Rows of independent samples may be paired arbitrarily.) The error comes from the jackknife over pairs.
    The mean over the tail and its extrapolations are those of the logarithm of the ratio. Verdicts as in `level`. A
    pair with a failed run is left out, and then the claim cannot hold.

    Raises ValueError for values that are not (runs, M) or differ in their number of runs, and errors as in `level`.
    """
    marks = checked_marks(marks)
    check_claim(1.0, rtol=rtol)
    a, b = (checked_table(v, marks.size) for v in (values_a, values_b))
    if len(a) != len(b):
        raise ValueError(f"rows are compared in pairs, got {len(a)} and {len(b)} of them")
    runs = sample(np.stack([a, b], axis=1))
    if runs.too_few(max_failed):
        return divergence("level", 1.0, runs, float(marks[-1]), max_failed)
    start, weights, keeps = _tail_weights(marks, window)

    inside = weights.any(axis=1)

    def ratios(means: Floats) -> Floats:
        logs = rates.log_mean(means[..., inside])
        return np.exp((logs[:, 0] - logs[:, 1]) @ weights[inside])

    note = f"ratio of two measured means from {start:.3g}, tolerance {rtol:g}"
    return _near_one("level", stats.jackknife(runs.clean, ratios), keeps, rtol, runs, float(marks[-1]), note)


def _near_one(
    evidence: str,
    estimates: Sequence[Estimate],
    keeps: float,
    rtol: float,
    runs: Sample,
    horizon: float,
    note: str,
) -> Finding:
    """The finding on a ratio that should be 1. estimates: one for each column of `_tail_weights`."""
    now, ahead, beyond, lasting = estimates
    above = max(lasting.p_above(1), *(e.p_above(1 + rtol) for e in (now, beyond)))
    below = max(lasting.p_below(1), *(e.p_below(1 - rtol) for e in (now, beyond)))
    off = now.value - 1
    # The extrapolation that a decision needs besides the ratio in the tail, and its margin.
    if abs(off) > rtol:
        other, room = beyond, np.sign(off) * (beyond.value - 1) - rtol
        back = (beyond.p_below(1 + rtol), lasting.p_below(1))
        moving = min(back if off > 0 else (beyond.p_above(1 - rtol), lasting.p_above(1)))
    else:
        other, room = ahead, rtol - abs(ahead.value - 1)
        moving = min(ahead.p_above(1 + rtol), ahead.p_below(1 - rtol))
    decides = "longer horizon: the ratio is still moving" if moving <= SIDE else ""
    if not np.isfinite(off):
        decides = "a metric that stays positive, or another window"
    finding = estimate_finding(
        evidence,
        1.0,
        now,
        p_if_wrong=max(p_inside(e, 1 - rtol, 1 + rtol) for e in (now, ahead)),
        p_if_right=p_either(above, below),
        runs=runs,
        horizon=horizon,
        note=runs.note(f"{note}, one window ahead {ahead.value:.4g}"),
        decides=decides,
        margins=[(now, rtol - abs(off)), (other, room)],
        rejects=partial(_rejected_level, now, beyond, lasting, keeps, rtol),
        admits=partial(_admitted_level, (now, ahead), rtol),
    )
    return unless_failed(finding, runs)


def _admitted_level(ratios: Sequence[Estimate], rtol: float, side: float) -> float:
    """The relative error of a prediction, in either direction, up to which all these ratios lie within rtol of 1."""
    limits = [e.interval(side) for e in ratios]
    up = min(low for low, _ in limits) / (1 - rtol) - 1 if rtol < 1 else np.inf
    return max(up, 1 - max(high for _, high in limits) / (1 + rtol), 0.0)


def _rejected_level(
    now: Estimate, beyond: Estimate, lasting: Estimate, keeps: float, rtol: float, side: float
) -> float:
    """The relative error, in either direction, at which these data would violate a prediction."""
    if not (now.decides and beyond.decides):
        return np.inf
    limits = [e.interval(side / 2) for e in (now, beyond)]
    high, low = max(h for _, h in limits), min(a for a, _ in limits)
    if not (rtol < 1 and lasting.decides):
        return np.inf
    # A prediction that is wrong by e has a lasting distance of e (1 - keeps); exactly so in `level`, and `same` reads
    # logarithms. The larger of both is valid for both.
    bottom, top = lasting.interval(side / 2)
    up, down = max(top, 0.0) ** (1 / (1 - keeps)) - 1, (1 - bottom) / (1 - keeps)
    return max(high / (1 - rtol) - 1, 1 - low / (1 + rtol), up, down)


def _tail_weights(marks: Floats, window: Window | None) -> tuple[float, Floats, float]:
    """(start of the tail, weights (M, 4), share of its distance that a slow approach keeps from half to half).

    The weights give the tail's mean, two extrapolations by one window, and the tail's mean less that share of the mean
    before (`rates.slowest_decay`).

    The first extrapolation extends the least-squares line (in log T) through the tail, the second the change from the
    window before it.
    """
    lo, hi = rates.window_of(marks, window)
    middle = float(np.sqrt(lo * hi))
    tail = (marks >= middle) & (marks <= hi * (1 + 1e-9))
    before = (marks >= lo * (1 - 1e-9)) & ~tail & (marks < hi)
    if tail.sum() < 3 or not before.any():
        raise NotEnough("a level needs three marks in the tail of its window and one before it")
    last, first, line = tail / tail.sum(), before / before.sum(), np.zeros(marks.size)
    line[tail] = rates.slope_weights(np.log(marks[tail])) * np.log(hi / middle)
    keeps = rates.slowest_decay((lo, hi))
    return middle, np.stack([last, last + line, 2 * last - first, last - keeps * first], axis=1), keeps

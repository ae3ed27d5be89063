"""Estimating exponents from measured curves: window slopes, local slopes, increments, form fits, crossovers.

`values` (runs, M) are positive metrics, one row per run, at increasing checkpoints `marks` (M,). A slope is the
least-squares slope of log(mean over runs) on log(marks), since expectations decay at a rate and single paths do not.
Its standard error comes from the jackknife over runs (`stats`), never from the residuals of the fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import horizons
from workbench.evidence.stats import Estimate, Floats, jackknife
from workbench.evidence.verdicts import NotEnough

SPAN = 1000.0  # default range: the last three decades, i.e. a tail [T/31.6, T] and a window before it


def log_mean(means: Floats) -> Floats:
    """Logarithm; NaN without a warning where a mean is not positive, since such a curve has no exponent."""
    return np.log(np.where(means > 0, means, np.nan))


def slope_weights(x: Floats) -> Floats:
    """Weights w with slope = y @ w for the least-squares line of y on x; both of length M >= 2."""
    d = x - x.mean()
    return d / (d @ d)


def without_logs(values: Floats, marks: Floats, log_power: float) -> Floats:
    """Values divided by (log T)^log_power, whose known local slope log_power/log T is not part of the exponent.

    NaN at marks up to 1, of which no power of the logarithm is positive.
    """
    return values / np.log(np.where(marks > 1, marks, np.nan)) ** log_power if log_power else values


@dataclass(frozen=True)
class Slopes:
    """Slopes of one curve: in the tail (T_mid, T], in the window before it, their difference, and extrapolated.

    drift = tail - before, over a distance `step` = log(T/T_mid) between window centres; ahead = tail + drift
    extrapolates linearly to the next window (T, T^2/T_mid]. length: an error of size 1 at each mark of the tail,
    independent of the others', is one of 1/length in its slope. extra: statistics that the caller derives from the
    slopes.
    """

    tail: Estimate
    before: Estimate
    drift: Estimate
    ahead: Estimate
    step: float
    window: tuple[float, float]
    length: float
    extra: tuple[Estimate, ...] = ()


def window_of(marks: Floats, window: tuple[float, float] | None) -> tuple[float, float]:
    """The range to read, by default the last three decades, validated against the marks.

    Raises ValueError if fewer than two marks can lie inside.
    """
    lo, hi = window if window else (marks[-1] / SPAN, marks[-1])
    lo, hi = max(lo, float(marks[0])), min(hi, float(marks[-1]))
    if not 0 < lo < hi:
        raise NotEnough(f"empty window {window} for marks {marks[0]:g}..{marks[-1]:g}")
    return lo, hi


def slowest_decay(window: tuple[float, float], logs: int = 1) -> float:
    """The share of a distance that is left after half of the window if it decays like T^-1/8, or like (log T)^-logs.

    The factor from the earlier half of the window to the later one. A distance that keeps more of itself is no
    approach that a verdict allows for.
    """
    lo, hi = window
    step = np.log(hi / lo) / 2
    early, late = max(np.log(lo) + step / 2, 0.0), np.log(hi) - step / 2
    return float(max(np.exp(-step / 8), (early / late) ** logs if late > 0 else 0.0))


def _masked_weights(x: Floats, mask: np.ndarray, least: int = 3) -> Floats:
    if mask.sum() < least:
        raise NotEnough(
            "a slope needs three marks in each half of its window: record more checkpoints", horizons.times(4)
        )
    out = np.zeros(len(x))
    out[mask] = slope_weights(x[mask])
    return out


def window_slopes(
    values: Floats,
    marks: ArrayLike,
    window: tuple[float, float] | None = None,
    log_power: float = 0,
    extra: Callable[[Floats, float], Floats] | None = None,
) -> Slopes:
    """Slopes in the later and the earlier half (on the log axis) of `window`.

    extra maps slopes (k, 4), before, in the tail, and in the two halves of the tail, and the step, to further
    statistics (k, q) of the same curves. They go through the same jackknife: a threshold computed from a noisy slope is
    as noisy as the slope.

    What lies outside the window plays no part, not even as a zero. Raises ValueError for an empty window, fewer than
    three marks in one of its halves, and log factors at marks up to 1 inside.
    """
    marks = np.asarray(marks, float)
    lo, hi = window_of(marks, window)
    values, marks = _inside(values, marks, lo, hi)
    if log_power and marks[0] <= 1:
        raise ValueError("log factors need marks > 1 in the window")
    x = np.log(marks)
    eps = 1e-9
    early, late = _halves(x, (x >= np.log(lo) - eps) & (x <= np.log(hi) + eps), np.log(lo * hi) / 2)
    tail, before = (_masked_weights(x, half) for half in (late, early))
    step, mid = float(np.log(hi / lo) / 2), np.sqrt(lo * hi)
    first, last = (_masked_weights(x, half, 2) for half in _halves(x, late, np.log(hi) - step / 2))
    weights = np.stack([tail, before, tail - before, 2 * tail - before], axis=1)
    length = float(1 / np.linalg.norm(tail))
    parts = np.stack([before, tail, first, last], axis=1)

    def functional(means: Floats) -> Floats:
        logs = log_mean(means)
        return (
            logs @ weights if extra is None else np.column_stack([logs @ weights, extra(logs @ parts, step)])
        )

    late_slope, early_slope, drift, ahead, *more = jackknife(
        without_logs(values, marks, log_power), functional
    )
    return Slopes(late_slope, early_slope, drift, ahead, step, (float(mid), hi), length, tuple(more))


def _halves(x: Floats, mask: np.ndarray, middle: float) -> tuple[np.ndarray, np.ndarray]:
    """The marks of the mask (M,) on both sides of the middle.

    The mark nearest to it belongs to both halves; otherwise coarse marks would leave a gap.
    """
    distance = np.where(mask, np.abs(x - middle), np.inf)
    near = distance <= distance.min() + 1e-9
    return mask & ((x <= middle) | near), mask & ((x >= middle) | near)


def _inside(values: Floats, marks: Floats, lo: float, hi: float) -> tuple[Floats, Floats]:
    """The columns at marks from lo to hi, up to round-off, and these marks."""
    keep = (marks >= lo * (1 - 1e-9)) & (marks <= hi * (1 + 1e-9))
    return values[:, keep], marks[keep]


def slope(values: Floats, marks: ArrayLike, window: tuple[float, float] | None = None) -> Estimate:
    """Slope over the whole of `window` (default: all marks), e.g. of increments, or over a parameter grid.

    Raises ValueError for fewer than three marks inside.
    """
    marks = np.asarray(marks, float)
    values, marks = _inside(values, marks, *(window or (marks[0], marks[-1])))
    weights = _masked_weights(np.log(marks), np.ones(marks.size, dtype=bool))
    return jackknife(values, lambda means: log_mean(means) @ weights[:, None])[0]


def doubling_pairs(marks: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Indices (k, j) such that marks[k] is nearest to marks[j]/2, for every j that has one within 20 %."""
    k = np.abs(np.log(marks[None] * 2 / marks[:, None])).argmin(1)
    ok = np.abs(np.log(marks[k] * 2 / marks)) < 0.2
    return k[ok], np.flatnonzero(ok)


def local_slopes(values: Floats, marks: ArrayLike) -> tuple[Floats, list[Estimate]]:
    """Slope of log(mean over runs) between T/2 and 2T, at every mark T that has both: (T, estimates).

    Between marks the logarithm is interpolated linearly in log T. Figures draw this local slope. Verdicts use windows
    of decades instead (`window_slopes`), because a slope over two octaves is mostly noise.
    Raises ValueError if no mark has both.
    """
    x = np.log(np.asarray(marks, float))
    octave, eps = np.log(2), 1e-9
    at = x[(x >= x[0] + octave - eps) & (x <= x[-1] - octave + eps)]
    if not at.size:
        raise NotEnough("local slopes need marks over two octaves")

    def rise(means: Floats) -> Floats:
        logs = log_mean(means)
        return (_interpolate(logs, x, at + octave) - _interpolate(logs, x, at - octave)) / (2 * octave)

    return np.exp(at), jackknife(values, rise)


def _interpolate(y: Floats, x: Floats, at: Floats) -> Floats:
    """Linear interpolation of each row of y (k, M) over x (M,) at the points `at` (P,): (k, P)."""
    before = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.size - 2)
    share = (at - x[before]) / (x[before + 1] - x[before])
    return y[:, before] * (1 - share) + y[:, before + 1] * share


def window_means(running: Floats, marks: ArrayLike) -> tuple[Floats, Floats]:
    """Means over (T/2, T] from running means over (0, T]: the same exponent, without the initial transient.

    Exact for the pairs of marks nearest to a doubling. Returns values (runs, M') and marks (M',).
    """
    marks = np.asarray(marks, float)
    k, j = doubling_pairs(marks)
    return (running[:, j] * marks[j] - running[:, k] * marks[k]) / (marks[j] - marks[k]), marks[j]


def octave_maxima(peaks: Floats, marks: ArrayLike) -> tuple[Floats, Floats]:
    """The largest value over (T/2, T] of each run, from the largest since the mark before: (runs, M') at marks (M',).

    Exact for the pairs of marks nearest to a doubling.
    """
    marks = np.asarray(marks, float)
    k, j = doubling_pairs(marks)
    columns = [peaks[:, a + 1 : b + 1].max(axis=1) for a, b in zip(k, j, strict=True)]
    return np.stack(columns, axis=1) if columns else peaks[:, :0], marks[j]


def dyadic_increments(regret: Floats, marks: ArrayLike) -> tuple[Floats, Floats]:
    """R(T) - R(T/2) of a cumulative quantity: additive transients cancel, the exponent remains.

    A pair that is not exactly a doubling is corrected to first order by log 2/log(ratio). Returns values (runs, M'),
    possibly negative for single runs, and the later marks (M',).
    """
    marks = np.asarray(marks, float)
    k, j = doubling_pairs(marks)
    return (regret[:, j] - regret[:, k]) * (np.log(2) / np.log(marks[j] / marks[k])), marks[j]


def normalised(values: Floats, marks: ArrayLike, claimed: float, log_power: float = 0) -> Floats:
    """Mean over runs times T^-claimed / (log T)^log_power, shape (M,): bounded if the claim is true.

    NaN at marks up to 1 where there is a log factor.
    """
    marks = np.asarray(marks, float)
    return without_logs(values.mean(0), marks, log_power) * marks**-claimed


def rise_within(
    values: Floats, marks: ArrayLike, exponent: float, window: tuple[float, float]
) -> tuple[float, float, float]:
    """How far T^-exponent times the mean over runs has come above what it was.

    In logarithms: its largest value in the later half of the window over that in the earlier one, and its last value
    over that in the earlier half. The third: the largest slope in the later half, over half of its length (over all of
    it where its marks are few).
    """
    marks = np.asarray(marks, float)
    values, marks = _inside(values, marks, *window)
    x, logs = np.log(marks), log_mean(values.mean(0))
    early, late = _halves(x, np.ones(x.size, dtype=bool), np.log(window[0] * window[1]) / 2)
    multiples = logs - exponent * x
    before = multiples[early].max()
    try:
        _, weights = sliding_slopes(x[late], np.log(window[1] / window[0]) / 8)
    except NotEnough:
        weights = slope_weights(x[late])[:, None]
    slope = (logs[late] @ weights).max()
    return float(multiples[late].max() - before), float(multiples[-1] - before), float(slope)


def nonnegative(columns: Floats, target: Floats) -> Floats:
    """(q,): the least-squares coefficients, none negative, of columns (M, q); NaN where the search does not end.

    The active-set method of Lawson and Hanson (1974, chapter 23), on the triangular factor.
    """
    size = columns.shape[1]
    factor = np.asarray(np.linalg.qr(np.column_stack([columns, target]), mode="r"))
    matrix, right = factor[:, :size], factor[:, size]
    least = 10 * max(columns.shape) * np.finfo(float).eps * np.abs(columns).sum(0).max()
    weights, positive = np.zeros(size), np.zeros(size, bool)
    for _ in range(50 * size):
        gain = np.where(positive, -np.inf, matrix.T @ (right - matrix @ weights))
        if positive.all() or gain.max() <= least:
            return weights
        positive[gain.argmax()] = True
        while True:
            best = np.zeros(size)
            best[positive] = np.linalg.lstsq(matrix[:, positive], right, rcond=None)[0]
            falls = positive & (best <= 0)
            if not falls.any():
                break
            part = np.min(weights[falls] / (weights[falls] - best[falls]))
            weights = weights + part * (best - weights)
            positive &= weights > least
            weights[~positive] = 0.0
        weights = best
    return np.full(size, np.nan)  # columns that are nearly one


def form_shares(
    values: Floats, marks: ArrayLike, terms: Sequence[float], window: tuple[float, float] | None = None
) -> tuple[list[Estimate], float]:
    """Non-negative fit of mean(T) = sum c_k T^terms[k]: shares of the terms at the horizon, and the misfit.

    The fit minimises relative residuals over `window` (default as in `window_slopes`); the misfit is the
    largest relative residual. Shares are jackknifed; a share at the boundary 0 in every deletion has se 0.
    Raises ValueError for an empty window.
    """
    marks = np.asarray(marks, float)
    lo, hi = window_of(marks, window)
    keep = (marks >= lo * (1 - 1e-9)) & (marks <= hi * (1 + 1e-9))
    basis = np.log(marks[keep, None] / hi) * np.asarray(terms, float)  # 0 at the horizon: c_k = share

    def fit(means: Floats) -> Floats:
        out = np.full((len(means), len(terms) + 1), np.nan)
        for i, y in enumerate(means[:, keep]):
            if (y > 0).all():
                logs = basis - np.log(y)[:, None]
                top = logs.max(0)
                columns = np.exp(logs - top)
                c = nonnegative(columns, np.ones(len(y)))
                with np.errstate(divide="ignore", invalid="ignore"):
                    size = np.log(c) - top
                    shares = np.exp(size - size.max())
                out[i] = [*(shares / shares.sum()), np.abs(columns @ c - 1).max()]
        return out

    *shares, misfit = jackknife(values, fit)
    return shares, float(fit(values.mean(0)[None])[0, -1]) if np.isfinite(misfit.value) else np.nan


def sliding_slopes(x: Floats, half_width: float) -> tuple[Floats, Floats]:
    """Centres (P,) and weights (M, P) of least-squares slopes over |x - centre| <= half_width.

    Raises ValueError if fewer than two centres have marks that far on both sides, or fewer than three marks lie in a
    window.
    """
    centres = x[(x >= x[0] + half_width - 1e-9) & (x <= x[-1] - half_width + 1e-9)]
    if len(centres) < 2:
        raise NotEnough("local slopes need marks over more than the width of their window")
    columns = [_masked_weights(x, np.abs(x - c) <= half_width + 1e-9) for c in centres]
    return centres, np.stack(columns, axis=1)


def crossing(log_means: Floats, x: Floats, at: float, half_width: float = 0.75 * np.log(10)) -> Floats:
    """Where the local slope rises through `at`, as x = log T, for each row of log_means (k, M).

    A parabola fitted to each curve over |x - centre| <= half_width has a linear slope, whose root is a smooth function
    of the curve, as the jackknife requires. The centre is the crossing of row 0 (the mean over all runs), located
    roughly and refined once. Around it the slope of T^-a + T^-b is odd, so the parabola is unbiased. NaN if no crossing
    lies at least half of half_width inside the marks.
    Raises ValueError in the same cases as `sliding_slopes`.
    """
    centres, weights = sliding_slopes(x, half_width / 2)
    below = log_means[0] @ weights < at
    out = np.full(len(log_means), np.nan)
    if not below[0] or below[-1] or not np.isfinite(log_means[0]).all():
        return out
    # The length of the set where the slope is below `at`: the crossing if the slope is monotone, else an average.
    centre = centres[0] + (centres[-1] - centres[0]) * below.mean()
    for _ in range(2):
        if not x[0] + half_width / 2 <= centre <= x[-1] - half_width / 2:
            return out
        near = np.abs(x - centre) <= half_width
        _, first, second = np.linalg.pinv(np.vander(x[near] - centre, 3, increasing=True))
        rise, bend = log_means[:, near] @ first, 2 * log_means[:, near] @ second
        root = np.divide(at - rise, bend, out=out.copy(), where=bend > 0)
        places = np.where(np.abs(root) <= half_width, centre + root, np.nan)
        centre = places[0]
    return places

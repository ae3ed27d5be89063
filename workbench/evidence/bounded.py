"""Bounded curves ("O(1)"): does the mean stop growing, or does it go on like a logarithm or a small power?

The growth per unit of log T, over the level, is read in the two windows of `log_windows`. Of c - a T^-p with p >= 1/8,
and of c - a / log T, it decays from window to window; of log T, and of every power, it does not. A start-up, from T to
a constant, is told from both by the slope of the logarithm, as in `slopes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import stats
from workbench.evidence._common import (
    ERRORS,
    MAX_FAILED,
    SIDE,
    check_claim,
    checked_marks,
    checked_table,
    divergence,
    sample,
    unless_failed,
)
from workbench.evidence.log_windows import SLOWEST, Windows, windows
from workbench.evidence.rates import log_mean
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, more_runs

GROWTH = 0.01  # per unit of log T, over the level: what is slower is not noticed; log T has this at T = e^100
# The rise of a least-squares line over the tail, over the level, that a wave of 5 % could be (`slopes.WAVE_SLOPE`).
WAVE = 0.05 * 2.64
ROUNDING = 1e-12  # growth over the level that counts as none
ONSET = 0.12  # share of a slope that a start-up in view has shed from window to window (as in `slopes`)
SOFTNESS = 0.4  # of the softest start-up, T (1 + (T/T_0)^SOFTNESS)^(-1/SOFTNESS)
DYING = 1.5  # growth that decays like (log T)^-DYING or faster is not seen to last


def bounded(
    values: ArrayLike,
    marks: ArrayLike,
    growth: float = GROWTH,
    *,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Is the mean over runs O(1), as far as the horizon shows?

    values (runs, M), marks (M,). The growth is that of the mean per unit of log T, over its level.
    holds: the growth over (T^(3/4), T] is significantly below ``growth``, and is not seen to last; of a curve that fell
    before, also what is left when a term that dies like a power has died. violated: the
    mean rises there by more than a wave of 5 % could, and the growth has not decayed since the window before as it does
    where the mean approaches a level like T^-1/8 or 1/log T, nor the slope of its logarithm as in a start-up (nor is
    that seen within the tail). value is the growth.

    Raises ValueError for shapes and marks as `rate` does and a growth that is not positive; `NotEnough` for too few
    marks.
    """
    at = checked_marks(marks)
    check_claim(0.0, growth=growth)
    runs = sample(checked_table(values, at.size))
    if runs.too_few(max_failed):
        return divergence("bounded", 0.0, runs, float(at[-1]), max_failed)
    parts = windows(at, "a bounded curve")
    growths = _read(runs.clean, parts)
    low, high = growths.tail.interval(SIDE)
    lasts = growths.lasts()
    finding = Finding(
        "bounded",
        claimed=0.0,
        value=growths.tail.value,
        low=low,
        high=high,
        p_if_wrong=1.0 if lasts else growths.p_stops(growth),
        p_if_right=growths.p_grows(),
        runs=growths.tail.runs,
        horizon=float(at[-1]),
        exact=runs.identical,
        note=runs.note(_note(growths, parts, growth)),
        decides=_decides(growths, parts, growth, lasts),
        limits=growths.tail.interval,
        advice=partial(more_runs, [(growths.tail, growth - growths.tail.value)]),
        rejects=partial(_rejects, growths),
        admits=lambda side: max(0.0, growth - growths.tail.interval(side)[1]),
    )
    if not np.isfinite(growths.tail.value):
        decides = "a metric whose mean is positive: growth is told relative to its level"
        finding = replace(finding, p_if_wrong=1.0, p_if_right=1.0, decides=decides)
    return unless_failed(finding, runs)


@dataclass(frozen=True)
class _Growth:
    """Growth per unit of log T over the level: before, in the tail and in its halves; and the tests of growth.

    against: for the curves as they are, and times T^e for each e of `ERRORS`: (the tail's growth less what the slowest
    approach to a level leaves of that before; its logarithm's slope less what a start-up leaves; both within the tail).
    persistence: the first of these for an approach like (log T)^-(DYING - 1), of the windows and of the halves. rest:
    the growth that is left of a curve that falls, when what makes it fall has died.
    """

    parts: tuple[Estimate, ...]
    persistence: tuple[Estimate, ...]
    against: Sequence[tuple[Estimate, ...]]
    length: float
    rest: Estimate

    @property
    def before(self) -> Estimate:
        return self.parts[0]

    @property
    def tail(self) -> Estimate:
        return self.parts[1]

    def p_stops(self, growth: float) -> float:
        """p-value for "it grows by more than this", also behind a fall that ends."""
        hidden = self.rest.p_below(growth) if self.before.p_below(-ROUNDING) <= SIDE else 0.0
        return max(self.tail.p_below(growth), hidden)

    def lasts(self) -> bool:
        """Whether growth is seen in every part, and is not seen to die."""
        windows_last, halves_last = self.persistence
        return (
            self.tail.p_above(ROUNDING) <= SIDE
            and windows_last.p_above(0.0) <= SIDE
            and min(e.value for e in self.parts) > ROUNDING
            and halves_last.value > 0.0
        )

    def p_grows(self, number: int = 0) -> float:
        """p-value for "bounded", of the curves times the power of this number: 0 for none, n for `ERRORS`[n - 1]."""
        extra = (0.0, *ERRORS)[number]
        lasting, no_start_up, *halves = self.against[number]
        if min(e.p_below(0.0) for e in halves) <= SIDE:
            return 1.0
        rise = self.tail.p_above(WAVE / self.length - extra)
        return max(rise, lasting.p_above(0.0), no_start_up.p_above(0.0))


def _read(values: Floats, parts: Windows) -> _Growth:
    level = parts.mean("tail")
    names = ("before", "tail", "first", "last")
    slopes = np.stack([parts.slope(name) for name in names], axis=1)
    pairs = (("before", "tail", 0, 1), ("first", "last", 2, 3))
    errors = np.array([0.0, *ERRORS])

    def statistics(means: Floats) -> Floats:
        height = means @ level
        growth = (means @ slopes) / np.where(height > 0, height, np.nan)[:, None]
        logs = log_mean(means) @ slopes
        columns, dying = [], []
        for early, late, n, m in pairs:
            a, b = parts.centre(early), parts.centre(late)
            share = max(np.exp(-SLOWEST * (b - a)), (a / b) ** 2)
            columns.append(_less(growth[:, m, None] + errors, share, growth[:, n, None] + errors))
            columns.append(beyond_start_up(logs[:, n, None] + errors, logs[:, m, None] + errors, b - a))
            dying.append(_less(growth[:, m], (a / b) ** DYING, growth[:, n])[:, None])
        rest = parts.after_the_fall(means) / height
        return np.column_stack([growth, *dying, rest, *columns])

    estimates = stats.jackknife(values, statistics)
    growth, dying, rest, tests = estimates[:4], estimates[4:6], estimates[6], estimates[7:]
    count = errors.size
    against = list(zip(*(tests[k * count : (k + 1) * count] for k in range(4)), strict=True))
    return _Growth(tuple(growth), tuple(dying), against, parts.length, rest)


def _less(late: Floats, share: float, early: Floats) -> Floats:
    return late - share * np.maximum(early, 0.0)


def beyond_start_up(early: Floats, late: Floats, step: float) -> Floats:
    """A slope of the logarithm less what the softest start-up, from the slope 1, leaves of that a step before.

    A slope that has not shed `ONSET` of itself is in no start-up that has come into view.
    """
    first = np.clip(early, 0.0, 1.0)
    remainder = first / (first + (1 - first) * np.exp(SOFTNESS * step))
    return late - np.minimum(remainder, (1 - ONSET) * np.maximum(early, 0.0))


def _rejects(growths: _Growth, side: float) -> float:
    """The smallest of `ERRORS` such that these curves times this power would have violated the claim."""
    return next((e for n, e in enumerate(ERRORS, start=1) if growths.p_grows(n) <= side), np.inf)


def _decides(growths: _Growth, parts: Windows, growth: float, lasts: bool) -> str:
    now = growths.tail.value
    if growths.tail.p_below(growth) <= SIDE and growths.rest.p_above(growth) <= SIDE:
        return (
            f"{parts.beyond(1 / 2)}: it falls less and less, and growth may be left when it no longer falls"
        )
    if lasts and growths.tail.p_above(WAVE / growths.length) > SIDE:
        longer = parts.beyond(
            max(WAVE / (now * growths.length) - 1, 0.05)
        )  # on which it rises by more than a wave
        return f"{longer}: it still grows, by less than a wave could, and has not begun to stop"
    if growths.tail.p_above(growth) <= SIDE and growths.p_grows() > SIDE:
        longer = parts.until_small(growths.before.value, now, growth / 2)
        return f"{longer}: it still grows, but less and less"
    return ""


def _note(growths: _Growth, parts: Windows, growth: float) -> str:
    marks = np.exp(parts.x[parts.tail])
    slower = max(growths.tail.interval(SIDE)[1], 0.0)
    text = (
        f"growth of the mean per unit of log T over its level, from {marks[0]:.3g} to {marks[-1]:.3g}; before "
        f"{growths.before.value:.3g}, allowed {growth:g}"
    )
    if slower > ROUNDING and np.isfinite(slower):
        text += f"; unseen: T^p with p up to {slower:.2g}, or log T that adds {slower:.2g} of the level per e-fold"
    return text

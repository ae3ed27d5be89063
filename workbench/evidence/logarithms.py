"""Logarithms: is the curve of order T^a (log T)^b, and not with one logarithm more or less?

With the power T^a divided out, a curve (c + log T)^b grows per unit of log T like (log T)^(b-1), whatever the constant
c, which a regret always has. So the growth in the two windows of `log_windows` is compared: its ratio is
(x_2/x_1)^(b-1) for b logarithms, where x is log T in the middle of a window. Half a logarithm to both sides is the
edge. Without logarithms (b = 0) the claim is that of `bounded`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import stats
from workbench.evidence._common import (
    MAX_FAILED,
    SIDE,
    check_claim,
    checked_marks,
    checked_table,
    divergence,
    p_either,
    sample,
    unless_failed,
)
from workbench.evidence.bounded import GROWTH, beyond_start_up
from workbench.evidence.log_windows import Windows, windows
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough, more_runs

HALF = 0.5  # a logarithm: by less two claims are not told apart
ERRORS = (0.75, 1.0, 1.5, 2.0, 3.0)  # of the number of logarithms, among which a sensitivity is looked for
OFFSETS = (0.0, *ERRORS, *(-e for e in ERRORS))
STRIDE = 4  # marks between the horizons at which is asked whether a logarithm would have been noticed
FAR = 6.0  # logarithms between which the number that fits is looked for
STEADY = 0.1  # change of this number within the last window that counts as none
ROUNDING = 1e-12  # growth over the level that counts as none


def logarithmic(
    values: ArrayLike,
    marks: ArrayLike,
    power: float,
    logs: float,
    *,
    or_less: bool = False,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Is the mean over runs of order T^power (log T)^logs (or_less: or smaller)?

    values (runs, M), marks (M,). power is taken as it is claimed. holds: the ratio of growths of T^-power times the
    mean lies significantly within half a logarithm of the claim (below its upper edge), and it grows. violated: it lies
    outside, and so does that of the halves of the last window, which a start-up or a term that dies does not. value is
    the number of logarithms that fits. The note says from which horizon on one more, and one less, would be violated.

    Raises ValueError for shapes and marks as `rate` does, numbers that are not finite, and logs that are not positive
    (`bounded` is the claim without one); `NotEnough` for too few marks.
    """
    check_claim(power)
    if not 0 < logs < np.inf:
        raise ValueError(
            f"a claim on logarithms has a positive number of them, not {logs:g}; without one it is bounded"
        )
    at = checked_marks(marks)
    runs = sample(checked_table(values, at.size))
    if runs.too_few(max_failed):
        return divergence("logarithm", logs, runs, float(at[-1]), max_failed)
    flat = runs.clean * at**-power
    growths = _read(flat, windows(at, "a logarithm"), logs, OFFSETS)
    p_if_wrong, p_if_right = growths.test(0.0, or_less)
    low, high = growths.number.interval(SIDE)
    finding = Finding(
        "logarithm",
        claimed=logs,
        value=growths.number.value,
        low=low,
        high=high,
        p_if_wrong=p_if_wrong,
        p_if_right=p_if_right,
        runs=growths.number.runs,
        horizon=float(at[-1]),
        exact=runs.identical,
        note=runs.note(_note(flat, at, power, logs, growths, or_less)),
        decides=_decides(growths, or_less),
        limits=growths.number.interval,
        advice=partial(more_runs, [_margin(growths.number, logs, or_less)]),
        rejects=partial(_rejects, growths, or_less),
        admits=partial(_admits, growths.number, logs, or_less),
    )
    return unless_failed(finding, runs)


@dataclass(frozen=True)
class _Edges:
    """The growth in the later of two windows less what a number of logarithms makes of that in the earlier one.

    above, below: for half a logarithm more and less than claimed; of the two windows, and of the halves of the tail.
    beyond_start_up: the power of T by which the growth over that of the claim grows within the tail, less what a
    start-up leaves of it, which leads from growth like T to the claimed one.
    """

    above: Estimate
    below: Estimate
    above_within: Estimate
    below_within: Estimate
    beyond_start_up: Estimate


@dataclass(frozen=True)
class _Growth:
    """What is read of the growth per unit of log T, over the level, of curves without their power of T.

    grows: in the last window. number: of logarithms, at most `FAR`, and -FAR for a curve that does not grow in the end.
    before: in the window before. rest: of a curve that falls, when what makes it fall has died.
    trend: by how much the number that fits the halves of the last window is larger than that of both windows. edges: of
    claims that are off by these numbers of logarithms.
    """

    parts: Windows
    grows: Estimate
    before: Estimate
    rest: Estimate
    number: Estimate
    trend: Estimate
    edges: dict[float, _Edges]

    def test(self, off: float, or_less: bool) -> tuple[float, float]:
        """(p if wrong, p if right) of a claim that is off by so many logarithms."""
        e = self.edges[off]
        falls = self.before.p_below(-ROUNDING) <= SIDE
        rises = max(self.grows.p_above(ROUNDING), self.before.p_above(ROUNDING))
        # Growth that only begins may be that which a term that dies has hidden.
        too_many = max(e.above.p_above(0.0), rises)
        starts = e.beyond_start_up.p_above(0.0) > SIDE or self.trend.p_below(-STEADY) <= SIDE
        if starts or e.above_within.p_below(0.0) <= SIDE:
            too_many = 1.0
        if or_less:
            return max(e.above.p_below(ROUNDING), self.rest.p_below(GROWTH) if falls else 0.0), too_many
        too_few = max(e.below.p_below(ROUNDING), self.rest.p_below(0.0) if falls else 0.0)
        if e.below_within.p_above(ROUNDING) <= SIDE or self.trend.p_above(STEADY) <= SIDE:
            too_few = 1.0
        p_if_wrong = max(e.above.p_below(ROUNDING), e.below.p_above(0.0), self.grows.p_above(ROUNDING))
        return p_if_wrong, p_either(too_many, too_few)


def _read(values: Floats, parts: Windows, logs: float, offsets: Sequence[float]) -> _Growth:
    """values (runs, M), without the power of T. offsets: of claims on the number of logarithms."""
    names = ("before", "tail", "first", "last", *(("early",) if parts.has_early else ()))
    slopes, level = np.stack([parts.slope(name) for name in names], axis=1), parts.mean("tail")
    x = np.array([parts.centre(name) for name in names])
    pairs = np.array([[0, 1], [2, 3]])  # of windows that are compared: both, and the halves of the later one
    # Three windows in a row, in which a start-up is looked for: from the early one on, or within the tail.
    row = np.array([[4, 0], [0, 1]]) if parts.has_early else pairs
    ratios = x[pairs[:, 1]] / x[pairs[:, 0]]
    apart = float(x[row[1]].mean() - x[row[0]].mean())
    claims = logs + np.array(offsets)
    edges = np.stack([claims + HALF, claims - HALF], axis=1).ravel()
    factors = ratios[:, None] ** (edges - 1)  # (2, edges)

    def statistics(means: Floats) -> Floats:
        growth = (means @ slopes) / (means @ level)[:, None]
        rest = parts.after_the_fall(means) / (means @ level)
        early, late = growth[:, pairs[:, 0]], growth[:, pairs[:, 1]]
        numbers = 1 + np.log(np.maximum(late, ROUNDING) / np.maximum(early, ROUNDING)) / np.log(ratios)
        numbers = np.where(late > ROUNDING, np.clip(numbers, -FAR, FAR), -FAR)
        logs_of = np.log(np.maximum(growth, ROUNDING))[:, :, None] - (claims - 1) * np.log(x)[:, None]
        powers = (logs_of[:, row[:, 1]] - logs_of[:, row[:, 0]]) / (x[row[:, 1]] - x[row[:, 0]])[:, None]
        excess = beyond_start_up(powers[:, 0], powers[:, 1], apart)
        less = late[:, :, None] - factors * np.maximum(early, 0.0)[:, :, None]  # (k, 2, edges)
        return np.column_stack(
            [
                growth[:, 1],
                growth[:, 0],
                rest,
                numbers[:, 0],
                numbers[:, 1] - numbers[:, 0],
                excess,
                less.reshape(len(means), -1),
            ]
        )

    grows, before, rest_then, number, trend, *tests = stats.jackknife(values, statistics)
    excess, less, within = (
        tests[: claims.size],
        tests[claims.size :][: edges.size],
        tests[claims.size + edges.size :],
    )
    by_offset = {
        d: _Edges(less[2 * n], less[2 * n + 1], within[2 * n], within[2 * n + 1], excess[n])
        for n, d in enumerate(offsets)
    }
    return _Growth(parts, grows, before, rest_then, number, trend, by_offset)


def _margin(number: Estimate, logs: float, or_less: bool) -> tuple[Estimate, float]:
    off = number.value - logs
    return number, HALF - (off if or_less else abs(off))


def _rejects(growths: _Growth, or_less: bool, side: float) -> float:
    """The smallest of `ERRORS` such that a claim with so many logarithms less (or, if exact, more) is violated."""
    for error in ERRORS:
        fewer = growths.test(-error, or_less)[1] <= side
        if fewer and (or_less or growths.test(error, or_less)[1] <= side):
            return error
    return np.inf


def _admits(number: Estimate, logs: float, or_less: bool, side: float) -> float:
    low, high = number.interval(side)
    return max(HALF - (high - logs), 0.0) if or_less else max(HALF - (high - logs), HALF - (logs - low), 0.0)


def _decides(growths: _Growth, or_less: bool) -> str:
    edges = growths.edges[0.0]
    is_open = growths.test(0.0, or_less)[1] > SIDE
    if growths.before.p_below(-ROUNDING) <= SIDE and growths.rest.p_above(0.0) <= SIDE:
        return f"{growths.parts.beyond(1 / 2)}: growth may be left when what makes it fall has died"
    if is_open and edges.above.p_above(0.0) <= SIDE:
        return f"{growths.parts.beyond(1 / 2)}: the growth may still be starting up"
    if is_open and not or_less and edges.below.p_below(0.0) <= SIDE:
        return f"{growths.parts.beyond(1 / 2)}: a term that dies may still be part of the growth"
    return ""


def _note(values: Floats, marks: Floats, power: float, logs: float, growths: _Growth, or_less: bool) -> str:
    start, end = np.exp(growths.parts.x[growths.parts.tail][[0, -1]])
    directions = (("less", -1.0),) if or_less else (("more", 1.0), ("less", -1.0))
    sentences = [
        f"one logarithm {word} {_from_when(values, marks, logs, off, or_less)}"
        for word, off in directions
        if logs + off >= 0
    ]
    before, tail = growths.parts.centre("before"), growths.parts.centre("tail")
    times = f"T^{-power:g} times " if power else ""
    return "; ".join(
        [
            f"growth of {times}the mean from {start:.3g} to {end:.3g} against that before",
            *sentences,
            f"a factor T^p with p up to {HALF * np.log(tail / before) / (tail - before):.2g} would be unseen",
        ]
    )


def _from_when(values: Floats, marks: Floats, logs: float, off: float, or_less: bool) -> str:
    """From which horizon on a claim that is off by so many logarithms is violated, at 1 %, by these runs."""
    first = np.nan
    for end in range(marks.size, 6, -STRIDE):
        try:
            parts = windows(marks[:end], "a logarithm")
        except NotEnough:
            break
        if _read(values[:, :end], parts, logs, (off,)).test(off, or_less)[1] > SIDE:
            break
        first = marks[end - 1]
    if not np.isfinite(first):
        return "would not be noticed by these runs"
    return f"would be noticed from T = {first:.3g} on"

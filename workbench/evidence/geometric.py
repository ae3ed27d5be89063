"""Geometric (linear) convergence: is the curve of order q^T, and with which factor q?

The logarithm of the mean is read against T itself, over the last octaves (T/2, T] and (T/4, T/2]. A power law has half
the slope in each octave that it has in the one before; a geometric curve has the same. A sum of geometric terms begins
with the fastest and ends with the slowest, so that a curve may slow down to its factor but a start-up can only steepen
it: a curve that is faster than claimed shows nothing against the claim. A term of the claimed factor may have so small
a constant that it appears at the next horizon, and of runs the mean may be carried by rare ones that were not drawn
(SGD under interpolation); how small the constant must be is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import horizons, rates
from workbench.evidence._common import (
    ERRORS,
    MAX_FAILED,
    SIDE,
    checked_marks,
    checked_table,
    divergence,
    p_inside,
    sample,
    unless_failed,
)
from workbench.evidence.stats import Estimate, Floats, jackknife
from workbench.evidence.verdicts import Finding, NotEnough, more_runs

TOL = 0.03  # of the logarithm of the factor, relative: 0.9 is not told from 0.903
FACTOR_TOL = 0.005  # of the factor itself: 0.5 is told from 0.505
SETTLED = (
    0.1  # a curve without a claimed factor is geometric if an octave keeps this close to the slope before it
)
SLOWING = (
    0.6  # share of its slope that a power law (1/2) certainly does not exceed from one octave to the next
)
RETURNING = (
    0.1  # least share of its distance to the claim that a start-up makes good from one octave to the next
)
ROUNDING = 1e-13  # of the largest mean before it: smaller means are rounding and are left out
OCTAVES = 4


def geometric(
    values: ArrayLike,
    marks: ArrayLike,
    factor: float | None = None,
    *,
    or_faster: bool = False,
    tol: float | None = None,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Is the mean over runs of order factor^T (or_faster: or smaller; None: of some factor below 1)?

    values (runs, M), marks (M,). Marks at which the mean is not above the rounding of its largest are left out at the
    end. holds: the slope of the logarithm in the last octave lies within tol of log(factor), relatively (or below its
    upper edge), and the octave before has the same within tol (or the curve does not slow down). violated: the slope
    lies above the edge, and the curve does not steepen towards the claim as a start-up does; without a factor: in
    three octaves in a row the slope falls to less than 0.6 of the one before, as that of a power law does. tol: by
    default 3 %, and no more than half a per cent of the factor itself.

    Raises ValueError for shapes, marks and tolerances as `rate` does, and for a factor outside (0, 1); `NotEnough` for
    fewer than three marks in one of the last two octaves.
    """
    if factor is not None and not 0 < factor < 1:
        raise ValueError(f"a geometric curve falls by a factor between 0 and 1, not {factor:g}")
    if tol is None:
        tol = TOL if factor is None else min(TOL, FACTOR_TOL / abs(np.log(factor)))
    if not 0 < tol < 1:
        raise ValueError(f"tol must lie between 0 and 1, got {tol:g}")
    at = checked_marks(marks)
    runs = sample(checked_table(values, at.size))
    if runs.too_few(max_failed):
        return divergence("geometric", np.nan if factor is None else factor, runs, float(at[-1]), max_failed)
    end = above_rounding(runs.clean.mean(0))
    slopes = _octaves(runs.clean[:, :end], at[:end], of=at.size)
    log_factor = None if factor is None else float(np.log(factor))
    judge = (
        partial(_some_factor, slopes)
        if log_factor is None
        else partial(_factor, slopes, log_factor, or_faster, tol)
    )
    p_if_wrong, p_if_right, decides, margin = judge()
    tail = slopes.statistic(lambda s: s[:, -1])
    low, high = _factors(tail, SIDE)
    finding = Finding(
        "geometric",
        claimed=np.nan if factor is None else factor,
        value=float(np.exp(tail.value)),
        low=low,
        high=high,
        p_if_wrong=p_if_wrong,
        p_if_right=p_if_right,
        runs=len(runs.clean),
        horizon=float(at[end - 1]),
        exact=runs.identical,
        note=runs.note(_note(at, end, slopes)),
        decides=decides,
        limits=partial(_factors, tail),
        advice=partial(more_runs, [margin]),
        rejects=partial(_rejects, slopes, log_factor, tol) if log_factor is not None else None,
    )
    return unless_failed(finding, runs)


@dataclass(frozen=True)
class Octaves:
    """The slopes of log(mean) against T in the last octaves, the last one at the end. values (runs, M).

    fall: log of the last mean over the first one that is positive, and the iterations between them.
    """

    values: Floats
    weights: Floats  # (M, octaves)
    fall: tuple[float, float]

    def statistic(self, of: Callable[[Floats], Floats]) -> Estimate:
        """A function of the slopes, (k, octaves) -> (k,), with its error by the jackknife over runs."""
        return jackknife(self.values, lambda means: of(rates.log_mean(means) @ self.weights)[:, None])[0]

    @property
    def count(self) -> int:
        return self.weights.shape[1]


def above_rounding(means: Floats) -> int:
    """The number of marks up to the last mean that is more than rounding; it may pass through 0 before."""
    largest = np.fmax.accumulate(means)  # so far: a curve that grows is no rounding of its end
    above = np.flatnonzero(means > ROUNDING * largest)
    return int(above[-1]) + 1 if above.size else 0


def _octaves(values: Floats, marks: Floats, of: int) -> Octaves:
    """values (runs, M), marks (M,): those above rounding, of so many."""
    if marks.size < 2:
        raise NotEnough(
            "every mean but the first is rounding: record more of the beginning", "more checkpoints"
        )
    weights = []
    for octave in range(OCTAVES):
        mask = (marks > marks[-1] / 2 ** (octave + 1)) & (marks <= marks[-1] / 2**octave)
        if mask.sum() < 3:
            break
        column = np.zeros(marks.size)
        column[mask] = rates.slope_weights(marks[mask])
        weights.append(column)
    if len(weights) < 2 and marks.size < of and marks.size == marks[-1]:
        raise NotEnough(
            f"after {marks.size} iterations the mean is rounding, less than {ROUNDING:g} of its largest: too soon for a"
            " factor, as where the number of digits doubles in each step",
            "a bound of each number in fractions: `at_most` on an exact curve",
        )
    if len(weights) < 2:
        raise NotEnough(
            "a factor needs three marks in each of the last two octaves: record more checkpoints",
            f"three marks or more from {marks[-1] / 4:.4g} to {marks[-1] / 2:.4g}, and from there to {marks[-1]:.4g}:"
            " `marks=...` of the simulation",
        )
    table = np.stack(weights[::-1], axis=1)
    inside = table.any(axis=1)  # a mean that passes through 0 before has no part
    means = values.mean(axis=0)
    first = int(np.argmax(means > 0))
    fall = float(np.log(means[-1] / means[first])), float(marks[-1] - marks[first])
    return Octaves(values[:, inside], table[inside], fall)


Outcome = tuple[float, float, str, tuple[Estimate, float]]


def _factor(slopes: Octaves, claimed: float, or_faster: bool, tol: float) -> Outcome:
    """(p if wrong, p if right, what decides, margin) of a claimed slope."""
    tail, drift = slopes.statistic(lambda s: s[:, -1]), slopes.statistic(lambda s: s[:, -1] - s[:, -2])
    edge, room = (1 - tol) * claimed, tol * abs(claimed)
    # A start-up steepens from octave to octave by a share of what is left; a curve that does not is no start-up.
    no_start_up = slopes.statistic(lambda s: s[:, -1] - s[:, -2] + RETURNING * (s[:, -1] - claimed))
    slowing = drift.p_below(room)
    if or_faster:
        p_if_wrong = max(tail.p_below(edge), slowing)
    else:
        p_if_wrong = max(p_inside(tail, (1 + tol) * claimed, edge), p_inside(drift, -room, room))
    p_if_right = max(tail.p_above(edge), no_start_up.p_above(0.0))
    decides = ""
    if not np.isfinite(drift.value):
        decides = f"{horizons.times(4)}: the mean is 0 at a mark of the last two octaves"
    elif drift.p_above(room) <= SIDE:
        decides = f"{horizons.times(4)}: the curve is slowing down"
    elif tail.p_below((1 + tol) * claimed) <= SIDE and not or_faster:
        decides = _not_attained(slopes, claimed)
    elif tail.p_above(edge) <= SIDE and no_start_up.p_below(0.0) <= SIDE:
        decides = f"{_arrival(tail.value - claimed, drift.value, room / 2)}: the curve is still steepening"
    return p_if_wrong, p_if_right, decides, (tail, tail.value - edge)


def _not_attained(slopes: Octaves, claimed: float) -> str:
    """What decides a curve that is faster than claimed. A term of the claimed factor is at most what is left of it."""
    fall, iterations = slopes.fall
    factor, share = float(np.exp(claimed)), float(np.exp(fall - claimed * iterations))
    return (
        f"the claim {factor:.6g} or faster (`or_faster=True`): the factor is not attained up to this horizon, and a"
        f" term {factor:.6g}^T of less than {share:.2g} of the first value, which is not seen yet, may follow at any"
        " later one"
    )


def _arrival(far: float, drift: float, near: float) -> str:
    """A horizon on which a slope has come near that is so far from its claim and moves so much from octave to octave.

    What is left shrinks by the same factor in each octave; the octave before the last one must have arrived as well.
    """
    keeps = far / (far - drift)  # of the distance, in an octave
    octaves = 1 + np.log(near / far) / np.log(keeps) if near < far else 1.0
    return horizons.times(2.0 ** float(min(octaves, 60)))


def _some_factor(slopes: Octaves) -> Outcome:
    tail = slopes.statistic(lambda s: s[:, -1])
    steady = slopes.statistic(lambda s: s[:, -1] - (1 - SETTLED) * s[:, -2])
    p_slows = [slopes.statistic(partial(_slows, n)).p_above(0.0) for n in range(1, slopes.count)]
    p_if_right = max(p_slows) if slopes.count == OCTAVES else 1.0
    decides = f"{horizons.times(4)}: the curve is slowing down" if steady.p_above(0.0) <= SIDE else ""
    return max(tail.p_below(0.0), steady.p_below(0.0)), p_if_right, decides, (steady, steady.value)


def _slows(octave: int, slopes: Floats) -> Floats:
    return slopes[:, octave] - SLOWING * slopes[:, octave - 1]


def _rejects(slopes: Octaves, claimed: float, tol: float, side: float) -> float:
    """By how much smaller the claimed factor must be to be violated at this level."""
    for error in ERRORS:
        wrong = (1 + error) * claimed
        _, p_if_right, _, _ = _factor(slopes, wrong, True, tol)
        if p_if_right <= side:
            return float(np.exp(claimed) - np.exp(wrong))
    return np.inf


def _factors(tail: Estimate, side: float) -> tuple[float, float]:
    low, high = tail.interval(side)
    return float(np.exp(low)), float(np.exp(high))


def _note(marks: Floats, end: int, slopes: Octaves) -> str:
    last = marks[end - 1]
    before = float(np.exp(slopes.statistic(lambda s: s[:, -2]).value))
    text = f"factor per iteration from {last / 2:.4g} to {last:.4g}; in the octave before {before:.6g}"
    if end < marks.size:
        text += f"; from {marks[end]:.4g} on the mean is rounding and left out"
    return text

"""Slopes: the exponent of a curve, claimed as an upper bound (`rate`) or as exact (`tight`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import rates
from workbench.evidence import slope_advice as advice
from workbench.evidence._common import (
    ERRORS,
    MAX_FAILED,
    SIDE,
    Window,
    admitted_error,
    check_claim,
    estimate_finding,
    p_either,
    p_inside,
    smallest_rejected,
    unless_failed,
)
from workbench.evidence.curve_reading import WAVE, CurveReading, Question, read_curve
from workbench.evidence.horizons import times
from workbench.evidence.protections import RESIDUALS, START_UP, WAVES, names_of
from workbench.evidence.stats import Estimate, Floats, p_above, p_below
from workbench.evidence.verdicts import Finding
from workbench.evidence.ways_back import slows_down, veto

TOL = 0.03  # two exponents closer than this are not distinguished
NOTABLE = 1.1  # factor on the smallest error rejected from which on the cost of a protection is told
IN_WORDS = {START_UP: "a start-up", WAVES: "waves", RESIDUALS: "residuals between marks"}
AS_CLAIMED, WRONG = (
    slice(0, 1),
    slice(1, None),
)  # among the claims that are wrong by no, and by each of the `ERRORS`
GAP = 0.25  # assumed distance to the faster term that a curve comes from, if the theorem names none


def rate(
    values: ArrayLike,
    marks: ArrayLike,
    claimed: float,
    terms: Sequence[float] | None = None,
    log_power: float = 0,
    tol: float = TOL,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    without: Sequence[str] = (),
) -> Finding:
    """Is the curve O(T^claimed (log T)^log_power), as far as the horizon shows?

    What the residuals between neighbouring marks may do to the slope (`misfit`), where the noise of the runs does not
    explain them, narrows what holds and what is violated.
    holds: the tail slope lies significantly below claimed + tol, so that T^-claimed times the metric has stopped
    growing, and curves in which slower terms are about to take over are rejected (`workbench.evidence.slower_terms`).
    violated: the tail slope lies significantly above the edge, farther than a wave of `WAVE` could carry it, *and* a
    start-up is rejected (`FromAbove`): the slope keeps significantly more of its distance to the claim from one window
    to the next than a burn-in leaves, with a resolution no finer than tol, and either more than a slow approach does
    (`rates.slowest_decay`), or T^-claimed times the metric grows faster than log T; *and* no return to the claim is
    seen within the tail. An exponent of 0 says that the metric is bounded: growth like log T violates it. A note says
    where the curve has all but stopped and may go on falling (`CurveReading.pause`). `terms` (exponents of the
    theorem's own bound) adds the non-negative form fit to the note. without: names of `protections` that the claim does
    without.

    Raises ValueError for values that are not (runs, M), marks that do not increase, a claimed exponent that is not
    finite, a tolerance that is not positive, and log factors with marks up to 1 in the window; `NotEnough` for a window
    that is empty or has fewer than three marks in one of its halves.
    """
    question = Question("rate", claimed, tol, GAP, terms, log_power, window, names_of(without))
    reading = read_curve(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s, edge = reading.slopes, claimed + tol - reading.doubt
    growth = rates.normalised(reading.runs.clean, reading.marks, claimed, log_power)
    note = f", metric T^{-claimed:g} at the end {growth[-1] / np.nanmax(growth):.3f} of its maximum"
    if s.tail.p_below(claimed - tol) <= SIDE:
        note += "; not attained on this instance up to this horizon: faster than claimed"
    p_if_right = _p_slow(reading)
    finding = estimate_finding(
        "rate",
        claimed,
        s.tail,
        p_if_wrong=max(s.tail.p_below(edge), reading.p_later),
        p_if_right=p_if_right,
        runs=reading.runs,
        horizon=reading.horizon,
        warning=reading.warning,
        note=reading.note(note + _waves(p_if_right, reading) + _pause(p_if_right, reading)),
        decides=advice.of_rate(reading),
        margins=advice.margins_of_rate(reading),
        rejects=partial(_rejected_faster, reading),
        admits=partial(_admitted_faster, s.tail, edge),
        costs=partial(_costs, reading, _rejected_faster),
        without=question.without,
    )
    # What is 0 in the end is not too slow.
    finding = replace(finding, p_if_right=1.0) if reading.rest else finding
    return unless_failed(finding, reading.runs)


def tight(
    values: ArrayLike,
    marks: ArrayLike,
    claimed: float,
    tol: float = TOL,
    *,
    terms: Sequence[float] | None = None,
    log_power: float = 0,
    drift_tol: float = TOL,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    without: Sequence[str] = (),
) -> Finding:
    """Is the exponent attained on this instance, neither slower nor faster?

    holds (two one-sided tests): the interval of the tail slope lies inside claimed +- tol, and that of the drift inside
    +-drift_tol; and slower terms are excluded as in `rate`. A curve that merely passes through the claimed slope drifts
    by gap^2/4 * 3.45 between the two windows, i.e. by more than 0.03 for exponents at least 0.19 apart.
    violated: the tail slope lies significantly outside, and a return to the claimed slope is rejected: on the slow side
    a burn-in, as in `rate`; on the fast side a crossover to the claimed term, and a slope that still moves in the
    window or within its tail, as one does between a burn-in and the claimed term. With `terms` the form fit decides
    besides: the claimed term must carry significantly less than a tenth of the value at the horizon.

    Raises ValueError in the same cases as `rate`.
    """
    check_claim(claimed, drift_tol=drift_tol)
    gap = claimed - min(terms) if terms and min(terms) < claimed else GAP
    question = Question("tight", claimed, tol, gap, terms, log_power, window, names_of(without))
    reading = read_curve(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s = reading.slopes
    slow, fast = _p_slow(reading), _p_fast(reading)
    sure = tol - reading.doubt
    p_settled = max(
        p_inside(s.tail, claimed - sure, claimed + sure), p_inside(s.drift, -drift_tol, drift_tol)
    )
    finding = estimate_finding(
        "tight",
        claimed,
        s.tail,
        p_if_wrong=max(p_settled, reading.p_later),
        p_if_right=p_either(slow, fast),
        runs=reading.runs,
        horizon=reading.horizon,
        warning=reading.warning,
        note=reading.note(
            "; not attained on this instance up to this horizon: faster than claimed" * (fast <= SIDE)
            + _waves(p_either(slow, fast), reading)
        ),
        decides=advice.of_tight(reading, drift_tol),
        margins=advice.margins_of_tight(reading, drift_tol),
        rejects=partial(_rejected_either, reading),
        admits=partial(admitted_error, s.tail, claimed, sure),
        costs=None if terms else partial(_costs, reading, _rejected_either),
        without=question.without,
    )
    # What is 0 in the end does not have the claimed exponent to the end.
    finding = replace(finding, p_if_wrong=1.0) if reading.rest else finding
    return unless_failed(finding, reading.runs)


def _admitted_faster(tail: Estimate, edge: float, side: float) -> float:
    """How much faster than claimed a rate may be for the tail slope to lie below its edge at this level.

    An upper limit of what holds: the larger the error, the more of the shapes with slower terms fit as well.
    """
    return max(edge - tail.interval(side)[1], 0.0)


def _rejected_faster(reading: CurveReading, side: float) -> float:
    """How much faster than claimed a rate must be for these curves to violate it at this level (see `_p_slow`)."""
    return smallest_rejected([_p_slow_by(reading, WRONG)], side)


def _rejected_either(reading: CurveReading, side: float) -> float:
    """The same for an exact exponent, wrong by this much in either direction."""
    terms = reading.question.terms
    below = smallest_rejected([_p_fast_by(reading, WRONG)], side / 2)
    if terms and np.isfinite(below):
        below = _without_term(reading, terms, below, side / 2)
    return max(_rejected_faster(reading, side / 2), below)


def _costs(reading: CurveReading, rejects: Callable[[CurveReading, float], float], side: float) -> str:
    """In words, which smaller error the same data would have rejected without one of the protections."""
    question, error = reading.question, rejects(reading, side)
    idle = () if reading.doubt else (RESIDUALS,)
    parts = []
    for name in IN_WORDS.keys() - {*question.without, *idle}:
        less = rejects(replace(reading, question=replace(question, without=(*question.without, name))), side)
        if less < error / NOTABLE:
            parts.append((less, f"{less:.2g} off without allowance for {IN_WORDS[name]}"))
    if not parts:
        return ""
    now = f"not only {error:.2g}" if np.isfinite(error) else "where it rejects no error now"
    return f"it would reject {' and '.join(text for _, text in sorted(parts))}, {now}"


def _without_term(reading: CurveReading, terms: Sequence[float], least: float, side: float) -> float:
    """The smallest of `ERRORS`, from `least` on, by which a claim is too slow for its term to be in the form fit.

    Found by bisection: the farther a term lies from the curves, the less of them it can be.
    """

    def absent(error: float) -> bool:
        return _p_absent(reading, terms, reading.question.claimed + error) <= side

    first = ERRORS.index(least)
    position = bisect_left(range(first, len(ERRORS)), True, key=lambda k: absent(ERRORS[k]))
    return ERRORS[first + position] if first + position < len(ERRORS) else np.inf


def _waves(p_if_right: float, reading: CurveReading) -> str:
    """Says in words which modulation of the curves would look like this violation."""
    if p_if_right > SIDE or reading.lacks(WAVES):
        return ""
    return f"; a log-periodic wave in these values of more than {WAVE:.0%} would look the same"


def _pause(p_if_right: float, reading: CurveReading) -> str:
    """Says in words that a curve that violates the claim may have paused, as nothing in its values can exclude."""
    factor = reading.pause() if p_if_right <= SIDE else 0.0
    if not factor:
        return ""
    return f"; the curve has all but stopped: a true rate that pauses must fall again at {times(max(factor, 2.0))}"


def _p_slow(reading: CurveReading) -> float:
    """p-value for "slower than claimed, and not in burn-in"."""
    return float(_p_slow_by(reading, AS_CLAIMED)[0])


def _p_fast(reading: CurveReading) -> float:
    """p-value for "faster than claimed, and not crossing over to the claimed term"."""
    q, tail = reading.question, reading.slopes.tail
    p = float(_p_fast_by(reading, AS_CLAIMED)[0])
    below = tail.value < q.claimed - reading.room
    return max(p, _p_absent(reading, q.terms, q.claimed)) if q.terms and below else p


def _p_slow_by(reading: CurveReading, of: slice) -> Floats:
    """The same for claims that are faster by no, and by each of the `ERRORS`. of: which of these are asked for."""
    edges = (reading.question.claimed - np.array([0.0, *ERRORS]) + reading.room)[of]
    above = reading.once(
        ("above", reading.room, of.start), lambda: p_above([reading.slopes.tail] * len(edges), edges)
    )
    if reading.lacks(START_UP):
        return above
    return np.maximum(above, reading.once(("no start-up", of.start), lambda: _p_no_start_up(reading, of)))


def _p_no_start_up(reading: CurveReading, of: slice) -> Floats:
    """p-value for "no start-up leads to the claim from above"."""
    windows, tails = (ways[of] for ways in reading.from_above())
    steady = [p_above([w.lasting for w in windows], 0.0), p_above([w.growth for w in windows], 0.0)]
    p = [
        p_above([w.no_burn_in for w in windows], 0.0),
        np.minimum(1.0, 2 * np.minimum(*steady)),  # either of both will do
    ]
    returns = np.maximum(veto([w.no_burn_in for w in tails]), slows_down(tails))
    return np.maximum.reduce([*p, returns])


def _p_fast_by(reading: CurveReading, of: slice) -> Floats:
    """The same for claims that are slower, apart from the form fit."""
    edges = (reading.question.claimed + np.array([0.0, *ERRORS]) - reading.room)[of]
    below = reading.once(
        ("below", reading.room, of.start), lambda: p_below([reading.slopes.tail] * len(edges), edges)
    )
    if reading.lacks(START_UP):
        return below
    return np.maximum(below, reading.once(("no crossover", of.start), lambda: _p_no_crossover(reading, of)))


def _p_no_crossover(reading: CurveReading, of: slice) -> Floats:
    """p-value for "no crossover leads to the claim from below"."""
    windows, tails = (ways[of] for ways in reading.from_below())
    moves = [[w.no_crossover for w in tails], [w.steadiness for w in tails], [w.steadiness for w in windows]]
    p = [
        p_above([w.no_crossover for w in windows], 0.0),
        p_below([w.lasting for w in windows], 0.0),
    ]
    return np.maximum.reduce([*p, *map(veto, moves)])


def _p_absent(reading: CurveReading, terms: Sequence[float], claimed: float) -> float:
    """p-value against "the claimed term carries a tenth of the value at the horizon or more" (form fit)."""
    all_terms = sorted({*terms, claimed})
    shares, _ = reading.form_shares(all_terms)
    return shares[all_terms.index(claimed)].p_below(0.1)

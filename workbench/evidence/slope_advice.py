"""What would decide a claimed exponent that these curves leave open, in words; and the distances to a decision."""

from __future__ import annotations

import math

import numpy as np

from workbench.evidence import misfit
from workbench.evidence._common import SIDE
from workbench.evidence.curve_reading import CurveReading
from workbench.evidence.horizons import beyond, times_as_long
from workbench.evidence.protections import SLOWER, START_UP, WAVES
from workbench.evidence.stats import Estimate
from workbench.evidence.ways_back import slows_down, start_up_length, veto

Margins = list[tuple[Estimate, float]]
SETTLED = 0.5  # of its tolerance: the distance from which on a slope counts as one that has arrived


def of_rate(reading: CurveReading) -> str:
    """What decides a rate besides more runs; "" where runs alone may.

    A drift is named only if it is significant: what lies outside by chance needs more runs, not a longer horizon.
    """
    tail, (edge, far) = reading.slopes.tail, _edges(reading)
    if advice := _uneven(reading):
        return advice
    if tail.p_below(edge) <= SIDE:
        visible = not reading.lacks(SLOWER) and reading.slower.p_above(0) <= SIDE
        taking_over = "slower terms are taking over, or the slope is flattening towards the edge"
        return f"{beyond(reading.slopes.step)}: {taking_over}" if visible else ""
    if tail.p_above(edge) <= SIDE:
        return _between(reading) if tail.p_below(far) <= SIDE else _steepening(reading)
    return ""


def of_tight(reading: CurveReading, drift_tol: float) -> str:
    """The same of an exponent that is claimed to be attained."""
    s, (edge, far) = reading.slopes, _edges(reading)
    if advice := _uneven(reading):
        return advice
    claimed, off = reading.question.claimed, s.tail.value - reading.question.claimed
    if abs(off) > reading.question.tol:
        if off > 0:
            return _between(reading) if _in_between(s.tail, edge, far) else _steepening(reading)
        return (
            _between(reading)
            if _in_between(s.tail, 2 * claimed - far, 2 * claimed - edge)
            else _faster(reading)
        )
    drift = min(s.drift.p_above(drift_tol), s.drift.p_below(-drift_tol))
    return f"{_longer(reading)}: the local slope is still moving" if drift <= SIDE else ""


def margins_of_rate(reading: CurveReading) -> Margins:
    """For `verdicts.more_runs`: (estimate, distance to its edge) of all that a decision needs."""
    tail, (edge, far) = reading.slopes.tail, _edges(reading)
    if tail.value <= edge:
        return [(tail, edge - tail.value), *_later(reading)]
    return [(tail, _to_an_edge(tail.value, edge, far)), *_above(reading)]


def margins_of_tight(reading: CurveReading, drift_tol: float) -> Margins:
    """The same of an exponent that is claimed to be attained."""
    s, (edge, far) = reading.slopes, _edges(reading)
    claimed = reading.question.claimed
    off, sure, room = abs(s.tail.value - claimed), edge - claimed, far - claimed
    if off <= sure:
        return [(s.tail, sure - off), (s.drift, drift_tol - abs(s.drift.value)), *_later(reading)]
    others = _above(reading) if s.tail.value > claimed else _below(reading)
    return [(s.tail, _to_an_edge(off, sure, room)), *others]


def _to_an_edge(value: float, near: float, far: float) -> float:
    """The distance beyond the far edge, or between both that to the nearer one."""
    return value - far if value >= far else min(value - near, far - value)


def _edges(reading: CurveReading) -> tuple[float, float]:
    """The slope below which a rate holds, and that above which it may be violated."""
    q = reading.question
    return q.claimed + q.tol - reading.doubt, q.claimed + reading.room


def _in_between(tail: Estimate, low: float, high: float) -> bool:
    return tail.p_above(low) <= SIDE and tail.p_below(high) <= SIDE


def _uneven(reading: CurveReading) -> str:
    """What decides where the marks do not lie on one smooth curve; else nothing."""
    return misfit.advice(reading.misfit) if reading.doubt >= reading.question.tol / 2 else ""


def _between(reading: CurveReading) -> str:
    """What decides where the slope is off by more than the tolerance, and by less than a wave could move it."""
    off, tol = abs(reading.slopes.tail.value - reading.question.claimed), reading.question.tol
    if reading.lacks(WAVES):
        return misfit.advice(reading.misfit)
    wider = math.ceil(100 * (off + tol / 3)) / 100
    return (
        f'a wider tolerance, such as {wider:g}, or without=("{WAVES}",): the slope is {off:.2g} off, more than {tol:g}'
        f" and less than the {reading.room:.2g} by which a wave could move it"
    )


def _steepening(reading: CurveReading) -> str:
    """What decides where a slope above the claim is seen on its way to it, so that runs alone decide nothing."""
    if reading.lacks(START_UP):
        return ""
    windows, tails = reading.from_above()
    ways = (windows[0], tails[0])
    if not any(bool(veto([w.no_burn_in])[0] or slows_down([w])[0]) for w in ways):
        return ""
    return f"{_longer(reading)}: the curve is still steepening (burn-in)"


def _faster(reading: CurveReading) -> str:
    """What decides where the slope lies below the claim and moves; nothing where it does not move."""
    if reading.lacks(START_UP):
        return ""
    windows, tails = reading.from_below()
    ways = (windows[0], tails[0])
    if min(min(w.no_crossover.p_below(0), w.steadiness.p_below(0)) for w in ways) > SIDE:
        return ""
    return (
        'the claim that it falls at least as fast (a rate, "or faster"): the exponent is not attained up to this '
        "horizon, and the slope still moves"
    )


def _longer(reading: CurveReading) -> str:
    """A horizon on which a slope that goes on approaching the claim as it does now has arrived, in words.

    Of the distance that lies between the claim and where the slope comes from, the share p that is left is taken to
    shrink as that of a start-up does, p/(1 - p) by the same factor from half to half of the window (`ways_back`), until
    it is small in the earlier half of a window of this length.
    """
    s, q = reading.slopes, reading.question
    whole = q.gap if s.tail.value < q.claimed else start_up_length(q.claimed)
    shares = [abs(e.value - q.claimed) / whole for e in (s.before, s.tail)]
    return times_as_long(shares, SETTLED * q.tol / whole, s.step)


def _above(reading: CurveReading) -> Margins:
    """How far a return to the claim from above is from being excluded."""
    if reading.lacks(START_UP):
        return []
    ways = reading.from_above()[0][0]
    steady = max((ways.lasting, ways.growth), key=lambda e: e.value / e.se if e.se > 0 else np.inf)
    return [(ways.no_burn_in, ways.no_burn_in.value), (steady, steady.value)]


def _below(reading: CurveReading) -> Margins:
    """The same from below."""
    if reading.lacks(START_UP):
        return []
    ways = reading.from_below()[0][0]
    return [(ways.no_crossover, ways.no_crossover.value), (ways.lasting, -ways.lasting.value)]


def _later(reading: CurveReading) -> Margins:
    """How far slower terms are from being excluded; nothing where no estimate could be made."""
    if reading.lacks(SLOWER) or not np.isfinite(reading.slower.se):
        return []
    return [(reading.slower, -reading.slower.value)]

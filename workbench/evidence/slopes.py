"""Slopes: the exponent of a curve, claimed as an upper bound (`rate`) or as exact (`tight`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import rates
from workbench.evidence import slower_terms as slower
from workbench.evidence._common import (
    ERRORS,
    MAX_FAILED,
    SIDE,
    Sample,
    Window,
    admitted_error,
    check_claim,
    checked_marks,
    checked_table,
    divergence,
    estimate_finding,
    p_either,
    p_inside,
    sample,
    smallest_rejected,
    unless_failed,
)
from workbench.evidence.stats import Estimate, Floats, p_above, p_below
from workbench.evidence.verdicts import Finding

TOL = 0.03  # two exponents closer than this are not distinguished
# Relative size of a log-periodic modulation that must not violate a claim. It is that of the values that are read: one
# of 5 % in a running mean is one of 8 to 13 % in the means over (T/2, T], and to allow for that would more than double
# the smallest wrong exponent that is noticed.
WAVE = 0.05
WAVE_SLOPE = 2.64  # the steepest least-squares line through a wave of size 1, times the length of the window
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
) -> Finding:
    """Is the curve O(T^claimed (log T)^log_power), as far as the horizon shows?

    holds: the tail slope lies significantly below claimed + tol, so that T^-claimed times the metric has stopped
    growing, and curves in which slower terms are about to take over are rejected (`workbench.evidence.slower_terms`).
    violated: the tail slope lies significantly above the edge, farther than a wave of `WAVE` could carry it, *and* a
    burn-in is rejected: the drift is significantly weaker than half of what a burn-in at that slope must show (half, to
    allow for bends up to twice as soft), with a resolution no finer than tol, and the slope keeps more of its distance
    to the claim from one window to the next than a slow approach does (`rates.slowest_decay`). `terms` (exponents of
    the theorem's own bound) adds the non-negative form fit to the note.

    Raises ValueError for values that are not (runs, M), marks that do not increase, a claimed exponent that is not
    finite, a tolerance that is not positive, and log factors with marks up to 1 in the window; `NotEnough` for a window
    that is empty or has fewer than three marks in one of its halves.
    """
    question = _Question("rate", claimed, tol, GAP, terms, log_power, window)
    reading = _read(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s, burn_in, edge = reading.slopes, reading.no_burn_in, claimed + tol
    p_above, later = s.tail.p_above(edge), reading.slower
    decides = ""
    # A drift is named only if it is significant: what lies outside by chance needs more runs, not a longer horizon.
    if s.tail.p_below(edge) <= SIDE and later.p_above(0) <= SIDE:
        decides = "longer horizon: slower terms are taking over, or the slope is flattening towards the edge"
    elif p_above <= SIDE and min(burn_in.p_below(0), reading.lasting.p_below(0)) <= SIDE:
        decides = "longer horizon: the curve is still steepening (burn-in)"
    growth = rates.normalised(reading.runs.clean, reading.marks, claimed, log_power)
    note = f", metric T^{-claimed:g} at the end {growth[-1] / np.nanmax(growth):.3f} of its maximum"
    if s.tail.p_below(claimed - tol) <= SIDE:
        note += "; not attained on this instance: faster than claimed"
    p_if_right = _p_slow(reading)
    finding = estimate_finding(
        "rate",
        claimed,
        s.tail,
        p_if_wrong=max(s.tail.p_below(edge), later.p_below(0)),
        p_if_right=p_if_right,
        runs=reading.runs,
        horizon=reading.horizon,
        note=reading.note(note + _waves(p_if_right)),
        decides=decides,
        margins=[
            (s.tail, s.tail.value - edge),
            *([(burn_in, burn_in.value)] if s.tail.value > edge else _margin(later)),
        ],
        rejects=partial(_rejected_faster, reading),
        admits=partial(_admitted_faster, s.tail, edge),
    )
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
) -> Finding:
    """Is the exponent attained on this instance, neither slower nor faster?

    holds (two one-sided tests): the interval of the tail slope lies inside claimed +- tol, and that of the drift inside
    +-drift_tol; and slower terms are excluded as in `rate`. A curve that merely passes through the claimed slope drifts
    by gap^2/4 * 3.45 between the two windows, i.e. by more than 0.03 for exponents at least 0.19 apart.
    violated: the tail slope lies significantly outside, and a return to the claimed slope is rejected: on the slow side
    a burn-in, as in `rate`; on the fast side a crossover to the claimed term. With `terms` the form fit decides the
    latter: the claimed term must carry significantly less than a tenth of the value at the horizon.

    Raises ValueError in the same cases as `rate`.
    """
    check_claim(claimed, drift_tol=drift_tol)
    gap = claimed - min(terms) if terms and min(terms) < claimed else GAP
    question = _Question("tight", claimed, tol, gap, terms, log_power, window)
    reading = _read(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s = reading.slopes
    slow, fast = _p_slow(reading), _p_fast(reading)
    outside = abs(s.tail.value - claimed) > tol
    # The statistic that must be positive for a decision, besides the slope's distance to its edge.
    binding = reading.no_burn_in if s.tail.value > claimed else reading.no_crossover
    room, later = binding.value if outside else drift_tol - abs(s.drift.value), reading.slower
    back, drift = binding.p_below(0), min(s.drift.p_above(drift_tol), s.drift.p_below(-drift_tol))
    moving = back if outside else drift  # p-value against a slope that has settled
    p_settled = max(p_inside(s.tail, claimed - tol, claimed + tol), p_inside(s.drift, -drift_tol, drift_tol))
    finding = estimate_finding(
        "tight",
        claimed,
        s.tail,
        p_if_wrong=max(p_settled, later.p_below(0)),
        p_if_right=p_either(slow, fast),
        runs=reading.runs,
        horizon=reading.horizon,
        note=reading.note(
            ("; not attained on this instance: faster than claimed" if fast <= SIDE else "")
            + _waves(p_either(slow, fast))
        ),
        decides="longer horizon: the local slope is still moving" if moving <= SIDE else "",
        margins=[
            (s.tail, tol - abs(s.tail.value - claimed)),
            (binding if outside else s.drift, room),
            *([] if outside else _margin(later)),
        ],
        rejects=partial(_rejected_either, reading),
        admits=partial(admitted_error, s.tail, claimed, tol),
    )
    return unless_failed(finding, reading.runs)


def _admitted_faster(tail: Estimate, edge: float, side: float) -> float:
    """How much faster than claimed a rate may be for the tail slope to lie below its edge at this level.

    An upper limit of what holds: the larger the error, the more of the shapes with slower terms fit as well.
    """
    return max(edge - tail.interval(side)[1], 0.0)


def _rejected_faster(reading: _Reading, side: float) -> float:
    """How much faster than claimed a rate must be for these curves to violate it at this level (see `_p_slow`)."""
    edges = reading.question.claimed - np.array(ERRORS) + reading.room
    tails = [reading.slopes.tail] * len(ERRORS)
    return smallest_rejected(
        [p_above(tails, edges), *(p_above(statistics, 0.0) for statistics in reading.burn_ins)], side
    )


def _rejected_either(reading: _Reading, side: float) -> float:
    """The same for an exact exponent, wrong by this much in either direction."""
    q, tail = reading.question, reading.slopes.tail
    edges = q.claimed + np.array(ERRORS) - reading.room
    slower_by = [
        p_below([tail] * len(ERRORS), edges),
        *(p_above(statistics, 0.0) for statistics in reading.crossings),
    ]
    below = smallest_rejected(slower_by, side / 2)
    if q.terms and np.isfinite(below):
        below = _without_term(reading, q.terms, below, side / 2)
    return max(_rejected_faster(reading, side / 2), below)


def _without_term(reading: _Reading, terms: Sequence[float], least: float, side: float) -> float:
    """The smallest of `ERRORS`, from `least` on, by which a claim is too slow for its term to be in the form fit.

    Found by bisection: the farther a term lies from the curves, the less of them it can be.
    """

    def absent(error: float) -> bool:
        return _p_absent(reading, terms, reading.question.claimed + error) <= side

    first = ERRORS.index(least)
    position = bisect_left(range(first, len(ERRORS)), True, key=lambda k: absent(ERRORS[k]))
    return ERRORS[first + position] if first + position < len(ERRORS) else np.inf


@dataclass(frozen=True)
class _Question:
    """The claim and the settings for reading the curves. gap: distance to the faster term they may come from."""

    evidence: str
    claimed: float
    tol: float
    gap: float
    terms: Sequence[float] | None
    log_power: float
    window: Window | None


@dataclass(frozen=True)
class _Reading:
    """What was read off the curves: finite runs, slopes in both windows, and the test of slower terms."""

    question: _Question
    runs: Sample
    marks: Floats
    slopes: rates.Slopes
    slower: Estimate

    @property
    def room(self) -> float:
        """The distance to the claim beyond which a slope may violate it: the tolerance, or what a wave can cause."""
        return max(self.question.tol, WAVE * WAVE_SLOPE / self.slopes.step)

    @property
    def horizon(self) -> float:
        return float(self.marks[-1])

    @property
    def no_burn_in(self) -> Estimate:
        """Positive where the curve drifts too little for a burn-in."""
        return self.slopes.extra[0]

    @property
    def no_crossover(self) -> Estimate:
        """Positive where the curve drifts too little for a crossover to the claimed term."""
        return self.slopes.extra[1]

    @property
    def lasting(self) -> Estimate:
        """Positive where a slope above the claim keeps its distance (`rates.slowest_decay`), negative for one below."""
        return self.slopes.extra[2]

    @property
    def burn_ins(self) -> tuple[Sequence[Estimate], Sequence[Estimate]]:
        """`no_burn_in`, and `lasting`, for claims that are faster by each of `ERRORS`."""
        statistics = self.slopes.extra[3 : 3 + 2 * len(ERRORS)]
        return statistics[::2], statistics[1::2]

    @property
    def crossings(self) -> tuple[Sequence[Estimate], Sequence[Estimate]]:
        """`no_crossover`, and the lasting distance below, for claims that are slower by each of `ERRORS`."""
        statistics = self.slopes.extra[3 + 2 * len(ERRORS) :]
        return statistics[::2], statistics[1::2]

    def note(self, text: str) -> str:
        """Window and drift, the text, the form fit, and caveats about the runs."""
        s = self.slopes
        tol = f"tolerance {self.question.tol:g}"
        if self.question.log_power:
            tol += f", of the curve over log(T)^{self.question.log_power:g}"
        window = f"tail {s.window[0]:.3g}..{s.window[1]:.3g}, drift {s.drift.value:+.3f}, {tol}"
        blind_spot = slower.unseen_terms(self.question.claimed, self.question.tol, s.tail.value)
        return self.runs.note(f"{window}{text}{self._form_note()}; {blind_spot}")

    def form_shares(self, terms: Sequence[float]) -> tuple[list[Estimate], float]:
        """Shares of the terms at the horizon, and the misfit."""
        q = self.question
        plain = rates.without_logs(self.runs.clean, self.marks, q.log_power)
        return rates.form_shares(plain, self.marks, terms, q.window)

    def _form_note(self) -> str:
        terms = self.question.terms
        if not terms:
            return ""
        shares, misfit = self.form_shares(terms)
        text = ", ".join(f"T^{t:.3g}: {e.value:.2f}" for t, e in zip(terms, shares, strict=True))
        return f"; form fit at the horizon {text} (misfit {misfit:.1e})"


def _read(values: ArrayLike, marks: ArrayLike, question: _Question, max_failed: float) -> _Reading | Finding:
    """The reading, or an inconclusive finding if there is nothing to read: too many failed runs, or no exponent."""
    q, marks = question, checked_marks(marks)
    check_claim(q.claimed, tol=q.tol)
    runs = sample(checked_table(values, marks.size))
    if runs.too_few(max_failed):
        return divergence(q.evidence, q.claimed, runs, float(marks[-1]), max_failed)
    window = rates.window_of(marks, q.window)
    keeps = rates.slowest_decay(window)
    # A slower claim lies farther from the fastest term, where the terms are known.
    terms_known = bool(q.terms) and min(q.terms or [q.claimed]) < q.claimed
    extra = partial(
        _statistics, claimed=q.claimed, tol=q.tol, gap=q.gap, keeps=keeps, terms_known=terms_known
    )
    s = rates.window_slopes(runs.clean, marks, q.window, q.log_power, extra)
    if not np.isfinite(s.tail.value + s.before.value):
        note = runs.note("the mean over runs is not positive throughout the window: no exponent")
        decides = "a metric that stays positive, more runs, or another window"
        infinite, p = (-np.inf, np.inf), (1.0, 1.0)
        clean, horizon = len(runs.clean), float(marks[-1])
        return Finding(
            q.evidence,
            q.claimed,
            np.nan,
            *infinite,
            *p,
            runs=clean,
            horizon=horizon,
            note=note,
            decides=decides,
        )
    steepest = min(s.tail.value, s.before.value)
    shapes = slower.shapes(marks, q.claimed, q.tol, q.terms, q.log_power, steepest)
    return _Reading(q, runs, marks, s, slower.excess(runs.clean, marks, shapes, window))


def _ways_back(
    tail: Floats, before: Floats, step: float, *, claimed: Floats, tol: float, gap: Floats, keeps: float
) -> Floats:
    """Statistics (k, claims, 3) that say whether a slope can still return to the claimed one.

    They are: by how much the drift falls short of a burn-in, the same of a crossover to the claimed term, and the
    lasting distance. Positive means too steady for either; the last is `_Reading.lasting`. The expected drift is that
    of (1 + T/T0)^claimed, and that of T^(claimed - gap) + T^claimed, at the observed slope; half of it is required, and
    at least tol. claimed, gap (claims,): the claim, or wrong ones beside it. keeps: see `rates.slowest_decay`.
    """
    tail, before = tail[:, None], before[:, None]
    drift, off = tail - before, (tail + before) / 2 - claimed
    share = np.divide(off, claimed, out=np.zeros_like(off), where=claimed < 0)
    burn_in = np.where(claimed < 0, off * (1 + share), 0.0)
    crossing = -off * (gap + off)
    down, up = (np.maximum(tol, 0.5 * step * local) for local in (burn_in, crossing))
    lasting = (tail - claimed) - keeps * (before - claimed)
    return np.stack([drift + down, up - drift, lasting], axis=-1)


def _statistics(
    tail: Floats,
    before: Floats,
    step: float,
    *,
    claimed: float,
    gap: float,
    terms_known: bool,
    tol: float,
    keeps: float,
) -> Floats:
    """(k, 3 + 4 len(ERRORS)): `_ways_back` of the claim, then for wrong claims, from which sensitivities are read."""
    errors, same = np.array(ERRORS), np.full(len(ERRORS), gap)
    ways = partial(_ways_back, tail, before, step, tol=tol, keeps=keeps)
    here = ways(claimed=np.array([claimed]), gap=np.array([gap]))
    faster = ways(claimed=claimed - errors, gap=same)[..., [0, 2]]
    below = ways(claimed=claimed + errors, gap=gap + errors * terms_known)[..., 1:] * (1, -1)
    return np.column_stack([statistics.reshape(len(tail), -1) for statistics in (here, faster, below)])


def _margin(later: Estimate) -> list[tuple[Estimate, float]]:
    """How far slower terms are from being excluded, for `more_runs`; nothing where no estimate could be made."""
    return [(later, later.value)] if np.isfinite(later.se) else []


def _waves(p_if_right: float) -> str:
    """Says in words which modulation of the curves would look like this violation."""
    if p_if_right > SIDE:
        return ""
    return f"; a log-periodic wave in these values of more than {WAVE:.0%} would look the same"


def _p_slow(reading: _Reading) -> float:
    """p-value for "slower than claimed, and not in burn-in"."""
    edge = reading.question.claimed + reading.room
    return max(reading.slopes.tail.p_above(edge), reading.no_burn_in.p_above(0), reading.lasting.p_above(0))


def _p_fast(reading: _Reading) -> float:
    """p-value for "faster than claimed, and not crossing over to the claimed term"."""
    q, tail = reading.question, reading.slopes.tail
    edge = q.claimed - reading.room
    p = max(tail.p_below(edge), reading.no_crossover.p_above(0), reading.lasting.p_below(0))
    return max(p, _p_absent(reading, q.terms, q.claimed)) if q.terms and tail.value < edge else p


def _p_absent(reading: _Reading, terms: Sequence[float], claimed: float) -> float:
    """p-value against "the claimed term carries a tenth of the value at the horizon or more" (form fit)."""
    all_terms = sorted({*terms, claimed})
    shares, _ = reading.form_shares(all_terms)
    return shares[all_terms.index(claimed)].p_below(0.1)

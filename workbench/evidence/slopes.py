"""Slopes: the exponent of a curve, claimed as an upper bound (`rate`) or as exact (`tight`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import misfit as misfits
from workbench.evidence import rates, waves
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
from workbench.evidence.protections import RESIDUALS, SLOWER, START_UP, WAVES, checked
from workbench.evidence.stats import MIN_RUNS, Estimate, Floats, p_above, p_below
from workbench.evidence.verdicts import Finding

TOL = 0.03  # two exponents closer than this are not distinguished
# Relative size of a log-periodic modulation that must not violate a claim. It is that of the values that are read: one
# of 5 % in a running mean is one of 8 to 13 % in the means over (T/2, T], and to allow for that would more than double
# the smallest wrong exponent that is noticed.
WAVE = 0.05
WAVE_SLOPE = 2.64  # the steepest least-squares line through a wave of size 1, times the length of the window
TINY = float(np.finfo(float).tiny)  # what is smaller has lost digits, and counts as 0
NOTABLE = 1.1  # factor on the smallest error rejected from which on the cost of a protection is told
IN_WORDS = {START_UP: "a start-up", WAVES: "waves", RESIDUALS: "residuals between marks"}
GAP = 0.25  # assumed distance to the faster term that a curve comes from, if the theorem names none
SOFTNESS = 0.4  # of the softest start-up that is allowed for: (1 + (T/T0)^SOFTNESS) in place of 1 + T/T0
ONSET = 0.12  # share of its distance to the claim that a growing curve's slope must shed for a start-up to be in view


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
    start-up is rejected (`_WaysBack`): the slope keeps significantly more of its distance to the claim from one window
    to the next than a burn-in leaves, with a resolution no finer than tol, and either more than a slow approach does
    (`rates.slowest_decay`), or T^-claimed times the metric grows faster than log T; *and* no return to the claim is
    seen within the tail. An exponent of 0 says that the metric is bounded: growth like log T violates it. `terms`
    (exponents of the theorem's own bound) adds the non-negative form fit to the note. without: names of `protections`
    that the claim does without.

    Raises ValueError for values that are not (runs, M), marks that do not increase, a claimed exponent that is not
    finite, a tolerance that is not positive, and log factors with marks up to 1 in the window; `NotEnough` for a window
    that is empty or has fewer than three marks in one of its halves.
    """
    question = _Question("rate", claimed, tol, GAP, terms, log_power, window, checked(without))
    reading = _read(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s, edge = reading.slopes, claimed + tol - reading.doubt
    burn_in = reading.ways_back()[0][0].no_burn_in
    p_above, p_later = s.tail.p_above(edge), reading.p_later
    decides = ""
    # A drift is named only if it is significant: what lies outside by chance needs more runs, not a longer horizon.
    if s.tail.p_below(edge) <= SIDE and reading.slower_seen:
        decides = "longer horizon: slower terms are taking over, or the slope is flattening towards the edge"
    elif p_above <= SIDE and reading.returns_from_above():
        decides = "longer horizon: the curve is still steepening (burn-in)"
    decides = reading.uneven or decides
    growth = rates.normalised(reading.runs.clean, reading.marks, claimed, log_power)
    note = f", metric T^{-claimed:g} at the end {growth[-1] / np.nanmax(growth):.3f} of its maximum"
    if s.tail.p_below(claimed - tol) <= SIDE:
        note += "; not attained on this instance up to this horizon: faster than claimed"
    p_if_right = _p_slow(reading)
    finding = estimate_finding(
        "rate",
        claimed,
        s.tail,
        p_if_wrong=max(s.tail.p_below(edge), p_later),
        p_if_right=p_if_right,
        runs=reading.runs,
        horizon=reading.horizon,
        warning=reading.warning,
        note=reading.note(note + _waves(p_if_right, reading)),
        decides=decides,
        margins=[
            (s.tail, s.tail.value - edge),
            *(reading.margins(burn_in) if s.tail.value > edge else reading.margins(later=True)),
        ],
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
    question = _Question("tight", claimed, tol, gap, terms, log_power, window, checked(without))
    reading = _read(values, marks, question, max_failed)
    if isinstance(reading, Finding):
        return reading
    s = reading.slopes
    slow, fast = _p_slow(reading), _p_fast(reading)
    outside = abs(s.tail.value - claimed) > tol
    # The statistic that must be positive for a decision, besides the slope's distance to its edge.
    above = s.tail.value > claimed
    ways = reading.ways_back()[0][0]
    binding = ways.no_burn_in if above else ways.no_crossover
    room = drift_tol - abs(s.drift.value)
    drift = min(s.drift.p_above(drift_tol), s.drift.p_below(-drift_tol))
    decides = "longer horizon: the local slope is still moving" if drift <= SIDE else ""
    if outside and not above:
        decides = reading.how_to_exclude_a_faster_term()
    elif outside:
        decides = decides if reading.returns_from_above() else ""
    decides, sure = reading.uneven or decides, tol - reading.doubt
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
        decides=decides,
        margins=[
            (s.tail, sure - abs(s.tail.value - claimed)),
            *(reading.margins(binding) if outside else [(s.drift, room), *reading.margins(later=True)]),
        ],
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


def _rejected_faster(reading: _Reading, side: float) -> float:
    """How much faster than claimed a rate must be for these curves to violate it at this level (see `_p_slow`)."""
    return smallest_rejected([_p_slow_by(reading)[1:]], side)


def _rejected_either(reading: _Reading, side: float) -> float:
    """The same for an exact exponent, wrong by this much in either direction."""
    terms = reading.question.terms
    below = smallest_rejected([_p_fast_by(reading)[1:]], side / 2)
    if terms and np.isfinite(below):
        below = _without_term(reading, terms, below, side / 2)
    return max(_rejected_faster(reading, side / 2), below)


def _costs(reading: _Reading, rejected: Callable[[_Reading, float], float], side: float) -> str:
    """In words, which smaller error the same data would have rejected without one of the protections."""
    asked, found = reading.question, rejected(reading, side)
    idle = () if reading.doubt else (RESIDUALS,)
    parts = []
    for name in IN_WORDS.keys() - {*asked.without, *idle}:
        less = rejected(replace(reading, question=replace(asked, without=(*asked.without, name))), side)
        if less < found / NOTABLE:
            parts.append((less, f"{less:.2g} off without allowance for {IN_WORDS[name]}"))
    if not parts:
        return ""
    now = f"not only {found:.2g}" if np.isfinite(found) else "where it rejects no error now"
    return f"it would reject {' and '.join(text for _, text in sorted(parts))}, {now}"


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
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Reading:
    """What was read off the curves: finite runs, slopes in both windows, and the test of slower terms.

    misfit: see `misfit.misfit`. rest: in words, what comes behind the last mark that is read.
    """

    question: _Question
    runs: Sample
    marks: Floats
    slopes: rates.Slopes
    slower: Estimate
    misfit: float
    rest: str = ""

    @property
    def doubt(self) -> float:
        """By how much the slope may be off since its marks do not lie on one smooth curve."""
        return 0.0 if self.lacks(RESIDUALS) else misfits.DOUBTS * self.misfit / self.slopes.length

    @property
    def room(self) -> float:
        """The distance to the claim beyond which a slope may violate it: the tolerance, or what a wave can cause."""
        wave = 0.0 if self.lacks(WAVES) else WAVE * WAVE_SLOPE / self.slopes.step
        return max(self.question.tol, wave) + self.doubt

    def lacks(self, protection: str) -> bool:
        """Whether the claim does without a protection."""
        return protection in self.question.without

    @property
    def p_later(self) -> float:
        """p-value for "slower terms are about to take over"."""
        return 0.0 if self.lacks(SLOWER) else self.slower.p_below(0)

    @property
    def slower_seen(self) -> bool:
        """Whether slower terms are seen taking over, so that runs alone decide nothing."""
        return not self.lacks(SLOWER) and self.slower.p_above(0) <= SIDE

    def margins(self, way_back: Estimate | None = None, later: bool = False) -> list[tuple[Estimate, float]]:
        """For `more_runs`: how far a return to the claim, or later slower terms, are from being excluded.

        Nothing of what the claim does without, and where no estimate could be made.
        """
        if way_back is not None:
            return [] if self.lacks(START_UP) else [(way_back, way_back.value)]
        known = later and np.isfinite(self.slower.se) and not self.lacks(SLOWER)
        return [(self.slower, self.slower.value)] if known else []

    @property
    def uneven(self) -> str:
        """What decides where the marks do not lie on one smooth curve; else nothing."""
        if self.doubt < self.question.tol / 2:
            return ""
        return misfits.advice(self.misfit)

    @property
    def horizon(self) -> float:
        return float(self.marks[-1])

    @property
    def warning(self) -> str:
        """In words, that there are few waves or stages where the slopes are read."""
        q = self.question
        window = rates.window_of(self.marks, q.window)
        return waves.warning(self.runs.clean, self.marks, window, q.tol, q.log_power)

    def ways_back(self, slower_claim: bool = False) -> tuple[list[_WaysBack], list[_WaysBack]]:
        """`_WaysBack` of both windows, and of both halves of the tail, for each error of the claim from 0 on.

        slower_claim: for claims that are slower by each of `ERRORS`, in place of faster ones.
        """
        count, names = 1 + len(ERRORS), len(_WaysBack._fields)
        table = np.empty((2, 2, names, count), dtype=object)
        table.ravel()[:] = self.slopes.extra
        windows, tails = table[int(slower_claim)]
        return [_WaysBack(*column) for column in windows.T], [_WaysBack(*column) for column in tails.T]

    def returns_from_above(self) -> bool:
        """Whether a slope above the claim is seen on its way to it, so that runs alone decide nothing."""
        if self.lacks(START_UP):
            return False
        windows, tails = self.ways_back()
        ways = (windows[0], tails[0])
        return any(bool(_veto([w.no_burn_in])[0] or _slows_down([w])[0]) for w in ways)

    def how_to_exclude_a_faster_term(self) -> str:
        """What decides where the slope lies below the claim and moves; nothing where it does not move."""
        if self.lacks(START_UP):
            return ""
        windows, tails = self.ways_back()
        ways = (windows[0], tails[0])
        if min(min(w.no_crossover.p_below(0), w.steadiness.p_below(0)) for w in ways) > SIDE:
            return ""
        return (
            "longer horizon, on which the claimed term stands alone: up to this one it is not attained, and the slope "
            "still moves; or the faster term, named in the theorem's bound"
        )

    def note(self, text: str) -> str:
        """Window and drift, the text, the form fit, and caveats about the runs."""
        s = self.slopes
        tol = f"tolerance {self.question.tol:g}"
        if self.question.log_power:
            tol += f", of the curve over log(T)^{self.question.log_power:g}"
        if self.doubt:
            tol += f", of which {self.doubt:.2g} is left to residuals between marks" * (
                self.doubt > self.question.tol / 2
            )
        window = f"tail {s.window[0]:.3g}..{s.window[1]:.3g}, drift {s.drift.value:+.3f}, {tol}"
        blind_spot = "slower terms are not looked for"
        if not self.lacks(SLOWER):
            blind_spot = slower.unseen_terms(self.question.claimed, self.question.tol, s.tail.value)
        return self.runs.note(f"{window}{text}{self._steepening()}{self._form_note()}; {blind_spot}")

    def _steepening(self) -> str:
        """Says in words that the curve falls as no power does: its slope is steep, and doubles between the windows."""
        before, tail = self.slopes.before.value, self.slopes.tail.value
        if not tail < min(self.question.claimed - slower.FAST_LEADS[-1], 2 * before):
            return self.rest
        return (
            f"{self.rest}; so far faster than any power of T: its slope goes from {before:.3g} to {tail:.3g}"
        )

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
    last, rest = _until_zero(runs.clean), ""
    if last < marks.size:
        if marks[last] <= rates.window_of(marks, q.window)[0]:
            return _zero_throughout(q, runs, marks, last)
        rest = f"; 0 in every run from T = {marks[last]:.3g} on, and read before that"
        q, runs, marks = replace(q, window=None), Sample(runs.clean[:, :last], runs.failed), marks[:last]
    window = rates.window_of(marks, q.window)
    # A slower claim lies farther from the fastest term, where the terms are known.
    terms_known = bool(q.terms) and min(q.terms or [q.claimed]) < q.claimed
    extra = partial(
        _statistics, claimed=q.claimed, tol=q.tol, gap=q.gap, terms_known=terms_known, window=window
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
    uneven = misfits.misfit(rates.without_logs(runs.clean, marks, q.log_power), marks, window)
    shapes = slower.shapes(marks, q.claimed, q.tol, q.terms, q.log_power, steepest)
    return _Reading(q, runs, marks, s, slower.excess(runs.clean, marks, shapes, window), uneven, rest)


def _until_zero(values: Floats) -> int:
    """The number of marks up to the last one at which a run is not 0."""
    positive = np.flatnonzero((np.abs(values) >= TINY).any(0))
    return int(positive[-1]) + 1 if positive.size else 0


def _zero_throughout(question: _Question, runs: Sample, marks: Floats, zero: int) -> Finding:
    """The finding where every run is 0 in the whole window, from the mark of number ``zero`` on: no power is so fast.

    It says as much of runs that were not made as any other finding: `Sample.note`.
    """
    count = len(runs.clean)
    wrong, right = (0.0, 1.0) if question.evidence == "rate" else (1.0, 0.0)
    decides = count >= MIN_RUNS or runs.identical
    finding = Finding(
        question.evidence,
        question.claimed,
        *(-np.inf, -np.inf, -np.inf),
        *((wrong, right) if decides else (1.0, 1.0)),
        runs=count,
        horizon=float(marks[-1]),
        exact=runs.identical,
        provisional=not runs.identical,
        note=runs.note(f"0 in every run from T = {marks[zero]:.3g} on: faster than any power of T"),
        decides="" if decides else f"about {MIN_RUNS} runs",
        void="" if zero else "the metric is 0 at every mark",
        rejects=lambda side: np.inf,
    )
    return unless_failed(finding, runs)


class _WaysBack(NamedTuple):
    """Statistics (k, claims) that say whether a slope can still return to the claimed one, from two adjacent windows.

    no_burn_in: positive where the slope keeps more of its distance above the claim than the softest start-up leaves.
    growth: positive where T^-claimed times the curve grows faster than log T; of a claim that the curve is bounded
        (an exponent of 0) also where it grows like log T.
    no_crossover: positive where the drift is too small for a crossover to the claimed term from a faster one.
    lasting: positive where a slope above the claim keeps its distance, negative where one below does.
    steadiness: negative where the curve still steepens.
    """

    no_burn_in: Any
    growth: Any
    no_crossover: Any
    lasting: Any
    steadiness: Any


def _ways_back(
    before: Floats, after: Floats, window: Window, claimed: Floats, tol: float, gap: Floats
) -> _WaysBack:
    """The statistics of the slopes (k,) in the two halves of a window, for each claim.

    A start-up leads from a constant, or where the claim grows from T (or more), to the claimed power: the share p of
    the distance that the slope still has to go falls so that p/(1 - p) shrinks like T^-SOFTNESS at least. A crossover
    from T^(claimed - gap) drifts by the product of the distances to both powers; half of it is required. Changes
    within tol are not resolved. claimed, gap (claims,): the claim, or wrong ones beside it.
    """
    step = float(np.log(window[1] / window[0]) / 2)
    before, after = before[:, None], after[:, None]
    drift, off, earlier = after - before, after - claimed, before - claimed
    longest = np.where(claimed < 0, -claimed, np.maximum(1.0, claimed + 0.5) - claimed)
    earlier_above = np.clip(earlier, 0.0, longest)  # a slope beyond the first one belongs to no start-up
    remainder = (
        earlier_above / (earlier_above + (longest - earlier_above) * np.exp(SOFTNESS * step)) * longest
    )
    onset = np.where(claimed < 0, tol, np.maximum(tol, ONSET * earlier_above))
    below = (earlier + off) / 2
    return _WaysBack(
        no_burn_in=off - np.minimum(remainder, earlier_above - onset),
        # By how much T^-claimed times the curve rises in each half, over its size.
        growth=off * np.exp(np.clip(step * below, -50, 50))
        - np.where(claimed == 0, rates.slowest_decay(window, 2), 1.0) * np.minimum(earlier, longest),
        no_crossover=np.maximum(tol, -0.5 * step * below * (gap + below)) - drift,
        lasting=off - rates.slowest_decay(window) * np.minimum(earlier, longest),
        steadiness=drift + tol + 0 * off,
    )


def _statistics(
    slopes: Floats,
    step: float,
    *,
    claimed: float,
    gap: float,
    terms_known: bool,
    tol: float,
    window: Window,
) -> Floats:
    """(k, q): the statistics of `_Reading.ways_back`, of the claim and of those that are off by each of `ERRORS`.

    slopes (k, 4): before the tail, in it, and in its two halves.
    """
    errors = np.array([0.0, *ERRORS])
    gaps = (gap + 0 * errors, gap + errors * terms_known)
    tail = (window[1] / np.exp(step), window[1])
    columns: list[Floats] = []
    for claims, distance in zip((claimed - errors, claimed + errors), gaps, strict=True):
        for halves, where in (((0, 1), window), ((2, 3), tail)):
            before, after = (slopes[:, n] for n in halves)
            columns += _ways_back(before, after, where, claims, tol, distance)
    return np.concatenate(columns, axis=1)


def _waves(p_if_right: float, reading: _Reading) -> str:
    """Says in words which modulation of the curves would look like this violation."""
    if p_if_right > SIDE or reading.lacks(WAVES):
        return ""
    return f"; a log-periodic wave in these values of more than {WAVE:.0%} would look the same"


def _p_slow(reading: _Reading) -> float:
    """p-value for "slower than claimed, and not in burn-in"."""
    return float(_p_slow_by(reading)[0])


def _p_fast(reading: _Reading) -> float:
    """p-value for "faster than claimed, and not crossing over to the claimed term"."""
    q, tail = reading.question, reading.slopes.tail
    p = float(_p_fast_by(reading)[0])
    below = tail.value < q.claimed - reading.room
    return max(p, _p_absent(reading, q.terms, q.claimed)) if q.terms and below else p


def _p_slow_by(reading: _Reading) -> Floats:
    """(1 + len(ERRORS),): the same for claims that are faster by no, and by each of the `ERRORS`."""
    edges = reading.question.claimed - np.array([0.0, *ERRORS]) + reading.room
    above = p_above([reading.slopes.tail] * len(edges), edges)
    if reading.lacks(START_UP):
        return above
    windows, tails = reading.ways_back()
    steady = [p_above([w.lasting for w in windows], 0.0), p_above([w.growth for w in windows], 0.0)]
    p = [
        above,
        p_above([w.no_burn_in for w in windows], 0.0),
        np.minimum(1.0, 2 * np.minimum(*steady)),  # either of both will do
    ]
    return np.maximum(
        np.maximum.reduce(p), np.maximum(_veto([w.no_burn_in for w in tails]), _slows_down(tails))
    )


def _p_fast_by(reading: _Reading) -> Floats:
    """(1 + len(ERRORS),): the same for claims that are slower, apart from the form fit."""
    edges = reading.question.claimed + np.array([0.0, *ERRORS]) - reading.room
    below = p_below([reading.slopes.tail] * len(edges), edges)
    if reading.lacks(START_UP):
        return below
    windows, tails = reading.ways_back(slower_claim=True)
    moves = [[w.no_crossover for w in tails], [w.steadiness for w in tails], [w.steadiness for w in windows]]
    p = [
        below,
        p_above([w.no_crossover for w in windows], 0.0),
        p_below([w.lasting for w in windows], 0.0),
    ]
    return np.maximum.reduce([*p, *map(_veto, moves)])


def _veto(statistics: Sequence[Estimate]) -> Floats:
    """1 where the statistic is significantly negative, else 0: a return to the claim, or an unsettled slope."""
    return (p_below(statistics, 0.0) <= SIDE).astype(float)


def _slows_down(ways: Sequence[_WaysBack]) -> Floats:
    """1 where the distance above the claim is seen to decay as a slow approach does."""
    return np.minimum(_veto([w.lasting for w in ways]), _veto([w.growth for w in ways]))


def _p_absent(reading: _Reading, terms: Sequence[float], claimed: float) -> float:
    """p-value against "the claimed term carries a tenth of the value at the horizon or more" (form fit)."""
    all_terms = sorted({*terms, claimed})
    shares, _ = reading.form_shares(all_terms)
    return shares[all_terms.index(claimed)].p_below(0.1)

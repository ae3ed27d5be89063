"""How a claimed exponent is read off curves: finite runs, slopes in two windows, slower terms, residuals, waves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import misfit as misfits
from workbench.evidence import rates, waves
from workbench.evidence import slower_terms as slower
from workbench.evidence._common import (
    ERRORS,
    Sample,
    Window,
    check_claim,
    checked_marks,
    checked_table,
    divergence,
    sample,
    unless_failed,
)
from workbench.evidence.protections import RESIDUALS, SLOWER, WAVES
from workbench.evidence.stats import MIN_RUNS, Estimate, Floats
from workbench.evidence.verdicts import Finding
from workbench.evidence.ways_back import FromAbove, FromBelow, statistics

# Relative size of a log-periodic modulation that must not violate a claim. It is that of the values that are read: one
# of 5 % in a running mean is one of 8 to 13 % in the means over (T/2, T], and to allow for that would more than double
# the smallest wrong exponent that is noticed.
WAVE = 0.05
WAVE_SLOPE = 2.64  # the steepest least-squares line through a wave of size 1, times the length of the window
TINY = float(np.finfo(float).tiny)  # what is smaller has lost digits, and counts as 0


@dataclass(frozen=True)
class Question:
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
class CurveReading:
    """What was read off the curves: finite runs, slopes in both windows, and the test of slower terms.

    misfit: see `misfit.misfit`. rest: in words, what comes behind the last mark that is read. memory: what `once` has
    computed; readings that differ in the protections they do without share it.
    """

    question: Question
    runs: Sample
    marks: Floats
    slopes: rates.Slopes
    slower: Estimate
    misfit: float
    rest: str = ""
    memory: dict[tuple[object, ...], Floats] = field(default_factory=dict, repr=False, compare=False)

    def once(self, key: tuple[object, ...], compute: Callable[[], Floats]) -> Floats:
        """What is asked for at several levels, and with and without protections; key: all that it depends on."""
        if key not in self.memory:
            self.memory[key] = compute()
        return self.memory[key]

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
    def horizon(self) -> float:
        return float(self.marks[-1])

    @property
    def warning(self) -> str:
        """In words, that there are few waves or stages where the slopes are read."""
        q = self.question
        window = rates.window_of(self.marks, q.window)
        return waves.warning(self.runs.clean, self.marks, window, q.tol, q.log_power)

    def from_above(self) -> tuple[list[FromAbove], list[FromAbove]]:
        """`FromAbove` of both windows, and of the tail's halves, for claims steeper by 0 and by each of `ERRORS`."""
        windows, tails = self._columns(FromAbove._fields, 0)
        return [FromAbove(*column) for column in windows], [FromAbove(*column) for column in tails]

    def from_below(self) -> tuple[list[FromBelow], list[FromBelow]]:
        """`FromBelow` in the same way, for claims that are less steep; of an exact exponent only."""
        windows, tails = self._columns(FromBelow._fields, 2 * len(FromAbove._fields))
        return [FromBelow(*column) for column in windows], [FromBelow(*column) for column in tails]

    def _columns(self, names: tuple[str, ...], first: int) -> np.ndarray:
        """(2, claims, names) of the estimates of `ways_back.statistics`, from the ``first`` statistic on."""
        count = 1 + len(ERRORS)
        table = np.empty(2 * len(names) * count, dtype=object)
        table[:] = self.slopes.extra[first * count : first * count + table.size]
        return table.reshape(2, len(names), count).transpose(0, 2, 1)

    def pause(self) -> float:
        """The factor on the horizon up to which the curve may stay as flat as it is; 0 where it is on no pause.

        A curve may pause that has all but stopped, its slope somewhere in the tail nearer to 0 than to the claim, below
        a multiple of T^claimed that it came up to before: a true rate may fall, stay and fall again, as accelerated
        methods do where one curvature is small. It stays below this multiple up to that horizon.
        """
        q = self.question
        plain = rates.without_logs(self.runs.clean, self.marks, q.log_power)
        window = rates.window_of(self.marks, q.window)
        rise, last, slope = rates.rise_within(plain, self.marks, q.claimed, window)
        flat = q.claimed < 0 and slope > q.claimed / 2 and rise <= 0
        return float(np.exp(-last / (slope - q.claimed))) if flat else 0.0

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


def read_curve(
    values: ArrayLike, marks: ArrayLike, question: Question, max_failed: float
) -> CurveReading | Finding:
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
    terms_known = bool(q.terms) and min(q.terms or [q.claimed]) < q.claimed
    extra = partial(
        statistics,
        claimed=q.claimed,
        tol=q.tol,
        gap=q.gap,
        terms_known=terms_known,
        window=window,
        exact=q.evidence == "tight",
    )
    s = rates.window_slopes(runs.clean, marks, q.window, q.log_power, extra)
    if not np.isfinite(s.tail.value + s.before.value):
        text, decides = _not_positive(runs.clean, marks, window)
        note = runs.note(text)
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
    return CurveReading(q, runs, marks, s, slower.excess(runs.clean, marks, shapes, window), uneven, rest)


def _not_positive(values: Floats, marks: Floats, window: tuple[float, float]) -> tuple[str, str]:
    """What keeps a curve from having an exponent in the window, and what would decide it."""
    inside = (marks >= window[0]) & (marks <= window[1])
    marks, means = marks[inside], values[:, inside].mean(axis=0)
    out = np.flatnonzero(~(means > 0))
    where = f"{means[out[0]]:.3g} at T = {marks[out[0]]:.4g}" if out.size else "too small"
    more = f" and {out.size - 1} more marks of the window" if out.size > 1 else ""
    text = f"the mean over runs is {where}{more}, and only a positive curve has an exponent"
    if not out.size or out[-1] >= marks.size // 2:
        return text, "a metric that stays positive, or more runs"
    return text, f"a window that begins later, since={marks[out[-1] + 1] / marks[-1]:.2g}"


def _until_zero(values: Floats) -> int:
    """The number of marks up to the last one at which a run is not 0."""
    positive = np.flatnonzero((np.abs(values) >= TINY).any(0))
    return int(positive[-1]) + 1 if positive.size else 0


def _zero_throughout(question: Question, runs: Sample, marks: Floats, zero: int) -> Finding:
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

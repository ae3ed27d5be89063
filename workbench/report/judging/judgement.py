"""The verdict on curves that were measured somewhere else: `judge`, and what it says."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from workbench import evidence
from workbench.evidence import interim_analyses, rates, stats
from workbench.evidence.protections import names_of
from workbench.evidence.slopes import TOL
from workbench.evidence.verdicts import Decision, Finding, NotEnough, Verdict, decide
from workbench.report.judging import appearance, kinds
from workbench.report.judging.claim_text import KINDS, ClaimText, read_claim
from workbench.report.judging.table import Curves, Floats

LEVEL = 0.01  # probability of any wrong decisive verdict among all that is judged in one call
LEAST = 1e-9  # level that the approximations behind a verdict can bear
FIRST_LOOK = 128  # runs of the first look of `assert_rate` at a function that draws runs
WORDS = {Verdict.HOLDS: "holds", Verdict.VIOLATED: "violated", Verdict.INCONCLUSIVE: "not decided"}


class Violated(AssertionError):
    """The claim is violated. judgement: the whole of it."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(f"\n{judgement}")
        self.judgement = judgement


class Undecided(Violated):
    """The runs decide nothing. Its message says what would."""


@dataclass(frozen=True)
class Reading:
    """How curves are read: see `judge`. along: the marks are values of a parameter, none of which is the last."""

    window: tuple[float, float] | None = None
    tol: float | None = None
    running_mean: bool = False
    along: bool = False
    exact: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """A verdict with what it is worth. level: the probability of a wrong one, common by all of its call.

    interval: of the exponent, of measured/bound or of measured/level, at the level of the verdict. admits, rejects: the
    error of the claim up to which it would still have held, and from which on it would have been violated (NaN where
    nothing is known). needs: what would decide it, "" where it is decided.
    """

    claim: ClaimText
    curves: Curves
    decision: Decision
    name: str = "the curve"
    level: float = LEVEL
    notes: tuple[str, ...] = ()
    reading: Reading = Reading()

    @property
    def finding(self) -> Finding:
        return self.decision.finding

    @property
    def verdict(self) -> str:
        """ "holds", "violated" or "not decided"."""
        return WORDS[self.decision.verdict]

    @property
    def interval(self) -> tuple[float, float]:
        return self.decision.low, self.decision.high

    @property
    def admits(self) -> float:
        return self.decision.admitted

    @property
    def rejects(self) -> float:
        return self.decision.sensitivity

    @property
    def needs(self) -> str:
        if self.decision.verdict is not Verdict.INCONCLUSIVE:
            return ""
        if len(appearance.each_once(self.curves.values)) == 1 and not self.reading.exact:
            return "more runs, or --exact (exact=True) if one run is all there is because its numbers have no noise"
        return self.decision.decides or "another window, or a metric that stays positive"

    def lines(self, notes: bool = False) -> list[tuple[str, str]]:
        """(word, sentence) of one screen. notes: with what the statistics say besides."""
        lines = [
            ("claimed", self.claim.words(self.name)),
            ("read", self._read()),
            ("seen", self._estimate()),
            ("verdict", f"{self.verdict.upper()}{self._void()}"),
            ("worth", self._worth()),
            ("open", self._open()),
            ("needs", self.needs),
            ("assumed", self._assumptions()),
        ]
        remarks = f"{self.finding.note};{self.decision.costs}" if notes else ""
        details = [part.strip() for part in remarks.split(";") if part.strip()]
        return [(word, text) for word, text in lines if text] + [
            ("note", text) for text in [*self.notes, *details]
        ]

    def __str__(self) -> str:
        return "\n".join(f"{word:<8}  {text}" for word, text in self.lines())

    def plot(self, ax: Any = None) -> Any:
        """Draws curves, claim, local slope and verdict; returns the Matplotlib figure. ax: one axis for the curves."""
        from workbench.report.judging import picture

        return picture.draw([self.panel()], ax)

    def panel(self) -> Any:
        """What `workbench.report.judging.picture` draws."""
        from workbench.report.judging import picture

        return picture.Panel(self.curves, self.claim, self.verdict, self.name, self._window())

    def _window(self) -> tuple[float, float] | None:
        """The first and the last mark that were read; None where all were, or none could be."""
        if self.finding.evidence in (
            "bound",
            "scaling",
            "geometric",
            *KINDS,
            "logarithm",
        ) or not math.isfinite(self.finding.value):
            return None
        return rates.window_of(self.curves.marks, self.reading.window)

    def _repr_png_(self) -> bytes:
        png = io.BytesIO()
        self.plot().savefig(png, format="png")
        return png.getvalue()

    def record(self) -> dict[str, Any]:
        """For JSON. NaN and infinities become null."""
        low, high = self.interval
        numbers = {
            "value": self.finding.value, "low": low, "high": high, "admits": self.admits, "rejects": self.rejects,
            "horizon": float(self.curves.marks[-1]),
        }  # fmt: skip
        return {
            "group": self.curves.name,
            "claimed": self.claim.words(self.name),
            "verdict": self.verdict,
            **{name: (float(x) if math.isfinite(x) else None) for name, x in numbers.items()},
            "runs": len(self.curves.values),
            "needs": self.needs,
            "void": self.finding.void,
            "notes": list(self.notes),
        }

    def _read(self) -> str:
        runs, marks = self.curves.values.shape
        at = self.curves.marks
        first, last, v = at[0], at[-1], self.claim.variable
        rows = f"{runs} run{'s' * (runs > 1)}, {marks} checkpoints from {v} = {first:.4g} to {last:.4g}"
        if (window := self._window()) is not None:
            low, high = window
            rows += f"; the tail, from {math.sqrt(low * high):.4g}, decides"
        return f"{self.curves.name}: {rows}" if self.curves.name else rows

    def _estimate(self) -> str:
        value, (low, high) = self.finding.value, self.interval
        if not math.isfinite(value):
            return self.finding.note or "nothing that could be read"
        sure = f"{100 * (1 - self.level):.4g} %"
        between = (
            f", between {low:.4g} and {high:.4g} ({sure} for all verdicts together)"
            if math.isfinite(low + high)
            else ""
        )
        what = {"bound": "the largest mean of measured/bound is", "level": "measured/level is"}
        if self.claim.relation in what:
            return f"{what[self.claim.relation]} {value:.4g}{between}"
        if self.claim.relation in KINDS:
            return (
                f"{kinds.SEEN[self.claim.relation].format(variable=self.claim.variable)} {value:.4g}{between}"
            )
        if self.claim.is_linear:
            return f"the factor per iteration is {value:.6g}{between}"
        logs = self.claim.log_power
        return f"the exponent{' beside the logarithm' if logs else ''} is {value:.4g}{between}"

    def _worth(self) -> str:
        """What an error of the claim would have changed; of a violated claim its interval says that."""
        verdict = self.decision.verdict
        if self.finding.void or verdict is Verdict.VIOLATED:
            return ""
        if self.claim.relation == "bound":
            slack = self.finding.slack
            return f"a bound that is smaller by a factor of {slack:.3g} would be reached" if slack > 1 else ""
        what = "factor" if self.claim.is_linear else "level" if self.claim.relation == "level" else "exponent"
        if self.claim.relation in KINDS:
            what = kinds.WHAT[self.claim.relation]
        parts = []
        if verdict is Verdict.HOLDS and math.isfinite(self.admits):
            parts.append(f"had the claimed {what} been up to {self.admits:.2g} off, it would still hold")
        if math.isfinite(self.rejects):
            parts.append(f"{self.rejects:.2g} off or more, it would be violated")
        elif not self.finding.exact and self.finding.rejects is not None:
            parts.append(f"no wrong {what} would be violated by these runs")
        return "; ".join(parts)

    def _open(self) -> str:
        """Why an exponent is not decided, where its interval does not show it; "" elsewhere."""
        if self.decision.verdict is not Verdict.INCONCLUSIVE or self.finding.evidence not in (
            "tight",
            "rate",
        ):
            return ""
        if 1 < self.finding.runs < stats.MIN_RUNS:
            return f"fewer than {stats.MIN_RUNS} runs decide nothing, whatever they show"
        low, high = self.interval
        tol = self.reading.tol or TOL
        if self.claim.exponent - tol <= low and high <= self.claim.exponent + tol:
            return (
                f"the exponent is within {tol:g} of the claim in the tail; that it stays there is not shown"
            )
        return ""

    def _void(self) -> str:
        return f", but it could not have failed: {self.finding.void}" if self.finding.void else ""

    def _assumptions(self) -> str:
        if self.reading.exact:
            runs = "the numbers have no noise"
        else:
            runs = (
                "the runs are independent"
                if len(self.curves.values) > 1
                else "nothing: one run shows no spread"
            )
        if self.finding.evidence in ("bound", "scaling"):
            return runs
        if self.finding.without:
            runs += f"; the curve needs no allowance for {', '.join(self.finding.without)}"
        return f"{runs}; the trend goes on beyond {self.claim.variable} = {self.curves.marks[-1]:.4g}"


def judge(
    values: ArrayLike,
    marks: ArrayLike,
    claimed: str | float,
    *,
    window: tuple[float, float] | None = None,
    tol: float | None = None,
    running_mean: bool = False,
    along: str = "",
    exact: bool = False,
    without: tuple[str, ...] = (),
    level: float = LEVEL,
    name: str = "the curve",
) -> Judgement:
    """Does the mean over runs of these curves do what is claimed?

    values (runs, M), one row a run (the runs are independent); marks (M,), increasing. claimed: an exponent, or a text
    as "T^-1/4", "T^-1/2 log T or faster", "<= 2*sqrt(T)", "level 0.834 T^-1/4", "0.9^T", "linear". window: the first
    and the last mark to read, by default the last three decades. tol: exponents closer than this are the same (0.03;
    along a parameter 0.05), levels this close, and logarithms of factors, relatively (0.03). running_mean: the values
    are means over (0, T]; those over (T/2, T] are read. along: the name of a parameter, such as "h", if the marks are
    its values and not iterations: the exponent over their whole range is judged. exact: the numbers have no noise (a
    deterministic method), so that one run is enough. level: the probability of a wrong decisive verdict.

    Raises ValueError for arrays of other shapes, a claim that cannot be read, a tolerance or level out of range, and
    for what no verdict allows for.
    """
    curves = Curves(np.asarray(values, float), np.asarray(marks, float), ())
    if curves.values.ndim != 2 or curves.values.shape[1:] != curves.marks.shape:
        raise ValueError(
            f"expected values (runs, M) and marks (M,), got {curves.values.shape} and {curves.marks.shape}"
        )
    reading = Reading(window, tol, running_mean, bool(along), exact, names_of(without))
    (judgement,) = judge_all([curves], read_claim(claimed, along or "T"), reading, level, name)
    return judgement


def judge_all(
    groups: Sequence[Curves],
    claim: ClaimText,
    reading: Reading,
    level: float = LEVEL,
    name: str = "the curve",
    share: float = 1.0,
) -> list[Judgement]:
    """One judgement per group; they share the level. share: of the level, where this is one of several looks."""
    if not LEAST <= level < 0.5:
        raise ValueError(
            f"the probability of a wrong verdict lies between {LEAST:g} and 1/2, not at {level:g}"
        )
    if reading.along and claim.relation not in ("exactly", "bound"):
        raise ValueError(f"along {claim.variable} a claim is an exponent or an upper bound")
    if reading.exact and any(len(curves.values) > 1 for curves in groups):
        raise ValueError("numbers without noise are one run; there are several, whose spread counts")
    to_read = [_to_read(curves, reading) for curves in groups]
    findings = [interim_analyses.at_share(_of_each_once(c, claim, reading), share) for c in to_read]
    return [
        Judgement(claim, c, decision, name, level, tuple(_notes(c, reading)), reading)
        for c, decision in zip(to_read, decide(findings, level), strict=True)
    ]


def assert_rate(
    runs: ArrayLike | Callable[[int], ArrayLike],
    marks: ArrayLike,
    claimed: str | float,
    *,
    false_alarm: float = LEVEL,
    most: int = 4096,
    **settings: Any,
) -> Judgement:
    """For tests: raises `Violated` or `Undecided`, both AssertionErrors, unless the claim holds.

    runs: values (runs, M), or a function that returns the values (n, M) of n further independent runs. It is called
    until the claim is decided or `most` runs are made: 128 at first, then twice as many each time. Each look has its
    share of the error probability, so that a true claim is found violated, or a wrong one holds, with at most
    `false_alarm` in the whole loop. settings: as of `judge`.
    """
    if not callable(runs):
        return _or_raise(judge(runs, marks, claimed, level=false_alarm, **settings))
    looks = [min(FIRST_LOOK, most)]
    while looks[-1] < most:
        looks.append(min(2 * looks[-1], most))
    values, claim = np.asarray(runs(looks[0]), float), read_claim(claimed)
    for number, total in enumerate(looks, 1):
        if total > len(values):
            values = np.concatenate([values, np.asarray(runs(total - len(values)), float)])
        part = interim_analyses.share(number, len(looks))
        curves = Curves(values, np.asarray(marks, float), ())
        (judgement,) = judge_all([curves], claim, Reading(**settings), false_alarm, share=part)
        if judgement.verdict != "not decided":
            break
    return _or_raise(judgement)


def _or_raise(judgement: Judgement) -> Judgement:
    if judgement.decision.verdict is Verdict.INCONCLUSIVE:
        raise Undecided(judgement)
    if judgement.decision.verdict is Verdict.VIOLATED:
        raise Violated(judgement)
    return judgement


@dataclass(frozen=True)
class Comparison:
    """Which of two groups has the smaller mean at the last common mark. ratio: mean(a)/mean(b), with its interval."""

    a: str
    b: str
    mark: float
    ratio: float
    interval: tuple[float, float]
    in_pairs: bool

    def __str__(self) -> str:
        low, high = self.interval
        ahead = self.a if high < 1 else self.b if low > 1 else ""
        verdict = f"{ahead} is ahead" if ahead else "who is ahead is not decided"
        runs = "runs of one name are pairs" if self.in_pairs else "all runs are independent"
        numbers = f"mean({self.a})/mean({self.b}) = {self.ratio:.4g}, between {low:.4g} and {high:.4g}"
        return f"{verdict} at {self.mark:.4g}: {numbers}, if {runs}"


def compare(a: Curves, b: Curves, in_pairs: bool = False, level: float = LEVEL) -> Comparison:
    """The ratio of two means at the last mark that both have, by the jackknife over runs.

    in_pairs: rows of one name belong together, as those with common random numbers do. Raises ValueError where no mark
    is common, a mean is not positive, there are fewer than two runs, or pairs lack a partner.
    """
    common = np.intersect1d(a.marks, b.marks)
    if not common.size:
        raise ValueError(f"{a.name} and {b.name} have no common checkpoint")
    mark = float(common[-1])
    ends = [c.values[:, c.marks == mark] for c in (a, b)]
    if min(map(len, ends)) < 2:
        raise ValueError("a comparison needs two runs of each method")
    if not all(np.isfinite(e).all() and e.mean() > 0 for e in ends):
        raise ValueError(f"a comparison needs finite values with a positive mean at {mark:g}")
    if in_pairs:
        rows = {label: n for n, label in enumerate(b.runs)}
        if sorted(a.runs) != sorted(b.runs):
            raise ValueError(f"{a.name} and {b.name} do not have the same runs, so that they are no pairs")
        partners = [rows[label] for label in a.runs]
        joint = np.concatenate([ends[0], ends[1][partners], a.values, b.values[partners]], axis=1)
        counts = [_of_pairs(joint), _of_pairs(appearance.each_once(joint))]
    else:
        tables = [np.concatenate([end, c.values], axis=1) for end, c in zip(ends, (a, b), strict=True)]
        counts = [_of_both(*tables), _of_both(*map(appearance.each_once, tables))]
    # Runs that equal another one may be copies of it: who is ahead is so with each counted once, too.
    low, high = zip(*(ratio.interval(level / 2) for ratio in counts), strict=True)
    interval = (math.exp(min(low)), math.exp(max(high)))
    return Comparison(a.name, b.name, mark, math.exp(counts[0].value), interval, in_pairs)


def _of_pairs(joint: Floats) -> stats.Estimate:
    """The logarithm of the ratio of the means of the first two columns."""
    (ratio,) = stats.jackknife(joint[:, :2], lambda m: np.log(m[:, :1]) - np.log(m[:, 1:]))
    return ratio


def _of_both(a: Floats, b: Floats) -> stats.Estimate:
    """The same of the first columns of two independent tables."""
    one, two = (stats.jackknife(table[:, :1], lambda m: rates.log_mean(m))[0] for table in (a, b))
    return stats.Estimate(one.value - two.value, math.hypot(one.se, two.se), min(one.runs, two.runs))


def _to_read(curves: Curves, reading: Reading) -> Curves:
    """Checkpoints at 0 are left out, since no rate speaks of them; running means become means over (T/2, T]."""
    order = np.argsort(curves.marks, kind="stable") if reading.along else np.arange(curves.marks.size)
    order = order[curves.marks[order] > 0]
    values, marks = curves.values[:, order], curves.marks[order]
    if reading.running_mean:
        values, marks = rates.window_means(values, marks)
    return replace(curves, values=values, marks=marks)


def _of_each_once(curves: Curves, claim: ClaimText, reading: Reading) -> Finding:
    """The finding, of runs that equal another one value for value counted once: they may be copies of it.

    They may also be runs of their own, where noise has few values. So what is decided must be decided either way.
    """
    finding, different = _finding(curves, claim, reading), appearance.each_once(curves.values)
    if len(different) == len(curves.values):
        return finding
    once = _finding(replace(curves, values=different), claim, reading)
    return replace(
        once,
        p_if_wrong=max(finding.p_if_wrong, once.p_if_wrong),
        p_if_right=max(finding.p_if_right, once.p_if_right),
        exact=finding.exact and once.exact,
    )


def _finding(curves: Curves, claim: ClaimText, reading: Reading) -> Finding:
    marks = curves.marks
    values = np.repeat(curves.values, 2, axis=0) if reading.exact else curves.values  # equal runs are exact
    name = "rtol" if claim.relation == "level" else "tol"
    tolerance: dict[str, Any] = {} if reading.tol is None else {name: reading.tol}
    try:
        if claim.relation in KINDS:
            return kinds.finding(claim, values, marks, reading.tol)
        if claim.relation == "bound":
            return evidence.bound(
                values, claim.formula.values(marks), marks, trend=not reading.along, **tolerance
            )
        if reading.along:
            return evidence.scaling(
                values / np.log(marks) ** claim.log_power, marks, claim.exponent, **tolerance
            )
        if claim.is_linear:
            faster = claim.relation == "linear or faster"
            return evidence.geometric(values, marks, claim.factor, or_faster=faster, **tolerance)
        if claim.relation == "level":
            return evidence.level(
                values,
                marks,
                claim.formula.values(marks),
                window=reading.window,
                without=reading.without,
                **tolerance,
            )
        test = evidence.tight if claim.relation == "exactly" else evidence.rate
        logs, window = claim.log_power, reading.window
        without = reading.without
        return test(
            values, marks, claim.exponent, log_power=logs, window=window, without=without, **tolerance
        )
    except NotEnough as error:
        return Finding(
            claim.relation,
            claimed=claim.exponent,
            value=math.nan,
            low=math.nan,
            high=math.nan,
            p_if_wrong=1.0,
            p_if_right=1.0,
            runs=len(values),
            note=str(error),
            decides=error.decides,
        )


def _notes(curves: Curves, reading: Reading) -> list[str]:
    clean = curves.values[np.isfinite(curves.values).all(1)]
    if not len(clean) or curves.marks.size < 2:
        return []
    return list(appearance.notes(clean, curves.marks, reading.running_mean or reading.along))

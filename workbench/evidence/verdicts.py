"""Findings, three-valued verdicts, and the decision over a whole set of claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from workbench.evidence.distributions import chi_squared_quantile, normal_quantile, student_quantile
from workbench.evidence.stats import MIN_RUNS, Estimate, clopper_pearson, holm, p_fewer, p_more, runs_needed

# Of advice: the probability with which each estimate behind it is no less favourable than assumed.
_SURE = 0.9
AT_FIRST = " at first: the estimate lies within its error of an edge, and these do not say how many it takes"


# Fields of a finding that are functions of a level: a finding without them is plain data.
AT_LEVEL = ("limits", "advice", "rejects", "admits", "costs")


class Verdict(StrEnum):
    """The outcome for a claim."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"


class NotEnough(ValueError):
    """There are too few marks, or too short a horizon, to evaluate a claim. ``decides``: what to increase."""

    def __init__(self, message: str, decides: str = "longer horizon") -> None:
        super().__init__(message)
        self.decides = decides


@dataclass(frozen=True)
class Finding:
    """One piece of evidence about one claim, before any decision.

    p_if_wrong is the p-value of the hypothesis "the claim is wrong": if it is small, the claim holds.
    p_if_right is the p-value of the hypothesis "the claim is right": if it is small, the claim is violated.
    low, high are limits at 1 % per side for this finding alone, and `limits(level)` gives them at any other level.
    `advice(level)` says what would decide the claim.
    `rejects(level)` is the smallest error of the claim (of its exponent or level, or the factor of its bound) that
    these data would have found to be violated, `admits(level)` the error of its exponent or level from which on they
    would not have said that it holds.
    slack is bound/measured for bounds, trend the slope of measured/bound in the tail with its upper limit.
    span: the least and the largest value of the parameter of a scaling. tolerance: of an exponent
    or a level, and of a bound if it has one. between: the claim, where it is an interval. without: protections that
    the claim does without (`protections`).
    costs(level): in words, what the others cost.
    warning: in words, why the number may not be what the claim is about, whatever the verdict.
    exact: the finding is symbolic, counted, or from identical runs. Its p-values are 0 or 1, and it does not belong to
    a family of tests.
    provisional: no run contradicts the claim, while runs that were not made may.
    diverged: more runs failed than a right claim allows, so the finding is about the failures and not about a value.
    of_mean: it is about an expectation, which a run that fails leaves without a value.
    at: parameters at which the numbers are those shown, of an exponent that is compared on their whole range.
    """

    evidence: str
    claimed: float
    value: float
    low: float
    high: float
    p_if_wrong: float
    p_if_right: float
    runs: int = 0
    horizon: float = np.nan
    slack: float = np.nan
    trend: tuple[float, float] = (np.nan, np.nan)
    span: tuple[float, float] = (np.nan, np.nan)
    tolerance: float = 0.0
    between: tuple[float, float] | None = None
    exact: bool = False
    provisional: bool = False
    diverged: bool = False
    of_mean: bool = False
    note: str = ""
    at: str = ""
    decides: str = ""
    void: str = ""
    warning: str = ""
    without: tuple[str, ...] = ()
    limits: Callable[[float], tuple[float, float]] | None = field(default=None, repr=False, compare=False)
    advice: Callable[[float], str] | None = field(default=None, repr=False, compare=False)
    rejects: Callable[[float], float] | None = field(default=None, repr=False, compare=False)
    admits: Callable[[float], float] | None = field(default=None, repr=False, compare=False)
    costs: Callable[[float], str] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ValueError for an exact finding with a p-value between 0 and 1, which `decide` would ignore."""
        if self.exact and not {self.p_if_wrong, self.p_if_right} <= {0.0, 1.0}:
            raise ValueError(
                f"an exact finding has p-values 0 or 1, not {self.p_if_wrong:g} and {self.p_if_right:g}"
            )


@dataclass(frozen=True)
class Decision:
    """A finding with its verdict, and its interval and sensitivity at the level adjusted for the family.

    p is the adjusted p-value of the verdict (of the nearer direction when inconclusive). sensitivity, admitted: the
    errors that `Finding.rejects` and `Finding.admits` give; NaN where they are not defined, as for exact findings.
    costs: what `Finding.costs` says.
    """

    finding: Finding
    verdict: Verdict
    low: float
    high: float
    p: float
    decides: str = ""
    sensitivity: float = np.nan
    admitted: float = np.nan
    costs: str = ""


def decide(findings: Sequence[Finding], level: float = 0.01) -> list[Decision]:
    """Verdicts with P(any wrong decisive verdict among the findings) <= level, under any dependence.

    Holm over 2m directional hypotheses for m claims. Exactly one direction of every claim is true ("it is false" or
    "it is true"), so at most m of the 2m are true simultaneously, and Shaffer's refinement of Holm applies: the first m
    steps all compare with level/m. (Plain Holm would go from level/2m to level/(m+1).) The intervals exclude level/m on
    each side, so that intervals and verdicts agree; jointly they cover with probability >= 1 - 2 level.
    """
    family = [f for f in findings if not f.exact]
    m = max(1, len(family))
    p_values = holm([p for f in family for p in (f.p_if_wrong, f.p_if_right)], at_most=m)
    pairs = iter(p_values.reshape(-1, 2))
    side = level / m
    return [_exact(f, side) if f.exact else _decision(f, next(pairs), level, side) for f in findings]


def _exact(f: Finding, side: float) -> Decision:
    """A wrong claim on the same runs need not be exact: both sides of a line may vary, and their difference not."""
    errors = _errors(f, side)
    if f.p_if_wrong == f.p_if_right:
        return Decision(f, Verdict.INCONCLUSIVE, f.low, f.high, 1.0, f.decides, *errors)
    verdict = Verdict.HOLDS if f.p_if_wrong < f.p_if_right else Verdict.VIOLATED
    return Decision(f, verdict, f.low, f.high, 0.0, "", *errors)


def _errors(f: Finding, side: float) -> tuple[float, float, str]:
    """(sensitivity, admitted, costs) at a level for each direction."""
    errors = (f.rejects(side) if f.rejects else np.nan), (f.admits(side) if f.admits else np.nan)
    return (*errors, f.costs(side) if f.costs else "")


def _decision(f: Finding, p: np.ndarray, level: float, side: float) -> Decision:
    low, high = f.limits(side) if f.limits else (f.low, f.high)
    errors = _errors(f, side)
    holds, violated = p <= level
    if holds == violated:  # neither, or both if the input is contradictory
        decides = f.decides or (f.advice(side) if f.advice else "more runs")
        return Decision(f, Verdict.INCONCLUSIVE, low, high, float(p.min()), decides, *errors)
    verdict = Verdict.HOLDS if holds else Verdict.VIOLATED
    return Decision(f, verdict, low, high, float(p.min()), "", *errors)


def more_runs(margins: Sequence[tuple[Estimate, float]], side: float) -> str:
    """Advice from (estimate, distance to its edge) pairs: the number of runs that the hardest of them needs.

    Distance and standard error are themselves estimates, and the runs that left a claim open are a selection: taken at
    face value they name too few runs in two cases of three. So both enter with their 90 % limits on the unfavourable
    side. A distance whose limit is below half a standard error says little about the true one; half a standard error
    stands in for it, and the advice says so. Less than twice the present runs is no advice.
    """
    present = margins[0][0].runs
    if any(e.runs < 2 for e, _ in margins):
        return "more runs: one run shows no spread"
    near = [abs(margin) - e.se * student_quantile(e.runs - 1, _SURE) for e, margin in margins]
    each = [
        runs_needed(e, max(distance, e.se / 2), side) * (e.runs - 1) / chi_squared_quantile(e.runs - 1, _SURE)
        for distance, (e, _) in zip(near, margins, strict=True)
    ]
    runs = max(*each, MIN_RUNS, 2 * present)
    if not np.isfinite(runs):
        return "another instance: no number of runs tells the estimate from the edge of its tolerance"
    within = any(distance < e.se / 2 for distance, (e, _) in zip(near, margins, strict=True))
    return f"about {np.ceil(runs):.0f} runs{AT_FIRST if within else ''}"


def more_runs_binomial(count: int, runs: int, delta: float, side: float) -> str:
    """Runs at which the share of those that exceed would be separated from delta (doubling, bisection).

    count: of these runs. The true share is taken to lie as near to delta as its 90 % limit; where that is beyond delta,
    half-way between.
    """
    share = count / runs
    low, high = clopper_pearson(count, runs, 1 - _SURE)
    near = max(low, (share + delta) / 2) if share > delta else min(high, (share + delta) / 2)
    enough = low > delta if share > delta else high < delta
    near = (low if share > delta else high) if enough else near
    few, many = runs, 2 * runs
    while many < 10**7 and not _binomial_decides(near, many, delta, side):
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if _binomial_decides(near, middle, delta, side) else (middle, many)
    if many >= 10**7:
        return "no number of runs: the share lies at delta"
    return f"about {many} runs{'' if enough else AT_FIRST}"


def _binomial_decides(share: float, runs: int, delta: float, side: float) -> bool:
    """Whether runs of this share decide in nine cases of ten."""
    chance = normal_quantile(_SURE) * np.sqrt(share * (1 - share) / runs)
    k = round((share + np.copysign(chance, delta - share)) * runs)
    return bool((p_fewer if share < delta else p_more)(k, runs, delta) <= side)

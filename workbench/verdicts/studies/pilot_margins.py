"""How far pilot runs are from deciding a claim otherwise, and why a plan leaves it out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.claims import interim_analyses
from workbench.claims.claims import Claim
from workbench.claims.plan import AFTER, FARTHER, SAFE, SEEDS, Plan
from workbench.engine.records import Result
from workbench.evidence.distributions import normal, student_quantile
from workbench.evidence.interim_analyses import at_share, share
from workbench.evidence.margins import margin as margin_of
from workbench.evidence.stats import MIN_RUNS
from workbench.evidence.verdicts import Finding
from workbench.run.options import Options
from workbench.verdicts import verify

NEAR = 1.25  # a run whose ratio to a bound is above 1/NEAR could exceed it with another seed
MORE = 30.0  # factor on the runs beyond which more of them are no advice
AGREE = 4.0  # the range of three standard normal numbers exceeds this once in about eighty times
# How likely a seed's farthest run lies more than `FARTHER` times as far out as that of three pilots with as many runs
# each, if the tail falls like t^-2: the largest of n is then Fréchet distributed with a scale that n squares.
RARE = 1 / (1 + 3 * FARTHER**2)
SENSITIVE = 1.0  # a decision that changes the margin by less is not worth a new plan


@dataclass(frozen=True)
class Row:
    """One claim in one profile. margin: infinite where nothing random enters. why: "" if the claim stays in.

    share: of the runs, with which the margin would be `SAFE`. after: the margin with a run `FARTHER` times as far out.
    mute: whether in no pilot it would be violated, however wrong its exponent or level. is_contradicted: whether a
    pilot decided the opposite. pilots: how many seeds the margins are the mean of. against: whether the pilots do
    not show the claim, and more runs would not.
    """

    claim: Claim
    profile: str
    margin: float
    why: str
    share: float
    after: float = math.inf
    is_contradicted: bool = False
    pilots: int = len(SEEDS)
    mute: bool = False
    against: bool = False

    @property
    def name(self) -> str:
        """The claim's name for readers of what the command prints."""
        return f"{self.claim.paper}/{self.claim.id}"

    @property
    def chance_open(self) -> float:
        """The probability that a call does not decide this claim as expected, estimated from the pilots."""
        if self.is_contradicted:
            return 1.0
        if self.why:
            return 0.0
        # A new seed's distance has its own standard error of 1, and the mean over the pilots one of 1/sqrt(pilots).
        error = math.sqrt(1 + 1 / self.pilots)
        return normal(-self.margin / error) + RARE * normal(-self.after / error)


def without_finding(row: Row) -> Row:
    """The row of a claim for which the pilot runs admit no window: left out."""
    if row.is_contradicted or row.why:
        return row
    return replace(
        row,
        why="from no start of a window do the pilot runs show what is claimed, and keep to it",
        against=True,
    )


def at_last_look(claim: Claim, results: Mapping[str, Result], options: Options, plan: Plan) -> Finding:
    """The finding on all runs, at the share of the error probability that is left for them."""
    last = interim_analyses.most(results[key] for key in claim.needs)
    return at_share(verify.evaluate(claim, results, options, plan), share(last, last))


def row_of(claim: Claim, profile: str, findings: Sequence[Finding], side: float) -> Row:
    opposite = "holds" if claim.expected == "violated" else "violated"
    if any(margin_of(f, opposite, side) >= 0 for f in findings):
        return Row(claim, profile, -math.inf, "", math.inf, is_contradicted=True)
    each = [margin_of(f, claim.expected, side) for f in findings]
    margin = _over_pilots(each)
    if _far(findings, margin):
        return Row(claim, profile, math.inf, "", 0.0, pilots=len(findings))
    share = _share_of_runs(findings[0], margin, side)
    mute = all(
        f.admits is not None and f.rejects is not None and f.rejects(side) == math.inf for f in findings
    )
    if margin >= _least_margin(len(findings)):
        why = ""
    elif math.isfinite(margin) and not _agree(each) and max(each) > 0:
        fewest, most = (_decision(m) for m in (margin, max(each)))
        why = f"a few runs decide: with one pilot seed it is {fewest}, with another {most}"
    else:
        why = _why(findings, margin, share)
    against = math.isinf(share) and not _too_few(findings[0])  # the estimate lies on the wrong side
    return Row(claim, profile, margin, why, share, pilots=len(findings), mute=mute, against=against)


def _least_margin(pilots: int) -> float:
    """The margin with which a claim stays in: `SAFE`, and more where fewer pilots than three estimate it."""
    return SAFE * math.sqrt((1 + 1 / pilots) / (1 + 1 / len(SEEDS)))


def unless_far(row: Row, findings: Sequence[Finding], side: float) -> Row:
    """The row with what is left of its margin if a run lies `FARTHER` times as far out as the farthest of its pilot."""
    if math.isinf(row.margin):
        return row
    after = _over_pilots([margin_of(f, row.claim.expected, side) for f in findings])
    outlier = f"one run {FARTHER:g} times as far out as any of the pilots"
    far = "" if after >= AFTER else f"with {outlier} this would be {_decision(after, AFTER)}"
    return replace(row, after=after, why=row.why or far)


def _over_pilots(margins: Sequence[float]) -> float:
    """The mean of what the pilots found if they differ by no more than their standard errors explain, or the least."""
    return sum(margins) / len(margins) if _agree(margins) else min(margins)


def _agree(margins: Sequence[float]) -> bool:
    return max(margins) - min(margins) <= AGREE


def _far(findings: Sequence[Finding], margin: float) -> bool:
    """Whether a count of runs beyond a bound decided the claim alike in every pilot, with no run near the bound.

    Such a p-value is no estimate of a margin: it is the best that this number of runs can give.
    """
    alike = len({(f.p_if_wrong, f.p_if_right) for f in findings}) == 1
    return alike and len(findings) > 1 and margin >= 0 and all(f.slack >= NEAR for f in findings)


def _share_of_runs(finding: Finding, margin: float, side: float) -> float:
    """The share of the runs, or the factor on them, with which the margin would be `SAFE`.

    Distances from an edge grow with the square root of the runs. 0 for what needs no runs; infinite where the estimate
    lies on the wrong side of the edge.
    """
    if margin == math.inf:
        return 0.0
    critical_value = -student_quantile(max(finding.runs - 1, 1), side)
    distance = critical_value + margin
    return ((critical_value + SAFE) / distance) ** 2 if distance > 0 else math.inf


def _why(findings: Sequence[Finding], margin: float, share: float) -> str:
    """Why the margin is too small: too few runs, or something that more runs do not change."""
    first, reasons = findings[0], [f.decides for f in findings if f.decides]
    if _too_few(first):
        return f"{first.runs} runs, of {MIN_RUNS} that a verdict needs"
    if not math.isfinite(margin) or share > MORE:
        return reasons[0] if reasons else "the pilot runs do not decide it as expected"
    least = _least_margin(len(findings))
    return f"{_decision(margin, least)}; about {_round_up(share * first.runs)} runs would do"


def _too_few(finding: Finding) -> bool:
    return 0 < finding.runs < MIN_RUNS and not finding.exact


def _decision(margin: float, least: float | None = None) -> str:
    """ "decided by 3.6 standard errors only, 3.7 are wanted". Rounded down: to the nearest it may read "3.7, 3.7"."""
    if margin < 0:
        return "not decided"
    if margin == math.inf:
        return "decided beyond doubt"
    too_little = f" only, {least:.1f} are wanted" if least is not None else ""
    return f"decided by {math.floor(10 * margin) / 10:.1f} standard errors{too_little}"


def _round_up(runs: float) -> int:
    """Up to two digits."""
    unit = 10 ** max(math.floor(math.log10(runs)) - 1, 0)
    return math.ceil(runs / unit) * unit

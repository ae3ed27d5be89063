"""What a call does not judge, claim by claim with the reason: data for tables, pages, captions and documents.

A claim may need a longer profile than the one of the call, or the plan leaves it out: for want of runs, or because the
pilot runs do not show what is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workbench.claims import plan as plan_files
from workbench.claims.claims import Bound, Caught, Claim
from workbench.claims.costs import Complexity
from workbench.claims.plan import Plan
from workbench.claims.records import PROFILES
from workbench.run import catalog
from workbench.run.options import Options

# Kinds of evidence in which the runs of the theorem's method decide, and not a count or an exact calculation.
OF_RUNS = ("rate", "tight", "geometric", "bounded", "limit", "logarithm", "scaling")


class Reason(StrEnum):
    LONGER = "needs a longer profile"
    SHORTER = "belongs to a shorter profile"
    RUNS = "left out for want of runs"
    PILOTS = "left out because its pilot runs do not show it"


@dataclass(frozen=True)
class Omission:
    """A claim that is not judged. details: what the plan says of it, "" where another profile judges it."""

    claim: Claim
    reason: Reason
    details: str = ""

    @property
    def why(self) -> str:
        """The reason with its details, for a reader."""
        return f"{self.reason} ({self.details})" if self.details else str(self.reason)

    def __str__(self) -> str:
        return f"not judged: {self.claim.evidence}; {self.claim.experiment}: {self.why}"

    def record(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "id": self.claim.id,
            "key": self.claim.key,
            "evidence": self.claim.evidence,
            "experiment": self.claim.experiment,
            "reason": self.reason.name.lower(),
            "details": self.details,
        }


def omissions(left_out: Sequence[Claim], profile: str) -> list[Omission]:
    """The reasons for claims that a profile does not judge, as `verify.chosen_claims` gives them.

    Raises BadPlan for a file that is no plan.
    """
    from workbench.verdicts import verify  # late: it loads the ledger, which a listing does without

    plans = verify.plans_of(left_out)
    return [_omission(claim, profile, plans[claim.paper]) for claim in left_out]


def _omission(claim: Claim, profile: str, plan: Plan) -> Omission:
    if profile in claim.profiles:
        reason = Reason.PILOTS if plan.is_against(claim.id, profile) else Reason.RUNS
        return Omission(claim, reason, plan.why_open(claim.id, profile))
    later = PROFILES[PROFILES.index(profile) + 1 :]
    return Omission(claim, Reason.LONGER if any(p in claim.profiles for p in later) else Reason.SHORTER)


def of_figure(paper: str, needs: Iterable[str], options: Options) -> list[Omission]:
    """What a call leaves out of the claims about curves that a figure draws; nothing for the user's own runs."""
    if options.has_own_size:
        return []
    from workbench.verdicts import verify  # late: it loads the ledger, which a listing does without

    curves = set(needs)
    about = [c for c in catalog.claims() if c.paper == paper and c.needs and curves.issuperset(c.needs)]
    plans = verify.plans_of(about)
    by_plan = [c for c in about if verify.why_left(c, options.profile, plans[paper])]
    return omissions(by_plan, options.profile)


def in_caption(omitted_claims: Sequence[Omission]) -> str:
    """A sentence for the caption of a figure that shows curves which nothing judges; "" for none."""
    names = [f"{o.claim.evidence} of {o.claim.experiment} ({o.reason})" for o in omitted_claims]
    return f"Claims about these runs that are not judged: {'; '.join(dict.fromkeys(names))}." if names else ""


def is_of_runs(claim: Claim) -> bool:
    """Whether runs of a theorem's own method decide a claim about its rate, level or bound."""
    if isinstance(claim, Caught) or not claim.needs or any(_is_wrong(key) for key in claim.needs):
        return False
    return claim.evidence in OF_RUNS or isinstance(claim, Bound | Complexity)


def _is_wrong(simulation: str) -> bool:
    """Whether a simulation is of a method that is wrong on purpose."""
    sim = catalog.simulations().get(simulation)
    return sim is not None and (sim.kind == "falsifier" or sim.mutation is not None)


def without_runs(theorem: str, claims: Iterable[Claim], omitted_claims: Iterable[Omission] = ()) -> str:
    """What is said of a theorem of which runs decide nothing, with the reason; "" for all others.

    claims: the claims of a call; omitted_claims: what it leaves out.
    """
    if any(claim.key == theorem and is_of_runs(claim) for claim in claims):
        return ""
    mine = [o for o in omitted_claims if o.claim.key == theorem and is_of_runs(o.claim)]
    if not mine:
        return "No claim about it is one that runs could decide."
    reasons = "; ".join(dict.fromkeys(f"{o.claim.evidence}: {o.why}" for o in mine))
    return f"No rate, level or bound of it is judged by runs here ({reasons})."


def silent(theorems: Sequence[str], profile: str) -> dict[str, str]:
    """Theorem -> what is said of it (`without_runs`), of those of which runs decide nothing in a profile.

    A claim that was changed since it was piloted counts as left out here: to tell it apart takes its simulations.
    """
    about = [c for c in catalog.claims() if c.key in theorems]
    plans = {paper: plan_files.of(paper) for paper in {c.paper for c in about}}  # unchecked: no proof is read

    def is_judged(claim: Claim) -> bool:
        return profile in claim.profiles and not plans[claim.paper].why_open(claim.id, profile)

    chosen_ones = [c for c in about if is_judged(c)]
    omitted_claims = [_omission(c, profile, plans[c.paper]) for c in about if not is_judged(c)]
    sentences = {key: without_runs(key, chosen_ones, omitted_claims) for key in theorems}
    return {key: sentence for key, sentence in sentences.items() if sentence}

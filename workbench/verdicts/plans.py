"""Plans beside the claims of their papers: which entries are used, and which are of claims that are gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from workbench.claims import windows
from workbench.claims.claims import Claim
from workbench.claims.plan import PIECES, Plan, file_of
from workbench.run.options import UsageError

MOST = 3  # entries that are named


def used_part(plan: Plan, claims: Iterable[Claim]) -> Plan:
    """The entries of a paper's plan that its claims use.

    Every profile sees the windows and tolerances that another one needs; the rest is of claims that it may decide.
    """
    claims = list(claims)
    readings = {r.id for c in claims if (r := windows.reading_of(c)) is not None}
    tolerances = {windows.within(c) for c in claims}
    profiles = {}
    for profile, of_profile in plan.profiles.items():
        claim_ids = {c.id for c in claims if profile in c.profiles}
        names_of = dict.fromkeys(PIECES, claim_ids) | {"windows": readings, "tolerances": tolerances}
        document: dict[str, Any] = {
            piece: {name: entry for name, entry in getattr(of_profile, piece).items() if name in names}
            for piece, names in names_of.items()
        }
        profiles[profile] = replace(of_profile, **document)
    return Plan(profiles)


def check_used(paper: str, plan: Plan, claims: Iterable[Claim]) -> None:
    """Raises UsageError for entries of a paper's plan that none of its claims uses."""
    without_claim = sorted(set(_names(plan)) - set(_names(used_part(plan, claims))))
    if without_claim:
        names = ", ".join(dict.fromkeys(name for _, _, name in without_claim[:MOST]))
        more = f" and {len(without_claim) - MOST} more" if len(without_claim) > MOST else ""
        raise UsageError(
            f"{file_of(paper)} has entries that no claim of {paper} uses, for {names}{more}: `workbench plan` makes a"
            " new one"
        )


def _names(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Profile, piece and name of every entry."""
    for profile, of_profile in plan.profiles.items():
        for piece in PIECES:
            yield from ((profile, piece, name) for name in getattr(of_profile, piece))


def check_apart(claims: Iterable[Claim]) -> None:
    """Raises UsageError for two claims of a paper that have the same id and are not the same claim."""
    first: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        other = first.setdefault((claim.paper, claim.id), claim)
        if other is not claim and not _same(other, claim):
            raise UsageError(
                f"{claim.key}: {other.experiment!r} and {claim.experiment!r} ({claim.evidence}) have the same id"
                f" {claim.id}; give one of them a tag"
            )


def _same(a: Claim, b: Claim) -> bool:
    try:
        return a == b
    except ValueError:  # of arrays in them, which have no single truth value
        return False

"""The error budget: which claims share one probability of a wrong decisive verdict.

Each paper has its own budget, so adding a paper, or a claim to another paper, changes no verdict of this one. Within a
paper two families share the budget equally: the statistical claims, and the proof lines measured along runs (many of
them, each with a p-value per checkpoint). Exact findings need no budget.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from workbench.evidence.verdicts import Decision, Finding, decide

LEVEL = 0.01  # probability of any wrong decisive verdict among all claims of one paper in one call
FAMILIES = ("claims", "lines along runs")  # of every paper


def decide_by_family(findings: Sequence[Finding], families: Sequence[Hashable]) -> list[Decision]:
    """`workbench.evidence.verdicts.decide` within each family, at its share of the paper's level.

    families: for each finding, a value that identifies its paper and its family.
    """
    decisions: dict[int, Decision] = {}
    for family in dict.fromkeys(families):
        members = [n for n, name in enumerate(families) if name == family]
        of_family = decide([findings[n] for n in members], LEVEL / len(FAMILIES))
        decisions.update(zip(members, of_family, strict=True))
    return [decisions[n] for n in range(len(findings))]

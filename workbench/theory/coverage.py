"""Coverage of a proof: every displayed line of the paper's text, and what the ledger shows of it.

A module `theorems/<paper>/coverage.py` has its records in the attribute ``COVERAGE``, in the order of the text; no
further registration is needed. `workbench.ledger.coverage` says how each line is shown, from the checks it names.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.theory.record import Paper


@dataclass(frozen=True)
class Display:
    """One displayed line (or a chain of relations that is displayed as one) of a proof.

    source: its lines in the paper's text, and its number if it has one: "(26), L610-612". says: what it says, in a few
    words or symbols. link: name of the ledger's link, without the paper's prefix. checks: names of that link's checks
    that encode this line, all of it; none if it is not checked. quoted: the paper quotes it without proof, or it is a
    definition or an assumption. why: for a line that is not checked, the reason in a few words.

    Raises ValueError for a line that is checked and not, or neither with a reason nor without.
    """

    paper: Paper
    source: str
    says: str
    link: str = ""
    checks: tuple[str, ...] = ()
    quoted: bool = False
    why: str = ""

    def __post_init__(self) -> None:
        if self.checks and not self.link:
            raise ValueError(f"{self.source}: checks need the link that they belong to")
        if bool(self.checks) + self.quoted + bool(self.why) != 1:
            raise ValueError(f"{self.source}: give either checks, or quoted, or why the line is not checked")

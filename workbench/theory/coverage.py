"""Coverage of a proof: every displayed line of the paper's text, and what the ledger shows of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Display:
    """One displayed line (or a chain of relations that is displayed as one) of a proof.

    paper, section: its key, and the part of the paper that it is in. source: its lines in the paper's text, and its
    number if it has one: "(26), L610-612". says: what it says, in a few words or symbols. link: name of the ledger's
    link, without the paper's prefix. checks: names of that link's checks that encode this line, all of it. quoted: the
    paper quotes it without proof, or it is a definition or an assumption. why: for a line that is not checked, the
    reason in a few words.
    """

    paper: str
    section: str
    source: str
    says: str
    link: str = ""
    checks: tuple[str, ...] = ()
    quoted: bool = False
    why: str = ""

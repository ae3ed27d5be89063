"""The dependency graph of a proof: which lemma uses which, and the status of each link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from workbench.evidence.verdicts import Verdict
from workbench.theory.lemma import MEASURED, Lemma

Verdicts = Mapping[
    tuple[str, str], str
]  # (lemma key, check name) -> verdict; checks that were not made are absent


class Status(IntEnum):
    """The status of a link, weakest first."""

    BROKEN = 0  # a check contradicts the expectation of the record
    FALSE = 1  # the statement is refuted as printed
    PROOF_WRONG = 2  # a line of the proof is refuted, and nothing here shows the statement
    OPEN = 3  # a check was inconclusive
    UNMEASURED = 4  # a line is measured on runs that are not at hand
    UNCHECKED = 5  # nothing was checked
    ARITHMETIC = 6  # only computations beside it
    QUOTED = 7  # quoted from another paper, nothing but computations was checked
    PROOF_TESTED = (
        8  # a line of the proof is refuted, the statement was measured along runs without violation
    )
    LINES = 9  # lines of its proof hold; the statement itself is not encoded
    PROOF_LINE = 10  # a line of the proof is refuted, the statement itself holds by an exact check
    TESTED = 11  # the statement was measured along runs, without violation
    CERTIFIED = 12  # the statement itself is an exact check that holds, with a certificate


WORDS = {
    Status.BROKEN: "not as recorded",
    Status.FALSE: "false as printed",
    Status.PROOF_WRONG: "proof line wrong, statement open",
    Status.OPEN: "not decided",
    Status.UNMEASURED: "not measured here",
    Status.UNCHECKED: "not checked",
    Status.ARITHMETIC: "arithmetic only",
    Status.QUOTED: "quoted without proof",
    Status.PROOF_TESTED: "proof line wrong, statement tested on runs",
    Status.PROOF_LINE: "proof line wrong, statement holds",
    Status.LINES: "lines of its proof hold, statement not encoded",
    Status.TESTED: "tested on runs",
    Status.CERTIFIED: "certified",
}
WRONG = (Status.FALSE, Status.PROOF_WRONG, Status.PROOF_TESTED, Status.PROOF_LINE)


@dataclass(frozen=True)
class Link:
    """A lemma with its status. repaired: its status when printed lines with an erratum are ignored."""

    lemma: Lemma
    status: Status
    repaired: Status

    @property
    def errata(self) -> list[str]:
        """Those behind the status."""
        if self.status not in WRONG:
            return []
        wrong = [c for c in self.lemma.checks if c.erratum and c.expected == "violated"]
        if self.status == Status.FALSE:  # others are of lines of its proof
            wrong = [c for c in wrong if c.shows == "statement"]
        return sorted({c.erratum for c in wrong})

    @property
    def why(self) -> str:
        """The status in words, with the errata behind it."""
        return f"{WORDS[self.status]} ({', '.join(self.errata)})" if self.errata else WORDS[self.status]

    @property
    def words(self) -> str:
        """`why`, and what is known of the repaired statement."""
        return f"{self.why}; repaired: {WORDS[self.repaired]}" if self.status == Status.FALSE else self.why


def users(lemmas: Mapping[str, Lemma]) -> dict[str, tuple[str, ...]]:
    """Key -> keys of the lemmas that use it."""
    keys: dict[str, list[str]] = {key: [] for key in lemmas}
    for lemma in lemmas.values():
        for name in lemma.uses:
            keys.setdefault(name, []).append(lemma.key)
    return {key: tuple(sorted(by)) for key, by in keys.items()}


def check_links(lemmas: Mapping[str, Lemma], assumptions: Iterable[str]) -> None:
    """Raises ValueError for a reference to what is neither a lemma nor one of the assumptions, and for a cycle."""
    assumptions = set(assumptions)
    for lemma in lemmas.values():
        for name in lemma.uses:
            if name not in lemmas and name not in assumptions:
                raise ValueError(f"{lemma.key} uses {name}, which is neither a lemma nor an assumption")
    for key in lemmas:
        if circle := _circle(lemmas, key, ()):
            raise ValueError(f"circular proof: {' uses '.join(circle)}")


def _circle(lemmas: Mapping[str, Lemma], key: str, way: tuple[str, ...]) -> tuple[str, ...] | None:
    if key in way:
        return (*way[way.index(key) :], key)
    if key not in lemmas:
        return None
    for name in lemmas[key].uses:
        if circle := _circle(lemmas, name, (*way, key)):
            return circle
    return None


def chain(lemmas: Mapping[str, Lemma], key: str) -> list[Lemma]:
    """The links that a lemma or theorem depends on, its own last step first, without duplicates."""
    links: dict[str, Lemma] = {}
    todo = [key]
    while todo:
        one = todo.pop(0)
        if one in lemmas and one not in links:
            links[one] = lemmas[one]
            todo.extend(lemmas[one].uses)
    return list(links.values())


def link(lemma: Lemma, verdicts: Verdicts) -> Link:
    """The status of one lemma, from the verdicts of its checks."""
    return Link(lemma, _status(lemma, verdicts, False), _status(lemma, verdicts, True))


def _status(lemma: Lemma, verdicts: Verdicts, repaired: bool) -> Status:
    checks = [c for c in lemma.checks if not (repaired and c.expected == "violated")]
    pairs = [(c, verdicts[lemma.key, c.name]) for c in checks if (lemma.key, c.name) in verdicts]
    if any(v not in (c.expected, Verdict.INCONCLUSIVE) for c, v in pairs):
        return Status.BROKEN
    if any(c.shows == "statement" and c.expected == v == Verdict.VIOLATED for c, v in pairs):
        return Status.FALSE
    # Arithmetic never promotes a link. "Repaired" asks about the statement that replaces the printed one, and a link of
    # this project's has no printed one.
    own = repaired or lemma.own
    support = [c for c, v in pairs if c.expected == v == Verdict.HOLDS and c.shows != "arithmetic"]
    direct = [c for c in support if c.shows == "statement" and (own or c.form == "printed")]
    exact = any(not isinstance(c, MEASURED) for c in direct)
    if any(c.expected == v == Verdict.VIOLATED for c, v in pairs):
        return Status.PROOF_LINE if exact else Status.PROOF_TESTED if direct else Status.PROOF_WRONG
    if any(v == Verdict.INCONCLUSIVE for _, v in pairs):
        return Status.OPEN
    if len(pairs) < len(checks):
        return Status.UNMEASURED
    if not support:
        return Status.QUOTED if lemma.quoted else Status.ARITHMETIC if pairs else Status.UNCHECKED
    if exact:
        return Status.CERTIFIED
    return Status.TESTED if direct else Status.LINES


def behind(lemmas: Mapping[str, Lemma], kind: str, key: str) -> list[Lemma]:
    """The links behind a catalog entry: all of a paper's, the chain of a theorem, or one lemma; otherwise none."""
    if kind == "paper":
        return [x for x in lemmas.values() if x.paper.key == key]
    if kind == "theorem":
        return chain(lemmas, key)
    return [lemmas[key]] if key in lemmas else []

"""The dependency graph of a proof: which lemma uses which, the status of each link, and the weakest link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from theorems.lemma import MEASURED, Lemma
from workbench.evidence.verdicts import Verdict

Verdicts = Mapping[
    tuple[str, str], str
]  # (lemma key, check name) -> verdict; checks that were not made are absent


class Status(IntEnum):
    """The status of a link, weakest first."""

    BROKEN = 0  # a check contradicts the expectation of the record
    ERRATUM = 1  # false as printed; its repaired form holds
    OPEN = 2  # a check was inconclusive
    UNCHECKED = 3  # nothing was checked
    QUOTED = 4  # quoted from another paper, nothing was checked
    TESTED = 5  # no violation in runs
    CERTIFIED = 6  # every line exact, with certificates


WORDS = {
    Status.BROKEN: "not as recorded",
    Status.ERRATUM: "false as printed, repaired form holds",
    Status.OPEN: "not decided",
    Status.UNCHECKED: "not checked",
    Status.QUOTED: "quoted without proof",
    Status.TESTED: "tested on runs",
    Status.CERTIFIED: "certified",
}


@dataclass(frozen=True)
class Link:
    """A lemma with its status. repaired: its status when printed lines with an erratum are ignored."""

    lemma: Lemma
    status: Status
    repaired: Status

    @property
    def words(self) -> str:
        errata = sorted({c.erratum for c in self.lemma.checks if c.erratum and c.expected == "violated"})
        said = WORDS[self.status]
        return f"{said} ({', '.join(errata)})" if self.status == Status.ERRATUM and errata else said


def users(lemmas: Mapping[str, Lemma]) -> dict[str, tuple[str, ...]]:
    """Key -> keys of the lemmas that use it."""
    found: dict[str, list[str]] = {key: [] for key in lemmas}
    for lemma in lemmas.values():
        for used in lemma.uses:
            found.setdefault(used, []).append(lemma.key)
    return {key: tuple(sorted(by)) for key, by in found.items()}


def check_links(lemmas: Mapping[str, Lemma], known: Iterable[str]) -> None:
    """Raises ValueError for a reference to something unknown (neither a lemma nor in `known`) and for a cycle."""
    known = set(known)
    for lemma in lemmas.values():
        for used in lemma.uses:
            if used not in lemmas and used not in known:
                raise ValueError(f"{lemma.key} uses {used}, which is neither a lemma nor an assumption")
    for key in lemmas:
        if circle := _circle(lemmas, key, ()):
            raise ValueError(f"circular proof: {' uses '.join(circle)}")


def _circle(lemmas: Mapping[str, Lemma], key: str, way: tuple[str, ...]) -> tuple[str, ...] | None:
    if key in way:
        return (*way[way.index(key) :], key)
    if key not in lemmas:
        return None
    for used in lemmas[key].uses:
        if found := _circle(lemmas, used, (*way, key)):
            return found
    return None


def chain(lemmas: Mapping[str, Lemma], key: str) -> list[Lemma]:
    """The links that a lemma or theorem depends on, its own last step first, without duplicates."""
    found: dict[str, Lemma] = {}
    todo = [key]
    while todo:
        one = todo.pop(0)
        if one in lemmas and one not in found:
            found[one] = lemmas[one]
            todo.extend(lemmas[one].uses)
    return list(found.values())


def link(lemma: Lemma, verdicts: Verdicts) -> Link:
    """The status of one lemma, from the verdicts of its checks."""
    return Link(lemma, _status(lemma, verdicts, False), _status(lemma, verdicts, True))


def _status(lemma: Lemma, verdicts: Verdicts, repaired: bool) -> Status:
    checks = [c for c in lemma.checks if not (repaired and c.expected == "violated")]
    made = [(c, verdicts[lemma.key, c.name]) for c in checks if (lemma.key, c.name) in verdicts]
    if not made:
        return Status.QUOTED if lemma.quoted else Status.UNCHECKED
    if any(v not in (c.expected, Verdict.INCONCLUSIVE) for c, v in made):
        return Status.BROKEN
    if any(c.expected == "violated" and v == Verdict.VIOLATED for c, v in made):
        return Status.ERRATUM
    if any(v == Verdict.INCONCLUSIVE for _, v in made):
        return Status.OPEN
    return Status.TESTED if any(isinstance(c, MEASURED) for c, _ in made) else Status.CERTIFIED


def weakest(lemmas: Mapping[str, Lemma], key: str, verdicts: Verdicts) -> tuple[Link, Link] | None:
    """(weakest link as printed, weakest link as repaired) of a chain; None if no chain is recorded."""
    links = [link(lemma, verdicts) for lemma in chain(lemmas, key)]
    if not links:
        return None
    return min(links, key=lambda x: x.status), min(links, key=lambda x: x.repaired)


def sentence(lemmas: Mapping[str, Lemma], key: str, verdicts: Verdicts) -> str | None:
    """One sentence on the chain of a theorem for its readers; None if no chain is recorded."""
    found = weakest(lemmas, key, verdicts)
    if found is None:
        return None
    printed, repaired = found
    count = len(chain(lemmas, key))
    words = _said(printed) if printed.status == Status.UNCHECKED else printed.words
    text = f"{key}: chain of {count} links; weakest as printed: {printed.lemma.key}, {words}"
    if printed.status == Status.ERRATUM:
        text += f"; as repaired: {repaired.lemma.key}, {_said(repaired)}"
    return text


def _said(x: Link) -> str:
    """The repaired status in words; distinguishes a link without checks from one whose lines were not measured now."""
    if x.repaired == Status.UNCHECKED and x.lemma.checks:
        return "its lines are measured on runs that were not requested here (verify the paper)"
    return WORDS[x.repaired]


def behind(lemmas: Mapping[str, Lemma], kind: str, key: str) -> list[Lemma]:
    """The links behind a catalog entry: all of a paper's, the chain of a theorem, or one lemma; otherwise none."""
    if kind == "paper":
        return [x for x in lemmas.values() if x.paper.key == key]
    if kind == "theorem":
        return chain(lemmas, key)
    return [lemmas[key]] if key in lemmas else []

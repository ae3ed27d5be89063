"""The card of a theorem as data: one row for each thing that it says, and the answer to "is it right?" in four lines.

Rows carry what the answer is made of. Terminal, pages, paper and JSON print the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from workbench.evidence.verdicts import Verdict
from workbench.ledger.graph import WORDS, WRONG, Status
from workbench.theory.record import Case, Law
from workbench.verdicts.omissions import Reason


class Outcome(StrEnum):
    """What came out of one thing that a theorem says, the worst first.

    FAILS: a repaired form, or what else is not the paper's, does not hold; the paper's own statement is another row.
    """

    REFUTED = "refuted"
    FAILS = "repair fails"
    UNDECIDED = "not decided"
    UNMEASURED = "not measured"
    HOLDS = "holds"
    ATTAINED = "attained"


OUTCOMES = tuple(Outcome)
OPEN = (Outcome.UNDECIDED, Outcome.UNMEASURED)
OF_VERDICT = {
    Verdict.HOLDS: Outcome.HOLDS,
    Verdict.VIOLATED: Outcome.REFUTED,
    Verdict.INCONCLUSIVE: Outcome.UNDECIDED,
}


class About(StrEnum):
    """What a row is about. KIND: something that speaks of no power of T, as a linear rate."""

    RATE = "rate"
    KIND = "kind"
    LEVEL = "level"
    BOUND = "bound"
    WORST_CASE = "worst case"
    FROM_BOUND = "rate from the bound"
    PROOF = "proof"
    REPAIR = "proof as repaired"


def urgency(outcome: Outcome) -> int:
    """A key to sort by: what is refuted first, then what is not decided, then all else as it stands."""
    return min(OUTCOMES.index(outcome), OUTCOMES.index(Outcome.UNMEASURED))


def look(outcome: Outcome) -> str:
    """The verdict whose colour an outcome has."""
    if outcome == Outcome.ATTAINED:
        return str(Verdict.HOLDS)
    return str(next((v for v, o in OF_VERDICT.items() if o == outcome), Verdict.INCONCLUSIVE))


def plural(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"


@dataclass(frozen=True)
class Row:
    """One thing that a theorem says. subject: what, in words; fact: the deciding number, with horizon and runs.

    name: the subject in the answer. printed: it is a statement of the paper, and no repair or addition of this project.
    beyond: what else the answer says of it. is_exact_open: it holds as an upper bound, and whether it is attained is
    not judged. little: a bound that holds is so far above the runs that this says little. not_judged: reason -> titles
    of settings of it that are not judged. links: the status of each link of a proof. not_given: what is claimed and
    does not follow from the bound, or from that of a proof.
    """

    about: About
    subject: str
    outcome: Outcome
    fact: str
    name: str = ""
    printed: bool = True
    beyond: str = ""
    little: bool = False
    not_judged: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[Status, ...] = ()
    not_given: tuple[Case | Law, ...] = ()
    is_exact_open: bool = False

    @property
    def evidence(self) -> str:
        """What shows the outcome, and what is still to be said of it."""
        text = f"{self.fact}, which says little" if self.little else self.fact
        if self.not_judged:
            text += f"; not judged here: {', '.join(_settings(*item) for item in self.not_judged.items())}"
        if self.not_given and self.about == About.REPAIR:
            text += f"; the repaired bound, which it is about, does not give: {cases(self.not_given)}"
        return text

    @property
    def look(self) -> str:
        return look(self.outcome)

    @property
    def wrong(self) -> str:
        """ "3 of 24 links are wrong": those of a refuted proof; "at least 3" where some are not measured."""
        wrong = sum(s in WRONG for s in self.links)
        what = "wrong" if wrong else WORDS[Status.BROKEN]
        n = wrong or self.links.count(Status.BROKEN)
        least = "at least " if wrong and Status.UNMEASURED in self.links else ""
        return f"{least}{n} of {len(self.links)} links {'is' if n == 1 else 'are'} {what}"

    @property
    def certified(self) -> str:
        """How many links of a proof that holds are certified, tested on runs, which prove nothing, or quoted."""
        n, on_runs = self.links.count(Status.CERTIFIED), self.links.count(Status.TESTED)
        runs = f", {on_runs} tested on runs" if on_runs else ""
        quoted = self.links.count(Status.QUOTED)
        without = f", {quoted} quoted without proof" if quoted else ""
        of = f" ({n} of {plural(len(self.links), 'link')} certified{runs}{without})"
        return of if n and self.outcome == Outcome.HOLDS else ""

    def record(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "outcome": str(self.outcome),
            "evidence": self.evidence,
            "printed": self.printed,
        }


def _settings(reason: str, titles: Sequence[str]) -> str:
    """ "'IR-SCG on HC' (left out for want of runs)"; the first one, where there are several."""
    several = f"{len(titles)} settings, such as " if len(titles) > 1 else ""
    return f"{several}'{titles[0]}' ({reason})"


def cases(claimed: Iterable[Case | Law]) -> str:
    """Cases and laws by name, each once."""
    return "; ".join(dict.fromkeys(f"{'law: ' * isinstance(of, Law)}{of.name}" for of in claimed))


def _names(claimed: Iterable[Case | Law]) -> str:
    return "; ".join(dict.fromkeys(of.name for of in claimed))


def _in_words(bounds: Iterable[Row]) -> list[str]:
    """ "as printed, restated: never exceeded": forms of which the same is said together."""
    true = {Outcome.REFUTED: "false", Outcome.FAILS: "false", Outcome.HOLDS: "never exceeded"}
    names: dict[str, list[str]] = {}
    for r in bounds:
        says = f"{true.get(r.outcome, r.outcome)}{', which says little' * r.little}{r.beyond and f' ({r.beyond})'}"
        names.setdefault(says, []).append(r.name)
    return [f"{', '.join(mine)}: {says}" for says, mine in names.items()]


@dataclass(frozen=True)
class Card:
    """A theorem with the rows of its verdict.

    as_expected: none of its lines is a surprise. claims: its statement, where it has neither rate nor bound, so that no
    row says what is claimed.
    """

    key: str
    title: str
    source: str
    rows: tuple[Row, ...]
    as_expected: bool
    claims: str = ""

    @property
    def outcome(self) -> Outcome:
        """The worst row of what the paper itself says, its proof left out: a right theorem may have a wrong one."""
        return self._worst(False) or Outcome.UNMEASURED

    @property
    def proof(self) -> Outcome | None:
        """What came out of the proof as printed; None where no line of it is encoded."""
        return self._worst(True)

    @property
    def decisive(self) -> list[Row]:
        """Rows on what the paper says; all rows of a statement that is this project's throughout."""
        return [r for r in self.rows if r.printed] or list(self.rows)

    def _worst(self, of_proof: bool) -> Outcome | None:
        rows = [r.outcome for r in self.decisive if (r.printed and r.about == About.PROOF) == of_proof]
        return min(rows, key=OUTCOMES.index, default=None)

    @property
    def parts(self) -> list[Outcome | None]:
        """The worst row each of rate, level, bound, whether the rate follows from it, proof and its repaired form.

        Of what the paper says, but for the last; None where there is no row.
        """
        groups = (
            (About.RATE, About.KIND),
            (About.LEVEL,),
            (About.BOUND, About.WORST_CASE),
            (About.FROM_BOUND,),
            (About.PROOF,),
        )
        repair = next((r.outcome for r in self.rows if r.about == About.REPAIR), None)
        worst = [
            min((r.outcome for r in self._about(*group)), key=OUTCOMES.index, default=None)
            for group in groups
        ]
        return [*worst, repair]

    @property
    def look(self) -> str:
        return look(self.outcome)

    @property
    def answer(self) -> dict[str, str]:
        """Is it right? What is found of its "rate", "bound" and "proof", where there is a row of it; what is "open".

        "claims", for a theorem without rate and bound, is its statement; "curves" is what is found without a rate.
        """
        curves = "rate" if self._about(About.RATE) else "curves"
        parts = {
            "claims": [self.claims],
            curves: [self._of_rates, *self._of_others],
            "bound": [*self._of_bounds, *self._of_worst_cases],
            "proof": [self._of_proof],
        }
        words = {name: "; ".join(filter(None, texts)) for name, texts in parts.items()}
        return {name: text for name, text in words.items() if text} | {"open": self._open}

    def _about(self, *about: About) -> list[Row]:
        return [r for r in self.decisive if r.about in about]

    @property
    def _of_rates(self) -> str:
        words = {Outcome.HOLDS: ("holds as an upper bound", "hold as upper bounds")}
        names: dict[tuple[Outcome, str], list[str]] = {}
        for r in self._about(About.RATE):
            names.setdefault((r.outcome, r.beyond), []).append(r.name)
        rates = [
            f"{', '.join(mine)} {words.get(outcome, (outcome, outcome))[len(mine) > 1]}{beyond and f' ({beyond})'}"
            for (outcome, beyond), mine in names.items()
        ]
        return "; ".join(rates)

    @property
    def _of_worst_cases(self) -> list[str]:
        return [f"{r.subject}: {r.outcome}" for r in self._about(About.WORST_CASE)]

    @property
    def _of_others(self) -> list[str]:
        rows = self._about(About.KIND, About.LEVEL)
        if self.claims and rows and all(r.outcome == Outcome.HOLDS for r in rows):
            return ["no curve contradicts it"]
        return [f"{r.name or r.subject}: {r.outcome}{r.beyond and f' ({r.beyond})'}" for r in rows]

    @property
    def _of_bounds(self) -> list[str]:
        """Is the bound true, and does it give the claimed rate? Where the paper's is not, or does not: does another?"""
        others = [r for r in self.rows if r not in self.decisive]
        bounds = self._about(About.BOUND)
        derived = sorted(self._about(About.FROM_BOUND), key=lambda r: OUTCOMES.index(r.outcome))
        parts = _in_words(bounds)
        is_false = any(r.outcome == Outcome.REFUTED for r in bounds)
        gives = [f"{'would give' if is_false else 'gives'} the claimed rate"]
        if derived and derived[0].outcome == Outcome.REFUTED:
            gives = [f"does not give all claimed rates (missing: {_names(derived[0].not_given)})"]
            on_runs = {r.name for r in others if r.about == About.BOUND and r.outcome == Outcome.HOLDS}
            gives += [
                f"{r.name}: gives them{'' if on_runs & set(r.name.split(', ')) else ', compared with no run'}"
                for r in others
                if r.about == About.FROM_BOUND and r.outcome == Outcome.HOLDS
            ]
            gives += [
                f"{r.name}: does not give {_names(r.not_given)}"
                for r in others
                if r.about == About.FROM_BOUND and r.outcome == Outcome.FAILS and r.name == "repaired"
            ]
        if derived and derived[0].outcome in (Outcome.REFUTED, Outcome.HOLDS):
            parts = [*parts, *gives]
        return parts + _in_words([r for r in others if r.about == About.BOUND])

    @property
    def _of_proof(self) -> str:
        """Is the proof right, and if not, is the repaired one?"""
        proof = next(iter(self._about(About.PROOF)), None)
        if proof is None:
            return ""
        if proof.outcome != Outcome.REFUTED:
            is_right = proof.outcome == Outcome.HOLDS
            return f"{'no link is wrong' if is_right else proof.outcome}{proof.certified}"
        repair = next((r for r in self.rows if r.about == About.REPAIR), None)
        if repair is None:
            return proof.wrong
        words = {Outcome.HOLDS: "repaired", Outcome.FAILS: Outcome.FAILS}
        text = f"{proof.wrong}; {words.get(repair.outcome, f'repair {repair.outcome}')}{repair.certified}"
        misses = f"; its bound does not give: {_names(repair.not_given)}" if repair.not_given else ""
        return f"{text}{misses}"

    @property
    def _open(self) -> str:
        """What of the theorem is not decided or not measured, and how many settings; "nothing" where all is.

        Also claimed exponents that the repaired proof does not give, or, where there is none, no form of the bound.
        """
        rows = [r for r in self.decisive if r.about != About.PROOF]
        names = [r.subject for r in rows if r.outcome in OPEN]
        names += [f"whether {r.name} is attained" for r in rows if r.is_exact_open]
        no_proof = [of for r in self.rows if r.about == About.REPAIR for of in r.not_given]
        names += [f"what its proofs do not give ({_names(no_proof)})"] if no_proof else []
        derived = [r for r in self.rows if r.about == About.FROM_BOUND and not no_proof]
        by_none = [
            of for of in (derived[0].not_given if derived else ()) if all(of in r.not_given for r in derived)
        ]
        names += [f"what no form of the bound gives ({_names(by_none)})"] if by_none else []
        names += [
            r.subject for r in self.rows if r.about in (About.PROOF, About.REPAIR) and r.outcome in OPEN
        ]
        settings = sum(len(titles) for r in rows for titles in r.not_judged.values())
        against = sum(len(r.not_judged.get(str(Reason.PILOTS), ())) for r in rows)
        which = f" ({against} of them: pilot runs do not show what is claimed)" if against else ""
        text = ", ".join(names) or "nothing"
        return f"{text}; not judged: {plural(settings, 'setting')}{which}" if settings else text

    def record(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "key": self.key,
            "title": self.title,
            "source": self.source,
            "outcome": str(self.outcome),
            "proof": None if self.proof is None else str(self.proof),
            "as_expected": self.as_expected,
            "answer": self.answer,
            "rows": [row.record() for row in self.rows],
        }

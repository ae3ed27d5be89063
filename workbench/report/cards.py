"""Verdict cards: the answer to "is this theorem right?", one row for each thing that it says.

A card is data: terminal, pages and JSON print the same rows. A claim about another method, or about a step that is made
wrong on purpose, never fills a row.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Any

from workbench.claims.claims import Caught, Claim
from workbench.claims.kinds import Bounded, Kind, Limit
from workbench.claims.power import LOOSE
from workbench.claims.rate_of_bound import Exponent
from workbench.claims.readings import Level, Rate, Tight
from workbench.claims.worst_cases import WorstCase
from workbench.evidence.verdicts import Verdict
from workbench.ledger.graph import WORDS, WRONG, Status, Verdicts, chain, link
from workbench.report.wording import number, sentence, within
from workbench.run import catalog
from workbench.theory.lemma import Lemma
from workbench.theory.notation import power
from workbench.theory.record import Case, Form, Law, Theorem
from workbench.verdicts.omissions import Omission, Reason
from workbench.verdicts.verify import Line

PRINTED = "printed"  # the form of a bound as the paper has it
PROOF = "proof as printed"
REPAIRED = "proof as repaired"
BOUND = "bound"
FROM_BOUND = "rate from the bound"
NOT_GIVEN = "; the repaired bound, which it is about, does not give: "
NOT_JUDGED = "; not judged here: "
SAYS_LITTLE = ", which says little"
NOTHING = "no run is compared with it"
FASTER = 0.05  # of the exponents that a curve, whose claim is an upper bound, may be below it without a word
LONGEST = 40  # characters of an exponent that a row has room for


class Outcome(StrEnum):
    """What came out of one thing that a theorem says, the worst first."""

    REFUTED = "refuted"
    UNDECIDED = "not decided"
    UNMEASURED = "not measured"
    HOLDS = "holds"
    ATTAINED = "attained"


OUTCOMES = tuple(Outcome)


_OF_RATE = {Outcome.HOLDS: "holds as an upper bound"}


def _little(bound: Row) -> str:
    return ", says little" if bound.evidence.endswith(SAYS_LITTLE) else ""


def _certified(proof: Row) -> str:
    """How many links of a proof are certified: runs, which decide the others, prove nothing."""
    links = re.match(r"(\d+) links? \(certified: (\d+)", proof.evidence)
    return f" ({links[2]} of {links[1]} links certified)" if links and proof.outcome == Outcome.HOLDS else ""


def urgency(outcome: Outcome) -> int:
    """A key to sort by: what is refuted first, then what is not decided, then all else as it stands."""
    return min(OUTCOMES.index(outcome), OUTCOMES.index(Outcome.UNMEASURED))


_OF_VERDICT = {
    Verdict.HOLDS: Outcome.HOLDS,
    Verdict.VIOLATED: Outcome.REFUTED,
    Verdict.INCONCLUSIVE: Outcome.UNDECIDED,
}


def look(outcome: Outcome) -> str:
    """The verdict whose colour an outcome has."""
    if outcome == Outcome.ATTAINED:
        return str(Verdict.HOLDS)
    return str(next((v for v, o in _OF_VERDICT.items() if o == outcome), Verdict.INCONCLUSIVE))


@dataclass(frozen=True)
class Row:
    """One thing that a theorem says. subject: what, in words; evidence: the deciding number, with horizon and runs.

    printed: it is a statement of the paper, and no repair or addition of this project.
    """

    subject: str
    outcome: Outcome
    evidence: str
    printed: bool = True

    @property
    def look(self) -> str:
        return look(self.outcome)

    @property
    def is_proof(self) -> bool:
        return self.subject in (PROOF, "proof")

    @property
    def is_measured_rate(self) -> bool:
        """Whether it is about a rate along runs, and not about one that the bound gives."""
        return self.subject.startswith("rate ") and not self.subject.startswith(FROM_BOUND)

    def record(self) -> dict[str, Any]:
        return {
            "subject": self.subject,
            "outcome": str(self.outcome),
            "evidence": self.evidence,
            "printed": self.printed,
        }


@dataclass(frozen=True)
class Card:
    """A theorem with the rows of its verdict. as_expected: none of its lines is a surprise."""

    key: str
    title: str
    source: str
    rows: tuple[Row, ...]
    as_expected: bool

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
        rows = [r.outcome for r in self.decisive if (r.subject == PROOF) == of_proof]
        return min(rows, key=OUTCOMES.index, default=None)

    @property
    def look(self) -> str:
        return look(self.outcome)

    @property
    def answer(self) -> str:
        """Is it right? In one sentence: rates, other kinds, the bound, whether it gives the rates, the proof."""
        rows = self.decisive
        by_outcome: dict[Outcome, list[str]] = {}
        for r in rows:
            if r.is_measured_rate:
                by_outcome.setdefault(r.outcome, []).append(r.subject.removeprefix("rate "))
        rates = [f"{', '.join(names)} {_OF_RATE.get(o, o)}" for o, names in by_outcome.items()]
        others = [
            f"{r.subject.removesuffix(' that theory gives')}: {r.outcome}"
            for r in rows
            if not (r.is_measured_rate or r.is_proof or r.subject.startswith((FROM_BOUND, BOUND)))
        ]
        parts = [
            f"rate: {', '.join(rates)}" if rates else "",
            *others,
            self._of_bound,
            self._of_proof,
            self._open,
        ]
        text = "; ".join(part for part in parts if part)
        return text[:1].upper() + text[1:]

    @property
    def _of_bound(self) -> str:
        """Is the bound true, and does it give the claimed rate?"""
        bounds = [r for r in self.decisive if r.subject.startswith(BOUND)]
        derived = [r.outcome for r in self.decisive if r.subject.startswith(FROM_BOUND)]
        true = {Outcome.REFUTED: "false", Outcome.HOLDS: "never exceeded"}
        words = [f"{r.subject}: {true.get(r.outcome, r.outcome)}{_little(r)}" for r in bounds]
        gives = {Outcome.REFUTED: "does not give all claimed rates", Outcome.HOLDS: "gives the claimed rate"}
        if derived and (worst := min(derived, key=OUTCOMES.index)) in gives:
            words.append(gives[worst] if bounds else f"the bound {gives[worst]}")
        return ", ".join(words)

    @property
    def _of_proof(self) -> str:
        """Is the proof right, and if not, is the repaired one?"""
        proof = next((r for r in self.decisive if r.is_proof), None)
        if proof is None:
            return ""
        if proof.outcome != Outcome.REFUTED:
            is_right = proof.outcome == Outcome.HOLDS
            return f"proof: {'no link is wrong' if is_right else proof.outcome}{_certified(proof)}"
        text = f"proof: {proof.evidence.partition(',')[0]}"
        repair = next((r for r in self.rows if r.subject == REPAIRED), None)
        if repair is None:
            return text
        text += ", repaired" if repair.outcome == Outcome.HOLDS else f", repair {repair.outcome}"
        text += _certified(repair)
        without = repair.evidence.partition(NOT_GIVEN)[2].replace("law: ", "")
        return f"{text} for a bound that does not give {without}" if without else text

    @property
    def _open(self) -> str:
        """What of the statement is not decided or not measured, and how many settings; "" for nothing."""
        rows = [r for r in self.decisive if not r.is_proof]
        names = [r.subject for r in rows if r.outcome in (Outcome.UNDECIDED, Outcome.UNMEASURED)]
        others = (r.evidence.partition(NOT_JUDGED)[2] for r in rows)
        settings = sum(int(n) for text in others for n in re.findall(r"(\d+) settings? \(", text))
        if settings:
            names.append(f"{settings} setting{'s' * (settings > 1)}")
        return f"open: {', '.join(names)}" if names else ""

    def record(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "key": self.key,
            "title": self.title,
            "source": self.source,
            "outcome": str(self.outcome),
            "proof": None if self.proof is None else str(self.proof),
            "as_expected": self.as_expected,
            "rows": [row.record() for row in self.rows],
        }


def cards(
    lines: Iterable[Line],
    theorems: Mapping[str, Theorem],
    lemmas: Mapping[str, Lemma],
    verdicts: Verdicts,
    left_out: Iterable[Omission] = (),
) -> list[Card]:
    """The cards of the theorems that some lines are about, refuted and undecided ones first.

    verdicts: of the checks of lemmas. left_out: claims that this call does not judge; a row that only they would fill
    is "not measured", with their reason.
    """
    lines, left_out = list(lines), list(left_out)
    keys = [key for key in dict.fromkeys(line.claim.key for line in lines) if key in theorems]
    results = [
        _card(
            theorems[key],
            [x for x in lines if x.claim.key == key],
            lemmas,
            verdicts,
            [o for o in left_out if o.claim.key == key],
        )
        for key in keys
    ]
    return sorted(results, key=lambda c: (urgency(c.outcome), urgency(c.proof or Outcome.HOLDS)))


def of_lines(lines: Iterable[Line], verdicts: Verdicts, left_out: Iterable[Omission] = ()) -> list[Card]:
    """`cards` of the theorems and lemmas in the catalog."""
    return cards(lines, catalog.theorems(), catalog.lemmas(), verdicts, left_out)


def _card(
    theorem: Theorem,
    lines: Sequence[Line],
    lemmas: Mapping[str, Lemma],
    verdicts: Verdicts,
    left_out: Sequence[Omission],
) -> Card:
    own = [line for line in lines if about_the_method(line.claim, theorem)]
    omissions = [o for o in left_out if about_the_method(o.claim, theorem)]
    rows = [
        *_rates(theorem, own, omissions),
        *_kinds(own, omissions),
        *_levels(own, omissions),
        *_bounds(theorem, own, omissions),
        *_worst_cases(own, omissions),
        *_exponents(theorem, own),
        *_proof(theorem, lemmas, verdicts, _not_given(theorem, own)),
    ]
    if any(r.subject == f"{BOUND} as printed" and r.outcome == Outcome.REFUTED for r in rows):
        rows = [_from_a_false_bound(row) for row in rows]
    if is_own(theorem):
        rows = [replace(row, printed=False) for row in rows]
    rows.sort(key=lambda row: (not row.printed, urgency(row.outcome)))
    return Card(theorem.key, theorem.title, theorem.source, tuple(rows), all(x.as_expected for x in lines))


def _from_a_false_bound(row: Row) -> Row:
    """With a word on a printed bound that gives the right exponent and is exceeded all the same."""
    gives = (
        row.subject.startswith(FROM_BOUND) and _as(PRINTED) in row.subject and row.outcome == Outcome.HOLDS
    )
    return replace(row, evidence=f"{row.evidence}; the printed bound itself is exceeded") if gives else row


def is_own(theorem: Theorem) -> bool:
    """Whether it is a statement of this project throughout."""
    return "/own-" in theorem.key or (bool(theorem.forms) and all(form.own for form in theorem.forms))


def of_paper(form: Form) -> bool:
    """Whether a form of a bound is the paper's: as printed, or as it is restated elsewhere in the paper."""
    return form.name == PRINTED or not (form.own or form.repairs or form.name == "repaired")


def about_the_method(claim: Claim, theorem: Theorem) -> bool:
    """Whether a claim is about the theorem's own method, and not about another or one that is wrong on purpose."""
    if isinstance(claim, Caught):
        return False
    reading = getattr(claim, "reading", None)
    simulation = getattr(claim, "sim", None) or getattr(reading, "sim", None)
    if simulation is None:
        return True
    is_another = bool(theorem.method) and simulation.algorithm != theorem.method
    return not is_another and simulation.kind != "falsifier" and simulation.mutation is None


# ------------------------------------------------------------------------------------------------------ curves


def _rates(theorem: Theorem, lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each case or law in which a rate is claimed."""
    claimed: tuple[Case | Law, ...] = (*theorem.cases, *theorem.laws)
    for of in claimed:

        def is_of(claim: Claim, name: str = name_of(of)) -> bool:
            source = claim.reading.claimed.source if isinstance(claim, Rate | Tight) else ""
            return source == name or source.startswith(f"{name}, term ")

        mine = [x for x in lines if is_of(x.claim)]
        others = [o for o in omissions if is_of(o.claim)]
        if mine or others:
            row = _curve(f"rate{_of_case(of, theorem)}", mine, others, not of.claimed.is_number)
            yield replace(row, printed=not _is_added(of))


def name_of(of: Case | Law) -> str:
    """As in `workbench.claims.claimed_exponents.Claimed`."""
    return f"{'law' if isinstance(of, Law) else 'case'} {of.name}"


def _of_case(of: Case | Law, theorem: Theorem) -> str:
    """ " T^-1/4, no noise" """
    power = str(of.claimed).replace("**", "^").replace(" ", "").replace("Max(", "max(").replace("*", " ")
    exponent = power if power.lstrip("-").replace("/", "").isalnum() else f"({power})"
    several = len(theorem.cases) + len(theorem.laws) > 1
    name = f" ({of.name})" if several and of.name != "rate" else ""
    return f" {of.variable}^{exponent}{name}" if len(power) <= LONGEST else f" by law{name}"


def _levels(lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    mine = [x for x in lines if isinstance(x.claim, Level)]
    others = [o for o in omissions if isinstance(o.claim, Level)]
    if mine or others:
        yield _curve("level that theory gives", mine, others)


def _kinds(lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each kind of claim that speaks of no power of T, as a linear rate, with the line that decides."""
    claims = [*(x.claim for x in lines), *(o.claim for o in omissions)]
    for subject in dict.fromkeys(_kind(c) for c in claims if isinstance(c, Kind)):
        mine = [x for x in lines if isinstance(x.claim, Kind) and _kind(x.claim) == subject]
        if not mine:
            others = [o for o in omissions if isinstance(o.claim, Kind) and _kind(o.claim) == subject]
            yield Row(subject, Outcome.UNMEASURED, _reasons(others))
            continue
        worst = min(mine, key=lambda x: OUTCOMES.index(_OF_VERDICT[x.decision.verdict]))
        count = sum(x.decision.verdict == worst.decision.verdict for x in mine)
        of = f"in {count} of {len(mine)} lines, such as " if len(mine) > 1 else ""
        why = worst.decision.decides if worst.decision.verdict == Verdict.INCONCLUSIVE else ""
        to_decide = f"; to decide: {why}" if why else ""
        yield Row(subject, _OF_VERDICT[worst.decision.verdict], f"{of}{sentence(worst)}{to_decide}")


def _kind(claim: Claim) -> str:
    """What a claim that speaks of no power of T says, in two words."""
    if isinstance(claim, Bounded | Limit) and claim.reverse:
        return "divergence" if isinstance(claim, Bounded) else "misses the limit"
    return {"geometric": "linear rate", "bounded": "bounded", "limit": "limit", "logarithm": "logarithms"}[
        claim.evidence
    ]


def _reasons(omissions: Sequence[Omission]) -> str:
    """Why something is not measured: the first reason in full, and how many there are in all."""
    if not omissions:
        return NOTHING
    first = next((o for o in omissions if o.reason != Reason.SHORTER), omissions[0])
    more = f", and {len(omissions) - 1} more" if len(omissions) > 1 else ""
    return f"{first.why}{more}"


def _curve(
    subject: str, lines: Sequence[Line], omissions: Sequence[Omission], by_setting: bool = False
) -> Row:
    """What all settings of one claim show together, with the number of the sharpest line of those that decide.

    omissions: settings that this call does not judge. by_setting: each has a claimed exponent of its own, which the
    subject does not show.
    """
    if not lines:
        return Row(subject, Outcome.UNMEASURED, _reasons(omissions))
    settings = [_of_setting(list(group)) for _, group in groupby(sorted(lines, key=_setting), _setting)]
    outcomes = [outcome for outcome, _ in settings]
    bad = [o for o in (Outcome.REFUTED, Outcome.UNDECIDED) if o in outcomes]
    outcome = bad[0] if bad else max(outcomes, key=OUTCOMES.index)
    sharpest = min((line for o, line in settings if o == outcome), key=error_noticed)
    others = ", ".join(_count(outcomes.count(o), o) for o in OUTCOMES if o != outcome and o in outcomes)
    count = (
        f"in {outcomes.count(outcome)} of {len(settings)} settings"
        if others
        else f"in {len(settings)} settings"
    )
    before = f"{count}{f' ({others})' if others else ''}, such as " if len(settings) > 1 else ""
    return Row(subject, outcome, before + _number(sharpest, by_setting) + _not_judged(lines, omissions))


def _not_judged(lines: Sequence[Line], omissions: Sequence[Omission]) -> str:
    """ "; not judged here: 2 settings (left out for want of runs)", of settings without any line."""
    with_line = {_setting_of(line.claim) for line in lines}
    others = {_setting_of(o.claim): o.reason for o in omissions if o.reason != Reason.SHORTER}
    others = {setting: reason for setting, reason in others.items() if setting not in with_line}
    if not others:
        return ""
    counts = [f"{n} setting{'s' * (n > 1)} ({reason})" for reason, n in Counter(others.values()).items()]
    return f"{NOT_JUDGED}{', '.join(counts)}"


def _count(n: int, outcome: Outcome) -> str:
    """ "1 holds", "2 hold", "2 not decided" """
    return f"{n} {'hold' if outcome == Outcome.HOLDS and n > 1 else outcome}"


def _setting(line: Line) -> tuple[str, ...]:
    return _setting_of(line.claim)


def _setting_of(claim: Claim) -> tuple[str, ...]:
    """What distinguishes one curve from another: rate and exact exponent of a curve are one setting."""
    return (*claim.needs, *getattr(getattr(claim, "reading", None), "parts", claim.parts))


def _of_setting(lines: Sequence[Line]) -> tuple[Outcome, Line]:
    """The outcome on one curve: attained if the exact exponent or level holds, else as the one-sided claim says."""
    by_outcome = {_of_line(x): x for x in lines}
    if Outcome.REFUTED in by_outcome:
        return Outcome.REFUTED, by_outcome[Outcome.REFUTED]
    best = max(by_outcome, key=OUTCOMES.index)
    return best, by_outcome[best]


def _of_line(line: Line) -> Outcome:
    """What one line says of a rate, which is an upper bound: a curve that falls faster does not refute it."""
    verdict, f = line.decision.verdict, line.decision.finding
    if line.void or (isinstance(line.claim, Tight) and verdict == Verdict.VIOLATED and f.value < f.claimed):
        return Outcome.UNDECIDED
    if verdict == Verdict.HOLDS and isinstance(line.claim, Tight | Level):
        return Outcome.ATTAINED
    return _OF_VERDICT[verdict]


def error_noticed(line: Line) -> float:
    """The smallest error of the claim that this line would have noticed; none if it could not fail."""
    error = line.decision.sensitivity
    return math.inf if line.void or math.isnan(error) else float(error)


def _number(line: Line, with_claim: bool) -> str:
    """ "slope -0.2495 [-0.251, -0.248], claimed -1/4, at T = 1e6, 128 runs" """
    d, f = line.decision, line.decision.finding
    name = "ratio to theory" if isinstance(line.claim, Level) else "slope"
    interval = "" if f.exact or d.low == d.high else f" [{number(d.low)}, {number(d.high)}]"
    value = f"{name} {number(f.value)}{interval}" if math.isfinite(f.value) else f.note
    claimed = f", claimed {power(f.claimed)}" if with_claim and math.isfinite(f.claimed) else ""
    horizon = f" at T = {number(f.horizon)}" if math.isfinite(f.horizon) else ""
    runs = f", {f.runs} runs" if f.runs else ""
    runs += ", deterministic" * ("all runs are identical" in f.note)
    why = f"; to decide: {d.decides}" if d.verdict == Verdict.INCONCLUSIVE and d.decides else ""
    is_faster = isinstance(line.claim, Rate) and d.verdict == Verdict.HOLDS and d.high < f.claimed - FASTER
    return f"{value}{claimed}{within(line)}{horizon}{runs}{', faster than claimed' * is_faster}{why}"


# ------------------------------------------------------------------------------------------------------ bounds


def _bounds(theorem: Theorem, lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each form of the bound, also for a printed one beside which no run stands where others have runs."""
    claims = [*(x.claim for x in lines), *(o.claim for o in omissions)]
    has_runs = any(_is_of_form(claim, form) for claim in claims for form in theorem.forms)
    for form in theorem.forms:
        mine = [x for x in lines if _is_of_form(x.claim, form)]
        others = [o for o in omissions if _is_of_form(o.claim, form)]
        if mine or others or (has_runs and form.name == PRINTED):
            yield _bound(form.name, mine, of_paper(form), others)


def _is_of_form(claim: Claim, form: Form) -> bool:
    """Whether it compares runs with this form of the bound, and not with another constant of its chain."""
    bound = claim.bound
    return bound is not None and bound.form == form.name and not bound.of


def _bound(form: str, lines: Sequence[Line], printed: bool, omissions: Sequence[Omission]) -> Row:
    subject = f"{BOUND}, {form}" if form != PRINTED else f"{BOUND} as printed"
    if not lines:
        return Row(subject, Outcome.UNMEASURED, _reasons(omissions), printed)
    outcome = min((_OF_VERDICT[x.decision.verdict] for x in lines), key=OUTCOMES.index)
    with_slack = [x for x in lines if math.isfinite(r := float(x.decision.finding.slack)) and r > 0]
    horizon = max(x.decision.finding.horizon for x in lines)
    up_to = f" up to T = {number(horizon)}" if math.isfinite(horizon) else ""
    runs = f", {max(x.decision.finding.runs for x in lines)} runs"
    nearest = min(with_slack, key=lambda x: x.decision.finding.slack, default=None)
    slack = nearest.decision.finding.slack if nearest else math.nan
    where = f" ({nearest.claim.experiment.partition(';')[0]})" if nearest and len(lines) > 1 else ""
    if outcome == Outcome.REFUTED:
        evidence = f"exceeded by a factor {number(1 / slack, 3)}{where}" if slack < 1 else "exceeded"
    elif outcome == Outcome.HOLDS:
        little = SAYS_LITTLE if slack >= LOOSE else ""
        more = f"; smallest slack {number(slack, 2)}{where}{little}" if math.isfinite(slack) else ""
        return Row(subject, outcome, f"never exceeded{up_to}{runs}{more}", printed)
    else:
        open_lines = [x for x in lines if x.decision.verdict == Verdict.INCONCLUSIVE]
        why = next((x.decision.decides for x in open_lines if x.decision.decides), "")
        evidence = f"{len(open_lines)} of {len(lines)} settings open" + (f"; to decide: {why}" if why else "")
    return Row(subject, outcome, f"{evidence}{up_to}{runs}", printed)


def _worst_cases(lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each class: does the bound cover the worst case, and can its constant be improved?"""
    for line in lines:
        if isinstance(line.claim, WorstCase):
            printed = line.claim.form == PRINTED
            subject = f"worst case, {line.claim.experiment.rpartition(';')[0]}"
            yield Row(subject, _OF_VERDICT[line.decision.verdict], line.decision.finding.note, printed)
    for o in omissions:
        if isinstance(o.claim, WorstCase):
            yield Row(
                f"worst case, {o.claim.experiment.rpartition(';')[0]}", Outcome.UNMEASURED, _reasons([o])
            )


def _exponents(theorem: Theorem, lines: Sequence[Line]) -> Iterator[Row]:
    """Do the claimed rates follow from the bound? One row for each form; a single one for forms from which all do.

    A rate that this project adds need not follow from forms other than those that it is added for.
    """
    follows = {_of(x.claim) for x in lines if x.decision.verdict == Verdict.HOLDS}
    lines = [x for x in lines if _of(x.claim) not in follows or _holds(x) or not _is_about_added(x.claim)]
    by_form = {
        form.name: [x for x in lines if isinstance(x.claim, Exponent) and x.claim.form.name == form.name]
        for form in theorem.forms
    }
    by_form = {form: mine for form, mine in by_form.items() if mine}
    printed = {form.name for form in theorem.forms if of_paper(form)}
    sound = [form for form, mine in by_form.items() if _all_hold(mine)]
    for form, mine in by_form.items():
        if form not in sound:
            yield _derived(f"{FROM_BOUND} ({_as(form)})", mine, form in printed)
    if sound:
        subject = f"{FROM_BOUND} ({', '.join(map(_as, sound))})"
        yield _derived(subject, [x for form in sound for x in by_form[form]], bool(printed & set(sound)))


def _of(claim: Claim) -> str:
    """The case or law of an exponent that a bound gives; "" for other claims."""
    return name_of(claim.of) if isinstance(claim, Exponent) else ""


def _is_added(of: Case | Law) -> bool:
    """Whether it is a rate that this project adds to those of the paper."""
    return of.source.startswith("this project")


def _is_about_added(claim: Claim) -> bool:
    return isinstance(claim, Exponent) and _is_added(claim.of)


def _as(form: str) -> str:
    return "as printed" if form == PRINTED else form


def _holds(line: Line) -> bool:
    return line.decision.verdict == Verdict.HOLDS


def _all_hold(lines: Iterable[Line]) -> bool:
    return all(map(_holds, lines))


def _derived(subject: str, lines: Sequence[Line], printed: bool) -> Row:
    wrong = [x for x in lines if x.decision.verdict == Verdict.VIOLATED]
    undecided = [x for x in lines if x.decision.verdict == Verdict.INCONCLUSIVE]
    if wrong:
        first = wrong[0]
        f, note = first.decision.finding, first.claim.note.partition(";")[0].partition(". ")[0].rstrip(".")
        variable = first.claim.of.variable if isinstance(first.claim, Exponent) else "T"
        decays = math.isfinite(f.value)
        gives = f"the bound gives {variable}^{power(f.value)}" if decays else "the bound does not decay"
        erratum = f" ({note})" if note else ""
        point = f" at {where[1]}" if (where := re.search(r"shown at ([^;]+)", f.note)) else ""
        evidence = f"{gives} where {variable}^{power(f.claimed)} is claimed{point}{erratum}"
        if len(lines) > 1:
            first_of = "; in the first" if len(wrong) > 1 else ":"
            right = [x for x in lines if x not in wrong]
            follows = f"; it follows in: {_cases(right)}" if right else ""
            evidence = (
                f"fails in {len(wrong)} of {len(lines)} cases ({_cases(wrong)}){first_of} {evidence}{follows}"
            )
        return Row(subject, Outcome.REFUTED, evidence, printed)
    if undecided:
        return Row(subject, Outcome.UNDECIDED, f"{len(undecided)} of {len(lines)} cases are open", printed)
    return Row(subject, Outcome.HOLDS, "what is claimed follows exactly", printed)


# ------------------------------------------------------------------------------------------------------ proof


def _cases(lines: Sequence[Line]) -> str:
    """The cases or laws of exponents, by name."""
    return "; ".join(dict.fromkeys(x.claim.experiment.partition(", ")[2] for x in lines))


def _not_given(theorem: Theorem, lines: Sequence[Line]) -> str:
    """What a proof as repaired does not prove: the claimed exponents that no repaired bound gives; or ""."""
    repaired = {form.name for form in theorem.forms if not of_paper(form)}
    mine = [x for x in lines if isinstance(x.claim, Exponent) and x.claim.form.name in repaired]
    follows = {_of(x.claim) for x in mine if _holds(x)}
    wrong = [x for x in mine if x.decision.verdict == Verdict.VIOLATED and _of(x.claim) not in follows]
    return f"{NOT_GIVEN}{_cases(wrong)}" if wrong else ""


def _proof(
    theorem: Theorem, lemmas: Mapping[str, Lemma], verdicts: Verdicts, besides: str = ""
) -> Iterator[Row]:
    """Two rows: the proof as printed, and as repaired where the printed one is wrong. besides: words on the second.

    A statement of this project has no printed proof.
    """
    links = [link(lemma, verdicts) for lemma in chain(lemmas, theorem.key)]
    if not links:
        return
    wrong = [x for x in links if x.status in WRONG]
    if is_own(theorem):
        yield Row("proof", *_proof_as([x.repaired for x in links]))
        return
    if not wrong:
        yield Row(PROOF, *_proof_as([x.status for x in links]))
        return
    first = wrong[-1]  # a chain begins with its last step
    where, why = first.lemma.source.partition(",")[0], first.words.partition(";")[0]
    where = f"'{first.lemma.title}' ({where})" if re.match(r"L\d", where) else where
    are = "is" if len(wrong) == 1 else "are"
    evidence = f"{len(wrong)} of {len(links)} links {are} wrong, first {where}: {why}"
    yield Row(PROOF, Outcome.REFUTED, evidence)
    outcome, evidence = _proof_as([x.repaired for x in links])
    yield Row(REPAIRED, outcome, evidence + besides, printed=False)


def _proof_as(statuses: Sequence[Status]) -> tuple[Outcome, str]:
    """The outcome of a proof, and how many links have each status, the strongest first."""
    counts = "; ".join(f"{WORDS[s]}: {statuses.count(s)}" for s in sorted(set(statuses), reverse=True))
    if Status.BROKEN in statuses:
        outcome = Outcome.REFUTED
    elif any(s in (Status.OPEN, Status.UNCHECKED, *WRONG) for s in statuses):
        outcome = Outcome.UNDECIDED
    else:
        outcome = Outcome.UNMEASURED if Status.UNMEASURED in statuses else Outcome.HOLDS
    return outcome, f"{len(statuses)} links ({counts})"

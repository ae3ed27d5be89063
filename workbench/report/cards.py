"""From lines to verdict cards: which lines fill which row, and what the row says.

A claim about another method, or about a step that is made wrong on purpose, never fills a row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from sympy import Symbol

from workbench.claims.claims import Caught, Claim, Custom
from workbench.claims.kinds import Bounded, Kind, Limit
from workbench.claims.power import LOOSE
from workbench.claims.rate_of_bound import Exponent
from workbench.claims.readings import Level, Rate, Tight
from workbench.claims.worst_cases import WorstCase
from workbench.evidence.verdicts import Verdict
from workbench.homes.keys import Key
from workbench.ledger.graph import WORDS, WRONG, Status, Verdicts, chain, link
from workbench.ledger.unicode_text import plain
from workbench.report.card import OF_VERDICT, OUTCOMES, About, Card, Outcome, Row, cases, plural, urgency
from workbench.report.quantities import for_readers
from workbench.report.wording import number, sentence, within
from workbench.run import catalog
from workbench.theory.lemma import Lemma
from workbench.theory.notation import power
from workbench.theory.record import Case, Form, Law, Theorem
from workbench.verdicts.omissions import Omission, Reason
from workbench.verdicts.verify import Line

PRINTED = "printed"  # the form of a bound as the paper has it
PLAIN = ("repaired", "restated", "own")  # names of forms that say what they are
PROOF = "proof as printed"
OTHERS = "other curves"
USUAL, WIDE = 0.03, 0.05  # tolerances: of exponents and levels; one that the answer names
EXPONENTS = "other exponents"
NOTHING = "no run is compared with it"
FASTER = 0.05  # of the exponents that a curve, whose claim is an upper bound, may be below it without a word
LONGEST = 70  # characters of an exponent that a row has room for
FEW = 3  # lines of one row that are all shown


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
    rates = [*_rates(theorem, own, omissions), *_kinds(theorem, own, omissions)]
    if not any(row.about == About.RATE for row in rates) and _derivations(own):
        reason = _reasons([o for o in omissions if isinstance(o.claim, Rate | Tight)])
        rates = [Row(About.RATE, "rate along runs", Outcome.UNMEASURED, reason, "along runs"), *rates]
    rows = [
        *rates,
        *_levels(own, omissions),
        *_bounds(theorem, own, omissions),
        *_worst_cases(own, omissions),
        *_exponents(theorem, own),
        *_proof(theorem, lemmas, verdicts, _not_given(theorem, own)),
    ]
    rows = [replace(row, printed=False) if is_own(theorem) else _beside_the_paper(row) for row in rows]
    rows.sort(key=lambda row: (not row.printed, urgency(row.outcome)))
    as_expected = all(x.as_expected for x in lines)
    claims = (
        "" if theorem.cases or theorem.laws or theorem.forms else _without_braces(plain(theorem.statement))
    )
    return Card(theorem.key, theorem.title, theorem.source, tuple(rows), as_expected, claims)


def _without_braces(sentence: str) -> str:
    """ "F_opt" for "F_{opt}", without the full stop."""
    return re.sub(r"_\{(\w+)\}", r"_\1", sentence).rstrip(".")


def _beside_the_paper(row: Row) -> Row:
    """The row; where it is none of the paper's, what does not hold has a word of its own."""
    fails = row.outcome == Outcome.REFUTED and not row.printed
    return replace(row, outcome=Outcome.FAILS) if fails else row


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
    reading = getattr(claim, "reading", None) or next(iter(getattr(claim, "readings", ())), None)
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
            name = _of_case(of, theorem)
            subject = f"rate {name}{', of this project' * _is_added(of)}"
            row = _curve(About.RATE, subject, name, mine, others, not of.claimed.is_number)
            yield replace(row, printed=not _is_added(of))


def name_of(of: Case | Law) -> str:
    """As in `workbench.claims.claimed_exponents.Claimed`."""
    return f"{'law' if isinstance(of, Law) else 'case'} {of.name}"


def _of_case(of: Case | Law, theorem: Theorem) -> str:
    """ "T^-1/4 (no noise)" """
    power = str(of.claimed).replace("**", "^").replace(" ", "").replace("Max(", "max(").replace("*", " ")
    is_plain = power.lstrip("-").replace("/", "").isalnum() and ("/" not in power or power[0] == "-")
    exponent = power if is_plain else f"({power})"  # T^2/3 is something else
    several = len(theorem.cases) + len(theorem.laws) > 1
    name = f" ({of.name})" if several and of.name != "rate" else ""
    return f"{of.variable}^{exponent}{name}" if len(power) <= LONGEST else f"by law{name}"


def _levels(lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    mine = [x for x in lines if isinstance(x.claim, Level)]
    others = [o for o in omissions if isinstance(o.claim, Level)]
    if mine or others:
        yield _curve(About.LEVEL, "level that theory gives", "predicted level", mine, others)


def _kinds(theorem: Theorem, lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each kind of claim that speaks of no power of T, as a linear rate, with the line that decides.

    Also for curves of which a function of the paper's says what is claimed, where the theorem claims no power of T.
    """
    claims = [*(x.claim for x in lines), *(o.claim for o in omissions)]
    has_rates = bool(theorem.cases or theorem.laws)
    for subject in dict.fromkeys(map(_kind, claims)):
        if not subject or (has_rates and subject == OTHERS):
            continue
        mine = [x for x in lines if _kind(x.claim) == subject]
        if not mine:
            others = [o for o in omissions if _kind(o.claim) == subject]
            yield Row(About.KIND, subject, Outcome.UNMEASURED, _reasons(others))
            continue
        worst = min(mine, key=lambda x: OUTCOMES.index(OF_VERDICT[x.decision.verdict]))
        alike = [x for x in mine if x.decision.verdict == worst.decision.verdict]
        of = f"in {len(alike)} of {len(mine)} lines" if len(mine) > 1 else ""
        examples = alike if len(alike) <= FEW else [worst]
        such_as = f"{of}{', such as ' if len(examples) < len(alike) else ': '}" if of else ""
        title = worst.claim.experiment if has_rates or subject == OTHERS else ""
        facts = (f"{title and f'{x.claim.experiment}: '}{sentence(x)}{_to_decide(x)}" for x in examples)
        has_name = has_rates and subject not in (OTHERS, EXPONENTS)
        name = f"{subject} of '{_without_values(title)}'" if has_name else ""
        yield Row(About.KIND, subject, OF_VERDICT[worst.decision.verdict], such_as + " | ".join(facts), name)


def _to_decide(line: Line) -> str:
    """ "; to decide: 700 runs", of a line that is open."""
    d = line.decision
    return f"; to decide: {d.decides}" if d.verdict == Verdict.INCONCLUSIVE and d.decides else ""


def _kind(claim: Claim) -> str:
    """What a claim that speaks of no power of T says, in two words; "" for other claims."""
    if isinstance(claim, Custom) and claim.evidence in ("rate", "tight"):
        return OTHERS
    if claim.evidence == "scaling":
        return EXPONENTS
    if not isinstance(claim, Kind):
        return ""
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
    n = len(omissions) - 1
    more = f"; {plural(n, 'more claim')} {'is' if n == 1 else 'are'} not judged either" if n else ""
    return f"{first.why}{more}"


def _curve(
    about: About,
    subject: str,
    name: str,
    lines: Sequence[Line],
    omissions: Sequence[Omission],
    by_setting: bool = False,
) -> Row:
    """What all settings of one claim show together, with the number of the sharpest line of those that decide.

    What the theorem's own quantity shows counts before curves of its parts, as |y - y*|, which can only speak against
    it. omissions: settings that this call does not judge. by_setting: each has a claimed exponent of its own, which the
    subject does not show.
    """
    if not lines:
        against = any(o.reason == Reason.PILOTS for o in omissions)
        beyond = "pilot runs do not show it" if against else ""
        return Row(about, subject, Outcome.UNMEASURED, _reasons(omissions), name, beyond=beyond)
    every = [_of_setting(list(group)) for _, group in groupby(sorted(lines, key=_setting), _setting)]
    own = [(o, line) for o, line in every if not _of_quantity(line)] if about == About.RATE else []
    bad = [o for o in (Outcome.REFUTED, Outcome.UNDECIDED) if o in [outcome for outcome, _ in every]]
    outcome = bad[0] if bad else max((o for o, _ in own or every), key=OUTCOMES.index)
    settings = own if any(o == outcome for o, _ in own) else every
    outcomes = [o for o, _ in settings]
    sharpest = min((line for o, line in settings if o == outcome), key=as_an_example)
    others = ", ".join(_count(outcomes.count(o), o) for o in OUTCOMES if o != outcome and o in outcomes)
    count = (
        f"in {outcomes.count(outcome)} of {len(settings)} settings"
        if others
        else f"in {len(settings)} settings"
    )
    before = f"{count}{f' ({others})' if others else ''}, such as " if len(settings) > 1 else ""
    parts = [o for o, _ in every] if settings is own else []
    of_parts = _of_parts(parts.count(outcome) - outcomes.count(outcome), len(parts) - len(settings))
    not_judged = _not_judged(lines, omissions)
    title = f"'{_title(sharpest, not_judged)}': " if not_judged or others else ""
    fact = before + title + _of_quantity(sharpest) + _number(sharpest, by_setting)
    fact += of_parts and f"; {of_parts}"
    remarks = [_beyond(sharpest) or _factor(sharpest.claim)]
    too_fast = next((x for x in lines if _is_too_fast(x) and not (own and _of_quantity(x))), None)
    if outcome == Outcome.HOLDS and too_fast:
        remarks = [_factor(sharpest.claim), f"not attained: {_below(too_fast)}"]
    widest = max(line.decision.finding.tolerance for o, line in settings if o == outcome)
    if outcome == Outcome.ATTAINED and widest > sharpest.decision.finding.tolerance:
        fact += f"; others within {number(widest)}"
    if outcome == Outcome.ATTAINED and widest > WIDE:
        remarks.append(f"within {number(widest)}")
    exact = [o for o in omissions if isinstance(o.claim, Tight) and o.reason != Reason.SHORTER]
    is_open = outcome == Outcome.HOLDS and bool(exact) and not any(remarks)
    if is_open:
        remarks.append("attained or not: not judged")
        fact += f"; whether it is attained is not judged ({exact[0].reason})"
    remarks += [_coverage(outcomes.count(outcome), len(settings), not_judged), of_parts]
    beyond = "; ".join(filter(None, remarks))
    return Row(
        about, subject, outcome, fact, name, beyond=beyond, not_judged=not_judged, is_exact_open=is_open
    )


def _coverage(alike: int, settings: int, not_judged: Mapping[str, tuple[str, ...]]) -> str:
    """ "in 1 of 3 settings", "in 3 settings, 2 not judged" """
    n = sum(map(len, not_judged.values()))
    of = f"{alike} of {settings} settings" if alike < settings else plural(settings, "setting")
    return f"in {of}{f', {n} not judged' if n else ''}"


def _of_parts(alike: int, parts: int) -> str:
    """ "of its parts in 7 of 8 curves" """
    return f"of its parts in {alike} of {parts} curves" if parts > 0 else ""


def _is_too_fast(line: Line) -> bool:
    """Whether it says that an exponent is not attained, since the curve falls faster."""
    verdict, f = line.decision.verdict, line.decision.finding
    return (
        isinstance(line.claim, Tight)
        and not line.void
        and verdict == Verdict.VIOLATED
        and f.value < f.claimed
    )


def as_an_example(line: Line) -> tuple[bool, bool, float]:
    """A key to choose by: the theorem's own quantity before parts of it, and these before counts of calls."""
    name = line.claim.reading.shown if isinstance(line.claim, Rate | Tight | Level) else ""
    return bool(name), name.endswith(" calls"), error_noticed(line)


def _of_quantity(line: Line) -> str:
    """ "|y - y*|: ", of a curve that is not the theorem's own quantity."""
    name = line.claim.reading.shown if isinstance(line.claim, Rate | Tight | Level) else ""
    return f"{for_readers(name, Key.of(line.claim.key).paper)}: " if name else ""


def _without_values(title: str) -> str:
    """A setting's title without the values of parameters."""
    return title.partition(";")[0]


def _title(line: Line, not_judged: Mapping[str, tuple[str, ...]]) -> str:
    """The setting's title, with values of parameters where they tell it from one that is not judged."""
    title = line.claim.experiment
    head = _without_values(title)
    return title if any(t.startswith(f"{head};") for titles in not_judged.values() for t in titles) else head


def _not_judged(lines: Sequence[Line], omissions: Sequence[Omission]) -> Mapping[str, tuple[str, ...]]:
    """Reason -> titles of the settings without any line, with values of parameters where these tell them apart."""
    heads = {_without_values(line.claim.experiment) for line in lines}
    with_line = {_setting_of(line.claim) for line in lines}
    others = {_setting_of(o.claim): o for o in omissions if o.reason != Reason.SHORTER}
    titles: dict[str, list[str]] = {}
    for setting, o in others.items():
        if setting not in with_line:
            head = _without_values(o.claim.experiment)
            titles.setdefault(str(o.reason), []).append(o.claim.experiment if head in heads else head)
    return {reason: tuple(of_reason) for reason, of_reason in titles.items()}


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
    verdict = line.decision.verdict
    if line.void or _is_too_fast(line):
        return Outcome.UNDECIDED
    if verdict == Verdict.HOLDS and isinstance(line.claim, Tight | Level):
        return Outcome.ATTAINED
    return OF_VERDICT[verdict]


def error_noticed(line: Line) -> float:
    """The smallest error of the claim that this line would have noticed; none if it could not fail."""
    error = line.decision.sensitivity
    return math.inf if line.void or math.isnan(error) else float(error)


def _number(line: Line, with_claim: bool) -> str:
    """ "slope -0.2495 [-0.251, -0.248], claimed -1/4, at T = 1e6, 128 runs" """
    d, f = line.decision, line.decision.finding
    name = "ratio to theory" if isinstance(line.claim, Level) else "slope"
    interval = "" if f.exact or d.low == d.high else f" [{number(d.low)}, {number(d.high)}]"
    value = f"{name} {number(f.value)}{interval}{_without_logarithm(line.claim)}"
    value = value if math.isfinite(f.value) else f.note
    claimed = f", claimed {power(f.claimed)}" if with_claim and math.isfinite(f.claimed) else ""
    horizon = f" at T = {number(f.horizon)}" if math.isfinite(f.horizon) else ""
    runs = f", {f.runs} runs" if f.runs else ""
    runs += ", deterministic" * (f.exact and f.runs > 1)
    beyond = _beyond(line)
    return f"{value}{claimed}{_within(line)}{horizon}{runs}{beyond and f', {beyond}'}{_to_decide(line)}"


def _within(line: Line) -> str:
    """ " within 0.06": the tolerance, also where it is not the usual one."""
    d, f = line.decision, line.decision.finding
    is_unusual = isinstance(line.claim, Tight | Level) and d.verdict == Verdict.HOLDS and f.tolerance > USUAL
    return within(line) or (f" within {number(f.tolerance)}" if is_unusual else "")


def _without_logarithm(claim: Claim) -> str:
    """ " of the curve over log(T)^1.75", where it is not the curve's own slope."""
    logs = _logarithm(claim)
    return f" of the curve over {logs}" if logs else ""


def _factor(claim: Claim) -> str:
    """ "times log(T)^1.75": the factor without which the rate is read."""
    logs = _logarithm(claim)
    return f"times {logs}" if logs else ""


def _logarithm(claim: Claim) -> str:
    power = claim.reading.log_power if isinstance(claim, Rate | Tight) else 0.0
    return f"log(T){'' if power == 1 else f'^{power:g}'}" if power else ""


def _beyond(line: Line) -> str:
    """How a curve differs from an upper bound that it keeps by far; "" where it does not, or without its logarithm."""
    d, f = line.decision, line.decision.finding
    if (
        not isinstance(line.claim, Rate)
        or line.claim.reading.log_power
        or d.verdict != Verdict.HOLDS
        or d.high >= f.claimed - FASTER
    ):
        return ""
    return _below(line)


def _below(line: Line) -> str:
    """In words, that a curve is below what is claimed: one that grows does not do so faster."""
    return "grows more slowly than claimed" if line.decision.finding.claimed > 0 else "faster than claimed"


# ------------------------------------------------------------------------------------------------------ bounds


def _bounds(theorem: Theorem, lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each form of the bound; the printed one also where no run stands beside it."""
    claims = [*(x.claim for x in lines), *(o.claim for o in omissions)]
    is_asked = any(isinstance(c, Exponent) or _is_of_form(c, form) for c in claims for form in theorem.forms)
    printed = [form for form in theorem.forms if form.name == PRINTED]
    wrong = [x for x in lines if _is_wrong(x) and any(_is_of_form(x.claim, form) for form in printed)]
    above = {sim for x in wrong for sim in x.claim.needs}
    for form in theorem.forms:
        mine = [x for x in lines if _is_of_form(x.claim, form)]
        others = [o for o in omissions if _is_of_form(o.claim, form)]
        if mine or others or (is_asked and form.name == PRINTED):
            others = others or [o for o in omissions if o.claim.evidence == "bound" and o.claim.bound is None]
            here = {sim for x in mine for sim in x.claim.needs}
            yield _bound(form, mine, others, bool(mine) and not above <= here)


def _is_of_form(claim: Claim, form: Form) -> bool:
    """Whether it compares runs with this form of the bound, and not with another constant of its chain."""
    bound = claim.bound
    return bound is not None and bound.form == form.name and not bound.of


def _bound(form: Form, lines: Sequence[Line], omissions: Sequence[Omission], misses: bool) -> Row:
    """misses: runs that exceed the printed form are not compared with this one."""
    name, printed = _as(form), of_paper(form)
    subject = "bound as printed" if form.name == PRINTED else f"bound, {_in_full(form)}"
    if not lines:
        return Row(About.BOUND, subject, Outcome.UNMEASURED, _reasons(omissions), name, printed)
    outcome = min((OF_VERDICT[x.decision.verdict] for x in lines), key=OUTCOMES.index)
    with_slack = [x for x in lines if math.isfinite(r := float(x.decision.finding.slack)) and r > 0]
    horizon = max(x.decision.finding.horizon for x in lines)
    up_to = f" up to T = {number(horizon)}" if math.isfinite(horizon) else ""
    runs = f", {max(x.decision.finding.runs for x in lines)} runs"
    runs += ", deterministic" * all(x.decision.finding.exact and x.decision.finding.runs > 1 for x in lines)
    nearest = min(with_slack, key=lambda x: x.decision.finding.slack, default=None)
    slack = nearest.decision.finding.slack if nearest else math.nan
    bound = nearest.claim.bound if nearest else None
    where = f" ({bound.sim.title})" if bound and len(lines) > 1 else ""
    if outcome == Outcome.REFUTED:
        evidence = f"exceeded by a factor {number(1 / slack, 3)}{where}" if slack < 1 else "exceeded"
    elif outcome == Outcome.HOLDS:
        more = f"; smallest slack {number(slack, 2)}{where}" if math.isfinite(slack) else ""
        loose = sum(x.decision.finding.slack >= LOOSE for x in with_slack)
        if 0 < loose < len(with_slack):
            more += f", {LOOSE:g} or more in {loose} of {len(with_slack)} lines"
        beyond = "not compared where the printed one is exceeded" if misses else ""
        fact = f"never exceeded{up_to}{runs}{more}{beyond and f'; {beyond}'}"
        return Row(About.BOUND, subject, outcome, fact, name, printed, beyond, little=slack >= LOOSE)
    else:
        open_lines = [x for x in lines if x.decision.verdict == Verdict.INCONCLUSIVE]
        why = next((x.decision.decides for x in open_lines if x.decision.decides), "")
        evidence = f"{len(open_lines)} of {len(lines)} settings open" + (f"; to decide: {why}" if why else "")
    return Row(About.BOUND, subject, outcome, f"{evidence}{up_to}{runs}", name, printed)


def _worst_cases(lines: Sequence[Line], omissions: Sequence[Omission]) -> Iterator[Row]:
    """One row for each class: does the bound cover the worst case, and can its constant be improved?"""
    about = About.WORST_CASE
    for line in lines:
        if isinstance(claim := line.claim, WorstCase):
            outcome, note = OF_VERDICT[line.decision.verdict], line.decision.finding.note
            yield Row(about, f"worst case, {claim.covers}", outcome, note, printed=claim.form == PRINTED)
    for o in omissions:
        if isinstance(o.claim, WorstCase):
            yield Row(about, f"worst case, {o.claim.covers}", Outcome.UNMEASURED, _reasons([o]))


Derived = tuple[Exponent, Line]  # what is claimed to follow from a bound, and whether it does


def _derivations(lines: Sequence[Line]) -> list[Derived]:
    return [(x.claim, x) for x in lines if isinstance(x.claim, Exponent)]


def _exponents(theorem: Theorem, lines: Sequence[Line]) -> Iterator[Row]:
    """Do the claimed rates follow from the bound? One row for each form; a single one for forms from which all do.

    A rate that this project adds need not follow from forms other than those that it is added for.
    """
    given = _derivations(lines)
    follows = {name_of(c.of) for c, x in given if _holds(x)}
    given = [(c, x) for c, x in given if name_of(c.of) not in follows or _holds(x) or not _is_added(c.of)]
    by_form = [(form, [(c, x) for c, x in given if c.form.name == form.name]) for form in theorem.forms]
    by_form = [(form, mine) for form, mine in by_form if mine]
    sound = [form for form, mine in by_form if all(_holds(x) for _, x in mine)]
    for form, mine in by_form:
        if form not in sound:
            yield _derived(form, mine)
    if sound:
        false = {f.name for f in theorem.forms for x in lines if _is_of_form(x.claim, f) and _is_wrong(x)}
        fact = "what is claimed follows exactly"
        fact += "; the printed bound itself is exceeded" * (PRINTED in false & {form.name for form in sound})
        name = ", ".join(map(_as, sound))
        subject, is_printed = f"{About.FROM_BOUND} ({name})", any(map(of_paper, sound))
        yield Row(About.FROM_BOUND, subject, Outcome.HOLDS, fact, name, is_printed)


def _is_added(of: Case | Law) -> bool:
    """Whether it is a rate that this project adds to those of the paper."""
    return of.source.startswith("this project")


def _as(form: Form) -> str:
    """ "as printed", "repaired", "'proof'", or "'convolved' (own)": a form that is this project's."""
    if form.name == PRINTED:
        return "as printed"
    name = form.name if form.name in PLAIN else f"'{form.name}'"
    return f"{name} (own)" if form.own and form.name != "own" else name


def _in_full(form: Form) -> str:
    """The same with its source, which says what it is, where the name does not."""
    return _as(form) if form.name in (PRINTED, "repaired") else f"{form.name}: {form.source}"


def _holds(line: Line) -> bool:
    return line.decision.verdict == Verdict.HOLDS


def _is_wrong(line: Line) -> bool:
    return line.decision.verdict == Verdict.VIOLATED


def _derived(form: Form, given: Sequence[Derived]) -> Row:
    """The row of a form of the bound from which not all follows that is claimed."""
    subject, name, printed = f"{About.FROM_BOUND} ({_in_full(form)})", _as(form), of_paper(form)
    wrong = [(c, x) for c, x in given if _is_wrong(x)]
    if not wrong:
        n = sum(not _holds(x) for _, x in given)
        fact = f"{n} of {len(given)} cases are open"
        return Row(About.FROM_BOUND, subject, Outcome.UNDECIDED, fact, name, printed)
    fact = _does_not_follow(*wrong[0])
    if len(given) > 1:
        first_of = "; in the first" if len(wrong) > 1 else ":"
        right = cases(c.of for c, x in given if not _is_wrong(x))
        names, follows = cases(c.of for c, _ in wrong), f"; it follows in: {right}" if right else ""
        fact = f"fails in {len(wrong)} of {len(given)} cases ({names}){first_of} {fact}{follows}"
    missing = tuple(c.of for c, _ in wrong)
    return Row(About.FROM_BOUND, subject, Outcome.REFUTED, fact, name, printed, not_given=missing)


def _does_not_follow(claim: Exponent, line: Line) -> str:
    """ "the bound gives T^-1/4 where T^-1/2 is claimed (E-1)" """
    f, variable = line.decision.finding, claim.of.variable
    gives = f"gives {_power_of(variable, f.value)}" if math.isfinite(f.value) else "does not decay"
    erratum = claim.note.partition(";")[0].partition(". ")[0].rstrip(".")
    at = f" at {f.at}" if f.at else ""
    note = f" ({erratum})" if erratum else ""
    return f"the bound {gives} where {_power_of(variable, f.claimed)} is claimed{at}{note}"


def _power_of(variable: Symbol, exponent: float) -> str:
    """ "T^-1/4", "T^(2/3)" """
    text = power(exponent)
    return f"{variable}^({text})" if "/" in text and text[0] != "-" else f"{variable}^{text}"


# ------------------------------------------------------------------------------------------------------ proof


def _not_given(theorem: Theorem, lines: Sequence[Line]) -> tuple[Case | Law, ...]:
    """What a proof as repaired does not prove: the claimed exponents that its bound does not give.

    Its bound is the form "repaired"; where there is none, any that is not printed will do.
    """
    names = {form.name for form in theorem.forms if not of_paper(form)}
    final = names & {"repaired"} or names
    mine = [(c, x) for c, x in _derivations(lines) if c.form.name in final]
    follows = {name_of(c.of) for c, x in mine if _holds(x)}
    wrong = [c.of for c, x in mine if _is_wrong(x)]
    return tuple(of for of in wrong if name_of(of) not in follows and not _is_added(of))


def _proof(
    theorem: Theorem, lemmas: Mapping[str, Lemma], verdicts: Verdicts, not_given: tuple[Case | Law, ...]
) -> Iterator[Row]:
    """Two rows: the proof as printed, and as repaired where the printed one is wrong. not_given: by the repaired one.

    A statement of this project has no printed proof.
    """
    links = [link(lemma, verdicts) for lemma in chain(lemmas, theorem.key)]
    if not links:
        return
    wrong = [x for x in links if x.status in WRONG]
    repaired = tuple(x.repaired for x in links)
    if is_own(theorem) or not wrong:
        subject, statuses = (
            ("proof", repaired) if is_own(theorem) else (PROOF, tuple(x.status for x in links))
        )
        yield _proof_as(About.PROOF, subject, statuses)
        return
    row = Row(About.PROOF, PROOF, Outcome.REFUTED, "", links=tuple(x.status for x in links))
    first = wrong[-1]  # a chain begins with its last step
    where = first.lemma.source.partition(",")[0]
    is_place = where[:1] == "L" and where[1:2].isdigit()  # lines of the paper's source
    where = f"'{first.lemma.title}' ({where})" if is_place else where
    yield replace(row, fact=f"{row.wrong}, first {where}: {first.why}")
    yield replace(_proof_as(About.REPAIR, "proof as repaired", repaired), printed=False, not_given=not_given)


def _proof_as(about: About, subject: str, links: tuple[Status, ...]) -> Row:
    """The outcome of a proof, and how many links have each status, the strongest first."""
    counts = "; ".join(f"{WORDS[s]}: {links.count(s)}" for s in sorted(set(links), reverse=True))
    if Status.BROKEN in links:
        outcome = Outcome.REFUTED
    elif any(s in (Status.OPEN, Status.UNCHECKED, *WRONG) for s in links):
        outcome = Outcome.UNDECIDED
    else:
        outcome = Outcome.UNMEASURED if Status.UNMEASURED in links else Outcome.HOLDS
    return Row(about, subject, outcome, f"{len(links)} links ({counts})", links=links)

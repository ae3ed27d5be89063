"""From lines to verdict cards: which lines fill which row, and what the row says.

A claim about another method, or about a step that is made wrong on purpose, never fills a row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sympy import Symbol

from workbench.claims.claims import Caught, Claim, Custom
from workbench.claims.kinds import Bounded, Kind, Limit
from workbench.claims.power import LOOSE
from workbench.claims.rate_of_bound import Exponent
from workbench.claims.readings import Level, Rate, Tight
from workbench.claims.worst_cases import WorstCase
from workbench.evidence.verdicts import Verdict
from workbench.ledger.graph import WORDS, WRONG, Status, Verdicts, chain, link
from workbench.ledger.unicode_text import plain
from workbench.report.card import OF_VERDICT, OUTCOMES, About, Card, Outcome, Row, cases, urgency
from workbench.report.card_curves import curve, reasons, to_decide, without_values
from workbench.report.wording import number, sentence
from workbench.run import catalog
from workbench.theory.lemma import Lemma
from workbench.theory.notation import power
from workbench.theory.record import Case, Form, Law, Theorem
from workbench.verdicts.omissions import Omission
from workbench.verdicts.verify import Line

PRINTED = "printed"  # the form of a bound as the paper has it
PLAIN = ("repaired", "restated", "own")  # names of forms that say what they are
PROOF = "proof as printed"
OTHERS = "other curves"
EXPONENTS = "other exponents"
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
        reason = reasons([o for o in omissions if isinstance(o.claim, Rate | Tight)])
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
            row = curve(About.RATE, subject, name, mine, others, not of.claimed.is_number)
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
        yield curve(About.LEVEL, "level that theory gives", "predicted level", mine, others)


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
            yield Row(About.KIND, subject, Outcome.UNMEASURED, reasons(others))
            continue
        worst = min(mine, key=lambda x: OUTCOMES.index(OF_VERDICT[x.decision.verdict]))
        alike = [x for x in mine if x.decision.verdict == worst.decision.verdict]
        of = f"in {len(alike)} of {len(mine)} lines" if len(mine) > 1 else ""
        examples = alike if len(alike) <= FEW else [worst]
        such_as = f"{of}{', such as ' if len(examples) < len(alike) else ': '}" if of else ""
        title = worst.claim.experiment if has_rates or subject == OTHERS else ""
        facts = (f"{title and f'{x.claim.experiment}: '}{sentence(x)}{to_decide(x)}" for x in examples)
        has_name = has_rates and subject not in (OTHERS, EXPONENTS)
        name = f"{subject} of '{without_values(title)}'" if has_name else ""
        yield Row(About.KIND, subject, OF_VERDICT[worst.decision.verdict], such_as + " | ".join(facts), name)


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
        return Row(About.BOUND, subject, Outcome.UNMEASURED, reasons(omissions), name, printed)
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
            yield Row(about, f"worst case, {o.claim.covers}", Outcome.UNMEASURED, reasons([o]))


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

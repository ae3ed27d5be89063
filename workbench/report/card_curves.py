"""The curves of one claim: what its settings show together, and in words.

A setting is one curve: a rate and an exact exponent of it are claimed of the same setting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from workbench.claims.claims import Claim
from workbench.claims.readings import Level, Rate, Tight
from workbench.evidence.verdicts import Verdict
from workbench.homes.keys import Key
from workbench.report.card import OF_VERDICT, OUTCOMES, About, Outcome, Row, plural
from workbench.report.quantities import for_readers
from workbench.report.wording import number, within
from workbench.theory.notation import power
from workbench.verdicts.omissions import Omission, Reason
from workbench.verdicts.verify import Line

USUAL, WIDE = 0.03, 0.05  # tolerances: of exponents and levels; one that the answer names
NOTHING = "no run is compared with it"
FASTER = 0.05  # of the exponents that a curve, whose claim is an upper bound, may be below it without a word


@dataclass(frozen=True)
class Curves:
    """What the settings of one claim show together.

    outcome: refuted or open if one setting is, else the best of them. settings: those that count, each with its outcome
    and the line that shows it: the theorem's own quantity counts before curves of its parts, as |y - y*|, which can
    only speak against it. parts: how many curves of parts show the outcome, and how many there are; none where they
    count themselves. not_judged: reason -> titles of the settings that this call does not judge.
    """

    outcome: Outcome
    settings: Sequence[tuple[Outcome, Line]]
    parts: tuple[int, int]
    not_judged: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, lines: Sequence[Line], omissions: Sequence[Omission], about: About) -> Curves:
        every = [_of_setting(list(group)) for _, group in groupby(sorted(lines, key=_setting), _setting)]
        own = [(o, line) for o, line in every if not of_quantity(line)] if about == About.RATE else []
        bad = [o for o in (Outcome.REFUTED, Outcome.UNDECIDED) if o in [outcome for outcome, _ in every]]
        outcome = bad[0] if bad else max((o for o, _ in own or every), key=OUTCOMES.index)
        settings, parts = every, (0, 0)
        if any(o == outcome for o, _ in own):
            of_parts = [o for o, line in every if of_quantity(line)]
            settings, parts = own, (of_parts.count(outcome), len(of_parts))
        return cls(outcome, settings, parts, _not_judged(lines, omissions))

    @property
    def alike(self) -> list[Line]:
        """The lines that show the outcome."""
        return [line for o, line in self.settings if o == self.outcome]

    @property
    def sharpest(self) -> Line:
        return min(self.alike, key=as_an_example)

    @property
    def widest(self) -> float:
        """The widest tolerance with which the outcome was found."""
        return max(line.decision.finding.tolerance for line in self.alike)

    @property
    def others(self) -> str:
        """ "2 hold, 1 not decided": the settings that show something else."""
        outcomes = [o for o, _ in self.settings]
        return ", ".join(
            _count(outcomes.count(o), o) for o in OUTCOMES if o != self.outcome and o in outcomes
        )

    @property
    def such_as(self) -> str:
        """ "in 3 of 5 settings (2 hold), such as 'SVRB on S': ", of the sharpest one."""
        count, title = "", ""
        if len(self.settings) > 1:
            of = f"{len(self.alike)} of " if self.others else ""
            count = (
                f"in {of}{len(self.settings)} settings{f' ({self.others})' if self.others else ''}, such as "
            )
        if self.not_judged or self.others:
            title = f"'{_title(self.sharpest, self.not_judged)}': "
        return count + title

    @property
    def coverage(self) -> str:
        """ "in 1 of 3 settings", "in 3 settings, 2 not judged" """
        n, settings = sum(map(len, self.not_judged.values())), plural(len(self.settings), "setting")
        of = f"{len(self.alike)} of {settings}" if self.others else settings
        return f"in {of}{f', {n} not judged' if n else ''}"

    @property
    def of_parts(self) -> str:
        """ "of its parts in 7 of 8 curves" """
        alike, parts = self.parts
        return f"of its parts in {alike} of {parts} curves" if parts else ""


def curve(
    about: About,
    subject: str,
    name: str,
    lines: Sequence[Line],
    omissions: Sequence[Omission],
    by_setting: bool = False,
) -> Row:
    """The row of one claim, with the number of the sharpest line of those that decide.

    omissions: settings that this call does not judge. by_setting: each has a claimed exponent of its own, which the
    subject does not show.
    """
    if not lines:
        against = any(o.reason == Reason.PILOTS for o in omissions)
        beyond = "pilot runs do not show it" if against else ""
        return Row(about, subject, Outcome.UNMEASURED, reasons(omissions), name, beyond=beyond)
    curves = Curves.of(lines, omissions, about)
    sharpest, outcome = curves.sharpest, curves.outcome
    facts = [curves.such_as + of_quantity(sharpest) + _number(sharpest, by_setting), curves.of_parts]
    remarks = _remarks(curves, lines)
    if outcome == Outcome.ATTAINED and curves.widest > sharpest.decision.finding.tolerance:
        facts.append(f"others within {number(curves.widest)}")
    exact = [o for o in omissions if isinstance(o.claim, Tight) and o.reason != Reason.SHORTER]
    is_open = outcome == Outcome.HOLDS and bool(exact) and not remarks
    if is_open:
        remarks.append("attained or not: not judged")
        facts.append(f"whether it is attained is not judged ({exact[0].reason})")
    return Row(
        about, subject, outcome, "; ".join(filter(None, facts)), name,
        beyond="; ".join(filter(None, [*remarks, curves.coverage, curves.of_parts])),
        not_judged=curves.not_judged, is_exact_open=is_open,
    )  # fmt: skip


def _remarks(curves: Curves, lines: Sequence[Line]) -> list[str]:
    """What the answer says besides the outcome: a logarithm, a faster curve, a wide tolerance."""
    sharpest, outcome = curves.sharpest, curves.outcome
    remarks = [_beyond(sharpest) or _factor(sharpest.claim)]
    are_own = any(not of_quantity(line) for line in lines)
    too_fast = next((x for x in lines if _is_too_fast(x) and not (are_own and of_quantity(x))), None)
    if outcome == Outcome.HOLDS and too_fast:
        remarks = [_factor(sharpest.claim), f"not attained: {_below(too_fast)}"]
    if outcome == Outcome.ATTAINED and curves.widest > WIDE:
        remarks.append(f"within {number(curves.widest)}")
    return [remark for remark in remarks if remark]


def reasons(omissions: Sequence[Omission]) -> str:
    """Why something is not measured: the first reason in full, and how many there are in all."""
    if not omissions:
        return NOTHING
    first = next((o for o in omissions if o.reason != Reason.SHORTER), omissions[0])
    n = len(omissions) - 1
    more = f"; {plural(n, 'more claim')} {'is' if n == 1 else 'are'} not judged either" if n else ""
    return f"{first.why}{more}"


def _not_judged(lines: Sequence[Line], omissions: Sequence[Omission]) -> Mapping[str, tuple[str, ...]]:
    """Reason -> titles of the settings without any line, with values of parameters where these tell them apart."""
    heads = {without_values(line.claim.experiment) for line in lines}
    with_line = {_setting_of(line.claim) for line in lines}
    others = {_setting_of(o.claim): o for o in omissions if o.reason != Reason.SHORTER}
    titles: dict[str, list[str]] = {}
    for setting, o in others.items():
        if setting not in with_line:
            head = without_values(o.claim.experiment)
            titles.setdefault(str(o.reason), []).append(o.claim.experiment if head in heads else head)
    return {reason: tuple(of_reason) for reason, of_reason in titles.items()}


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


def of_quantity(line: Line) -> str:
    """ "|y - y*|: ", of a curve that is not the theorem's own quantity."""
    name = line.claim.reading.shown if isinstance(line.claim, Rate | Tight | Level) else ""
    return f"{for_readers(name, Key.of(line.claim.key).paper)}: " if name else ""


def without_values(title: str) -> str:
    """A setting's title without the values of parameters."""
    return title.partition(";")[0]


def _title(line: Line, not_judged: Mapping[str, tuple[str, ...]]) -> str:
    """The setting's title, with values of parameters where they tell it from one that is not judged."""
    title = line.claim.experiment
    head = without_values(title)
    return title if any(t.startswith(f"{head};") for titles in not_judged.values() for t in titles) else head


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
    return f"{value}{claimed}{_within(line)}{horizon}{runs}{beyond and f', {beyond}'}{to_decide(line)}"


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


def to_decide(line: Line) -> str:
    """ "; to decide: 700 runs", of a line that is open."""
    d = line.decision
    return f"; to decide: {d.decides}" if d.verdict == Verdict.INCONCLUSIVE and d.decides else ""

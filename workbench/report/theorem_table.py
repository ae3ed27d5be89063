"""What is decided of each theorem of a paper: rate, level, bound, falsifiers, and what is left out with the reason.

A table of the overview. Each cell quotes one line, the sharpest of its kind on the theorem's own quantity, if there is
one; the theorem's page shows all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.claims.claims import Bound, Claim
from workbench.claims.kinds import Kind
from workbench.claims.readings import Level, Rate, Tight
from workbench.evidence.verdicts import Verdict
from workbench.report.card_curves import as_an_example
from workbench.report.cards import about_the_method
from workbench.report.quantities import display_name
from workbench.report.summary import Summary
from workbench.report.wording import number
from workbench.theory.record import Theorem
from workbench.verdicts.omissions import Omission, Reason
from workbench.verdicts.verify import Line

NONE = "none"
BRIEF = {
    Reason.LONGER: "in a longer profile",
    Reason.SHORTER: "in a shorter profile",
    Reason.RUNS: "for want of runs",
    Reason.PILOTS: "since pilot runs do not show it",
}


@dataclass(frozen=True)
class TheoremRow:
    """A theorem, and for each column of the table what is said of it. left_out: reason -> what it leaves out."""

    theorem: Theorem
    rate: str
    level: str
    bound: str
    falsifiers: str
    left_out: tuple[str, ...]


def row_of(theorem: Theorem, lines: Sequence[Line], left_out: Iterable[Omission]) -> TheoremRow:
    """Of a theorem with these lines, those of its proof left out, and with what a profile does not judge of it."""
    summary = Summary(theorem, tuple(lines))
    mine = [x for x in lines if about_the_method(x.claim, theorem) and not x.void]
    omissions = [o for o in left_out if o.claim.key == theorem.key]
    falsifiers = f"{summary.detections} of {len(summary.falsifiers)} caught" if summary.falsifiers else NONE
    return TheoremRow(
        theorem,
        _rate(mine)
        or _missing(omissions, lambda c: isinstance(c, Rate | Tight | Kind) or c.evidence == "scaling"),
        _level(mine) or _missing(omissions, lambda c: isinstance(c, Level)),
        _bounds(mine) or _missing(omissions, lambda c: isinstance(c, Bound)),
        falsifiers,
        tuple(_reasons(omissions)),
    )


def _rate(lines: Sequence[Line]) -> str:
    """The sharpest two-sided line that holds, else what is refuted, else what only bounds the rate."""
    exact = [x for x in lines if isinstance(x.claim, Tight)]
    in_parameter = [x for x in lines if x.claim.evidence == "scaling"]
    others = [x for x in lines if isinstance(x.claim, Rate | Kind)]
    for verdict, part, words in (
        (Verdict.HOLDS, exact, "two-sided"),
        (Verdict.HOLDS, in_parameter, "two-sided"),
        (Verdict.VIOLATED, [*exact, *in_parameter, *others], "violated"),
        (Verdict.HOLDS, others, "one-sided"),
    ):
        if text := _sharpest(x for x in part if x.decision.verdict == verdict):
            return f"{words}: {text}"
    return ""


def _level(lines: Sequence[Line]) -> str:
    levels = [x for x in lines if isinstance(x.claim, Level)]
    hold = [x for x in levels if x.decision.verdict == Verdict.HOLDS]
    return f"{len(hold)} of {len(levels)} hold: {_sharpest(hold or levels)}" if levels else ""


def _sharpest(lines: Iterable[Line]) -> str:
    """Value, interval, claimed number and runs of the line to quote (`as_an_example`), and what it is about."""
    line = min(lines, key=as_an_example, default=None)
    if line is None:
        return ""
    d, f = line.decision, line.decision.finding
    interval = "" if f.exact or d.low == d.high else f" [{number(d.low)}, {number(d.high)}]"
    target = f" for {number(f.claimed)}" if math.isfinite(f.claimed) else ""
    runs = "exact" if f.exact else f"{f.runs} runs"
    if not math.isfinite(f.value):
        return display_name(line.claim)
    return f"{number(f.value)}{interval}{target}, {runs}; {display_name(line.claim)}"


def _bounds(lines: Sequence[Line]) -> str:
    """By form: how many hold or are violated, and the smallest and largest slack."""
    parts = []
    bounds = [(x, bound.form) for x in lines if (bound := x.claim.bound)]
    for form in dict.fromkeys(form for _, form in bounds):
        mine = [x for x, name in bounds if name == form]
        counts = Counter(str(x.decision.verdict) for x in mine)
        slacks = [s for x in mine if 0 < (s := float(x.decision.finding.slack)) < float("inf")]
        slack = f", slack {_span(slacks)}" if slacks else ""
        parts.append(f"{form} {', '.join(f'{word} in {n}' for word, n in counts.items())}{slack}")
    return "; ".join(parts)


def _span(values: Sequence[float]) -> str:
    low, high = number(min(values), 2), number(max(values), 2)
    return low if low == high else f"{low} to {high}"


def _missing(omissions: Sequence[Omission], is_of: Callable[[Claim], Any]) -> str:
    """Why nothing of a kind is decided."""
    reasons = dict.fromkeys(o.why for o in omissions if is_of(o.claim))
    return f"{NONE} ({'; '.join(reasons)})" if reasons else NONE


def _reasons(omissions: Sequence[Omission]) -> Iterable[str]:
    """ "2 for want of runs: rate of RSVRB, m = 64; ..." """
    for reason in Reason:
        names = Counter(
            f"{o.claim.evidence} of {display_name(o.claim)}" for o in omissions if o.reason == reason
        )
        if names:
            yield f"{sum(names.values())} {BRIEF[reason]}: {'; '.join(names)}"

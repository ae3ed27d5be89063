"""The lines of a theorem grouped by claim: what is printed, the sharpest measurement of it, and all verdicts.

Of several readings of one claim a table shows the one that would have rejected the smallest error, whatever it found:
sensitivities depend on spread and horizon, not on the outcome. Every verdict is counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from sympy import Expr, Symbol

from workbench.claims.claims import Caught, Claim
from workbench.claims.power import BY_ERROR
from workbench.claims.rate_of_bound import Exponent
from workbench.claims.readings import Level, Rate, Tight
from workbench.report.card_curves import error_noticed
from workbench.report.cards import PRINTED, is_own, name_of
from workbench.report.latex import Tex, exponent, fit_to_line, negligible, number
from workbench.theory import vocabulary
from workbench.theory.record import Case, Law, Theorem
from workbench.theory.symbol_names import formula
from workbench.verdicts.verify import Line

LONGEST = 60  # letters of a typeset exponent that a cell has room for
COUNTED = ("assumptions", "exponent", "complexity")  # kinds of evidence of which a table counts what holds


@dataclass(frozen=True)
class Group:
    """The lines about one claim of a theorem. name: the case, the term of a law, or what else is measured.

    printed: the claimed power, typeset. gives: what the bound gives, where it is another power.
    """

    name: str
    printed: Tex
    lines: tuple[Line, ...]
    gives: Tex

    @property
    def measured(self) -> Line | None:
        """The sharpest line with an interval."""
        lines = [x for x in self.lines if x.claim.evidence in ("rate", "tight", "scaling")]
        return min(lines, key=error_noticed, default=None)

    @property
    def readings(self) -> int:
        """How many curves are read; rate and exact exponent of one curve are one reading."""
        lines = (x for x in self.lines if x.claim.evidence in ("rate", "tight", "scaling"))
        return len({(x.claim.needs, x.claim.experiment) for x in lines})


@dataclass(frozen=True)
class Summary:
    """A theorem and its lines, those of its proof left out."""

    theorem: Theorem
    lines: tuple[Line, ...]

    @property
    def own(self) -> bool:
        """Whether it is a statement of this project throughout."""
        return is_own(self.theorem)

    @property
    def form(self) -> str:
        """The form that tables show: as printed, or the first one; "" for a theorem without a bound."""
        names = [form.name for form in self.theorem.forms]
        return PRINTED if PRINTED in names else next(iter(names), "")

    @property
    def bounds(self) -> list[Line]:
        """Those of the form shown where there are any, else of all forms."""
        lines = [(x, bound.form) for x in self.lines if (bound := x.claim.bound)]
        return [x for x, form in lines if form == self.form] or [x for x, _ in lines]

    @property
    def bound_forms(self) -> str:
        """The forms that `bounds` are about."""
        return ", ".join(dict.fromkeys(bound.form for x in self.bounds if (bound := x.claim.bound)))

    @property
    def slack(self) -> tuple[float, float] | None:
        """Smallest and largest bound over measured value, among `bounds` and the simulations they are about."""
        values = [s for x in self.bounds if math.isfinite(s := float(x.decision.finding.slack))]
        return (min(values), max(values)) if values else None

    @property
    def falsifiers(self) -> list[Line]:
        return [x for x in self.lines if isinstance(x.claim, Caught)]

    @property
    def detections(self) -> int:
        return sum(x.decision.verdict == "holds" for x in self.falsifiers)

    def groups(self) -> list[Group]:
        """One for each case, law or term that is claimed, then levels, scalings and other measurements."""
        by_name: dict[str, list[Line]] = {name_of(of): [] for of in self._claimed}
        for line in self.lines:
            if (name := self._group_of(line.claim)) is not None:
                by_name.setdefault(name, []).append(line)
        return [
            Group(name, printed := self._printed(name, lines), tuple(lines), self._gives(lines, printed))
            for name, lines in by_name.items()
            if lines
        ]

    @property
    def _claimed(self) -> tuple[Case | Law, ...]:
        return (*self.theorem.cases, *self.theorem.laws)

    def _group_of(self, claim: Claim) -> str | None:
        """The group that a line belongs to; None for one that is counted elsewhere."""
        if isinstance(claim, Exponent):
            return name_of(claim.of) if claim.form.name == self.form else None
        if isinstance(claim, Rate | Tight):
            return claim.reading.claimed.source
        if isinstance(claim, Level):
            return "the level that theory gives"
        if claim.evidence == "scaling":
            return "scaling in other parameters"
        return "other curves and ratios" if claim.evidence in ("rate", "tight") else None

    def _printed(self, name: str, lines: Sequence[Line]) -> Tex:
        """The power claimed in a case, by a law or by one of its terms; else the one number that is claimed."""
        for of in self._claimed:
            if name == name_of(of):
                return self._power(of.variable, of.claimed)
            for term, power in of.terms.items() if isinstance(of, Law) else ():
                if name == f"{name_of(of)}, term {term}":
                    return self._power(of.variable, power)
        claimed = {float(line.decision.finding.claimed) for line in lines}
        return number(claimed.pop()) if len(claimed) == 1 else Tex("")

    def _gives(self, lines: Sequence[Line], printed: Tex) -> Tex:
        for line in lines:
            f = line.decision.finding
            if isinstance(line.claim, Exponent) and line.decision.verdict == "violated":
                at = partial(self._to_the, line.claim.of.variable)
                claim = at(exponent(f.claimed).strip("$"))
                if not math.isfinite(f.value):
                    return Tex("bound does not decay")
                text = f"bound gives {fit_to_line(at(exponent(f.value).strip('$')))}"
                plain = {formula.replace(" ", "") for formula in (claim, printed)}
                return Tex(text if len(plain) == 1 else f"{text} where {fit_to_line(claim)} is claimed")
        return Tex("")

    def _power(self, variable: Symbol, power: Expr) -> Tex:
        text = formula(power, self._names, fold_short_frac=True)
        return self._to_the(variable, text) if len(text) <= LONGEST else Tex("the largest of its terms")

    def _to_the(self, variable: Symbol, power: str) -> Tex:
        base = formula(variable, self._names)
        if power in ("0", "1"):
            return Tex(f"${base}$" if power == "1" else "$1$")
        return Tex(f"${base}^{{{power}}}$" if "^" not in base else f"$({base})^{{{power}}}$")

    @property
    def _names(self) -> dict[Symbol, str]:
        return {**vocabulary.LATEX, **self.theorem.notation}


def numbers_shown(line: Line) -> tuple[float, float, float]:
    """Value and limits of a line; 0 for what is nothing beside the claimed number and the error that is noticed."""
    d, f = line.decision, line.decision.finding
    numbers = (float(f.value), float(d.low), float(d.high))
    if f.evidence not in BY_ERROR:
        return numbers
    beside = max((abs(x) for x in (f.claimed, d.sensitivity) if math.isfinite(x)), default=0.0)
    value, low, high = (0.0 if negligible(x, beside) else x for x in numbers)
    return value, low, high


def verdicts(lines: Iterable[Line]) -> Counter[str]:
    """How many lines hold, are violated, inconclusive or void, each counted once."""
    return Counter("void" if x.void else str(x.decision.verdict) for x in lines)


def counts_in_words(lines: Iterable[Line]) -> str:
    """ "5 hold, 1 violated, 2 void" """
    counts = verdicts(lines)
    words = {
        "holds": "hold" if counts["holds"] > 1 else "holds",
        "violated": "violated",
        "inconclusive": "open",
        "void": "void",
    }
    return ", ".join(f"{counts[v]} {word}" for v, word in words.items() if counts[v])


def table_lines(lines: Iterable[Line]) -> list[Line]:
    """The lines that a table shows one by one: not what merely holds and is exact or sampled."""
    return [
        x
        for x in lines
        if x.claim.evidence not in COUNTED or not x.as_expected or x.decision.verdict != "holds"
    ]

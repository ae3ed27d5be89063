"""What is said of a worst case: the table, the split of the slack in theorem and instance, the sentences."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from sympy import Expr
from sympy.parsing.sympy_parser import parse_expr

from workbench.claims import worst_cases
from workbench.claims.claims import Bound
from workbench.claims.worst_cases import HORIZONS, WorstCase
from workbench.ledger.trees import Wrong
from workbench.ledger.worst_case import answers as certified
from workbench.ledger.worst_case import closed_form
from workbench.ledger.worst_case.answers import Answer
from workbench.ledger.worst_case.oracle import FAR, NoClass
from workbench.ledger.worst_case.replay import Strayed
from workbench.ledger.worst_case.scalars import NotLinear
from workbench.ledger.worst_case.solve import NoSolution
from workbench.run import catalog
from workbench.run.options import Options
from workbench.run.pool import ensure
from workbench.run.store.results import Store
from workbench.theory.record import Theorem

__all__ = [
    "TABLE",
    "NotCovered",
    "Report",
    "claims_of",
    "classes_of",
    "horizons_of",
    "measured_curve",
    "of_claim",
    "outcome",
]

FORMULA = re.compile(r"(sqrt|[A-Za-z]\w*|[\d\s+*/^()-])+")
MOST = 100  # steps
DIGITS = 7  # of printed numbers
SHARP = 1e-4  # a bound is exact whose worst case is so near it


TABLE = (
    "| theorem | class | T | claimed | worst case at most | at least | slack of the theorem | constant |\n"
    "|---|---|---|---|---|---|---|---|"
)


class NotCovered(Exception):
    """There is no worst case to speak of. The message says why, in one sentence."""


@dataclass(frozen=True)
class Report:
    """The answers to one claim. slacks: T -> bound / measured, on the instance of its simulation."""

    claim: WorstCase
    answers: tuple[Answer, ...]
    slacks: Mapping[int, float]

    @property
    def title(self) -> str:
        return f"{self.claim.key}: {self.claim.metric} over the class {self.claim.experiment}"

    @property
    def columns(self) -> tuple[str, ...]:
        more = ("measured slack", "of theorem", "of instance") if self.slacks else ("slack of theorem",)
        return ("T", "claimed", "worst case at most", "at least", "replayed", *more)

    def rows(self) -> list[tuple[str, ...]]:
        return [self._row(answer) for answer in self.answers]

    def _row(self, a: Answer) -> tuple[str, ...]:
        theorem = self.of_theorem(a)
        numbers = [_text(a.in_unit(a.claimed)), *_sides(a, DIGITS), _text(a.in_unit(a.at_end))]
        if not self.slacks:
            return (str(a.T), *numbers, _text(theorem, 5))
        slack = self.slacks.get(a.T)
        instance = None if slack is None or theorem is None else slack / theorem
        return (str(a.T), *numbers, _text(slack, 5), _text(theorem, 5), _text(instance, 5))

    @staticmethod
    def of_theorem(a: Answer) -> float | None:
        """claimed / worst case, by what is certified from above."""
        low, high = a.shares
        share = high if high is not None else low
        return None if not share else 1 / share

    def sentences(self) -> list[str]:
        out = [a_sentence for a in self.answers[-1:] for a_sentence in _of_constant(a)]
        for of in dict.fromkeys(self.claim.classes.values()):
            methods = [name for name, c in self.claim.classes.items() if c == of]
            if len(methods) > 1:
                out.append(f"{' and '.join(methods)} ask one function of the class {of}.")
        if any(a.is_far for a in self.answers):
            out.append(
                f"From above it is that over functions whose gradients at the solution are at most {FAR:.0e}."
            )
        for a in self.answers:
            if a.covers is False:
                out.append(f"At T = {a.T} the bound is refuted: an example of the class exceeds it.")
            if a.why:
                out.append(f"At T = {a.T}: {a.why}.")
            theorem, slack = self.of_theorem(a), self.slacks.get(a.T)
            if theorem and slack and slack < theorem * (1 - SHARP):
                out.append(
                    f"At T = {a.T} a run has a larger share of its bound than the worst case: its instance or its start"
                    " is outside of what is declared here."
                )
        return list(dict.fromkeys(out))

    def markdown(self) -> str:
        """A row of the table that `TABLE` begins."""
        last = self.answers[-1]
        slacks = ", ".join(_text(self.of_theorem(a), 4) for a in self.answers)
        at = ", ".join(str(a.T) for a in self.answers)
        cells = [
            f"`{self.claim.key}`",
            self.claim.experiment.rpartition(";")[0],
            f"{last.T}",
            _text(last.in_unit(last.claimed)),
            *_sides(last, DIGITS),
            f"{slacks} (T = {at})",
            outcome(last),
        ]
        return f"| {' | '.join(cells)} |"

    def record(self) -> dict[str, Any]:
        return {
            "key": self.claim.key,
            "outcome": outcome(self.answers[-1]),
            "form": self.claim.form,
            "classes": dict(self.claim.classes),
            "metric": self.claim.metric,
            "answers": [
                {**a.record(), "measured_slack": self.slacks.get(a.T), "slack_of_theorem": self.of_theorem(a)}
                for a in self.answers
            ],
            "sentences": self.sentences(),
        }

    def curves(self) -> dict[str, Any]:
        """What is drawn: T, claimed, at most, at least, measured, a title and a metric."""
        T = [a.T for a in self.answers]
        nan = float("nan")
        sides = {
            "claimed": [a.in_unit(a.claimed) for a in self.answers],
            "at_most": [nan if a.upper is None else a.in_unit(a.upper) for a in self.answers],
            "at_least": [nan if a.lower is None else a.in_unit(a.lower) for a in self.answers],
        }
        measured = [
            nan if a.T not in self.slacks else (a.in_unit(a.claimed) or nan) / self.slacks[a.T]
            for a in self.answers
        ]
        return {
            "T": T,
            **sides,
            "measured": measured,
            "title": self.claim.theorem.title,
            "metric": self.claim.metric,
        }


def _of_constant(a: Answer) -> list[str]:
    """Whether the constant can be improved, at one horizon."""
    low, high = a.shares
    out: list[str] = []
    if a.covers is False:
        return out
    if a.covers and a.excess:
        out.append(
            f"At T = {a.T} bound and worst case are the same number to {a.excess:.1g}: what is certified from above"
            " is larger by that share."
        )
    if low is not None and low >= 1 - SHARP:
        out.append(
            f"At T = {a.T} the constant cannot be improved: an example has {outward(low, DIGITS, -1)} of the bound."
        )
    elif low is not None:
        out.append(
            f"At T = {a.T} the constant cannot be improved below {outward(low, DIGITS - 1, -1)} of the claimed one."
        )
    if high is not None and high < 1 - SHARP:
        out.append(
            f"At T = {a.T} the constant can be improved to {outward(high, DIGITS - 1, 1)} of the claimed one."
        )
    return out


def outcome(a: Answer) -> str:
    """One word for what a worst case says of a bound at one horizon."""
    low, high = a.shares
    if a.covers is False:
        return "refuted"
    if a.covers and low is not None and low >= 1 - SHARP:
        return "exact"
    return "improved" if high is not None and high < 1 - SHARP else "open"


def _sides(a: Answer, digits: int) -> tuple[str, str]:
    """At most and at least, rounded outward: a bound that is printed is one."""
    return (
        "-" if a.upper is None else outward(a.upper, digits, 1, a.is_root),
        "-" if a.lower is None else outward(a.lower, digits, -1, a.is_root),
    )


def outward(x: Fraction | float, digits: int, sign: int, root: bool = False) -> str:
    """A number, or its root, with so many digits, rounded up (sign 1) or down (sign -1). Exact."""
    value = Fraction(x)
    size = math.sqrt(abs(value)) if root else abs(float(value))
    places = digits - 1 - math.floor(math.log10(size)) if size else 0
    multiple = value * Fraction(10) ** ((1 + root) * places)
    whole = math.isqrt(max(0, math.floor(multiple))) if root else math.floor(multiple)
    if sign > 0 and whole ** (1 + root) < multiple:
        whole += 1
    number = Decimal(whole).scaleb(-places).normalize()
    return format(number, "f" if 1e-5 <= abs(number) < 1e9 or not number else "g")


def _text(x: float | None, digits: int = DIGITS) -> str:
    return "-" if x is None else f"{x:.{digits}g}"


def classes_of(text: str | None) -> dict[str, str] | None:
    """The classes of a command line: "smooth convex", or "grad: smooth convex, prox: convex"."""
    if text is None:
        return None
    if ":" not in text:
        return {"grad": text.strip()}
    pairs = [part.partition(":") for part in re.split(";" if ";" in text else r",(?![^(]*\))", text)]
    if any(not name.strip() or not of.strip() for name, _, of in pairs):
        raise NotCovered(f"{text!r} is no list of classes; write 'grad: smooth convex; prox: convex'")
    return {name.strip(): of.strip() for name, _, of in pairs}


def horizons_of(text: str | None) -> tuple[int, ...] | None:
    """The values of T of a command line."""
    if text is None:
        return None
    words = text.split(",")
    if not all(word.strip().isdecimal() and 0 < int(word) <= MOST for word in words):
        raise NotCovered(f"--steps is {text!r}; wanted whole numbers from 1 to {MOST}, as 1,2,5,10,20")
    return tuple(int(word) for word in words)


def claims_of(
    key: str,
    classes: Mapping[str, str] | None,
    horizons: tuple[int, ...] | None,
    distance: str | None = None,
    form: str | None = None,
) -> list[WorstCase]:
    """The declared worst cases of a paper or theorem, or with classes those of its bounds.

    form: of the bound, in place of the forms that the claims are about. Raises NotCovered where there is none.
    """
    entries = catalog.entries_for([key])
    keys = {e.key for e in entries} | {e.paper for e in entries if e.kind == "paper"}
    mine = [c for c in catalog.claims() if c.key in keys or c.paper in keys]
    mistakes = catalog.import_failures()
    if not mine and (sentences := [s for e in entries for s in mistakes.get(e.paper, ())]):
        raise NotCovered("; ".join(dict.fromkeys(sentences)))
    if form is not None:
        mine = [
            replace(c, form=form) for c in mine if isinstance(c, Bound | WorstCase) and _has(c.theorem, form)
        ]
        if not mine:
            raise NotCovered(f"{key} has no claim about a bound that is there in the form {form!r}")
    own = [c for c in mine if isinstance(c, WorstCase)]
    if classes is None and not own:
        raise NotCovered(
            f"{key} declares no class of functions: say it by --class, as --class 'smooth convex', or in the"
            " file by STUDY.worst_case(THEOREM, step, 'smooth convex')"
        )
    if classes is None or own:
        return [replace(c, horizons=horizons or c.horizons, classes=classes or c.classes) for c in own]
    bounds = [c for c in mine if isinstance(c, Bound) and c.over == 1.0 and c.expected == "holds"]
    by_theorem = {(b.key, b.form, str(b.metric)): b for b in reversed(bounds)}
    if not by_theorem:
        raise NotCovered(f"{key} has no claim of a bound to compare a worst case with")
    try:
        return [
            worst_cases.from_bound(b, classes, horizons or HORIZONS, _distance(b, distance))
            for b in reversed(by_theorem.values())
        ]
    except ValueError as error:
        raise NotCovered(str(error)) from None


def _has(theorem: Theorem, form: str) -> bool:
    return form in (f.name for f in theorem.forms)


def _distance(bound: Bound, text: str | None) -> Expr | None:
    """A formula of a command line in the symbols of a theorem. Raises NotCovered for what is none."""
    if text is None:
        return None
    symbols = {s.name: s for s in bound.theorem.form(bound.form).parameters}
    formula = None
    if FORMULA.fullmatch(text):
        with contextlib.suppress(SyntaxError, TypeError, ValueError, AttributeError, NameError, TokenError):
            formula = parse_expr(text.replace("^", "**"), {**symbols})
    if not isinstance(formula, Expr) or formula.free_symbols - set(symbols.values()):
        raise NotCovered(f"the distance {text!r} is no formula in {', '.join(symbols)}")
    return formula


@contextlib.contextmanager
def _coverage(claim: WorstCase) -> Iterator[None]:
    """Raises NotCovered, in one sentence, where the step or the class is not covered."""
    try:
        yield
    except NotLinear as error:
        raise NotCovered(
            f"{claim.key}: the step is not linear in past iterates and answers: {error}"
        ) from None
    except (NoClass, NoSolution, Strayed, Wrong) as error:
        raise NotCovered(f"{claim.key}: {error}") from None


def of_claim(claim: WorstCase, folders: Iterable[Path | None], slacks: Mapping[int, float]) -> Report:
    """The report on one claim. Raises NotCovered, in one sentence, where the step or the class is not covered."""
    with _coverage(claim):
        return Report(claim, tuple(certified.answers(claim, folders)), slacks)


def one_step(claim: WorstCase, folder: Path) -> tuple[list[str], bool]:
    """Sentences on the worst case of one step as a formula, and whether it is proved. Raises NotCovered."""
    with _coverage(claim):
        form = closed_form.one_step(claim)
    return [f"{claim.key}: {s}" for s in form.sentences(folder) if s], not form.open_lines(folder)


def measured_curve(claim: WorstCase, store: Store) -> dict[int, float]:
    """T -> the least of bound / measured over the runs of the claim's simulation, in the quick profile."""
    if claim.sim is None or claim.measured is None:
        return {}
    marks = tuple(T - claim.shift for T in claim.horizons)
    sim = replace(claim.sim, marks=tuple(sorted({*claim.sim.marks, *marks})))
    return slacks(claim, ensure([sim], Options("quick"), store)[sim.key])


def slacks(claim: WorstCase, result: Any) -> dict[int, float]:
    """T -> the least of bound / measured over the runs, where T was recorded."""
    bound = claim.measured
    assert bound is not None
    right, left = bound.curves(result), result.table(claim.metric)
    out = {}
    for T in claim.horizons:
        at = np.flatnonzero(result.marks + claim.shift == T)
        if at.size and np.all(left[:, at[0]] > 0):
            out[T] = float(np.min(right[:, at[0]] / left[:, at[0]]))
    return out

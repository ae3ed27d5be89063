"""The exponent that is claimed of a curve: typed, or that of a theorem's case, of a law's term, of a statement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from sympy import Symbol

from workbench.theory import asymptotics
from workbench.theory.record import Law, Statement, Theorem


@dataclass(frozen=True)
class Claimed:
    """An exponent and where it is claimed: `wb.Claimed(-1 / 4, "Corollary 2")`.

    value: the power of T; a metric that falls like T^-1/4 has -0.25. source: where it is claimed. absent: term of a law
    -> quantity that must be 0 on the instance, because the exponent assumes that the instance lacks this term.
    but_constants: the view drops constant terms of the law, and so does the exponent.

    Raises ValueError for an exponent that is no number or not finite.
    """

    value: float
    source: str
    absent: Mapping[str, str] = field(default_factory=dict)
    but_constants: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.value, Real):
            raise ValueError(f"an exponent is a number, not a {type(self.value).__name__} ({self.source})")
        if not math.isfinite(self.value):
            raise ValueError(f"an exponent must be finite, not {self.value} ({self.source})")


NO_EXPONENT = Claimed(
    0.0, "no exponent is claimed"
)  # of a reading of which only other kinds of claims are made


def as_claimed(given: Any) -> Claimed | None:
    """An exponent with its origin; a mere number comes from the file that has it. Raises ValueError for no number."""
    if given is None or isinstance(given, Claimed):
        return given
    if isinstance(given, Real):
        return Claimed(float(given), "as written")
    raise ValueError(f"claimed is a {type(given).__name__}; wanted a number, or Claimed(exponent, source)")


def by_case(theorem: Theorem, name: str, at: Mapping[str, Any]) -> Claimed:
    """The exponent of a case at the given values of its free symbols.

    Raises KeyError for an unknown case, ValueError for a missing value.
    """
    claimed = theorem.case(name).claimed
    free = {s.name for s in claimed.free_symbols} - at.keys()
    if free:
        raise ValueError(f"the case {name!r} of {theorem.key} needs a value for {', '.join(sorted(free))}")
    return Claimed(float(claimed.subs({s: at[s.name] for s in claimed.free_symbols})), f"case {name}")


def by_law(
    theorem: Theorem,
    law: Law,
    at: Mapping[str, Any],
    term: str = "",
    vanishing: Mapping[str, str] | None = None,
    absent: Iterable[str] = (),
    forgets: bool = False,
) -> Claimed:
    """The exponent of the largest term of a law that is present, or of one ``term`` that no other term exceeds.

    at: symbol -> value. Terms with a symbol without a value are absent, as are those listed in ``absent``. vanishing:
    absent term -> quantity that must vanish on the instance. forgets: ignore constant terms.

    Raises KeyError for an unknown term, and ValueError if a term exceeds the isolated one, is absent without a quantity
    that proves it, if no term is left, and for values outside the law's ranges.
    """
    _check_ranges(theorem, law, at)
    exponents, absent_terms = {}, {}
    for name, exponent in law.terms.items():
        if forgets and exponent == 0:
            continue
        if name in set(absent) or {s.name for s in exponent.free_symbols} - at.keys():
            absent_terms[name] = (vanishing or {}).get(name, "")
        else:
            exponents[name] = float(exponent.subs({s: at[s.name] for s in exponent.free_symbols}))
    if foreign := ({term} - {""} | set(absent)) - law.terms.keys():
        raise KeyError(
            f"the law {law.name!r} of {theorem.key} has terms {sorted(law.terms)}, not {sorted(foreign)}"
        )
    if unshown := [name for name, quantity in absent_terms.items() if not quantity]:
        raise ValueError(
            f"{theorem.key}, {law.name}: no quantity proves that the term {unshown[0]!r} is absent"
        )
    if term and term not in exponents:
        raise ValueError(f"{theorem.key}, {law.name}: the term {term!r} is absent and cannot be isolated")
    if not exponents:
        raise ValueError(f"{theorem.key}, {law.name}: every term is absent or forgotten")
    largest = max(exponents, key=lambda name: exponents[name])
    if term and exponents[largest] > exponents[term] + 1e-12:
        raise ValueError(
            f"{theorem.key}, {law.name}: {term!r} (exponent {exponents[term]:g}) cannot be isolated, "
            f"because {largest!r} ({exponents[largest]:g}) is larger"
        )
    return Claimed(
        exponents[term or largest], f"law {law.name}, term {term or largest}", absent_terms, forgets
    )


def _check_ranges(theorem: Theorem, law: Law, at: Mapping[str, Any]) -> None:
    """Raises ValueError where the values that are known contradict one of the law's ranges (up to round-off)."""
    for relation in law.ranges:
        slack = relation.gts - relation.lts
        if not {s.name for s in slack.free_symbols} - at.keys():
            room = float(slack.subs({s: at[s.name] for s in slack.free_symbols}))
            if not room >= -1e-12:
                raise ValueError(f"{theorem.key}, {law.name}: claimed for {relation} only, not at {dict(at)}")


def by_statement(statement: Statement, variable: Symbol) -> Claimed:
    """The exponent of a statement's formula in one of its symbols, e.g. of a lemma's bound in t."""
    return Claimed(float(asymptotics.exponent(statement.formula, variable)), statement.key)

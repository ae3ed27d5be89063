"""The claims that the rates of a theorem follow from its bounds: exact, from formulas alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from workbench import evidence
from workbench.claims import identifiers
from workbench.claims.claims import Claim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.evidence.verdicts import Finding
from workbench.theory.asymptotics import NotCovered, sign_on
from workbench.theory.record import Case, Form, Law, Theorem


@dataclass(frozen=True)
class Exponent(Claim):
    """Does the rate claimed in a case, or by a law, follow from a form of the bound? Derived exactly, on demand.

    example: parameter name -> value at which to show the numbers of a law that holds everywhere.
    """

    theorem: Theorem
    form: Form
    of: Case | Law
    example: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.theorem.key

    evidence: ClassVar[str] = "exponent"

    @property
    def experiment(self) -> str:
        return f"{self.form.name}, {'law: ' if isinstance(self.of, Law) else ''}{self.of.name}"

    @property
    def parts(self) -> tuple[str, ...]:
        law = "law" if isinstance(self.of, Law) else ""
        return (identifiers.part(self.form.name), law, identifiers.part(self.of.name))

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        if isinstance(self.of, Law):
            return _law_finding(self.theorem, self.of, self.form.name, self.example)
        return _case_finding(self.theorem, self.of, self.form.name)


def exponents(
    theorem: Theorem, findings: Mapping[tuple[str, str], str] | None = None
) -> tuple[Exponent, ...]:
    """One claim per form and case. findings: (form, case) -> erratum, where the rate is known not to follow.

    A case that a form does not cover is left out unless ``findings`` lists it; then the theorem claims a rate on which
    that form is silent. Raises ValueError for a finding whose form or case does not exist.
    """
    errata_covered = [
        (form, case)
        for form in theorem.forms
        for case in theorem.cases
        if (form.name, case.name) in (findings or {}) or theorem.covers(case, form.name)
    ]
    return _exponents(theorem, errata_covered, findings or {}, {})


def law_exponents(
    theorem: Theorem, findings: Mapping[tuple[str, str], str], example: Mapping[str, Any]
) -> tuple[Exponent, ...]:
    """One claim per form and law. ``findings`` and errors as in `exponents`, ``example`` as in `Exponent`."""
    return _exponents(theorem, [(f, law) for f in theorem.forms for law in theorem.laws], findings, example)


def _exponents(
    theorem: Theorem,
    pairs: Iterable[tuple[Form, Any]],
    findings: Mapping[tuple[str, str], str],
    example: Mapping[str, Any],
) -> tuple[Exponent, ...]:
    claims, open_findings = [], set(findings)
    for form, of in pairs:
        note = findings.get((form.name, of.name), "")
        open_findings.discard((form.name, of.name))
        claims.append(
            Exponent(theorem, form, of, example, expected="violated" if note else "holds", note=note)
        )
    if open_findings:
        raise ValueError(f"{theorem.key} has no such form and case: {sorted(open_findings)}")
    return tuple(claims)


def _case_finding(theorem: Theorem, case: Case, form: str) -> Finding:
    """Compares derived and claimed exponent; if symbolic, for all values of the parameters in their ranges.

    The displayed numbers are those at the theorem's generic values. Raises Undecided if the outcome of the comparison
    changes within the ranges.
    """
    try:
        derived, claimed = theorem.exponent(case, form), case.claimed
    except NotCovered as nothing:
        nan = float("nan")
        silent = Finding(
            "exponent", float(case.claimed), nan, nan, nan, p_if_wrong=1.0, p_if_right=0.0, exact=True
        )
        return dataclasses.replace(silent, note=str(nothing))
    ranges = theorem.ranges(case)
    if not ranges:
        return evidence.exponent(derived, claimed, "at_most", sign_on(derived - claimed, {}))
    theorem.agrees(case, form)  # one answer on the whole range, or Undecided
    here = {s: theorem.generic[s] for s in ranges}
    derived_here, claimed_here = derived.xreplace(here), claimed.xreplace(here)
    finding = evidence.exponent(
        derived_here, claimed_here, "at_most", sign_on(derived_here - claimed_here, {})
    )
    everywhere = ", ".join(f"{s} in ({low}, {high})" for s, (low, high) in ranges.items())
    values = ", ".join(f"{s} = {value}" for s, value in here.items())
    note = f"derived {derived}, claimed {claimed} for all {everywhere}; shown at {values}"
    return dataclasses.replace(finding, note=note, at=values)


def _law_finding(theorem: Theorem, law: Law, form: str, example: Mapping[str, Any]) -> Finding:
    """Compares derived and claimed exponent, both maxima of linear forms, on the whole polytope.

    If the form does not imply the law, the finding shows a point of its region where the bound grows faster.
    """
    derived = theorem.law_exponent(law, form)
    point = theorem.counterexample(law, form)
    symbols = derived.free_symbols | law.claimed.free_symbols
    here = {s: example[s.name] for s in symbols} if point is None else {s: point[s] for s in symbols}
    finding = evidence.exponent(derived.subs(here), law.claimed.subs(here), "at_most")
    at = ", ".join(f"{s} = {value}" for s, value in sorted(here.items(), key=lambda item: str(item[0])))
    region = ", ".join(map(str, law.ranges)) or "exponents"
    verdict = "for all" if point is None else "not for all"
    shown_at = f"; shown at {at}" if at else ""
    note = f"derived {derived}, claimed {law.claimed}, {verdict} {region}{shown_at}"
    return dataclasses.replace(finding, note=note, at=at)

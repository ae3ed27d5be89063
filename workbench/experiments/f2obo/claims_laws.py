"""Rates claimed for whole regions of exponents: does the bound of each form imply them everywhere?

A law that a form does not imply is answered by a point of its region where the bound grows faster.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from sympy import Rational

from theorems.f2obo import THEOREMS
from workbench import evidence
from workbench.evidence.verdicts import Finding
from workbench.experiments.records import Claim

O_8D = "O-8: T^(2 tau) stands in front of the inner sums, so that very large inner batches do not help"
OWN = "only this project's form of the bound implies it"
# (theorem, form, law) -> why the form does not imply the law.
FINDINGS = {
    **{("thm-3.1", form, "regret, shrinking c"): OWN for form in ("printed", "repaired", "anytime")},
    **{("thm-3.2", form, "regret, sharp in E^f"): OWN for form in ("printed", "repaired")},
    **{("thm-4.1", form, "iterations, T log T"): OWN for form in ("printed", "repaired")},
    **{("thm-5.1", form, "regret"): O_8D for form in ("printed", "repaired")},
}
# Where the numbers of a law that holds are shown.
SHOWN = {
    "tau": Rational(1, 4), "v": Rational(1, 2), "h": Rational(1, 3), "e": Rational(1, 4), "g": Rational(1, 5),
    "a": Rational(0), "b": Rational(1, 4), "B_1": Rational(2, 3), "B_2": Rational(1, 2),
}  # fmt: skip


def compared(theorem: Any, law: Any, form: str) -> Finding:
    """Derived against claimed, both maxima of linear forms, on the whole polytope; exact."""
    derived = theorem.law_exponent(law, form)
    point = theorem.counterexample(law, form)
    symbols = derived.free_symbols | law.claimed.free_symbols
    here = {s: SHOWN[s.name] for s in symbols} if point is None else {s: point[s] for s in symbols}
    finding = evidence.exponent(derived.subs(here), law.claimed.subs(here), "at_most")
    at = ", ".join(f"{s} = {value}" for s, value in sorted(here.items(), key=lambda item: str(item[0])))
    region = ", ".join(map(str, law.ranges)) or "exponents"
    verdict = "for all" if point is None else "not for all"
    return dataclasses.replace(
        finding, note=f"derived {derived}, claimed {law.claimed}, {verdict} {region}; shown at {at}"
    )


def law_claims() -> list[Claim]:
    """One claim per theorem, form and law. Raises ValueError for a finding that names none of them."""
    made, left = [], set(FINDINGS)
    for theorem in THEOREMS:
        short = theorem.key.removeprefix("f2obo/")
        for form in theorem.forms:
            for law in theorem.laws:
                note = FINDINGS.get((short, form.name, law.name), "")
                left.discard((short, form.name, law.name))
                check = partial(_lazy, theorem, law, form.name)
                expected = "violated" if note else "holds"
                label = f"{form.name}, law: {law.name}"
                made.append(Claim(theorem.key, "exponent", label, check, (), expected, note))
    if left:
        raise ValueError(f"no such theorem, form and law: {sorted(left)}")
    return made


def _lazy(theorem: Any, law: Any, form: str, results: Any) -> Finding:
    """Compared when the verdict is asked for: a law takes up to two seconds."""
    return compared(theorem, law, form)


CLAIMS = tuple(law_claims())

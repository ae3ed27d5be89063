"""Rates claimed for whole regions of exponents: does each form of the bound imply them everywhere?"""

from __future__ import annotations

from sympy import Rational

from workbench.claims import law_exponents

from ..theory import THEOREMS
from ..theory.paper import PAPER

O_8D = "O-8: T^(2 tau) stands in front of the inner sums, so that very large inner batches do not help"
OWN = "only this project's form of the bound implies it"
# Theorem -> (form, law) -> why the form does not imply the law.
FINDINGS = {
    PAPER.entry("thm-3.1"): {
        (form, "regret, shrinking c"): OWN for form in ("printed", "repaired", "anytime")
    },
    PAPER.entry("thm-3.2"): {(form, "regret, sharp in E^f"): OWN for form in ("printed", "repaired")},
    PAPER.entry("thm-4.1"): {(form, "iterations, T log T"): OWN for form in ("printed", "repaired")},
    PAPER.entry("thm-5.1"): {(form, "regret"): O_8D for form in ("printed", "repaired")},
}
# The exponents at which the numbers of a law that holds are shown.
SHOWN = {
    "tau": Rational(1, 4), "v": Rational(1, 2), "h": Rational(1, 3), "e": Rational(1, 4), "g": Rational(1, 5),
    "a": Rational(0), "b": Rational(1, 4), "B_1": Rational(2, 3), "B_2": Rational(1, 2),
}  # fmt: skip

CLAIMS = tuple(claim for t in THEOREMS for claim in law_exponents(t, FINDINGS.get(t.key, {}), SHOWN))

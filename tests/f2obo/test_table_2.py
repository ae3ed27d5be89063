"""SOGD's bound in Table 2, and what the text says of it at L64."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Integer, Rational
from workbench.theorems.f2obo.experiments import claims_tables
from workbench.theorems.f2obo.theory import symbols as s
from workbench.theorems.f2obo.theory import table_2
from workbench.theorems.f2obo.theory.theorem_5_1 import COROLLARY

from workbench.evidence.verdicts import Verdict, decide
from workbench.theory import asymptotics


@pytest.mark.parametrize(
    ("drift", "exponent"),
    [(Integer(1), Rational(2, 3)), (s.T ** Rational(2, 3), Rational(4, 3)), (s.T, Rational(5, 3))],
)
def test_the_exponent_follows_the_drift(drift, exponent) -> None:
    assert asymptotics.exponent(table_2.sogd_at(drift), s.T) == exponent


def test_the_claim_holds_and_could_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    (claim,) = (c for c in claims_tables.CLAIMS if "SOGD's bound" in c.experiment)
    assert decide([claim.finding({})])[0].verdict is Verdict.HOLDS
    monkeypatch.setattr(table_2, "CLAIMED", Rational(1))
    assert decide([replace(claim).finding({})])[0].verdict is Verdict.VIOLATED


def test_the_corollary_has_the_smaller_exponent_at_this_drift() -> None:
    assert COROLLARY.case("drift").claimed == Rational(2, 3) < table_2.CLAIMED

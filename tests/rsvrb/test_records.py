"""The generic contract of theorems, applied to the records of this paper, which the catalog does not list yet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import test_contract_theorems as contract

from theorems.record import Theorem
from theorems.rsvrb import ERRATA, THEOREMS

FORMS = [(t, f.name) for t in THEOREMS for f in t.forms]
CASES = [(t, f, c.name) for t, f in FORMS for c in t.cases if t.covers(c, f)]
each_theorem = pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.key)
each_form = pytest.mark.parametrize(("theorem", "form"), FORMS, ids=lambda x: getattr(x, "key", x))
each_case = pytest.mark.parametrize(("theorem", "form", "case"), CASES, ids=lambda x: getattr(x, "key", x))


@each_theorem
def test_a_theorem_is_complete_and_its_constants_obey_the_assumptions(theorem: Theorem) -> None:
    contract.test_a_theorem_is_complete(theorem)
    contract.test_generic_constants_obey_the_assumptions(theorem)


@each_form
def test_a_form_can_be_shown_and_compiled(theorem: Theorem, form: str) -> None:
    contract.test_a_form_is_written_in_symbols_with_values(theorem, form)
    contract.test_the_compiled_bound_is_the_expression(theorem, form)


@each_case
def test_exponents_are_those_of_the_bound(theorem: Theorem, form: str, case: str) -> None:
    contract.test_exponents_do_not_depend_on_the_generic_constants(theorem, form, case)
    contract.test_a_faster_claim_is_refused(theorem, form, case)
    contract.test_exponents_agree_with_slopes_at_huge_arguments(theorem, form, case)


def test_every_erratum_has_a_test() -> None:
    text = (Path(__file__).parent / "test_errata.py").read_text()
    assert {e.label.lower() for e in ERRATA} == set(re.findall(r"def test_(e\d+)_", text))

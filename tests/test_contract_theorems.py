"""What every theorem and erratum keeps, whatever paper it comes from; a new record is picked up by itself.

A paper's own tests hold its numbers: the exponents expected of each case, constants retyped from the text, its errata.
Lemmas: `test_contract_lemmas`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from sympy import Expr, Integer, Rational, Symbol, lambdify
from thin import one_in

from tests.exponents import local_exponent, predicted_local_exponent
from workbench.claims.rate_of_bound import Exponent
from workbench.evidence.verdicts import decide
from workbench.run import catalog
from workbench.theory.record import Case, Form, Theorem

THEOREMS, LEMMAS = catalog.theorems(), catalog.lemmas()
PAPERS = sorted({t.paper.key for t in THEOREMS.values()})
EXPONENTS = [c for c in catalog.claims() if isinstance(c, Exponent)]
FORMS = [(t, f.name) for t in THEOREMS.values() for f in t.forms]
COVERED = [(t, f, c.name) for t, f in FORMS for c in t.cases if t.covers(c, f)]
each_theorem = pytest.mark.parametrize("theorem", THEOREMS.values(), ids=THEOREMS)
each_paper = pytest.mark.parametrize("paper", PAPERS)
each_form = pytest.mark.parametrize(
    ("theorem", "form"), one_in(2, FORMS, unpack=True), ids=lambda v: getattr(v, "key", v)
)
each_case = pytest.mark.parametrize(
    ("theorem", "form", "case"), one_in(3, COVERED, unpack=True), ids=lambda v: getattr(v, "key", v)
)


def errata_of(paper: str) -> set[str]:
    return {key.split("/")[1] for key in catalog.errata() if key.startswith(f"{paper}/")}


@each_theorem
def test_a_theorem_is_complete(theorem: Theorem) -> None:
    assert theorem.key.startswith(f"{theorem.paper.key}/")
    assert [f.name for f in theorem.forms][:1] in ([], ["printed"]) or all(f.own for f in theorem.forms)
    assert all(set(f.repairs) <= errata_of(theorem.paper.key) for f in theorem.forms)
    assert not any(f.repairs for f in theorem.forms if f.name == "printed")
    assert all(f.repairs for f in theorem.forms if f.name == "repaired")
    assert all("this project" in f.source for f in theorem.forms if f.own or f.name == "repaired")
    assert all(f.own or f.repairs for f in theorem.forms if "this project" in f.source)
    listed = {a for m in catalog.modules("theory") for a in getattr(m, "ASSUMPTIONS", ())}
    assert listed.issuperset(theorem.assumes) or all(f.own for f in theorem.forms)
    assert all("L" in c.source or c.source.startswith("this project") for c in theorem.cases)
    for wrong, pick in (("form", theorem.form), ("case", theorem.case), ("law", theorem.law)):
        with pytest.raises(KeyError, match=f"no such {wrong}"):
            pick(f"no such {wrong}")


def test_records_are_frozen_and_chains_in_order() -> None:
    theorem, x, y = next(iter(THEOREMS.values())), Symbol("x"), Symbol("y")
    with pytest.raises(dataclasses.FrozenInstanceError):
        theorem.key = "other"  # type: ignore[misc]
    for early in (((x, y + 1), (y, Integer(2))), ((x, Integer(2)), (x, Integer(1)))):
        with pytest.raises(ValueError, match="defined twice or from"):
            Form("broken", early, "here")


@each_theorem
def test_generic_constants_obey_the_assumptions(theorem: Theorem) -> None:
    for assumption in theorem.assumes:
        assert all(relation.subs(theorem.generic) for relation in assumption.relations), assumption.key
        for symbol, (low, high) in assumption.ranges.items():
            assert low < theorem.generic[symbol] < high


@each_form
def test_a_form_is_written_in_symbols_with_values(theorem: Theorem, form: str) -> None:
    """Every free symbol is the horizon or has a value for derivations; LaTeX shows no Python name."""
    free = theorem.in_parameters(form).free_symbols
    assert free <= set(theorem.form(form).parameters)
    assert {theorem.horizon, *theorem.generic} >= free
    for name, formula in theorem.latex_definitions(form):
        text = (name + formula).replace("\\", "~")
        for word in ("sigma_", "kappa_sigma ", "Delta_1", "l_f", "l_g", "IsZero", "IsPositive", "mu_"):
            assert f" {word}" not in text
    assert theorem.latex(form) == theorem.latex_definitions(form)[-1][1]


# ----------------------------------------------------------------------------------------- compiled bounds


def moved(theorem: Theorem, rng: np.random.Generator) -> dict[Symbol, Expr]:
    """Other constants: the generic ones times up to 3 either way, where the assumptions allow it."""
    values = {s: v for s, v in theorem.generic.items() if v.is_number}
    ranges = {s: r for a in theorem.assumes for s, r in a.ranges.items()}
    relations = [r for a in theorem.assumes for r in a.relations]  # all of which hold so far
    for symbol, value in list(values.items()):
        share = Rational(int(rng.integers(1, 100)), 100)
        if symbol in ranges:
            low, high = ranges[symbol]
            new = low + (high - low) * share
        else:
            new = value if symbol.is_integer else value * 3 ** (2 * share - 1)
        tried = {**values, symbol: Rational(str(round(float(new), 6)))}
        if all(bool(r.subs(tried)) for r in relations if symbol in r.free_symbols):
            values = tried
    return {s: e.xreplace(values) for s, e in theorem.generic.items()}


def points(theorem: Theorem, form: str) -> Iterator[dict[str, Expr]]:
    """Values of all parameters: generic ones and others, as they are and in every case, at two horizons."""
    rng = np.random.default_rng(len(theorem.key))
    everywhere = Case("", {}, Integer(0), "", theorem.horizon)
    for case in (everywhere, *theorem.cases):
        for horizon in (Integer(60), Integer(10) ** 7):
            values = {**moved(theorem, rng), **case.when, theorem.horizon: horizon, case.variable: horizon}
            for _ in range(2):  # expressions in the horizon, and in those
                values = {s: e.xreplace(values) for s, e in values.items()}
            yield {s.name: values[s] for s in theorem.form(form).parameters}


@each_form
def test_the_compiled_bound_is_the_expression(theorem: Theorem, form: str) -> None:
    """NumPy's code, in one call for all points, against mpmath's; positive, infinite where the form says nothing."""
    chosen, at = theorem.form(form), list(points(theorem, form))
    columns = {n: np.array([[float(p[n])] for p in at]) for n in at[0]}
    columns[theorem.horizon.name] = columns[theorem.horizon.name].astype(int)  # whose cube would overflow
    found = np.broadcast_to(theorem.numeric(form)(**columns), (len(at), 1))
    assert found.dtype == np.float64
    covers = chosen.covers.xreplace(chosen.values())
    there, exact = (lambdify(chosen.parameters, e, "mpmath") for e in (covers, chosen.in_parameters()))
    with mpmath.workdps(30):
        for row, value in enumerate(found[:, 0]):
            point = [mpmath.mpf(float(columns[s.name][row, 0])) for s in chosen.parameters]
            if there(*point) == 0:
                assert value == math.inf
            else:
                assert 0 < value < math.inf
                assert value == pytest.approx(float(exact(*point)), rel=1e-9)
    listed = theorem.constants(form, **{n: float(v) for n, v in at[0].items()})
    assert list(listed) == [s.name for s, _ in chosen.definitions]
    last = listed[chosen.definitions[-1][0].name]
    assert found[0, 0] in (pytest.approx(last, rel=1e-12), math.inf)
    with pytest.raises(TypeError, match=f"missing constants: {theorem.horizon}"):
        theorem.numeric(form)(**{n: v for n, v in columns.items() if n != theorem.horizon.name})


# ------------------------------------------------------------------------------------------------ exponents


@pytest.mark.parametrize("claim", EXPONENTS, ids=lambda c: f"{c.key}-{c.experiment}")
def test_a_claimed_exponent_follows_or_a_finding_says_why(claim: Exponent) -> None:
    finding = claim.finding({})
    (decided,) = decide([finding])
    assert decided.verdict == claim.expected
    if isinstance(claim.of, Case) and claim.theorem.ranges(claim.of):
        assert "for all" in finding.note


def test_every_case_and_law_is_claimed() -> None:
    claimed = {(c.theorem.key, c.form.name, c.of.name) for c in EXPONENTS}
    assert {(t.key, f, case) for t, f, case in COVERED if not t.form(f).own} <= claimed
    assert {(t.key, f, law.name) for t, f in FORMS for law in t.laws} <= claimed


@each_case
def test_exponents_do_not_depend_on_the_generic_constants(theorem: Theorem, form: str, case: str) -> None:
    other = dataclasses.replace(theorem, generic=moved(theorem, np.random.default_rng(1)))
    assert other.exponent(case, form) == theorem.exponent(case, form)


@each_case
def test_a_faster_claim_is_refused(theorem: Theorem, form: str, case: str) -> None:
    at = theorem.case(case)
    for change, agrees in ((Integer(0), True), (Rational(1, 100), False)):
        claimed: Any = theorem.exponent(case, form) - change
        assert theorem.agrees(dataclasses.replace(at, claimed=claimed), form) is agrees


@each_case
def test_exponents_agree_with_slopes_at_huge_arguments(theorem: Theorem, form: str, case: str) -> None:
    """Local slope in mpmath against the leading term with its logarithms, for two values of a free exponent.

    What is left of a lower-order term decays at best like a power of 1/log T.
    """
    chosen = theorem.case(case)
    for share in (Rational(1, 5), Rational(4, 5)) if theorem.ranges(chosen) else (Rational(0),):
        fixed = {s: low + (high - low) * share for s, (low, high) in theorem.ranges(chosen).items()}
        at = dataclasses.replace(chosen, when={**chosen.when, **fixed})
        values = theorem.form(form).values(theorem._at(at))
        bound = values[chosen.of or theorem.form(form).definitions[-1][0]]
        found = theorem.growth(at, form)
        gaps = [
            abs(local_exponent(bound, chosen.variable, t) - predicted_local_exponent(found, t))
            for t in ("1e50", "1e300")
        ]
        assert gaps[1] < gaps[0] or gaps[1] < 1e-6
        assert gaps[1] < 0.012


# ------------------------------------------------------------------------------------------------- the errata


@each_paper
def test_every_erratum_has_a_test_or_a_line_of_the_ledger(paper: str) -> None:
    """A check that documents it; else its label stands in a test of the paper: in its name, docstring or a comment."""
    folder = Path(__file__).parent / paper
    text = "\n".join(path.read_text() for path in sorted(folder.glob("test_*.py")))
    checked = {c.erratum for lemma in LEMMAS.values() if lemma.paper.key == paper for c in lemma.checks}
    named = {name.lower() for name in re.findall(r"def test_([a-z]+\d+[a-z]?)_", text)}
    labels = errata_of(paper) - checked
    tried = {e for e in labels if re.sub(r"\W", "", e.lower()) in named or re.search(rf"\b{e}\b", text)}
    assert tried == labels

"""What every theorem, lemma and erratum keeps, whatever paper it comes from; a new record is picked up by itself.

A paper's own tests hold its numbers: the exponents expected of each case, constants retyped from the text, its errata.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theorems.lemma import MEASURED, Identity, Induction, Inequality
from theorems.record import Theorem
from workbench import catalog
from workbench.ledger import graph

THEOREMS, LEMMAS = catalog.theorems(), catalog.lemmas()
PAPERS = sorted({t.paper.key for t in THEOREMS.values()})
each_theorem = pytest.mark.parametrize("theorem", THEOREMS.values(), ids=THEOREMS)
each_paper = pytest.mark.parametrize("paper", PAPERS)
CHECKS = [(lemma, check) for lemma in LEMMAS.values() for check in lemma.checks]


def errata_of(paper: str) -> set[str]:
    return {key.split("/")[1] for key in catalog.errata() if key.startswith(f"{paper}/")}


@each_theorem
def test_a_theorem_is_complete(theorem: Theorem) -> None:
    assert theorem.key.startswith(f"{theorem.paper.key}/")
    assert all(set(f.repairs) <= errata_of(theorem.paper.key) for f in theorem.forms)
    assert not any(f.repairs for f in theorem.forms if f.name == "printed")
    assert all(f.repairs for f in theorem.forms if f.name == "repaired")
    assert all("L" in c.source or c.source.startswith("this project") for c in theorem.cases)


@each_theorem
def test_generic_constants_obey_the_assumptions(theorem: Theorem) -> None:
    for assumption in theorem.assumes:
        assert all(relation.subs(theorem.generic) for relation in assumption.relations), assumption.key
        for symbol, (low, high) in assumption.ranges.items():
            assert low < theorem.generic[symbol] < high


@pytest.mark.parametrize(
    ("theorem", "form"),
    [(t, f.name) for t in THEOREMS.values() for f in t.forms],
    ids=lambda v: getattr(v, "key", v),
)
def test_a_form_is_written_in_symbols_with_values(theorem: Theorem, form: str) -> None:
    """Every free symbol is the horizon or has a value for derivations; LaTeX shows no Python name."""
    free = theorem.expanded(form).free_symbols
    assert free <= set(theorem.form(form).parameters)
    assert {theorem.horizon, *theorem.generic} >= free
    for name, formula in theorem.latex_definitions(form):
        text = (name + formula).replace("\\", "~")
        for word in ("sigma_", "kappa_sigma ", "Delta_1", "l_f", "l_g", "IsZero", "IsPositive", "mu_"):
            assert f" {word}" not in text
    assert theorem.latex(form) == theorem.latex_definitions(form)[-1][1]


# ------------------------------------------------------------------------------------------------- the ledgers


@each_paper
def test_lines_expected_to_fail_are_errata(paper: str) -> None:
    """Each is labelled and printed, and something holds in its place."""
    mine = [c for lemma, c in CHECKS if lemma.paper.key == paper]
    broken = [c for c in mine if c.expected == "violated"]
    assert broken
    assert [c.name for c in broken if not c.erratum] == []
    right = {c.erratum for c in mine if c.expected == "holds" and c.form != "printed"}
    assert {c.erratum for c in broken} <= right
    assert {c.erratum for c in mine if c.erratum} <= errata_of(paper)


@each_paper
def test_measured_lines_use_every_run_of_the_ledger(paper: str) -> None:
    used = {on for lemma, c in CHECKS if isinstance(c, MEASURED) for on in c.on}
    there = {*catalog.samplers(), *(key for key, sim in catalog.simulations().items() if sim.probe)}
    assert {key for key in there - used if key.startswith(f"{paper}/")} == set()


@each_paper
def test_every_lemma_has_a_statement_and_a_source(paper: str) -> None:
    for lemma in LEMMAS.values():
        if lemma.paper.key == paper:
            assert "L" in lemma.source or "this project" in lemma.source, lemma.key
            assert lemma.statement.endswith("."), lemma.key
            assert all(
                isinstance(c, (Inequality, Identity, Induction, *MEASURED)) or c.name for c in lemma.checks
            )


@each_paper
def test_chains_reach_an_assumption(paper: str) -> None:
    mine = {key: lemma for key, lemma in LEMMAS.items() if lemma.paper.key == paper}
    for key in mine.keys() & THEOREMS.keys():
        links = graph.chain(mine, key)
        assert any("/asm-" in used for lemma in links for used in lemma.uses), key


# -------------------------------------------------------------------------------------------------- the errata


@each_paper
def test_every_erratum_has_a_test_or_a_line_of_the_ledger(paper: str) -> None:
    """Named after its label: test_e1_..., test_o8_... in the paper's test_errata, or an exact check."""
    text = (Path(__file__).parent / paper / "test_errata.py").read_text()
    tried = set(re.findall(r"def test_([a-z]+\d+)", text))
    checked = {c.erratum for lemma, c in CHECKS if lemma.paper.key == paper}
    untried = {
        label
        for label in errata_of(paper) - checked
        if re.sub(r"\W", "", label.lower()) not in tried and label not in text
    }
    assert untried == set()

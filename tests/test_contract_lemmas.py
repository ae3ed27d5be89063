"""What every proof ledger keeps, whatever paper it comes from; a new lemma is picked up by itself.

Exact checks are decided in `test_ledger_papers`. Here measured lines run on the ledgers' own simulations and samplers,
in the quick profile. Which algorithms and constants break which line: tests/<paper>/test_lemmas.
"""

from __future__ import annotations

import dataclasses
import re

import pytest
from measured_lines import LEMMAS, LINES, measured

from workbench.evidence.verdicts import Verdict
from workbench.ledger import graph
from workbench.ledger.checks import decide
from workbench.ledger.trees import ONE, ZERO
from workbench.run import catalog
from workbench.theory.lemma import MEASURED, Exact
from workbench.theory.record import Statement

PAPERS = sorted({lemma.paper.key for lemma in LEMMAS.values()})
CHECKS = [(lemma, check) for lemma in LEMMAS.values() for check in lemma.checks]
each_paper = pytest.mark.parametrize("paper", PAPERS)


def errata_of(paper: str) -> set[str]:
    return {key.split("/")[1] for key in catalog.errata() if key.startswith(f"{paper}/")}


@pytest.mark.parametrize(("key", "name"), LINES, ids=[f"{key}: {name}" for key, name in LINES])
def test_a_measured_line_comes_out_as_recorded(key: str, name: str) -> None:
    """As one of a family of forty."""
    check = LEMMAS[key].check(name)
    found = measured(key, check)
    p = {"holds": found.p_if_wrong, "violated": found.p_if_right}[check.expected]
    assert p < 0.01 / 40, found.note


@each_paper
def test_measured_lines_and_waterfalls_use_every_run_of_the_ledger(paper: str) -> None:
    used = {on for _, c in CHECKS if isinstance(c, MEASURED) for on in c.on}
    used |= {waterfall.sim.key for waterfall in catalog.waterfalls()}
    there = {*catalog.samplers(), *(key for key, sim in catalog.simulations().items() if sim.probe)}
    assert {key for key in there - used if key.startswith(f"{paper}/")} == set()


@each_paper
def test_every_lemma_has_a_statement_and_a_source(paper: str) -> None:
    for lemma in LEMMAS.values():
        if lemma.paper.key == paper:
            assert "L" in lemma.source or "this project" in lemma.source, lemma.key
            assert lemma.statement.endswith("."), lemma.key
            assert all(c.name for c in lemma.checks)


def statements(paper: str) -> set[str]:
    """Keys of the formulas of a paper that are claimed and are no theorems, as a number of steps for an accuracy."""
    values = (value for module in catalog.modules("theory") for value in vars(module).values())
    return {value.key for value in values if isinstance(value, Statement) and value.paper.key == paper}


@each_paper
def test_every_link_carries_a_theorem_and_rests_on_an_assumption(paper: str) -> None:
    mine = {key: lemma for key, lemma in LEMMAS.items() if lemma.paper.key == paper}
    carried = set()
    for key in mine.keys() & (catalog.theorems().keys() | statements(paper)):
        links = graph.chain(mine, key)
        assert any("/asm-" in used for lemma in links for used in lemma.uses), key
        carried |= {lemma.key for lemma in links}
    assert carried == mine.keys()


@each_paper
def test_every_theorem_of_the_paper_has_a_chain(paper: str) -> None:
    """Remarks and this project's own theorems may go without."""
    named = {key for key, theorem in catalog.theorems().items() if theorem.paper.key == paper}
    assert {key for key in named - LEMMAS.keys() if not re.search("/(own|rem)-", key)} == set()


@each_paper
def test_conditions_can_be_met(paper: str) -> None:
    """A false statement under the conditions of an inequality that holds is refuted: the box is not empty."""
    for lemma, check in CHECKS:
        if lemma.paper.key == paper and isinstance(check, Exact) and check.statement.get("given"):
            if check.statement["kind"] != "inequality":
                continue
            false = {**check.statement, "lhs": ONE, "rhs": ZERO}
            never = dataclasses.replace(check, statement=false, constants={}, stronger={}, witness={})
            assert check.expected == "violated" or decide(never, 3).verdict == Verdict.VIOLATED, check.name


@each_paper
def test_lines_expected_to_fail_are_errata(paper: str) -> None:
    """Each is labelled and printed, and something holds in its place."""
    mine = [c for lemma, c in CHECKS if lemma.paper.key == paper]
    broken = [c for c in mine if c.expected == "violated"]
    assert broken
    assert [c.name for c in broken if not c.erratum or c.form != "printed"] == []
    right = {c.erratum for c in mine if c.expected == "holds" and c.form != "printed"}
    assert {c.erratum for c in broken} <= right
    assert {c.erratum for c in mine if c.erratum} <= errata_of(paper)

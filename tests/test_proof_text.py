"""The text of a paper's proofs: what a mistake is told with, what belongs to what, and what a newcomer writes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from sympy import symbols

from workbench.homes.usage import UsageError
from workbench.ledger import printer
from workbench.ledger.checks import decide
from workbench.ledger.proof_text import Proof, read
from workbench.ledger.statements import statement
from workbench.run import catalog
from workbench.theory.lemma import AlongTrajectory, Exact, InExpectation, WithProbability
from workbench.theory.record import Paper

PAPER = Paper("mine", "Mine", "me", "draft")
L, T = symbols("L T", positive=True)
FORMULAS = {"bound_of_record": L / T}
ERRATA = ("E1",)
TEXT = """\
# A comment.
for x, y > 0, L, T > 0

section L390 | elementary
quoted     L391 | definition of G_t
unchecked  (9), L399 | both sums together | standard

[lem-1] Young's inequality | Lemma 1, L400-410
  uses    lem-0; asm-1(ii), or convex
  says    $2 x y$ is at most
          $c (x^2 + y^2)$.
  note    For readers.
  for     t in [0, 1]
  - two terms | states
    2*x*y <=
      c*(x^2 + y^2)
    constant  c = 1
    shows     (10), L402 | Young's inequality
  - the last step, as printed | refuted E1
    x <= t*x
    witness   t = 1/2, x = 1
    shows     (10), L402
  - the last step, repaired | states, repaired E1
    t*x <= x
  - the record
    bound_of_record <= 1 given L <= T
    budget    9
  - along runs
    in every run: gap <= bound_of_record on sim-sgd, other/sim-x
  - on average
    on average: gap >= 2*low on sim-sgd
  - likely | own
    with probability 9/10 at each time: if(t > 1, gap, 0) <= 1 on smp-a
section L500 | later
[lem-2] Nothing | L501
  says    Nothing.
  quoted
"""


def read_text(folder: Path, text: str, **more: Any) -> Proof:
    path = folder / "proof.txt"
    path.write_text(text, encoding="utf-8")
    return read(path, PAPER, **{"formulas": FORMULAS, "errata": ERRATA} | more)


def test_a_text_is_its_records(tmp_path: Path) -> None:
    one, two = read_text(tmp_path, TEXT).lemmas
    assert (one.key, one.title, one.source) == ("mine/lem-1", "Young's inequality", "Lemma 1, L400-410")
    assert one.statement == "$2 x y$ is at most $c (x^2 + y^2)$."
    assert one.uses == ("mine/lem-0", "mine/asm-1(ii), or convex")
    assert (one.note, one.quoted, two.quoted, one.errata) == ("For readers.", False, True, ("E1",))
    young, printed, repaired, record, run, mean, likely = one.checks
    assert isinstance(young, Exact)
    assert isinstance(record, Exact)
    assert [c.shows for c in one.checks[:4]] == ["statement", "line", "statement", "line"]
    assert (printed.expected, printed.erratum, repaired.form, likely.form) == (
        "violated",
        "E1",
        "repaired",
        "own",
    )
    assert printer.statement(statement(young)) == "2*x*y <= 1*(x^2 + y^2) for x, y > 0"
    assert printer.statement(statement(record)) == "L/T <= 1 for L, T > 0 given T - L >= 0"
    assert record.budget == 9
    assert isinstance(run, AlongTrajectory)
    assert isinstance(mean, InExpectation)
    assert isinstance(likely, WithProbability)
    assert (run.on, run.rhs) == (("mine/sim-sgd", "other/sim-x"), L / T)
    assert str(mean.lhs) == "2*low"
    assert (str(likely.probability), likely.uniform) == ("9/10", False)
    assert [str(decide(c).verdict) for c in (young, printed, repaired, record)] == [
        "holds",
        "violated",
        "holds",
        "holds",
    ]


def test_displayed_lines_are_in_the_order_of_the_paper(tmp_path: Path) -> None:
    rows = read_text(tmp_path, TEXT).displays
    assert [(row.source, row.section, row.link, row.checks, row.quoted, row.why) for row in rows] == [
        ("L391", "elementary", "", (), True, ""),
        ("(9), L399", "elementary", "", (), False, "standard"),
        ("(10), L402", "elementary", "lem-1", ("two terms", "the last step, as printed"), False, ""),
    ]


def test_unnumbered_lines_follow_the_number_before_them(tmp_path: Path) -> None:
    """A text that is one long line: the numbers of its equations say where a section begins."""
    text = """\
section L97 | first
quoted (3), L97 | three
quoted L97 | after three
section (7), L97 | second
quoted L97 | after seven
quoted (8), L97 | eight
"""
    rows = read_text(tmp_path, text, formulas={}).displays
    assert [(row.says, row.section) for row in rows] == [
        ("three", "first"),
        ("after three", "first"),
        ("after seven", "second"),
        ("eight", "second"),
    ]


DAMAGED = {
    "a cut statement": (
        "    2*x*y <=\n      c*(x^2 + y^2)\n",
        "    2*x*y <=\n",
        "15:13: .* not the end of the line",
    ),
    "no statement": ("    2*x*y <=\n      c*(x^2 + y^2)\n", "", "15:15: expected an operator, <=, >= or ="),
    "a syntax error on the second line": ("c*(x^2 + y^2)", "c*(x^2 + )", "16:16: expected a number"),
    "no domain": ("    t*x <= x\n", "    t*x <= z\n", "24:12: expected a domain of z"),
    "an empty domain": ("t in [0, 1]", "t in [1, 0]", "13:13: expected a domain that is not empty"),
    "a name twice": ("the last step, repaired |", "two terms |", "23:5: .* check 'two terms' already"),
    "a record twice": ("[lem-2]", "[lem-1]", "35:1: .* record lem-1 already"),
    "an unknown erratum": ("refuted E1", "refuted E7", "19:33: .* not 'E7'"),
    "an erratum without a label": ("refuted E1", "refuted", "19:33: .* not ''"),
    "an unknown tag": ("| states\n    2", "| state\n    2", "14:17: expected tags as .* not 'state'"),
    "tags against each other": ("| refuted E1", "| refuted E1, repaired E2", "19:45: .* contradict"),
    "an unknown word": ("    budget    9", "    budgets   9", "27:5: .* not 'budgets'"),
    "a word of a record in a check": ("    budget    9", "    uses      9", "27:5: .* not 'uses'"),
    "no seconds": ("    budget    9", "    budget    soon", "27:15: expected a number of seconds"),
    "a witness of another variable": ("t = 1/2, x = 1", "t = 1/2, z = 1", "21:15: .* every variable"),
    "a witness twice": ("t = 1/2, x = 1", "t = 1/2, t = 1", "21:24: expected one value of t"),
    "a line that no source has": (
        "shows     (10), L402\n",
        "shows     L999\n",
        "22:15: expected 'shows L999",
    ),
    "a source without lines": ("quoted     L391", "quoted     page 3", "5:1: expected the lines of the text"),
    "a row without its reason": (" | standard", "", "6:12: expected 'unchecked SOURCE"),
    "no words": ("  says    Nothing.\n", "", "35:1: expected 'says'"),
    "words twice": ("  note    For readers.", "  says    For readers.", "12:3: expected one 'says'"),
    "a dollar alone": ("$2 x y$ is", "$2 x y is", "8:1: .*dollar"),
    "no source of a record": ("[lem-2] Nothing | L501", "[lem-2] Nothing", "35:1: expected '.lem-1. a title"),
    "a tab": ("    budget    9", "\tbudget    9", "27:1: expected spaces, not a tab"),
    "a wrong indent": ("    budget    9", "   budget    9", "27:4: expected an indent"),
    "a check of no record": (
        TEXT[TEXT.index("[lem-1]") : TEXT.index("  - two")],
        "",
        "6:12: expected 'unchecked SOURCE",
    ),
    "nothing to measure on": (" on sim-sgd, other/sim-x", "", "29:5: expected 'on'"),
    "an equation on average": ("gap >= 2*low", "gap = 2*low", "31:5: expected <= or >="),
    "a function that cannot be measured": ("2*low", "f(low)", "31:5: .* evaluated along runs"),
    "a constant along runs": (
        "on smp-a",
        "on smp-a\n    constant  c = 1",
        "34:15: expected no 'constant'",
    ),
    "a formula with a domain": ("given L <= T", "for bound_of_record > 0", "26:5: .* formula of the paper"),
    "a limit that is no integer": ("t*x <= x", "sum(k, k, 1, x) <= x", "24:5: a limit that need not be"),
    "the power 0": ("t*x <= x", "t*x^0 <= x", "24:5: the power 0"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_text_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    old, new, said = DAMAGED[name]
    assert old in TEXT
    with pytest.raises(UsageError, match=f"proof.txt:{said}") as caught:
        read_text(tmp_path, TEXT.replace(old, new, 1))
    assert "\n" not in str(caught.value)


def test_a_formula_must_be_named_and_a_name_must_be_a_formula(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has the formula more, which FORMULAS defines"):
        read_text(tmp_path, TEXT, formulas={**FORMULAS, "more": L})
    with pytest.raises(UsageError, match="26:5: expected a domain of bound_of_record"):
        read_text(tmp_path, TEXT, formulas={})


@pytest.mark.parametrize("cut", range(0, len(TEXT), 23))
def test_a_text_that_is_cut_is_read_or_told(cut: int, tmp_path: Path) -> None:
    with contextlib.suppress(UsageError):
        read_text(tmp_path, TEXT[:cut])


def test_what_is_printed_of_the_papers_reads_back() -> None:
    """Every exact line of the shipped papers: printed, and parsed again, it is the same statement."""
    from workbench.ledger import parser

    lines = [c for x in catalog.lemmas().values() for c in x.checks if isinstance(c, Exact)]
    assert len(lines) > 900
    for check in lines:
        s = statement(check)
        assert parser.statement(printer.statement(s)) == s, check.name

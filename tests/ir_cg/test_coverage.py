"""The table of the displayed lines of the paper `ir_cg`: references, the order of the text, counts on record."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from workbench.ledger.coverage import counts, kind
from workbench.run import catalog
from workbench.theory.coverage import Display

ROWS = [row for row in catalog.coverage() if row.paper == "ir_cg"]
LEMMAS = {k: x for k, x in catalog.lemmas().items() if x.paper.key == "ir_cg"}

SECTIONS = {
    "rates": {"exact": 4},
    "preparation": {"exact": 14, "not checked": 2, "quoted": 2},
    "one sample": {"exact": 19, "measured": 2, "not checked": 7, "quoted": 8},
    "finite sum": {"exact": 33, "measured": 1, "not checked": 17, "quoted": 10},
    "limits": {"exact": 3, "not checked": 4},
    "nonconvex": {"exact": 19, "not checked": 1, "quoted": 2},
    "nonconvex finite": {"exact": 34, "not checked": 11, "quoted": 2},
    "finiteness": {"exact": 3, "not checked": 7},
}


def rows_of(section: str) -> list[Display]:
    return [row for row in ROWS if row.section == section]


def lines(source: str) -> tuple[int, int]:
    """First and last line of a source such as "(26), L610-612"."""
    found = re.search(r"L(\d+)(?:-(\d+))?$", source)
    assert found, source
    return int(found[1]), int(found[2] or found[1])


@pytest.mark.parametrize("section", SECTIONS)
def test_counts(section: str) -> None:
    """A change of what is shown of a line must be seen here, and in the text that quotes these numbers."""
    assert dict(counts(rows_of(section), LEMMAS)["ir_cg"]) == SECTIONS[section]


def test_every_section_is_in_the_table() -> None:
    assert [x for section in SECTIONS for x in rows_of(section)] == ROWS


@pytest.mark.parametrize("section", SECTIONS)
def test_lines_follow_the_text(section: str) -> None:
    """Displays do not go back; two entries for the same lines are two relations of one display."""
    sources = [lines(x.source) for x in rows_of(section)]
    assert all(first <= last for first, last in sources)
    for one, other in pairwise(sources):
        assert one == other or one[1] <= other[0], (one, other)


def test_numbered_equations_are_listed() -> None:
    """(9)-(31) and (33), the numbered equations of Appendices A and B.1, B.2, B.4; (15) and (23) have parts."""
    listed = {m[1] for x in ROWS if (m := re.match(r"\((\d+)[a-z]?\), L", x.source))}
    assert listed == {str(n) for n in (*range(9, 32), 33)}


def test_no_line_rests_on_arithmetic() -> None:
    assert not [x.source for x in ROWS if kind(x, LEMMAS) == "arithmetic"]


def test_a_line_that_is_wrong_names_the_check_that_refutes_it() -> None:
    """Every wrong line has its display, except the ones in the text between the proofs."""
    wrong = {
        (x.key.split("/")[1], c.name) for x in LEMMAS.values() for c in x.checks if c.expected == "violated"
    }
    named = {(x.link, name) for x in ROWS for name in x.checks}
    assert {name for _, name in wrong - named} == {
        "factors of (ii) as stated",  # beside "(ii) as stated, at t = 1"
        "Condition 3 at p = 3/4, t = 10",  # L494
        "Condition 4 for varsigma (t+1)^-p: sigma_0 = sigma_1",  # L853
        "weights as printed, t = 1",  # beside the printed weights of Lemma 14, which hold
    }

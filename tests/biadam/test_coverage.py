"""Coverage of the displayed lines of the paper `biadam`: names exist, order of the text, numbers of each kind."""

from __future__ import annotations

import re

import pytest
from workbench.theorems.biadam.theory import coverage

from workbench.ledger.coverage import counts, kind
from workbench.run import catalog

LEMMAS = {key: x for key, x in catalog.lemmas().items() if x.paper.key == "biadam"}
# A change of these numbers is a change of what the report says.
SECTIONS: dict[str, dict[str, int]] = {
    "MAIN_TEXT": {"exact": 19, "not checked": 4, "quoted": 8},
    "PREPARATION": {"exact": 34, "not checked": 4, "quoted": 4},
    "BIADAM": {"exact": 38, "not checked": 2, "quoted": 1},
    "VR_BIADAM": {"exact": 41, "not checked": 3, "quoted": 1},
}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_numbers_of_each_kind(section: str) -> None:
    assert dict(counts(getattr(coverage, section), LEMMAS)["biadam"]) == SECTIONS[section]


def test_every_section_is_in_the_table_and_in_the_catalog() -> None:
    assert tuple(x for section in SECTIONS for x in getattr(coverage, section)) == coverage.COVERAGE
    assert set(coverage.COVERAGE) <= set(catalog.coverage())


@pytest.mark.parametrize("section", SECTIONS)
def test_lines_follow_the_text(section: str) -> None:
    """Neither the lines of the text nor the numbers of the equations go back."""
    rows = getattr(coverage, section)
    lines = [int(re.search(r"L(\d+)$", row.source)[1]) for row in rows]  # type: ignore[index]
    numbers = [int(m[1]) for row in rows if (m := re.match(r"\((\d+)\), L", row.source))]
    assert lines == sorted(lines)
    assert numbers == sorted(numbers)


def test_numbered_equations_are_listed() -> None:
    """(16)-(96), of which (53) is on no line of the text; (3)-(6), (11), (14), (15) of the main text."""
    listed = {int(m[1]) for row in coverage.COVERAGE if (m := re.match(r"\((\d+)\), L", row.source))}
    assert listed == {3, 4, 5, 6, 11, 14, 15, *range(16, 97)} - {53}


def test_every_exact_check_is_used_or_beside_the_text() -> None:
    """A check that no row names is repaired, of this project, or shows a line the rows name another check for."""
    named = {(row.link, check) for row in coverage.COVERAGE for check in row.checks}
    for key, lemma in LEMMAS.items():
        for check in lemma.checks:
            if check.expected == "violated":
                assert (key.removeprefix("biadam/"), check.name) in named, (key, check.name)


def test_what_is_not_checked_says_why() -> None:
    for row in coverage.COVERAGE:
        assert kind(row, LEMMAS) != "not checked" or row.why

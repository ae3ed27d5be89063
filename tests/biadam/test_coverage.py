"""Coverage of the displayed lines of the paper `biadam`: names exist, order of the text, numbers of each kind."""

from __future__ import annotations

import re

import pytest

from workbench.ledger.coverage import counts
from workbench.run import catalog
from workbench.theory.coverage import Display

ROWS = [row for row in catalog.coverage() if row.paper == "biadam"]
LEMMAS = {key: x for key, x in catalog.lemmas().items() if x.paper.key == "biadam"}
# A change of these numbers is a change of what the report says.
SECTIONS: dict[str, dict[str, int]] = {
    "main text": {"exact": 19, "not checked": 4, "quoted": 8},
    "preparation": {"exact": 34, "not checked": 4, "quoted": 4},
    "biadam": {"exact": 38, "not checked": 2, "quoted": 1},
    "vr biadam": {"exact": 41, "not checked": 3, "quoted": 1},
}


def rows_of(section: str) -> list[Display]:
    return [row for row in ROWS if row.section == section]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_numbers_of_each_kind(section: str) -> None:
    assert dict(counts(rows_of(section), LEMMAS)["biadam"]) == SECTIONS[section]


def test_every_section_is_in_the_table() -> None:
    assert [x for section in SECTIONS for x in rows_of(section)] == ROWS


@pytest.mark.parametrize("section", SECTIONS)
def test_lines_follow_the_text(section: str) -> None:
    """Neither the lines of the text nor the numbers of the equations go back."""
    rows = rows_of(section)
    lines = [int(re.search(r"L(\d+)$", row.source)[1]) for row in rows]  # type: ignore[index]
    numbers = [int(m[1]) for row in rows if (m := re.match(r"\((\d+)\), L", row.source))]
    assert lines == sorted(lines)
    assert numbers == sorted(numbers)


def test_numbered_equations_are_listed() -> None:
    """(16)-(96), of which (53) is on no line of the text; (3)-(6), (11), (14), (15) of the main text."""
    listed = {int(m[1]) for row in ROWS if (m := re.match(r"\((\d+)\), L", row.source))}
    assert listed == {3, 4, 5, 6, 11, 14, 15, *range(16, 97)} - {53}


def test_every_exact_check_is_used_or_beside_the_text() -> None:
    """A check that no row names is repaired, of this project, or shows a line the rows name another check for."""
    named = {(row.link, check) for row in ROWS for check in row.checks}
    for key, lemma in LEMMAS.items():
        for check in lemma.checks:
            if check.expected == "violated":
                assert (key.removeprefix("biadam/"), check.name) in named, (key, check.name)

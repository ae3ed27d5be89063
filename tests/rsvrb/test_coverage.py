"""Coverage of the displayed lines of the paper `rsvrb`: names exist, order of the text, numbers of each kind."""

from __future__ import annotations

import re

import pytest

from workbench.ledger.coverage import counts
from workbench.run import catalog
from workbench.theory.coverage import Display

ROWS = [row for row in catalog.coverage() if row.paper == "rsvrb"]
LEMMAS = {key: x for key, x in catalog.lemmas().items() if x.paper.key == "rsvrb"}
# A change of these numbers is a change of what the report says.
SECTIONS: dict[str, dict[str, int]] = {
    "main text": {"exact": 6, "not checked": 3, "quoted": 19},
    "sketch": {"exact": 3},
    "theorem 1": {"exact": 21, "not checked": 1, "quoted": 1},
    "theorem 2": {"exact": 10},
    "theorem 3": {"exact": 8},
    "lemmas 4 and 5": {"exact": 18, "not checked": 1},
    "lemma 6 proof": {"exact": 18, "not checked": 4, "quoted": 1},
    "lemmas 10 to 12": {"exact": 11, "quoted": 4},
}
# Refuted lines that stand within a sentence of the text: the condition on eta (L530), eta_1 (L266), the size of the
# mini-batch (L570) and the number of stages (L600).
INLINE = {
    ("eq-534", "beta_d < 1 from eta <= 1/sqrt(gamma C'_max) (L530)"),
    ("eq-13", "beta_d < 1 from eta_1 without gamma (L266)"),
    ("thm-2", "the first mini-batch, 1/(eta m) samples per task"),
    ("thm-3", "1 + log2(eps_1/eps) <= log2(eps_0/eps)"),
}
DISPLAYS = {
    *(
        17,
        18,
        24,
        25,
        49,
        50,
        56,
        60,
        65,
        69,
        74,
        80,
        92,
        93,
        121,
        122,
        130,
        134,
        164,
        172,
        173,
        201,
        202,
        231,
        237,
    ),
    *(
        241,
        242,
        260,
        286,
        294,
        306,
        365,
        373,
        374,
        385,
        394,
        403,
        407,
        415,
        419,
        424,
        428,
        437,
        447,
        457,
        465,
        472,
    ),
    *(
        478,
        482,
        486,
        498,
        510,
        522,
        526,
        534,
        546,
        550,
        559,
        563,
        567,
        578,
        584,
        588,
        592,
        598,
        612,
        613,
        621,
        622,
    ),
    *(
        623,
        624,
        632,
        635,
        637,
        641,
        642,
        646,
        648,
        649,
        653,
        655,
        660,
        661,
        662,
        671,
        676,
        680,
        684,
        688,
        689,
        690,
    ),
    *(
        695,
        699,
        703,
        707,
        712,
        713,
        715,
        718,
        723,
        725,
        730,
        731,
        732,
        733,
        735,
        744,
        745,
        746,
        747,
        757,
        758,
        760,
    ),
    *(761, 763, 773, 774, 775, 776, 777, 778),
}


def line(source: str) -> int:
    found = re.search(r"L(\d+)", source)
    assert found
    return int(found[1])


def rows_of(section: str) -> list[Display]:
    return [row for row in ROWS if row.section == section]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_numbers_of_each_kind(section: str) -> None:
    assert dict(counts(rows_of(section), LEMMAS)["rsvrb"]) == SECTIONS[section]


def test_every_section_is_in_the_table() -> None:
    assert [x for section in SECTIONS for x in rows_of(section)] == ROWS


@pytest.mark.parametrize("section", SECTIONS)
def test_lines_follow_the_text(section: str) -> None:
    """Neither the lines of the text nor the numbers of the equations go back."""
    rows = rows_of(section)
    lines = [line(row.source) for row in rows]
    numbers = [int(m[1]) for row in rows if (m := re.match(r"\((\d+)\), L", row.source))]
    assert lines == sorted(lines)
    assert numbers == sorted(numbers)


def test_every_display_and_every_number_of_the_text_is_listed() -> None:
    assert {line(row.source) for row in ROWS} == DISPLAYS
    listed = {int(m[1]) for row in ROWS if (m := re.match(r"\((\d+)\), L", row.source))}
    assert listed == set(range(1, 21))


def test_every_refuted_line_is_in_the_table_or_within_a_sentence() -> None:
    named = {(row.link, check) for row in ROWS for check in row.checks}
    refuted = {
        (key.removeprefix("rsvrb/"), check.name)
        for key, lemma in LEMMAS.items()
        for check in lemma.checks
        if check.expected == "violated"
    }
    assert refuted - named == INLINE

"""Coverage of the displayed lines of the paper `f2obo`: names exist, order of the text, numbers of each kind."""

import re

from workbench.ledger import coverage
from workbench.run import catalog

# A change of these numbers is a change of what the report says.
ROWS = [row for row in catalog.coverage() if row.paper == "f2obo"]
RECORDED = {"exact": 119, "quoted": 16, "not checked": 23}


def test_every_row_names_checks_that_exist() -> None:
    for row in ROWS:
        assert coverage.kind(row, catalog.lemmas()) in coverage.KINDS


def test_the_numbers_of_each_kind() -> None:
    assert coverage.counts(ROWS, catalog.lemmas())["f2obo"] == RECORDED


def test_rows_are_in_the_order_of_the_text_and_do_not_overlap() -> None:
    spans = [
        tuple(map(int, re.search(r"L(\d+)(?:-(\d+))?$", row.source).groups(default="0"))) for row in ROWS
    ]
    ends = [max(span) for span in spans]
    assert all(end < start for end, (start, _) in zip(ends, spans[1:], strict=False))
    assert spans[0][0] >= 383
    assert ends[-1] <= 1246

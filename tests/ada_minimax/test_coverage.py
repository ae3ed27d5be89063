"""The table of displayed lines of paper `ada_minimax`: it refers to existing checks, in the order of the text."""

from __future__ import annotations

import re
from itertools import groupby

from workbench.ledger import coverage
from workbench.ledger.coverage import kind
from workbench.run import catalog

LEMMAS = catalog.lemmas()
ROWS = [row for row in catalog.coverage() if row.paper == "ada_minimax"]
# Displayed lines in each section of the proofs: exact, measured, arithmetic, quoted, not checked. A change here is a
# change of what is shown.
COUNTS = [
    (1, 3, 0, 1, 0),  # Appendix A
    (2, 0, 0, 0, 0),  # B.1
    (3, 3, 0, 1, 1),  # B.2
    (6, 2, 0, 0, 2),  # B.3
    (7, 0, 0, 1, 3),  # B.4, B.5
    (7, 3, 0, 2, 3),  # C.1, C.2
    (22, 5, 0, 0, 2),  # C.3
    (10, 0, 0, 1, 4),  # Appendix D
    (20, 0, 0, 6, 4),  # Appendix E
    (3, 0, 0, 8, 6),  # Appendix F
    (22, 2, 0, 2, 4),  # G.1
    (19, 4, 0, 1, 6),  # G.2
    (15, 3, 0, 2, 7),  # G.3, G.4
]


def lines(source: str) -> tuple[int, int]:
    """First and last line of the text that a source names."""
    found = re.search(r"L(\d+)(?:-(\d+))?", source)
    assert found, source
    return int(found[1]), int(found[2] or found[1])


def test_every_entry_refers_to_checks_that_exist() -> None:
    for display in ROWS:
        assert kind(display, LEMMAS) in coverage.KINDS, display.source


def test_lines_come_in_the_order_of_the_text() -> None:
    spans = [lines(d.source) for d in ROWS]
    assert all(first <= last for first, last in spans)
    for (before, end), (first, _), display in zip(spans, spans[1:], ROWS[1:], strict=False):
        # Two entries may share one display; otherwise they do not overlap.
        assert first > end or (first, first) == (before, end), display.source


def test_counts() -> None:
    found = [
        tuple(kinds.count(k) for k in coverage.KINDS)
        for _, rows in groupby(ROWS, key=lambda d: d.section)
        for kinds in [[kind(d, LEMMAS) for d in rows]]
    ]
    assert found == COUNTS


def test_a_refuted_line_is_an_erratum() -> None:
    """A line that only refuted checks encode names its erratum, so that readers of the table find what is right."""
    for display in ROWS:
        if display.checks:
            checks = [LEMMAS[f"{display.paper}/{display.link}"].check(name) for name in display.checks]
            assert all(c.erratum for c in checks if c.expected == "violated"), display.source

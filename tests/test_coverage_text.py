"""Rows of ``coverage.txt``: each form, rows that go on, and what is said of a row of another form."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.homes.usage import UsageError
from workbench.ledger.coverage import kind
from workbench.run import catalog
from workbench.theory.coverage import Display, read

TEXT = """# A comment,
#   of two lines.

[first part]
(9), L399 | sum |g_t|^2/G_t^2 <= C_1 | lem-1: one term;
    on a fixed function
L4 | definition of G_t | quoted
[the rest]
L5-7 | both | not checked: standard; see [41]
"""


def test_every_form_of_a_row(tmp_path: Path) -> None:
    (tmp_path / "coverage.txt").write_text(TEXT)
    assert read("mine", tmp_path / "coverage.txt") == (
        Display(
            "mine",
            "first part",
            "(9), L399",
            "sum |g_t|^2/G_t^2 <= C_1",
            "lem-1",
            ("one term", "on a fixed function"),
        ),
        Display("mine", "first part", "L4", "definition of G_t", quoted=True),
        Display("mine", "the rest", "L5-7", "both", why="standard; see [41]"),
    )


def test_a_paper_without_the_file_has_no_rows(tmp_path: Path) -> None:
    assert read("mine", tmp_path / "coverage.txt") == ()


@pytest.mark.parametrize(
    "row", ["L1 | too short", "L1 | says | lem-1", "L1 | says | lem-1: ", "L1 | a | b | quoted"]
)
def test_a_row_of_another_form_is_named_with_its_line(tmp_path: Path, row: str) -> None:
    (tmp_path / "coverage.txt").write_text(f"[part]\n{row}\n")
    with pytest.raises(UsageError, match=r"coverage.txt:2: .* is no row of the form"):
        read("mine", tmp_path / "coverage.txt")


def test_a_row_names_a_check_of_the_ledger() -> None:
    lemma = next(x for x in catalog.lemmas().values() if x.checks)
    paper, _, name = lemma.key.partition("/")
    for link, what in (("lem-none", "no link 'lem-none'"), (name, f"no check 'none' of {name}")):
        with pytest.raises(UsageError, match=f"{paper}/coverage.txt, L1: the ledger has {what}"):
            kind(Display(paper, "part", "L1", "says", link, ("none",)), catalog.lemmas())


def test_every_row_of_the_shipped_papers_has_a_kind() -> None:
    for row in catalog.coverage():
        assert kind(row, catalog.lemmas()) != "not checked" or row.why, row.source

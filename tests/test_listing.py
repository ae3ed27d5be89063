"""The cached listing: the same rows, refreshed when a file changes, indifferent to damage."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from workbench.cli import entry_cache, shipped_listing
from workbench.cli.list import _print_table
from workbench.homes import papers
from workbench.run import catalog


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "theorem-workbench" / "listing"


def gathered() -> list[dict[str, str]]:
    return entry_cache.with_silent([vars(e) for e in catalog.entries()])


def test_the_second_call_gathers_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = gathered()
    assert entry_cache.rows(True) == expected

    def forbidden() -> None:
        raise AssertionError("gathered again")

    monkeypatch.setattr(catalog, "entries", forbidden)
    assert entry_cache.rows(True) == expected
    assert len(list(cache.iterdir())) == 1


def test_papers_and_theorems_alone_are_the_same_rows(cache: Path) -> None:
    """Both listings are kept, side by side."""
    every = entry_cache.rows(True)
    assert entry_cache.rows(False) == [row for row in every if row["kind"] in ("paper", "theorem")]
    assert len(list(cache.iterdir())) == 2
    assert entry_cache.rows(True) == every


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '[{"kind": "paper"}]', "\x00", "[[]"])
def test_a_damaged_file_is_replaced(cache: Path, damage: str) -> None:
    expected = entry_cache.rows(True)
    (file,) = cache.iterdir()
    file.write_text(damage)
    assert entry_cache.rows(True) == expected
    assert json.loads(file.read_text()) == expected


def test_a_changed_file_changes_the_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, library = tmp_path / "a_paper", tmp_path / "library"
    package.mkdir()
    library.mkdir()
    module = package / "theorem.py"
    module.write_text("A = 1\n")
    monkeypatch.setattr(papers, "standing", lambda: {"a_paper": papers.Home("a_paper", package)})
    monkeypatch.setattr(papers, "LIBRARY", library)
    stamps = {entry_cache._stamp()}
    module.write_text("A = 10\n")
    stamps.add(entry_cache._stamp())
    os.utime(module, ns=(1, 1))
    stamps.add(entry_cache._stamp())
    (package / "other.py").touch()
    stamps.add(entry_cache._stamp())
    (library / "new.py").touch()
    stamps.add(entry_cache._stamp())
    assert len(stamps) == 5
    (package / ".#other.py").symlink_to("someone@somewhere")  # an editor's lock file
    assert entry_cache._stamp() in stamps


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a file"
    file.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    assert entry_cache.rows(True) == gathered()


def test_the_shipped_listing_is_that_of_the_sources() -> None:
    assert shipped_listing.rows().keys() == papers.built_in().keys(), "`make listing` writes it anew"
    expected = [row for row in gathered() if row["kind"] in ("paper", "theorem")]
    rows = [row for rows in shipped_listing.rows().values() for row in rows]
    assert sorted(rows, key=lambda row: (row["kind"] != "paper", row["key"])) == expected


TINY = """import workbench as wb
PAPER = wb.Paper(__name__, "Title", "Author", "Source")
THEOREM = PAPER.theorem("thm-1", bound=1 / wb.vocabulary.T, exponent=-1, source="Theorem 1", title="Statement")
"""


@pytest.fixture
def two_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two papers, tiny_a and tiny_b, and a listing in which their titles are in capitals."""
    for key in ("tiny_a", "tiny_b"):
        (tmp_path / key).mkdir()
        (tmp_path / key / "theorem.py").write_text(TINY)
    homes = {key: papers.Home(key, tmp_path / key) for key in ("tiny_a", "tiny_b")}
    monkeypatch.setattr(papers, "built_in", lambda: homes)
    monkeypatch.setattr(entry_cache.disk, "cache_folder", lambda: None)
    papers.look()
    entry_cache.write_shipped()
    listing = tmp_path / "listing.json"
    assert listing.read_text().count("Statement (judged by no runs in profile default)") == 2
    listing.write_text(listing.read_text().replace("Title", "TITLE").replace("Statement", "STATEMENT"))
    return tmp_path


def titles() -> list[str]:
    return [row["title"].partition(" ")[0] for row in entry_cache.rows(False)]


@pytest.mark.parametrize("other", ["theorem.py", "new.py", "plan.json"])
def test_a_paper_that_is_not_as_shipped_is_gathered_alone(two_shipped: Path, other: str) -> None:
    assert titles() == ["TITLE", "TITLE", "STATEMENT", "STATEMENT"]
    file = two_shipped / "tiny_b" / other
    before = file.read_text() if file.exists() else None
    file.write_text({"theorem.py": f"{TINY}# changed\n", "new.py": "A = 1\n", "plan.json": "{}"}[other])
    assert titles() == ["TITLE", "Title", "STATEMENT", "Statement"]
    file.unlink() if before is None else file.write_text(before)
    assert titles() == ["TITLE", "TITLE", "STATEMENT", "STATEMENT"]


@pytest.mark.parametrize("damage", ["", "[]", '{"tiny_a": 1}', '{"tiny_a": {"sources": 1, "rows": [1]}}'])
def test_a_damaged_shipped_listing_is_done_without(two_shipped: Path, damage: str) -> None:
    (two_shipped / "listing.json").write_text(damage)
    assert titles() == ["Title", "Title", "Statement", "Statement"]


@pytest.mark.parametrize("width", [40, 80, 140, None])
def test_kind_and_key_are_shown_at_any_width(width: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    rows = gathered()
    _print_table(rows, width)
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["kind", "key"]
    assert [line.split()[:2] for line in lines] == [[e["kind"], e["key"]] for e in rows]
    if width is not None and width >= 80:
        assert max(map(len, lines)) <= width
    if width is None:
        assert all(line.endswith(e["source"].rstrip()) for line, e in zip(lines, rows, strict=True))

"""The cached listing: the same rows, refreshed when a file changes, indifferent to damage."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from workbench.cli import entry_cache
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

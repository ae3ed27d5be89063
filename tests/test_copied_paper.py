"""A shipped paper is a folder like any other: its copy elsewhere, under another name, is a paper of the user's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from workbench.homes import papers
from workbench.run import catalog

UNWANTED = shutil.ignore_patterns("__pycache__")


@pytest.mark.parametrize("key", [key for key in papers.built_in() if key != papers.COMPETITORS])
def test_the_copy_of_a_paper_has_all_of_it(key: str, tmp_path: Path) -> None:
    """Every module is imported, and what they declare has the key of the new folder."""
    shipped = {(e.kind, e.key, e.title) for e in catalog.entries() if e.paper == key}
    copy = shutil.copytree(papers.built_in()[key].path, tmp_path / "mine", ignore=UNWANTED)
    with papers.temporary_view():
        papers.look(False, [copy])
        seen = {(e.kind, e.key, e.title) for e in catalog.entries() if e.paper != catalog.READY}
        said = catalog.import_failures()
    assert said == {}
    assert seen == {(kind, f"mine{name.removeprefix(key)}", title) for kind, name, title in shipped}

"""The gallery of further theorems: short files, claims as expected, and near misses that are caught."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench.cli.app import app

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/gallery"
FILES = sorted(FOLDER.glob("*.py"))


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        folder = tmp_path_factory.mktemp("theorems")
        words = ["verify", "examples/gallery", "--profile", "quick", "--store", str(folder)]
        done = CliRunner().invoke(app, [*words, "--json", str(folder / "out.json")])
        assert done.exit_code == 0, done.output
        return list(json.loads((folder / "out.json").read_text())["claims"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_is_short_and_names_its_source(file: Path) -> None:
    text = file.read_text()
    docstring = ast.get_docstring(ast.parse(text), clean=False) or ""
    assert len(text.splitlines()) - len(docstring.splitlines()) <= 60
    assert re.search(r"Sources?: \w+", docstring)
    assert re.search(r"(19|20)\d\d\b", docstring)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_holds_and_near_misses_are_caught(file: Path, claims: list[dict[str, Any]]) -> None:
    own = [claim for claim in claims if claim["key"].partition("/")[0] == file.stem]
    assert {claim["verdict"] for claim in own} == {"holds"}
    kinds = [claim["evidence"] for claim in own]
    assert kinds.count("falsifier") >= 2
    assert len(kinds) > kinds.count("falsifier")
    assert [claim["void"] for claim in own if claim["void"]] == []


def test_the_page_lists_every_file() -> None:
    rows = re.findall(r"^\| `(\w+)\.py` \|", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert rows == [file.stem for file in FILES]

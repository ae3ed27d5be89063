"""The gallery: short files, claims as expected, near misses that are caught, and the tables of its page."""

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
PAGE = (FOLDER / "README.md").read_text()
TABLE = "verify examples/gallery --profile quick --wide"
NEAR = "verify examples/gallery --profile quick --near-misses"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("theorems")


def printed(folder: Path, command: str) -> tuple[str, dict[str, Any]]:
    """What a command of the page prints and writes, with a store of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        words = [*command.split(), "--store", str(folder), "--json", str(folder / "out.json")]
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return done.output, json.loads((folder / "out.json").read_text())


@pytest.fixture(scope="module")
def verified(folder: Path) -> tuple[str, dict[str, Any]]:
    return printed(folder, TABLE)


def shown(command: str) -> list[str]:
    """The lines of the page below a command."""
    (block,) = re.findall(rf"\$ workbench {re.escape(command)}\n(.*?)```", PAGE, re.DOTALL)
    return [line.rstrip() for line in block.splitlines()]


def cells(line: str) -> list[str]:
    """The first cells of a line; numbers to three digits, as machines differ beyond, and round-off as 0."""
    row = re.split(r"\s{2,}", line.strip())[:5]
    numbers = {c: float(c) for c in row if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", c)}
    return [f"{numbers[c] * (abs(numbers[c]) > 1e-14) + 0.0:.3g}" if c in numbers else c for c in row]


def test_there_are_forty_one_with_the_examples() -> None:
    assert len(FILES) + len(list((ROOT / "examples").glob("*.py"))) == 41


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_is_short_and_names_its_source(file: Path) -> None:
    text = file.read_text()
    docstring = ast.get_docstring(ast.parse(text), clean=False) or ""
    assert len(text.splitlines()) - len(docstring.splitlines()) <= 60
    assert re.search(r"Sources?: \w+", docstring)
    assert re.search(r"(19|20)\d\d\b", docstring)
    assert re.search(r"^import workbench as wb$", text, re.MULTILINE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_holds_and_near_misses_are_caught(file: Path, verified: tuple[str, dict[str, Any]]) -> None:
    own = [claim for claim in verified[1]["claims"] if claim["key"].partition("/")[0] == file.stem]
    assert {claim["verdict"] for claim in own} == {"holds"}
    kinds = [claim["evidence"] for claim in own]
    assert kinds.count("falsifier") >= 2
    assert len(kinds) > kinds.count("falsifier")
    assert [claim["void"] for claim in own if claim["void"]] == []


def test_the_page_lists_every_file() -> None:
    rows = re.findall(r"^\| `(\w+)\.py` \|", PAGE, re.MULTILINE)
    assert rows == [file.stem for file in FILES]


def test_the_page_shows_what_its_command_prints(verified: tuple[str, dict[str, Any]]) -> None:
    assert [cells(x) for x in shown(TABLE)] == [cells(x) for x in verified[0].splitlines()]


@pytest.mark.long
@pytest.mark.usefixtures("verified")
def test_every_file_has_near_misses_that_are_caught(folder: Path) -> None:
    _, document = printed(folder, NEAR)
    rows = document["near_misses"]
    caught = {row["key"].partition("/")[0] for row in rows if row["verdict"] == "caught"}
    assert caught == {file.stem for file in FILES}
    assert all((row["since"] is not None) == (row["verdict"] == "caught") for row in rows)


def test_those_from_one_page_hold(folder: Path) -> None:
    _, document = printed(folder, "verify examples/from_the_page --profile quick")
    assert len(document["claims"]) == 34
    assert all(claim["verdict"] == claim["expected"] for claim in document["claims"])

"""The gallery: short files, claims as expected, near misses that are caught, and the tables of its page.

`make test` verifies the files that are quickly done, beside their rows of the page; `make test-long` all, by the page's
own commands.
"""

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
# These take three quarters of the time of all.
SLOW = {"clipped_sgd", "delayed_sgd", "exp3", "polyak_ruppert", "q_learning", "td0", "zeroth_order"}
QUICK = [file for file in FILES if file.stem not in SLOW]
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
    return printed(folder, TABLE.replace("examples/gallery", " ".join(map(str, QUICK))))


@pytest.fixture(scope="module")
def whole(folder: Path) -> tuple[str, dict[str, Any]]:
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


def rows(lines: list[str]) -> dict[str, list[list[str]]]:
    """The cells of a table below each theorem's key, without what is said of all."""
    found: dict[str, list[list[str]]] = {}
    for line in lines:
        if key := re.fullmatch(r"(\w+/[\w.-]+)( .*)?", line):
            found[key[1]] = []
        elif line.startswith("  ") and found:
            found[list(found)[-1]].append(cells(line))
    return found


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


@pytest.mark.parametrize("file", QUICK, ids=lambda file: file.stem)
def test_it_holds_and_wrong_claims_are_caught(file: Path, verified: tuple[str, dict[str, Any]]) -> None:
    check(verified[1], file.stem)


@pytest.mark.long
def test_the_slow_ones_hold_and_wrong_claims_are_caught(whole: tuple[str, dict[str, Any]]) -> None:
    for key in sorted(SLOW):
        check(whole[1], key)


def check(document: dict[str, Any], paper: str) -> None:
    own = [claim for claim in document["claims"] if claim["key"].partition("/")[0] == paper]
    assert {claim["verdict"] for claim in own} == {"holds"}
    kinds = [claim["evidence"] for claim in own]
    assert kinds.count("falsifier") >= 2
    assert len(kinds) > kinds.count("falsifier")
    assert [claim["void"] for claim in own if claim["void"]] == []


def test_the_page_lists_every_file() -> None:
    rows = re.findall(r"^\| `(\w+)\.py` \|", PAGE, re.MULTILINE)
    assert rows == [file.stem for file in FILES]


def test_the_page_shows_what_is_printed_of_each(verified: tuple[str, dict[str, Any]]) -> None:
    quick = {file.stem for file in QUICK}
    page = {key: table for key, table in rows(shown(TABLE)).items() if key.partition("/")[0] in quick}
    assert page == rows(verified[0].splitlines())
    assert {key.partition("/")[0] for key in page} == quick


@pytest.mark.long
def test_the_page_shows_what_its_command_prints(whole: tuple[str, dict[str, Any]]) -> None:
    assert [cells(x) for x in shown(TABLE)] == [cells(x) for x in whole[0].splitlines()]


@pytest.mark.long
@pytest.mark.usefixtures("whole")
def test_every_file_has_near_misses_that_are_caught(folder: Path) -> None:
    _, document = printed(folder, NEAR)
    rows = document["near_misses"]
    caught = {row["key"].partition("/")[0] for row in rows if row["verdict"] == "caught"}
    assert caught == {file.stem for file in FILES} - {"exp3"}  # of which both stay open at this horizon
    assert all((row["since"] is not None) == (row["verdict"] == "caught") for row in rows)


@pytest.mark.parametrize(
    ("names", "claims"),
    [
        (["dgd.py", "ftl_log.py", "gda_linear.py"], 12),
        pytest.param([""], 34, marks=pytest.mark.long),  # two simulations of these take half a minute
    ],
)
def test_those_from_one_page_hold(folder: Path, names: list[str], claims: int) -> None:
    paths = " ".join(f"examples/from_the_page/{name}" for name in names)
    _, document = printed(folder, f"verify {paths} --profile quick")
    assert len(document["claims"]) == claims
    assert all(claim["verdict"] == claim["expected"] for claim in document["claims"])

"""The examples: short, with all the evidence that their theorem allows, as expected, and as their README shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from thin import one_in
from typer.testing import CliRunner

from workbench.cli.app import app
from workbench.cli.contracts import check
from workbench.homes import papers
from workbench.run import catalog
from workbench.run.options import Options
from workbench.run.store.results import Store

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
TINY = Options("quick", engine="eager", horizon=300, runs=4, jobs=1)
OF_VERDICTS = ("claims as expected", "claims can fail", "engines agree")
UNBOUNDED = {"f2sa"}  # the source hides its constants
SHOWN = (
    5  # columns of the table that are the same on every machine: two of names, the verdict, claimed, value
)


def named(file: Path) -> str:
    return file.stem


def read(file: Path, text: str) -> list[str]:
    return re.findall(text, file.read_text())


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What README's command prints and writes, from an empty store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        folder = tmp_path_factory.mktemp("gallery")
        words = ["verify", *(f"examples/{file.name}" for file in EXAMPLES), "--profile", "quick", "--wide"]
        done = CliRunner().invoke(app, [*words, "--store", str(folder), "--json", str(folder / "out.json")])
        assert done.exit_code == 0, done.output
        return {"printed": done.output, **json.loads((folder / "out.json").read_text())}


def of(verified: dict[str, Any], file: Path) -> list[dict[str, Any]]:
    return [claim for claim in verified["claims"] if claim["key"].split("/")[0] == file.stem]


def test_there_are_twelve() -> None:
    assert len(EXAMPLES) == 12


@pytest.mark.parametrize("file", EXAMPLES, ids=named)
def test_it_names_its_source(file: Path) -> None:
    assert read(file, r"Sources?: \w+")
    assert read(file, r"(19|20)\d\d\b.*\n?.*(Theorem|Corollary)")
    assert read(file, "derived here")


@pytest.mark.parametrize("file", EXAMPLES, ids=named)
def test_every_verdict_is_the_expected_one(file: Path, verified: dict[str, Any]) -> None:
    claims = of(verified, file)
    assert {c["verdict"] for c in claims} == {c["expected"] for c in claims} == {"holds"}
    assert [c["void"] for c in claims if c["void"]] == []


@pytest.mark.parametrize("file", EXAMPLES, ids=named)
def test_it_has_every_kind_of_evidence(file: Path, verified: dict[str, Any]) -> None:
    kinds = [c["evidence"] for c in of(verified, file)]
    wanted = {"exponent", "rate", "tight", "falsifier"} | (set() if file.stem in UNBOUNDED else {"bound"})
    assert wanted <= set(kinds)
    assert kinds.count("tight") >= 1
    slacks = [c["slack"] for c in of(verified, file) if c["evidence"] == "bound"]
    assert all(1 <= slack < 100 for slack in slacks)


def cells(line: str) -> list[str]:
    """The first cells of a line of the verdict table; numbers to three digits, as machines differ beyond."""
    found = re.split(r"\s{2,}", line.strip())[:SHOWN]
    return [f"{float(c):.3g}" if re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", c) else c for c in found]


def test_the_readme_shows_what_its_command_prints(verified: dict[str, Any]) -> None:
    text = (ROOT / "examples" / "README.md").read_text()
    (shown,) = re.findall(
        r"\$ workbench verify examples/\*\.py --profile quick --wide\n(.*?)```", text, re.DOTALL
    )
    assert [cells(x) for x in shown.splitlines()] == [cells(x) for x in verified["printed"].splitlines()]


def test_the_readme_explains_every_example() -> None:
    text = (ROOT / "examples" / "README.md").read_text()
    assert re.findall(r"^\| `(\w+)\.py` ", text, re.MULTILINE) == [file.stem for file in EXAMPLES]


@pytest.fixture
def opened() -> Iterator[None]:
    with papers.temporary_view():
        yield


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("file", one_in(3, EXAMPLES), ids=named)
def test_it_keeps_the_contracts(file: Path, tmp_path: Path) -> None:
    """All but those that need the verdicts, which are tested above."""
    catalog.chosen([str(file)])
    found = check.contracts_of(file.stem, TINY, Store(tmp_path))
    outcomes = [call() for name, call in found.items() if name not in OF_VERDICTS]
    assert len(outcomes) >= 9
    assert [o for o in outcomes if o.status == "broken"] == []

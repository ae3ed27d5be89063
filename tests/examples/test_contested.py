"""The contested statements: one file each, decided as their page says, in one command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workbench.cli.app import app

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/contested"
FILES = sorted(FOLDER.glob("*.py"))
PAGE = (FOLDER / "README.md").read_text()
NOT_REFUTED = {"two_time_scales"}  # an upper bound that holds, and is quoted as more than that
EXACT = {
    "attention_frank_wolfe",
    "alternating_regret",
    "heavy_ball_cycle",
    "momentum_drift",
    "stochastic_extragradient",
}


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page's command prints and writes, from an empty store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        folder = tmp_path_factory.mktemp("contested")
        words = ["verify", "examples/contested", "--profile", "quick", "--lines", "--store", str(folder)]
        done = CliRunner().invoke(app, [*words, "--json", str(folder / "out.json")])
        assert done.exit_code == 0, done.output
        return {"printed": done.output, "claims": json.loads((folder / "out.json").read_text())["claims"]}


def of(verified: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [claim for claim in verified["claims"] if claim["key"].partition("/")[0] == name]


def test_every_file_is_short_and_on_the_page() -> None:
    assert len(FILES) == 14
    rows = re.findall(r"^\| `(\w+)\.py` \|", PAGE, re.MULTILINE)
    assert sorted(rows) == [file.stem for file in FILES]
    for file in FILES:
        assert len(file.read_text().splitlines()) <= 90, file.name
        assert re.search(r"Sources?: ", file.read_text()), file.name
        assert "Fooled: " in file.read_text(), file.name


@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_the_dispute_is_decided(name: str, verified: dict[str, Any]) -> None:
    claims = of(verified, name)
    assert {c["verdict"] == c["expected"] for c in claims} == {True}
    assert any(c["refutes"] for c in claims) == (name not in NOT_REFUTED)
    assert any(c["verdict"] == "holds" and not c["void"] for c in claims)  # what is right instead
    assert {c["runs"] for c in claims} == {0}


@pytest.mark.parametrize("name", sorted(EXACT))
def test_counter_examples_and_identities_are_in_fractions(name: str, verified: dict[str, Any]) -> None:
    assert any("in fractions" in claim["note"] for claim in of(verified, name))


def test_the_page_states_what_is_computed(verified: dict[str, Any]) -> None:
    printed = " ".join(verified["printed"].split())
    assert "at t = 144 the value is 3031081/6055200, the formula 1/2" in printed
    assert "3031081/6055200" in PAGE
    factors = [
        c for c in of(verified, "nesterov_components") if c["refutes"] and c["evidence"] == "geometric"
    ]
    assert sorted(round(c["value"], 3) for c in factors) == [1.081, 1.161]
    (bound,) = (c for c in of(verified, "adabound") if c["refutes"] and c["evidence"] == "bound")
    assert bound["value"] == pytest.approx(4.6, abs=0.05)
    for claim in verified["claims"]:
        if claim["refutes"]:
            assert f"Refuted: {claim['refutes']}" in printed

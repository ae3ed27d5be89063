"""Near misses: what is made of each kind of claim, what is caught and from where on, the command's table and words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import workbench as wb
from workbench.claims import near_misses
from workbench.cli.app import app

v = wb.vocabulary
STUDY = wb.Study("near", "Near misses")
CURVE = STUDY.reading(
    "rate", STUDY.exact_curve(lambda T: [1 / t for t in range(1, T + 1)], horizon=1000), claimed=-1
)
PAPER = """
import workbench as wb

v = wb.vocabulary
STUDY = wb.Study(__name__, "Near misses")
CURVE = STUDY.exact_curve(lambda T: [1 / t for t in range(1, T + 1)], horizon=10_000)
FAST = STUDY.exact_curve(lambda T: [t**-1.5 for t in range(1, T + 1)], horizon=10_000, name="fast")
ONE, TWO = (STUDY.reading("rate", sim, claimed=-1) for sim in (CURVE, FAST))
CLAIMS = (ONE.tight(), ONE.level(1 / v.T, "1/T"), TWO.rate(), ONE.caught(claimed=-2))
"""


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (CURVE.rate(), ["exponent -0.1", "one logarithm less"]),
        (CURVE.tight(), ["exponent -0.1", "exponent +0.1", "one logarithm less", "one logarithm more"]),
        (CURVE.level(1 / v.T, "1/T"), ["constant / 1.5", "constant * 1.5"]),
        (CURVE.at_most(1 / v.T), ["constant / 1.5"]),
        (CURVE.geometric(factor=0.5), ["factor^1.1", "factor^0.9"]),
        (CURVE.geometric(factor=0.5, or_faster=True), ["factor^1.1"]),
        (CURVE.geometric(), []),
        (CURVE.bounded(), ["one logarithm more"]),
        (CURVE.diverges(), ["bounded"]),
        (CURVE.limit(to=1), ["limit / 1.5", "limit * 1.5"]),
        (CURVE.logarithmic(power=0, logs=2, or_less=True), ["exponent -0.1", "one logarithm less"]),
        (CURVE.caught(claimed=-2), []),
        (CURVE.rate(refutes="A. Author, Theorem 1"), []),
    ],
)
def test_what_is_made_of_a_claim(claim: Any, words: list[str]) -> None:
    assert [name for name, _ in near_misses(claim)] == words


def test_the_command_says_what_is_caught_and_from_where_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("near.py").write_text(PAPER)
    words = ["verify", "near.py", "--near-misses", "--profile", "quick", "--jobs", "1", "--store", "store"]
    done = CliRunner().invoke(app, [*words, "--json", "out.json"])
    assert done.exit_code == 0, done.output
    rows = {(r["id"], r["near_miss"]): r for r in json.loads(Path("out.json").read_text())["near_misses"]}
    of_tight = {name: r for (key, name), r in rows.items() if "tight" in key and "level" not in key}
    assert {r["verdict"] for r in of_tight.values() if "exponent" in r["near_miss"]} == {"caught"}
    assert all(8 <= r["since"] <= 10_000 for r in rows.values() if r["verdict"] == "caught")
    fast = [r for (key, _), r in rows.items() if "fast" in key]
    assert {r["verdict"] for r in fast} == {"holds as well"}  # the rate is better than claimed
    assert "caught, 2 hold as well" in done.output


def test_claims_without_near_misses_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.py").write_text(PAPER.replace('(ONE.tight(), ONE.level(1 / v.T, "1/T"), TWO.rate(), ', "("))
    Path("none.py").write_text(Path("none.py").read_text().replace("claimed=-2))", "claimed=-2),)"))
    done = CliRunner().invoke(
        app, ["verify", "none.py", "--near-misses", "--profile", "quick", "--jobs", "1", "--store", "store"]
    )
    assert done.exit_code == 0, done.output
    assert "These claims have no near misses." in done.output

"""What `workbench list KEY` says of a single erratum or experiment, and where the cards point to it."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from workbench.cli import details
from workbench.cli.app import app
from workbench.run import catalog


def listed(*arguments: str) -> str:
    done = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["list", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_an_erratum_is_shown_in_full() -> None:
    row = catalog.errata_rows()[0]
    shown = listed(row["key"])
    assert row["printed"].splitlines()[0] in shown
    assert f"right    {row['right'].splitlines()[0]}" in shown
    assert f"{row['checks'][0]['lemma']}: {row['checks'][0]['check']}" in shown


def test_errata_of_a_key_are_that_one_alone() -> None:
    """And not all of the paper's."""
    paper = next(iter(catalog.papers_in_view()))
    first, second = [row["key"] for row in catalog.errata_rows() if row["key"].startswith(f"{paper}/")][:2]
    shown = listed(second, "--errata")
    assert f"{second}  " in shown
    assert f"{first}  " not in shown
    assert all(f"{key}  " in listed(paper, "--errata") for key in (first, second))


@pytest.mark.parametrize("paper", catalog.papers_in_view())
def test_an_experiment_says_what_its_problem_is(paper: str) -> None:
    sim = next(sim for key, sim in catalog.simulations().items() if key.startswith(f"{paper}/"))
    shown = listed(sim.key)
    assert f"problem  {type(sim.make(8, 1).instance).__name__} (" in shown
    assert re.search(r"\w = ", shown), "values, and formulas"
    assert sim.chosen in shown
    assert f"default: T = {sim.horizon['default']:,}, {sim.runs['default']:,} runs" in shown


def test_experiments_of_all_kinds_can_be_shown() -> None:
    """Every twelfth: to make all instances takes half a minute."""
    for entry in [e for e in catalog.entries() if e.kind == "experiment"][::12]:
        shown = details.text(entry)
        assert re.search(r"^  problem  \w+ \(", shown), entry.key
        assert not re.search(r"\bobject at 0x|array\(", shown), entry.key


def test_what_has_no_more_to_say_is_one_line() -> None:
    assert len(listed(next(iter(catalog.theorems()))).splitlines()) == 2
    assert "problem  " not in listed(*list(catalog.simulations())[:2]), "two are a table"

"""A copy of the paper's folder under another name: the same results, figures and verdicts, with its own keys.

The noise of a simulation is addressed by its key, and so by the folder's name; here both have that of the shipped one.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from workbench.cli.app import app
from workbench.homes import papers
from workbench.run import catalog, jobs, pool
from workbench.run.options import Options
from workbench.run.store.results import Store

SHIPPED, MINE = "ir_cg", "my_ir"
SMALL = ("--jobs", "1", "--engine", "eager", "--store", "store")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    addressed = jobs.derived_seed
    monkeypatch.setattr(jobs, "derived_seed", lambda seed, key: addressed(seed, key.replace(MINE, SHIPPED)))
    unwanted = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(papers.built_in()[SHIPPED].path, tmp_path / MINE, ignore=unwanted)


def call(*words: str, status: int = 0) -> None:
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == status, done.output


def renamed(text: str) -> str:
    return text.replace(SHIPPED, MINE)


def test_a_figure_and_its_results_are_the_same(copy: Path) -> None:
    options = Options(horizon=40, runs=3, jobs=1, engine="eager")

    def drawn(paper: str, look: Callable[[], object]) -> tuple[str, dict[str, Any]]:
        call("figures", f"{paper}/fig-2", "--horizon", "40", "--runs", "3", *SMALL, "--out", "out")
        with papers.temporary_view():
            look()
            figure = catalog.figures()[f"{Path(paper).name}/fig-2"]
            needed = [catalog.simulations()[name] for name in figure.needs]
            results = pool.ensure(needed, options, Store(Path("store")))
        return Path("out", f"{Path(paper).name}-fig-2.txt").read_text(), results

    caption, results = drawn(SHIPPED, lambda: papers.narrow([SHIPPED]))
    mine, again = drawn(f"./{MINE}", lambda: papers.look(False, [copy]))
    assert mine.split() == renamed(caption).split()  # lines may be broken elsewhere
    assert list(again) == [renamed(name) for name in results]
    assert len(results) > 4
    for name, result in results.items():
        copied = again[renamed(name)]
        assert copied.data.keys() == result.data.keys()
        for quantity, values in result.data.items():
            np.testing.assert_array_equal(copied.data[quantity], values)


def test_verdicts_are_the_same_with_the_windows_of_the_plan(copy: Path) -> None:
    def lines(paper: str) -> list[dict[str, Any]]:
        words = ("--horizon", "2000", "--runs", "8", *SMALL)
        call(
            "verify", f"{paper}/sim-exp", *words, "--json", "verdicts.json", status=1
        )  # too few runs to decide
        rows = json.loads(Path("verdicts.json").read_text())["claims"]
        return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]

    shipped = json.loads(renamed(json.dumps(lines(SHIPPED))))
    assert len(shipped) > 10
    assert lines(f"./{MINE}") == shipped
    (copy / "plan.json").unlink()
    assert lines(f"./{MINE}") != shipped

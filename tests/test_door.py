"""The door: its names, what it loads, and the short ways in which a paper says what it claims."""

from __future__ import annotations

import ast
import difflib
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sympy import Symbol, sqrt

import workbench as wb
from workbench.claims.method import Scheduled
from workbench.cli.contracts import instances
from workbench.homes import on_demand
from workbench.run.store.assignments import Assignments

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
MOST_NAMES, MOST_IMPORTS, MOST_LINES = 60, 8, 90
v = wb.vocabulary


# ------------------------------------------------------------------------------------------------ its names


def test_there_are_few_names_and_each_one_loads() -> None:
    assert len(wb.__all__) <= MOST_NAMES
    assert set(wb.__all__) <= set(dir(wb))
    assert [name for name in wb.__all__ if getattr(wb, name) is None] == []
    assert [n for n in wb.problems.__all__ if not isinstance(getattr(wb.problems, n), type)] == []


@pytest.mark.parametrize("package", [p for p in on_demand.doors() if p != "workbench"])
def test_no_public_name_is_hidden_by_a_module_of_the_same_name(package: str) -> None:
    """Importing a module makes it an attribute of its package, in place of what the stub says."""
    folder = ROOT.joinpath(*package.split("."))
    names = on_demand.doors()[package].items()
    assert [n for n, place in names if (folder / f"{n}.py").is_file() and place != (package, n)] == []


@pytest.mark.parametrize(
    ("package", "wrong", "near"), [(wb, "Mutatoin", "Mutation"), (wb.problems, "Quadratik", "Quadratic")]
)
def test_a_wrong_name_is_answered_with_the_nearest(package: object, wrong: str, near: str) -> None:
    with pytest.raises(AttributeError, match=f"has no name '{wrong}'; the nearest is {near}"):
        getattr(package, wrong)


def test_a_name_that_stands_one_package_deeper_is_told() -> None:
    with pytest.raises(AttributeError, match=r"has no name 'Quadratic'; it is problems\.Quadratic"):
        wb.Quadratic  # noqa: B018


def test_a_name_that_is_near_to_none_is_answered_with_all() -> None:
    assert not difflib.get_close_matches("zzz", wb.__all__)
    with pytest.raises(AttributeError, match=r"'zzz'; there are .*Study"):
        _ = wb.zzz


def test_the_door_loads_nothing_before_it_is_needed() -> None:
    """Nor `random` and what imports it: a file random.py may lie where `python -m workbench` is called."""
    late = "'numpy', 'sympy', 'numba', 'random', 'tempfile', 'email', 'zipfile'"
    code = f"import sys, workbench as wb; print(sorted({{{late}}} & sys.modules.keys()))"
    code += "; wb.state('x'); print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == ["[]", "True"]


def imported(file: Path) -> Iterator[str]:
    """ "package.name" of each name that a file imports."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def test_examples_are_short_and_come_through_the_door() -> None:
    names = {file.stem: list(imported(file)) for file in EXAMPLES}
    assert [n for found in names.values() for n in found if n.startswith("workbench.")] == []
    assert statistics.median(map(len, names.values())) <= MOST_IMPORTS
    assert {f.stem for f in EXAMPLES if len(f.read_text().splitlines()) > MOST_LINES} == set()


def test_templates_come_through_the_door() -> None:
    templates = sorted((ROOT / "workbench/cli/scaffold/templates").glob("*/*.py.txt"))
    names = {str(file): list(imported(file)) for file in templates}
    assert [n for found in names.values() for n in found if n.startswith("workbench.")] == []
    assert any("workbench" in found for found in names.values())


# ---------------------------------------------------------------------------------------- what a paper says

PAPER = wb.Paper("mine", "Mine", "A. Author", "draft")


def test_a_theorem_with_a_repaired_form() -> None:
    repaired = wb.Form("repaired", ((Symbol("bound"), 2 / sqrt(v.T)),), "p. 4")
    theorem = PAPER.theorem("thm-1", bound=1 / v.T, exponent=-1 / 2, form="as in the talk", forms=(repaired,))
    assert [form.name for form in theorem.forms] == ["as in the talk", "repaired"]
    study = wb.Study(PAPER, metric="gap")
    assert [claim.experiment for claim in study.exponents(theorem)] == [
        "as in the talk, claimed",
        "repaired, claimed",
    ]


class TestSimulation:
    """A simulation from its parts."""

    State = wb.state("x")

    @staticmethod
    def step(s: object, t: object, c: object, oracle: object, draw: object, xp: object) -> object:
        raise AssertionError("is not run here")

    def made(self, **parts: object) -> wb.Study:
        study = wb.Study("mine", "Mine", metric="gap")
        parts = {"problem": wb.problems.Quadratic(), "start": {"x": 1.0}, "horizon": 8, "runs": 2, **parts}
        study.simulation(self.step, **parts)
        return study

    def test_a_method_without_parameters(self) -> None:
        (sim,) = self.made().simulations.values()
        assert sim.make(8, 2).steps._fields == ()

    def test_a_level_as_a_formula(self) -> None:
        study = self.made()
        (sim,) = study.simulations.values()
        curve = study.reading("rate", sim, claimed=-1)
        level = curve.level(v.L / v.T, "derived here")
        known = {"L": np.array([[2.0]])}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(curve), "knowledge", lambda self, result: known)
            predicted = level.predictor({sim.key: None})
            assert predicted(np.array([1.0, 4.0])) == pytest.approx(np.array([[2.0, 0.5]]))
            with pytest.raises(TypeError, match="missing constants: mu"):
                curve.level(v.mu / v.T, "of another").predictor({sim.key: None})(np.array([1.0]))
        with pytest.raises(ValueError, match="the level is a str; wanted a SymPy expression, or a function"):
            curve.level("L / T", "a text")


class Bare:
    """A problem that states no constants."""


def test_steps_of_a_theorem_for_a_problem_without_constants() -> None:
    theorem = PAPER.theorem("thm-2", bound=v.eta / v.T, exponent=-1, schedule={"eta": v.eta})
    Steps = wb.steps("eta")
    rule = Steps.of(theorem, eta=0.5)
    assert isinstance(rule, Scheduled)
    assert rule(Bare(), {}, wb.Grid([{}], 2)) == Steps(eta=0.5)


def test_step_sizes_that_have_a_value_unless_given() -> None:
    Steps = wb.steps("eta", decay=0.5)
    assert Steps._fields == ("eta", "decay")
    assert (Steps(1.0).decay, Steps(1.0, 2.0).decay) == (0.5, 2.0)
    with pytest.raises(TypeError, match="eta"):
        Steps()


class Stated:
    """A problem whose constants cannot be sampled."""

    unsampled = {"D": "by definition"}  # noqa: RUF012

    def constants(self, start: object) -> dict[str, float]:
        return {"D": 2.0}


class Unstated(Stated):
    unsampled: dict[str, str] = {}  # noqa: RUF012


@pytest.mark.parametrize(
    ("problem", "said"), [(Stated(), []), (Unstated(), ["has constants but no samples"])]
)
def test_constants_that_are_right_by_definition_need_no_samples(problem: object, said: list[str]) -> None:
    batch = wb.Batch(problem, None, {"x": np.zeros((2, 1))}, wb.Grid([{}], 2))
    found = list(instances.wrong_constants(batch))
    assert len(found) == len(said)
    assert all(part in sentence for part, sentence in zip(said, found, strict=True))


def test_a_batch_of_samples_has_the_variance_of_their_mean() -> None:
    law = lambda xi, d, part, xp: np.full((3, d), 6.0)  # noqa: E731
    found = wb.problems.Quadratic(law, L=2.0).batch(np.ones((3, 2)), 4.0, None, np)
    assert found == pytest.approx(np.full((3, 2), 2.0 + 6.0 / 2.0))


def test_names_that_are_bound_side_by_side_make_records_too() -> None:
    text = """
import workbench as wb
State, Steps = wb.state("x"), wb.steps("eta")
RULE = Steps.of(THEOREM, eta=0.3)
PLAIN, OTHER = 1.0, print("a call of something else")
"""
    tree = ast.parse(text)
    found = [Assignments(tree).names(statement) for statement in tree.body[1:]]
    assert found == [{"State", "Steps"}, {"RULE"}, set()]

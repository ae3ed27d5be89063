"""Mutants: the one line that changes, all that stays, and what is said when it cannot be done."""

from __future__ import annotations

import importlib.util
import inspect
import textwrap
import traceback
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from workbench.algorithms.ada_minimax import ada_nsgdm
from workbench.arrays.noise import Sphere
from workbench.engine.eager import simulate
from workbench.engine.records import Problem, Run
from workbench.experiments.mutation import mutant
from workbench.experiments.records import Mutation
from workbench.instances.ada_minimax.single_level import Quadratic

MOMENTUM = "m = (1 - a) * s.m + a * g"


def curve(algorithm: ModuleType) -> np.ndarray:
    problem = Problem(algorithm, Quadratic(Sphere(0.5)), ada_nsgdm.Steps(0.5, 0.5), {"x": np.ones((4, 2))})
    result = simulate(problem, Run(np.array([1, 8, 32]), seed=1))
    return result.data["grad_norm"]


def test_only_step_changes() -> None:
    made = mutant(ada_nsgdm, Mutation("no momentum", MOMENTUM, "m = g"))
    for name in ("init", "State", "Steps", "sq", "unit", "TITLE"):
        assert getattr(made, name) is getattr(ada_nsgdm, name)
    assert made.step is not ada_nsgdm.step
    assert made.step.__doc__ == ada_nsgdm.step.__doc__
    assert made.__name__ == "workbench.algorithms.ada_minimax.ada_nsgdm[no momentum]"
    original, mutated = curve(ada_nsgdm), curve(made)
    assert (original != mutated)[:, 1:].all()


def test_an_equivalent_line_gives_the_same_trajectory() -> None:
    made = mutant(ada_nsgdm, Mutation("equivalent", MOMENTUM, "m = (1 - a) * s.m + (a * g)"))
    np.testing.assert_array_equal(curve(made), curve(ada_nsgdm))


def test_source_and_traceback_show_the_mutant() -> None:
    made = mutant(ada_nsgdm, Mutation("broken", MOMENTUM, "m = 1 / 0 * g"))
    before, after = inspect.getsource(ada_nsgdm.step).splitlines(), inspect.getsource(made.step).splitlines()
    changed = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    assert changed == [(f"    {MOMENTUM}  # line 3", "    m = 1 / 0 * g")]
    assert made.step.__code__.co_firstlineno == ada_nsgdm.step.__code__.co_firstlineno
    with pytest.raises(ZeroDivisionError) as caught:
        curve(made)
    shown = "".join(traceback.format_exception(caught.value))
    assert "m = 1 / 0 * g" in shown
    assert "ada_nsgdm, mutation 'broken'" in shown


def test_two_mutants_do_not_share_their_source() -> None:
    first, second = (mutant(ada_nsgdm, Mutation("same name", MOMENTUM, f"m = {n} * g")) for n in (1, 2))
    assert "m = 1 * g" in inspect.getsource(first.step)
    assert "m = 2 * g" in inspect.getsource(second.step)


@pytest.mark.parametrize("line", [f"  {MOMENTUM}\n", f"{MOMENTUM}  # a comment", "m=(1-a)*s.m+a*g"])
def test_layout_and_comments_do_not_count(line: str) -> None:
    made = mutant(ada_nsgdm, Mutation("no momentum", line, "  m = g  # why"))
    assert "\n    m = g  # why\n" in inspect.getsource(made.step)


@pytest.mark.parametrize(
    ("line", "replacement", "message"),
    [
        ("m = s.m", "m = g", "ada_nsgdm, mutation 'name': no line of step read 'm = s.m'"),
        ("class State(NamedTuple):", "m = g", "no line of step"),
        ("x = start['x']", "x = 0", "no line of step"),  # of init
        ("", "m = g", "no line of step"),
        ("# line 3", "m = g", "no line of step"),
        (MOMENTUM, f"{MOMENTUM} # said otherwise", "changes nothing"),
        (MOMENTUM, "m = (g", r"replacement 'm = \(g' does not parse \(.*never closed"),
        (MOMENTUM, "m = = g", "does not parse"),
        (MOMENTUM, "    x\n  y", "does not parse"),
        (MOMENTUM, "return g\ndef step(): (", "does not parse"),
    ],
)
def test_what_cannot_be_done_is_said(line: str, replacement: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mutant(ada_nsgdm, Mutation("name", line, replacement))


LONG = '''
from __future__ import annotations
def helper(x):
    y = 2
    return y
def step(x):
    """Text.
    y = 1
    """
    y = 1
    if x:
        for _ in range(3):
            z = helper(
                x + "#",
            )
    y = 2
    w = 0
    w = 0
    return y, z
y = 1
'''


@pytest.fixture
def odd(tmp_path: Path) -> ModuleType:
    path = tmp_path / "odd_algorithm.py"
    path.write_text(textwrap.dedent(LONG))
    spec = importlib.util.spec_from_file_location("odd_algorithm", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_lines_of_docstrings_and_other_functions_are_not_candidates(odd: ModuleType) -> None:
    assert mutant(odd, Mutation("one", "y = 1", "y = 7")).step.__code__.co_consts.count(7) == 1
    assert "y = 3\n    w" in inspect.getsource(mutant(odd, Mutation("two", "y = 2", "y = 3")).step)


def test_two_equal_lines_are_too_many(odd: ModuleType) -> None:
    with pytest.raises(ValueError, match="odd_algorithm, mutation 'two': 2 lines of step read 'w = 0'"):
        mutant(odd, Mutation("two", "w = 0", "w = 1"))


def test_inner_and_partial_lines_and_longer_replacements(odd: ModuleType) -> None:
    inner = mutant(odd, Mutation("inner", "z = helper(", "z = print("))
    assert "            z = print(\n" in inspect.getsource(inner.step)
    text = mutant(odd, Mutation("text", 'x + "#",', 'x + "%",'))
    assert '                x + "%",\n' in inspect.getsource(text.step)
    longer = mutant(odd, Mutation("longer", "return y, z", "if y:\n    return 5\nreturn 6"))
    assert longer.step("") == 5


def test_an_algorithm_without_step_is_named() -> None:
    with pytest.raises(ValueError, match="textwrap, mutation 'name': the module defines no function step"):
        mutant(textwrap, Mutation("name", "a", "b"))

"""Mutants: the one statement that changes, all that stays, and what is said when it cannot be done."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import inspect
import io
import textwrap
import tokenize
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import toy_method
from toy_method import Quadratic

from workbench.arrays.noise import Sphere
from workbench.claims.mutation import mutant
from workbench.claims.records import Mutation
from workbench.engine.eager import simulate
from workbench.engine.records import Problem, Run
from workbench.homes import papers
from workbench.run import catalog

MUTATED = {(s.algorithm, s.mutation.name): s.mutation for s in catalog.simulations().values() if s.mutation}


def loaded(source: str, path: Path, package: str = "") -> ModuleType:
    """A module of its own with this source, as one of a package, whose other modules it may import."""
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(f"{package}.{path.stem}" if package else path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def curve(algorithm: ModuleType) -> np.ndarray:
    problem = Problem(algorithm, Quadratic(Sphere(0.5)), toy_method.Steps(0.5, 0.5), {"x": np.ones((4, 2))})
    result = simulate(problem, Run(np.array([1, 8, 32]), seed=1))
    return result.data["grad_norm"]


def test_only_step_changes() -> None:
    made = mutant(toy_method, Mutation("no momentum", "m", becomes="g"))
    for name in ("init", "State", "Steps", "sq", "unit", "TITLE"):
        assert getattr(made, name) is getattr(toy_method, name)
    assert made.step is not toy_method.step
    assert made.step.__doc__ == toy_method.step.__doc__
    assert made.__name__ == "toy_method[no momentum]"
    original, mutated = curve(toy_method), curve(made)
    assert (original != mutated)[:, 1:].all()


def test_a_second_statement_changes_with_the_first() -> None:
    second = Mutation("", "eta", becomes="c.eta / xp.sqrt(t)")
    made = mutant(toy_method, Mutation("both", "m", becomes="g", also=second))
    source = inspect.getsource(made.step)
    assert "    m = g  # the momentum\n" in source
    assert "    eta = c.eta / xp.sqrt(t)\n" in source
    alone = mutant(toy_method, Mutation("one", "m", becomes="g"))
    assert (curve(made) != curve(alone))[:, 1:].all()
    with pytest.raises(ValueError, match="mutation 'both': step has no statement 'gone'"):
        mutant(toy_method, Mutation("both", "m", becomes="g", also=Mutation("", "gone", becomes="1")))


def test_an_equivalent_statement_gives_the_same_trajectory() -> None:
    made = mutant(toy_method, Mutation("equivalent", "m", becomes="a * g + (1 - a) * s.m"))
    np.testing.assert_array_equal(curve(made), curve(toy_method))


def test_source_and_traceback_show_the_mutant() -> None:
    made = mutant(toy_method, Mutation("broken", "m", becomes="1 / 0 * g"))
    before, after = inspect.getsource(toy_method.step).splitlines(), inspect.getsource(made.step).splitlines()
    changed = [(b, a) for b, a in zip(before, after, strict=True) if b != a]
    assert changed == [("    m = (1 - a) * s.m + a * g  # the momentum", "    m = 1 / 0 * g  # the momentum")]
    assert made.step.__code__.co_firstlineno == toy_method.step.__code__.co_firstlineno
    with pytest.raises(ZeroDivisionError) as caught:
        curve(made)
    shown = "".join(traceback.format_exception(caught.value))
    assert "m = 1 / 0 * g" in shown
    assert "toy_method, mutation 'broken'" in shown


def test_two_mutants_do_not_share_their_source() -> None:
    first, second = (mutant(toy_method, Mutation("same name", "m", becomes=f"{n} * g")) for n in (1, 2))
    assert "m = 1 * g" in inspect.getsource(first.step)
    assert "m = 2 * g" in inspect.getsource(second.step)


def exploded(source: str) -> str:
    """``source`` with every token of every right-hand side of ``step`` on a line of its own, with a comment."""
    tree = ast.parse(source)
    step = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "step")
    lines = source.splitlines(keepends=True)
    assert source.isascii()  # columns count bytes
    assigned = [node for node in ast.walk(step) if isinstance(node, ast.Assign)]
    for node in sorted(assigned, key=lambda n: n.lineno, reverse=True):
        text = io.StringIO(ast.unparse(node.value))
        tokens = [token.string for token in tokenize.generate_tokens(text.readline) if token.string.strip()]
        value = "".join(f"{token}  # said otherwise\n" for token in tokens)
        targets = "".join(f"{ast.unparse(target)} = " for target in node.targets)
        assert node.end_lineno is not None
        rest = lines[node.end_lineno - 1][node.end_col_offset :]
        new = f"{lines[node.lineno - 1][: node.col_offset]}{targets}((\n{value})){rest}"
        lines[node.lineno - 1 : node.end_lineno] = [new]
    return "".join(lines)


@pytest.mark.parametrize("layout", [lambda source: ast.unparse(ast.parse(source)), exploded])
@pytest.mark.parametrize(("algorithm", "name"), MUTATED)
def test_a_new_layout_gives_the_same_mutant(
    algorithm: str, name: str, layout: Callable[[str], str], tmp_path: Path
) -> None:
    module = importlib.import_module(papers.module_name("methods", algorithm))
    other = loaded(layout(inspect.getsource(module)), tmp_path / "other_layout.py", module.__package__)
    made, again = (inspect.getsource(mutant(m, MUTATED[algorithm, name]).step) for m in (module, other))
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(again))
    assert inspect.getsource(other.step) != inspect.getsource(module.step)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"statement": "n"},
            "toy_method, mutation 'name': step has no statement 'n'; it must have exactly one",
        ),
        ({"statement": "m = s.m"}, "step has no statement 'm = s.m'"),
        ({"statement": "class State(NamedTuple): pass"}, "step has no statement"),
        ({"statement": "x = start['x']"}, "step has no statement"),  # of init
        ({"statement": ""}, "'' has 0 statements; it must have exactly one"),
        ({"statement": "m; x"}, "'m; x' has 2 statements"),
        ({"statement": "m = ("}, "does not parse"),
        ({"becomes": "((1 - a) * s.m) + a*g  # said otherwise"}, "changes nothing"),
        ({"part": "a * g", "becomes": "(a * g)"}, "changes nothing"),
        ({"becomes": "(g"}, r"'\(g' does not parse \(.*never closed"),
        ({"becomes": "m = g"}, "'m = g' is not an expression"),
        ({"part": "a = g"}, "'a = g' is not an expression"),
        ({"part": "a"}, "'a' occurs 2 times in the statement 'm'; it must occur exactly once"),
        ({"part": "S"}, "'S' occurs 0 times in the statement 'm'"),
    ],
)
def test_what_cannot_be_done_is_said(changes: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mutant(toy_method, Mutation(**{"name": "name", "statement": "m", "becomes": "g", **changes}))


LONG = '''
from __future__ import annotations
def helper(x):
    y = 2
    return y
def step(x):
    """Text.
    y = 1
    """
    y = u = 1
    if x:
        for _ in range(3):
            z = helper(
                x + "\N{GREEK SMALL LETTER LAMDA}#",
            )  # kept
    def inner(k):
        n, w = 0, k; v = 3
        return n
    w = 0
    w = 1
    return y, z
y = 1
'''


@pytest.fixture
def odd(tmp_path: Path) -> ModuleType:
    return loaded(textwrap.dedent(LONG), tmp_path / "odd_algorithm.py")


def test_docstrings_and_other_functions_are_not_candidates(odd: ModuleType) -> None:
    assert "    y = u = 7\n" in inspect.getsource(mutant(odd, Mutation("one", "y", becomes="7")).step)


def test_a_name_assigned_twice_needs_the_whole_statement(odd: ModuleType) -> None:
    with pytest.raises(ValueError, match="odd_algorithm, mutation 'two': step has 2 statements 'w'"):
        mutant(odd, Mutation("two", "w", becomes="2"))
    made = mutant(odd, Mutation("two", "w = (1)", becomes="2"))
    assert "    w = 0\n    w = 2\n" in inspect.getsource(made.step)


def test_nested_statements_returns_and_neighbours_on_a_line(odd: ModuleType) -> None:
    inner = mutant(odd, Mutation("inner", "z", becomes="1 + 1", part="x"))
    assert "            z = helper(1 + 1 + '\N{GREEK SMALL LETTER LAMDA}#')  # kept\n" in inspect.getsource(
        inner.step
    )
    pair = mutant(odd, Mutation("pair", "(n, w)", becomes="1", part="0"))
    assert "        n, w = (1, k); v = 3\n" in inspect.getsource(pair.step)
    returned = mutant(odd, Mutation("returned", "return (y, z)", becomes="5"))
    assert returned.step("") == 5


def test_a_part_keeps_its_place_in_the_expression() -> None:
    made = mutant(toy_method, Mutation("sum", "x", part="eta", becomes="eta + 1.0"))
    assert "x = s.x - (eta + 1.0) * unit(m, xp)  # the step" in inspect.getsource(made.step)


def test_an_algorithm_without_step_is_named() -> None:
    with pytest.raises(ValueError, match="textwrap, mutation 'name': the module defines no function step"):
        mutant(textwrap, Mutation("name", "a", "b"))


MORE = """
import math
def step(x):
    y = 1
    y += 2
    z: float = math.sqrt(x)
    def inner(k):
        u = k + z
        return u
    return y
"""


@pytest.fixture
def more(tmp_path: Path) -> ModuleType:
    return loaded(textwrap.dedent(MORE), tmp_path / "more_algorithm.py")


def test_augmented_and_annotated_assignments_are_statements_too(more: ModuleType) -> None:
    with pytest.raises(ValueError, match="step has 2 statements 'y'"):
        mutant(more, Mutation("two", "y", becomes="3"))
    assert "    y += 3\n" in inspect.getsource(mutant(more, Mutation("sum", "y += 2", becomes="3")).step)
    assert "    z: float = 3\n" in inspect.getsource(mutant(more, Mutation("typed", "z", becomes="3")).step)


@pytest.mark.parametrize(
    ("statement", "becomes", "message"),
    [
        ("z", "math.sqrt(xx)", "step does not know xx"),
        ("u", "k + w", "step does not know w"),
        ("return y", "u", "step does not know u"),  # a local name of the inner function
        ("z", "*x", r"'\*x' cannot stand there"),
        ("z", "await x", "'await x' cannot stand there"),
    ],
)
def test_a_mistake_shows_when_the_mutant_is_made(
    more: ModuleType, statement: str, becomes: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        mutant(more, Mutation("wrong", statement, becomes=becomes))


def test_names_of_the_module_of_comprehensions_and_built_in_ones_are_known(more: ModuleType) -> None:
    made = mutant(
        more, Mutation("known", "z", becomes="sum(math.sqrt(k) for k in range(x)) + (lambda j: j)(x)")
    )
    assert made.step(3) == 3


@pytest.mark.parametrize("rest", ["step = other", "step = (lambda f: lambda x: f(x))(step)", "step = print"])
def test_a_step_that_is_not_its_definition_is_no_place_for_a_mutant(rest: str, tmp_path: Path) -> None:
    source = "def step(x):\n    v = x\n    return v\ndef other(x):\n    return x\n" + rest
    with pytest.raises(ValueError, match="the module's step is not what it defines under this name"):
        mutant(loaded(source, tmp_path / "wrapped_algorithm.py"), Mutation("name", "v", becomes="1"))


def test_return_is_the_statement_that_returns() -> None:
    made = mutant(toy_method, Mutation("stays", "return", becomes="s"))
    assert inspect.getsource(made.step).rstrip().endswith("return s")

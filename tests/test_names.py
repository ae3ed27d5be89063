"""Names say what a thing is: no bare participle ("found", "held", "made") names a variable, parameter or function."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Participles that do not end in -ed.
IRREGULAR = """
begun bent bought broken brought built caught chosen cut done drawn driven fallen felt fought found given gone grown
had heard held hidden hit kept known laid led left lost made meant met overwritten paid put read rewritten risen rung
said seen sent shown shut sold sought spelt spent spoken sprung stood swept taken taught thought thrown told torn
understood undone unknown unread unsaid unseen untold unwritten won worn written
"""
NOUNS = "bed embed feed need seed speed indeed red"  # words in -ed that are no participles
# Participles that are terms: of statistics, optimization or learning, of a verdict, or of a form of a theorem.
TERMS = """
admitted bounded certified claimed closed derived diverged elapsed expected failed fixed given hidden measured
normalised opened predicted printed quoted refuted repaired undecided unsampled unsolved violated weighted
"""
VERBS = "cut hit put read shut"  # which a function may be called: what it does
# Bindings of this kind in the rooms that are not renamed yet. A room that is missing here has none. Lower a number
# when names in its room have become better.
ALLOWED = {
    "theorems/*/experiments": 41,
    "theorems/*/figures": 4,
    "workbench/claims": 31,
}


def bindings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """(name without leading underscores, line) of everything that a module binds under a participle."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            continue
        inside = list(_names(scope))
        names = {name for name, *_ in inside}
        for name, line, is_function in inside:
            side = name == "left" and names & {"right", "corner"}  # of two or three
            if is_participle(name) and not side and not (is_function and name in VERBS.split()):
                yield name, line


def is_participle(name: str) -> bool:
    """Whether a name is one word, and that a participle which is no term."""
    ending = name.endswith("ed") and name not in NOUNS.split()
    participle = ending or name in IRREGULAR.split()
    return participle and name not in TERMS.split() and re.fullmatch("[a-z]+", name) is not None


def _names(scope: ast.AST) -> Iterator[tuple[str, int, bool]]:
    """(name, line, whether it is a function) of what is bound in a scope itself, its parameters included."""
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        for argument in ast.walk(scope.args):
            if isinstance(argument, ast.arg):
                yield argument.arg.strip("_"), argument.lineno, False
    todo = list(getattr(scope, "body", []))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not isinstance(node, ast.ClassDef):
                yield node.name.strip("_"), node.lineno, True
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.strip("_"), node.lineno, False
        elif isinstance(node, ast.arg):  # of a lambda
            yield node.arg.strip("_"), node.lineno, False
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr.strip("_"), node.lineno, False
        todo += ast.iter_child_nodes(node)


def room(path: Path) -> str:
    """The room of a file: a folder of the library, the folder of a kind of file in the papers, or another folder."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "theorems" and len(parts) > 3:
        return f"theorems/*/{parts[2]}"
    if parts[:3] == ("workbench", "report", "drawing"):
        return "workbench/report/drawing"
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def files() -> list[Path]:
    return sorted(path for top in ("workbench", "theorems") for path in (ROOT / top).rglob("*.py"))


def test_no_room_gets_more_names_that_are_bare_participles() -> None:
    counts: Counter[str] = Counter()
    for path in files():
        counts[room(path)] += sum(1 for _ in bindings(ast.parse(path.read_text())))
    more = {name: (n, ALLOWED.get(name, 0)) for name, n in counts.items() if n > ALLOWED.get(name, 0)}
    assert not more, "room: (names, allowed); `python -m tests.test_names ROOM` shows them"


def test_what_is_a_participle() -> None:
    source = """
def found(held, rows, *made, seen=None, **left):
    kept_rows, claimed = rows
    left, right = [said for said in held]
    self.known = lambda told: told
    def read(): need = speed = 1
class Kept:
    shown: int = 0
"""
    names = "found held made seen left left said known told shown"
    assert sorted(name for name, _ in bindings(ast.parse(source))) == sorted(
        names.split()[:4] + names.split()[6:]
    )


if __name__ == "__main__":  # python -m tests.test_names ROOM: the names in a room
    import sys

    for path in files():
        if room(path) in sys.argv[1:]:
            for name, line in bindings(ast.parse(path.read_text())):
                print(f"{path.relative_to(ROOT)}:{line}: {name}")

"""Falsifiers: an algorithm with one line of its ``step`` replaced by a nearby wrong one.

All else is shared with the algorithm: ``init``, ``State``, ``Steps`` and all helpers are the same objects.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import io
import linecache
import textwrap
import tokenize
from types import CodeType, ModuleType

from workbench.experiments.records import Mutation

_LAYOUT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def mutant(module: ModuleType, mutation: Mutation) -> ModuleType:
    """A namespace like ``module`` whose ``step`` has ``mutation.line`` replaced by ``mutation.replacement``.

    Lines are compared token by token, so indentation, spaces and comments do not count. The replacement takes the
    indentation of the line; it may have several lines. Tracebacks and ``inspect.getsource`` show the mutated source.
    Raises ValueError where the line is not found exactly once, where nothing changes, or where the result is no Python.
    """
    label = f"{module.__name__}, mutation {mutation.name!r}"
    lines = inspect.getsource(module).splitlines(keepends=True)
    first, last = _extent_of_step(lines, label)
    index = _find(lines, first, last, mutation, label)
    old = lines[index]
    indent = old[: len(old) - len(old.lstrip())]
    new = textwrap.indent(textwrap.dedent(mutation.replacement).strip("\n") + "\n", indent)
    lines[index] = new
    source = "".join(lines)
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    filename = f"<{label}, {digest}>"
    code = _compile_step(source, filename, mutation, label)
    # No modification time: linecache keeps such entries although there is no file of this name.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    made = ModuleType(f"{module.__name__}[{mutation.name}]", module.__doc__)
    hidden = {"__name__", "__file__", "__cached__", "__spec__", "__loader__", "step"}
    vars(made).update({name: value for name, value in vars(module).items() if name not in hidden})
    exec(code, vars(made))
    return made


def _extent_of_step(lines: list[str], label: str) -> tuple[int, int]:
    """Indices of the first line of ``step`` and of the line after its last."""
    step = _step(ast.parse("".join(lines)))
    if step is None:
        raise ValueError(f"{label}: the module defines no function step")
    return step.lineno - 1, step.end_lineno or step.lineno


def _step(tree: ast.Module) -> ast.FunctionDef | None:
    """The definition that a module's name ``step`` ends up with."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "step"]
    return found[-1] if found else None


def _find(lines: list[str], first: int, last: int, mutation: Mutation, label: str) -> int:
    wanted = _tokens_by_line(mutation.line.strip()).get(1, ())
    held = _tokens_by_line("".join(lines[first:last]))
    matches = [first + n - 1 for n, tokens in held.items() if wanted and tokens == wanted]
    if len(matches) != 1:
        count = "no line" if not matches else f"{len(matches)} lines"
        raise ValueError(f"{label}: {count} of step read {mutation.line.strip()!r}; it must be exactly one")
    if _tokens_by_line(mutation.replacement.strip()) == {1: wanted}:
        raise ValueError(f"{label}: the replacement of {mutation.line.strip()!r} changes nothing")
    return matches[0]


def _tokens_by_line(source: str) -> dict[int, tuple[str, ...]]:
    """Line number -> the strings of its tokens, without comments and layout; lines inside long strings are absent."""
    held: dict[int, tuple[str, ...]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline):
            if token.type not in _LAYOUT:
                held[token.start[0]] = (*held.get(token.start[0], ()), token.string)
    except (tokenize.TokenError, IndentationError):
        pass  # one line of a longer statement ends inside a bracket; what was read until then is the line
    return held


def _compile_step(source: str, filename: str, mutation: Mutation, label: str) -> CodeType:
    """The definition of ``step`` alone, at its place in the file, under the file's ``from __future__`` imports."""
    try:
        tree = ast.parse(source, filename)
        step = _step(tree)
        future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
        if step is None:
            raise SyntaxError("it ends the function step")
        return compile(ast.Module([*future, step], []), filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        text = mutation.replacement.strip()
        raise ValueError(f"{label}: the replacement {text!r} does not parse ({error.msg})") from error

"""Falsifiers: an algorithm with a statement of its ``step`` replaced by a nearby wrong one (rarely, two).

Everything else is shared with the algorithm: ``init``, ``State``, ``Steps`` and all helpers are the same objects.
"""

from __future__ import annotations

import ast
import builtins
import dis
import hashlib
import inspect
import linecache
import textwrap
from collections.abc import Iterator
from types import CodeType, ModuleType

from workbench.claims.records import Mutation
from workbench.homes import papers


def mutant(module: ModuleType, mutation: Mutation) -> ModuleType:
    """A namespace like ``module`` with the mutated ``step``.

    Statements are compared as syntax trees, so layout, parentheses and comments do not matter. Tracebacks and
    ``inspect.getsource`` show the mutated source. Raises ValueError if the statement or its part does not occur exactly
    once, if nothing changes, if the text of the mutation is not valid Python or uses a name that ``step`` does not
    know, and if the module's ``step`` is not its own definition of that name.
    """
    label = f"{module.__name__}, mutation {mutation.name!r}"
    source = inspect.getsource(module)
    step = _step(ast.parse(source))
    if step is None:
        raise ValueError(f"{label}: the module defines no function step")
    if not step.decorator_list and not _is_code_of(module.step, step):
        raise ValueError(f"{label}: the module's step is not what it defines under this name")
    for change in _changes(mutation):
        step = _step(ast.parse(source))
        assert step is not None
        old, value = _find(step, change.statement, label)
        source = _splice(source, old, _Replace(*_change(value, change, label)).visit(old))
    digest = hashlib.sha256(source.encode()).hexdigest()[:8]
    filename = f"<{label}, {digest}>"
    # Without a modification time linecache keeps the entry, although no file of this name exists.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    papers.MUTATED[filename] = module.__file__ or "", mutation.name
    mutant = ModuleType(f"{module.__name__}[{mutation.name}]", module.__doc__)
    hidden = {"__name__", "__file__", "__cached__", "__spec__", "__loader__", "step"}
    vars(mutant).update({name: value for name, value in vars(module).items() if name not in hidden})
    try:
        code = _compiled_step(source, filename)
    except SyntaxError as error:
        raise ValueError(f"{label}: {mutation.becomes!r} cannot stand there ({error.msg})") from error
    if undefined_names := _globals(code) - vars(mutant).keys() - vars(builtins).keys():
        raise ValueError(f"{label}: step does not know {', '.join(sorted(undefined_names))}")
    exec(code, vars(mutant))
    return mutant


def _changes(mutation: Mutation) -> Iterator[Mutation]:
    """The mutation and, statement by statement, what it changes also."""
    change: Mutation | None = mutation
    while change is not None:
        yield change
        change = change.also


def _is_code_of(function: object, definition: ast.FunctionDef) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and code.co_firstlineno == definition.lineno


def _globals(code: CodeType) -> set[str]:
    """The names that this code, nested functions included, looks up in its module; it may not define them itself."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_globals(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def _step(tree: ast.Module) -> ast.FunctionDef | None:
    """The last definition of ``step`` in a module."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "step"]
    return functions[-1] if functions else None


def _find(step: ast.FunctionDef, statement: str, label: str) -> tuple[ast.stmt, ast.expr]:
    """The unique assignment or return matched by ``statement``, nested functions included, and its right-hand side."""
    pattern = _parse(statement, label)
    matches = []
    for node in ast.walk(step):
        if (
            isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return)
            and node.value is not None
        ):
            targets = getattr(node, "targets", [getattr(node, "target", node)])
            if isinstance(node, ast.Return):
                targets = [ast.Return()]  # "return" alone is that of the step, where it has one
            if any(_same(pattern, form) for form in (node, *targets)):
                matches.append((node, node.value))
    if len(matches) != 1:
        count = "no statement" if not matches else f"{len(matches)} statements"
        raise ValueError(f"{label}: step has {count} {statement!r}; it must have exactly one")
    return matches[0]


def _change(value: ast.expr, mutation: Mutation, label: str) -> tuple[ast.expr, ast.expr]:
    """The expression to replace (the right-hand side or a part of it), and its replacement."""
    old, new = value, _expression(mutation.becomes, label)
    if mutation.part:
        pattern = _expression(mutation.part, label)
        matches = [n for n in ast.walk(value) if isinstance(n, ast.expr) and _same(pattern, n)]
        if len(matches) != 1:
            where = f"{len(matches)} times in the statement {mutation.statement!r}"
            raise ValueError(f"{label}: {mutation.part!r} occurs {where}; it must occur exactly once")
        (old,) = matches
    if _same(old, new):
        raise ValueError(f"{label}: {mutation.becomes!r} changes nothing")
    return old, new


class _Replace(ast.NodeTransformer):
    """Replaces the node ``old``, compared by identity, with ``new``."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def _same(a: ast.AST, b: ast.AST) -> bool:
    """Whether two syntax trees are equal, ignoring whether a name is read or assigned to."""
    return ast.unparse(a) == ast.unparse(b)


def _expression(text: str, label: str) -> ast.expr:
    node = _parse(text, label)
    if not isinstance(node, ast.expr):
        raise ValueError(f"{label}: {text!r} is not an expression")
    return node


def _parse(text: str, label: str) -> ast.expr | ast.stmt:
    """The single expression or statement in a text."""
    try:
        body = ast.parse(textwrap.dedent(text).strip()).body
    except SyntaxError as error:
        raise ValueError(f"{label}: {text!r} does not parse ({error.msg})") from error
    if len(body) != 1:
        raise ValueError(f"{label}: {text!r} has {len(body)} statements; it must have exactly one")
    return body[0].value if isinstance(body[0], ast.Expr) else body[0]


def _splice(source: str, old: ast.stmt, new: ast.AST) -> str:
    """``source`` with the text of one statement replaced; all surrounding text, including comments, is kept."""
    lines = source.encode().splitlines(keepends=True)  # column offsets in a syntax tree count bytes
    assert old.end_lineno is not None
    first, last = old.lineno - 1, old.end_lineno - 1
    before, after = lines[first][: old.col_offset], lines[last][old.end_col_offset :]
    lines[first : last + 1] = [before + ast.unparse(new).encode() + after]
    return b"".join(lines).decode()


def _compiled_step(source: str, filename: str) -> CodeType:
    """The compiled definition of ``step``, at its original line, with the file's ``from __future__`` imports."""
    tree = ast.parse(source, filename)
    step = _step(tree)
    assert step is not None
    future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    return compile(ast.Module([*future, step], []), filename, "exec", dont_inherit=True)

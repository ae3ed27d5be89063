"""Which top-level assignments of a file can have no effect but their value.

One file of a user may hold a method and what is claimed of it. A claim is an assignment that calls constructors of this
project; where none of its names is used, it changes no trajectory. Everything that might act otherwise is left out: a
call of anything else, also of a builtin that the file redefines or that is handed a function; a method of a dict or an
array; an assignment to an entry or an attribute.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

# Packages whose functions make records and change nothing.
OURS = frozenset({"workbench"})
# Single functions of other packages.
OTHERS = {
    "sympy": "Abs Eq Ge Integer Le Max Min Pow Rational S Sum Symbol cbrt exp log sqrt symbols",
    "typing": "NamedTuple TypeVar",
    "functools": "partial",
    "numpy": "array asarray full zeros ones eye arange linspace logspace geomspace sqrt",
}
NAMED = (
    ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
)
# By which names may be reached without being written.
INDIRECT = frozenset({"getattr", "vars", "locals", "globals", "eval", "exec", "import_module", "__import__"}) | {
    "__globals__", "__dict__", "__getattribute__", "__builtins__", "modules",
}  # fmt: skip
BUILTINS = frozenset({"tuple", "list", "dict", "range", "float", "int", "str", "len"})


class Assignments:
    """The harmless assignments of a module.

    One that binds a name of the module that is bound elsewhere, too, is judged like any other; a name that is called
    must be bound once.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._bound = Counter(_bindings(tree))
        self._calls: set[str] = set() if "*" in self._bound else set(BUILTINS - self._bound.keys())
        self._makes: set[str] = set()  # names of what this project made, whose methods make records in turn
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom) and "*" not in self._bound:
                self._import(node)
        has_names = all(_has_plain_names(node) for node in ast.walk(tree))
        harmless = {id(s): self._harmless_names(s) for s in tree.body} if has_names else {}
        self._names_by_statement = {s: names for s, names in harmless.items() if names}

    def names(self, statement: ast.stmt) -> frozenset[str]:
        """What a harmless assignment binds; empty for any other statement."""
        return self._names_by_statement.get(id(statement), frozenset())

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            full_name = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
            package, _, rest = full_name.partition(".")
            local = alias.asname or alias.name.partition(".")[0]
            if getattr(node, "level", 0) or self._bound[local] > 1:
                continue
            if package in OURS:
                self._calls.add(local)
                self._makes.add(local)
            elif rest in OTHERS.get(package, "").split():
                self._calls.add(local)
            elif not rest:
                self._calls |= {f"{local}.{name}" for name in OTHERS.get(package, "").split()}

    def _harmless_names(self, statement: ast.stmt) -> frozenset[str]:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            return frozenset()
        names = frozenset(name for target in targets for name in _plain(target))
        if "" in names or not self._harmless(value):
            return frozenset()
        for target in targets:
            for part, given in _pairs(target, value):
                if isinstance(given, ast.Call) and _root(given.func) in self._makes:
                    single = {n for n in _plain(part) if isinstance(part, ast.Name) and self._bound[n] == 1}
                    self._calls |= single
                    self._makes |= single
        return names

    def _harmless(self, value: ast.expr) -> bool:
        """Whether all calls in an expression are; what stands in a ``lambda`` is not called here."""
        todo: list[ast.AST] = [value]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Lambda):
                continue
            if isinstance(node, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom):
                return False
            if isinstance(node, ast.Call) and not self._is_allowed(node.func):
                return False
            todo += ast.iter_child_nodes(node)
        return True

    def _is_allowed(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return function.id in self._calls
        return ast.unparse(function) in self._calls or _root(function) in self._makes


def _has_plain_names(node: ast.AST) -> bool:
    """Whether it reaches names of a module by naming them."""
    if isinstance(node, ast.Name):
        return node.id not in INDIRECT
    return not (isinstance(node, ast.Attribute) and node.attr in INDIRECT)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target with its value, also where both are tuples."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _plain(target: ast.expr) -> Iterator[str]:
    """The names that a target binds; "" for an entry or an attribute."""
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _plain(element)
    elif isinstance(target, ast.Starred):
        yield from _plain(target.value)
    else:
        yield target.id if isinstance(target, ast.Name) else ""


def _root(function: ast.expr) -> str:
    """ "STUDY" of ``STUDY.reading(x).tight``, a method of what a method made; "" for anything else that is called."""
    node: ast.expr = function
    while isinstance(node, ast.Attribute):
        node = node.value.func if isinstance(node.value, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _bindings(tree: ast.Module) -> Iterator[str]:
    """Every name that is bound anywhere in a module, as often as it is; "*" for a star import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, NAMED) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)

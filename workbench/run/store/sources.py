"""Hashes of the code behind a result (`code_hash`), computed from source files without importing them.

Starting from the given modules, the hash includes every top-level definition reachable by name across project-local
imports, as its syntax tree without docstrings, comments and positions. Statements that run on import (loops, bare
calls, assignments whose value calls something) are included for every module imported on the way. Where a name cannot
be resolved, the whole module is included. So adding an unrelated function to a shared module invalidates no result, and
changing a helper does.

Outside the tree a module may also read a file when it is imported. So the values that such a statement has given to
names are included, where they are plain data: numbers, texts, arrays, and lists and dicts of these. And one file may
hold method and claims: there, harmless `assignments` count only where their names are used.

Python versions print syntax trees differently, so results are recomputed after an upgrade of Python.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import itertools
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from workbench.homes import disk, papers
from workbench.homes.on_demand import behind_doors, doors
from workbench.run.store.assignments import Assignments
from workbench.run.store.content import content, digest

# Of an algorithm: text for tables and what is known of other implementations, on which no trajectory depends.
PROSE = frozenset({"TITLE", "SOURCE", "AUTHORS", "DIFFERENCE"})
# Decorators without side effects; any other decorator might register the definition somewhere.
_HARMLESS = frozenset({"dataclass", "cache", "lru_cache", "cached_property", "overload", "final", "njit"})
# Of a module: all but idle statements; everything; what importing it runs elsewhere.
ACTIVE, WHOLE, LOADS = "+", "*", ">"
# Ways to reach a definition without naming it. If one occurs, all imported modules are included entirely.
_DYNAMIC = re.compile(r"'(globals|eval|exec|__subclasses__|__init_subclass__|metaclass|modules)'")
_CALLS = re.compile(r"'(import_module|__import__)'")  # ways to import by a call
_DOTTED = re.compile(r"\w+(\.\w+)+")


@dataclass(frozen=True)
class _Part:
    """A top-level statement. names: what it defines (empty: it runs on import). mentions: dotted names in it.

    computed_names: the names to which a statement assigns by calling something. idle: it counts only where it is named,
    even where the whole module is included.
    """

    names: frozenset[str]
    dump: str
    mentions: frozenset[str]
    computed_names: frozenset[str]
    idle: bool


@dataclass(frozen=True)
class _Module:
    """A parsed module. parts: in source order. imports: local name -> dotted targets. loads: modules it imports."""

    parts: tuple[_Part, ...]
    bound: frozenset[str]
    imports: dict[str, frozenset[str]]
    loads: frozenset[str]
    stars: frozenset[str]
    dynamic: bool


class Project:
    """The sources of some packages below one folder, each located and parsed once.

    elsewhere: finds the source files of further modules (by default: there are none); text: reads a file; value: a
    digest of what a name in such a module holds, None for a name that does not count.
    """

    def __init__(
        self,
        root: Path,
        packages: Iterable[str] = ("workbench",),
        elsewhere: Callable[[str], Path | None] = lambda module: None,
        text: Callable[[Path], bytes] = Path.read_bytes,
        value: Callable[[str, str], bytes | None] = lambda module, name: None,
    ) -> None:
        self._root, self._packages = root, frozenset(packages)
        self._elsewhere, self._text, self.value = elsewhere, text, value
        self._modules: dict[Path, _Module] = {}
        self._paths: dict[str, Path | None] = {}
        self.links: dict[bool, dict[tuple[str, str], _Links]] = {False: {}, True: {}}  # see `_Reached`

    def code_hash(self, modules: Iterable[str]) -> str:
        """Hash of all code reachable from ``modules``, each "package.module" or "package.module:Definition".

        Raises ValueError for a module without a source file, SyntaxError for one that does not parse.
        """
        return digest("code", *(line.encode() for line in self._closure(modules).lines())).hex()

    def hash_of_papers(self, modules: Iterable[str]) -> str:
        """`code_hash` without the code of the packages: of what the authors of papers wrote."""
        return digest(
            "code", *(line.encode() for line in self._closure(modules).lines(only_authors=True))
        ).hex()

    def _closure(self, modules: Iterable[str]) -> _Reached:
        roots = sorted(set(modules))
        closure = _Reached(self, roots)
        return _Reached(self, roots, whole=True) if closure.dynamic else closure

    def reaches(self, modules: Iterable[str], words: Iterable[str]) -> bool:
        """Whether one of the words occurs in that code as a name, an attribute or an operator (``MatMult``)."""
        pattern = re.compile(rf"(id|attr|name)='({'|'.join(words)})'|op=({'|'.join(words)})\(")
        return any(pattern.search(line) for line in _Reached(self, sorted(set(modules))).lines())

    def own(self, module: str) -> bool:
        """Whether a module is in one of the packages."""
        return module.partition(".")[0] in self._packages and not papers.inside(module, [papers.PARENT])

    def path(self, module: str) -> Path | None:
        """The source file of a project-local module, None for any other module."""
        if not self.own(module):
            if module not in self._paths:
                self._paths[module] = self._elsewhere(module)
        elif module not in self._paths:
            stem = self._root.joinpath(*module.split("."))
            files = (p for p in (stem / "__init__.py", stem.with_suffix(".py")) if p.is_file())
            self._paths[module] = next(files, None)
        return self._paths[module]

    def module(self, name: str, path: Path) -> _Module:
        if path not in self._modules:
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            self._modules[path] = _read_module(self._text(path), str(path), package, self.own(name))
        return self._modules[path]


class _Links:
    """What a name leads to: further names, and the imported names on the way, both as (module, name or text)."""

    def __init__(self) -> None:
        self.names: set[tuple[str, str]] = set()
        self.aliases: set[tuple[str, str]] = set()
        self.parts: list[int] = []  # statements of its module
        self.names_resolved: set[str] = set()  # dotted names


class _Reached:
    """The closure of some roots: the statements and imported names reached in each module.

    whole: include every imported module entirely. What each name leads to is found once for all closures of a project.
    """

    def __init__(self, project: Project, roots: Iterable[str], whole: bool = False) -> None:
        self._project, self._whole = project, whole
        self._outside: dict[str, Path] = {}  # modules outside the packages, allowed as roots only
        self._parts: dict[str, set[int]] = {}
        self._aliases: dict[str, set[str]] = {}
        split = [(module, definition) for module, _, definition in (root.partition(":") for root in roots)]
        for module, _ in split:
            self._allow(module)
        self._links: dict[tuple[str, str], _Links] = {} if self._outside else project.links[whole]
        start, todo, pairs, modules = (
            _Links(),
            list[tuple[str, str]](),
            set[tuple[str, str]](),
            set[str](),
        )
        for module, definition in split:
            if definition:
                self._local(start, module, definition.split("."))
            else:
                start.names.add((module, ACTIVE))
        todo += self._join(start, pairs)
        while todo:
            module, name = todo.pop()
            links = self._links_of(module, name)
            self._parts.setdefault(module, set()).update(links.parts)
            todo += self._join(links, pairs)
            if module not in modules:
                modules.add(module)
                todo += self._join(self._links_of(module, LOADS), pairs)

    def _join(self, links: _Links, pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Takes links; the names among them that are new. pairs: those taken before."""
        for module, text in links.aliases:
            self._aliases.setdefault(module, set()).add(text)
        new = links.names - pairs
        pairs |= new
        return new

    @property
    def dynamic(self) -> bool:
        """Whether definitions may be used unnamed. The packages reach those outside by the catalog's names only."""
        outside = {module for module in self._parts if not self._project.own(module)}
        return any(self._module_of(module).dynamic for module in outside or self._parts)

    def lines(self, only_authors: bool = False) -> Iterator[str]:
        """The text to hash: per module the imported names in use, then the statements in source order.

        only_authors: of modules outside the packages only.
        """
        for module in sorted(m for m in self._parts if not (only_authors and self._project.own(m))):
            yield f"module {module}"
            yield from sorted(self._aliases.get(module, ()))
            yield from (self._module_of(module).parts[i].dump for i in sorted(self._parts[module]))
            if not self._project.own(module):
                yield from self._values(module)

    def _values(self, module: str) -> Iterator[str]:
        """What the statements that ran on import have computed; all that a module holds which may name it by a text."""
        parts = (self._module_of(module).parts[i] for i in self._parts[module])
        names = {name for part in parts for name in part.computed_names}
        if self._module_of(module).dynamic:
            names |= {
                name for name in getattr(sys.modules.get(module), "__dict__", ()) if not name.startswith("__")
            }
        for name in sorted(names):
            if (value := self._project.value(module, name)) is not None:
                yield f"{name} holds {value.hex()}"

    def _allow(self, module: str) -> None:
        if self._project.path(module) is None:
            file = getattr(sys.modules.get(module), "__file__", None)
            if file is None or not file.endswith(".py"):
                raise ValueError(f"no source file is known for module {module!r}, on which a result depends")
            self._outside[module] = Path(file)

    def _path(self, module: str) -> Path | None:
        return self._project.path(module) or self._outside.get(module)

    def _module_of(self, module: str) -> _Module:
        path = self._path(module)
        assert path is not None
        return self._project.module(module, path)

    def _links_of(self, module: str, name: str) -> _Links:
        """What a definition leads to, "" for the statements that run on import, `ACTIVE`, `WHOLE` or `LOADS`."""
        if (links := self._links.get((module, name))) is not None:
            return links
        links, code = _Links(), self._module_of(module)
        if name == LOADS:
            self._load(links, module, code)
        elif name in (ACTIVE, WHOLE) or self._whole:
            everything = name == WHOLE or self._whole
            for inner in sorted(code.bound | code.imports.keys() if everything else self._active(module)):
                self._local(links, module, [inner])
        for i, part in enumerate(code.parts):
            if name in part.names or (not name and not part.names):
                links.parts.append(i)
                self._follow(links, module, part.mentions)
        self._links[module, name] = links
        return links

    def _active(self, module: str) -> set[str]:
        """The names of a module but for those that count only where they are named: of idle statements, and, outside
        the packages, what is imported from these.
        """
        code, own = self._module_of(module), self._project.own
        acting = {name for part in code.parts if not part.idle for name in part.names}
        theirs = {
            name for name, full_name in code.imports.items() if not own(module) and all(map(own, full_name))
        }
        return acting | (code.imports.keys() - theirs)

    def _load(self, links: _Links, module: str, code: _Module) -> None:
        """Adds what importing a module runs: the module, its parent packages and its imports.

        From outside, importing one of the packages changes nothing but by the names that are then used.
        """
        inside = self._project.own(module)
        for full_name in (module, *code.loads):
            steps = full_name.split(".")
            for n in range(1, len(steps) + 1):
                prefix = ".".join(steps[:n])
                if (
                    not self._reachable(prefix, module) or prefix in doors()
                ):  # no result depends on what loads names on demand
                    continue
                if inside or not self._project.own(prefix):
                    links.names.add((prefix, ""))
        for star in code.stars:
            self._absolute(links, star, module)

    def _follow(self, links: _Links, module: str, mentions: Iterable[str]) -> None:
        code = self._module_of(module)
        for full_name in mentions:
            steps = full_name.split(".")
            if not steps[0]:  # a string, perhaps an argument of importlib
                self._absolute(links, full_name[1:], module)
            elif steps[0] in code.imports or steps[0] in code.bound:
                self._local(links, module, steps)

    def _local(self, links: _Links, module: str, steps: list[str]) -> None:
        """Resolves a dotted name inside ``module``; without a name, or for an unknown one, takes the whole module."""
        code = self._module_of(module)
        is_known = bool(steps) and (steps[0] in code.bound or steps[0] in code.imports)
        name = steps[0] if is_known else WHOLE
        for target in code.imports.get(name, ()):
            links.aliases.add((module, f"{name} is {behind_doors(target)}"))  # however it was imported
            self._absolute(links, ".".join([target, *steps[1:]]), module)
        links.names.add((module, name))

    def _reachable(self, module: str, origin: str) -> bool:
        """Whether the code in ``origin`` may mean a module with a source file: the packages know nothing outside."""
        return self._path(module) is not None and (self._project.own(module) or not self._project.own(origin))

    def _absolute(self, links: _Links, full_name: str, origin: str) -> None:
        """Resolves an absolute dotted name: the longest prefix that is a project module, then a name in it."""
        if full_name in links.names_resolved:
            return
        steps = behind_doors(full_name).split(".")
        for n in range(len(steps), 0, -1):
            if self._reachable(module := ".".join(steps[:n]), origin):
                links.names_resolved.add(full_name)
                self._local(links, module, steps[n:])
                return


@lru_cache(maxsize=2000)  # projects that look at other papers have most modules in common
def _read_module(text: bytes, file: str, package: str, own: bool) -> _Module:
    """The parsed module, from the user's cache folder if an earlier command has read the same text.

    Raises SyntaxError, which names the file.
    """
    name = digest("module", text, package.encode(), bytes([own]), _reader()).hex()
    folder = disk.cache_folder()
    place = folder / "sources" / name[:2] / name[2:34] if folder else None
    if place is not None:
        with contextlib.suppress(Exception):  # damaged, or of another version of Python
            module = pickle.loads(disk.read(place))
            if isinstance(module, _Module):
                return module
    module = _parse(text, file, package, own)
    if place is not None:
        with contextlib.suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            disk.replace(place, pickle.dumps(module))
    return module


@cache
def _reader() -> bytes:
    """What a parsed module depends on besides its text: the code that reads it, and Python's parser."""
    own = [Path(__file__), Path(__file__).with_name("assignments.py")]
    return digest("reader", sys.version.encode(), *(path.read_bytes() for path in own))


def _parse(text: bytes, file: str, package: str, own: bool) -> _Module:
    """Raises SyntaxError, which names the file."""
    tree = ast.parse(text, file)
    _without_texts(tree)
    parts = []
    harmless = None if own else Assignments(tree)
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        names = _defines(statement)
        if own and names and names <= PROSE and isinstance(getattr(statement, "value", None), ast.Constant):
            continue
        computed_names = frozenset() if names else frozenset(_targets(statement))
        idle = harmless.names(statement) if harmless else frozenset[str]()
        mentions = frozenset(_mentions(statement))
        parts.append(_Part(names or idle, ast.dump(statement), mentions, computed_names, bool(idle)))
    imports: dict[str, frozenset[str]] = {}
    loads, stars = set(), set()
    if any(_CALLS.search(part.dump) for part in parts):
        by_call = {name for node in ast.walk(tree) if (name := _imported_by_call(node, package))}
        loads |= by_call
        stars |= by_call
    for node in _statements(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        base = _base(node, package)
        for alias in node.names:
            full_name = f"{base}.{alias.name}" if base else alias.name
            loads.add(base if alias.name == "*" else full_name)
            if alias.name == "*":
                stars.add(base)
                continue
            plain = isinstance(node, ast.Import) and alias.asname is None
            bound = alias.name.partition(".")[0] if plain else alias.asname or alias.name
            imports[bound] = imports.get(bound, frozenset()) | {bound if plain else full_name}
    bound_names = frozenset(name for part in parts for name in part.names)
    dynamic = any(_DYNAMIC.search(part.dump) for part in parts)
    return _Module(tuple(parts), bound_names, imports, frozenset(loads), frozenset(stars), dynamic)


def _base(node: ast.Import | ast.ImportFrom, package: str) -> str:
    """The absolute module that a ``from`` import takes names from; "" for a plain ``import``."""
    if isinstance(node, ast.Import):
        return ""
    above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def _defines(statement: ast.stmt) -> frozenset[str]:
    """Names defined by a statement without side effects; empty for a statement that may have some."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        makers = (d.func if isinstance(d, ast.Call) else d for d in statement.decorator_list)
        are_harmless = all(isinstance(m, ast.Name | ast.Attribute) and _last(m) in _HARMLESS for m in makers)
        return frozenset({statement.name} if are_harmless and not getattr(statement, "keywords", ()) else ())
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        names = frozenset(t.id for t in targets if isinstance(t, ast.Name))
        acts = any(isinstance(n, ast.Call | ast.NamedExpr | ast.Await) for n in ast.walk(statement))
        return names if len(names) == len(targets) and not acts else frozenset()
    return frozenset()


def _targets(statement: ast.stmt) -> Iterator[str]:
    """Names to which a statement assigns when it runs, not counting those inside functions and classes."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        todo += ast.iter_child_nodes(node)


def _imported_by_call(node: ast.AST, package: str) -> str:
    """The module that ``importlib.import_module("name")`` names; "" for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute) or not node.args:
        return ""
    name = node.args[0]
    if _last(node.func) not in ("import_module", "__import__") or not isinstance(name, ast.Constant):
        return ""
    plain = str(name.value).lstrip(".")
    level = len(str(name.value)) - len(plain)
    above = package.split(".")[: len(package.split(".")) + 1 - level] if level else []
    return ".".join([*above, plain])


def _last(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _mentions(statement: ast.AST) -> set[str]:
    """Dotted names in the code, each at full length; strings like "package.module" get a leading dot."""
    names = set()
    todo = [statement]
    while todo:
        node = todo.pop()
        steps: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            steps.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            names.add(".".join([inner.id, *reversed(steps)]))
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and _DOTTED.fullmatch(node.value):
                names.add(f".{node.value}")
        else:
            todo += ast.iter_child_nodes(node)
    return names


def _without_texts(node: ast.AST) -> None:
    """Removes docstrings and all other statements that consist of a string."""
    for statements in _lists(node):
        statements[:] = [child for child in statements if not _is_text(child)]
        for child in statements:
            _without_texts(child)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements below a node, at any depth."""
    for child in itertools.chain.from_iterable(_lists(node)):
        yield child
        yield from _statements(child)


def _lists(node: ast.AST) -> Iterator[list[ast.AST]]:
    """A node's lists of statements (and of clauses that hold some): these occur nowhere else."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if isinstance(statements := getattr(node, name, None), list):  # the body of a lambda is an expression
            yield statements


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


LARGE = (
    200  # files from which on a library of the user's is hashed as it lies: to follow names takes a minute
)


@papers.per_view
def _folders() -> dict[str, Path | None]:
    return {}


def large_libraries() -> dict[str, Path]:
    """Name -> folder of the libraries of many files, not installed, that papers import: of those hashed by now."""
    return {name: folder for name, folder in _folders().items() if folder is not None}


def _outside(module: str) -> Path | None:
    """The source file of a module outside the tree (`papers.source`); of a large library, only of its top."""
    path, top = papers.source(module), module.partition(".")[0]
    if path is None or papers.inside(module, [papers.PARENT]):
        return path
    if top not in _folders():
        main = papers.source(top)
        files = main.parent.rglob("*.py") if main is not None and main.name == "__init__.py" else ()
        _folders()[top] = main.parent if main and len([*itertools.islice(files, LARGE)]) == LARGE else None
    return path if module == top or _folders()[top] is None else None


def _text(path: Path) -> bytes:
    """The content of a source file; for a large library a statement in its place that differs with any of its files."""
    if path.parent in large_libraries().values() and path.name == "__init__.py":
        return f"importing({digest_of(_files(path.parent), path.parent)!r})".encode()
    return papers.text(path)


@papers.per_view
def _here() -> Project:
    """The tree, the papers in view, and what these import that was not installed."""
    return Project(papers.ROOT, elsewhere=_outside, text=_text, value=_Values())


PLAIN = (bool, int, float, str, tuple, list, dict)
# Name of a module outside the tree -> the module, and name in it -> digest of what that held before anything was run.
_values_on_import: dict[str, tuple[ModuleType, dict[str, bytes]]] = {}


def _note(module: ModuleType) -> None:
    values = {name: _digest(value, name) for name, value in vars(module).items()}
    _values_on_import[module.__name__] = module, {n: v for n, v in values.items() if v is not None}


papers.after_import.append(_note)


class _Values:
    """The digest of what a name of a module held when it had been imported, None for what is no plain data.

    What is computed later, as by a `make` that remembers what it has solved, does not count: it depends on what was
    simulated before. For the same reason nothing counts of a module that is imported only while a step runs. A module
    outside the tree that no opened paper holds is looked at when this is made (`look`).
    """

    def __init__(self) -> None:
        for name, module in list(sys.modules.items()):
            earlier, _ = _values_on_import.get(name, (None, {}))
            if earlier is module or not isinstance(module, ModuleType) or papers.of_the_library(name):
                continue
            if _outside(name) is not None and name not in large_libraries():
                _note(module)

    def __call__(self, module: str, name: str) -> bytes | None:
        return _values_on_import[module][1].get(name) if module in _values_on_import else None


def look() -> None:
    """Notes what modules outside the tree hold; called when they are imported, and before anything of them runs."""
    _here()


def _digest(value: Any, name: str) -> bytes | None:
    if type(value) not in PLAIN and not isinstance(value, np.ndarray | np.generic):
        return None
    try:
        return content(value, name)
    except (TypeError, RecursionError):
        return None


@papers.per_view
def _hashes() -> dict[tuple[str, ...], str]:
    return {}


def code_hash(modules: Iterable[str]) -> str:
    """`Project.code_hash` of this project and the papers in view.

    Cached with the view: edits made while a command runs go unnoticed, as they do by the modules that it has imported.
    """
    roots, hashes = tuple(sorted(set(modules))), _hashes()
    if roots not in hashes:
        hashes[roots] = _here().code_hash(roots)
    return hashes[roots]


def authored_hash(modules: Iterable[str]) -> str:
    """`Project.hash_of_papers` of this project and the papers in view."""
    return _here().hash_of_papers(modules)


def read(modules: Iterable[str]) -> None:
    """Parses what `code_hash` reads for modules of the tree, in a process from which others are forked.

    Raises as that does; modules without a source file are passed over.
    """
    tree = Project(papers.ROOT, text=papers.text)
    tree.code_hash(module for module in modules if tree.path(module.partition(":")[0]) is not None)


def reaches(modules: Iterable[str], words: Iterable[str]) -> bool:
    """`Project.reaches` of this project."""
    return _here().reaches(modules, words)


@papers.per_view
def _stamps() -> dict[str, str]:
    return {}


def stamp(paper: str) -> str:
    """Digest of all that may decide what is said or drawn of a paper, but for results: where `code_hash` cannot follow.

    These are the files of the library, of the paper and of the competitors, and what the paper's modules hold.
    Cached with the view. Raises OSError for a file that cannot be read.
    """
    if paper not in _stamps():
        homes = [h for h in map(papers.home_of, (paper, papers.COMPETITORS)) if h is not None]
        files = [digest_of(h.contents(), h.path.parent) for h in homes]
        digests = {
            name: sorted((k, v.hex()) for k, v in known_values.items())
            for name, (_, known_values) in _values_on_import.items()
        }
        values = sorted(item for item in digests.items() if papers.key_of(item[0]) == paper)
        _stamps()[paper] = digest(
            "stamp", _library().encode(), *(h.encode() for h in files), repr(values).encode()
        ).hex()
    return _stamps()[paper]


@cache
def _library() -> str:
    return digest_of(
        (p for p in _files(papers.LIBRARY) if not p.is_relative_to(papers.LIBRARY / "theorems")),
        papers.LIBRARY,
    )


def digest_of(files: Iterable[Path], root: Path) -> str:
    """Digest of the names and contents of some files."""
    hasher = hashlib.sha256()
    for path in sorted(files):
        body = papers.text(path) if path.suffix == ".py" else path.read_bytes()
        hasher.update(f"{path.relative_to(root).as_posix()} {len(body)} ".encode() + body)
    return hasher.hexdigest()


def _files(top: Path) -> Iterator[Path]:
    """The files below a folder, also in folders that are links, as Python imports them; each folder once."""
    places = set()
    for folder, below, names in os.walk(top, followlinks=True):
        place = os.path.realpath(folder)
        if place in places:
            below.clear()
            continue
        places.add(place)
        below[:] = sorted(set(below) - {"__pycache__"})
        # An editor's lock file is a link to nothing.
        yield from (path for name in names if (path := Path(folder, name)).is_file())

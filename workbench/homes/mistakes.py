"""Mistakes in a paper's own code, said in one sentence with file and line, whatever raised them.

An exception is located by the innermost line of its traceback that belongs to a paper
(`workbench.homes.papers.author`). Where no such line is left, because a record is evaluated later than it was
written, the line is found that holds the misspelt name.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.homes import memory, papers
from workbench.homes.papers import Home
from workbench.homes.usage import UsageError

# What a message of Python means for somebody who writes a step: pattern -> what to do about it.
HINTS = {
    r"'(float|int)' object has no attribute '(shape|ndim)'": "a start has one row per run, as grid.full(0.1, 4)",
    r"truth value of an array": "a step has no `if` on values of the runs: use xp.where(condition, a, b)",
    r"read-only|does not support item assignment": "make a new array instead of writing into one",
    r"module '?numpy'? has no attribute": "use the functions of `xp`",
    r"'types.SimpleNamespace' object has no attribute": "`xp` has the functions of the array API standard",
    r"__(new|init)__\(\) missing \d+ required": "give every field",
    r"missing constants: (\w+, )*T\b": "where steps depend on the horizon, each horizon has rows of its own:"
    " Grid(over('until', HORIZONS), runs) with T=grid['until'], read by the view at_horizons",
    r"only (size-1|length-1|0-dimensional) arrays can be converted": "use the functions of `xp`, not those of `math`",
}


def place(path: Path | str, line: int) -> str:
    """The file as the user would name it, and the line."""
    where = Path(path)
    home = papers.author(str(where))
    base = papers.ROOT if home is None else home.path.parent
    return f"{where.relative_to(base) if base in where.parents else where}:{line}"


def sentence(error: BaseException, key: str = "") -> str | None:
    """What is wrong, and where: "my_paper/method.py:12, in step: ...". None if no line of a paper is to blame.

    key: the paper in whose files a misspelt name is looked for.
    """
    said = _said(error)
    if isinstance(error, SyntaxError) and error.filename and papers.author(error.filename):
        return f"{place(error.filename, error.lineno or 1)}: {error.msg}{_shown(error.text)}"
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        file, changed = papers.MUTATED.get(frame.filename, (frame.filename, ""))
        if papers.author(file) is not None:
            inside = f", in {frame.name}" if frame.name.isidentifier() else ""
            inside += f" with the mutation {changed!r}" if changed else ""
            return f"{place(file, frame.lineno or 1)}{inside}: {said}"
    found = mentioned(key, said)
    return f"{found}: {said}" if found else None


def _shown(text: str | None) -> str:
    return f" in `{text.strip()}`" if text and text.strip() else ""


def _said(error: BaseException) -> str:
    """The message on one line; with the kind of error if Python's own, and what to do about it if that is known."""
    text = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    text = text.replace(f"{papers.PARENT}.", "")
    bare = isinstance(error, KeyError) and " " not in text
    if bare:
        text = f"there is no {text}" if text[:1] in "'\"" else f"there is no {text!r}"
    hint = next((f"; {todo}" for pattern, todo in HINTS.items() if re.search(pattern, text)), "")
    if isinstance(error, SystemExit):
        hint = "; this would end the program: raise an error that says what is wrong"
    kind = "" if type(error) in (ValueError, UsageError, KeyError) else f"{type(error).__name__}: "
    return f"{kind}{text or type(error).__name__}{hint}"


@contextmanager
def told(what: str, key: str = "", blame: Callable[[], str] | None = None) -> Iterator[None]:
    """Turns an exception that a paper's code causes into a UsageError: "what: file:line: ...".

    Other exceptions pass. With ``blame`` they do not: what a paper's records say is its doing, and blame() is the place
    of the record.
    """
    try:
        yield
    except (UsageError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        if memory.lacking(error):  # nobody's mistake
            raise
        found = sentence(error, key)
        # A full or read-only disk that no line of the paper was writing to is not its doing.
        if found is None and blame is not None and not isinstance(error, OSError):
            found = ": ".join(filter(None, [blame(), _said(error)]))
        if found is None:
            raise
        raise UsageError(f"{what}: {found}") from error


def mentioned(key: str, text: str) -> str:
    """The first line of a paper that holds a string quoted in a message; "" if there is none."""
    home = papers.home_of(key) if key else None
    wrong = re.findall(r"\bnot '([^']+)'", text)
    words = (
        wrong or [a or b for a, b in re.findall(r"'([^']+)'|\"([^\"]+)\"", text)][:1]
    )  # the first is the wrong one
    for path in home.files() if home is not None else ():
        try:
            tree = ast.parse(papers.text(path))
        except (SyntaxError, ValueError, OSError):
            continue
        for node in ast.walk(tree):
            spelt = node.value if isinstance(node, ast.Constant) else getattr(node, "arg", None)
            if isinstance(spelt, str) and spelt in words:
                return place(path, node.lineno)  # type: ignore[attr-defined]
    return ""


# --------------------------------------------------------------------------------------------------- importing


def on_import(module: str, error: BaseException) -> str:
    """Why a paper's module cannot be imported."""
    said = sentence(error, papers.key_of(module)) or f"{_file_of(module)}: {_said(error)}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        said += _sibling(module, error.name)
    return said


def _file_of(module: str) -> str:
    """The file of a module that does not even compile, as the user would name it; else the module's name."""
    found = papers.source(module)
    return module if found is None else place(found, 1).removesuffix(":1")


def _sibling(module: str, name: str) -> str:
    """What to write instead, for a file of the folder that was imported as if it stood alone."""
    home = papers.home_of(papers.key_of(module))
    top = name.split(".")[0]
    if home is None:
        return ""
    if home.path.is_file():
        beside = (home.path.parent / f"{top}.py").exists()
        return "; a single file imports no file beside it: put both into a folder" if beside else ""
    if top == home.key or (home.path / f"{top}.py").exists():
        return "; files of one paper are imported by `from .method import step` or `from . import helpers`"
    return ""


# ------------------------------------------------------------------------------------------------------ records


def listed(module: ModuleType, name: str, kind: type) -> tuple[Any, ...]:
    """The entries of a module attribute that lists records. Raises UsageError if it does not."""
    found = getattr(module, name, ())
    if wrong := _no_list(found, name, kind):
        raise UsageError(f"{_assigned(module, name)}: {wrong}")
    return tuple(found)


def _no_list(found: Any, name: str, kind: type) -> str:
    """What keeps a module attribute from being a list of records; "" if it is one."""
    if isinstance(found, kind) and kind is not object:
        return f"{name} is a single {kind.__name__}; write {name} = (it,)"
    if not isinstance(found, Collection) or isinstance(found, dict):
        return f"{name} is a {type(found).__name__}; wanted a tuple of records"
    for item in found:
        if not isinstance(item, kind):
            hint = "; add them by *" if isinstance(item, tuple | list) else ""
            return f"{name} holds a {type(item).__name__}, no {kind.__name__}{hint}"
    return ""


def check_key(module: ModuleType, record: Any) -> None:
    """Raises UsageError for a record whose key begins with another paper's."""
    home = papers.home_of(papers.key_of(module.__name__))
    key = getattr(record, "key", None)
    if home is None or not isinstance(key, str) or key.startswith(f"{home.key}/"):
        return
    found = next(_spelt(home, {key}), "") or next(_spelt(home, {key.partition("/")[0]}), home.key)
    raise UsageError(f"{found}: the key {key!r} must begin with {home.key}/")


def listed_at(key: str, name: str, record: Any) -> str:
    """Where a paper lists a record; "" if it does not."""
    home = papers.home_of(key)
    for module in map(sys.modules.get, home.names("experiments") if home is not None else ()):
        if module is not None and any(item is record for item in getattr(module, name, ())):
            return _assigned(module, name)
    return ""


def defined_at(function: Any) -> str:
    """The line of a paper where a function (or what a partial one calls) is defined; "" if that is not in a paper."""
    while hasattr(function, "func"):
        function = function.func
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    if code is None or papers.author(code.co_filename) is None:
        return ""
    return place(code.co_filename, code.co_firstlineno)


def assigned_in(cls: type, name: str) -> str:
    """The line of a paper where a class, or one that it inherits from, assigns to a name; "" if that is not in one."""
    owner = next((c for c in cls.__mro__ if name in vars(c)), cls)
    file = getattr(sys.modules.get(owner.__module__), "__file__", None)
    if file is None or papers.author(file) is None:
        return ""
    for node in ast.walk(ast.parse(papers.text(Path(file)))):
        if isinstance(node, ast.ClassDef) and node.name == owner.__name__:
            named = (n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name)
            return place(file, next(named, node).lineno)
    return ""


def has_step(module: ModuleType) -> bool:
    """Whether a module is a method: it has a step, and not from another module of the same paper."""
    step = vars(module).get("step")
    origin, home = getattr(step, "__module__", None), papers.home_of(papers.key_of(module.__name__))
    borrowed = home is not None and origin in home.names("methods") and origin != module.__name__
    return callable(step) and not borrowed


def check_method(sim: Any) -> None:
    """Raises UsageError for a simulation whose method is in no module of the paper that it names."""
    name = papers.module_name("methods", sim.algorithm)
    home = papers.home_of(papers.key_of(name))
    if home is None or name in home.names("methods"):
        return
    short = sim.algorithm.partition(".")[2] or sim.algorithm
    where = next(_spelt(home, {short, sim.algorithm}), home.key)
    found = [n for n in home.names("methods") if n in sys.modules and has_step(sys.modules[n])]
    modules = [home.short(n, "methods") for n in found if n != home.package]
    hint = near(modules) if modules else "a single file names itself, as __name__"
    raise UsageError(f"{where}: {sim.key} has the method {short!r}, which is no module of {home.key}; {hint}")


def _assigned(module: ModuleType, name: str) -> str:
    """Where a module assigns to a name, or just the module."""
    path = Path(getattr(module, "__file__", None) or "")
    try:
        tree = ast.parse(papers.text(path))
    except (SyntaxError, ValueError, OSError):
        return module.__name__
    lines = [
        n.lineno
        for n in ast.walk(tree)
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
    ]
    return place(path, lines[-1]) if lines else place(path, 1)


def twice(key: str, name: str) -> UsageError:
    """The error for two records of one key; says where the key's own part is written."""
    paper, _, rest = key.partition("/")
    home = papers.home_of(paper)
    lines = [] if home is None else list(_spelt(home, {key, rest, rest.partition("-")[2]}))
    where = f" ({', '.join(lines[:3])})" if lines else ""
    return UsageError(f"two entries of {name} have the key {key}{where}; each needs a name of its own")


def _spelt(home: Home, words: set[str]) -> Iterator[str]:
    """The lines of a paper that hold one of these strings."""
    for path in home.files():
        try:
            tree = ast.parse(papers.text(path))
        except (SyntaxError, ValueError, OSError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words - {""}:
                yield place(path, node.lineno)


def check_paper(home: Home, paper: Any) -> None:
    """Raises UsageError for a paper that does not have the key of its folder or file."""
    if paper.key != home.key:
        kind = "file" if home.path.is_file() else "folder"
        found = next(_spelt(home, {paper.key}), home.key)
        alone = (home.path / f"{paper.key}.py").is_file()
        each = f" (papers of one file each are named one by one, as {home.key}/*.py)" if alone else ""
        raise UsageError(
            f"{found}: PAPER has the key {paper.key!r}; it must be the {kind}'s name, {home.key!r}{each}"
        )


def near(known: Iterable[str]) -> str:
    """What there is in place of a wrong word."""
    names = sorted(known)
    return f"there are {', '.join(names)}" if names else "there is none"


def another(key: str, reader: Any) -> UsageError:
    """The error for a claim made with a simulation whose key another one has."""
    name = getattr(reader, "experiment", "") or reader.key
    return UsageError(
        f"{name} is about another simulation than the one that SIMULATIONS lists as {key}: give it a name of its own"
    )


def unlisted(key: str, reader: Any, known: Iterable[str]) -> UsageError:
    """The error for a claim or a figure that needs a simulation which no module lists."""
    paper = key.partition("/")[0]
    home = papers.home_of(paper)
    lines = [] if home is None else list(_spelt(home, {key, key.partition("/sim-")[2]}))
    where = f"{lines[0]}: " if lines else ""
    name = getattr(reader, "experiment", "") or reader.key
    mine = [k for k in known if k.partition("/")[0] == paper]
    return UsageError(f"{where}{name} needs {key}, which no SIMULATIONS lists; {near(mine)}")

"""States a mistake in a paper's own code in one sentence with file and line, whatever raised it.

An exception is located by the innermost line of its traceback that belongs to a paper
(`workbench.homes.papers.author`). Where no such line is left, because a record is evaluated later than it was
written, the place is that of the record (`workbench.homes.records.Record`) or of the function that is to blame.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.homes import memory, on_demand, papers
from workbench.homes.keys import Key
from workbench.homes.papers import Home
from workbench.homes.records import Record
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
    " grid={'until': HORIZONS}, which is T in a theorem's schedule, read by the view at_horizons",
    r"missing constants:": "a value that the theorem leaves free is given where its schedule is read,"
    " Steps.of(THEOREM, eta=0.3), any other by the study: known=lambda result: {'eta': 0.3}",
    r"No module named '(optax|torch|jax)\b": "install it with `pip install 'theorem-workbench[optimizers]'`",
    r"only (size-1|length-1|0-dimensional) arrays can be converted": "use the functions of `xp`, not those of `math`",
}


def place(path: Path | str, line: int | None = None) -> str:
    """The file as the user would name it, and the line."""
    where = Path(path)
    home = papers.author(str(where))
    base = papers.ROOT if home is None else home.path.parent
    name = str(where.relative_to(base) if base in where.parents else where)
    return name if line is None else f"{name}:{line}"


def location(error: BaseException) -> str:
    """The line of a paper that raised an exception: "my_paper/method.py:12, in step"; "" if none did."""
    if isinstance(error, SyntaxError) and error.filename and papers.author(error.filename):
        return place(error.filename, error.lineno or 1)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file, mutation = papers.MUTATED.get(frame.filename, (frame.filename, ""))
        if papers.author(file) is not None:
            inside = f", in {frame.name}" if frame.name.isidentifier() else ""
            inside += f" with the mutation {mutation!r}" if mutation else ""
            return f"{place(file, frame.lineno or 1)}{inside}"
    return ""


def defined_at(culprit: Any) -> str:
    """The line of a paper where a record was made, or a function or class defined; "" if that is not in a paper.

    Of a partial function it is the one that is called; of several records the first with a line.
    """
    if isinstance(culprit, Record):
        return place(*culprit.origin) if culprit.origin else ""
    if isinstance(culprit, tuple | list):
        return next(filter(None, map(defined_at, culprit)), "")
    while hasattr(culprit, "func"):
        culprit = culprit.func
    if inspect.isclass(culprit):
        with suppress(OSError, TypeError):
            return _in_a_paper(inspect.getsourcefile(culprit), inspect.getsourcelines(culprit)[1])
    code = getattr(inspect.unwrap(culprit) if callable(culprit) else None, "__code__", None)
    return "" if code is None else _in_a_paper(code.co_filename, code.co_firstlineno)


def _in_a_paper(file: str | None, line: int) -> str:
    return place(file, line) if file and papers.author(file) is not None else ""


def message(error: BaseException) -> str:
    """The message on one line; with the kind of error if Python's own, and what to do about it if that is known."""
    if isinstance(error, SyntaxError) and error.filename and papers.author(error.filename):
        return f"{error.msg}{f' in `{error.text.strip()}`' if error.text and error.text.strip() else ''}"
    text = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    text = text.replace(f"{papers.PARENT}.", "")
    if isinstance(error, KeyError) and " " not in text:  # the key alone, in place of a sentence
        text = f"there is no {text}" if text[:1] in "'\"" else f"there is no {text!r}"
    hint = next((f"; {todo}" for pattern, todo in HINTS.items() if re.search(pattern, text)), "")
    if isinstance(error, SystemExit):
        hint = "; this would end the program: raise an error that says what is wrong"
    kind = "" if type(error) in (ValueError, UsageError, KeyError) else f"{type(error).__name__}: "
    return f"{kind}{text or type(error).__name__}{hint}"


@contextmanager
def blame(what: str, culprit: Any) -> Iterator[None]:
    """Turns an exception that a paper's code causes into a UsageError: "what: file:line: ...".

    culprit: the record or the function whose place is named where no line of a paper is in the traceback.
    """
    try:
        yield
    except (UsageError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        where = location(error)
        # Memory that was lacking is nobody's mistake, and a full disk is none of a paper that was not writing to it.
        if memory.lacking(error) or (not where and isinstance(error, OSError)):
            raise
        raise UsageError(message(error), what, where or defined_at(culprit)) from error


# --------------------------------------------------------------------------------------------------- importing


def on_import(module: str, error: BaseException) -> str:
    """Why a paper's module cannot be imported."""
    sentence = f"{location(error) or _file_of(module)}: {message(error)}"
    if isinstance(error, ImportError) and (door := _door(error)):
        return sentence + door
    if isinstance(error, ModuleNotFoundError) and error.name:
        sentence += _sibling(module, error.name)
    return sentence


def _door(error: ImportError) -> str:
    """What to write instead, where a paper imports what is private or was there once."""
    frame = next(
        (f for f in reversed(traceback.extract_tb(error.__traceback__)) if papers.author(f.filename)), None
    )
    if frame is None or frame.lineno is None:
        return ""
    line, tree = frame.lineno, ast.parse(papers.text(Path(frame.filename)))
    here = [
        n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or line)
    ]
    names = on_demand.private(here)
    if not names or (not any(names.values()) and (error.name or "").partition(".")[0] != "workbench"):
        return ""
    public = ", ".join(form for form in names.values() if form)
    private = ", ".join(name for name, form in names.items() if not form)
    return (
        f"; write `import workbench as wb`{f', and {public}' if public else ''}"
        f"{f' (there is no public name for {private})' if private else ''}"
    )


def _file_of(module: str) -> str:
    """The file of a module, as the user would name it; else the module's name."""
    file = papers.source(module)
    return module if file is None else place(file)


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


def entries(module: ModuleType, name: str, kind: type) -> tuple[Any, ...]:
    """The entries of a module attribute that lists records. Raises UsageError if it does not."""
    value = getattr(module, name, ())
    if wrong := _no_list(value, name, kind):
        raise UsageError(wrong, where=defined_at(value) or _file_of(module.__name__))
    return tuple(value)


def _no_list(value: Any, name: str, kind: type) -> str:
    """What keeps a module attribute from being a list of records; "" if it is one."""
    if isinstance(value, kind) and kind is not object:
        return f"{name} is a single {kind.__name__}; write {name} = (it,)"
    if not isinstance(value, Collection) or isinstance(value, dict):
        return f"{name} is a {type(value).__name__}; wanted a tuple of records"
    for item in value:
        if not isinstance(item, kind):
            hint = "; add them by *" if isinstance(item, tuple | list) else ""
            return f"{name} holds a {type(item).__name__}, no {kind.__name__}{hint}"
    return ""


def check_key(module: ModuleType, record: Any) -> None:
    """Raises UsageError for a record whose key begins with another paper's."""
    home = papers.home_of(papers.key_of(module.__name__))
    key = getattr(record, "key", None)
    if home is not None and isinstance(key, str) and Key.of(key).paper != home.key:
        if getattr(paper := getattr(module, "PAPER", None), "key", home.key) != home.key:
            check_paper(home, paper)  # from which the record has its key
        where = defined_at(record) or home.key
        raise UsageError(
            f"the key {key!r} must begin with {home.key}/; the name of a claim has no '/', as in"
            f" {key.replace('/', '-')!r}",
            where=where,
        )


def has_step(module: ModuleType) -> bool:
    """Whether a module is a method: it has a step, and not from another module of the same paper."""
    step = vars(module).get("step")
    origin, home = getattr(step, "__module__", None), papers.home_of(papers.key_of(module.__name__))
    is_foreign = home is not None and origin in home.names("methods") and origin != module.__name__
    return callable(step) and not is_foreign


def check_method(sim: Any) -> None:
    """Raises UsageError for a simulation whose method is in no module of the paper that it names."""
    name = papers.module_name("methods", sim.algorithm)
    home = papers.home_of(papers.key_of(name))
    if sim.method is not None or home is None or name in home.names("methods"):
        return
    short = sim.algorithm.partition(".")[2] or sim.algorithm
    methods = [n for n in home.names("methods") if n in sys.modules and has_step(sys.modules[n])]
    modules = [home.short(n, "methods") for n in methods if n != home.package]
    hint = near(modules) if modules else "a single file names itself, as __name__"
    why = f"{sim.key} has the method {short!r}, which is no module of {home.key}; {hint}"
    raise UsageError(why, where=defined_at(sim) or home.key)


def twice(name: str, *records: Any) -> UsageError:
    """The error for two records of one key."""
    lines = [line for line in map(defined_at, records) if line]
    where = f" ({', '.join(lines)})" if lines else ""
    files = {Path(line.rpartition(":")[0]) for line in lines}
    # Not in a folder of a role: such files may be papers of one file each.
    alone = len(files) > 1 and all(file.parent.name == Key.of(records[0].key).paper for file in files)
    each = f" (papers of one file each are named one by one, as {min(files).parent}/*.py)" if alone else ""
    return UsageError(
        f"two entries of {name} have the key {records[0].key}{where}; each needs a name of its own{each}"
    )


def check_paper(home: Home, paper: Any) -> None:
    """Raises UsageError for a paper that does not have the key of its folder or file."""
    if paper.key != home.key:
        kind = "file" if home.path.is_file() else "folder"
        alone = (home.path / f"{paper.key}.py").is_file()
        each = f" (papers of one file each are named one by one, as {home.key}/*.py)" if alone else ""
        why = f"PAPER has the key {paper.key!r}; it must be the {kind}'s name, {home.key!r}{each}"
        raise UsageError(why, where=defined_at(paper) or home.key)


def near(words: Iterable[str]) -> str:
    """The words that exist, for a message about a wrong one."""
    names = sorted(words)
    return f"there are {', '.join(names)}" if names else "there is none"


def another(key: str, reader: Any) -> UsageError:
    """The error for a claim made with a simulation whose key another one has."""
    name = getattr(reader, "experiment", "") or reader.key
    why = f"{name} is about another simulation than the study's {key}: give it a name of its own"
    return UsageError(why, where=defined_at(reader))


def no_simulation(key: str, reader: Any, keys: Iterable[str]) -> UsageError:
    """The error for a claim or a figure that needs a simulation which no module lists."""
    name = getattr(reader, "experiment", "") or reader.key
    mine = [k for k in keys if Key.of(k).paper == Key.of(key).paper]
    why = f"{name} needs {key}, which no study has; {near(mine)}"
    return UsageError(why, where=defined_at(reader))

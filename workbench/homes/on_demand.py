"""Names of a package that are loaded when they are first used, as its stub ``__init__.pyi`` lists them.

The stub is what an editor and a type checker read; so the list stands once. A line ``from .a.b import C as C`` makes C
a public name of the package.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any


def public_names(package: str, file: str) -> dict[str, tuple[str, str]]:
    """Public name -> (module, name in it) of a package or module whose Python file is ``file``; see `names`."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    inside = package if Path(file).stem == "__init__" else package.rpartition(".")[0]
    aliases = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            above = inside.split(".")[: inside.count(".") + 2 - node.level]
            module = ".".join([*above, *filter(None, [node.module])])
            aliases.update({a.asname: (module, a.name) for a in node.names if a.asname})
    return aliases


LIBRARY = Path(__file__).resolve().parents[1]
FORMER = ("workbench", "theorems", "figures")  # packages below which private modules are, or once were
# What has a stub of public names; `wb.ops` and the like are public as they are.
DOORS = ("", "theory", "claims", "problems", "instances", "drawing")
# What the methods of a study make, whose classes are private.
MADE = {"exponents": "exponents", "Constants": "constants", "Count": "count", "Bound": "bound"}


@cache
def doors() -> dict[str, dict[str, tuple[str, str]]]:
    """Module of the library -> its public names, for those that have a stub; nothing is imported."""
    files = {name: LIBRARY / name if (LIBRARY / name).is_dir() else LIBRARY / f"{name}.py" for name in DOORS}
    modules = {
        f"workbench.{name}".rstrip("."): f / "__init__.py" if f.is_dir() else f for name, f in files.items()
    }
    return {module: public_names(module, str(file)) for module, file in modules.items()}


def behind_doors(name: str) -> str:
    """A dotted name as a user writes it, "workbench.Grid", with what is only handed on replaced by its definition."""
    steps = name.split(".")
    for n in range(len(steps), 1, -1):
        place = doors().get(".".join(steps[: n - 1]), {}).get(steps[n - 1])
        if place is not None:
            return ".".join([*place, *steps[n:]])
    return name


def is_public(module: str, name: str = "") -> bool:
    """Whether a paper may import a module of the library, or a name from it."""
    if name and module in doors():
        return name in doors()[module]
    package, _, last = module.rpartition(".")
    return module == "workbench" or (package == "workbench" and last in doors()[package])


@cache
def _within() -> dict[str, str]:
    """Name -> how it is written, for what the public modules of the library define; nothing is imported."""
    forms: dict[str, str] = {}
    for name, (module, inner) in doors()["workbench"].items():
        stem = LIBRARY.parent.joinpath(*f"{module}.{inner}".split("."))
        choice = (stem / "__init__.pyi", stem.with_suffix(".pyi"), stem.with_suffix(".py"))
        file = next((f for f in choice if f.is_file()), None)
        if file is not None:
            for symbol in _definitions(ast.parse(file.read_text(encoding="utf-8"))):
                forms.setdefault(symbol, f"wb.{name}.{symbol}")
    return forms


def _definitions(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines, or a stub imports."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname for alias in node.names if alias.asname)
        elif isinstance(node, ast.Assign):
            yield from (
                n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            )


def at_the_door(name: str) -> str:
    """How a name is written after ``import workbench as wb``; "" if it is private."""
    if name in doors()["workbench"]:
        return f"wb.{name}"
    return f"STUDY.{MADE[name]}" if name in MADE else _within().get(name, "")


def private(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Each private name that import statements take from below one of `FORMER` -> how it is written now, or ""."""
    forms: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            package, _, below = node.module.partition(".")
            if package in FORMER and below.partition(".")[0] != "theorems":
                names = [alias.name for alias in node.names if not is_public(node.module, alias.name)]
                forms.update({f"{node.module}.{name}": at_the_door(name) for name in names})
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in FORMER and not is_public(alias.name):
                    forms[alias.name] = at_the_door(alias.name.rpartition(".")[2])
    return forms


def names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package. file: its ``__init__.py``."""
    public = public_names(package, file)

    def load(name: str) -> Any:
        if name not in public:
            raise AttributeError(f"{package} has no name {name!r}; {_hint(name, public, Path(file).parent)}")
        module, inner = public[name]
        value = vars(importlib.import_module(module)).get(inner)
        if value is None:  # it stands for a module
            value = importlib.import_module(f"{module}.{inner}")
        setattr(sys.modules[package], name, value)
        return value

    def listing() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public})

    return load, listing, sorted(public)


def _hint(name: str, public: Iterable[str], folder: Path) -> str:
    """Where the name stands, if that is one package deeper; else the nearest name."""
    for inner in public:
        deeper = folder / inner / "__init__.py"
        if deeper.with_suffix(".pyi").is_file() and name in public_names(inner, str(deeper)):
            return f"it is {inner}.{name}"
    near = difflib.get_close_matches(name, public, n=1)
    return f"the nearest is {near[0]}" if near else f"there are {', '.join(sorted(public))}"

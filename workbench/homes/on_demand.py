"""Names of a package that are loaded when they are first used, as its stub ``__init__.pyi`` lists them.

The stub is what an editor and a type checker read; so the list stands once. A line ``from .a.b import C as C`` makes C
a public name of the package.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def public_names(package: str, file: str) -> dict[str, tuple[str, str]]:
    """Public name -> (module, name in it) of a package whose ``__init__.py`` is ``file``; see `names`."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    found = {a.asname: (node.module, a.name) for node in imports for a in node.names if a.asname}
    return {
        name: (f"{package}.{module}" if module else package, inner) for name, (module, inner) in found.items()
    }


def names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package. file: its ``__init__.py``."""
    public = public_names(package, file)

    def load(name: str) -> Any:
        if name not in public:
            near = difflib.get_close_matches(name, public, n=1)
            hint = f"the nearest is {near[0]}" if near else f"there are {', '.join(sorted(public))}"
            raise AttributeError(f"{package} has no name {name!r}; {hint}")
        module, inner = public[name]
        found = vars(importlib.import_module(module)).get(inner)
        if found is None:  # it stands for a module
            found = importlib.import_module(f"{module}.{inner}")
        setattr(sys.modules[package], name, found)
        return found

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *public})

    return load, listed, sorted(public)

"""Where papers are: folders and files, whoever wrote them.

A paper is one `Home`: a folder, or a single file. Those that ship lie in ``theorems/``; an installed package announces
its folder by an entry point of the group `workbench.papers`; any other is opened by its path. All are imported as
``workbench.theorems.<key>``, where the key is the folder's name or the file's without ``.py``. So `sys.path` stays
as it is, no ``__init__.py`` is needed, siblings are imported by ``from . import helpers``, competitors by
``from ..baselines import sgda`` (one folder up: `..` of a module of the paper's own folder), and a file ``random.py``
hides no other. The name does not depend on the place: a folder that has moved keeps its results.

The catalog sees the homes of the current *view*: those that ship or are installed, and what was opened.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import marshal
import os
import pkgutil
import re
import shlex
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from workbench.homes.keys import Key

# What is looked for in a paper. A sub-folder of such a name holds nothing else; any other file may hold anything.
ROLES = ("theory", "methods", "problems", "probes", "experiments", "figures")
STATEMENTS = "statements"  # a part of the theory (`Home.names`)
LIBRARY = Path(__file__).resolve().parents[1]  # the folder of the package workbench
ROOT = LIBRARY.parent
PARENT = "workbench.theorems"
GROUP = "workbench.papers"
COMPETITORS = "baselines"  # the key of a folder of methods that belong to no paper
NO_PART = re.compile(
    r"(test_.*|.*_test|conftest|setup|__main__)"
)  # files of a folder that hold no part of a paper
BY_ROLE = ("algorithms", "instances")  # folders of the former form, which held a part of every paper
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class NoPaper(ValueError):
    """A path that cannot be opened as a paper. The message is one sentence addressed to the user."""


@dataclass(frozen=True)
class Home:
    """One paper's place: a folder or a file."""

    key: str
    path: Path

    @property
    def package(self) -> str:
        """The name of the package or module that holds all of it."""
        return f"{PARENT}.{self.key}"

    def names(self, role: str) -> list[str]:
        """The modules to look through for a role, in alphabetical order, packages before what they hold.

        Nothing is imported. (A module ``figures`` is left to that role: it imports the drawing libraries.) The role
        `STATEMENTS` is the theory without modules whose name begins with "formulas": what only the proofs read.
        """
        below = _below(self.path, self.package) if self.path.is_dir() else ()
        return [self.package, *(n for n in below if self._may_hold(n, role))]

    def _may_hold(self, module: str, role: str) -> bool:
        if role == STATEMENTS:
            is_of_proofs = module.rpartition(".")[2].startswith("formulas")
            return not is_of_proofs and self._may_hold(module, "theory")
        first = module.removeprefix(f"{self.package}.").partition(".")[0]
        bound = first == "figures" or (first in ROLES and (self.path / first).is_dir())
        return first == role or not bound

    def module(self, role: str, name: str) -> str:
        """The full name of a module that the paper names, which may leave out the folder of its role."""
        if not name:
            return self.package
        inside = f"{self.package}.{role}.{name}"
        return inside if source(inside) is not None else f"{self.package}.{name}"

    def short(self, module: str, role: str = "") -> str:
        """The opposite of `module`: "" for the package itself."""
        return module.removeprefix(self.package).removeprefix(".").removeprefix(f"{role}.")

    def files(self) -> list[Path]:
        """Its Python files."""
        return [self.path] if self.path.is_file() else sorted(python_files(self.path))

    def contents(self) -> list[Path]:
        """Every file that may be part of it: its own, and beside a single file its data (`beside`)."""
        if self.path.is_file():
            return sorted(p for p in self.path.parent.glob(f"{self.path.stem}.*") if p.is_file())
        return list(_contents(self.path))

    def beside(self, name: str) -> Path:
        """Where a data file of this paper lies: in its folder, or beside a single file, with its stem before."""
        return self.path / name if self.path.is_dir() else self.path.with_name(f"{self.path.stem}.{name}")

    def holds(self, file: str) -> bool:
        """Whether a source file is part of this paper."""
        path = Path(file)
        return path == self.path or self.path in path.parents


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, without hidden folders, virtual environments and links to nothing."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__pycache__")):
            continue
        if path.is_dir() and not (path / "pyvenv.cfg").exists():
            yield from python_files(path)
        elif path.suffix == ".py" and path.is_file():
            yield path


def _contents(folder: Path) -> Iterator[Path]:
    """The files below a folder, without hidden ones, links to folders, bytecode, environments and stored results."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__pycache__")) or (path / "pyvenv.cfg").exists():
            continue
        if path.suffix in (".nc", ".partial") or (path.is_symlink() and path.is_dir()):
            continue
        if path.is_dir():
            yield from _contents(path)
        elif path.is_file():
            yield path


def inside(name: str, packages: Sequence[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def of_the_library(module: str) -> bool:
    """Whether a module is part of the workbench itself, not of a paper."""
    return inside(module, ["workbench"]) and not inside(module, [PARENT])


def _below(folder: Path, package: str) -> Iterator[str]:
    for info in sorted(pkgutil.iter_modules([str(folder)]), key=lambda i: i.name):
        if not NO_PART.fullmatch(info.name):
            yield f"{package}.{info.name}"
            if info.ispkg:
                yield from _below(folder / info.name, f"{package}.{info.name}")
    for path in sorted(folder.iterdir()):  # folders without an __init__.py
        if path.is_dir() and path.name in ROLES and not (path / "__init__.py").exists():
            yield from _below(path, f"{package}.{path.name}")


# ---------------------------------------------------------------------------------------------------- the view


@dataclass(frozen=True, eq=False)
class View:
    """What the catalog sees.

    standing: whether the shipped and the installed papers are seen. opened: folders and files. only: the keys of the
    standing ones, if not all are seen.
    """

    standing: bool = True
    opened: tuple[Path, ...] = ()
    only: frozenset[str] | None = None
    complaints: list[str] = field(default_factory=list)  # about entry points that name no paper


# Name of a text that was made from a source file, as tracebacks show it -> the file, and what was changed.
MUTATED: dict[str, tuple[str, str]] = {}
_opened: dict[str, Home] = {}
_view = View()


def view() -> View:
    return _view


T = TypeVar("T")


def per_view(function: Callable[[], T]) -> Callable[[], T]:
    """A cache of a function without arguments that lasts as long as the view."""
    values: WeakKeyDictionary[View, T] = WeakKeyDictionary()

    @wraps(function)
    def call() -> T:
        if _view not in values:
            values[_view] = function()
        return values[_view]

    return call


@contextmanager
def temporary_view() -> Iterator[None]:
    """The view after this block is the one before it; papers opened in it are forgotten."""
    before = _view, dict(_opened)
    try:
        yield
    finally:
        if _view is not before[0]:
            _set(*before)


def look(standing: bool = True, opened: Sequence[Path] = ()) -> View:
    """Sets the view and returns it. Raises NoPaper for a path that cannot be opened."""
    homes: dict[str, Home] = {}
    for path in dict.fromkeys(map(absolute, opened)):
        home = home_at(path)
        if (other := homes.get(home.key)) is not None:
            raise NoPaper(f"{other.path} and {path} would both have the key {home.key}: rename one of them")
        homes[home.key] = home
    view = View(standing, tuple(h.path for h in homes.values()))
    _set(view, homes)
    return view


def narrow(keys: Sequence[str]) -> None:
    """Lets the view show the shipped and installed papers of these keys alone: to import the others takes seconds.

    Nothing is done if there are no keys, or if one is no key of these papers or of what they hold.
    """
    first = frozenset(Key.of(key).paper for key in keys)
    if first and _view.standing and not _opened and first <= standing().keys():
        _set(replace(_view, only=first, complaints=[]), {})


def _set(view: View, homes: dict[str, Home]) -> None:
    """Papers that were opened, and those that will be, are imported anew; the standing ones stay as they are."""
    global _view
    forgotten = [f"{PARENT}.{key}" for key in _opened.keys() | homes.keys()]
    _view = view
    _opened.clear()
    _opened.update(homes)
    _texts.clear()
    _place.cache_clear()
    _own.cache_clear()
    is_foreign.cache_clear()
    for name in [n for n in sys.modules if inside(n, forgotten)]:
        del sys.modules[name]


@cache
def built_in() -> dict[str, Home]:
    """The papers that come with the workbench, by key. In a checkout they lie beside the package, in a wheel within."""
    folder = next((p for p in (LIBRARY / "theorems", ROOT / "theorems") if p.is_dir()), None)
    if folder is None:
        return {}
    folders = sorted(p for p in folder.iterdir() if p.is_dir() and any(python_files(p)))
    return {p.name: Home(p.name, p) for p in folders}


@per_view
def plugins() -> dict[str, Home]:
    """The papers of installed packages by key. One whose key is taken is left out, with a complaint in the view."""
    homes: dict[str, Home] = {}
    from importlib import metadata  # late: it takes longer than all the rest

    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda e: e.name):
        place = _of_installed(entry.module)
        if place is None:
            _view.complaints.append(
                f"the installed paper {entry.name} is left out: there is no {entry.module}"
            )
        elif homes.get(entry.name, Home(entry.name, place)).path != place or entry.name in built_in():
            _view.complaints.append(
                f"the installed paper {entry.name} ({entry.module}) is left out: its key is taken"
            )
        else:
            homes[entry.name] = Home(entry.name, place)
    return homes


def _of_installed(module: str) -> Path | None:
    """The folder of an installed package, or the file of a module; a folder without ``__init__.py`` is one as well."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if spec.submodule_search_locations is not None:
        return next((Path(p).resolve() for p in spec.submodule_search_locations), None)
    return Path(spec.origin).resolve() if spec.origin else None


def standing() -> dict[str, Home]:
    """The papers that are there without being opened, by key."""
    return {**built_in(), **plugins()}


def homes() -> list[Home]:
    """The homes in the view: those that ship, those that are installed, and the opened ones."""
    visible = standing() if _view.standing else {}
    if _view.only is not None:
        visible = {k: home for k, home in visible.items() if k in _view.only}
    return [*(home for key, home in visible.items() if key not in _opened), *_opened.values()]


def home_of(key: str) -> Home | None:
    """The home of a key, in the view or not."""
    return _opened.get(key) or standing().get(key)


def for_command(key: str) -> str:
    """A key as a command takes it: that of an opened paper, or of what it holds, begins with the paper's path."""
    paper, slash, rest = key.partition("/")
    home = _opened.get(paper)
    if home is None:
        return key
    path = str(home.path)
    with suppress(OSError, ValueError):  # the working folder may be gone, or elsewhere
        below = home.path.relative_to(Path.cwd())
        path = str(below) if home.path.is_file() else f"./{below}" if below.parts else path
    return shlex.quote(f"{path}{slash}{rest}")


def holds_code(folder: Path) -> bool:
    """Whether a folder may be a paper's: there are Python files in it, or in the folder of a role."""
    return any(any(p.glob("*.py")) for p in (folder, *(folder / role for role in ROLES)))


_NAMES_ITSELF = re.compile(rb"^\w+ = wb\.(?:Study|Paper)\(\s*__name__", re.MULTILINE)


def single_files(folder: Path) -> list[Path]:
    """The files of a folder that holds papers of one file each, in order; nothing for any other folder.

    Each of them, two at least, makes its paper or its study with its own name (``__name__``).
    """
    files = sorted(folder.glob("*.py"))
    if len(files) < 2 or (folder / "__init__.py").exists():
        return []
    return files if all(_NAMES_ITSELF.search(file.read_bytes()) for file in files) else []


def absolute(path: Path) -> Path:
    """The path from the root on. Links stay: their names are the keys that the user sees."""
    return Path(os.path.abspath(os.path.expanduser(path)))  # the home of nobody stays as it is written


def home_at(path: Path) -> Home:
    """The home of a folder or a file. Raises NoPaper, with a sentence, if it cannot be one."""
    path = absolute(path)
    key = path.stem if path.suffix == ".py" and not path.is_dir() else path.name
    if not path.exists():
        raise NoPaper(f"there is no folder or file {path}")
    if not (path.is_file() or path.is_dir()):
        raise NoPaper(f"{path} is neither a folder nor a file")
    if path.is_file() and path.suffix != ".py":
        raise NoPaper(f"{path} is no Python file: name a folder, or a file that ends in .py")
    if path.is_dir() and any(
        all((top / name).is_dir() for name in BY_ROLE) for top in (path, path / "workbench")
    ):
        raise NoPaper(
            f"{path} has a folder for each part of a paper ({', '.join(BY_ROLE)}, ...), the former form: a paper is one"
            f" folder that holds all of them, as `workbench new {path / 'my_paper'}` makes it"
        )
    if path.is_dir() and not holds_code(path):
        raise NoPaper(f"{path} holds no Python file; `workbench new {path / 'my_paper'}` makes a paper")
    if not KEY.fullmatch(key):
        kind = "file" if path.is_file() else "folder"
        raise NoPaper(
            f"the {kind}'s name {key!r} cannot be a key: rename it, with letters, digits, _ and - only"
        )
    if (there := built_in().get(key)) is not None and there.path != path.resolve():
        raise NoPaper(f"{path} would have the key {key}, which is one of the workbench's own: rename it")
    return Home(key, path)


def module_name(role: str, name: str) -> str:
    """The full name of a module that a paper names for a role, as "my_paper.method"; a full name is left as it is."""
    if inside(name, ["workbench"]):
        return name
    key, _, rest = name.partition(".")
    home = home_of(key)
    return name if home is None else home.module(role, rest)


def key_of(module: str) -> str:
    """The key of the paper that a module belongs to; "" if it belongs to none."""
    return module.removeprefix(f"{PARENT}.").partition(".")[0] if module.startswith(f"{PARENT}.") else ""


def author(file: str) -> Home | None:
    """The paper that a source file belongs to."""
    return next((home for home in (*_opened.values(), *standing().values()) if home.holds(file)), None)


# -------------------------------------------------------------------------------------------- sources and import

_texts: dict[Path, bytes] = {}


def text(path: Path) -> bytes:
    """The content of a source file, read once per view: what is hashed is what was run."""
    if path not in _texts:
        _texts[path] = path.read_bytes()
    return _texts[path]


after_import: list[Callable[[ModuleType], None]] = []  # called with each module of a paper, when it has run


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs what `text` read. Its bytecode is kept under the text's hash (PEP 552): a time of change is too coarse."""

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        body = text(Path(path))
        head = importlib.util.MAGIC_NUMBER + b"\x03\0\0\0" + importlib.util.source_hash(body)
        bytecode = Path(importlib.util.cache_from_source(path))
        with suppress(OSError, ValueError, EOFError, TypeError):
            content = bytecode.read_bytes()
            if content.startswith(head):
                return marshal.loads(content[len(head) :])
        code = self.source_to_code(body, path)
        if not sys.dont_write_bytecode:
            self.set_data(
                str(bytecode), head + marshal.dumps(code)
            )  # creates the folder; passes over a full disk
        return code

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for callback in after_import:
            callback(module)


class _Finder:
    """Finds ``workbench.theorems.<key>`` and what is below it; nothing else."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name == PARENT:
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        if not name.startswith(f"{PARENT}."):
            return None
        file = source(name)
        if file is None:
            folder = _folder(name)
            if folder is None or not folder.is_dir():
                return None
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(folder)]
            return spec
        package = [str(file.parent)] if file.name == "__init__.py" else None
        loader = _Loader(name, str(file))
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=package
        )


def install() -> None:
    """Lets papers be imported.

    This finder comes first: Python's own would find the modules in a paper's folder as well.
    """
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _folder(name: str) -> Path | None:
    """Where a module ``workbench.theorems.<key>...`` would lie, without its suffix."""
    key, *rest = name.removeprefix(f"{PARENT}.").split(".")
    home = home_of(key)
    return None if home is None else home.path.joinpath(*rest)


def source(module: str) -> Path | None:
    """The source file of a module outside the library; None for what comes from the standard library or is installed.

    Modules of papers, and any other Python file that can be imported but was not installed, such as a library under
    development.
    """
    if inside(module, [PARENT]):
        stem = _folder(module) if module != PARENT else None
        if stem is None or stem.is_file():
            return stem
        if module.count(".") > PARENT.count(".") + 1:
            return _file(stem)
        whole = (
            stem / "__init__.py"
        )  # of a folder that was named; a file of its name beside it is another paper
        return whole if whole.is_file() else None
    top = module.partition(".")[0]
    place = _own(top)
    if place is None:
        return None
    return _file(place.parent.joinpath(*module.split(".")))


def _file(stem: Path) -> Path | None:
    return next((p for p in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")) if p.is_file()), None)


@cache
def _own(top: str) -> Path | None:
    """The folder or file of a top-level module that is neither standard nor installed."""
    place = None if top == "workbench" else _place(top)
    return None if place is None or is_foreign(place) or _is_recorded(place) else place


def _is_recorded(place: Path) -> bool:
    """Whether an installer has put a module into this folder, which may be that of another environment (PEP 376)."""
    start = f"{place.name}{'' if place.suffix else '/'}"
    for record in place.parent.glob("*.dist-info/RECORD"):
        with suppress(OSError, ValueError), record.open() as file:
            if any(line.startswith(start) for line in file):
                return True
    return False


@cache
def _place(top: str) -> Path | None:
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return None
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if spec.submodule_search_locations is not None:
        return Path(next(iter(spec.submodule_search_locations), "")) if spec.origin != "frozen" else None
    return Path(spec.origin) if spec.origin and spec.origin.endswith(".py") else None


@cache
def is_foreign(place: Path) -> bool:
    """Whether a file belongs to the standard library or to an installed package."""
    target = place.resolve()
    return any(folder in target.parents for folder in _foreign_folders())


@cache
def _foreign_folders() -> frozenset[Path]:
    paths = sysconfig.get_paths()
    folders = [paths[n] for n in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset(
        Path(p).resolve() for p in (*folders, *site.getsitepackages(), site.getusersitepackages())
    )

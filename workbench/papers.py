"""Where papers are: in the rooms of the tree, in installed packages, and in folders or files of the user.

A paper is one `Home`, whatever its place. In the tree its parts are subpackages of the rooms; an installed package
announces itself by an entry point of the group `workbench.papers`; a folder or a file is opened by its path. What is
opened is imported as ``workbench_papers.<key>``, where the key is the folder's name or the file's without ``.py``. So
`sys.path` stays as it is, no ``__init__.py`` is needed, siblings are imported by ``from . import helpers``, and a file
``random.py`` hides no other. The name does not depend on the place: a folder that has moved keeps its results.

The catalog sees the homes of the current *view*: the tree and the installed packages, and what was opened.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import pkgutil
import re
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

ROOMS = {
    "theorem": "theorems",
    "method": "workbench.algorithms",
    "instances": "workbench.instances",
    "probes": "workbench.probes",
    "experiments": "workbench.experiments",
    "figures": "figures",
}
ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("theorems", "workbench")  # what results depend on
PARENT = "workbench_papers"
GROUP = "workbench.papers"
NO_PART = re.compile(
    r"(test_.*|.*_test|conftest|setup|__main__)"
)  # files of a folder that hold no part of a paper
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class NoPaper(ValueError):
    """A path that cannot be opened as a paper. The message is one sentence addressed to the user."""


class Changed(NoPaper):
    """A source of the tree was edited while the command was starting: nobody's mistake."""


@dataclass(frozen=True)
class Home:
    """One paper's place.

    parts: role (see ROOMS) -> the package or module that holds it. path: folder or file of a paper that was opened by
    its path. key: "" for the modules of the rooms that belong to no paper.
    """

    key: str
    parts: Mapping[str, str]
    path: Path | None = None

    @property
    def whole(self) -> str:
        """The one package or module of a paper outside the tree; "" for one in the tree."""
        names = set(self.parts.values())
        return names.pop() if len(names) == 1 and self.parts.keys() == ROOMS.keys() else ""

    def names(self, role: str) -> list[str]:
        """The modules to look through for a role, in alphabetical order, packages before what they hold.

        Outside the tree any file may hold anything, except that a module ``figures`` is only looked through for
        figures: it imports the drawing libraries.
        """
        if role not in self.parts:
            return []
        found = _walk(self.parts[role], deep=self.key != "", opened=self.path is not None)
        if not self.whole:
            return found
        drawing = f"{self.whole}.figures"
        return [n for n in found if role == "figures" or not (n == drawing or n.startswith(f"{drawing}."))]

    def files(self) -> list[Path]:
        """The Python files of a paper outside the tree."""
        if not self.whole:
            return []
        if self.path is not None and self.path.is_file():
            return [self.path]
        places = [self.path] if self.path is not None else _places(self.whole)
        return sorted(p for place in places for p in ([place] if place.is_file() else python_files(place)))

    def beside(self, role: str, name: str) -> Path | None:
        """Where a data file of this paper lies: in the folder of a role, or beside a single file, with its stem before.

        None for a home without this role.
        """
        if self.path is not None:
            return self.path / name if self.path.is_dir() else self.path.with_name(f"{self.path.stem}.{name}")
        places = _places(self.parts[role]) if self.key and role in self.parts else []
        return next((p / name if p.is_dir() else p.with_name(f"{p.stem}.{name}") for p in places), None)

    def holds(self, file: str) -> bool:
        """Whether a source file is part of this paper."""
        path = Path(file)
        if self.path is not None:
            return path == self.path or self.path in path.parents
        return bool(self.key) and any(
            place in path.parents or path == place.with_suffix(".py")
            for part in set(self.parts.values())
            for place in _places(part)
        )


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, without hidden folders, virtual environments and links to nothing."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__pycache__")):
            continue
        if path.is_dir() and not (path / "pyvenv.cfg").exists():
            yield from python_files(path)
        elif path.suffix == ".py" and path.is_file():
            yield path


@cache
def _places(package: str) -> list[Path]:
    """The folders of a package, or the file of a module; of the tree without importing anything."""
    if inside(package, ("theorems", "workbench", "figures")):
        return [ROOT.joinpath(*package.split("."))]
    spec = importlib.util.find_spec(package)
    if spec is None:
        return []
    if spec.submodule_search_locations is not None:
        return [Path(p).resolve() for p in spec.submodule_search_locations]
    return [Path(spec.origin).resolve()] if spec.origin else []


def inside(name: str, packages: Sequence[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _walk(package: str, deep: bool, opened: bool) -> list[str]:
    """The names of a package and of what it holds, without importing anything.

    deep: also what its subpackages hold. opened: a folder of the user, whose tests are left out.
    """
    return [package, *(n for place in _places_of(package) for n in _below(place, package, deep, opened))]


def _places_of(package: str) -> list[Path]:
    if package.startswith(f"{PARENT}."):
        home = _opened.get(package.split(".")[1])
        return [home.path] if home is not None and home.path is not None and home.path.is_dir() else []
    return [p for p in _places(package) if p.is_dir()]


def _below(folder: Path, package: str, deep: bool, opened: bool) -> Iterator[str]:
    for info in sorted(pkgutil.iter_modules([str(folder)]), key=lambda i: i.name):
        if opened and NO_PART.fullmatch(info.name):
            continue
        if deep or not info.ispkg:
            yield f"{package}.{info.name}"
        if deep and info.ispkg:
            yield from _below(folder / info.name, f"{package}.{info.name}", deep, opened)


# ---------------------------------------------------------------------------------------------------- the view


@dataclass(frozen=True, eq=False)
class View:
    """What the catalog sees.

    tree: the shipped and the installed papers. opened: folders and files. only: the keys of the papers of the tree, if
    not all are seen.
    """

    tree: bool = True
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
    kept: WeakKeyDictionary[View, T] = WeakKeyDictionary()

    @wraps(function)
    def call() -> T:
        if _view not in kept:
            kept[_view] = function()
        return kept[_view]

    return call


@contextmanager
def restored() -> Iterator[None]:
    """The view after this block is the one before it; papers opened in it are forgotten."""
    before = _view, dict(_opened)
    try:
        yield
    finally:
        if _view is not before[0]:
            _set(*before)


def look(tree: bool = True, opened: Sequence[Path] = ()) -> View:
    """Sets the view and returns it. Raises NoPaper for a path that cannot be opened."""
    homes: dict[str, Home] = {}
    for path in dict.fromkeys(map(absolute, opened)):
        home = home_at(path)
        if (other := homes.get(home.key)) is not None:
            raise NoPaper(f"{other.path} and {path} would both have the key {home.key}: rename one of them")
        homes[home.key] = home
    made = View(tree, tuple(h.path for h in homes.values() if h.path is not None))
    _set(made, homes)
    return made


def narrow(keys: Sequence[str]) -> None:
    """Lets the view show the shipped and installed papers of these keys alone: to import the others takes seconds.

    Nothing is done if there are no keys, or if one is no key of these papers or of what they hold.
    """
    first = frozenset(key.partition("/")[0] for key in keys)
    if first and _view.tree and not _opened and first <= (shipped().keys() | installed().keys()) - {""}:
        _set(replace(_view, only=first, complaints=[]), {})


def _set(made: View, homes: dict[str, Home]) -> None:
    global _view
    _view = made
    _opened.clear()
    _opened.update(homes)
    _texts.clear()
    _places.cache_clear()
    _place.cache_clear()
    _own.cache_clear()
    is_foreign.cache_clear()
    for name in [n for n in sys.modules if n.startswith(f"{PARENT}.")]:
        del sys.modules[name]


@cache
def shipped() -> dict[str, Home]:
    """The homes in the tree by key; "" holds what the rooms hold beside the papers."""
    parts: dict[str, dict[str, str]] = {}
    for role, room in ROOMS.items():
        folder = ROOT.joinpath(*room.split("."))
        for info in pkgutil.iter_modules([str(folder)]):
            if info.ispkg:
                parts.setdefault(info.name, {})[role] = f"{room}.{info.name}"
    return {"": Home("", ROOMS), **{key: Home(key, parts[key]) for key in sorted(parts)}}


@per_view
def installed() -> dict[str, Home]:
    """The papers of installed packages by key. One whose key is taken is left out, with a complaint in the view."""
    found: dict[str, Home] = {}
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda e: e.name):
        taken = shipped().get(entry.name) or found.get(entry.name)
        if taken is not None and taken.whole != entry.module:
            _view.complaints.append(
                f"the installed paper {entry.name} ({entry.module}) is left out: its key is taken"
            )
        elif taken is None:
            found[entry.name] = Home(entry.name, dict.fromkeys(ROOMS, entry.module))
    return found


def homes() -> list[Home]:
    """The homes in the view: those of the tree, of installed packages, and the opened ones."""
    standing = {**shipped(), **installed()} if _view.tree else {}
    if _view.only is not None:  # methods that several papers compare with are no paper
        seen = {"", *_view.only}
        standing = {k: home for k, home in standing.items() if k in seen or "experiments" not in home.parts}
    return [*(home for key, home in standing.items() if key not in _opened), *_opened.values()]


def home_of(key: str) -> Home | None:
    """The home of a paper, in the view or not."""
    return _opened.get(key) or shipped().get(key) or installed().get(key)


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
    if path.is_dir() and not any(path.glob("*.py")):
        raise NoPaper(f"{path} holds no Python file; `workbench new {path / 'my_paper'}` makes a paper")
    if not KEY.fullmatch(key):
        kind = "file" if path.is_file() else "folder"
        raise NoPaper(
            f"the {kind}'s name {key!r} cannot be a key: rename it, with letters, digits, _ and - only"
        )
    if key in shipped():
        raise NoPaper(f"{path} would have the key {key}, which is one of the workbench's own: rename it")
    return Home(key, dict.fromkeys(ROOMS, f"{PARENT}.{key}"), path)


def module_name(role: str, dotted: str) -> str:
    """The full name of a module that a paper names, as "my_paper.method" for a role; a full name is left as it is."""
    if dotted.startswith(f"{PARENT}."):
        return dotted
    key, _, rest = dotted.partition(".")
    home = _opened.get(key) or (installed().get(key) if key not in shipped() else None)
    if home is not None and home.whole:
        return f"{home.whole}.{rest}" if rest else home.whole
    return f"{ROOMS[role]}.{dotted}"


def key_of(module: str) -> str:
    """The key of the paper that a module belongs to; "" if it belongs to none."""
    if module.startswith(f"{PARENT}."):
        return module.split(".")[1]
    for room in ROOMS.values():
        if module.startswith(f"{room}."):
            key = module.removeprefix(f"{room}.").split(".")[0]
            return key if key in shipped() else ""
    return next((h.key for h in installed().values() if inside(module, [h.whole])), "")


def author(file: str) -> Home | None:
    """The paper that a source file belongs to."""
    everywhere = [*_opened.values(), *installed().values(), *shipped().values()]
    return next((home for home in everywhere if home.holds(file)), None)


# -------------------------------------------------------------------------------------------- sources and import

_texts: dict[Path, bytes] = {}


def _states() -> dict[Path, tuple[int, int]]:
    """(time of the last change, bytes) of each source file of the tree."""
    found = {}
    for package in PACKAGES:
        for folder, below, names in os.walk(ROOT / package):
            below[:] = [name for name in below if name != "__pycache__"]
            for path in (Path(folder, name) for name in names if name.endswith(".py")):
                with suppress(OSError):  # a link to nowhere, as an editor's lock
                    state = path.stat()
                    found[path] = state.st_mtime_ns, state.st_size
    return found


_AT_START = _states()  # before a paper is imported


@cache
def tree() -> Mapping[Path, bytes]:
    """The sources of the tree that have run: as they were before the first paper was imported.

    They are read at the first call, and from then on edits go unnoticed. Raises Changed where one was edited before:
    Python may have read either text.
    """
    held = {}
    for path in _AT_START:
        with suppress(OSError):
            held[path] = path.read_bytes()
    now = _states()
    if edited := sorted(p for p in now.keys() | _AT_START.keys() if now.get(p) != _AT_START.get(p)):
        name = edited[0].relative_to(ROOT).as_posix()
        raise Changed(f"{name} was changed while this command was starting; run it again")
    return held


def text(path: Path) -> bytes:
    """The content of a source file, one of the tree (see `tree`) or read once per view: what is hashed is what was run.

    (Bytecode is no such snapshot: Python takes it for current if the size and the second of the last change agree.)
    """
    if path in _AT_START:
        return tree()[path]
    if path not in _texts:
        _texts[path] = path.read_bytes()
    return _texts[path]


after_import: list[Callable[[ModuleType], None]] = []  # called with each module of a paper, when it has run


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        return self.source_to_code(text(Path(path)), path)

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        for told in after_import:
            told(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds ``workbench_papers.<key>`` and what is below it; nothing else."""

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> Any:
        if name == PARENT:
            return importlib.machinery.ModuleSpec(name, None, is_package=True)
        if not name.startswith(f"{PARENT}."):
            return None
        found = source(name)
        if found is None:
            folder = _folder(name)
            if folder is None or not folder.is_dir():
                return None
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(folder)]
            return spec
        package = [str(found.parent)] if found.name == "__init__.py" else None
        loader = _Loader(name, str(found))
        return importlib.util.spec_from_file_location(
            name, found, loader=loader, submodule_search_locations=package
        )


sys.meta_path.insert(0, _Finder())  # first: Python's own would find the modules in a paper's folder as well


def _folder(name: str) -> Path | None:
    """Where a module ``workbench_papers.<key>...`` would lie, without its suffix."""
    _, key, *rest = name.split(".")
    home = _opened.get(key)
    return None if home is None or home.path is None else home.path.joinpath(*rest)


def source(module: str) -> Path | None:
    """The source file of a module outside the tree; None for what comes from the standard library or is installed.

    Modules of opened and installed papers, and any other Python file that can be imported but was not installed, such
    as a library under development.
    """
    if module.startswith(f"{PARENT}."):
        stem = _folder(module)
        if stem is None or stem.is_file():
            return stem
        if module.count(".") > 1:
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
    """The folder or file of a top-level module that is neither standard nor installed, or holds an installed paper."""
    announced = {h.whole.partition(".")[0] for h in installed().values()}
    place = _place(top)
    if place is None or (top not in announced and is_foreign(place)):
        return None
    return place


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
    resolved = place.resolve()
    return any(folder in resolved.parents for folder in _foreign_folders())


@cache
def _foreign_folders() -> frozenset[Path]:
    paths = sysconfig.get_paths()
    named = [paths[n] for n in ("stdlib", "platstdlib", "purelib", "platlib")]
    return frozenset(Path(p).resolve() for p in (*named, *site.getsitepackages(), site.getusersitepackages()))

"""The catalog of papers, theorems, lemmas, errata, algorithms, instances, experiments and figures.

Nothing is registered: the catalog walks the packages. A subpackage of `theorems`, `workbench.algorithms`,
`workbench.instances`, `workbench.experiments` or `figures` belongs to a paper, and its modules declare their content by
module attributes: ``PAPER``, ``THEOREMS``, ``LEMMAS``, ``COVERAGE``, ``ERRATA`` (theorems), ``step`` (algorithms),
dataclasses with ``COSTS`` (instances), ``SIMULATIONS`` and ``CLAIMS`` (experiments), ``FIGURE`` or ``FIGURES``
(figures).
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from theorems.coverage import Display
from theorems.lemma import Lemma
from theorems.record import Erratum
from workbench.experiments.claims import Claim
from workbench.experiments.records import Simulation
from workbench.probes import Sampler

KINDS = ("paper", "theorem", "lemma", "erratum", "algorithm", "instance", "experiment", "figure")


class UnknownKey(ValueError):
    """A key that matches no entry, or more than one. The message suggests the nearest keys."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of ``workbench list``. ``source``: the place in the paper, or a module of the project."""

    kind: str
    key: str
    paper: str
    title: str
    source: str


def modules(package: str) -> Iterator[ModuleType]:
    """Every module below a package, the package itself first, in alphabetical order."""
    root = importlib.import_module(package)
    yield root
    for info in sorted(pkgutil.walk_packages(root.__path__, package + "."), key=lambda i: i.name):
        yield importlib.import_module(info.name)


def _gather(package: str, name: str) -> list[Any]:
    """The entries of the module attribute ``name`` across a package; a re-exported tuple counts once."""
    found: dict[int, Any] = {}
    for module in modules(package):
        for item in getattr(module, name, ()):
            found.setdefault(id(item), item)
    return list(found.values())


@cache
def simulations() -> dict[str, Simulation]:
    return {s.key: s for s in _gather("workbench.experiments", "SIMULATIONS")}


@cache
def claims() -> tuple[Claim, ...]:
    """The claims of the experiments in module order. (`verify` adds the checks of the ledger.)"""
    return tuple(_gather("workbench.experiments", "CLAIMS"))


@cache
def lemmas() -> dict[str, Lemma]:
    """Every link of a proof by key. Raises ValueError for a duplicate key."""
    found: dict[str, Lemma] = {}
    for lemma in _gather("theorems", "LEMMAS"):
        if lemma.key in found:
            raise ValueError(f"two lemmas have the key {lemma.key}")
        found[lemma.key] = lemma
    return found


@cache
def coverage() -> tuple[Display, ...]:
    """Every displayed line of the papers' proofs, in the order of the texts."""
    return tuple(_gather("theorems", "COVERAGE"))


@cache
def samplers() -> dict[str, Sampler]:
    return {s.key: s for s in _gather("workbench.probes", "SAMPLERS")}


@cache
def errata() -> dict[str, Erratum]:
    """Every erratum by "<paper>/<label>"."""
    return {
        f"{module.__name__.split('.')[1]}/{e.label}": e
        for module in modules("theorems")
        for e in getattr(module, "ERRATA", ())
    }


@cache
def theorems() -> dict[str, Any]:
    return {t.key: t for t in _gather("theorems", "THEOREMS")}


@cache
def figures() -> dict[str, Any]:
    found = [m.FIGURE for m in modules("figures") if hasattr(m, "FIGURE")] + _gather("figures", "FIGURES")
    return {f.key: f for f in sorted(found, key=lambda f: f.key)}


def errata_rows() -> list[dict[str, Any]]:
    """Every erratum with the ledger's checks that document it: which line fails as printed, and which repair holds."""
    return [
        {
            "key": key,
            "title": e.title,
            "printed": e.printed,
            "right": e.right,
            "source": e.source,
            "checks": [
                {"lemma": x.key, "check": c.name, "form": c.form, "expected": c.expected}
                for x in lemmas().values()
                for c in x.checks
                if f"{x.paper.key}/{c.erratum}" == key
            ],
        }
        for key, e in errata().items()
    ]


def algorithms() -> dict[str, ModuleType]:
    """Dotted name below `workbench.algorithms` -> module."""
    prefix = "workbench.algorithms."
    return {m.__name__.removeprefix(prefix): m for m in modules("workbench.algorithms") if hasattr(m, "step")}


def instances() -> dict[str, type]:
    """ "<paper>.<Class>" -> dataclass with an oracle. A class with subclasses is treated as abstract and left out."""
    found: dict[str, type] = {}
    for module in modules("workbench.instances"):
        for name, value in vars(module).items():
            if not inspect.isclass(value) or value.__module__ != module.__name__:
                continue
            if dataclasses.is_dataclass(value) and hasattr(value, "COSTS"):
                found[f"{module.__name__.split('.')[2]}.{name}"] = value
    bases = {base for cls in found.values() for base in cls.__mro__[1:]}
    return {name: cls for name, cls in found.items() if cls not in bases}


@cache
def entries() -> tuple[Entry, ...]:
    """All entries, by kind in the order of KINDS."""
    papers = {m.PAPER.key: m.PAPER for m in modules("theorems") if hasattr(m, "PAPER")}
    found = [Entry("paper", p.key, p.key, p.title, f"{p.authors}; {p.source}") for p in papers.values()]
    found += [Entry("theorem", t.key, t.paper.key, t.title, t.source) for t in theorems().values()]
    found += [
        Entry("lemma", x.key, x.paper.key, x.title, x.source)
        for k, x in lemmas().items()
        if k not in theorems()
    ]
    found += [Entry("erratum", key, key.split("/")[0], e.title, e.source) for key, e in errata().items()]
    for name, module in algorithms().items():
        paper, _, short = name.partition(".")
        # A baseline's update rule has a label: C confirmed from public source, P partly, GK general knowledge.
        title = f"{module.TITLE} [{module.LABEL}]" if hasattr(module, "LABEL") else module.TITLE
        found.append(Entry("algorithm", f"{paper}/alg-{_dashed(short)}", paper, title, module.SOURCE))
    for name, cls in instances().items():
        paper, _, short = name.partition(".")
        title = (inspect.getdoc(cls) or "").split("\n")[0]
        if title.startswith(f"{short}("):  # a dataclass without a docstring: use its module's
            title = (inspect.getdoc(inspect.getmodule(cls)) or "").split("\n")[0]
        found.append(Entry("instance", f"{paper}/ins-{_dashed(short)}", paper, title, cls.__module__))
    for s in simulations().values():
        found.append(Entry("experiment", s.key, s.key.split("/")[0], s.title, f"{s.kind}; {s.algorithm}"))
    found += [Entry("figure", f.key, f.key.split("/")[0], f.title, f.source) for f in figures().values()]
    return tuple(sorted(found, key=lambda e: (KINDS.index(e.kind), e.key)))


def _dashed(name: str) -> str:
    """CamelCase or snake_case to dashed lower case."""
    spaced = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")
    return spaced.replace("_", "-").replace(".", "-")


def find(text: str) -> Entry:
    """The entry whose key is ``text`` or starts with it.

    Several keys may start with it if one of them is a prefix of all others; that one is found. Otherwise, and if there
    is none, raises UnknownKey, suggesting the nearest keys.
    """
    keys = {e.key: e for e in entries()}
    if text in keys:
        return keys[text]
    starting = sorted((k for k in keys if k.startswith(text)), key=len)
    if starting and all(k.startswith(starting[0]) for k in starting):
        return keys[starting[0]]
    if starting:
        raise UnknownKey(
            f"{text!r} is not unique: {', '.join(starting[:6])}{' ...' if len(starting) > 6 else ''}"
        )
    holding = sorted((k for k in keys if text.lower() in k.lower()), key=len)[:3]
    near = holding or difflib.get_close_matches(text, keys, n=3, cutoff=0.3)
    hint = f"; the nearest are {', '.join(near)}" if near else "; `workbench list` shows every key"
    raise UnknownKey(f"there is no {text!r}{hint}")

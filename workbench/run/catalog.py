"""The catalog of papers, theorems, lemmas, errata, algorithms, instances, experiments and figures.

Nothing is registered: the catalog walks the papers' homes (`workbench.homes.papers`), wherever they are. A paper's
modules declare their content by module attributes: ``PAPER``, ``THEOREMS``, ``ERRATA``, ``FORMULAS`` (theory),
``step`` (methods), dataclasses with ``COSTS`` (problems), ``SAMPLERS`` (probes), ``CLAIMS``,
``WATERFALLS`` and ``FAMILIES`` (experiments), ``FIGURE`` or ``FIGURES`` (figures). A module that cannot be imported
is left out, and `import_failures` says why. Links of proofs stand in a paper's ``proof.txt``
(`workbench.ledger.proof_text`).
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import inspect
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench import problems
from workbench.claims.claims import Bound, Claim
from workbench.claims.families import Family
from workbench.claims.of_reading import OfReading
from workbench.claims.probes import Sampler
from workbench.claims.records import Simulation
from workbench.claims.study import Study
from workbench.claims.waterfalls import Waterfall
from workbench.homes import garbage, mistakes, papers
from workbench.homes.keys import Key
from workbench.homes.papers import Home, per_view
from workbench.homes.usage import UsageError
from workbench.theory.coverage import Display
from workbench.theory.lemma import MEASURED, Lemma
from workbench.theory.record import Erratum, Paper, Theorem

NAME = re.compile(r"(thm|lem|cor|prop|rem|sim|alg|ins|fig|smp)-")  # how a key goes on after the paper
READY = "ready"  # the key under which the problems are listed that the library has ready for use
PROOF_TEXT = (
    "workbench.ledger.proof_text"  # reads the text of a paper's proofs, with the grammar of the ledger
)
PER_PAPER = "workbench.report.drawing.ledger"  # makes the figures that every paper with a ledger or with waterfalls has
DEFAULT = "workbench.report.drawing.default"  # makes the figures of a paper that declares none
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


def modules(role: str, home: Home | None = None) -> Iterator[ModuleType]:
    """The modules of the papers in view (or of one home) that may hold something for a role, papers in order."""
    for place in papers.homes() if home is None else [home]:
        for name in place.names(role):
            if (module := module_or_none(name)) is not None:
                yield module


def module_or_none(name: str) -> ModuleType | None:
    """A module; None if it cannot be imported, which `import_failures` then tells.

    Raises whatever a module of the workbench itself raises.
    """
    if name in _failures():
        return None
    try:
        with garbage.no_collection():
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        if not papers.key_of(name):
            raise
        _failures()[name] = mistakes.on_import(name, error)
    return None


@per_view
def _failures() -> dict[str, str]:
    """Module name -> why it cannot be imported. Filled as modules are imported."""
    return {}


def import_failures() -> dict[str, list[str]]:
    """Paper key -> one sentence for each mistake that keeps its modules from being imported, known so far."""
    by_paper: dict[str, list[str]] = {}
    for name, sentence in _failures().items():
        sentences = by_paper.setdefault(papers.key_of(name), [])
        if sentence not in sentences:
            sentences.append(sentence)
    return by_paper


def _gather(role: str, name: str, kind: type = object) -> list[Any]:
    """The entries of the module attribute ``name`` in the modules of a role; a re-exported tuple counts once.

    Raises UsageError for an attribute that is no sequence of ``kind``.
    """
    items: dict[int, Any] = {}
    for module in modules(role):
        for item in mistakes.entries(module, name, kind):
            mistakes.check_key(module, item)
            items.setdefault(id(item), item)
    return list(items.values())


def _by_key(role: str, name: str, kind: type = object) -> dict[str, Any]:
    """The entries of a module attribute by key. Raises UsageError for two different ones of the same key."""
    records: dict[str, Any] = {}
    for item in _gather(role, name, kind):
        if item.key in records:
            raise mistakes.twice(name, records[item.key], item)
        records[item.key] = item
    return records


@per_view
def simulations() -> dict[str, Simulation]:
    """Every simulation by key: those that the studies of the papers know. Raises UsageError for two of the same key."""
    by_key: dict[str, Simulation] = {}
    for module in modules("experiments"):
        for study in (s for s in vars(module).values() if isinstance(s, Study)):
            for sim in study.simulations.values():
                mistakes.check_key(module, sim)
                if by_key.setdefault(sim.key, sim) is not sim:
                    raise mistakes.twice("simulations", by_key[sim.key], sim)
    return by_key


@per_view
def claims() -> tuple[Claim, ...]:
    """The claims of the experiments in module order. (`verify` adds the checks of the ledger.)"""
    return tuple(_gather("experiments", "CLAIMS", Claim))


@per_view
def waterfalls() -> tuple[Waterfall, ...]:
    """Where bounds are lost, in module order."""
    return tuple(_gather("experiments", "WATERFALLS", Waterfall))


@per_view
def families() -> tuple[Family, ...]:
    """Families of instances in which the worst one is searched for, in module order."""
    return tuple(_gather("experiments", "FAMILIES", Family))


@per_view
def lemmas() -> dict[str, Lemma]:
    """Every link of a proof by key, from the texts of the papers. Raises UsageError for a mistake in a text."""
    return {lemma.key: lemma for proof in _proofs() for lemma in proof.lemmas}


@per_view
def coverage() -> tuple[Display, ...]:
    """Every displayed line of the papers' proofs, in the order of the papers' texts."""
    return tuple(row for proof in _proofs() for row in proof.displays)


@per_view
def _proofs() -> list[Any]:
    """The proofs of the papers that have a ``proof.txt``."""
    lemmas_there = []
    for home in papers.homes():
        path = home.beside("proof.txt")
        if path.is_file():
            labels = [
                e.label
                for m in modules(papers.STATEMENTS, home)
                for e in mistakes.entries(m, "ERRATA", Erratum)
            ]
            read_text = importlib.import_module(PROOF_TEXT).read
            lemmas_there.append(read_text(path, papers_in_view()[home.key], _formulas(home), labels))
    return lemmas_there


def _formulas(home: Home) -> dict[str, Any]:
    """What the lines of a paper's proofs take from its Python modules, by name: their ``FORMULAS``.

    Raises UsageError for an attribute of another kind, and for two formulas of one name.
    """
    records: dict[str, Any] = {}
    for module in modules("theory", home):
        own = getattr(module, "FORMULAS", {})
        if not isinstance(own, dict) or not all(isinstance(name, str) for name in own):
            raise UsageError("FORMULAS is a dictionary of SymPy expressions by name", where=_file_of(module))
        if both := sorted(own.keys() & records.keys()):
            raise UsageError(f"FORMULAS has a second formula {both[0]!r}", where=_file_of(module))
        records |= own
    return records


def _file_of(module: ModuleType) -> str:
    return mistakes.place(module.__file__) if module.__file__ else module.__name__


@per_view
def read_by_claims() -> dict[str, frozenset[str]]:
    """Simulation key -> the recorded quantities of which the claims about it speak."""
    by_key: dict[str, set[str]] = {}
    for claim in claims():
        for key in claim.needs:
            by_key.setdefault(key, set()).update(claim.metrics)
    return {key: frozenset(names) for key, names in by_key.items()}


@per_view
def read_along() -> dict[str, frozenset[str]]:
    """Simulation key -> names in what is measured along its runs: lines of proofs, waterfalls, metrics of claims."""
    quantities = {key: set(names) for key, names in read_by_claims().items()}
    for lemma in lemmas().values():
        for check in lemma.checks:
            if isinstance(check, MEASURED):
                for key in check.on:
                    quantities.setdefault(key, set()).update(s.name for s in check.symbols)
    for waterfall in waterfalls():
        quantities.setdefault(waterfall.sim.key, set()).update(s.name for s in waterfall.symbols)
    return {key: frozenset(names) for key, names in quantities.items()}


@per_view
def samplers() -> dict[str, Sampler]:
    return _by_key("probes", "SAMPLERS", Sampler)


@per_view
def errata() -> dict[str, Erratum]:
    """Every erratum by "<paper>/<label>"."""
    return {
        f"{papers.key_of(module.__name__)}/{e.label}": e
        for module in modules(papers.STATEMENTS)
        for e in mistakes.entries(module, "ERRATA", Erratum)
    }


@per_view
def theorems() -> dict[str, Any]:
    """Every theorem by key: those of ``THEOREMS``, and what a paper defines without listing it.

    Raises UsageError for two different ones of the same key.
    """
    by_key = _by_key(papers.STATEMENTS, "THEOREMS", Theorem)
    for home in papers.homes():
        values = (value for module in modules(papers.STATEMENTS, home) for value in vars(module).values())
        for theorem in (value for value in values if isinstance(value, Theorem)):
            if theorem.paper.key == home.key and by_key.setdefault(theorem.key, theorem) is not theorem:
                raise mistakes.twice("THEOREMS", by_key[theorem.key], theorem)
    return by_key


@per_view
def figures() -> dict[str, Any]:
    """Every figure by key: what modules declare, those of ledgers and waterfalls, and `default_figures`."""
    every = _figures_but_default()
    if default_figures():
        every |= importlib.import_module(DEFAULT).by_key()
    return {key: every[key] for key in sorted(every)}


@per_view
def _figures_but_default() -> dict[str, Any]:
    by_key: dict[str, Any] = {}
    single = [m.FIGURE for m in modules("figures") if hasattr(m, "FIGURE")]
    for m in modules("figures"):
        if hasattr(m, "FIGURE"):
            mistakes.check_key(m, m.FIGURE)
    # The libraries for drawing are loaded only where there is something to draw.
    of_proofs = importlib.import_module(PER_PAPER).per_paper() if lemmas() or waterfalls() else ()
    for f in dict.fromkeys([*single, *_gather("figures", "FIGURES"), *of_proofs]):
        if f.key in by_key:
            raise mistakes.twice("FIGURES", by_key[f.key], f)
        by_key[f.key] = f
    return by_key


@per_view
def default_figures() -> dict[str, tuple[Simulation, list[OfReading | Bound]]]:
    """Key -> a simulation and the claims on its curves, for papers that declare no figure.

    Nothing for drawing is loaded.
    """
    simulations()  # first: their mistakes explain those of the claims
    others = {Key.of(key).paper for key in _figures_but_default()} | set(import_failures())
    of: dict[str, tuple[Simulation, list[OfReading | Bound]]] = {}
    for claim in claims():
        if isinstance(claim, OfReading | Bound) and claim.paper not in others:
            sim = claim.sim if isinstance(claim, Bound) else claim.reading.sim
            key = Key.of(sim.key)
            of.setdefault(f"{key.paper}/fig-{key.name.removeprefix('sim-')}", (sim, []))[1].append(claim)
    return of


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
    """ "<paper>.<module>" -> module; a paper that is a single file has "<paper>" alone."""
    return {_short(m, "methods"): m for m in modules("methods") if mistakes.has_step(m)}


def _short(module: ModuleType, role: str) -> str:
    """A module's name from its paper's key on, without the folder of its role."""
    key = papers.key_of(module.__name__)
    home = papers.home_of(key)
    rest = "" if home is None else home.short(module.__name__, role)
    return f"{key}.{rest}" if rest else key


def instances() -> dict[str, type]:
    """ "<paper>.<Class>" -> dataclass with an oracle; of those that belong to no paper "ready.<Class>".

    A class with subclasses is treated as abstract and left out.
    """
    return _concrete({**ready_instances(), **own_instances()})


def own_instances() -> dict[str, type]:
    """Those that belong to papers, abstract ones as well."""
    return {f"{papers.key_of(m.__name__)}.{c.__name__}": c for m in modules("problems") for c in _oracles(m)}


def ready_instances() -> dict[str, type]:
    """Those of `instances` that belong to no paper; none of which needs to be imported."""
    return {f"{READY}.{name}": getattr(problems, name) for name in problems.__all__}


def _oracles(module: ModuleType) -> Iterator[type]:
    for value in vars(module).values():
        if not isinstance(value, type) or value.__module__ != module.__name__:
            continue
        if dataclasses.is_dataclass(value) and hasattr(value, "COSTS"):
            yield value


def _concrete(classes: dict[str, type]) -> dict[str, type]:
    bases = {base for cls in classes.values() for base in cls.__mro__[1:]}
    return {name: cls for name, cls in classes.items() if cls not in bases}


def instance_key(name: str) -> str:
    """ "<paper>/ins-<class>" of a name of `instances`."""
    paper, _, short = name.partition(".")
    return f"{paper}/ins-{_with_dashes(short)}"


def instance_entries(classes: Mapping[str, type]) -> list[Entry]:
    """An entry for each of some `instances`."""
    entries = []
    for name, cls in classes.items():
        title = _first_line(cls)
        if title.startswith(f"{cls.__name__}("):  # a dataclass without a docstring: use its module's
            title = _first_line(inspect.getmodule(cls)) or cls.__name__
        source = module_name(cls.__module__)
        entries.append(Entry("instance", instance_key(name), name.partition(".")[0], title, source))
    return entries


@per_view
def papers_in_view() -> dict[str, Paper]:
    """The papers by key. One without a ``PAPER`` is described by its module's docstring."""
    by_key = {}
    for home in papers.homes():
        if home.key == papers.COMPETITORS:
            continue
        own = [
            m.PAPER for m in modules(papers.STATEMENTS, home) if isinstance(getattr(m, "PAPER", None), Paper)
        ]
        if not own:
            studies = [
                s for m in modules("experiments", home) for s in vars(m).values() if isinstance(s, Study)
            ]
            own = [s.paper for s in studies if s.paper.key == home.key][:1]
        for paper in own:
            mistakes.check_paper(home, paper)
            by_key[paper.key] = paper
        if not own:
            title = (inspect.getdoc(module_or_none(home.package)) or "").split("\n")[0] or home.key
            by_key[home.key] = Paper(home.key, title, "no author is named", str(home.path))
    return by_key


def papers_and_theorems() -> list[Entry]:
    """Their entries, by kind and key: neither proofs are read for them, nor figures imported."""
    false = {c.key for c in claims() if c.refutes}
    entries = [
        Entry("paper", p.key, p.key, p.title, f"{p.authors}; {p.source}") for p in papers_in_view().values()
    ]
    entries += [
        Entry("theorem", t.key, t.paper.key, t.title, t.source + "; refuted by a claim" * (t.key in false))
        for t in theorems().values()
    ]
    return sorted(entries, key=lambda e: (KINDS.index(e.kind), e.key))


@per_view
def entries() -> tuple[Entry, ...]:
    """All entries, by kind in the order of KINDS."""
    return tuple(sorted([*_of_papers(), *_ready()], key=lambda e: (KINDS.index(e.kind), e.key)))


@per_view
def _of_papers() -> list[Entry]:
    """All entries but the ready instances: their modules import what optimizes and fits."""
    about = [(f.key, f.title, f.source) for f in _figures_but_default().values()]
    about += [(key, sim.title, "workbench") for key, (sim, _) in default_figures().items()]
    of_figures = [Entry("figure", key, Key.of(key).paper, title, source) for key, title, source in about]
    return [*_not_drawn(), *of_figures]


def _ready() -> list[Entry]:
    return instance_entries({name: cls for name, cls in instances().items() if name.startswith(f"{READY}.")})


@per_view
def _not_drawn() -> list[Entry]:
    """All entries but the figures: their modules import the libraries for drawing."""
    entries = papers_and_theorems()
    entries += [
        Entry("lemma", x.key, x.paper.key, x.title, x.source)
        for k, x in lemmas().items()
        if k not in theorems()
    ]
    entries += [Entry("erratum", key, Key.of(key).paper, e.title, e.source) for key, e in errata().items()]
    for name, module in algorithms().items():
        paper, _, short = name.partition(".")
        title = getattr(module, "TITLE", "") or _first_line(module) or name
        # A baseline's update rule has a label: C confirmed from public source, P partly, GK general knowledge.
        title = f"{title} [{module.LABEL}]" if hasattr(module, "LABEL") else title
        source = getattr(module, "SOURCE", "") or module_name(module.__name__)
        entries.append(
            Entry("algorithm", f"{paper}/alg-{_with_dashes(short or paper)}", paper, title, source)
        )
    entries += instance_entries(_concrete(own_instances()))
    for s in simulations().values():
        method = module_name(s.algorithm)
        entries.append(Entry("experiment", s.key, Key.of(s.key).paper, s.title, f"{s.kind}; {method}"))
    return entries


def module_name(name: str) -> str:
    """As its author would write it: a paper is imported below a name of ours."""
    return name.removeprefix(f"{papers.PARENT}.")


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n")[0]


def _with_dashes(name: str) -> str:
    """CamelCase or snake_case to dashed lower case."""
    words = "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")
    return words.replace("_", "-").replace(".", "-")


def find(text: str) -> Entry:
    """The entry whose key is ``text`` or starts with it.

    Several keys may start with it if one of them is a prefix of all others; that one is found. Otherwise, and if there
    is none, raises UnknownKey, suggesting the nearest keys.
    """
    # Modules of a paper that was named by its path are all imported, so that each mistake in them is told.
    candidates = _of_papers() if papers.view().opened else _not_drawn()
    if entry := next((e for e in candidates if e.key == text), None):
        return entry
    keys = {e.key: e for e in entries()}
    if text in keys:
        return keys[text]
    starting = sorted((k for k in keys if k.startswith(text)), key=len)
    if starting and all(k.startswith(starting[0]) for k in starting):
        return keys[starting[0]]
    if starting:
        first = [k for k in starting if not any(k.startswith(f"{k2}/") for k2 in starting)]
        raise UnknownKey(f"{text!r} is not unique: {', '.join(first[:6])}{' ...' if len(first) > 6 else ''}")
    if sentences := import_failures().get(text.partition("/")[0]):
        raise UnknownKey(f"there is no {text!r}: {sentences[0]}")
    holding = sorted((k for k in keys if text.lower() in k.lower()), key=len)[:3]
    near = holding or difflib.get_close_matches(text, keys, n=3, cutoff=0.5)
    hint = f"; the nearest are {', '.join(near)}" if near else "; `workbench list` shows every key"
    raise UnknownKey(f"there is no {text!r}{hint}")


# ------------------------------------------------------------------------------------------- keys and paths


def split_path(text: str) -> tuple[Path, str] | None:
    """The folder or file that an argument of a command names, and the rest of a key in it; None for a mere key.

    An argument is a path if it looks like one (./a, ../a, /a, ~/a, a.py), or if it is the name of a folder with Python
    files that is not the beginning of a key in the tree. "./a/sim-b" is the key "sim-b" of the paper in ./a.
    """
    if not text:
        return None
    whole = Path(text)
    if (
        text.startswith(("./", "../", "/", "~"))
        or text in (".", "..")
        or ".py" in (whole.suffix, whole.parent.suffix)
    ):
        if not papers.absolute(whole).exists() and NAME.match(whole.name) and whole.parent.parts:
            return whole.parent, whole.name
        return whole, ""
    first, _, rest = text.rstrip(os.sep).partition("/")
    if any(key.startswith(first) for key in papers.standing()) or not papers.holds_code(Path(first)):
        return None
    return Path(first), rest


def _find_or_hint(text: str) -> Entry:
    """`find`, with a hint at a file or a folder of this name."""
    try:
        return find(text)
    except UnknownKey as error:
        if Path(f"{text}.py").is_file():
            raise UnknownKey(f"{error}; the file is named with its ending: {text}.py") from None
        if any(papers.holds_code(path) for path in (Path(text), Path(text).parent) if path != Path()):
            raise UnknownKey(f"{error}; the folder is named by its path: ./{text}") from None
        raise


def entries_for(keys: Iterable[str]) -> list[Entry]:
    """The entries that the arguments of a command stand for, keys and paths, in order.

    Opens the paths: with nothing but paths, the catalog then sees no other paper. Raises UnknownKey for a key that
    nothing has, and `workbench.homes.papers.NoPaper` for a path that is no paper's or cannot be looked at.
    """
    try:
        return _entries_of(list(keys))
    except OSError as error:  # a name that is too long, a folder of somebody else
        name = str(error.filename or "")
        short_name = name if len(name) <= 80 else f"{name[:80]}..."
        raise papers.NoPaper(f"{short_name!r} cannot be looked at: {error.strerror or error}") from None


def _each_file(text: str) -> list[str]:
    """The argument, or those of each paper where it is a folder of papers of one file each."""
    return [
        f"./{file}" if not file.is_absolute() else str(file) for file in papers.single_files(Path(text))
    ] or [text]


def _entries_of(arguments: list[str]) -> list[Entry]:
    texts = [text for argument in arguments for text in _each_file(argument)]
    split = [split_path(text) for text in texts]
    if opened := [address[0] for address in split if address is not None]:
        own = {papers.home_at(path).key for path in opened}
        tree = any(f is None and Key.of(t).paper not in own for t, f in zip(texts, split, strict=True))
        papers.look(tree, opened)
    entries = []
    for text, address in zip(texts, split, strict=True):
        if address is None:
            entries.append(_find_or_hint(text))
        else:
            key = papers.home_at(address[0]).key
            entries.append(find(f"{key}/{address[1]}" if address[1] else key))
    return entries

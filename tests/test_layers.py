"""Rooms: the folders of the library, in the order in which they stand in the docstring of `workbench`.

A room imports rooms above itself in that list, and papers import the library; nothing imports the other way, not in
the body of a function either, since imports are read from the source. The names that `workbench/__init__.py` loads
on demand stand in it as strings and are no arrows: that door is for papers, no room may go through it, and so what
lies behind it can close no circle. So are the public modules beside it, which are other names of modules. A public name
in a paper is an arrow to the module that defines it. The other imports of the door and of `__main__` count: both are
the last room, the face.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable
from functools import cache, partial
from pathlib import Path

import pytest

from workbench.homes.on_demand import behind_doors

ROOT = Path(__file__).parent.parent
LONGEST = 60  # lines of a function
PARENT = "workbench.theorems"
COMPETITORS = f"{PARENT}.baselines"
FACE = "face"
FEWEST, ARROWS, FLOORS = 10, 50, 10

# Which libraries a room, a file of it, or a part of a paper may import; the longest matching prefix counts.
OUTSIDE = {
    "homes": "threadpoolctl",
    "theory": "sympy mpmath flint",
    "theory.numeric_code": "numpy sympy",
    "arrays": "numpy numba llvmlite",
    "engine": "numpy llvmlite cupy cuda",
    "problems": "numpy scipy sklearn",
    "evidence": "numpy scipy",
    "claims": "numpy scipy sympy",
    "claims.optimizers": "numpy",  # libraries of optimizers are named as texts, and imported where one is used
    "run": "numpy",
    "run.connection": "dask dask_jobqueue distributed",
    "run.cluster": "numpy distributed",
    "run.installation": "cupy",
    "run.remote": "numpy distributed",
    "run.store": "numpy h5py",
    "ledger": "numpy scipy sympy",
    "ledger.unicode_text": "pylatexenc",
    "ledger.worst_case": "numpy scipy sympy clarabel",
    "verdicts": "",
    "verdicts.calibration": "numpy scipy",
    "verdicts.studies": "numpy scipy",
    "verdicts.verdict_cache": "numpy",
    "report": "jinja2 markupsafe latex2mathml matplotlib networkx igraph numpy scipy sympy rich",
    "report.drawing": "numpy scipy matplotlib",
    "report.judging": "numpy scipy h5py matplotlib pandas",
    "cli": "rich typer",  # commands parse and print; what they say is computed elsewhere
    "cli.contracts": "numpy",
    "cli.instance_list": "numpy",
    "theorems.theory": "sympy",
    "theorems.methods": "",
    "theorems.problems": "numpy scipy sklearn",
    "theorems.probes": "numpy sympy",
    "theorems.experiments": "numpy sympy",
    "theorems.figures": "numpy scipy sympy matplotlib",
    "theorems.baselines": "sympy",
}
# Files with a list of their own: what they may import of the workbench, and of libraries. The last ones re-check
# certificates; they need the standard library only, and solvers for what solvers have proved.
NARROW = {
    "arrays.maths": ("", ""),
    "arrays.meter": ("", ""),
    "arrays.noise": ("", ""),
    "arrays.patch": ("", ""),
    "arrays.ops": ("arrays.maths arrays.meter arrays.patch", ""),
    "engine.records": ("arrays", "numpy"),
    "cli.app": ("cli", ""),
    "cli.commands": ("cli.usage", "typer"),
    "cli.guard": ("homes.memory", ""),
    "cli.answers": ("homes", ""),  # what is loaded before it is known whether anything else has to be
    "__main__": ("cli.answers cli.commands cli.guard homes.threads", ""),
    "ledger.trees": ("", ""),
    "ledger.intervals": ("ledger.trees", ""),
    "ledger.algebra": ("ledger.intervals ledger.trees", ""),
    "ledger.parser": ("ledger.trees", ""),
    "ledger.printer": ("ledger.parser ledger.trees", ""),
    "ledger.confined": ("", ""),
    "ledger.certificate": (
        "ledger.algebra ledger.calculus ledger.confined ledger.intervals ledger.printer ledger.solvers ledger.trees"
        " ledger.worst_cases",
        "",
    ),
    "ledger.calculus": ("ledger.algebra ledger.intervals ledger.trees", ""),
    "ledger.balls": ("ledger.trees", ""),
    "ledger.quadratics": ("ledger.balls ledger.trees", ""),
    "ledger.worst_cases": ("ledger.balls ledger.quadratics ledger.trees", ""),
    "ledger.solvers": ("ledger.trees", "z3"),
    "ledger.cvc5_worker": ("", "cvc5"),
    "ledger.enclosure": ("ledger.trees", "flint"),
}
# What a part of a shipped paper may import: rooms, parts of the same paper, and competitors.
PARTS = {
    "theory": "theory own.theory",
    "methods": "arrays.ops claims.method own.methods baselines",
    "problems": "arrays problems own.problems own.theory",
    "probes": "theory arrays engine.records claims own.theory own.methods own.probes baselines",
    "experiments": "theory arrays engine.records problems evidence claims ledger"
    " own.theory own.methods own.problems own.probes own.experiments baselines",
    "figures": "theory engine.records evidence claims ledger report.drawing own.theory own.experiments own.figures",
    "baselines": "theory arrays.ops claims.method baselines",
}
SIMULATING = [f"workbench.engine.{n}" for n in ("choice", "eager", "fused")]
SIMULATING += [f"workbench.run.{n}" for n in ("jobs", "pool", "replay")]
STEP = re.compile(r"^def step\(", re.MULTILINE)

Graph = dict[str, set[str]]


def inside(name: str, places: Iterable[str]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)


def files(root: Path) -> dict[str, Path]:
    """Module name -> file, for the library and the papers."""
    found = {}
    for top, package in (("workbench", "workbench"), ("theorems", PARENT)):
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root / top).with_suffix("").parts
            found[".".join([package, *parts]).removesuffix(".__init__")] = path
    return found


def imports(module: str, path: Path, known: Collection[str]) -> set[str]:
    """Names imported anywhere in a file; ``from package import module`` counts as the module."""
    out = set()
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    tree = ast.parse(path.read_text())
    if room(module) == FACE and any(
        isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in tree.body
    ):
        return out  # another name of a module: a door, as the names in the stub of `workbench` are
    doors: set[str | None] = set()  # names of the whole library in a paper
    if inside(module, [PARENT]):
        whole = (alias for n in tree.body if isinstance(n, ast.Import) for alias in n.names)
        doors = {alias.asname for alias in whole if alias.name == "workbench" and alias.asname}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names if alias.asname not in doors}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in doors:
            out.add(defined(f"workbench.{node.attr}", known))
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                name = f"{base}.{alias.name}"
                out.add(defined(name, known) if inside(module, [PARENT]) else whole_or_parent(name, known))
    return out


def defined(name: str, known: Collection[str]) -> str:
    """The module that defines a public name, or is it."""
    return whole_or_parent(behind_doors(name), known)


def whole_or_parent(name: str, known: Collection[str]) -> str:
    """The name, if it is a module or the folder of some, else the module that it is in."""
    return name if name in known else name.rpartition(".")[0]


def graph_of(root: Path) -> Graph:
    paths = files(root)
    parents = {name.rsplit(".", n)[0] for name in paths for n in range(1, name.count(".") + 1)}
    return {module: imports(module, path, {*paths, *parents}) for module, path in paths.items()}


@cache
def whole() -> Graph:
    return graph_of(ROOT)


def listed(root: Path) -> list[str]:
    """The rooms in the docstring of `workbench`: lines of four spaces, a name, and what it is for."""
    text = ast.get_docstring(ast.parse((root / "workbench/__init__.py").read_text()), clean=False) or ""
    return re.findall(r"^    (\w+)  +\S", text, re.MULTILINE)


def folders(root: Path) -> set[str]:
    return {path.relative_to(root).parts[1] for path in (root / "workbench").glob("*/**/*.py")}


def room(module: str) -> str:
    """The room of a module of the library, `FACE` for files in no room, "theorems" for all of the papers'."""
    parts = module.split(".")
    alone = len(parts) == 1 or (ROOT / "workbench" / f"{parts[1]}.py").is_file()
    return FACE if alone else parts[1]


def arrows(graph: Graph) -> set[tuple[str, str]]:
    """(from, to) for the rooms of the library."""
    ends = {(room(m), room(n)) for m, names in graph.items() for n in names if inside(n, ["workbench"])}
    return {(a, b) for a, b in ends if a != b and a != "theorems"}


def backward(graph: Graph, order: list[str]) -> list[str]:
    """Arrows to a room that stands further below; a paper and the face stand below all rooms."""
    floor = {name: i for i, name in enumerate([*order, FACE])}
    return sorted(f"{a} -> {b}" for a, b in arrows(graph) if floor.get(b, 99) > floor.get(a, 99))


def floors(graph: Graph) -> int:
    """The number of rooms on the longest way along arrows, which make no circle."""
    ways = arrows(graph)

    def below(start: str) -> int:
        return 1 + max((below(b) for a, b in ways if a == start), default=0)

    return max(below(a) for a, _ in ways)


def cycle(graph: Graph) -> list[str] | None:
    """One circle of imports between files, or None."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str] | None:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return None
        for name in sorted(graph[module] & graph.keys()):
            if found := visit(name, [*path, module]):
                return found
        done.add(module)
        return None

    return next(filter(None, map(partial(visit, path=[]), graph)), None)


def longest(table: Iterable[str], name: str) -> str | None:
    return max((key for key in table if inside(name, [key])), key=len, default=None)


def place(module: str) -> str:
    """A module as the tables name it: "ledger.trees", "theorems.methods.ir_scg", "theorems.baselines.sgda"."""
    if inside(module, [PARENT]) and not inside(module, [COMPETITORS]):
        return ".".join(["theorems", *module.split(".")[3:]])
    return module.removeprefix("workbench.")


def may_import(module: str) -> list[str] | None:
    """Which modules of the workbench a file may import, by prefix; None if the order of the rooms alone decides."""
    if not inside(module, [PARENT]):
        own = NARROW.get(place(module))
        return None if own is None else [f"workbench.{name}" for name in own[0].split()]
    key, part = ".".join(module.split(".")[:3]), place(module).split(".")[1]
    named = [name.replace("own.", f"theorems.{key.split('.')[2]}.") for name in PARTS.get(part, "").split()]
    return [COMPETITORS if name == "baselines" else f"workbench.{name}" for name in named]


def offences(graph: Graph) -> list[str]:
    """Every import that its file may not have, as "importer -> imported". The order of rooms is `backward`."""
    found = []
    for module, names in graph.items():
        own, narrow = may_import(module), NARROW.get(place(module))
        libraries = narrow[1] if narrow else OUTSIDE.get(longest(OUTSIDE, place(module)) or "", "")
        free = set(sys.stdlib_module_names)
        if inside(place(module), ["theorems.methods", "theorems.baselines"]):
            free = {"typing", "collections", "__future__"}
        for name in names:
            top = name.split(".")[0]
            wrong = top not in free and top not in libraries.split()
            if top == "workbench":
                wrong = inside(name, [PARENT]) and not inside(module, [PARENT])
                wrong |= own is not None and not inside(name, own)
            if wrong:
                found.append(f"{module} -> {name}")
    return sorted(found)


def borrowed(root: Path, graph: Graph) -> list[str]:
    """Methods that import a method. What several of them share has no step, and may be imported."""
    steps = {m for m, path in files(root).items() if inside(m, [PARENT]) and STEP.search(path.read_text())}
    shared = {m for m in files(root) if inside(place(m), ["theorems.methods", "theorems.baselines"])}
    return sorted(f"{m} -> {n}" for m in shared for n in graph[m] & steps)


def reached(graph: Graph, start: str) -> set[str]:
    """All modules that importing ``start`` can load, the packages around them included, the face excluded."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        module = todo.pop()
        if module in graph and module not in seen and module != "workbench":
            seen.add(module)
            todo += [*graph[module], module.rpartition(".")[0]]
    return seen


def drawing(graph: Graph) -> list[str]:
    return [
        m for m in graph if inside(m, ["workbench.report.drawing"]) or inside(place(m), ["theorems.figures"])
    ]


def from_drawing(graph: Graph) -> list[str]:
    """Modules of figures that can reach what simulates, though through a third module: what is drawn was stored."""
    return [m for m in drawing(graph) if any(inside(n, SIMULATING) for n in reached(graph, m))]


def from_theory(graph: Graph) -> list[str]:
    """Modules of formulas that can reach more than formulas, and places of papers."""
    formulas = [m for m in graph if inside(place(m), ["theory", "theorems.theory"])]
    right = [*formulas, "workbench.homes"]
    return [m for m in formulas if not all(inside(n, right) for n in reached(graph, m))]


def naming(paths: Iterable[Path], keys: Iterable[str]) -> list[str]:
    """Files that name a paper, as "file: key"."""
    words = {path: path.read_text() for path in paths}
    return [f"{path.name}: {key}" for path, text in words.items() for key in keys if key in text]


def papers() -> list[str]:
    return sorted(p.name for p in (ROOT / "theorems").iterdir() if (p / "plan.json").is_file())


# --------------------------------------------------------------------------------------------------- as they are


def test_the_list_of_rooms_is_the_folders() -> None:
    assert len(listed(ROOT)) >= FEWEST
    assert sorted(listed(ROOT)) == sorted(folders(ROOT))


def test_rooms_import_only_what_stands_above_them() -> None:
    assert backward(whole(), listed(ROOT)) == []
    assert FEWEST < len(arrows(whole())) <= ARROWS
    assert floors(whole()) <= FLOORS


def test_there_is_no_cycle_between_files() -> None:
    assert cycle(whole()) is None


def test_every_file_imports_what_it_may() -> None:
    assert offences(whole()) == []
    assert not [name for name in NARROW if f"workbench.{name}" not in whole()]
    assert borrowed(ROOT, whole()) == []


def test_figures_cannot_simulate_and_formulas_reach_no_array() -> None:
    assert len(drawing(whole())) > 20
    assert from_drawing(whole()) == []
    assert from_theory(whole()) == []


def long_functions(text: str) -> dict[str, int]:
    """Functions of more than `LONGEST` lines, the docstring not counted."""
    functions = (
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lengths = {}
    for function in functions:
        first = function.body[0]
        doc = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) else 0
        lengths[function.name] = (function.end_lineno or 0) - function.lineno + 1 - doc
    return {name: length for name, length in lengths.items() if length > LONGEST}


def test_no_function_is_longer_than_a_page() -> None:
    """A signature counts: a command declares its options as types above it."""
    files = [path for top in ("workbench", "theorems") for path in (ROOT / top).rglob("*.py")]
    assert {
        path.name: long for path in files if (long := long_functions(path.read_text(encoding="utf-8")))
    } == {}
    page = "def f():\n    '''What\n    it does.'''\n" + "    x = 1\n" * (LONGEST - 1)
    assert not long_functions(page)
    assert long_functions(page + "    x = 1\n") == {"f": LONGEST + 1}


def test_no_generic_file_names_a_paper() -> None:
    """A paper is added without editing one of them, and leaves none behind when it goes.

    (Each competitor says in which paper's text its settings are printed.)
    """
    tests, races = (ROOT / name for name in ("tests", "benchmarks"))
    generic = [
        *(ROOT / "workbench").rglob("*.py"),
        *tests.glob("*.py"),
        *races.glob("*.py"),
        ROOT / "Makefile",
    ]
    assert len(papers()) == 5
    assert naming([p for p in generic if p.stem not in papers()], papers()) == []


# ------------------------------------------------------------------------------------------- negative controls

RIGHT = {
    "workbench/__init__.py": '"""Rooms:\n\n    theory  records\n    engine  steps\n    run     results\n"""',
    "workbench/theory/vocabulary.py": "import sympy",
    "workbench/engine/eager.py": "import numpy",
    "workbench/engine/records.py": "import sys",
    "workbench/run/catalog.py": "import json\ndef f():\n    from workbench.theory import vocabulary",
    "theorems/p/theory/a.py": "import sympy\nfrom workbench.theory import vocabulary",
    "theorems/p/methods/parts.py": "from typing import Any",
    "theorems/p/methods/a.py": "from .parts import half\nfrom ...baselines.window import State\ndef step(s): ...",
    "theorems/p/experiments/a.py": "import numpy\nfrom ..methods import a\nfrom ..theory.a import RATE",
    "theorems/p/probes/a.py": "import workbench as wb\nGRID = wb.Grid",
    "theorems/p/figures/a.py": "import matplotlib\nfrom ..experiments import a",
    "theorems/baselines/window.py": "from typing import Any",
}
Q = "theorems/q/methods/c.py"  # another paper
WRONG = {  # file -> its content, and which check must find it
    "workbench/theory/b.py": ("from ..run import catalog", "backward theory"),
    "workbench/engine/b.py": ("def f():\n    from workbench.run import catalog", "backward"),
    "workbench/run/b.py": ("import workbench as wb", "backward"),
    "workbench/run/c.py": ("from workbench.theorems.p.theory.a import RATE", "backward offences"),
    "workbench/engine/c.py": ("import scipy", "offences"),
    "workbench/theory/c.py": ("import numpy as np", "offences"),
    "workbench/ledger/certificate.py": ("from workbench.theory import vocabulary", "offences"),
    "workbench/cli/guard.py": ("import typer", "offences"),
    "workbench/report/drawing/b.py": ("from workbench.engine.eager import simulate", "drawing"),
    "theorems/p/theory/b.py": ("from workbench.engine import eager", "offences theory"),
    "theorems/p/theory/c.py": ("import workbench as wb\nrun = wb.simulate", "offences"),
    "theorems/p/methods/b.py": ("from .a import State\ndef step(s): ...", "borrowed"),
    "theorems/p/methods/d.py": ("import math", "offences"),
    "theorems/p/problems/b.py": ("from ..methods import a", "offences"),
    "theorems/p/experiments/b.py": ("from workbench.engine.eager import simulate", "offences"),
    "theorems/p/figures/b.py": ("from workbench.run.pool import run", "offences"),
    "theorems/baselines/b.py": ("from ..p.methods.parts import half", "offences"),
    Q: ("from ...p.methods.parts import half", "offences"),
}


def tree(root: Path, texts: dict[str, str]) -> dict[str, object]:
    """What every check finds in a small tree."""
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    graph = graph_of(root)
    return {
        "backward": backward(graph, listed(root)),
        "offences": offences(graph),
        "borrowed": borrowed(root, graph),
        "drawing": from_drawing(graph),
        "theory": from_theory(graph),
        "cycle": cycle(graph),
    }


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_import_is_found(name: str, tmp_path: Path) -> None:
    assert not any(tree(tmp_path, RIGHT).values())
    text, by = WRONG[name]
    assert {check for check, found in tree(tmp_path, {name: text}).items() if found} == set(by.split())


def test_a_detour_a_cycle_and_a_new_room_are_found(tmp_path: Path) -> None:
    detour = {
        "workbench/run/catalog.py": "def f():\n    from workbench.engine.eager import simulate",
        "workbench/report/drawing/b.py": "from workbench.run import catalog",
    }
    found = tree(tmp_path, {**RIGHT, **detour})
    assert found["drawing"] == ["workbench.report.drawing.b"]
    assert not found["offences"]
    circle = {"workbench/run/a.py": "from . import b", "workbench/run/b.py": "def f():\n    from .a import g"}
    assert tree(tmp_path, circle)["cycle"]
    graph = graph_of(tmp_path)
    assert floors(graph) == 3
    assert arrows(graph) == {("run", "engine"), ("report", "run")}
    assert set(listed(tmp_path)) == {"theory", "engine", "run"} == folders(tmp_path) - {"report"}
    (tmp_path / "wrong.py").write_text('SIM = "p/sim-1"')
    assert naming([tmp_path / "wrong.py"], ["p/"]) == ["wrong.py: p/"]

"""The import direction: which room may import which, no cycle, nothing imports the command line.

Imports are read from the source (function bodies included, so a late import is no way round). Theorems know no arrays,
algorithms no constants, instances no algorithm, and figures cannot simulate, not even through a third module.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOP = ("theorems", "workbench", "figures")

# Room -> (own rooms it may import, outside packages). The longest matching prefix counts. The standard library is free
# to all but algorithms. No paper is named: what a paper's own package needs, its room may need.
ARRAYS = {"workbench.arrays"}
ALLOWED: dict[str, tuple[set[str], set[str]]] = {
    "theorems": ({"theorems"}, {"sympy", "mpmath"}),
    "workbench.arrays": (ARRAYS, {"numpy", "numba", "llvmlite"}),
    "workbench.arrays.maths": (set(), set()),
    "workbench.arrays.meter": (set(), set()),
    "workbench.arrays.ops": ({f"workbench.arrays.{name}" for name in ("maths", "meter", "patch")}, set()),
    "workbench.arrays.patch": (set(), set()),
    "workbench.arrays.noise": (set(), set()),
    "workbench.engine": (
        {"workbench.homes.disk", "workbench.engine", "workbench.homes.garbage"} | ARRAYS,
        {"numpy", "numba", "llvmlite", "cupy", "cuda"},
    ),
    "workbench.engine.records": (ARRAYS, {"numpy"}),
    "workbench.algorithms": ({"workbench.algorithms", "workbench.arrays.ops"}, set()),
    "workbench.problems": ({"workbench.problems"} | ARRAYS, {"numpy", "scipy", "sklearn"}),
    "workbench.claims.probes": (
        {"theorems", "workbench.algorithms", "workbench.engine.records", "workbench.claims.probes"} | ARRAYS,
        {"numpy", "scipy", "sympy"},
    ),
    "workbench.evidence": ({"workbench.evidence"}, {"numpy", "scipy"}),
    "workbench.ledger.corpus": (
        {"theorems", "workbench.evidence.calibration", "workbench.evidence", "workbench.ledger"},
        {"sympy", "mpmath"},
    ),
    "workbench.evidence.calibration": (
        {"workbench.evidence.calibration", "workbench.engine.marks", "workbench.evidence"},
        {"numpy"},
    ),
    "workbench.claims": (
        {"theorems", "workbench.algorithms", "workbench.engine.records", "workbench.evidence"}
        | {"workbench.claims", "workbench.problems", "workbench.homes.papers"}
        | ARRAYS,
        {"numpy", "scipy", "sympy"},
    ),
    "workbench.ledger": (
        {"theorems", "workbench.arrays.random", "workbench.engine.records", "workbench.evidence"}
        | {
            "workbench.homes.disk",
            "workbench.claims.claims",
            "workbench.claims.first_draws",
            "workbench.claims.records",
            "workbench.claims.usable_rows",
            "workbench.claims.waterfalls",
            "workbench.ledger",
            "workbench.claims.probes",
            "workbench.run.processes",
        },
        {"numpy", "scipy", "sympy", "flint"},
    ),
    # What re-checks a certificate needs the standard library only, and solvers for what solvers have proved.
    "workbench.ledger.trees": (set(), set()),
    "workbench.ledger.intervals": ({"workbench.ledger.trees"}, set()),
    "workbench.ledger.algebra": ({"workbench.ledger.intervals", "workbench.ledger.trees"}, set()),
    "workbench.ledger.certificate": (
        {f"workbench.ledger.{name}" for name in ("algebra", "intervals", "solvers", "trees")},
        set(),
    ),
    "workbench.ledger.solvers": ({"workbench.ledger.trees"}, {"z3"}),
    "workbench.ledger.cvc5_worker": (set(), {"cvc5"}),
    "workbench.ledger.enclosure": ({"workbench.ledger.trees"}, {"flint"}),
    "workbench.ledger.unicode_text": ({"workbench.theory.sentences"}, {"pylatexenc"}),
    "workbench.homes.disk": (set(), set()),
    "workbench.homes.memory": (set(), set()),
    "workbench.homes.threads": (set(), {"threadpoolctl"}),
    "workbench.homes.garbage": (set(), set()),
    "workbench.verdicts.studies": (
        {
            "workbench.run.catalog",
            "workbench.engine",
            "workbench.evidence",
            "workbench.claims",
            "workbench.ledger",
        }
        | {"workbench.run", "workbench.run.store", "workbench.verdicts.studies", "workbench.verdicts.verify"}
        | ARRAYS,
        {"numpy", "scipy"},
    ),
    # Commands parse and print; what they say is computed elsewhere.
    "workbench.cli": (
        {
            "workbench.evidence.calibration",
            "workbench.run.catalog",
            "workbench.cli.contracts",
            "workbench.report.doctor",
            "workbench.ledger",
        }
        | {
            "workbench.homes.papers",
            "workbench.report",
            "workbench.run",
            "workbench.cli.scaffold",
            "workbench.run.store",
        }
        | {"workbench.arrays.backends", "workbench.cli", "workbench.homes.disk"}
        | {"workbench.claims.families", "workbench.claims.plan"}  # their mistakes
        | {"workbench.verdicts.verdict_cache", "workbench.verdicts.studies", "workbench.verdicts.verify"},
        {"rich", "typer"},
    ),
    "workbench.cli.entry_cache": (
        {"workbench.run.catalog", "workbench.homes.disk", "workbench.homes.papers"},
        set(),
    ),
    "workbench.cli.instance_list": ({"workbench.run.catalog", "workbench.homes.papers"}, {"numpy"}),
    "workbench.cli.guard": ({"workbench.homes.memory"}, set()),
    "workbench.cli.app": ({"workbench.cli"}, {"typer"}),
    "workbench.__main__": ({"workbench.cli.app", "workbench.cli.guard", "workbench.homes.threads"}, set()),
    "figures": (
        {"figures", "theorems", "workbench.run.catalog", "workbench.engine.records", "workbench.evidence"}
        | {"workbench.homes.disk", "workbench.claims", "workbench.ledger"},
        {"numpy", "scipy", "sympy", "matplotlib", "seaborn", "pandas"},
    ),
}
# Rooms without a line above: anything but these. Algorithms, instances and experiments are found by name; nothing but
# the command line needs what is studied beyond a verdict.
ELSEWHERE = {
    "workbench.algorithms",
    "workbench.problems",
    "workbench.cli.app",
    "workbench.cli",
    "workbench.verdicts.studies",
}
DRAWS = ("workbench.report",)  # these may import the figures
SIMULATING = (
    *(f"workbench.engine.{name}" for name in ("choice", "eager", "fused")),
    *(f"workbench.run.{name}" for name in ("jobs", "pool", "replay")),
)
METHODS, BEGINS = "workbench.algorithms", "def step("  # a module with a step is a method
ONLY_TYPING = {METHODS: {"typing", "__future__", "collections"}}


def inside(name: str, rooms) -> bool:
    return any(name == room or name.startswith(room + ".") for room in rooms)


def sources(root: Path) -> dict[str, Path]:
    """Module name -> file, for everything below the three top-level packages."""
    found = {}
    for top in TOP:
        for path in sorted((root / top).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(module: str, path: Path, known) -> set[str]:
    """Names imported anywhere in a file; ``from package import module`` counts as the module."""
    out = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:  # relative: climb from the package that holds the file
                package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            out |= {f"{base}.{a.name}" if f"{base}.{a.name}" in known else base for a in node.names}
    return out


def graph_of(root: Path) -> dict[str, set[str]]:
    known = sources(root)
    return {module: imports(module, path, known) for module, path in known.items()}


def methods(root: Path) -> set[str]:
    """Modules that hold a step. What several of them share has none, and may be imported."""
    found = {module: path for module, path in sources(root).items() if inside(module, [METHODS])}
    return {module for module, path in found.items() if BEGINS in path.read_text()}


def borrowed(root: Path) -> list[str]:
    """Methods that import a method, as "importer -> imported"."""
    graph, known = graph_of(root), methods(root)
    return sorted(
        f"{module} -> {name}"
        for module in graph
        if inside(module, [METHODS])
        for name in graph[module] & known
    )


def offences(graph: dict[str, set[str]]) -> list[str]:
    """Every import in a wrong direction, as "importer -> imported"."""
    found = []
    for module, imported in graph.items():
        rooms = [room for room in ALLOWED if inside(module, [room])]
        own, outside = ALLOWED[max(rooms, key=len)] if rooms else (None, None)
        standard = set(sys.stdlib_module_names) | {"__future__"}
        for room, only in ONLY_TYPING.items():
            standard = only if inside(module, [room]) else standard
        for name in imported:
            if inside(name, TOP):
                if own is not None:
                    right = inside(name, own)
                else:
                    right = not inside(name, ELSEWHERE) and (
                        not inside(name, ["figures"]) or inside(module, DRAWS)
                    )
                right &= name != "workbench.cli.app" or module == "workbench.__main__"
            else:
                top = name.split(".")[0]
                right = top in standard or outside is None or top in outside
            if not right:
                found.append(f"{module} -> {name}")
    return sorted(found)


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """All modules that importing ``start`` can load."""
    seen, todo = set(), [start]
    while todo:
        module = todo.pop()
        if module not in seen:
            seen.add(module)
            todo.extend(n for n in graph.get(module, ()) if n in graph)
    return seen


def cycle(graph: dict[str, set[str]]) -> list[str] | None:
    """One cycle of imports, or None. An ``__init__`` that re-exports is an edge to its own modules only."""
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

    for module in graph:
        if found := visit(module, []):
            return found
    return None


@cache
def imported() -> dict[str, set[str]]:
    """Read by whoever tests it, not by each worker that collects tests."""
    return graph_of(ROOT)


PAPERS = sorted(path.parent.name for path in ROOT.glob("theorems/*/__init__.py"))
COMPETITORS = "theorems/baselines/"  # each says in which paper's text its settings are printed


def generic(root: Path) -> list[Path]:
    """What belongs to no paper: the tests' own level, every package but the papers', the figures' and benchmarks'
    roots."""
    below = [p for top in TOP for p in (root / top).rglob("*.py")]
    found = [*below, *root.glob("tests/*.py"), *root.glob("benchmarks/*.py"), root / "Makefile"]
    inside_a_paper = {p for p in found if set(PAPERS) & {*p.relative_to(root).parent.parts, p.stem}}
    return [p for p in found if p not in inside_a_paper and COMPETITORS not in p.as_posix()]


def named(files: list[Path]) -> list[str]:
    """Papers' keys in these files, as "file: key"."""
    texts = {path: path.read_text() for path in files}
    return [f"{path}: {key}" for path, text in texts.items() for key in PAPERS if key in text]


def test_no_generic_file_names_a_paper(tmp_path):
    """A paper is added without editing one of them, and leaves none behind when it goes."""
    assert len(PAPERS) > 1
    assert len(generic(ROOT)) > 100
    assert named(generic(ROOT)) == []
    (tmp_path / "wrong.py").write_text(f'SIM = "{PAPERS[0]}/sim-1"')
    assert named([tmp_path / "wrong.py"]) == [f"{tmp_path / 'wrong.py'}: {PAPERS[0]}"]


def test_every_import_goes_the_right_way():
    assert len(imported()) > 30
    assert offences(imported()) == []


def test_a_method_imports_no_other_method():
    assert methods(ROOT)
    assert borrowed(ROOT) == []


def test_there_is_no_cycle():
    assert cycle(imported()) is None


def test_figures_cannot_simulate():
    """Not even through another module: what a figure draws was stored before.

    (An experiment's settings may be read; it holds instances, and no engine to run them with.)
    """
    drawing = [m for m in imported() if inside(m, ["figures"])]
    assert len(drawing) > 10
    assert not {
        m: found for m in drawing if (found := [r for r in reached(imported(), m) if inside(r, SIMULATING)])
    }


def test_theorems_reach_no_array():
    formulas = [m for m in imported() if inside(m, ["theorems"])]
    assert len(formulas) > 10
    assert not {m: r for m in formulas for r in reached(imported(), m) if not inside(r, ["theorems"])}


# ------------------------------------------------------------------------------------- negative controls

WRONG = {
    "theorems/x.py": "import numpy as np",
    "theorems/y.py": "from workbench.engine.records import Result",
    "workbench/algorithms/p/a.py": "import numpy",
    "workbench/algorithms/p/b.py": "from workbench.problems.p import thing",
    "workbench/algorithms/p/c.py": "import math",
    "workbench/algorithms/p/d.py": "from ...engine.eager import State",
    "workbench/problems/p.py": "from workbench.algorithms.p.a import Steps",
    "workbench/problems/q.py": "from workbench.theory.vocabulary import L",
    "workbench/engine/fast.py": "def f():\n    from workbench.problems import p",
    "workbench/arrays/ops.py": "import numpy",
    "workbench/ledger/certificate.py": "from workbench.ledger import boxes",
    "workbench/ledger/linear.py": "from workbench.engine import eager",
    "workbench/arrays/noise.py": "from workbench.arrays.random import Draws",
    "workbench/run/store/results.py": "from workbench import cli",
    "workbench/run/store/format.py": "from workbench.cli import console",
    "workbench/verdicts/verify.py": "from workbench.verdicts.studies import planner",
    "workbench/verdicts/studies/planner.py": "from workbench.report import pages",
    "workbench/cli/check.py": "import numpy",
    "workbench/cli/guard.py": "import typer",
    "workbench/run/catalog.py": "import workbench.algorithms.p.a",
    "workbench/claims/p.py": "from workbench.engine.eager import simulate",
    "figures/p.py": "from workbench.engine.eager import simulate",
    "figures/q.py": "from workbench.run.pool import run",
}


def tree(tmp_path: Path, files: dict[str, str]) -> dict[str, set[str]]:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return graph_of(tmp_path)


@pytest.mark.parametrize("name", WRONG)
def test_a_forbidden_import_is_flagged(name, tmp_path):
    right = {
        "workbench/theory/vocabulary.py": "import sympy",
        "workbench/cli/app.py": "import typer, workbench.cli.report",
        "workbench/cli/report.py": "import typer, workbench.run.store.results, workbench.report.pages",
        "workbench/report/pages.py": "import workbench.report.drawing.draw, jinja2",
        "workbench/report/drawing/draw.py": "import matplotlib",
        "workbench/ledger/boxes.py": "import flint",
        "workbench/algorithms/p/e.py": "from typing import Any\nfrom workbench.arrays.ops import sq",
    }
    assert offences(tree(tmp_path, right)) == []
    found = offences(tree(tmp_path, {**right, name: WRONG[name]}))
    module = name.removesuffix(".py").replace("/", ".")
    assert [f.split(" -> ")[0] for f in found] == [module]


def test_a_borrowed_step_is_found(tmp_path):
    files = {
        "workbench/algorithms/p/a.py": "def step(s, t, c, oracle, draw, xp): ...",
        "workbench/algorithms/p/b.py": "from .a import State\ndef step(s, t, c, oracle, draw, xp): ...",
        "workbench/algorithms/p/c.py": "from .parts import half\ndef step(s, t, c, oracle, draw, xp): ...",
        "workbench/algorithms/p/parts.py": "def half(x): ...",
    }
    tree(tmp_path, files)
    assert borrowed(tmp_path) == ["workbench.algorithms.p.b -> workbench.algorithms.p.a"]


def test_a_cycle_is_found(tmp_path):
    files = {
        "workbench/a.py": "from workbench import b",
        "workbench/b.py": "def f():\n    import workbench.c",
        "workbench/c.py": "from .a import thing",
    }
    found = cycle(tree(tmp_path, files))
    assert found is not None
    assert set(found) == {"workbench.a", "workbench.b", "workbench.c"}
    assert cycle(tree(tmp_path, {"workbench/c.py": "import json"})) is None


def test_a_detour_to_the_engine_is_found(tmp_path):
    files = {
        "figures/p.py": "from workbench import catalog",
        "workbench/run/catalog.py": "def f():\n    from workbench.engine.eager import simulate",
        "workbench/engine/eager.py": "import numpy",
    }
    graph = tree(tmp_path, files)
    assert offences(graph) == []  # each step alone is legal
    assert [m for m in reached(graph, "figures.p") if inside(m, SIMULATING)] == ["workbench.engine.eager"]

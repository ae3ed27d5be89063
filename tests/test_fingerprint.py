"""Hashes of code and data: what must change them, and what must not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_method import Quadratic, Quartic, Steps

from workbench.arrays.noise import Gaussian, Sphere
from workbench.claims.records import Batch, Mutation, Simulation
from workbench.engine.records import Grid
from workbench.homes import papers
from workbench.run.store import sources
from workbench.run.store.content import BITS, content_hash, without_last_bits
from workbench.run.store.fingerprint import authored_key, simulation_key
from workbench.run.store.sources import Project, code_hash

SOURCES = {
    "house/__init__.py": '"""Package."""\n',
    "house/main.py": '''
        """Docstring."""
        from __future__ import annotations
        import math
        from house import tools
        from house.rooms import table as desk
        TITLE = "a title"
        LIMIT = 3

        def step(x):
            """What it does."""
            y = tools.used(x)  # line 3
            return desk.lay(y) + math.sqrt(x) * LIMIT
    ''',
    "house/tools.py": """
        import math
        from .deep import factor
        SCALE = 2.0
        OTHER = 5
        def used(x): return helper(x) * SCALE
        def helper(x): return factor(x)
        def unrelated(x): return OTHER
    """,
    "house/deep.py": "def factor(x): return x\ndef lonely(x): return x\n",
    "house/rooms/__init__.py": "from house.rooms import table\nSETUP = [1]\n",
    "house/rooms/table.py": """
        class Table:
            legs = 4
        def lay(y): return Table.legs * y
        def fold(y): return y
    """,
}
STEP = "house.main:step"


def write(folder: Path, **changes: Any) -> Project:
    """The fake package below ``folder``, after ``file=(old, new)`` replacements; a file is named by its stem."""
    for name, text in SOURCES.items():
        lines = text.split("\n")
        indent = 8 if text.startswith("\n  ") else 0
        source = "\n".join(line[indent:] for line in lines)
        stem = Path(name).stem if Path(name).stem != "__init__" else Path(name).parent.name
        if stem in changes:
            old, new = changes[stem]
            assert old in source
            source = source.replace(old, new)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return Project(folder, ["house"])


def hash_of(folder: Path, root: str = STEP, /, **changes: Any) -> str:
    return write(folder, **changes).code_hash([root])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("main", "  # line 3", "  # line 4"),
        ("main", '"""What it does."""', '"""What it did,\n    at length."""'),
        ("main", '    """What it does."""\n', ""),
        ("main", '"""Docstring."""', '"""Other."""'),
        ("main", "tools.used(x)", "tools.used(\n        x,\n    )"),
        ("main", "def step", "\n\n\ndef step"),
        ("main", 'TITLE = "a title"', 'TITLE = "better"'),
        ("main", 'TITLE = "a title"', 'TITLE = "a title"\nAUTHORS = "a version"\nDIFFERENCE = 0.1'),
        ("tools", "def unrelated(x): return OTHER", "def unrelated(x): return 1 + OTHER"),
        ("tools", "OTHER = 5", "OTHER = 6"),
        ("tools", "import math\n", ""),
        ("tools", "def used", "def added(x): return used(x)\n\ndef used"),
        ("deep", "def lonely(x): return x", ""),
        ("table", "def fold(y): return y", "def fold(y): return -y"),
        ("rooms", "SETUP = [1]", "SETUP = [2]"),
        ("house", '"""Package."""', '"""The package."""'),
    ],
)
def test_what_no_result_depends_on_leaves_the_hash(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert hash_of(tmp_path / "a") == hash_of(tmp_path / "b", **{file: (old, new)})


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("main", "* LIMIT", "* (LIMIT + 1)"),
        ("main", "LIMIT = 3", "LIMIT = 4"),
        ("main", "import math", "import cmath as math"),
        ("main", "from house.rooms import table as desk", "from house import deep as desk"),
        ("tools", "SCALE = 2.0", "SCALE = 2"),
        ("tools", "def helper(x): return factor(x)", "def helper(x): return -factor(x)"),
        ("tools", "from .deep import factor", "from .deep import lonely as factor"),
        ("tools", "SCALE = 2.0", "SCALE = 2.0\nSCALE = 3.0"),
        ("deep", "def factor(x): return x", "def factor(x): return 2 * x"),
        ("table", "legs = 4", "legs = 3"),
        ("rooms", "SETUP = [1]", "SETUP = [1]\ntable.Table.legs = 3"),  # runs on import
        ("rooms", "SETUP = [1]", "SETUP = table.fold(1)"),
        ("house", '"""Package."""', "import house.tools\nhouse.tools.SCALE = 3"),
        ("deep", "def lonely", "@register\ndef lonely"),
    ],
)
def test_what_a_result_depends_on_changes_the_hash(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert hash_of(tmp_path / "a") != hash_of(tmp_path / "b", **{file: (old, new)})


def test_order_of_assignments_counts(tmp_path: Path) -> None:
    before = hash_of(tmp_path / "a", tools=("SCALE = 2.0", "SCALE = 2.0\nSCALE = 3.0"))
    assert before != hash_of(tmp_path / "b", tools=("SCALE = 2.0", "SCALE = 3.0\nSCALE = 2.0"))


@pytest.mark.parametrize(
    ("use", "file", "change"),
    [
        ("getattr(tools, name)", "tools", ("return OTHER", "return -OTHER")),  # a module as a value
        ("tools.made_at_run_time", "tools", ("return OTHER", "return -OTHER")),  # an unknown name
        ("load('house.deep')", "deep", ("lonely(x): return x", "lonely(x): return -x")),  # a name in a string
        ("import_module('.deep')", "deep", ("lonely(x): return x", "lonely(x): return -x")),
        ("eval(name)", "table", ("fold(y): return y", "fold(y): return -y")),  # anything that is imported
    ],
)
def test_in_doubt_more_is_included(tmp_path: Path, use: str, file: str, change: tuple[str, str]) -> None:
    main = ("y = tools.used(x)", f"y = {use}")
    assert hash_of(tmp_path / "a", main=main) != hash_of(tmp_path / "b", main=main, **{file: change})


def test_a_star_import_takes_all(tmp_path: Path) -> None:
    star = ("from .deep import factor", "from .deep import *")
    before = hash_of(tmp_path / "a", tools=star)
    (tmp_path / "a/house/deep.py").write_text("def factor(x): return x\ndef lonely(x): return -x\n")
    assert before != Project(tmp_path / "a", ["house"]).code_hash([STEP])


def test_a_whole_module_as_root(tmp_path: Path) -> None:
    change = {"tools": ("return OTHER", "return -OTHER")}
    assert hash_of(tmp_path / "a", "house.tools") != hash_of(tmp_path / "b", "house.tools", **change)
    assert hash_of(tmp_path / "a", "house.main:Unknown") == hash_of(tmp_path / "b", "house.main")


def test_a_module_without_source_is_named() -> None:
    with pytest.raises(ValueError, match=r"no source file is known for module 'workbench\.nothing'"):
        code_hash(["workbench.nothing"])
    with pytest.raises(ValueError, match="'_thread'"):
        code_hash(["_thread"])


def test_the_project_itself() -> None:
    engine, ops = "workbench.engine.eager:simulate", "workbench.arrays.ops"
    assert code_hash([engine, ops]) == code_hash((ops, engine, ops))
    assert len({code_hash(roots) for roots in ([engine], [ops], [engine, ops], [])}) == 4
    assert not sources.reaches([engine], ["meta_path", "modules"]), "importing the door counts for no result"


# Data.

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass(frozen=True)
class Inner:
    a: Any
    b: Any = 0


@dataclass
class Mutable:
    a: int = 0


@given(plain, plain)
def test_equal_hash_means_equal_content(left: Any, right: Any) -> None:
    assert (content_hash(left) == content_hash(right)) == (
        repr(left) == repr(right) or _sorted(left) == _sorted(right)
    )


def _sorted(x: Any) -> str:
    if isinstance(x, dict):
        return "{" + ",".join(sorted(f"{k!r}:{_sorted(v)}" for k, v in x.items())) + "}"
    return "[" + ",".join(map(_sorted, x)) + "]" if isinstance(x, list) else repr(x)


def test_every_kind_of_content_has_its_own_hash() -> None:
    array = np.arange(6.0)
    distinct = [
        None, "None", True, 1, 1.0, "1", 0.0, -0.0, float("nan"), float("inf"), 0.1, np.nextafter(0.1, 1.0),
        (), [], {}, "", (1,), (1, 1), ((1,), 1), ["ab"], ["a", "b"], {"a": 1}, {"a": None}, {1: "a"},
        Pair(1, 2), Inner(1, 2), (1, 2), Inner(Inner(1), 2),
        array, array.reshape(2, 3), array.reshape(3, 2), array.reshape(3, 2).T, array.astype(np.float32),
        array.astype(np.int64), array > 2, np.zeros(0), np.zeros((0, 1)), np.array(["a", "b"]), np.int64(1),
        np.array(-0.0),
    ]  # fmt: skip
    assert len({content_hash(x) for x in distinct}) == len(distinct)


def test_order_layout_and_numpy_floats_do_not_count() -> None:
    a = np.arange(12.0).reshape(3, 4)
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    assert content_hash(a) == content_hash(np.asfortranarray(a)) == content_hash(a.astype(">f8"))
    assert content_hash(a[:, ::2]) == content_hash(a[:, ::2].copy())
    assert content_hash(0.1) == content_hash(np.float64(0.1))


def test_other_content_is_refused_by_name() -> None:
    for value, name in [
        (Inner(1, lambda: 0), r"Inner\.b is a function"),
        (Pair([1, {"k": {2}}], 0), r"Pair\.a\[1\]\['k'\] is a set"),
        (Mutable(), "Mutable is a Mutable"),
        (Inner, "type is a type"),
        (np.array([None]), "dtype object"),
        ({"x": 1j}, r"dict\['x'\] is a complex"),
    ]:
        with pytest.raises(TypeError, match=name):
            content_hash(value)


# Simulations.


def batch(sigma: float = 0.5, L: float = 1.0, eta: float = 0.1, runs: int = 3, start: float = 1.0) -> Batch:
    grid = Grid([{"sigma": sigma}], runs)
    return Batch(Quadratic(Sphere(grid["sigma"]), L), Steps(eta, 0.9), {"x": grid.full(start)}, grid)


def simulation(**changes: Any) -> Simulation:
    sim = Simulation("p/sim-a", "title", "baselines.sgda", lambda T, n: batch(), {}, {}, "practical")
    return replace(sim, **changes)


MARKS = np.array([1, 2, 4])


def key(sim: Simulation | None = None, made: Batch | None = None, marks: Any = MARKS, seed: int = 1) -> str:
    return simulation_key(sim or simulation(), made or batch(), marks, seed)


def test_simulation_key_sees_every_input() -> None:
    made = batch()
    keys = [
        key(),
        key(simulation(key="p/sim-b")),
        key(simulation(algorithm="baselines.pdsm")),
        key(simulation(mutation=Mutation("m", "a", "b"))),
        key(simulation(mutation=Mutation("m", "a", "c"))),
        *(key(made=batch(**{name: 2})) for name in ("sigma", "L", "eta", "runs", "start")),
        key(made=replace(made, instance=Quartic(made.instance.noise))),
        key(made=replace(made, instance=replace(made.instance, noise=Gaussian(made.instance.noise.sigma)))),
        key(marks=MARKS[:2]),
        key(seed=2),
    ]
    assert len(set(keys)) == len(keys)
    assert all(len(k) == 32 and k.isalnum() for k in keys)


def test_simulation_key_ignores_what_no_trajectory_depends_on() -> None:
    other = simulation(
        title="other", kind="paper", chosen="x", make=lambda T, n: batch(9.0), runs={"quick": 1}
    )
    assert key(other) == key() == key(marks=MARKS.astype(np.int32)) == key(marks=[1, 2, 4])


@given(st.floats(2.0**-40, 2.0**40) | st.sampled_from([0.1, 0.2, 0.25, 1.0, 3.0, 2.0**-14, 1e-3]))
def test_a_last_bit_is_rounded_away(x: float) -> None:
    """Numbers of people, powers of two among them, lie far from where the rounding jumps; few others near it."""
    about = float(without_last_bits(np.asarray(x)))
    assert abs(about - x) <= 2.0**-BITS * x
    assert float(without_last_bits(np.asarray(about))) == about
    entries = np.array([x, 0.0, -x / 3.0])
    for largest in (np.nextafter(x, 0.0), np.nextafter(x, np.inf)):
        noisy = np.array([largest, -1e-17 * x, -x / 3.0])
        apart = np.abs(without_last_bits(noisy) - without_last_bits(entries))
        assert np.all((apart == 0.0) | (apart >= 2.0 ** -(BITS + 1) * x))  # the same, or the next multiple


@pytest.mark.parametrize("x", [0.1, 0.2, 0.25, 1.0, 3.0, 2.0**-14, 1e-3, 1 / 3, 0.04 * 4])
def test_what_authors_wrote_is_the_same_on_every_processor(x: float) -> None:
    """A sum of four squares ended in another bit: a claim that a plan leaves out was judged, and not decided."""
    other = float(np.nextafter(x, 0.0))
    assert key(made=batch(L=x)) != key(made=batch(L=other))
    digests = [authored_key(simulation(), batch(L=value)) for value in (x, other, x * (1.0 + 1e-7))]
    assert digests[0] == digests[1] != digests[2]
    at_rest = np.array([1.0, 0.0, np.inf])
    assert np.array_equal(
        without_last_bits(at_rest), without_last_bits(at_rest + np.array([-1e-16, 1e-17, 0.0]))
    )
    assert not np.signbit(without_last_bits(np.array([-0.0, -1e-30, 1.0]))).any()
    assert np.array_equal(without_last_bits(np.array([0.0, 5e-324])) >= 0.0, [True, True])


def test_simulation_key_names_a_field_without_canonical_bytes() -> None:
    with pytest.raises(TypeError, match=r"^instance\.noise is a function"):
        key(made=replace(batch(), instance=Quadratic(lambda xi, d, part, xp: 0.0)))


def test_simulation_key_is_the_same_in_every_process() -> None:
    program = "import test_fingerprint as t; print(t.key())"
    for hash_seed in "01":
        env = {
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": f"{Path(__file__).parent}:{Path(__file__).parent.parent}",
        }
        done = subprocess.run(
            [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == key()


# Papers.


def test_the_stamp_of_a_paper_is_of_its_files_of_the_library_and_of_the_competitors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package may be a link, as Python imports it; a loop of links ends. Another paper does not count."""
    names = ("library", "baselines", "mine", "other", "elsewhere")
    library, baselines, mine, other, elsewhere = folders = [tmp_path / name for name in names]
    for folder in folders:
        folder.mkdir()
        (folder / "a.py").write_text("a = 1\n")
    (library / "linked").symlink_to(elsewhere, target_is_directory=True)
    (elsewhere / "back").symlink_to(library, target_is_directory=True)
    (library / "lock").symlink_to(tmp_path / "nothing")
    monkeypatch.setattr(papers, "LIBRARY", library)
    monkeypatch.setattr(papers, "built_in", lambda: {"baselines": papers.Home("baselines", baselines)})

    def stamp() -> str:
        """As the next command makes it."""
        sources._library.cache_clear()
        papers.look(opened=[mine, other])
        return sources.stamp("mine")

    try:
        with papers.temporary_view():
            seen = [stamp()]
            (other / "a.py").write_text("a = 2\n")
            assert stamp() == seen[0]
            for path in (
                library / "a.py",
                elsewhere / "a.py",
                baselines / "a.py",
                mine / "a.py",
                mine / "t.json",
            ):
                path.write_text("3\n")
                seen.append(stamp())
            (library / "new.py").write_text("")
            assert len({*seen, stamp()}) == 7
            (mine / "a.py").write_text("a = 5\n")
            assert len({sources.stamp("mine"), stamp()}) == 2, "a command keeps to what it has read"
    finally:
        sources._library.cache_clear()

"""A paper of the user's own, in a folder or a file outside the tree: found, verified, drawn, never stale; and every
mistake in it gets a sentence with its line."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from thin import one_in
from typer.testing import CliRunner

from workbench.claims import interim_analyses as of_claims
from workbench.claims import plan
from workbench.cli import scaffold
from workbench.cli.app import app
from workbench.evidence import interim_analyses as of_evidence
from workbench.evidence.verdicts import Decision, Finding, Verdict
from workbench.homes import papers
from workbench.run import catalog, jobs, pool, processes
from workbench.run.options import Options
from workbench.verdicts import verify
from workbench.verdicts.studies import curve_calibration

TINY = ("--profile", "default", "--horizon", "60", "--runs", "4", "--jobs", "1", "--engine", "eager")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_STORE", "store")
    return tmp_path


@pytest.fixture
def folder(here: Path) -> Path:
    scaffold.new(here / "my_paper")
    return here / "my_paper"


def call(*words: Any, status: int | None = 0) -> Any:
    done = CliRunner().invoke(app, [str(w) for w in words], catch_exceptions=False)
    assert status is None or done.exit_code == status, done.output
    return done


def refused(*words: Any) -> str:
    said = call(*words, status=2).stderr
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    return said.strip().removeprefix("error: ")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def kept(here: Path) -> set[str]:
    return {p.stem for p in (here / "store").glob("*.nc")}


# ------------------------------------------------------------------------------------- found, wherever it is


def test_a_folder_is_listed_by_its_name(folder: Path) -> None:
    rows = json.loads(call("list", "./my_paper", "--json").stdout)
    assert {(r["kind"], r["key"]) for r in rows} == {
        ("paper", "my_paper"),
        ("theorem", "my_paper/thm-1"),
        ("algorithm", "my_paper/alg-method"),
        ("instance", "my_paper/ins-bowl"),
        ("experiment", "my_paper/sim-sgd"),
        ("experiment", "my_paper/sim-constant"),
        ("figure", "my_paper/fig-1"),
    }
    assert {r["paper"] for r in rows} == {"my_paper"}
    assert not [r for r in rows if papers.PARENT in r["source"]]
    (bowl,) = json.loads(call("list", "./my_paper", "--instances", "--json").stdout)
    assert (bowl["source"], bowl["class"]) == ("my_paper.problems", "Bowl")


def test_what_is_opened_is_forgotten(folder: Path) -> None:
    path, modules = list(sys.path), set(sys.modules)
    before = papers.view()
    call("list", folder)
    assert papers.view() is before
    assert papers.home_of("my_paper") is None
    assert sys.path == path
    assert not [name for name in sys.modules.keys() - modules if name.startswith(f"{papers.PARENT}.")]
    assert not list(folder.rglob("__pycache__"))


def test_a_key_tells_of_a_mistake_in_any_module(folder: Path) -> None:
    """Of the shipped papers an exact key is found without the modules of figures."""
    figures = folder / "figures.py"
    figures.write_text('raise RuntimeError("boom")\n')
    for words in (
        ("list", "./my_paper"),
        ("list", "./my_paper/thm-1"),
        ("verify", "./my_paper/sim-sgd", *TINY),
    ):
        said = call(*words, status=None).stderr
        assert "my_paper/figures.py:1: RuntimeError: boom" in said, words


@pytest.mark.parametrize("typed", ["./my_paper", "my_paper", "../{}/my_paper", "./my_paper/", "."])
def test_every_way_to_write_a_path(folder: Path, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if typed == ".":
        monkeypatch.chdir(folder)
    done = call("list", typed.format(folder.parent.name), "--json")
    assert {r["paper"] for r in json.loads(done.stdout)} == {"my_paper"}


def test_a_key_within_a_path(folder: Path) -> None:
    (row,) = json.loads(call("list", "./my_paper/sim-sgd", "--json").stdout)
    assert row["key"] == "my_paper/sim-sgd"
    assert "my_paper/sim-sgd" in refused("list", "./my_paper/sim-sdg")


def test_two_papers_at_once(here: Path, folder: Path) -> None:
    scaffold.new(here / "other", single=True)
    rows = json.loads(call("list", folder, "other.py", "--json").stdout)
    assert {r["paper"] for r in rows} == {"my_paper", "other"}
    shutil.copytree(folder, here / "b" / "my_paper")
    assert "would both have the key my_paper" in refused("list", folder, here / "b/my_paper")


def test_a_path_that_is_no_paper(here: Path) -> None:
    (here / "empty").mkdir()
    (here / "notes.txt").touch()
    shipped = next(iter(papers.built_in()))
    (here / shipped).mkdir()
    (here / shipped / "theorem.py").touch()
    (here / "my paper").mkdir()
    (here / "my paper" / "theorem.py").touch()
    for path, said in (
        ("./nothing", "there is no folder or file"),
        ("./empty", "holds no Python file"),
        ("./notes.txt", "is no Python file"),
        (f"./{shipped}", "one of the workbench's own"),
        ("./my paper", "cannot be a key"),
    ):
        assert said in refused("verify", path)


def test_a_link_has_its_own_name(here: Path, folder: Path) -> None:
    folder.rename(here / "version-3")
    (here / "my_paper").symlink_to(here / "version-3")
    assert "my_paper/sim-sgd" in call("list", "./my_paper").stdout


def test_a_file_beside_a_folder_of_its_name_is_another_paper(here: Path, folder: Path) -> None:
    """It is neither run nor read in the folder's place, and has a listing of its own."""
    whole = call("list", "./my_paper", "--json").stdout
    (here / "my_paper.py").write_text("raise RuntimeError('not asked for')\n")
    assert call("list", "./my_paper", "--json").stdout == whole
    done = call("list", "./my_paper.py", "--json", status=None)
    assert "not asked for" in done.stderr
    inner = folder / "method"
    inner.mkdir()
    (inner / "__init__.py").write_text("raise RuntimeError('a package in place of a module')\n")
    assert "a package in place of a module" in call("list", "./my_paper", status=None).stderr


def test_what_a_folder_may_also_hold(here: Path, folder: Path) -> None:
    """A package file, tests, notes, a virtual environment, a module that takes another one's step."""
    (folder / "__init__.py").write_text('"""My paper."""\n')
    (folder / "test_mine.py").write_text("raise RuntimeError('a test was imported')\n")
    (folder / "notes.md").write_text("Not Python.\n")
    (folder / ".venv" / "lib").mkdir(parents=True)
    (folder / ".venv" / "lib" / "theorem.py").write_text(
        "raise RuntimeError('an environment was imported')\n"
    )
    (folder / "use.py").write_text("from .method import step\n")
    done = call("list", folder, "--json")
    assert done.stderr == ""
    assert [r["key"] for r in json.loads(done.stdout) if r["kind"] == "algorithm"] == ["my_paper/alg-method"]


def test_an_exit_on_import_is_a_mistake(here: Path, folder: Path) -> None:
    (folder / "script.py").write_text("import sys\n\nsys.exit(3)\n")
    assert "my_paper/script.py:3: SystemExit: 3" in call("list", folder).stderr


def test_a_missing_path_opens_nothing_above_it(here: Path) -> None:
    """A typing error must not run whatever Python files lie in the folder above."""
    (here / "danger.py").write_text("raise SystemExit('was run')\n")
    assert "there is no folder or file" in refused("verify", here / "my_papr")


def test_the_shipped_papers_are_not_imported_for_a_path(folder: Path) -> None:
    """Seconds on every call."""
    code = (
        "import sys; from workbench.cli.app import app; app(['list', './my_paper'], standalone_mode=False); "
    )
    code += "import workbench.report.report, workbench.report.redraw; "
    code += "print(*(n for n in sys.modules if n.startswith('workbench.theorems.') and 'my_paper' not in n))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=child(), check=True
    )
    assert done.stdout.splitlines()[-1].strip() == ""


def child(**more: str) -> dict[str, str]:
    """The environment of a process that imports this tree."""
    return {**os.environ, "PYTHONPATH": str(papers.ROOT), **more}


def test_cards_leave_no_surprise_out(folder: Path) -> None:
    text = call("verify", folder, *TINY, status=1).stdout
    assert "NOT all as expected" in text
    assert "unexpected (expected holds)" in text
    assert "not decided   rate T^-1/2" in text
    assert "assumptions  holds" not in text


def test_a_file_of_its_own(here: Path) -> None:
    call("new", "claim", "--single-file")
    text = (here / "claim.py").read_text()
    assert len(text.splitlines()) <= 60
    rows = json.loads(call("list", "claim.py", "--json").stdout)
    assert {r["key"] for r in rows} == {
        "claim",
        "claim/alg-claim",
        "claim/ins-bowl",
        "claim/fig-sgd",
        "claim/sim-sgd",
        "claim/sim-constant",
    }
    call("verify", "claim.py", *TINY, status=1)
    assert "same bits" in call("replay", "claim.py/sim-sgd", "--run", "2", *TINY).stdout


# ------------------------------------------------------------------------------ verified, drawn, replayed, new


@pytest.mark.parametrize("shape", one_in(3, scaffold.shapes()))
def test_a_new_paper_verifies_and_draws(here: Path, shape: str) -> None:
    """As it stands; with short horizons, at which nothing is violated."""
    made = call("new", "mine", "--from", shape).stdout
    assert "workbench verify ./mine" in made
    assert sum(len(p.read_text().splitlines()) for p in Path("mine").iterdir()) <= 150
    small = ("--profile", "default", "--horizon", "4000", "--runs", "150", "--jobs", "1", "--engine", "eager")
    report = here / "report.json"
    call("verify", "./mine", *small, "--json", report, status=None)
    claims = json.loads(report.read_text())["claims"]
    assert {c["evidence"] for c in claims} == {
        "assumptions", "exponent", "bound", "rate", "tight", "falsifier",
    }  # fmt: skip
    assert {c["evidence"] for c in claims if c["verdict"] == "violated"} == set()
    assert {c["evidence"] for c in claims if c["verdict"] == "holds"} >= {
        "assumptions", "exponent", "bound", "falsifier",
    }  # fmt: skip
    call("figures", "mine", *small, "--out", "out")
    assert {p.name for p in Path("out").glob("mine*")} == {f"mine-fig-1.{e}" for e in ("pdf", "png", "txt")}
    assert "up to date" in call("figures", "mine", *small, "--out", "out").stdout
    edit(Path("mine/figures.py"), "Measured slope", "The slope")
    assert "mine-fig-1.pdf" in call("figures", "mine", *small, "--out", "out").stdout
    sim = next(
        e["key"] for e in json.loads(call("list", "mine", "--json").stdout) if e["kind"] == "experiment"
    )
    assert "same bits" in call("replay", f"./{sim}", "--run", "3", *small).stdout


def test_new_overwrites_nothing(here: Path, folder: Path) -> None:
    assert "exists already" in refused("new", folder)
    assert "there are bilevel, frank-wolfe, minimax, online, sgd, storm" in refused(
        "new", "x", "--from", "storn"
    )
    assert "another paper" in refused("new", next(iter(papers.built_in())))
    assert "cannot be a key" in refused("new", "9 lives")
    assert "could hide the workbench" in refused("new", "workbench")
    assert not (here / "x").exists()


def test_workers_open_the_same_paper(here: Path, folder: Path) -> None:
    """A pool of two finds the same keys as one process, which hash the code of the folder."""
    edit(folder / "method.py", "import workbench", "from .helpers import damped\nimport workbench")
    edit(folder / "method.py", "c.eta / xp.sqrt(t)", "damped(c, t, xp)")
    (folder / "helpers.py").write_text("def damped(c, t, xp):\n    return c.eta / xp.sqrt(t)\n")
    call("verify", folder, *TINY, status=1)
    files = {p.name: p.stat().st_mtime_ns for p in (here / "store").glob("*.nc")}
    assert len(files) == 2
    two = [w if w != "1" else "2" for w in TINY]
    call("verify", folder, *two, "--store", "again", status=1)
    assert {p.name for p in (here / "again").glob("*.nc")} == set(files)


def test_files_of_the_working_folder_hide_no_module(here: Path, folder: Path) -> None:
    """Neither for the command nor for its workers: ``random.py`` is imported by every process that is started."""
    for name in ("random.py", "theorems.py", "signal.py", "catalog.py"):
        (here / name).write_text("raise RuntimeError('imported from the working folder')\n")
    main = "from workbench.cli.app import main; main()"
    words = ("verify", "./my_paper", *TINY[:-4], "--jobs", "2", "--engine", "eager")
    command = [sys.executable, "-P", "-c", main, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=child(), check=False)
    assert done.returncode == 1, done.stderr
    assert "6 verdicts" in done.stdout
    assert "working folder" not in done.stderr
    (here / "numpy.py").write_text("raise RuntimeError('imported from the working folder')\n")
    command = [sys.executable, "-m", "workbench", "list", "./my_paper"]
    done = subprocess.run(command, capture_output=True, text=True, env=child(), check=False)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------------------------------------ never stale


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    one_in(
        2,
        [
            ("helpers.py", "return c.eta", "return 0.5 * c.eta", True),
            ("deep/more.py", "FACTOR = 1.0", "FACTOR = 0.9", True),
            ("helpers.py", "# why", "# because", False),
            ("helpers.py", "def unused(): return 1", "def unused(): return 2", False),
            ("helpers.py", '"""Text."""', '"""Another text."""', False),
            ("method.py", "s.x - eta * g", "s.x - 0.9 * eta * g", True),
            ("problems.py", "self.L * x", "1.1 * self.L * x", True),
            ("experiments.py", "eta=0.3", "eta=0.2", True),
            ("theorem.py", '"A. Author"', '"B. Author"', False),
            (
                "lab/tools.py",
                "SCALE = 1.0",
                "SCALE = 0.5",
                True,
            ),  # a library of one's own, elsewhere on the path
        ],
        unpack=True,
    ),
)
def test_a_changed_helper_recomputes_and_a_comment_does_not(
    here: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str, changes: bool
) -> None:
    """Edits of equal size within one second included, for which Python's own bytecode would be stale."""
    (folder / "deep").mkdir()
    (folder / "deep" / "more.py").write_text("FACTOR = 1.0\n")
    lab = here / "libraries" / "lab"
    lab.mkdir(parents=True)
    (lab / "tools.py").write_text("SCALE = 1.0\n")
    monkeypatch.syspath_prepend(str(lab.parent))
    (folder / "helpers.py").write_text(
        '"""Text."""\nfrom lab.tools import SCALE\nfrom .deep.more import FACTOR\n\n\n'
        "def damped(c, t, xp):\n    # why\n    return c.eta / xp.sqrt(t) * FACTOR * SCALE\n\n\n"
        "def unused(): return 1\n"
    )
    edit(folder / "method.py", "import workbench", "from .helpers import damped\nimport workbench")
    edit(folder / "method.py", "c.eta / xp.sqrt(t)", "damped(c, t, xp)")
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    before = kept(here)
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert kept(here) == before
    edit(lab.parent / file if file.startswith("lab") else folder / file, old, new)
    for name in [n for n in sys.modules if n.split(".")[0] == "lab"]:
        del sys.modules[name]
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert (kept(here) != before) == changes


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    one_in(
        2,
        [
            ("CLAIMS = (*READ", "CLAIMS = (*READ(CONSTANT, [{'sigma': 1.0}]).rate(), *READ", False),
            ("-1 / 4", "-1 / 5", False),
            ('"A. Author"', '"B. Author"', False),
            ("eta = c.eta / xp.sqrt(t)", "eta = WIDTH * c.eta / xp.sqrt(t)", True),
            ("2 * oracle", "3 * oracle", True),
            ("return x + self.noise", "return 2 * x + self.noise", True),
            (
                "SCALES = Fraction(1",
                "SCALES = Fraction(2",
                True,
            ),  # a record by whose name the step knows a number
            ("register(1.0)", "register(2.0)", True),  # a function of one's own may do anything
        ],
        unpack=True,
    ),
)
def test_in_one_file_a_changed_claim_repeats_no_simulation(
    here: Path, old: str, new: str, changes: bool
) -> None:
    call("new", "claim.py")
    edit(
        here / "claim.py",
        "oracle.grad(s.x, draw(0))",
        "SCALES.numerator * TABLE[0] * 2 * oracle.grad(s.x, draw(0))",
    )
    edit(
        here / "claim.py",
        "State = wb",
        "from fractions import Fraction\nSCALES = Fraction(1, 1)\nTABLE = [0]\nWIDTH = 0.5\n"
        "def register(x):\n    TABLE[0] = x\n\n\nDONE = register(1.0)\n\n\nState = wb",
    )
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    before = kept(here)
    assert before
    edit(here / "claim.py", old, new)
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    assert (kept(here) != before) == changes


REGISTER = "TABLE = [0.5]\ndef register(x):\n    TABLE[0] = x\n    return x\n\n\n"


@pytest.mark.parametrize(
    ("text", "used", "old", "new"),
    one_in(
        2,
        [
            ("D = dict(g=1.0)\nOLD = D.setdefault('f', 0.5)", "D['f']", "0.5", "0.4"),
            (f"{REGISTER}MAKERS = dict(a=register)\nZ = MAKERS['a'](0.5)", "TABLE[0]", "(0.5)", "(0.4)"),
            (
                f"{REGISTER}from typing import cast\nZ = cast(Any, register)(0.5)",
                "TABLE[0]",
                "(0.5)",
                "(0.4)",
            ),
            (f"{REGISTER}def sum(x): return register(x)\nZ = sum(0.5)", "TABLE[0]", "(0.5)", "(0.4)"),
            (f"{REGISTER}Z = sorted([0.5], key=register)", "TABLE[0]", "sorted([0.5]", "sorted([0.4]"),
            (
                f"{REGISTER}def tuple(x): return register(x)\nZ = tuple(0.5)",
                "TABLE[0]",
                "tuple(0.5)",
                "tuple(0.4)",
            ),
            ("SCALE = 0.5", "step.__globals__['SCALE']", "SCALE = 0.5", "SCALE = 0.4"),
            ("import importlib\nZ = importlib.import_module('json')", "1.0", "'json'", "'csv'"),
            ("SOURCE = 0.5", "SOURCE", "SOURCE = 0.5", "SOURCE = 0.4"),
            (f"{REGISTER}class Setup:\n    TABLE[0] = 0.5", "TABLE[0]", "= 0.5\n", "= 0.4\n"),
        ],
        unpack=True,
    ),
)
def test_what_acts_in_a_file_is_not_taken_for_a_claim(
    here: Path, text: str, used: str, old: str, new: str
) -> None:
    call("new", "claim.py")
    edit(here / "claim.py", "oracle.grad(s.x, draw(0))", f"{used} * oracle.grad(s.x, draw(0))")
    edit(here / "claim.py", "State = wb", f"{text}\n\n\nState = wb")
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    before = kept(here)
    assert before
    edit(here / "claim.py", old, new)
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    assert kept(here) > before


def test_names_in_the_text_of_a_mutation_count(here: Path) -> None:
    call("new", "claim.py")
    edit(here / "claim.py", "State = wb", "_DAMP = 0.5\n\n\nState = wb")
    edit(here / "claim.py", 'becomes="c.eta / 2"', 'becomes="_DAMP * c.eta"')
    call("verify", "claim.py/sim-constant", *TINY, status=None)
    before = kept(here)
    assert before
    edit(here / "claim.py", "_DAMP = 0.5", "_DAMP = 0.4")
    call("verify", "claim.py/sim-constant", *TINY, status=None)
    assert kept(here) > before


def test_what_make_changes_counts(here: Path) -> None:
    call("new", "claim.py")
    edit(here / "claim.py", "State = wb", "SCALE = [1.0]\n\n\nState = wb")
    edit(here / "claim.py", "oracle.grad(s.x, draw(0))", "SCALE[0] * oracle.grad(s.x, draw(0))")
    bowl = "def bowl(grid):\n    SCALE[0] = 0.5\n    return Bowl(wb.Sphere(grid['sigma']))\n\n\nSTUDY = wb"
    edit(here / "claim.py", "STUDY = wb", bowl)
    edit(here / "claim.py", 'lambda grid: Bowl(wb.Sphere(grid["sigma"]))', "bowl")
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    before = kept(here)
    assert before
    edit(here / "claim.py", "SCALE[0] = 0.5", "SCALE[0] = 0.4")
    call("verify", "claim.py/sim-sgd", *TINY, status=None)
    assert kept(here) > before


@pytest.mark.parametrize("file", ["method.py", "problems.py"])
def test_what_is_read_when_a_module_is_imported_recomputes(here: Path, folder: Path, file: str) -> None:
    """A file of data whose content a step or an oracle knows by a name of its module."""
    (folder / "data.json").write_text('{"scale": [1.0]}')
    used = {"method.py": "s.x - eta", "problems.py": "return self.L"}[file]
    edit(
        folder / file,
        used,
        used.replace("eta", "SCALE['scale'][0] * eta").replace("self", "SCALE['scale'][0] * self"),
    )
    edit(folder / file, "import workbench", "import json\nfrom pathlib import Path\nimport workbench")
    edit(
        folder / file,
        "\n\n\n",
        "\n\nSCALE = json.loads(Path(__file__).with_name('data.json').read_text())\n\n\n",
    )
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    before = kept(here)
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert kept(here) == before
    (folder / "data.json").write_text('{"scale": [0.5]}')
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert kept(here) > before


@pytest.mark.parametrize(
    "reads",
    [
        "globals().update(json.loads(DATA.read_text()))",
        "exec(f\"SCALE = {json.loads(DATA.read_text())['SCALE']}\")",
    ],
)
def test_what_is_read_into_the_names_of_a_module_recomputes(here: Path, folder: Path, reads: str) -> None:
    (folder / "data.json").write_text('{"SCALE": 1.0}')
    edit(folder / METHOD, "s.x - eta", "s.x - SCALE * eta")
    edit(folder / METHOD, "import workbench", "import json\nfrom pathlib import Path\nimport workbench")
    edit(folder / METHOD, "\n\n\n", f"\n\nDATA = Path(__file__).with_name('data.json')\n{reads}\n\n\n")
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    before = kept(here)
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert kept(here) == before
    (folder / "data.json").write_text('{"SCALE": 0.5}')
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    assert kept(here) > before


def test_a_moved_folder_keeps_its_results(here: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("verify", "./my_paper/sim-sgd", *TINY, status=1)
    (here / "elsewhere").mkdir()
    folder.rename(here / "elsewhere" / "my_paper")

    def forbidden(*_: object) -> None:
        raise AssertionError("a simulation was run")

    monkeypatch.setattr(pool, "execute", forbidden)
    call("verify", "./elsewhere/my_paper/sim-sgd", *TINY, status=1)


# ----------------------------------------------------------------------------------------- installed packages


def test_an_installed_package_announces_a_paper(
    here: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "site" / "mylib").mkdir(parents=True)
    (here / "site" / "mylib" / "__init__.py").touch()
    folder.rename(here / "site" / "mylib" / "sgd")
    info = here / "site" / "mylib-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mylib\nVersion: 1.0\n")
    taken = next(iter(papers.built_in()))
    (info / "entry_points.txt").write_text(f"[{papers.GROUP}]\nmy_paper = mylib.sgd\n{taken} = mylib.other\n")
    monkeypatch.syspath_prepend(str(here / "site"))
    with papers.temporary_view():
        papers.look()
        home = papers.home_of("my_paper")
        assert home is not None
        assert home.path == here / "site" / "mylib" / "sgd"
        assert papers.author(str(here / "site/mylib/sgd/method.py")) == home
        assert catalog.simulations()["my_paper/sim-sgd"].algorithm == "my_paper.method"
        assert catalog.find("my_paper/alg-method").paper == "my_paper"
        assert [c for c in papers.view().complaints if taken in c]
        options = Options("default", horizon=60, runs=4, engine="eager")
        before = jobs.prepare(catalog.simulations()["my_paper/sim-sgd"], options)
        assert jobs.execute(before, "numpy", options).horizon == 60
        edit(here / "site/mylib/sgd/method.py", "eta * g", "0.5 * eta * g")
        papers.look()
        after = jobs.prepare(catalog.simulations()["my_paper/sim-sgd"], options)
        assert after.key != before.key


def test_what_a_module_remembers_while_it_runs_makes_no_other_key(folder: Path) -> None:
    """A memo that `make` fills, and a library that only the step imports: the key would depend on what ran before."""
    problems, memo = (
        folder / "problems.py",
        "SOLVED = dict()\n\n\ndef solution(d):\n    SOLVED[d] = 0\n\n\n",
    )
    edit(problems, "@dataclass", f"{memo}@dataclass")
    edit(
        problems,
        "    def metrics(self, s, t, xp):\n",
        "    def metrics(self, s, t, xp):\n        solution(1)\n",
    )
    edit(
        folder / "experiments.py",
        "lambda grid: Bowl(",
        "lambda grid: solution(grid.runs) or Bowl(",
    )
    edit(
        folder / "experiments.py",
        "from .problems import",
        "from .problems import solution\nfrom .problems import",
    )
    with papers.temporary_view():
        keys = []
        for runs in ([4], [3, 4]):
            papers.look(False, [folder])
            sims = catalog.simulations()
            made = [
                jobs.prepare(sims["my_paper/sim-sgd"], Options("quick", horizon=60, runs=n)) for n in runs
            ]
            keys.append(made[-1].key)
        assert keys[0] == keys[1]
        edit(problems, "SOLVED = dict()", "SOLVED = dict(begun=1)")
        papers.look(False, [folder])
        after = jobs.prepare(catalog.simulations()["my_paper/sim-sgd"], Options("quick", horizon=60, runs=4))
        assert after.key != keys[0]


def test_what_a_library_remembers_makes_no_other_key(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that was not installed and belongs to no paper: what it held before anything was solved counts."""
    memo = "SOLVED = dict()\n\n\ndef solution(d):\n    SOLVED[d] = 0.1\n    return SOLVED[d]\n"
    (tmp_path / "solutions_of_mine.py").write_text(memo)
    monkeypatch.syspath_prepend(str(tmp_path))
    edit(
        folder / "experiments.py",
        "from .problems import",
        "import solutions_of_mine\nfrom .problems import",
    )
    edit(
        folder / "experiments.py",
        "lambda grid: Bowl(",
        "lambda grid: solutions_of_mine.solution(grid.runs) and Bowl(",
    )
    with papers.temporary_view():
        keys = []
        for runs in ([4], [3, 4]):
            sys.modules.pop("solutions_of_mine", None)
            papers.look(False, [folder])
            sims = catalog.simulations()
            made = [
                jobs.prepare(sims["my_paper/sim-sgd"], Options("quick", horizon=60, runs=n)) for n in runs
            ]
            keys.append(made[-1].key)
    sys.modules.pop("solutions_of_mine", None)
    assert keys[0] == keys[1]


# --------------------------------------------------------------------------------------------------- mistakes

METHOD, EXPERIMENTS, THEOREM, PROBLEMS = "method.py", "experiments.py", "theorem.py", "problems.py"
SIMULATED = 'SGD = STUDY.simulation(step, name="sgd", title="SGD on a bowl", kind="compliant", **COMMON)'
MADE = """def make(horizon, runs):  # the four lines of a simulation that is made by a function
    grid = wb.Grid([{"sigma": 1.0}], runs)
    return wb.Batch(Bowl(wb.Sphere(1.0)), Steps(eta=0.3), {"x": grid.full(0.1, 4)}, grid)
SGD = STUDY.simulation_from("sgd", "SGD on a bowl", step, make, COMMON["horizon"], COMMON["runs"], kind="compliant")"""
MISTAKES = {
    "an exception in a step": (METHOD, "g = oracle", "print(undefined)\n    g = oracle",
        r"method.py:12, in step: NameError: .*'undefined'"),
    "a misspelt step size": (METHOD, "c.eta", "c.etta", r"method.py:13, in step: .*'etta'"),
    "a missing start": (EXPERIMENTS, '"start": {"x"', '"start": {"z"',
        r"problems.py:33, in constants: there is no 'x'"),
    "a branch": (METHOD, "eta = c", "if s.x > 0:\n        pass\n    eta = c", r"method.py:13, in step: .*xp\.where"),
    "a mutation": (METHOD, "eta = c", "s.x[0] = 1.0\n    eta = c",
        r"method.py:13, in step: .*read-only; make a new array"),
    "another shape": (METHOD, "s.x - eta * g", "(s.x - eta * g)[:, 0]",
        r"method.py:11: .*shape \(4, 4\) into shape \(4,\)"),
    "another type": (METHOD, "s.x - eta * g", "(s.x - eta * g).astype(complex)", r"method.py:11: .*complex128"),
    "a forgotten field": (METHOD, "State(s.x - eta * g)", "State()",
        r"method.py:14, in step: .*'x'; give every field"),
    "nothing returned": (METHOD, "return State(s.x", "State(s.x", r"method.py:11: step: returns NoneType"),
    "not a number": (METHOD, "eta * g)", "eta * g * xp.nan)",
        r"method.py:11: the state is infinite or not a number in every run"),
    "single precision": (METHOD, "s.x - eta * g", "xp.astype(s.x - eta * g, xp.float32)",
        r"method.py:11: step: 'x' .* float32; wanted float64"),
    "a sum over runs": (METHOD, "eta * g)", "eta * xp.sum(g))",
        r"method.py:11: the rows of a batch are not independent"),
    "an end": (METHOD, "g = oracle", "raise SystemExit(0)\n    g = oracle",
        r"method.py:12, in step: SystemExit: 0; this would end"),
    "a metric that is no number": (PROBLEMS, "self.grad_f(s.x, xp), xp)}", "self.grad_f(s.x, xp), xp) * xp.nan}",
        r"problems.py:29: the metric 'grad_sq' is infinite or not a number"),
    "a reduction": (PROBLEMS, '("last", "mean")', '("last", "average")',
        r"problems.py:11: Bowl.RECORD.*'average'; wanted some of last, mean"),
    "no oracle": (PROBLEMS, '{"grad": {', '{"gradd": {', r"problems.py:11: Bowl.COSTS: got 'gradd'"),
    "samples": (PROBLEMS, "space = wb", "space = 1 / 0, wb", r"problems.py:36, in samples: ZeroDivisionError"),
    "a start without rows": (EXPERIMENTS, SIMULATED, MADE.replace("grid.full(0.1, 4)", "0.1"),
        r"experiments.py:18: the start of 'x': .*one row per run"),
    "a start of other rows": (EXPERIMENTS, "[0.1] * 4", "lambda grid: [[0.1] * 4] * 3", r"experiments.py:18: .*4 rows"),
    "no batch": (EXPERIMENTS, SIMULATED, MADE.replace("return ", ""),
        r"experiments.py:18: make returns NoneType; wanted a Batch"),
    "a single grid point": (EXPERIMENTS, SIMULATED, MADE.replace('[{"sigma": 1.0}]', '{"sigma": 1.0}'),
        r"experiments.py:19, in make: points is a dict"),
    "a kind": (EXPERIMENTS, '"compliant"', '"compliante"', r"experiments.py:18: .*'compliante'; there are compliant,"),
    "no quick profile": (EXPERIMENTS, "wb.profile(1500, 1000, 1000)", '{"quik": 1, "default": 1, "full": 1}',
        r"experiments.py:18: .*runs is .*wanted .* per profile"),
    "a view": (EXPERIMENTS, "view=wb.window_means", 'view="window_means"',
        r"experiments.py:9: view is a str; wanted one"),
    "known values": (EXPERIMENTS, "known=lambda result: result.steps", "known={}",
        r"experiments.py:9: known is a dict; wanted a function"),
    "a simulation's key": (EXPERIMENTS, '"printed", SGD)', '"printed", "my_paper/sim-sgd")',
        r"experiments.py:26: 'my_paper/sim-sgd' is a str, no simulation"),
    "a level": (EXPERIMENTS, "CURVE.rate()", 'CURVE.level(lambda T: T, "level")',
        r"experiments.py:27: the level is called with .*, not as \(T\)"),
    "a level that is a number": (EXPERIMENTS, "CURVE.rate()", 'CURVE.level(1.0, "level")',
        r"experiments.py:27: the level is a float"),
    "a formula in decimals": (THEOREM, '"eta": v.eta', '"eta": 0.5',
        r"theorem.py:12: .*0.5 is a float.*Rational\(1, 2\)"),
    "a form for forms": (THEOREM, "bound=BOUND,", "bound=BOUND, forms=wb.Form,",
        r"theorem.py:12: .*must be an iterable, not type"),
    "a function as schedule": (THEOREM, '{"eta": v.eta}', '{"eta": lambda t: t}',
        r"theorem.py:12: .*schedule, eta: got a function"),
    "an oracle's name": (METHOD, "oracle.grad(", "oracle.gradient(",
        r"method.py:12, in step: .*offers no 'gradient'"),
    "noise of its own": (METHOD, "draw(0))", "draw(0)) + __import__('numpy').random.randn()",
        "same step .* other numbers"),
    "no step": (METHOD, "def step(", "def stepp(", r"experiments.py:5: .*cannot import name 'step'"),
    "a metric": (EXPERIMENTS, '"grad_sq_mean"', '"gradsq_mean"',
        r"experiments.py:26: no quantity 'gradsq_mean' .*there are grad_sq, grad_sq_mean"),
    "a grid point": (EXPERIMENTS, "THEOREM, SGD, sigma=1.0", "THEOREM, SGD, sigma=2.0",
        r"experiments.py:27: no run where sigma = 2; the grid holds sigma = 1"),
    "a grid parameter": (EXPERIMENTS, "THEOREM, SGD, sigma=1.0", "THEOREM, SGD, sigmaa=1.0",
        r"experiments.py:27: no grid parameter 'sigmaa'"),
    "a case": (EXPERIMENTS, "THEOREM, SGD, sigma=1.0", 'THEOREM, SGD, case="noissy"',
        r"experiments.py:22: .*cases \['claimed'\], not 'noissy'"),
    "a form": (EXPERIMENTS, '"printed", SGD', '"repaired", SGD',
        r"experiments.py:26: .*\['printed'\], not 'repaired'"),
    "a profile": (EXPERIMENTS, "profiles=wb.LONG", 'profiles=("quik",)',
        r"experiments.py:27: .*'quik'; there are quick, default, full"),
    "an expected verdict": (EXPERIMENTS, "CURVE.rate()", 'CURVE.rate(expected="hold")',
        r"experiments.py:27: no verdict 'hold'"),
    "runs as a text": (EXPERIMENTS, "wb.profile(1500, 1000, 1000)", '"4"',
        r"experiments.py:18: runs is '4'; wanted .* per profile"),
    "two of one name": (EXPERIMENTS, 'name="constant"', 'name="sgd"',
        r"experiments.py:20: two simulations of my_paper have the name 'sgd'"),
    "claims in claims": (EXPERIMENTS, "*STUDY.exponents", "STUDY.exponents",
        r"experiments.py:24: CLAIMS holds a tuple.*add them by \*"),
    "a method's name": (EXPERIMENTS, '(step, name="sgd"', '("methodd", name="sgd"',
        r"experiments.py:18: .*'methodd'.*there are method$"),
    "another function for a step": (EXPERIMENTS, '(step, name="sgd"', '(len, name="sgd"',
        r"experiments.py:18: a method's function is called step, not 'len'"),
    "a mutation's statement": (EXPERIMENTS, '"eta", becomes', '"etaa", becomes',
        r"experiments.py:19: .*no statement 'etaa'"),
    "a constant of the schedule": (EXPERIMENTS, "THEOREM, eta=0.3", "THEOREM",
        r"experiments.py:18: .*missing constants: eta"),
    "a condition": (EXPERIMENTS, "eta=0.3", "eta=3.0", r"experiments.py:18: .*needs eta <= 1/L"),
    "an unknown field": (EXPERIMENTS, "CURVE.rate()", "CURVE.rate(tolerance=1)", r"experiments.py:27: .*'tolerance'"),
    "a constant of the bound": (PROBLEMS, '"sigma_bar": self.noise.high, ', "",
        r"experiments.py:26: .*missing constants: sigma_bar"),
    "no canonical bytes": (PROBLEMS, "@dataclass(frozen=True)", "@dataclass",
        r"experiments.py:18: .*a Bowl; a result can only depend on"),
    "a recorded metric": (PROBLEMS, '{"grad_sq": (', '{"gradsq": (', r"problems.py:\d+: .*lacks 'gradsq'"),
    "a symbol": (THEOREM, "v.sigma_bar**2", "v.sigma_barr**2", r"theorem.py:10: .*'sigma_barr'"),
    "a field of a theorem": (THEOREM, "    bound=BOUND,\n", "", r"theorem.py:12: .*'bound'"),
    "a parenthesis": (THEOREM, "THEOREM = PAPER.theorem(", "THEOREM = PAPER.theorem((",
        r"theorem.py:12: '\(' was never closed"),
    "the paper's key": (THEOREM, "wb.Paper(__name__", 'wb.Paper("mine"',
        r"theorem.py:8: .*'mine'.*the folder's name, 'my_paper'"),
    "a sibling": (EXPERIMENTS, "from .problems", "from problems",
        r"experiments.py:6: .*'problems'; files of one paper"),
    "a make that draws": (EXPERIMENTS, SIMULATED, MADE.replace("0.1, 4", "__import__('random').random(), 4"),
        r"my_paper/sim-sgd: my_paper/experiments.py:18: make gives other values each time it is called"),
    "a start that is drawn": (EXPERIMENTS, "[0.1] * 4", "lambda grid: [__import__('random').random()] * 4",
        r"my_paper/sim-sgd: my_paper/experiments.py:18: make gives other values each time it is called"),
    "data with a row per run": (PROBLEMS, "L: Any = 2.0",
        "L: Any = 2.0\n    data: Any = __import__('dataclasses').field(default_factory=lambda: np.ones((4, 1)))",
        r"experiments.py:18: Bowl.data has as many rows as the batch \(4\) .* keep it in the shape \(1, 4\)"),
    "steps of one horizon": (EXPERIMENTS, SIMULATED, MADE.replace("eta=0.3", "eta=0.3 * horizon**-0.5"),
        r"experiments.py:30: Steps.eta is 0.173 for a horizon of 3 and 0.0387 for one of 60, .*at_horizons"),
    "a start of one horizon": (EXPERIMENTS, SIMULATED, MADE.replace("0.1, 4", "horizon**-0.5, 4"),
        r"experiments.py:30: start.0 is 0.577 for a horizon of 3 and 0.129 for one of 60, .*at_horizons"),
    "another simulation of one key": (EXPERIMENTS, '"printed", SGD)',
        '"printed", wb.Study(PAPER).simulation(step, name="sgd", **{**COMMON, "runs": 7}))',
        r"experiments.py:26: .* is about another simulation than the study's my_paper/sim-sgd"),
    "a rate that its view cannot show": (THEOREM, "exponent=-1 / 2", "exponent=-3 / 2",
        r"experiments.py:22: .*exponent -1.5 cannot be read in this view"),
    "a view of other quantities": (EXPERIMENTS, '"grad_sq_mean"', '"grad_sq"',
        r"experiments.py:22: this view reads quantities whose names end in _mean, not grad_sq"),
    "a bound in such a view": (EXPERIMENTS, '"printed", SGD)', '"printed", SGD, view=wb.window_means)',
        r"experiments.py:26: my_paper/thm-1: a bound is compared with what was recorded"),
    "a larger bound": (EXPERIMENTS, '"printed", SGD)', '"printed", SGD, over=0.1)',
        r"experiments.py:26: my_paper/thm-1: over = 0.1 is no divisor"),
    "no profile": (EXPERIMENTS, "profiles=wb.LONG", "profiles=()", r"experiments.py:27: a claim of no profile"),
    "a start of a window": (EXPERIMENTS, "CURVE.rate()", "CURVE.rate(since=2.0)",
        r"experiments.py:27: .*since is a share of the horizon in \[0, 1\), not 2"),
    "a constant that falls": (THEOREM, "v.sigma_bar: 1,", "v.sigma_bar: 1 / v.T,",
        r"theorem.py:12: my_paper/thm-1: generic, sigma_bar: 1/T is a power of T"),
    "two symbols of one name": (THEOREM, "log(v.T)", "log(__import__('sympy').Symbol('T'))",
        r"theorem.py:12: .*two symbols named T"),
    "a constant of two values": (EXPERIMENTS, "known=lambda result: result.steps",
        'known=lambda result: {**result.steps, "sigma_bar": 10.0}',
        r"experiments.py:26: .*sigma_bar is a constant of the instance, of another value"),
    "a missing package": (EXPERIMENTS, "import workbench as wb", "import numpyy as np",
        r"experiments.py:3: .*'numpyy'"),
    "a private module that moved": (EXPERIMENTS, "import workbench as wb",
        "from workbench.experiments.study import Study, never\nimport workbench as wb",
        r"experiments.py:3: .*write `import workbench as wb`, and wb.Study \(there is no public name for .*never\)"),
    "a former package": (THEOREM, "import workbench as wb", "from theorems.record import Paper\nimport workbench as wb",
        r"theorem.py:5: .*'theorems'; write `import workbench as wb`, and wb.Paper$"),
    "a private name that moved": (PROBLEMS, "import workbench as wb",
        "from workbench.claims import sq\nimport workbench as wb",
        r"problems.py:8: .*cannot import name 'sq' .*; write `import workbench as wb`, and wb.ops.sq$"),
    "a public name that is none": (THEOREM, "v = wb.vocabulary", "v = wb.vocabularies",
        r"theorem.py:7: .*has no name 'vocabularies'; the nearest is vocabulary"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", one_in(2, MISTAKES))
def test_a_mistake_gets_a_sentence_with_its_line(folder: Path, mistake: str) -> None:
    file, old, new, said = MISTAKES[mistake]
    (folder / "method.py.txt").write_text("x")
    edit(folder / file, old, new)
    sentence = refused("verify", folder, *TINY)
    assert re.search(said, sentence), sentence


def test_a_mistake_in_a_mutated_step_is_told_of_its_file(folder: Path) -> None:
    edit(folder / METHOD, "State(s.x - eta * g)", "State()")
    said = refused("verify", "./my_paper/sim-constant", *TINY)
    assert re.search(
        r"method.py:14, in step with the mutation 'constant step': TypeError: .*give every field", said
    )
    edit(folder / METHOD, "State()", "State(s.x - eta * g)")
    edit(folder / EXPERIMENTS, 'becomes="c.eta"', 'becomes="c.etaa"')
    said = refused("verify", "./my_paper/sim-constant", *TINY)
    assert re.search(
        r"method.py:13, in step with the mutation 'constant step': AttributeError: .*'etaa'", said
    )


def test_mistakes_of_a_figure(folder: Path) -> None:
    for old, new, said in (
        ("wb.drawing.panel(axes", "wb.drawing.panell(axes", "my_paper/figures.py:10, in draw: AttributeError"),
        ("(CURVE.sim.key,)", '("my_paper/sim-sdg",)', "my_paper/figures.py:16: my_paper/fig-1 needs my_paper/sim-sdg"),
        ("(CURVE.sim.key,)", "CURVE.sim.key", "my_paper/figures.py:16: my_paper/fig-1: needs is 'my_paper/sim-sgd'"),
        ("(CURVE.sim.key,)", "tuple()", "figures.py:10, in draw: my_paper/sim-sgd is read, but not among the"),
        ("    return figure\n", "", "my_paper/figures.py:8: draw returns NoneType; wanted the matplotlib figure"),
    ):  # fmt: skip
        edit(folder / "figures.py", old, new)
        assert said in refused("figures", folder, *TINY, "--out", "out")
        edit(folder / "figures.py", new, old)


def test_a_mistake_in_a_worker_names_the_simulation(folder: Path) -> None:
    edit(folder / METHOD, "eta = c.eta", "eta = c.etta")
    two = [w if w != "1" else "2" for w in TINY]
    assert "my_paper/sim-" in (said := refused("verify", folder, *two))
    assert "my_paper/method.py:13, in step" in said


def test_a_broken_module_leaves_the_others(folder: Path) -> None:
    """What can be imported is listed and verified; the status says that something is missing."""
    (folder / "more.py").write_text("CLAIMS = (\n")
    listed = call("list", folder)
    assert "my_paper/sim-sgd" in listed.stdout
    assert "warning: my_paper/more.py:1: '(' was never closed" in listed.stderr
    done = call("verify", "./my_paper/thm-1", *TINY, status=1)
    assert "6 verdicts" in done.stdout
    assert "my_paper/more.py:1" in done.stderr


def test_a_broken_module_of_a_shipped_paper_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """One syntax error took the listing of all papers with it."""
    key, *others = [k for k in papers.built_in() if k != papers.COMPETITORS]
    right = catalog.importlib.import_module  # type: ignore[attr-defined]

    def wrong(name: str, *more: Any) -> Any:
        if papers.inside(name, [f"{papers.PARENT}.{key}.experiments"]):
            file = papers.built_in()[key].path / "experiments" / "__init__.py"
            raise SyntaxError("'(' was never closed", (str(file), 3, 1, "X = (", 3, 2))
        return right(name, *more)

    with papers.temporary_view():
        papers.look()
        monkeypatch.setattr(catalog.importlib, "import_module", wrong)  # type: ignore[attr-defined]
        found = {k.split("/")[0] for k in catalog.simulations()}
        assert found == set(others)
        (said,) = catalog.import_failures()[key]
        assert said == f"{key}/experiments/__init__.py:3: '(' was never closed in `X = (`"


def test_what_is_recorded_is_said_with_the_simulation(folder: Path) -> None:
    edit(folder / EXPERIMENTS, 'kind="compliant",', 'kind="compliant", record=("grad_sq_mean",),')
    assert "6 verdicts" in call("verify", folder, *TINY, status=1).stdout
    edit(folder / "problems.py", 'return {"grad_sq"', 'return 1, {"grad_sq"')
    said = refused("verify", folder, *TINY)  # of the instance's own class and line, though something wraps it
    assert re.search(r"my_paper/problems.py:\d+: Bowl.metrics: returns tuple; wanted metric -> ", said)
    edit(folder / "problems.py", 'return 1, {"grad_sq"', 'return {"grad_sq"')
    edit(folder / EXPERIMENTS, 'record=("grad_sq_mean",)', 'record=("grad_sq",)')
    said = refused("verify", folder, *TINY)
    assert "no quantity 'grad_sq_mean' is recorded; there are grad_sq" in said
    edit(folder / EXPERIMENTS, 'record=("grad_sq",)', 'record=("gradsq",)')
    said = refused("verify", folder, *TINY)
    assert re.search(
        r"my_paper/experiments.py:\d+: record: 'gradsq' is not measured; there are grad_sq", said
    )


def test_a_paper_is_calibrated_on_its_own_curves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(folder / EXPERIMENTS, "100_000, 300_000, 1_000_000", "4_000, 4_000, 4_000")
    words = ("calibrate", folder, "--repeats", "8", "--jobs", "1")
    rows = call(*words).stdout.splitlines()
    assert [("as claimed" in row, "0.1 slower" in row) for row in rows[1:]] == [(True, False), (False, True)]
    assert all(row.split()[-1] == "True" for row in rows[1:])
    slow, runs = curve_calibration.decide, []

    def always(found: list[Finding], level: float) -> list[Decision]:
        runs.append(found[0].runs)
        return [replace(d, verdict=Verdict.HOLDS) for d in slow(found, level)]

    monkeypatch.setattr(curve_calibration, "decide", always)
    monkeypatch.setattr(of_claims, "WORK", 0)  # however short, it is looked at early
    monkeypatch.setattr(of_evidence, "LEAST", 24)
    assert "more frequent than promised" in call(*words, status=1).stderr
    assert len(set(runs)) > 1, "some claims are settled by an early look, and some by a later one"
    assert "no claim of a rate" in refused("calibrate", f"{folder}/sim-constant", "--jobs", "1")


LEMMA = """
[lem-1] Young | Lemma 1
  says    2 a b is at most a^2 + b^2.
  - product | states
    2*a*b <= a^2 + b^2 for a, b >= 0
"""


def test_what_a_plan_left_out_is_judged_once_claim_or_method_are_changed(folder: Path) -> None:
    """Who repairs a step wants to see the verdict that the pilot runs of the old one did not give."""

    def decided(name: str = "") -> tuple[str, bool]:
        """(name of a claim on SGD, whether the profile decides it) in a view of its own; first it is left out."""
        with papers.temporary_view():
            catalog.entries_for([str(folder)])
            (claim,) = (
                c
                for c in catalog.claims()
                if c.evidence == "rate" and c.experiment == "SGD on a bowl; sigma = 1"
            )
            if not name:
                judged = {claim.id: verify.judgement(claim, "quick")}
                left = plan.Piloted(open=dict.fromkeys(judged, "too few runs"), judged=judged)
                (folder / "plan.json").write_text(plan.Plan({"quick": left}).text())
                papers.look()
                catalog.entries_for([str(folder)])
            made = verify.chosen_claims(["my_paper"], Options("quick"))[0]
            return claim.id, claim.id in [c.id for c in made]

    name, _ = decided()
    assert not decided(name)[1]
    edit(folder / "method.py", '"""', '"""Another word. ')
    assert not decided(name)[1]
    edit(folder / "method.py", "s.x - eta * g", "s.x - 0.9 * eta * g")
    assert decided(name)[1]
    edit(folder / "method.py", "s.x - 0.9 * eta * g", "s.x - eta * g")
    assert not decided(name)[1]
    edit(folder / "theorem.py", "exponent=-1 / 2", "exponent=-2 / 5")
    assert decided(name)[1]


def test_the_ledger_of_a_folder(folder: Path) -> None:
    (folder / "proof.txt").write_text(LEMMA)
    assert "my_paper/lem-1" in call("list", folder).stdout
    assert "certified" in call("ledger", folder, "--jobs", "1", status=None).stdout
    done = call("verify", "./my_paper/lem-1", *TINY)
    assert "The verdict is as expected: 1 holds" in done.stdout


def test_a_renamed_file_keeps_its_records_and_a_typed_key_does_not(here: Path) -> None:
    call("new", "claim.py")
    (here / "claim.py").rename(here / "other.py")
    assert "other/sim-sgd" in call("list", "other.py").stdout
    edit(here / "other.py", "wb.Paper(__name__", 'wb.Paper("claim"')
    assert re.search(
        r"other.py:\d+: PAPER has the key 'claim'; .* the file's name, 'other'", refused("list", "other.py")
    )
    edit(here / "other.py", "PAPER = wb.Paper(", "MINE = wb.Paper(")
    edit(here / "other.py", "Study(PAPER", "Study(MINE")
    assert re.search(
        r"other.py:\d+: the key 'claim/sim-sgd' must begin with other/", refused("list", "other.py")
    )


def test_a_single_file_cannot_import_what_lies_beside_it(here: Path) -> None:
    call("new", "claim.py")
    (here / "beside.py").write_text("X = 1\n")
    edit(
        here / "claim.py",
        "import workbench as wb",
        "from beside import X\nimport workbench as wb",
    )
    assert "put both into a folder" in refused("verify", "claim.py", *TINY)


def test_a_slow_engine_is_explained_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be compiled is still right on the other engine, so it is a remark with a remedy, no error."""
    monkeypatch.setattr(jobs, "SLOW", 0.0)
    edit(folder / METHOD, "import workbench", "import numpy as np\nimport workbench")
    edit(folder / METHOD, "xp.sqrt(t)", "np.sqrt(t)")
    done = call("verify", folder, *TINY[:-2], status=1)
    assert done.stderr.count("ran uncompiled") == 1
    assert re.search(
        r"my_paper/sim-\w+ ran uncompiled, .*method.py:14: .* cannot be compiled; .*", done.stderr
    )
    assert "ran uncompiled" not in call("verify", folder, *TINY[:-2], status=1).stderr


def test_workers_are_told_the_view_and_other_commands_are_not(folder: Path) -> None:
    """What this process starts later must not see the papers of now."""
    with papers.temporary_view():
        papers.look(False, [folder])
        processes.context()
        assert str(folder) in json.loads(processes.environment()[processes.VIEW])["opened"]
    assert processes.VIEW not in os.environ


def test_a_folder_of_papers_in_one_file_each_stands_for_all_of_them(here: Path) -> None:
    for name in ("first.py", "second.py"):
        scaffold.new(here / "mine" / name, single=True)
    text = call("list", "mine").stdout
    assert "first/fig-sgd" in text
    assert "second/fig-sgd" in text


def test_what_is_hashed_is_the_text_that_was_imported(tmp_path: Path) -> None:
    """A module of a folder that is edited after its import, with the same size and time, too."""
    folder = tmp_path / "mine"
    folder.mkdir()
    module = folder / "numbers.py"
    module.write_text("X = 1\n")
    with papers.temporary_view():
        papers.look(standing=False, opened=[folder])
        name = papers.module_name("method", "mine.numbers")
        assert importlib.import_module(name).X == 1
        stamp = module.stat()
        module.write_text("X = 2\n")
        os.utime(module, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert papers.text(module) == b"X = 1\n"
        papers.look(standing=False, opened=[folder])
        assert importlib.import_module(name).X == 2
        assert papers.text(module) == b"X = 2\n"

"""Answers of earlier calls: given again at once while nothing has changed, and never after anything has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import answers
from workbench.homes import libraries

ROOT = Path(__file__).parents[1]
PAPER = '''"""SGD on a bowl."""
import workbench as wb
from pathlib import Path
import helper_of_mine

State = wb.state("x")
Steps = wb.steps("eta")
DATA = float((Path(__file__).parent / "elsewhere" / "number.txt").read_text())


def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta * helper_of_mine.ONE * oracle.grad(s.x, draw(0)) / xp.sqrt(t))


STUDY = wb.Study(__name__, "SGD", metric="grad_norm_mean", view=wb.window_means)
SGD = STUDY.simulation(
    step, Steps(eta=DATA), problem=lambda p: wb.problems.Quadratic(wb.Sphere(p["sigma"])),
    start={"x": 1.0}, grid={"sigma": [1.0]}, horizon=3000, runs=256,
)
CURVE = STUDY.reading("rate", SGD, sigma=1.0, claimed=-1 / 4)
CLAIMS = (CURVE.caught(claimed=-1),)
'''


class Desk:
    """A folder with a paper, and a user with a cache folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "elsewhere").mkdir()
        (folder / "elsewhere" / "helper_of_mine.py").write_text("ONE = 1.0\n")
        (folder / "elsewhere" / "number.txt").write_text("1.0\n")
        (folder / "mine.py").write_text(PAPER)

    def run(self, *words: str, **variables: str) -> tuple[int, str, bool]:
        """Exit status, what was printed, and whether it was given again without loading anything."""
        search = os.pathsep.join([str(ROOT), str(self.folder / "elsewhere")])
        about = {
            **os.environ,
            "PYTHONPATH": search,
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            **variables,
        }
        command = [sys.executable, "-X", "importtime", "-m", "workbench", *words]
        done = subprocess.run(
            command, cwd=self.folder, env=about, capture_output=True, text=True, timeout=300
        )
        return done.returncode, done.stdout, "numpy" not in done.stderr

    def verify(self, *more: str, **variables: str) -> tuple[int, str, bool]:
        return self.run("verify", "mine.py", "--profile", "quick", "--jobs", "1", *more, **variables)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A desk where a verdict was kept."""
    made = Desk(tmp_path_factory.mktemp("desk"))
    time.sleep(0.2)  # a file counts as read only if it is older than the call
    status, printed, at_once = made.verify()
    assert (status, at_once) == (0, False), printed
    assert made.verify() == (0, printed, True)
    return made


def kept(desk: Desk) -> dict[str, Any]:
    (file,) = (desk.folder / "cache").rglob("answers/*.json")
    return json.loads(file.read_bytes())


def other_number_read(desk: Desk) -> None:
    (desk.folder / "elsewhere" / "number.txt").write_text("0.5\n")


def other_helper(desk: Desk) -> None:
    (desk.folder / "elsewhere" / "helper_of_mine.py").write_text("ONE = 0.9\n")


def same_size_and_time(desk: Desk) -> None:
    """The time of a file's last change can be set, that of its inode cannot."""
    file = desk.folder / "elsewhere" / "helper_of_mine.py"
    about = file.stat()
    file.write_text("ONE = 1.1\n")
    os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))


def comment(desk: Desk) -> None:
    (desk.folder / "mine.py").write_text(f"{PAPER}# another size\n")


def touched_result(desk: Desk) -> None:
    for file in (desk.folder / ".workbench").glob("*.nc"):
        os.utime(file)


def lost_result(desk: Desk) -> None:
    for file in (desk.folder / ".workbench").glob("*.nc"):
        file.unlink()


CHANGES = (other_number_read, other_helper, same_size_and_time, comment, touched_result, lost_result)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_is_another_state(change: Callable[[Desk], None], desk: Desk) -> None:
    answer = kept(desk)

    def state() -> str:
        return answers._states(answer["folders"], answer["files"])

    before = state()
    assert before == state()
    time.sleep(0.02)
    change(desk)
    assert state() != before


def test_a_new_library_is_another_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answers._states([], [])
    (tmp_path / "numpy-0.1.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    libraries.releases.cache_clear()
    assert answers._states([], []) != before
    libraries.releases.cache_clear()


def test_a_changed_paper_is_verified_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    time.sleep(0.2)
    _, printed, _ = desk.verify()
    assert desk.verify() == (0, printed, True)
    assert not desk.verify(OTHER="variable")[2]
    assert not desk.verify("--notes")[2]
    (tmp_path / "mine.py").write_text(PAPER.replace("claimed=-1)", "claimed=-1 / 4)"))
    status, again, at_once = desk.verify()
    assert (status, at_once) == (1, False)
    assert again != printed


@pytest.mark.parametrize(
    "line",
    ["import os; HOME = os.environ.get('MINE', '1')", "HERE = list(Path().iterdir())"],
)
def test_what_may_give_other_values_is_not_kept(line: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    (tmp_path / "mine.py").write_text(PAPER.replace("State = ", f"{line}\nState = ", 1))
    time.sleep(0.2)
    assert desk.verify()[0] == 0
    assert not list((tmp_path / "cache").rglob("answers/*.json"))


def test_an_unsteady_name_is_found_wherever_it_stands() -> None:
    for code in (
        "import time; NOW = time.time()",
        "def f():\n class C:\n  def g(self): return [self.now() for _ in 'a']",
    ):
        assert not answers.UNSTEADY.isdisjoint(answers._names(compile(code, "mine.py", "exec")))
    assert answers.UNSTEADY.isdisjoint(answers._names(compile(PAPER, "mine.py", "exec")))


def test_a_damaged_answer_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    place = answers._place(["verify"])
    place.parent.mkdir(parents=True)
    for text in ("", "{}", "[1]", '{"made_from": 1, "folders": 2}', "\x00"):
        place.write_text(text)
        assert answers.begin(["verify"]) is None
    monkeypatch.setattr(answers, "_call", None)


def test_a_command_loads_no_other_and_help_no_numpy() -> None:
    code = (
        "import sys; from workbench.cli import commands; loaded = lambda *names: [n in sys.modules for n in names];"
        "commands.application('judge'); print(loaded('workbench.cli.judge', 'workbench.cli.verify'));"
        "commands.application('--help'); print(loaded('workbench.cli.verify', 'numpy'))"
    )
    about = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=about, capture_output=True, text=True, timeout=300
    )
    assert done.stdout == "[True, False]\n[True, False]\n", done.stderr


def test_a_surprise_is_printed_again_with_its_status(tmp_path: Path) -> None:
    mine = Desk(tmp_path)
    (tmp_path / "mine.py").write_text(PAPER.replace("caught(claimed=-1)", "rate(claimed=-1)"))
    time.sleep(0.2)
    status, printed, _ = mine.verify()
    assert status == 1
    assert "violated" in printed
    assert mine.verify() == (1, printed, True)

"""The README's examples are run as they stand and must print what the README shows."""

import re
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from workbench.cli.app import app

README = Path(__file__).parents[1] / "README.md"
WIDTH = {"COLUMNS": "100"}  # of its tables


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_the_example_prints_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one-file check, saved and verified as the README says."""
    (example,) = blocks("python")
    command, shown = next(b for b in blocks("text") if "my_claim.py" in b).split("\n", 1)
    command, _, remark = command.partition("#")
    assert len(example.splitlines()) <= 20
    monkeypatch.chdir(tmp_path)
    Path("my_claim.py").write_text(example)
    printed = CliRunner(env=WIDTH).invoke(app, command.removeprefix("$ workbench ").split())
    assert f"exit status {printed.exit_code}" in remark, printed.output  # it finds the bound to be wrong
    assert [line.rstrip() for line in printed.stdout.splitlines()] == shown.splitlines()


def test_a_new_paper_is_what_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands on a folder, with a horizon at which they are quick."""
    (block,) = (b for b in blocks("console") if "workbench new" in b)
    monkeypatch.chdir(tmp_path)
    for line in block.splitlines():
        words = line.removeprefix("$ workbench ").split("#")[0].split()
        small = ["--horizon", "300", "--runs", "20", "--engine", "eager", "--jobs", "1"]
        done = CliRunner().invoke(
            app, [*words, *(small if words[0] in ("verify", "figures", "replay") else [])]
        )
        assert done.exit_code == (1 if words[0] == "verify" else 0), (
            done.output
        )  # 300 iterations decide no rate


def test_the_first_screen_is_the_answer() -> None:
    """Short, with the example, its card and one figure before anything else."""
    text = README.read_text()
    assert len(text.splitlines()) <= 150
    order = [text.index(part) for part in ("```python", "my_claim/thm-1: ", "![", "## Five minutes")]
    assert order == sorted(order)
    assert text[: order[-1]].count("\n") <= 60


def test_the_cards_are_what_the_command_prints(tmp_path: Path) -> None:
    (block,) = (b for b in blocks("console") if "workbench verify" in b and "verdicts are as expected" in b)
    command, shown = block.split("\n", 1)
    arguments = command.removeprefix("$ workbench ").split()
    printed = CliRunner(env=WIDTH).invoke(app, [*arguments, "--store", str(tmp_path)])
    assert printed.exit_code == 0
    assert [line.rstrip() for line in printed.stdout.splitlines()] == shown.splitlines()


def test_every_picture_of_the_readme_exists() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README.read_text(), flags=re.DOTALL)
    assert pictures
    assert all((README.parent / picture).is_file() for picture in pictures)


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"(?:`|\$ )workbench (\w[\w-]*)", README.read_text()))
    assert named >= {"list", "verify", "figures", "replay", "new", "calibrate", "doctor"}
    assert named <= set(get_command(app).commands)


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (README.parent / "Makefile").read_text()
    named = set(re.findall(r"\$ make ([\w-]+)", README.read_text()))
    assert named
    for target in named:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target

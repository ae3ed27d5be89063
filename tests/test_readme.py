"""The README's example is run as it stands and must print what the README shows."""

import contextlib
import io
import re
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from workbench.cli import app

README = Path(__file__).parents[1] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_the_example_prints_what_the_readme_shows() -> None:
    (example,), (shown,) = blocks("python"), blocks("text")
    assert len(example.splitlines()) <= 25
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, str(README), "exec"), {"__name__": "example"})
    assert printed.getvalue() == shown


def test_the_verdict_table_is_what_the_command_prints(tmp_path: Path) -> None:
    (block,) = (b for b in blocks("console") if "workbench verify" in b and "claims:" in b)
    command, shown = block.split("\n", 1)
    arguments = command.removeprefix("$ workbench ").split()
    printed = CliRunner().invoke(app, [*arguments, "--store", str(tmp_path)])
    assert printed.exit_code == 0
    assert [line.rstrip() for line in printed.stdout.splitlines()] == shown.splitlines()


def test_every_picture_of_the_readme_exists() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README.read_text(), flags=re.DOTALL)
    assert pictures
    assert all((README.parent / picture).is_file() for picture in pictures)


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"(?:`|\$ )workbench (\w+)", README.read_text()))
    assert named >= {"list", "verify", "figures", "replay", "calibrate", "doctor"}
    assert named <= set(get_command(app).commands)


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (README.parent / "Makefile").read_text()
    named = set(re.findall(r"\$ make ([\w-]+)", README.read_text()))
    assert named
    for target in named:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target

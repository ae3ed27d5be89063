"""The pages of `docs/`: their code is saved and run in order, and their commands print what is shown.

A block of a page starts with its language. ``python FILE`` is saved; ``diff FILE`` replaces lines of it; ``python``
alone is run, in the names of those before; ``console`` holds commands, each with what it prints (nothing shown:
anything) and, in a comment, its exit status. Commands of other blocks (``sh``) are not run.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from workbench.cli.app import app

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
WIDTH = {"COLUMNS": "100"}


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """(language, name of a file or "", text) of each block."""
    yield from re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, int, str]]:
    """(command, exit status, what it prints) of each command of a block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        command, _, remark = line.partition("#")
        status = re.search(r"exit status (\d)", remark)
        yield command.strip(), int(status[1]) if status else 0, shown


def edited(text: str, diff: str) -> str:
    old, new = ("".join(f"{line[1:]}\n" for line in diff.splitlines() if line[0] == sign) for sign in "-+")
    assert text.count(old) == 1, old
    return text.replace(old, new)


def ran(command: str) -> tuple[int, str]:
    """Exit status and output of a command of the workbench, or of `cp`."""
    words = shlex.split(command)
    if words[0] == "cp":
        for source in words[1:-1]:
            for path in sorted(Path().glob(source)):
                Path(words[-1]).mkdir(parents=True, exist_ok=True)
                shutil.copy(path, words[-1])
        return 0, ""
    assert words[0] == "workbench", command
    done = CliRunner(env=WIDTH).invoke(app, words[1:])
    return done.exit_code, done.stdout if done.exit_code < 2 else done.output


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


# What a cluster's page shows starts many processes; `test_cluster` has the command.
NO_TORCH = importlib.util.find_spec("torch") is None
MARKS = {
    "on-many-machines": pytest.mark.long,
    "your-optimizer": pytest.mark.skipif(
        NO_TORCH, reason="PyTorch is not installed: pip install '.[optimizers]'"
    ),
}
SHOWN = [pytest.param(p, marks=MARKS.get(p.stem, ())) for p in PAGES]


@pytest.mark.parametrize("page", SHOWN, ids=[page.stem for page in PAGES])
def test_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "guide"}
    for language, name, text in blocks(page):
        if language in ("python", "text") and name:
            Path(name).write_text(text)
        elif language == "python":
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(text, f"{page.name}", "exec", dont_inherit=True), names)
            shown = [line.removeprefix("# ") for line in text.splitlines() if line.startswith("# ")]
            assert stripped(said.getvalue()) == shown
        elif language == "diff":
            Path(name).write_text(edited(Path(name).read_text(), text))
        elif language == "console":
            for command, status, shown in commands(text):
                found, printed = ran(command)
                assert found == status, printed
                assert not shown.strip() or stripped(printed) == stripped(shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_and_commands_of_a_page_exist(page: Path) -> None:
    text = page.read_text()
    for target in re.findall(r"\]\((?!https:)([^)#]+)\)", text):
        assert (page.parent / target).exists(), target
    assert set(re.findall(r"`workbench ([a-z-]+)", text)) <= set(get_command(app).commands)
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{t}:", makefile, re.MULTILINE) for t in re.findall(r"`make ([\w-]+)", text))

"""An output that cannot be written, interrupts, and errors that nobody foresaw, in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors and signals")
ROOT = Path(__file__).parents[1]


def shell(command: str, body: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell command in which PROGRAM is a guarded program with this body."""
    text = f"from workbench.cli import guard\ndef app(standalone_mode):\n    {body}\nguard.run(lambda: app)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PROGRAM_TEXT": text, **variables}
    program = f'"{sys.executable}" -c "$PROGRAM_TEXT"'
    return subprocess.run(
        ["bash", "-c", command.replace("PROGRAM", program)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        env=environment,
        check=False,
    )


def test_a_reader_that_leaves_is_no_error() -> None:
    done = shell(
        "PROGRAM | head -c 3; exit ${PIPESTATUS[0]}", "[print('x' * 999) for _ in range(999)]; return 1"
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "xxx", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_behind_the_output_is_said_at_the_end(tmp_path: Path) -> None:
    done = shell("PROGRAM > /dev/full", f"print('x' * 10**6); open({str(tmp_path / 'done')!r}, 'w')")
    assert done.returncode == 2
    assert done.stderr == "error: cannot write to standard output: No space left on device\n"
    assert (tmp_path / "done").exists(), "the command went on"


def test_what_the_encoding_lacks_is_replaced() -> None:
    done = shell(
        "PROGRAM", r"print('T\u2026 \u03c3 \udcff')", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING=""
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "T? ? ?\n", "")


def test_ctrl_c_in_a_weak_references_callback_is_not_lost() -> None:
    body = "import weakref, signal, time; a = type('A', (), {})(); "
    body += "r = weakref.ref(a, lambda _: signal.raise_signal(signal.SIGTERM)); del a; time.sleep(600)"
    done = shell("PROGRAM", body)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")


# What mpmath does while it looks for a faster library.
DROPPING = (
    "try: import os, signal; os.kill(os.getpid(), signal.{name}); [0 for _ in range(9**6)]\nexcept: pass"
)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_that_a_library_drops_is_not_lost(name: str, tmp_path: Path) -> None:
    (tmp_path / "dropping.py").write_text(DROPPING.format(name=name))
    body = f"import sys, time; sys.path.insert(0, {str(tmp_path)!r}); import dropping; print('dropped'); "
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a child inherits that it is ignored, as below nohup
    done = shell("PROGRAM", body + "time.sleep(600)")
    assert (done.returncode, done.stdout, done.stderr) == (130, "dropped\n", "error: interrupted\n")


def test_an_interrupt_while_a_text_is_executed_ends_with_the_same_status(tmp_path: Path) -> None:
    """SymPy imports so. Python would end itself by SIGINT then (of ``python -m`` only)."""
    text = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(600)"
    program = f"from workbench.cli import guard\nguard.run(lambda: lambda **_: exec({text!r}))"
    (tmp_path / "program.py").write_text(program)
    done = shell(f'PYTHONPATH="{tmp_path}:$PYTHONPATH" "{sys.executable}" -m program', "")
    assert (done.returncode, done.stderr) == (130, "error: interrupted\n")


def test_an_interrupt_that_typer_made_a_status_is_said() -> None:
    """It does so for Ctrl-C while a command is imported or its arguments are read."""
    body = "import typer; app = typer.Typer(); app.command()(lambda: __import__('signal').raise_signal(2)); "
    done = shell("PROGRAM", body + "return app(args=[], standalone_mode=standalone_mode)")
    assert (done.returncode, done.stderr) == (130, "error: interrupted\n")


def test_an_interrupt_is_said_once() -> None:
    """A command that reports it itself, and lets go of it, is not interrupted again."""
    body = "from workbench.cli.usage import in_sentences as of; import atexit, signal, time, typer; "
    body += "atexit.register(print, 'cleaned up'); app = typer.Typer(); "
    body += (
        "app.command()(of(lambda: signal.raise_signal(2))); status = app(args=[], standalone_mode=False); "
    )
    done = shell("PROGRAM", body + "time.sleep(0.5); return status")
    assert (done.returncode, done.stdout) == (130, "cleaned up\n")
    assert re.fullmatch(r"error: interrupted; .*\n", done.stderr), done.stderr


def test_an_unforeseen_error_is_a_sentence_and_a_file() -> None:
    done = shell("PROGRAM", r"raise ValueError('no\nsense')")
    assert done.returncode == 3, "no status of a verdict"
    (said,) = done.stderr.splitlines()
    assert said.startswith("error: ValueError: no sense; this is a fault of the workbench")
    found = re.search(r"the traceback is in (.*)", said)
    assert found is not None
    file = Path(found[1])
    assert "Traceback" in file.read_text()
    file.unlink()
    shown = shell("PROGRAM", "raise ValueError('nonsense')", WORKBENCH_TRACEBACK="1")
    assert shown.returncode == 3
    assert "Traceback (most recent call last)" in shown.stderr


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_outside_a_command(name: str, tmp_path: Path) -> None:
    text = (
        "import time\nfrom workbench.cli import guard\n"
        f"def load():\n    open({str(tmp_path / 'ready')!r}, 'w').close()\n"
        # Python handles a signal that arrives just before a long sleep only after it.
        "    for _ in range(6000): time.sleep(0.01)\nguard.run(load)"
    )
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a child inherits that it is ignored, as below nohup
    process = subprocess.Popen(
        [sys.executable, "-c", text],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    until = time.monotonic() + 60
    while not (tmp_path / "ready").exists():
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(getattr(signal, name))
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "error: interrupted\n")


def test_statuses_are_passed_on() -> None:
    assert shell("PROGRAM", "return 1").returncode == 1
    assert shell("PROGRAM", "raise SystemExit(2)").returncode == 2
    assert shell("PROGRAM", "raise KeyboardInterrupt").returncode == 130

"""Workers end with the process that they serve, and Ctrl-C reaches that process alone."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from multiprocessing import spawn
from pathlib import Path

import pytest
from thin import one_in
from waiting import group_lives, wait_for

from workbench.homes.usage import UsageError
from workbench.run import processes

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="no fork server")
ROOT = Path(__file__).parents[1]
# A pool whose workers write their numbers and then wait for work that never comes.
PROGRAM = """
import multiprocessing.context, os, sys, time
from workbench.run import processes
preload = sys.argv[1:]
set_preload = multiprocessing.context.BaseContext.set_forkserver_preload
multiprocessing.context.BaseContext.set_forkserver_preload = lambda self, names: set_preload(self, preload)
if __name__ == "__main__":
    try:
        with processes.pool(2, processes.begin, (processes.environment(),)) as pool:
            print(*{pool.submit(os.getpid).result() for _ in range(20)}, flush=True)
            time.sleep(60)
    except KeyboardInterrupt:
        processes.stop_server()
        sys.exit(130)
"""


def started(tmp_path: Path, *preload: str) -> subprocess.Popen[str]:
    (tmp_path / "program.py").write_text(PROGRAM)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a child inherits that it is ignored, as below nohup
    (tmp_path / "slow.py").write_text("import time\nopen('loading', 'w').close()\ntime.sleep(5)\n")
    return subprocess.Popen(
        [sys.executable, "program.py", *preload],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )


@pytest.mark.parametrize("name", ["SIGKILL", "SIGHUP"])
def test_nobody_outlives_the_main_process(name: str, tmp_path: Path) -> None:
    process = started(tmp_path)
    assert process.stdout is not None
    workers = process.stdout.readline().split()
    assert workers
    os.kill(process.pid, getattr(signal, name))
    process.communicate(timeout=60)  # nobody holds the output open
    wait_for(lambda: not group_lives(process.pid))


def test_an_interrupt_while_the_server_imports(tmp_path: Path) -> None:
    """A terminal sends it to the server as well, which has not learned to ignore it."""
    process = started(tmp_path, "slow")
    wait_for(lambda: (tmp_path / "loading").exists())
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "")
    wait_for(lambda: not group_lives(process.pid))


class Deaf:
    """A worker that takes no notice of a request to end."""

    def __init__(self) -> None:
        code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"
        self.of = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
        assert self.of.stdout is not None
        self.of.stdout.readline()
        self.terminate, self.kill = self.of.terminate, self.of.kill

    def join(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.of.communicate(timeout=seconds)


def test_a_worker_that_does_not_end_is_killed() -> None:
    worker = Deaf()
    processes.end([worker], seconds=0.2)
    worker.join(10)
    assert worker.of.returncode == -signal.SIGKILL


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, BrokenPipeError])
def test_a_server_that_is_gone_is_one_sentence(error: type[Exception]) -> None:
    with (
        pytest.raises(UsageError, match="a worker process was killed while waiting"),
        processes.explaining_a_kill("waiting"),
    ):
        raise error


UNSENT = """
import sys
from concurrent.futures import process
from workbench.homes import papers
from workbench.run import processes

papers.look(standing=False)  # no paper is needed here: to import them takes seconds

def unsent(*given, **named):
    raise {error}

def begin(environment):
    processes.begin(environment)
    process._sendback_result = unsent

if __name__ == "__main__":
    try:
        with processes.explaining_a_kill("testing"), processes.pool(1, begin, (processes.environment(),)) as pool:
            pool.submit(len, "").result()
    except processes.UsageError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("error", "shown"), one_in(2, [("MemoryError()", False), ("ValueError('odd')", True)], unpack=True)
)
def test_a_worker_without_memory_for_its_error_ends_quietly(tmp_path: Path, error: str, shown: bool) -> None:
    """Found by the fault campaign: a traceback of a worker that could not even pickle its MemoryError."""
    (tmp_path / "program.py").write_text(UNSENT.format(error=error))
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    assert "a worker process was killed while testing" in done.stdout
    assert ("Traceback" in done.stderr) == shown


def test_what_is_no_method_does_not_end_the_server() -> None:
    """Of a paper that somebody else installed, say: a worker tells it to those who ask for that paper."""
    program = (
        "from types import SimpleNamespace\n"
        "from workbench.run import catalog\n"
        "catalog.lemmas = dict\n"
        "catalog.simulations = lambda: {'x/sim': SimpleNamespace(algorithm=None)}\n"
        "import workbench.run.preload\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_worker_whose_parent_has_ended_while_it_started_says_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of 200 interrupted commands one had, below its sentence, the traceback of a worker without semaphores."""
    read, write = os.pipe()
    os.close(write)
    try:
        spawn._main(read, read)
    except EOFError as error:
        processes.quiet_orphan(EOFError, error, error.__traceback__)
    assert capsys.readouterr().err == ""
    processes.quiet_orphan(EOFError, EOFError("no orphan"), None)
    assert "no orphan" in capsys.readouterr().err

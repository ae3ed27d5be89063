"""Commands in forked processes, so that a thousand of them need no thousand imports; what they leave behind."""

from __future__ import annotations

import contextlib
import email.parser  # noqa: F401 (for the versions of packages; as a user without rights, a command could not import it)
import encodings.ascii  # noqa: F401 (the same)
import json
import multiprocessing
import multiprocessing.popen_fork
import os
import random
import resource
import signal
import sys
import tempfile
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import h5py  # noqa: F401 (imported here, once for all commands)
import rich.progress  # noqa: F401 (as email.parser)
import scipy.optimize  # noqa: F401 (the same: its linear algebra starts threads, and ends a process that has no memory for them)

import workbench.report.verdict_table
import workbench.verdicts.verify  # noqa: F401
from workbench.claims import interim_analyses as looks_of_experiments
from workbench.cli import app, guard
from workbench.evidence import interim_analyses
from workbench.run import processes
from workbench.run.store import checkpoint
from workbench.run.store.results import Store

LIMIT = 1200.0  # seconds after which a command is said to hang
ALLOWED = {0, 1, 2, 4, 130}
# A method and two simulations, so that two workers have something to do. The first takes all of its looks.
PAPER = '''\
"""SGD on a noisy quadratic."""
from typing import Any, NamedTuple

from workbench.theory.record import Paper
from workbench.arrays.noise import Sphere
from workbench.engine.records import Grid
from workbench.claims.readings import Claimed
from workbench.claims.records import Batch
from workbench.claims.batches import profile
from workbench.claims.study import Study
from workbench.claims.views import window_means
from workbench.problems.single_level import Quadratic

State = NamedTuple("State", [("x", Any)])
Steps = NamedTuple("Steps", [("eta", Any)])

def init(start, c, oracle, draw, xp):
    return State(start["x"])

def step(s, t, c, oracle, draw, xp):
    return State(s.x - c.eta / xp.sqrt(t) * oracle.grad(s.x, draw(0)))

def make(horizon, runs):
    grid = Grid([{"sigma": 1.0}], runs)
    return Batch(Quadratic(Sphere(grid["sigma"])), Steps(eta=1.0), {"x": grid.full(1.0)}, grid)

STUDY = Study(Paper("tiny", "SGD", "nobody", "nowhere"), metric="grad_norm_mean", view=window_means)
ONE, TWO = (STUDY.simulation_from(f"{n}", "SGD", __name__, make, profile(2000, 2000, 2000), profile(96, 96, 96))
            for n in ("one", "two"))
CLAIMS = tuple(STUDY.reading("tiny/rate", sim, {"sigma": 1.0}, claimed=Claimed(-1 / 4, "me")).caught(
    claimed=Claimed(wrong, "too good to be true")) for sim, wrong in ((ONE, -0.35), (TWO, -1.0)))
'''
VERIFY = ("verify", "./tiny.py", "--engine", "eager", "--store", "store", "--json", "out.json")


@dataclass
class Running:
    """A command in a process group of its own."""

    pid: int
    folder: Path
    began: float

    def children(self) -> list[int]:
        return [pid for depth, pid in descendants(self.pid) if depth == 1]

    def wait(self) -> tuple[int, str]:
        """(status, negative for a signal; standard error)."""
        while True:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                err = self.folder / "err"  # missing if it was killed before it began
                said = err.read_text(errors="replace") if err.exists() else ""
                return os.waitstatus_to_exitcode(status), said
            if time.monotonic() > self.began + LIMIT:
                os.killpg(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return 124, "it hangs"
            time.sleep(0.005)

    def lives(self, seconds: float = 20.0) -> bool:
        """Whether some process of the group is still there after so many seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                os.killpg(self.pid, 0)
            except (ProcessLookupError, PermissionError):
                return False
            time.sleep(0.02)
        os.killpg(self.pid, signal.SIGKILL)
        return True


def _tracks(pid: int) -> bool:
    """Whether this is Python's own tracker of semaphores; one that replaces a killed one prints tracebacks."""
    return b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()


def descendants(pid: int, depth: int = 1) -> list[tuple[int, int]]:
    """(generation, process) of all that a process has started, in any of its threads."""
    found = []
    for task in sorted(Path(f"/proc/{pid}/task").glob("*/children")):
        with contextlib.suppress(OSError, ValueError):
            for child in map(int, task.read_text().split()):
                found += [(depth, child), *descendants(child, depth + 1)] if not _tracks(child) else []
    return found


def start(
    folder: Path, words: tuple[str, ...], prepare: Callable[[], None] = lambda: None, early: bool = True
) -> Running:
    """Forks a process that runs the command line in a folder; prepare: called in it before.

    early: looks at simulations however short they are.
    """
    sys.stdout.flush()
    early_signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # wait until the command has begun
    signal.pthread_sigmask(signal.SIG_BLOCK, early_signals)
    pid = os.fork()
    if pid:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, early_signals)
        with contextlib.suppress(OSError):
            os.setpgid(pid, pid)
        return Running(pid, folder, time.monotonic())
    status = 99
    try:
        with contextlib.suppress(PermissionError):  # the parent has made it the leader of its group
            os.setsid()
        os.chdir(folder)
        for number, name in ((0, os.devnull), (1, "out"), (2, "err")):
            handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
            os.dup2(handle, number)
            os.close(handle)
        weakref.finalize._registry.clear()  # type: ignore[attr-defined]  # the campaign's folder is not the command's to remove
        tempfile.tempdir = str(folder)  # where a traceback would be kept
        sys.argv = ["workbench", *words]
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            signal.signal(
                getattr(signal, name), signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
            )
        _hasten()
        if early:
            looks_of_experiments.WORK, interim_analyses.LEAST = 0, 12
        prepare()

        def begun() -> Callable[..., object]:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, early_signals)
            return app.app

        guard.run(begun)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 98
    finally:
        multiprocessing.util._exit_function()  # type: ignore[attr-defined]
        os._exit(status)


def _hasten() -> None:
    """Workers are forked from this process, and checkpoints are written all the time.

    A worker of the server, which this saves, never sees Ctrl-C and has no handlers of the command's.
    """

    def as_from_the_server() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    os.register_at_fork(after_in_child=as_from_the_server)
    processes.context = lambda: multiprocessing.get_context("fork")  # type: ignore[assignment]
    checkpoint.WORTH, checkpoint.EVERY, checkpoint.SHARE = 0.0, 0.02, 1.0  # type: ignore[assignment]


def run(
    folder: Path, *words: str, prepare: Callable[[], None] = lambda: None, early: bool = True
) -> tuple[int, str]:
    return start(folder, words, prepare, early).wait()


def little_room(size: int) -> Callable[[], None]:
    """No file may grow beyond so many bytes, as on a disk that is nearly full."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def as_nobody(folder: Path) -> Callable[[], None]:
    """A user who may write in the folder, but not in its store. (Root may write anywhere.)"""
    store, nobody = folder / "store", 65534
    store.mkdir(exist_ok=True)
    store.chmod(0o555)
    if os.getuid() == 0:
        for part in [folder, *folder.parents[:2]]:
            part.chmod(0o755)
        os.chown(folder, nobody, nobody)
        return lambda: os.setuid(nobody)
    return lambda: None


def jumping_clock(chance: random.Random) -> Callable[[], None]:
    """A clock that is set back or forward by up to thirty years whenever it is read."""

    def patch() -> None:
        clock = time.time
        time.time = lambda: clock() + chance.uniform(-1e9, 1e9)  # type: ignore[assignment]

    return patch


def little_memory(size: int) -> Callable[[], None]:
    """No more than so many bytes beyond what the command has when it begins."""

    def limit() -> None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        at_most = pages * resource.getpagesize() + size
        resource.setrlimit(resource.RLIMIT_AS, (at_most, at_most))

    return limit


def fresh(base: Path, name: str) -> Path:
    """A folder with the paper in it."""
    folder = base / name
    folder.mkdir()
    (folder / "tiny.py").write_text(PAPER)
    return folder


def claims(folder: Path, name: str = "out.json") -> list[dict] | None:
    """The claims of a report without the time they took; None without report. Raises ValueError for half of one."""
    path = folder / name
    if not path.exists():
        return None
    rows = json.loads(path.read_text())["claims"]
    return [{k: v for k, v in row.items() if k != "seconds"} for row in rows]


def broken_files(folder: Path) -> list[str]:
    """Results of a store that are not whole."""
    store = Store(folder / "store")
    for path in sorted(store.folder.glob("*.nc")):
        store.load(path.stem)
    return store.take_notices()


def wrong(status: int, said: str, allowed: set[int] = ALLOWED) -> str:
    """What is wrong with the end of a command; "" if nothing is."""
    if status not in allowed:
        return f"status {status}: {said[-300:]}"
    if "Traceback" in said:
        return f"a traceback: {said}"
    # Libraries may have said something of their own before.
    if status == 2 and not any(line.startswith(("error: ", "warning: ")) for line in said.splitlines()):
        return f"status 2 without a sentence: {said[-300:]!r}"
    return ""

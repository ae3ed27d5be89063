"""Questions to a process of its own, which is ended when an answer takes too much processor time or memory.

No count made beforehand covers every statement, and what runs inside a library cannot be interrupted; a process can be
ended. Where the platform limits processes (Linux; macOS for time), the limits are its own: processor time, and address
space beyond what the process has at its start. Elsewhere the time on the clock is limited alone. Standard library only.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

ROOM = 1 << 30  # bytes of memory for an answer, beyond those of the process at its start
PATIENCE = 8  # times the processor time: other processes may have most of the machine
START = 30.0  # seconds on the clock for the imports of a process


class Over(RuntimeError):
    """No answer within the limits. lasting: it would be the same in another call; the message says what was over."""

    def __init__(self, why: str, lasting: bool) -> None:
        super().__init__(why)
        self.lasting = lasting


def limit_memory(room: int = ROOM) -> None:
    """Limits the address space of this process to what it has now and `room` bytes, where that can be done."""
    with contextlib.suppress(OSError, ValueError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        _lower("RLIMIT_AS", pages * os.sysconf("SC_PAGE_SIZE") + room)


def limit_time(seconds: float) -> None:
    """Ends this process, by SIGXCPU, when it has used so much more processor time, where that can be done."""
    if resource is None:
        return
    _lower("RLIMIT_CORE", 0)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with contextlib.suppress(OSError, ValueError):
        _lower("RLIMIT_CPU", int(usage.ru_utime + usage.ru_stime + seconds) + 1)


def _lower(name: str, value: int) -> None:
    """Sets the soft limit, below the hard one."""
    if (kind := getattr(resource, name, None)) is not None:
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def time_was_over(status: int | None) -> bool:
    """Does the exit status of a process say that `limit_time` ended it?"""
    return status is not None and status == -getattr(signal, "SIGXCPU", 0) != 0


class Confined:
    """A process that imports a module of this project and calls its function `answer`, one question at a time.

    Questions and answers are JSON. The process starts with the first question, and again after it was ended.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self._process: subprocess.Popen[str] | None = None
        self._new = True

    def ask(self, question: Any, seconds: float) -> Any:
        """The answer. seconds: of processor time.

        Raises Over, and ValueError with the words of an error in `answer`.
        """
        fresh = self._process is None or self._new
        process = self.begin()
        self._new = False
        late = threading.Event()
        clock = (PATIENCE if resource else 1) * seconds + START * fresh

        def end() -> None:
            late.set()
            process.kill()

        guard = threading.Timer(clock, end)
        guard.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([question, seconds]) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        except BaseException:  # interrupted: the answer must not be taken for that of the next question
            self.stop()
            raise
        finally:
            guard.cancel()
        reply = (
            json.loads(line)
            if line.endswith("\n")
            else self._why_it_ended(process, seconds, clock, late.is_set())
        )
        if "over" in reply:
            self.stop()
            raise Over(reply["over"], reply.get("lasting", True))
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["answer"]

    def begin(self) -> subprocess.Popen[str]:
        """The process, which imports its module while this one does something else."""
        if self._process is None:
            command = [sys.executable, "-P", __file__, self.module]
            self._new = True
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        return self._process

    @staticmethod
    def _why_it_ended(process: Any, seconds: float, clock: float, late: bool) -> dict[str, Any]:
        if time_was_over(status := process.wait()):
            return {"over": over_time(seconds)}
        if late:
            return {"over": f"no answer within {clock:g} s on the clock", "lasting": False}
        return {
            "over": f"its process ended (status {status}), for want of memory or killed",
            "lasting": False,
        }

    def stop(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def __enter__(self) -> Confined:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def over_time(seconds: float) -> str:
    return f"over {seconds:g} s of processor time"


def over_memory() -> str:
    return f"over {ROOM >> 30} GiB of memory"


def _serve(name: str) -> None:
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks, and ends this one
    module = importlib.import_module(name)
    limit_memory()
    for line in sys.stdin:
        try:
            print(_reply(module.answer, line), file=out, flush=True)
        except BrokenPipeError:  # nobody waits for the answer any more
            os._exit(1)


def _reply(answer: Any, line: str) -> str:
    try:
        question, seconds = json.loads(line)
        limit_time(seconds)
        return json.dumps({"answer": answer(question)})
    except MemoryError:
        return json.dumps({"over": over_memory()})
    except Exception as error:  # an error in a checker concerns this question alone
        return json.dumps({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    _serve(sys.argv[1])

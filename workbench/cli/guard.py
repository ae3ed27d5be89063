"""What surrounds every command: an output that cannot be written, interrupts, and errors that nobody foresaw.

A reader that leaves early (``| head``) is no error. An output that cannot be written for another reason is reported at
the end, by status 2, and does not stop the command. An error that nobody foresaw is one sentence and status 3, so that
no caller takes it for "not as expected"; its traceback is kept in a file, or shown if WORKBENCH_TRACEBACK is set.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from workbench.homes import memory

USAGE, UNFORESEEN, UNSTORED, INTERRUPTED = 2, 3, 4, 130  # exit statuses
TRACEBACK = "WORKBENCH_TRACEBACK"
# How often cycles are searched for. Python's own (700, 10, 10) takes a tenth of a command that mostly imports, whose
# objects all stay.
SELDOM = (50_000, 20, 20)
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class _Output(io.FileIO):
    """Standard output, which swallows everything after the first error. failure: that error."""

    failure: OSError | None = None

    def write(self, content: object) -> int:
        view = memoryview(content)  # type: ignore[arg-type]
        try:
            return view.nbytes if self.failure else super().write(view) or 0
        except OSError as error:
            self.failure = error
            return view.nbytes


class Interrupt(KeyboardInterrupt):
    """Ctrl-C, SIGTERM or SIGHUP (number). One that a library drops comes again.

    mpmath, for one, has a bare ``except`` around an import, and Python drops what is raised in a finalizer. What was
    dropped is collected; what is on its way to the command's end is not.
    """

    is_heard = False  # the command has begun to report it

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def __del__(self) -> None:
        if not Interrupt.is_heard:  # a moment later: in a finalizer it would be dropped once more
            threading.Timer(0.01, os.kill, (os.getpid(), self.number)).start()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupt(number)


def run(load: Callable[[], Callable[..., object]]) -> None:
    """Runs a command line and exits with its status.

    load: imports it; it takes Typer's ``standalone_mode`` and returns a status or None. SIGTERM and SIGHUP are handled
    like Ctrl-C, unless they are ignored (nohup).
    """
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)
    sys.unraisablehook = _without_interrupts
    gc.set_threshold(*SELDOM)
    output = _Output(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output), sys.stdout.encoding, errors="replace", line_buffering=output.isatty()
    )
    status = _status(load)
    for name in SIGNALS:  # nothing is left to interrupt
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.stdout.flush()
    if output.failure is not None and not isinstance(output.failure, BrokenPipeError):
        _say(f"cannot write to standard output: {output.failure.strerror}")
        status = status or USAGE
    if status == INTERRUPTED:
        # A library whose import was interrupted can stop Python's finalization (the GIL "is released"), and after an
        # interrupt in a text that is executed (SymPy imports so) it ends by SIGINT instead of this status.
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)
    gc.freeze()  # the process ends: searching all that is left for cycles is a sixth of a short command
    sys.exit(status)


def _without_interrupts(event: sys.UnraisableHookArgs) -> None:
    if not issubclass(event.exc_type, Interrupt):
        sys.__unraisablehook__(event)


def _status(load: Callable[[], Callable[..., object]]) -> int:
    try:
        status = load()(standalone_mode=False)
        # Typer's, for Ctrl-C while a command is imported or its arguments are read.
        if status == INTERRUPTED and not Interrupt.is_heard:
            return _end_of_interrupt()
        return status if isinstance(status, int) else 0
    except KeyboardInterrupt:
        return _end_of_interrupt()
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    except Exception as error:
        if type(error).__name__ == "Abort":  # the same of older versions of Typer
            return _end_of_interrupt()
        if memory.lacking(error):
            return _say(f"not enough memory ({' '.join(str(error).split()) or 'none is left'})")
        return _unforeseen(error)


def _end_of_interrupt() -> int:
    Interrupt.is_heard = True
    return _say("interrupted", INTERRUPTED)


def _unforeseen(error: Exception) -> int:
    """Reports an error that no command foresees."""
    sentence = f"{type(error).__name__}: {' '.join(str(error).split())}"
    text = "".join(traceback.format_exception(error))
    if os.environ.get(TRACEBACK):
        return _say(f"{sentence}\n{text}".rstrip(), UNFORESEEN)
    where = f"{TRACEBACK}=1 shows the traceback"
    with suppress(OSError):
        handle, name = tempfile.mkstemp("-traceback.txt", "workbench-")
        os.write(handle, text.encode("utf-8", "replace"))
        where = f"the traceback is in {name}"
    return _say(f"{sentence}; this is a fault of the workbench or of a library, {where}", UNFORESEEN)


def _say(sentence: str, status: int = USAGE) -> int:
    with suppress(OSError, ValueError):
        sys.stderr.write(f"error: {sentence}\n")
        sys.stderr.flush()
    return status

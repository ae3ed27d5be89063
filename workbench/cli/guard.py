"""What surrounds every command: standard streams that may be closed, full or not Unicode, and unforeseen errors.

A reader that leaves early (``| head``) is no error. A stream that cannot be written for another reason is reported at
the end, by status 2, and does not stop the command. An error that nobody foresaw is one sentence and status 3, so that
no caller takes it for "not as expected"; its traceback is kept in a file, or shown if WORKBENCH_TRACEBACK is set.
"""

from __future__ import annotations

import _thread
import errno
import io
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress

from workbench.homes import memory

USAGE, UNFORESEEN, INTERRUPTED = 2, 3, 130  # exit statuses
TRACEBACK = "WORKBENCH_TRACEBACK"
_LEFT = (errno.EPIPE, errno.EIO)  # the reader has closed the pipe, the terminal is gone


class _Stream(io.FileIO):
    """A descriptor that swallows what can no longer be written. ``failed``: why, unless the reader just left."""

    failed: OSError | None = None

    def write(self, content: object) -> int:
        view = memoryview(content)  # type: ignore[arg-type]
        try:
            return super().write(view) or 0
        except OSError as error:
            if error.errno not in _LEFT:
                self.failed = error
            _reopen(self.fileno(), force=True)
            return view.nbytes


def run(load: Callable[[], Callable[..., object]]) -> None:
    """Runs a command line and exits with its status.

    load: imports it; it takes Typer's ``standalone_mode`` and returns a status or None. SIGTERM and SIGHUP are handled
    like Ctrl-C, unless they are ignored (nohup).
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    sys.unraisablehook = _raised_later
    streams = _streams()
    status = _status(load)
    for number in (signal.SIGINT, signal.SIGTERM):  # nothing is left to interrupt
        with suppress(ValueError):
            signal.signal(number, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if streams[0].failed is not None:
        _say(f"cannot write to standard output: {streams[0].failed.strerror}")
        status = status or USAGE
    sys.exit(status)


def _raised_later(ignored: sys.UnraisableHookArgs) -> None:
    """Ctrl-C in a finalizer or a weak reference's callback, where Python drops it, comes again a moment later."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        again = threading.Timer(0.01, _interrupt)  # at once it would be dropped in this hook
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(ignored)


def _interrupt() -> None:
    """A real signal, which also ends a wait of the main thread; one that is not ignored."""
    heard = [n for n in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(n))]
    if heard and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, heard[0])
    else:
        _thread.interrupt_main()


def _status(load: Callable[[], Callable[..., object]]) -> int:
    try:
        returned = load()(standalone_mode=False)
        return returned if isinstance(returned, int) else 0
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 0
    except Exception as error:
        if type(error).__name__ == "Abort":  # Typer's word for Ctrl-C while it reads the arguments
            return _say("interrupted", INTERRUPTED)
        if memory.lacking(error):
            return _say(f"not enough memory ({' '.join(str(error).split()) or 'none is left'})")
        return _unforeseen(error)


def _unforeseen(error: Exception) -> int:
    """Reports an error that no command foresees."""
    said = f"{type(error).__name__}: {' '.join(str(error).split())}"
    text = "".join(traceback.format_exception(error))
    if os.environ.get(TRACEBACK):
        _say(f"{said}\n{text}".rstrip())
        return UNFORESEEN
    where = f"{TRACEBACK}=1 shows the traceback"
    with (
        suppress(OSError),
        tempfile.NamedTemporaryFile(
            "w",
            prefix="workbench-",
            suffix="-traceback.txt",
            delete=False,
            encoding="utf-8",
            errors="replace",
        ) as file,
    ):
        file.write(text)
        where = f"the traceback is in {file.name}"
    return _say(f"{said}; this is a fault of the workbench or of a library, {where}", UNFORESEEN)


def _say(sentence: str, status: int = USAGE) -> int:
    with suppress(OSError, ValueError):
        sys.stderr.write(f"error: {sentence}\n")
        sys.stderr.flush()
    return status


def _streams() -> tuple[_Stream, _Stream]:
    """Replaces standard output and error; a closed descriptor is opened, lest a result's file takes its number."""
    for number in range(3):
        _reopen(number)
    made = []
    for number, name in ((1, "stdout"), (2, "stderr")):
        old = getattr(sys, name)
        raw = _Stream(number, "w", closefd=False)
        text = io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=getattr(old, "encoding", None) or "utf-8",
            errors="replace",
            line_buffering=number == 2 or raw.isatty(),
        )
        setattr(sys, name, text)
        made.append(raw)
    return made[0], made[1]


def _reopen(number: int, force: bool = False) -> None:
    """Lets a descriptor lead nowhere if it is closed, or in any case with ``force``."""
    try:
        os.fstat(number)
        if not force:
            return
    except OSError:
        pass
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)

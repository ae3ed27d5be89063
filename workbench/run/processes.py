"""Worker processes, forked from a server that has imported everything, on platforms with a safe fork.

SymPy, the papers and the compilers take five seconds to import. A server process imports them once
(`workbench.run.preload`) and forks the workers. On platforms without fork, or where it is unsafe (macOS), each worker
imports on its own.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import cache
from multiprocessing import process, spawn
from multiprocessing.context import BaseContext
from pathlib import Path
from types import TracebackType
from typing import Any

from workbench.homes import memory, papers, processors, threads
from workbench.homes.papers import View
from workbench.homes.usage import UsageError
from workbench.run.store.interrupts import GRACE

VIEW = "WORKBENCH_VIEW"  # what the parent's catalog sees, for the workers' own


def context(view: View | None = None) -> BaseContext:
    """The multiprocessing context; the fork server, if the platform has one, starts its imports at the first call.

    Libraries in the workers use one thread each. view: what their catalogs will see (default: what this one's does).
    """
    threads.one_each()
    only_what_is_installed()
    if sys.platform == "darwin" or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver, resource_tracker

    server = multiprocessing.get_context("forkserver")
    view = view or papers.view()
    everything = view.standing and view.only is None
    server.set_forkserver_preload([f"workbench.run.preload{'' if everything else '_libraries'}"])
    with without_interrupts():
        resource_tracker.ensure_running()  # first: the server would start it, and then let Ctrl-C through
    with without_interrupts():
        forkserver.ensure_running()
    return server


def only_what_is_installed() -> None:
    """Keeps child processes from importing what lies in the working folder, such as the user's ``random.py``.

    They are started by ``python -c``, which looks there first. The checkout that this process runs from stays
    importable, even if it was found only because it is the working folder.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    root, folders = str(papers.ROOT), os.environ.get("PYTHONPATH", "").split(os.pathsep)
    origin = process.ORIGINAL_DIR  # type: ignore[attr-defined]
    here = {os.path.abspath(p or origin) for p in sys.path}
    if root in here and root not in folders and not papers.is_foreign(papers.ROOT / "workbench"):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, *folders]))


@contextlib.contextmanager
def without_interrupts() -> Iterator[None]:
    """What is started in the block never sees Ctrl-C, nor that the terminal closes; this process does, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def count(tasks: int, jobs: int | None = None) -> int:
    """How many workers to start for so many tasks: at most ``jobs`` (None: one per processor); 1 if none can be."""
    return 1 if obstacle() else min(tasks, jobs or processors.count())


@cache
def obstacle() -> str:
    """Why a pool of workers cannot be started here; "" if it can."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return ""
    try:
        multiprocessing.get_context("fork").Semaphore()
    except (ImportError, OSError) as error:
        return f"there is no shared memory for processes to wait for each other (/dev/shm: {error})"
    return ""


@contextlib.contextmanager
def pool(workers: int, begin: Callable[..., None], given: tuple[Any, ...]) -> Iterator[ProcessPoolExecutor]:
    """A pool of workers, each initialized by ``begin(*given)``; an exception in the block ends them."""
    with ProcessPoolExecutor(workers, context(), begin, given) as executor:
        try:
            yield executor
        except BaseException:
            end(list((executor._processes or {}).values()))
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def end(workers: list[Any], seconds: float = GRACE + 1) -> None:
    """Terminates workers, which may write a checkpoint first, and kills one that does not end (it may be stopped)."""
    for worker in workers:
        worker.terminate()
    until = time.monotonic() + seconds
    for worker in workers:
        worker.join(max(0.0, until - time.monotonic()))
        worker.kill()


def stop_server() -> None:
    """Ends the fork server, for a command that was interrupted: it may still be importing, to fork a worker then."""
    from multiprocessing import forkserver

    pid = getattr(forkserver._forkserver, "_forkserver_pid", None)
    if pid is not None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)


@contextlib.contextmanager
def explaining_a_kill(what: str) -> Iterator[None]:
    """Says in one sentence that a worker, or the server that workers are forked from, was killed.

    Only calls that speak to processes belong in the block: what they raise is not told apart.
    """
    try:
        yield
    except (BrokenExecutor, EOFError, OSError):
        raise UsageError(
            f"a worker process was killed while {what} (out of memory?); "
            "finished results are stored, try again with a smaller --jobs"
        ) from None


def environment(view: View | None = None) -> dict[str, str]:
    """What `begin` takes: this process's variables, and what the worker's catalog will see.

    That is no variable of this process, which may see something else when it starts its next worker or command. view:
    if the worker will not see what this process does.
    """
    view = view or papers.view()
    only = None if view.only is None else sorted(view.only)
    view_text = json.dumps(
        {"standing": view.standing, "opened": [str(path) for path in view.opened], "only": only}
    )
    return {**os.environ, VIEW: view_text}


def _end_with_the_parent() -> None:
    """Terminates this worker, by a signal that lets it write its checkpoint, when the process that it serves is gone.

    Its own parent is the fork server, which waits for the workers; so neither would ever end.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(2 * GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _quiet_without_memory() -> None:
    """This worker ends without a traceback if there is no memory left even to send its error: the parent says so."""
    print_traceback = traceback.print_exc

    def print_exc(*given: Any, **keywords: Any) -> None:
        if not memory.lacking(sys.exc_info()[1]):
            print_traceback(*given, **keywords)

    traceback.print_exc = print_exc


def quiet_orphan(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A `sys.excepthook` for workers: one whose parent ended while it started has no error to report, nor to whom.

    What it was sent, or the semaphores in it, are gone then.
    """
    frames = [frame.f_code for frame, _ in traceback.walk_tb(trace)]
    reads = any(code.co_name == "_main" and code.co_filename == spawn.__file__ for code in frames)
    if not (reads and isinstance(error, FileNotFoundError | EOFError)):
        sys.__excepthook__(kind, error, trace)


def begin(environment: dict[str, str]) -> None:
    """Initializes a worker with its parent's `environment`, because the server's copy may be outdated.

    Its catalog sees what the parent's does. Ctrl-C and a closing terminal are left to the parent, with which it ends.
    """
    _end_with_the_parent()
    _quiet_without_memory()
    os.environ.clear()
    os.environ.update(environment)
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a parent that forked had a handler of its own
    view = json.loads(environment.get(VIEW, '{"standing": true, "opened": [], "only": null}'))
    if view["opened"] or not view["standing"]:
        papers.look(view["standing"], [Path(p) for p in view["opened"]])
    papers.narrow(view["only"] or [])

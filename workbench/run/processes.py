"""Worker processes, forked from a server that has imported everything, on platforms with a safe fork.

SymPy, the papers and the compilers take five seconds to import. A server process imports them once
(`workbench.run.preload`) and forks the workers. On platforms without fork, or where it is unsafe (macOS), each worker
imports on its own.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from multiprocessing.context import BaseContext

LIBRARIES = ("OMP", "OPENBLAS", "MKL")


def context() -> BaseContext:
    """The multiprocessing context. Parallelism comes from the workers, so libraries in them use one thread each."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    if sys.platform == "darwin" or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["workbench.run.preload"])
    return server


def prepare() -> None:
    """Starts the fork server, if the platform has one, so that its imports overlap with work in this process."""
    if context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def begin(environment: dict[str, str]) -> None:
    """Initializes a worker with its parent's ``dict(os.environ)``, because the server's copy may be outdated.

    Ctrl-C is left to the parent.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

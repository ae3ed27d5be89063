"""Worker processes: copies of one that has imported everything, where the system can copy processes.

SymPy, the papers and the compilers take five seconds to import. A server process does so once
(`workbench.run.preload`) and forks the workers; where there is no fork, or none that is safe (macOS), each worker
imports for itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from multiprocessing.context import BaseContext

LIBRARIES = ("OMP", "OPENBLAS", "MKL")


def context() -> BaseContext:
    """Where workers come from. They are the parallelism: what they load is told to use one thread each."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    if sys.platform == "darwin" or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["workbench.run.preload"])
    return server


def prepare() -> None:
    """Starts the server, where there is one, so that it imports while this process does something else."""
    if context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def begin(environment: dict[str, str]) -> None:
    """The first thing a worker does, with its parent's ``dict(os.environ)``: the server's may be an older one.

    Ctrl-C is the parent's to handle.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

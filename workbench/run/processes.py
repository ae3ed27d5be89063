"""Worker processes, forked from a server that has imported everything, on platforms with a safe fork.

SymPy, the papers and the compilers take five seconds to import. A server process imports them once
(`workbench.run.preload`) and forks the workers. On platforms without fork, or where it is unsafe (macOS), each worker
imports on its own.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
from multiprocessing import process
from multiprocessing.context import BaseContext
from pathlib import Path

from workbench import papers

LIBRARIES = ("OMP", "OPENBLAS", "MKL")
VIEW = "WORKBENCH_VIEW"  # what the parent's catalog sees, for the workers' own


def context() -> BaseContext:
    """The multiprocessing context. Parallelism comes from the workers, so libraries in them use one thread each."""
    for library in LIBRARIES:
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    _only_what_is_installed()
    if sys.platform == "darwin" or "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([f"workbench.run.preload{'' if papers.view().tree else '_libraries'}"])
    return server


def _only_what_is_installed() -> None:
    """Keeps child processes from importing what lies in the working folder, such as the user's ``random.py``.

    They are started by ``python -c``, which looks there first. The checkout that this process runs from stays
    importable, even if it was found only because it is the working folder.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    root, known = str(papers.ROOT), os.environ.get("PYTHONPATH", "").split(os.pathsep)
    started = process.ORIGINAL_DIR  # type: ignore[attr-defined]
    here = {os.path.abspath(p or started) for p in sys.path}
    if root in here and root not in known and not papers.is_foreign(papers.ROOT / "workbench"):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, *known]))


def prepare() -> None:
    """Starts the fork server, if the platform has one, so that its imports overlap with work in this process."""
    if context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()


def environment() -> dict[str, str]:
    """What `begin` takes: this process's variables, and what its catalog sees.

    That is no variable of this process, which may see something else when it starts its next worker or command.
    """
    view = papers.view()
    seen = json.dumps({"tree": view.tree, "opened": [str(path) for path in view.opened]})
    return {**os.environ, VIEW: seen}


def begin(environment: dict[str, str]) -> None:
    """Initializes a worker with its parent's `environment`, because the server's copy may be outdated.

    Its catalog sees what the parent's does. Ctrl-C is left to the parent.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    view = json.loads(environment.get(VIEW, '{"tree": true, "opened": []}'))
    if view["opened"] or not view["tree"]:
        papers.look(view["tree"], [Path(p) for p in view["opened"]])

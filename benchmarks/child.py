"""One measurement in a separate process, pinned to as many cores as it has threads.

``python -m benchmarks.child '{"what": "race", ...}'`` prints its result as a last line of JSON; `start` calls it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LIMIT = 3600  # seconds
ROOT = Path(__file__).parent.parent
BLAS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def start(
    order: Mapping[str, Any],
    threads: int,
    variables: Mapping[str, str] | None = None,
    seconds: float = LIMIT,
) -> dict[str, Any]:
    """Runs a child process and returns its result.

    Raises RuntimeError with the end of its log if it fails, and subprocess.TimeoutExpired after ``seconds``.
    """
    environment = {**os.environ, **{name: str(threads) for name in BLAS}, **(variables or {})}
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # leaves the GPU's memory to the other competitors
    command = [sys.executable, "-m", "benchmarks.child", json.dumps({**order, "threads": threads})]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the measurement {dict(order)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def pin(threads: int) -> None:
    """Restricts this process to ``threads`` cores, on systems that support it."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        if threads > len(cores):
            raise ValueError(f"{threads} threads were requested, but there are only {len(cores)} cores")
        os.sched_setaffinity(0, set(cores[:threads]))


def main() -> None:
    order = json.loads(sys.argv[1])
    if order["device"] == "cpu":
        pin(order["threads"])  # before any library counts the cores
    from benchmarks.alone import alone
    from benchmarks.case import cases
    from benchmarks.guard import guard
    from benchmarks.race import race

    case, device = cases()[order["case"]], order["device"]
    if order["what"] == "race":
        answer = race(case, order["runs"], order["threads"], order["seconds"], order["repeats"], device)
    elif order["what"] == "guard":
        answer = guard(case, device)
    else:
        answer = alone(case, order["runs"], order["competitor"], device)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()

"""One competitor in a fresh process: time to the first result, and memory."""

from __future__ import annotations

import resource
import time
from typing import Any

from benchmarks import gpu
from benchmarks.case import Case
from benchmarks.competitors import on_cpu

HORIZON = 64


def peak() -> float:
    """Largest resident memory so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(case: Case, runs: int, competitor: str, device: str) -> dict[str, Any]:
    """Seconds from the problem to the end of its first iterations, minus the time of a second call; MB beyond imports.

    On the CPU this is processor time on one core, as in `benchmarks.race`; on a GPU wall time. Imports are excluded,
    except for the modules of JAX that the compiler loads on first use.
    """
    now = time.process_time if device == "cpu" else time.perf_counter
    problem = case.make(runs)
    if competitor.startswith("jax"):
        import jax

        jax.devices()
    elif competitor == "fused":
        import workbench.engine.fused  # noqa: F401
    before = peak()
    began = now()
    makers = on_cpu(case) if device == "cpu" else gpu.on_gpu(case)
    run = makers[competitor](case, problem, 1).prepare(HORIZON)
    run()
    first = now() - began
    began = now()
    run()
    return {"first_seconds": max(first - (now() - began), 0.0), "memory": peak() - before}

"""Do the fused engine and JAX run the same method? Otherwise the ratio of their times is meaningless."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks import gpu
from benchmarks.case import Case
from benchmarks.competitors import Eager, FusedCpu, generators, on_cpu

LIMIT = 4.0  # standard errors between two means
CLOSE = 1e-6  # relative difference of noiseless runs: round-off, grown over the horizon
NOISY, STILL, HORIZON = 4096, 256, 256  # runs with noise and without, iterations


def compare(case: Case, ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """z of the means over runs, the largest relative difference of two runs, and whether they agree.

    Raises ValueError if the metric is not finite.
    """
    a, b = np.asarray(ours[case.metric]), np.asarray(theirs[case.metric])
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError(f"{case.key}: the metric {case.metric} became non-finite")
    difference = a - b  # run by run: both have the same start
    error = difference.std(ddof=1) / np.sqrt(a.size)
    relative = float(np.max(np.abs(difference)) / np.max(np.abs(a)))
    if not case.noisy:  # only round-off remains, which has no statistics
        z, agree = 0.0, relative < CLOSE
    else:
        z = float(difference.mean() / error) if error > 0 else float("inf")
        agree = abs(z) < LIMIT
    return {"metric": case.metric, "means": [float(a.mean()), float(b.mean())], "z": z, "relative": relative,
            "agree": bool(agree)}  # fmt: skip


def guard(case: Case, device: str) -> dict[str, Any]:
    """Compares fused with eager (equal up to round-off), and with JAX under each of its generators."""
    runs = NOISY if case.noisy else STILL
    problem, few = case.make(runs), case.make(64)
    makers = on_cpu(case) if device == "cpu" else gpu.on_gpu(case)
    alone = gpu.undisturbed if device == "gpu" else contextlib.nullcontext

    def run(competitor: Any) -> Any:
        run = competitor.prepare(HORIZON)
        with alone():
            return run()

    ours = run(makers["fused"](case, problem, 1))
    eager = Eager(case, few, 1).prepare(HORIZON)()[case.metric]
    same = FusedCpu(case, few, 1).prepare(HORIZON)()[case.metric]
    out: dict[str, Any] = {"case": case.key, "device": device, "runs": runs, "horizon": HORIZON}
    out["eager"] = float(np.max(np.abs(eager - same)) / np.max(np.abs(eager)))
    for name in [n for n in generators(case) if n in makers]:
        out[name] = compare(case, ours, run(makers[name](case, problem, 1)))
    return out

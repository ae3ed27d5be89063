"""``simulate(..., engine="auto")``: which engine runs a batch.

The engines give the same bits (round-off apart where BLAS is involved), so the choice shows in nothing but the clock:
eager where the whole batch takes less than `SHORT` seconds or less than compiling its kernel would (nothing, if that is
on disk already), eager where the step cannot be compiled, the kernel everywhere else.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from workbench.engine import eager, nvrtc, rows
from workbench.engine.records import Result
from workbench.engine.refusal import TraceError

ENGINES = ("auto", "eager", "fused")
SHORT = 0.5  # seconds of eager work that are never worth a kernel
PROBE = 24  # iterations that are timed to tell how long the eager engine would take
Progress = Callable[[int, int], None]


class EngineError(ValueError):
    """The fused engine was asked for and cannot run; one sentence fit for a user."""


def compiler_problem(backend_name: str) -> str | None:
    """None if kernels can be compiled for a backend, else one sentence that says what to install."""
    if backend_name == "cupy":
        return nvrtc.problem()
    if backend_name == "numpy":
        missing = importlib.util.find_spec("numba") is None
        return "the fused engine needs Numba: install it with `pip install numba`" if missing else None
    return f"the fused engine runs on NumPy and CuPy, not on {backend_name}"


def simulate(
    algorithm: Any,
    instance: Any,
    steps: Any,
    start: Mapping[str, np.ndarray],
    *,
    marks: np.ndarray,
    run_ids: np.ndarray,
    seed: int,
    backend_name: str = "numpy",
    engine: str = "auto",
    fast: bool = False,
    threads: int = 1,
    params: Mapping[str, np.ndarray] | None = None,
    progress: Progress | None = None,
    keep: Any = None,
) -> Result:
    """One batch up to ``marks[-1]``; arguments as in `workbench.engine.eager.simulate`.

    engine: one of ENGINES. fast: let compiled kernels fuse a * b + c (other bits). threads: of a compiled
    CPU kernel. A batch that does not fit into memory is halved and goes on; each half has positions of its own.
    Raises EngineError where ``fused`` was asked for by name and cannot run.
    """
    batch = (algorithm, instance, steps, start)
    how: dict[str, Any] = {"marks": marks, "run_ids": run_ids, "seed": seed, "params": params}
    made = None
    if engine != "eager":
        made = _fused(batch, how, backend_name, engine, fast, threads)
    if made is None:
        return eager.simulate(*batch, backend_name=backend_name, progress=progress, keep=keep, **how)
    try:
        return made(progress, keep)
    except MemoryError:
        if len(run_ids) < 2:
            raise
    del made  # its pools make room for the halves
    parts = []
    for n, part in enumerate((slice(0, len(run_ids) // 2), slice(len(run_ids) // 2, None))):
        options = {**how, "run_ids": run_ids[part], "params": {k: v[part] for k, v in (params or {}).items()}}
        parts.append(
            simulate(
                algorithm,
                rows.cut(instance, len(run_ids), part),
                rows.cut_steps(steps, len(run_ids), part),
                {k: v[part] for k, v in start.items()},
                backend_name=backend_name,
                engine="fused",
                fast=fast,
                threads=threads,
                progress=progress,
                keep=None if keep is None else keep.part(n),
                **options,
            )
        )
    return rows.joined(parts)


def _fused(
    batch: tuple[Any, ...], how: dict[str, Any], backend_name: str, engine: str, fast: bool, threads: int
) -> Callable[[Progress | None, Any], Result] | None:
    """The compiled simulation, ready to run; None where eager is the better choice."""
    problem = compiler_problem(backend_name)
    if problem is None and engine == "auto" and backend_name == "numpy":
        seconds = eager_seconds(batch, how)
        if seconds < SHORT:
            return None
    else:
        seconds = np.inf
    if problem is None:
        from workbench.engine import fused

        try:
            algorithm, instance, steps, start = batch
            made = fused.Fused(
                algorithm,
                instance,
                steps,
                start,
                how["run_ids"],
                how["seed"],
                fast=fast,
                threads=threads,
                make_kernel=fused.kernel_for(backend_name),
            )
        except TraceError as error:
            problem = str(error)
        else:
            made.hurried = engine == "auto"
            if engine == "fused" or seconds > made.kernel.compile_seconds:
                return lambda progress, keep: made.result(
                    how["marks"], how["params"], backend_name, progress, keep
                )
            return None
    if engine == "fused":
        raise EngineError(problem)
    return None


def eager_seconds(batch: tuple[Any, ...], how: dict[str, Any]) -> float:
    """About how long the eager engine would take: a few iterations, timed without the first third of them.

    Three will do where they are slow.
    """
    horizon, one = int(how["marks"][-1]), 0.0
    if horizon <= PROBE:
        return 0.0
    for last in (3, PROBE):
        marks = np.array([last // 3, last])
        probe = eager.simulate(*batch, **{**how, "marks": marks, "params": None})
        one = float(probe.elapsed[1] - probe.elapsed[0]) / (last - last // 3)
        if probe.elapsed[1] > SHORT:
            break
    return one * horizon

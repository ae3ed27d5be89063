"""``simulate(problem, run)``: runs a problem on the engine that suits it.

The engines give the same bits (up to round-off if BLAS is involved), so the choice affects only the run time. Eager is
chosen if the whole batch takes less than `SHORT` seconds, or less than compiling the kernel (no time if it is cached),
or if the step cannot be compiled. Otherwise the compiled kernel is chosen. A method may have an engine of its own,
``library_engine(problem, run)``, which gives None where it does not fit.
"""

from __future__ import annotations

import importlib.util
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from workbench.arrays import backends
from workbench.engine import eager, nvrtc, rows, stored_constants
from workbench.engine.records import Problem, Result, Run
from workbench.engine.refusal import TraceError
from workbench.engine.trial import trial
from workbench.engine.validate import validate

if TYPE_CHECKING:
    from workbench.engine.fused import Fused

SHORT = 0.5  # seconds of eager work below which a kernel is never worthwhile
_LIBRARY = str(Path(__file__).parents[1])
PROBE = 24  # iterations timed to estimate the run time of the eager engine


class EngineError(ValueError):
    """The fused engine was requested but cannot run. The message is one sentence addressed to the user."""


def compiler_problem(backend: str) -> str | None:
    """None if kernels can be compiled for a backend, else one sentence on what to install."""
    if backend == "cupy":
        return nvrtc.problem()
    if backend == "numpy":
        missing = importlib.util.find_spec("llvmlite") is None
        return "the fused engine needs llvmlite: install it with `pip install llvmlite`" if missing else None
    return f"the fused engine runs on NumPy and CuPy, not on {backend}"


class Uncompiled(UserWarning):
    """A step that could have been compiled runs on the slower engine; the message says which line is in the way."""


def simulate(problem: Problem, run: Run) -> Result:
    """Runs the problem up to ``run.marks[-1]``; the result includes the problem's constants and steps.

    A batch that does not fit into memory is split in half and continued; each half has its own checkpoints. Raises
    `workbench.engine.validate.ProblemError` if problem or run are not well formed, and EngineError if ``fused`` was
    requested explicitly and cannot run. Warns (`Uncompiled`) where a line of the caller's keeps a long run on the
    slower engine.
    """
    # First, since a mistake is better found before a long run than after it.
    problem, run = validate(problem, run)
    if run.engine == "fused" and (obstacle := compiler_problem(run.backend)):
        raise EngineError(obstacle)
    trial(problem, run)
    constants, steps = stored_constants.constants(problem, run.marks), stored_constants.steps(problem)
    return replace(_run_or_split(problem, run), constants=constants, steps=steps)


def _run_or_split(problem: Problem, run: Run) -> Result:
    of_method = getattr(
        problem.algorithm, "library_engine", None
    )  # that of a method which a library compiles
    if run.engine == "auto" and of_method is not None and (result := of_method(problem, run)) is not None:
        return result
    simulation = None if run.engine == "eager" else _compile(problem, run)
    if simulation is None:
        return eager.simulate(problem, run)
    try:
        return simulation.result(run)
    except MemoryError:
        if problem.size < 2:
            raise
        backends.release(run.backend)
    del simulation  # frees the memory of its pools for the halves
    middle, parts = problem.size // 2, []
    for n, part in enumerate((slice(0, middle), slice(middle, None))):
        keep = None if run.keep is None else run.keep.part(n)
        parts.append(_run_or_split(rows.cut_problem(problem, part), replace(run, engine="fused", keep=keep)))
    return rows.concatenate(parts)


def _compile(problem: Problem, run: Run) -> Fused | None:
    """The compiled simulation, ready to run; None if eager is the better choice."""
    obstacle, seconds = compiler_problem(run.backend), np.inf
    if obstacle is None and run.engine == "auto" and run.backend == "numpy":
        seconds = eager_seconds(problem, run)
        if seconds < SHORT:
            return None
    if obstacle is None:
        from workbench.engine import fused  # deferred: the compiler's modules take a while to import

        try:
            simulation = fused.Fused(problem, run)
        except TraceError as error:
            obstacle = str(error)
            if run.engine == "auto" and not error.file.startswith(_LIBRARY):  # products with data are ours
                warnings.warn(f"this runs on the slower engine: {obstacle}", Uncompiled, stacklevel=4)
        else:
            return (
                simulation if run.engine == "fused" or seconds > simulation.kernel.compile_seconds else None
            )
    if run.engine == "fused":
        raise EngineError(obstacle)
    return None


def eager_seconds(problem: Problem, run: Run) -> float:
    """Estimated run time of the eager engine, from a few timed iterations without the first third.

    Three iterations suffice if they are slow.
    """
    horizon, one = int(run.marks[-1]), 0.0
    if horizon <= PROBE:
        return 0.0
    for last in (3, PROBE):
        few = replace(run, marks=np.array([last // 3, last]), progress=None, keep=None)
        probe = eager.simulate(problem, few)
        one = float(probe.elapsed[1] - probe.elapsed[0]) / (last - last // 3)
        if probe.elapsed[1] > SHORT:
            break
    return one * horizon

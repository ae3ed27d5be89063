"""``simulate(problem, run)``: a problem on the engine that suits it.

The engines give the same bits (round-off apart where BLAS is involved), so the choice shows in nothing but the clock:
eager where the whole batch takes less than `SHORT` seconds or less than compiling its kernel would (nothing, if that is
on disk already), eager where the step cannot be compiled, the kernel everywhere else.
"""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.engine import eager, known, nvrtc, rows
from workbench.engine.records import Problem, Result, Run
from workbench.engine.refusal import TraceError

if TYPE_CHECKING:
    from workbench.engine.fused import Fused

ENGINES = ("auto", "eager", "fused")
SHORT = 0.5  # seconds of eager work that are never worth a kernel
PROBE = 24  # iterations that are timed to tell how long the eager engine would take


class EngineError(ValueError):
    """The fused engine was asked for and cannot run; one sentence fit for a user."""


def compiler_problem(backend: str) -> str | None:
    """None if kernels can be compiled for a backend, else one sentence that says what to install."""
    if backend == "cupy":
        return nvrtc.problem()
    if backend == "numpy":
        missing = importlib.util.find_spec("numba") is None
        return "the fused engine needs Numba: install it with `pip install numba`" if missing else None
    return f"the fused engine runs on NumPy and CuPy, not on {backend}"


def simulate(problem: Problem, run: Run) -> Result:
    """The problem up to ``run.marks[-1]``, with what it says of itself.

    A batch that does not fit into memory is halved and goes on; each half has positions of its own. Raises EngineError
    where ``fused`` was asked for by name and cannot run.
    """
    # First, since a mistake in them is better found before a long run than after it.
    constants, steps = known.constants(problem, run.marks), known.steps(problem)
    return replace(_simulated(problem, run), constants=constants, steps=steps)


def _simulated(problem: Problem, run: Run) -> Result:
    made = None if run.engine == "eager" else _fused(problem, run)
    if made is None:
        return eager.simulate(problem, run)
    try:
        return made.result(run)
    except MemoryError:
        if problem.size < 2:
            raise
    del made  # its pools make room for the halves
    middle, parts = problem.size // 2, []
    for n, part in enumerate((slice(0, middle), slice(middle, None))):
        keep = None if run.keep is None else run.keep.part(n)
        parts.append(_simulated(rows.cut_problem(problem, part), replace(run, engine="fused", keep=keep)))
    return rows.joined(parts)


def _fused(problem: Problem, run: Run) -> Fused | None:
    """The compiled simulation, ready to run; None where eager is the better choice."""
    obstacle, seconds = compiler_problem(run.backend), np.inf
    if obstacle is None and run.engine == "auto" and run.backend == "numpy":
        seconds = eager_seconds(problem, run)
        if seconds < SHORT:
            return None
    if obstacle is None:
        from workbench.engine import fused  # late: the compiler's modules take a while

        try:
            made = fused.Fused(problem, run)
        except TraceError as error:
            obstacle = str(error)
        else:
            return made if run.engine == "fused" or seconds > made.kernel.compile_seconds else None
    if run.engine == "fused":
        raise EngineError(obstacle)
    return None


def eager_seconds(problem: Problem, run: Run) -> float:
    """About how long the eager engine would take: a few iterations, timed without the first third of them.

    Three will do where they are slow.
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

"""The first step of a problem, tried twice: what a mistake in a step would do to the statistics is found before a run.

The start of the first row is changed in between. Every other row must give the same bits again, or rows are not
independent runs: the step draws noise that is not addressed by (seed, run, t), or mixes rows (a sum without ``axis``).
"""

from __future__ import annotations

import dis
import inspect
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.engine import rows
from workbench.engine.records import Problem, Run
from workbench.engine.start import begin
from workbench.engine.validate import ProblemError

_RANDOM = (np.random, random)
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)


def trial(problem: Problem, run: Run) -> None:
    """Tries ``init``, ``step`` and the metrics. Raises ProblemError with one sentence on the first mistake found."""
    for owner, names in (
        (problem.algorithm, ("init", "step")),
        (problem.instance, (*problem.instance.COSTS, "metrics", "checkpoint_metrics")),
    ):
        for name in names:
            if source := random_source(getattr(owner, name, None)):
                raise ProblemError(
                    f"{name}: uses {source}, whose numbers are not tied to a run; draw noise from `draw`, as draw(0)"
                )
    try:
        _tried(problem, run)
    except MemoryError:  # a batch this large may still be run in parts
        _tried(rows.cut_problem(problem, slice(0, 1)), run)


def _tried(problem: Problem, run: Run) -> None:
    once = _outcome(problem, run)
    others = slice(1, None) if problem.size > 1 else slice(None)
    if not _same(once, _outcome(_changed(problem), run), others):
        if _same(once, _outcome(problem, run), slice(None)):
            raise ProblemError(
                "the rows of a batch are not independent: changing the start of one changes another after one step;"
                " sums, means and products run over the last axis (axis=-1), never over axis 0"
            )
        raise ProblemError(
            "the same step from the same state gives other numbers the second time; draw noise from `draw`, as"
            " draw(0), and keep no state outside `State`"
        )


def _changed(problem: Problem) -> Problem:
    """The problem with another start in the first row; with a single row, the problem itself."""
    if problem.size < 2:
        return problem
    start = {name: np.array(value) for name, value in problem.start.items()}
    for value in start.values():
        value[0] = 0.5 * value[0] + 0.125
    return replace(problem, start=start)


def _outcome(problem: Problem, run: Run) -> dict[str, np.ndarray]:
    """All numbers after one step: the state before and after it, and the metrics before it."""
    size, made = problem.size, begin(problem, run.seed, backends.namespace(run.backend))
    xp, now = made.xp, made.xp.asarray(1.0)
    with np.errstate(all="ignore"), written_in_place():
        first = _leaves(made.state, "init")
        state = protected(made.state)
        found = {f"x_1.{name}": np.array(backends.to_host(leaf)) for name, leaf in first.items()}
        for method, wanted in (("metrics", problem.instance.RECORD), ("checkpoint_metrics", ())):
            if hasattr(made.instance, method):
                values = getattr(made.instance, method)(state, now, xp)
                found |= _metrics(type(problem.instance).__name__, method, values, wanted, size)
        step, draw = problem.algorithm.step, made.draw.at(1)
        after = _leaves(step(state, now, made.c, made.oracle, draw, xp), "step")
    before = {name: backends.to_host(leaf) for name, leaf in first.items()}
    for name, leaf in before.items():
        if not np.array_equal(leaf, found[f"x_1.{name}"], equal_nan=True):
            raise ProblemError(f"the step writes into the state's {name!r} in place; wanted a new array")
    if first.keys() != after.keys():
        raise ProblemError(f"the step returns {', '.join(after)}; init returned {', '.join(first)}")
    for name, leaf in after.items():
        found[name] = backends.to_host(leaf)
        if found[name].shape != before[name].shape:
            raise ProblemError(
                f"the step turns {name!r} of shape {before[name].shape} into shape {found[name].shape};"
                " check that every number per run is a column (runs, 1)"
            )
        if found[name].ndim and len(found[name]) != size:
            raise ProblemError(
                f"{name!r} of the state: got shape {found[name].shape}; wanted one row per run, ({size}, ...)"
            )
    return found


def _leaves(state: Any, function: str) -> dict[str, Any]:
    if not hasattr(state, "_asdict"):
        raise ProblemError(
            f"{function}: returns {type(state).__name__}; wanted a NamedTuple of arrays, such as State(x)"
        )
    return state._asdict()


def _metrics(instance: str, method: str, values: Any, wanted: Any, size: int) -> dict[str, np.ndarray]:
    if not isinstance(values, Mapping):
        raise ProblemError(
            f"{instance}.{method}: returns {type(values).__name__}; wanted metric -> (runs, 1) array"
        )
    missing = [name for name in wanted if name not in values]
    if missing:
        raise ProblemError(
            f"{instance}.{method}: lacks {missing[0]!r}, which RECORD names; it has {', '.join(values)}"
        )
    found = {name: backends.to_host(value) for name, value in values.items()}
    for name, value in found.items():
        if value.shape not in ((size, 1), (size,)):
            raise ProblemError(
                f"{instance}.{method}: {name!r} has shape {value.shape}; wanted one number per run, ({size}, 1)"
            )
    return found


def _same(a: dict[str, np.ndarray], b: dict[str, np.ndarray], part: slice) -> bool:
    return all(np.array_equal(v[part], b[name][part], equal_nan=True) for name, v in a.items() if v.ndim)


# ------------------------------------------------------------------------------------------ writes in place


def protected(state: Any) -> Any:
    """The state with read-only views of its NumPy arrays."""

    def view(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf
        seen = leaf.view()
        seen.flags.writeable = False
        return seen

    return type(state)(*map(view, state))


@contextmanager
def written_in_place() -> Iterator[None]:
    """Turns NumPy's error for a write into a read-only array into a ProblemError."""
    try:
        yield
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        last = inspect.trace()[-1]
        raise ProblemError(
            f"{Path(last.filename).name}:{last.lineno}: writes into an array that it was given; wanted a new array"
        ) from None


# -------------------------------------------------------------------------------------- foreign randomness


def random_source(function: Any, seen: set[Any] | None = None) -> str | None:
    """The first generator of random numbers, other than ``draw``, that a Python function refers to.

    Follows functions of the same module. What is hidden better than that is found by the repeated step, unless it is
    seeded anew at each call.
    """
    function, seen = inspect.unwrap(getattr(function, "__func__", function)), set() if seen is None else seen
    if not inspect.isfunction(function) or function in seen:
        return None
    seen.add(function)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = {**function.__globals__, **{name: cell.cell_contents for name, cell in cells if _filled(cell)}}
    for code in _codes(function.__code__):
        for now, after in pairwise(dis.get_instructions(code)):
            if now.opname == "IMPORT_NAME" and now.argval in ("random", "numpy.random"):
                return now.argval
            if now.opname not in ("LOAD_GLOBAL", "LOAD_DEREF") or now.argval not in known:
                continue
            value = known[now.argval]
            if value is np and after.argval == "random":
                return "np.random"
            if _is_random(value):
                return now.argval
            if getattr(value, "__module__", None) == function.__module__ and (
                found := random_source(value, seen)
            ):
                return found
    return None


def _is_random(value: Any) -> bool:
    """Whether this is a generator of random numbers, a function that draws or makes one, or a module of them."""
    owner = getattr(value, "__self__", value)  # np.random.normal is a method of a hidden generator
    of = str(getattr(value, "__module__", None))
    return any(value is m for m in _RANDOM) or isinstance(owner, _GENERATORS) or of.startswith("numpy.random")


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:  # a name that is assigned later
        return False


def _codes(code: Any) -> Iterator[Any]:
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _codes(constant)

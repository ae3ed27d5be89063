"""The first steps of a problem, tried twice: what a mistake in a step would do to the statistics is found before a run.

The start and the noise of the first rows are changed in between. Every other row must give the same bits again, or rows
are not independent runs: the step draws noise that is not addressed by (seed, run, t), or mixes rows (a sum without
``axis``). The first step is also repeated from the same state, which shows state that is kept elsewhere, and files that
it reads each time.
"""

from __future__ import annotations

import dis
import functools
import inspect
import os
import random
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.backends.compiled import no_compilation
from workbench.arrays.random import Draws
from workbench.engine import rows
from workbench.engine.records import Problem, Rows, Run, class_of, quantities
from workbench.engine.start import Start, begin
from workbench.engine.validate import ProblemError, guarded

CODE = (".py", ".pyc", ".so", ".pyd")
STEPS = 2  # iterations of a trial: in the second one the state differs from the start
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
    problem = guarded(problem)
    try:
        _tried(problem, run)
    except MemoryError:  # a batch this large may still be run in parts
        _tried(rows.cut_problem(problem, slice(0, 2)), run)


class _Counted(Draws):
    """Noise that counts how often it is asked for."""

    asked = 0

    def number(self, *address: Any) -> Any:
        self.asked += 1
        return super().number(*address)


def draws_noise(problem: Problem, run: Run) -> bool:
    """Whether ``init`` or one of the first iterations draws any noise, be it multiplied by 0.

    `STEPS` iterations are tried, since a branch on t may draw in one and not in another.
    """
    few = rows.cut_problem(problem, slice(0, 1))
    xp = backends.namespace(run.backend)
    made, draw = begin(few, run.seed, xp), _Counted(run.seed, few.run_ids, xp)
    with np.errstate(all="ignore"):
        begun = {name: xp.asarray(np.array(value, order="C")) for name, value in few.start.items()}
        state = few.algorithm.init(begun, made.c, made.oracle, draw.at(1), xp)
        for t in range(1, STEPS + 1):
            state = few.algorithm.step(state, xp.asarray(float(t)), made.c, made.oracle, draw.at(t), xp)
    return draw.asked > 0


def unseen_metric(problem: Problem, run: Run) -> str:
    """The first metric that is no finite number in any row while the state is one; "" if there is none."""
    few = rows.cut_problem(problem, slice(0, 2))
    made = begin(few, run.seed, backends.namespace(run.backend))
    state = made.state
    with np.errstate(all="ignore"):
        for t in range(1, min(STEPS, int(run.marks[-1])) + 1):
            if not all(np.isfinite(leaf).all() for leaf in _numbers(state, "init").values()):
                return ""
            given = protected(state), made.xp.asarray(float(t)), made.xp
            seen = _metrics(made.instance, "metrics", given, few.instance.RECORD, few.size)
            if lost := [name for name, value in seen.items() if not np.isfinite(value).any()]:
                return lost[0]
            state = few.algorithm.step(*given[:2], made.c, made.oracle, made.draw.at(t), made.xp)
    return ""


def _tried(problem: Problem, run: Run) -> None:
    once = _outcome(problem, run, repeated=True)
    if problem.size == 1:  # a sum over runs shows only beside a second one
        problem = _doubled(problem)
        try:
            once = _outcome(problem, run)
        except Exception:  # written for a single row, which it cannot mix with another
            return
    first = min(2, problem.size - 1)
    if not _same(once, _changed_outcome(problem, run, first), slice(first, None)):
        if _same(once, _outcome(problem, run), slice(None)):
            raise ProblemError(
                "the rows of a batch are not independent: changing the start or the noise of one changes another;"
                " sums, means and maxima run over the last axis (axis=-1), never over axis 0"
            )
        raise _hidden_state()


def _hidden_state() -> ProblemError:
    return ProblemError(
        "the same step from the same state gives other numbers the second time; draw noise from `draw`, as draw(0),"
        " and keep no state outside `State`"
    )


def _doubled(problem: Problem) -> Problem:
    """The only row twice, with two noise identities."""
    start = {name: np.repeat(value, 2, axis=0) for name, value in problem.start.items()}
    params = {name: np.repeat(value, 2) for name, value in problem.params.items()}
    return replace(problem, start=start, grid=Rows(_ids(np.repeat(problem.run_ids, 2), 1), params))


def _ids(run_ids: np.ndarray, first: int) -> np.ndarray:
    """The noise identities, with unused ones in the ``first`` rows."""
    unused = np.setdiff1d(np.arange(len(run_ids) + first), run_ids)[:first]
    return np.concatenate([unused, run_ids[first:]])


def _changed_outcome(problem: Problem, run: Run, first: int) -> dict[str, np.ndarray]:
    """The outcome with another start and other noise in the ``first`` rows: one row shrinks, the other grows.

    An instance may refuse a start, one that is not feasible for example; then only the noise is changed.
    """
    changed = replace(problem, grid=Rows(_ids(problem.run_ids, first), problem.params))
    start = {name: np.array(value) for name, value in problem.start.items()}
    for value in start.values():
        for row, (factor, shift) in zip(range(first), ((0.25, 0.125), (10.0, 1.0)), strict=False):
            value[row] = factor * value[row] + shift
    try:
        return _outcome(replace(changed, start=start), run)
    except (ProblemError, MemoryError):
        raise
    except Exception:
        return _outcome(changed, run)


def _outcome(problem: Problem, run: Run, repeated: bool = False) -> dict[str, np.ndarray]:
    """The states and metrics of the first iterations.

    Raises ProblemError for a mistake in one of them; ``repeated``: also if iteration 1 then gives other numbers.
    """
    made = begin(problem, run.seed, backends.namespace(run.backend))
    found: dict[str, np.ndarray] = {}
    with np.errstate(all="ignore"), written_in_place():
        state = made.state
        first = _numbers(state, "init")
        _check_rows(first, problem.size)
        for t in range(1, min(STEPS, int(run.marks[-1])) + 1):
            state, seen = _iteration(problem, made, state, t)
            found |= {f"{name} at {t}": value for name, value in seen.items()}
        if repeated:  # last, because a gradient kept from the same iteration would be the right one
            with no_compilation(), _reading() as files:
                again = _iteration(problem, made, made.state, 1)[1]
            if files:
                raise ProblemError(
                    f"the step reads the file {files[0]!r} while it runs, so a changed file would change no stored"
                    " result; read it in `make`, and put what it holds into the instance or its steps"
                )
            if not _same({f"{name} at 1": value for name, value in again.items()}, found, slice(None)):
                raise _hidden_state()
    return found


def _iteration(problem: Problem, made: Start, state: Any, t: int) -> tuple[Any, dict[str, np.ndarray]]:
    """The state after iteration ``t``, and all numbers: the states before and after it, and the metrics."""
    xp, instance, size = made.xp, problem.instance, problem.size
    now, old = xp.asarray(float(t)), _numbers(state, "init")
    before = {name: np.array(leaf) for name, leaf in old.items()}
    seen = {f"{name} before": leaf for name, leaf in before.items()}
    seen |= _metrics(made.instance, "metrics", (protected(state), now, xp), instance.RECORD, size)
    if hasattr(instance, "checkpoint_metrics"):
        more = _metrics(made.instance, "checkpoint_metrics", (protected(state), now, xp), (), size)
        if twice := sorted(more.keys() & set(quantities(instance.RECORD))):
            raise ProblemError(
                f"{class_of(instance).__name__}.checkpoint_metrics: {twice[0]!r} is also recorded from metrics;"
                " wanted names that differ"
            )
        seen |= more
    new = problem.algorithm.step(protected(state), now, made.c, made.oracle, made.draw.at(t), xp)
    after = _numbers(new, "step")
    for name, leaf in _numbers(state, "init").items():
        if not np.array_equal(leaf, before[name], equal_nan=True):
            raise ProblemError(f"the step writes into the state's {name!r} in place; wanted a new array")
    if before.keys() != after.keys():
        raise ProblemError(f"the step returns {', '.join(after)}; init returned {', '.join(before)}")
    check_shapes(state, new)
    for name, leaf in after.items():
        if leaf.ndim and before[name].dtype.kind in "biu" and leaf.dtype.kind == "f":  # a kernel cuts it off
            raise ProblemError(
                f"the step turns {name!r} of type {before[name].dtype} into {leaf.dtype}; let init make it of floats"
            )
    return new, seen | after


def _numbers(state: Any, function: str) -> dict[str, np.ndarray]:
    """The arrays of a state, on the host."""
    if not isinstance(state, tuple) or not hasattr(state, "_asdict"):
        raise ProblemError(
            f"{function}: returns {type(state).__name__}; wanted a NamedTuple of arrays, such as State(x)"
        )
    found = {name: backends.to_host(leaf) for name, leaf in state._asdict().items()}
    for name, leaf in found.items():
        if leaf.dtype.kind not in "biuf":
            raise ProblemError(
                f"{function}: {name!r} of the state has type {leaf.dtype}; wanted real numbers"
            )
        if leaf.dtype.kind == "f" and leaf.dtype.itemsize < 8:
            raise ProblemError(f"{function}: {name!r} of the state has type {leaf.dtype}; wanted float64")
    return found


def _check_rows(state: dict[str, np.ndarray], size: int) -> None:
    for name, leaf in state.items():
        if leaf.ndim and len(leaf) != size:
            raise ProblemError(
                f"{name!r} of the state: got shape {leaf.shape}; wanted one row per run, ({size}, ...)"
            )


def check_shapes(before: Any, after: Any) -> None:
    """Raises ProblemError unless the step kept the shapes of the state."""
    for name, old, new in zip(before._fields, before, after, strict=True):
        if getattr(old, "shape", ()) != getattr(new, "shape", ()):
            raise ProblemError(
                f"the step turns {name!r} of shape {old.shape} into shape {getattr(new, 'shape', ())};"
                " check that every number per run is a column (runs, 1)"
            )


def _metrics(
    instance: Any, method: str, given: tuple[Any, ...], wanted: Any, size: int
) -> dict[str, np.ndarray]:
    what, values = f"{class_of(instance).__name__}.{method}", getattr(instance, method)(*given)
    if not isinstance(values, Mapping):
        raise ProblemError(f"{what}: returns {type(values).__name__}; wanted metric -> (runs, 1) array")
    missing = [name for name in wanted if name not in values]
    if missing:
        raise ProblemError(
            f"{what}: lacks {missing[0]!r}, which RECORD names; it has {', '.join(map(str, values))}"
        )
    found = {name: backends.to_host(value) for name, value in values.items()}
    for name, value in found.items():
        if value.shape not in ((size, 1), (size,)):
            raise ProblemError(
                f"{what}: {name!r} has shape {value.shape}; wanted one number per run, ({size}, 1)"
            )
        if value.dtype.kind not in "biuf":
            raise ProblemError(f"{what}: {name!r} has type {value.dtype}; wanted real numbers")
    return found


def _same(a: dict[str, np.ndarray], b: dict[str, np.ndarray], part: slice) -> bool:
    """Whether all numbers agree bit for bit; only in these rows, if not in all of them."""
    whole = part == slice(None)
    return all(
        np.array_equal(v[part] if v.ndim else v, b[n][part] if v.ndim else b[n], equal_nan=True)
        for n, v in a.items()
        if v.ndim or whole
    )


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


# ----------------------------------------------------------------------------------------------- files read

_read_by: dict[int, list[str]] = {}  # thread -> the files that it has opened for reading, while it is watched


@contextmanager
def _reading() -> Iterator[list[str]]:
    """The files that this thread opens for reading, but for Python's own."""
    _watch()
    me = threading.get_ident()
    files: list[str] = []
    _read_by[me] = files
    try:
        yield files
    finally:
        del _read_by[me]


@functools.cache
def _watch() -> None:
    sys.addaudithook(_seen)  # for good: Python offers no way back


def _seen(event: str, given: tuple[Any, ...]) -> None:
    if event != "open" or not _read_by or (files := _read_by.get(threading.get_ident())) is None:
        return
    path, mode = str(given[0]), given[1]
    # `os.open` has flags and no mode.
    reads = mode.startswith("r") if mode else not given[2] & (os.O_WRONLY | os.O_RDWR)
    if reads and not path.endswith(CODE) and not os.path.isdir(path):
        files.append(path)


# -------------------------------------------------------------------------------------- foreign randomness


def random_source(function: Any, seen: set[int] | None = None) -> str | None:
    """The first generator of random numbers, other than ``draw``, that a Python function refers to.

    Follows functions of the same module, methods and callable fields of the object that the function belongs to,
    `functools.partial` and default values. What is cached (`functools.cache`) is made once, and is data. What is hidden
    better than all that is found by the repeated step, unless it is seeded anew at each call.
    """
    seen = set() if seen is None else seen
    if isinstance(function, functools.partial):
        parts = (function.func, *function.args, *function.keywords.values())
        return next(filter(None, (_named(part) or random_source(part, seen) for part in parts)), None)
    if hasattr(function, "cache_info"):
        return None
    owner = getattr(function, "__self__", None)
    function = inspect.unwrap(getattr(function, "__func__", function))
    called = inspect.getattr_static(type(function), "__call__", None)
    if inspect.isfunction(called):  # an object that is called like a function
        owner, function = function, called
    if not inspect.isfunction(function) or id(function.__code__) in seen:
        return None
    seen.add(id(function.__code__))
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    known = {**function.__globals__, **{name: cell.cell_contents for name, cell in cells if _filled(cell)}}
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        if _is_random(value):
            return _named(value)
    for code in _codes(function.__code__):
        for now, after in pairwise(dis.get_instructions(code)):
            if now.opname == "IMPORT_NAME" and now.argval in ("random", "numpy.random"):
                return now.argval
            if now.opname in ("LOAD_ATTR", "LOAD_METHOD") and owner is not None:
                value = _attribute(owner, now.argval)
                if _is_random(value):
                    return now.argval
                if value is not None and (found := random_source(value, seen)):
                    return found
            if now.opname not in ("LOAD_GLOBAL", "LOAD_DEREF") or now.argval not in known:
                continue
            value = known[now.argval]
            if value is np and after.argval == "random":
                return "np.random"
            if _is_random(value):
                return now.argval
            for part in (value, inspect.getattr_static(value, str(after.argval), None)):
                if getattr(part, "__module__", None) == function.__module__ and (
                    found := random_source(part, seen)
                ):
                    return found
    return None


def _attribute(owner: Any, name: str) -> Any:
    """A method of an object, bound to it, or another attribute; None where only running code could tell."""
    value = inspect.getattr_static(owner, name, None)
    if inspect.isfunction(value) and not (hasattr(owner, "__dict__") and name in vars(owner)):
        return value.__get__(owner)
    return value


def _named(value: Any) -> str | None:
    return getattr(value, "__name__", type(value).__name__) if _is_random(value) else None


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

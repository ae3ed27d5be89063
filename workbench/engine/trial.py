"""Runs the first steps of a problem twice, to find a mistake in a step before it spoils the statistics of a run.

The start and the noise of the first rows are changed in between. Every other row must give the same bits again, or rows
are not independent runs: the step draws noise that is not addressed by (seed, run, t), or mixes rows (a sum without
``axis``). The first step is also repeated from the same state, which shows state that is kept elsewhere. The batch is
tried upside down too: noise from a generator that is seeded anew at each call belongs to a place, not to a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from workbench.arrays import backends
from workbench.arrays.random import Draws
from workbench.engine import rows
from workbench.engine.records import Problem, Rows, Run, class_of, quantities
from workbench.engine.start import Start, begin
from workbench.engine.validate import ProblemError, guard, read_only

STEPS = 2  # iterations of a trial: in the second one the state differs from the start


class StepError(ProblemError):
    """A mistake that only running the code shows, by default in the step."""

    def __init__(self, message: str, part: str = "step") -> None:
        super().__init__(message, part)


def trial(problem: Problem, run: Run) -> None:
    """Tries ``init``, ``step`` and the metrics. Raises ProblemError with one sentence on the first mistake found."""
    problem = guard(problem)
    try:
        _try_out(problem, run)
    except MemoryError:  # a batch this large may still be run in parts
        _try_out(rows.cut_problem(problem, slice(0, 2)), run)


class _CountingDraws(Draws):
    """Noise that counts how often it is asked for."""

    calls = 0

    def number(self, *address: Any) -> Any:
        self.calls += 1
        return super().number(*address)


def draws_noise(problem: Problem, run: Run) -> bool:
    """Whether ``init`` or one of the first iterations draws any noise, be it multiplied by 0.

    `STEPS` iterations are tried, since a branch on t may draw in one and not in another.
    """
    few = rows.cut_problem(problem, slice(0, 1))
    xp = backends.namespace(run.backend)
    start, draw = begin(few, run.seed, xp), _CountingDraws(run.seed, few.run_ids, xp)
    with np.errstate(all="ignore"):
        first = {name: xp.asarray(np.array(value, order="C")) for name, value in few.start.items()}
        state = few.algorithm.init(first, start.c, start.oracle, draw.at(1), xp)
        for t in range(1, STEPS + 1):
            state = few.algorithm.step(state, xp.asarray(float(t)), start.c, start.oracle, draw.at(t), xp)
    return draw.calls > 0


def unseen_metric(problem: Problem, run: Run) -> str:
    """The first metric that is no finite number in any row while the state is one; "" if there is none."""
    few = rows.cut_problem(problem, slice(0, 2))
    start = begin(few, run.seed, backends.namespace(run.backend))
    state = start.state
    with np.errstate(all="ignore"):
        for t in range(1, min(STEPS, int(run.marks[-1])) + 1):
            if not all(np.isfinite(leaf).all() for leaf in _numbers(state, "init").values()):
                return ""
            given = freeze(state), start.xp.asarray(float(t)), start.xp
            metrics = _metrics(start.instance, "metrics", given, few.instance.RECORD, few.size)
            if not_finite := [name for name, value in metrics.items() if not np.isfinite(value).any()]:
                return not_finite[0]
            state = few.algorithm.step(*given[:2], start.c, start.oracle, start.draw.at(t), start.xp)
    return ""


def _try_out(problem: Problem, run: Run) -> None:
    once = _outcome(problem, run, repeat=True)
    if problem.size > 1:
        _try_upside_down(once, problem, run)
    else:  # a sum over runs shows only beside a second one
        problem = _double(problem)
        try:
            once = _outcome(problem, run)
        except Exception:  # written for a single row, which it cannot mix with another
            return
    first = min(2, problem.size - 1)
    if not _same(once, _changed_outcome(problem, run, first), slice(first, None)):
        if _same(once, _outcome(problem, run), slice(None)):
            raise StepError(
                "the rows of a batch are not independent: changing the start or the noise of one changes another;"
                " sums, means and maxima run over the last axis (axis=-1), never over axis 0"
            )
        raise _hidden_state()


def _try_upside_down(once: dict[str, np.ndarray], problem: Problem, run: Run) -> None:
    """Raises ProblemError if most rows get other numbers in other places, but for what BLAS rounds otherwise there."""
    order = np.arange(problem.size)[::-1]
    again = _outcome(rows.cut_problem(problem, order), run)
    for name, value in once.items():
        if value.ndim:
            same = np.isclose(again[name][order], value, rtol=1e-6, atol=1e-9, equal_nan=True)
            if np.mean(same.reshape(problem.size, -1).all(axis=1)) < 0.5:
                raise StepError(
                    "the rows of a batch depend on their places in it; draw noise from `draw`, as draw(0), which"
                    " addresses it by the run"
                )


def _hidden_state() -> StepError:
    return StepError(
        "the same step from the same state gives other numbers the second time; draw noise from `draw`, as draw(0),"
        " and keep no state outside `State`"
    )


def _double(problem: Problem) -> Problem:
    """The only row twice, with two noise identities."""
    start = {name: np.repeat(value, 2, axis=0) for name, value in problem.start.items()}
    params = {name: np.repeat(value, 2) for name, value in problem.params.items()}
    return replace(problem, start=start, grid=Rows(_ids(np.repeat(problem.run_ids, 2), 1), params))


def _ids(run_ids: np.ndarray, first: int) -> np.ndarray:
    """The noise identities, with free ones in the ``first`` rows."""
    free = np.setdiff1d(np.arange(len(run_ids) + first), run_ids)[:first]
    return np.concatenate([free, run_ids[first:]])


def _changed_outcome(problem: Problem, run: Run, first: int) -> dict[str, np.ndarray]:
    """The outcome with another start and other noise in the ``first`` rows: one row shrinks, the other grows.

    An instance may refuse a start, one that is not feasible for example; then only the noise is changed.
    """
    other = replace(problem, grid=Rows(_ids(problem.run_ids, first), problem.params))
    start = {name: np.array(value) for name, value in problem.start.items()}
    for value in start.values():
        for row, (factor, shift) in zip(range(first), ((0.25, 0.125), (10.0, 1.0)), strict=False):
            value[row] = factor * value[row] + shift
    try:
        return _outcome(replace(other, start=start), run)
    except (ProblemError, MemoryError):
        raise
    except Exception:
        return _outcome(other, run)


def _outcome(problem: Problem, run: Run, repeat: bool = False) -> dict[str, np.ndarray]:
    """The states and metrics of the first iterations.

    Raises ProblemError for a mistake in one of them; ``repeat``: also if iteration 1 then gives other numbers.
    """
    start = begin(problem, run.seed, backends.namespace(run.backend))
    numbers: dict[str, np.ndarray] = {}
    with np.errstate(all="ignore"):
        state = start.state
        first = _numbers(state, "init")
        _check_rows(first, problem.size)
        for t in range(1, min(STEPS, int(run.marks[-1])) + 1):
            state, iteration = _iteration(problem, start, state, t)
            numbers |= {f"{name} at {t}": value for name, value in iteration.items()}
        if repeat:  # last, because a gradient kept from the same iteration would be the right one
            again = _iteration(problem, start, start.state, 1)[1]
            if not _same({f"{name} at 1": value for name, value in again.items()}, numbers, slice(None)):
                raise _hidden_state()
    return numbers


def _iteration(problem: Problem, start: Start, state: Any, t: int) -> tuple[Any, dict[str, np.ndarray]]:
    """The state after iteration ``t``, and all numbers: the states before and after it, and the metrics."""
    xp, instance, size = start.xp, problem.instance, problem.size
    now, old = xp.asarray(float(t)), _numbers(state, "init")
    before = {name: np.array(leaf) for name, leaf in old.items()}
    numbers = {f"{name} before": leaf for name, leaf in before.items()}
    numbers |= _metrics(start.instance, "metrics", (freeze(state), now, xp), instance.RECORD, size)
    if hasattr(instance, "checkpoint_metrics"):
        more = _metrics(start.instance, "checkpoint_metrics", (freeze(state), now, xp), (), size)
        if twice := sorted(more.keys() & set(quantities(instance.RECORD))):
            raise StepError(
                f"{class_of(instance).__name__}.checkpoint_metrics: {twice[0]!r} is also recorded from metrics;"
                " wanted names that differ",
                "checkpoint_metrics",
            )
        numbers |= more
    new = problem.algorithm.step(freeze(state), now, start.c, start.oracle, start.draw.at(t), xp)
    after = _numbers(new, "step")
    for name, leaf in _numbers(state, "init").items():
        if not np.array_equal(leaf, before[name], equal_nan=True):
            raise StepError(f"the step writes into the state's {name!r} in place; wanted a new array")
    if before.keys() != after.keys():
        raise StepError(f"the step returns {', '.join(after)}; init returned {', '.join(before)}")
    check_shapes(state, new)
    for name, leaf in after.items():
        if leaf.ndim and before[name].dtype.kind in "biu" and leaf.dtype.kind == "f":  # a kernel cuts it off
            raise StepError(
                f"the step turns {name!r} of type {before[name].dtype} into {leaf.dtype}; let init make it of floats"
            )
    return new, numbers | after


def _numbers(state: Any, function: str) -> dict[str, np.ndarray]:
    """The arrays of a state, on the host."""
    if not isinstance(state, tuple) or not hasattr(state, "_asdict"):
        raise StepError(
            f"{function}: returns {type(state).__name__}; wanted a NamedTuple of arrays, such as State(x)",
            function,
        )
    arrays = {name: backends.to_host(leaf) for name, leaf in state._asdict().items()}
    for name, leaf in arrays.items():
        if leaf.dtype.kind not in "biuf":
            raise StepError(
                f"{function}: {name!r} of the state has type {leaf.dtype}; wanted real numbers",
                function,
            )
        if leaf.dtype.kind == "f" and leaf.dtype.itemsize < 8:
            raise StepError(
                f"{function}: {name!r} of the state has type {leaf.dtype}; wanted float64", function
            )
    return arrays


def _check_rows(state: dict[str, np.ndarray], size: int) -> None:
    for name, leaf in state.items():
        if leaf.ndim and len(leaf) != size:
            raise StepError(
                f"{name!r} of the state: got shape {leaf.shape}; wanted one row per run, ({size}, ...)",
                "init",
            )


def check_shapes(before: Any, after: Any) -> None:
    """Raises ProblemError unless the step kept the shapes of the state."""
    for name, old, new in zip(before._fields, before, after, strict=True):
        if getattr(old, "shape", ()) != getattr(new, "shape", ()):
            raise StepError(
                f"the step turns {name!r} of shape {old.shape} into shape {getattr(new, 'shape', ())};"
                " check that every number per run is a column (runs, 1)"
            )


def _metrics(
    instance: Any, method: str, given: tuple[Any, ...], names: Any, size: int
) -> dict[str, np.ndarray]:
    what, values = f"{class_of(instance).__name__}.{method}", getattr(instance, method)(*given)
    if not isinstance(values, Mapping):
        raise StepError(f"{what}: returns {type(values).__name__}; wanted metric -> (runs, 1) array", method)
    missing = [name for name in names if name not in values]
    if missing:
        raise StepError(
            f"{what}: lacks {missing[0]!r}, which RECORD names; it has {', '.join(map(str, values))}",
            method,
        )
    columns = {name: backends.to_host(value) for name, value in values.items()}
    for name, value in columns.items():
        if value.shape not in ((size, 1), (size,)):
            raise StepError(
                f"{what}: {name!r} has shape {value.shape}; wanted one number per run, ({size}, 1)",
                method,
            )
        if value.dtype.kind not in "biuf":
            raise StepError(f"{what}: {name!r} has type {value.dtype}; wanted real numbers", method)
    return columns


def _same(a: dict[str, np.ndarray], b: dict[str, np.ndarray], part: slice) -> bool:
    """Whether all numbers agree bit for bit; only in these rows, if not in all of them."""
    whole = part == slice(None)
    return all(
        np.array_equal(v[part] if v.ndim else v, b[n][part] if v.ndim else b[n], equal_nan=True)
        for n, v in a.items()
        if v.ndim or whole
    )


# ------------------------------------------------------------------------------------------ writes in place


def freeze(state: Any) -> Any:
    """The state with read-only views of its NumPy arrays."""
    return type(state)(*map(read_only, state))

"""Validation of everything that ``simulate`` is given, before anything is computed: shapes, types, names and ranges.

What only the code of a step can show (does it keep the shapes, write in place, or draw noise of its own?) is found by
`workbench.engine.trial`. Each error is one sentence that names what was given and what is wanted.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, NoReturn

import numpy as np

from workbench.arrays import backends
from workbench.engine.per_row import with_row_types
from workbench.engine.records import REDUCTIONS, Problem, Run, class_of

ENGINES = ("auto", "eager", "fused")
_WORD = 2**32  # the noise addresses a run and an iteration by one 32-bit word each


class ProblemError(ValueError):
    """The problem, or the way to run it, is not well formed. The message is one sentence addressed to the user.

    part: what is at fault: "make", which gave steps, start and grid; "init" or "step" of the algorithm; or an attribute
    of the instance.
    """

    def __init__(self, message: str, part: str = "make") -> None:
        super().__init__(message)
        self.part = part


def validate(problem: Problem, run: Run) -> tuple[Problem, Run]:
    """Both records with marks as integers, starts as floats that cannot be written into, and arrays per row marked.

    Raises ProblemError or `backends.BackendError`.
    """
    for name, record, kind in (("the problem", problem, Problem), ("the run", run, Run)):
        if not isinstance(record, kind):
            _refuse(name, type(record).__name__, f"a wb.{kind.__name__}")
    start = _start(problem.start)
    rows = len(next(iter(start.values())))
    _algorithm(problem.algorithm)
    _instance(problem.instance)
    _steps(problem.steps, rows)
    if problem.grid is not None:
        _grid(problem.grid, rows)
    return replace(with_row_types(problem), start=start), _run(run)


def guard(problem: Problem) -> Problem:
    """The problem with read-only steps, so that no run changes what the next one would be given.

    Not the data of the instance: kernels compiled for writable arrays take no others.
    """
    return replace(problem, steps=type(problem.steps)(*map(read_only, problem.steps)))


def read_only(value: Any) -> Any:
    """A read-only view of a NumPy array; anything else unchanged."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _start(start: Any) -> dict[str, np.ndarray]:
    if not isinstance(start, Mapping) or not start:
        got = "an empty mapping" if isinstance(start, Mapping) else type(start).__name__
        _refuse("the start", got, "a mapping such as {'x': np.ones((runs, d))}")
    arrays = {}
    for name, value in start.items():
        what = f"the start of {name!r}"
        array = _numbers(what, value)
        if array.ndim < 2 or not array.size:
            example = f"({array.size}, 1)" if array.ndim == 1 and array.size else "(256, 1)"
            _refuse(what, f"shape {array.shape}", f"(runs, d): one row per run, for example {example}")
        if not np.isfinite(array).all():
            _refuse(what, "values that are not finite", "finite numbers")
        arrays[name] = read_only(array.astype(float))
    if len({len(v) for v in arrays.values()}) > 1:
        shapes = ", ".join(f"{name!r} {v.shape}" for name, v in arrays.items())
        _refuse("the start", f"different numbers of rows: {shapes}", "the same number of rows throughout")
    return arrays


def _algorithm(algorithm: Any) -> None:
    for name, arguments in (("init", "start, c, oracle, draw, xp"), ("step", "s, t, c, oracle, draw, xp")):
        function = getattr(algorithm, name, None)
        if not callable(function):
            _refuse(
                "the algorithm", f"no function {name!r}", "a module or namespace with init and step", name
            )
        try:
            inspect.signature(function).bind(*arguments.split(", "))
        except TypeError:
            _refuse(name, f"{name}{inspect.signature(function)}", f"{name}({arguments})", name)
        except ValueError:  # compiled code without a signature
            pass


def _instance(instance: Any) -> None:
    if isinstance(instance, type):
        _refuse(
            "the instance", f"the class {instance.__name__}", f"an object, as made by {instance.__name__}()"
        )
    name = class_of(instance).__name__
    for attribute in ("COSTS", "RECORD"):
        if not isinstance(getattr(instance, attribute, None), Mapping):
            _refuse(
                f"{name}",
                f"no mapping {attribute!r}",
                "COSTS (oracle method -> costs) and RECORD (metric -> reductions)",
                attribute,
            )
    if not callable(getattr(instance, "metrics", None)):
        _refuse(name, "no method 'metrics'", "metrics(state, t, xp) -> {metric: (runs, 1) array}", "metrics")
    for method, costs in instance.COSTS.items():
        if not callable(getattr(instance, method, None)):
            _refuse(
                f"{name}.COSTS",
                f"{method!r}, which is no method of the instance",
                "names of its methods",
                "COSTS",
            )
        if not isinstance(costs, Mapping) or not all(_whole(n) and n >= 0 for n in costs.values()):
            _refuse(
                f"{name}.COSTS[{method!r}]", repr(costs), "a whole number of calls for each resource", "COSTS"
            )
    for metric, reductions in instance.RECORD.items():
        what = f"{name}.RECORD[{metric!r}]"
        if isinstance(reductions, str) or not isinstance(reductions, Iterable):
            _refuse(what, reductions, f"a tuple of reductions, for example ({reductions!r},)", "RECORD")
        if not reductions:
            _refuse(what, "no reduction", f"some of {', '.join(REDUCTIONS)}", "RECORD")
        foreign = [r for r in reductions if r not in REDUCTIONS]
        if foreign:
            _refuse(what, f"the reduction {foreign[0]!r}", f"some of {', '.join(REDUCTIONS)}", "RECORD")
        clash = [r for r in reductions if r != "last" and "last" in instance.RECORD.get(f"{metric}_{r}", ())]
        if clash:
            _refuse(
                what,
                f"the reduction {clash[0]!r} beside a metric {metric}_{clash[0]}",
                "names that differ",
                "RECORD",
            )


def _steps(steps: Any, rows: int) -> None:
    if not isinstance(steps, tuple) or not hasattr(steps, "_asdict"):
        got = f"the class {steps.__name__}" if isinstance(steps, type) else type(steps).__name__
        _refuse("steps", got, "a NamedTuple, for example Steps(eta=0.1)")
    for name, value in steps._asdict().items():
        what = f"the step parameter {name!r}"
        if isinstance(value, (list, tuple)):
            _refuse(what, f"a {type(value).__name__}", "a number, or a NumPy array of shape (rows, 1)")
        if isinstance(value, (Real, np.ndarray)) and not isinstance(value, bool):
            array = _numbers(what, value)
            if array.ndim and (array.ndim < 2 or len(array) not in (1, rows)):
                _refuse(what, f"shape {array.shape}", f"a number, or one row per run: ({rows}, 1)")
            if np.isnan(array).all():
                _refuse(what, "NaN", "numbers")


def _grid(grid: Any, rows: int) -> None:
    if not hasattr(grid, "run_ids"):
        _refuse(
            "the grid", type(grid).__name__, "a Grid, for example Grid([{'sigma': 0.1}], runs=256), or Rows"
        )
    runs = getattr(grid, "runs", None)
    if runs is not None:
        if not _whole(runs) or runs < 1:
            _refuse("the grid's number of runs", repr(runs), "a whole number, at least 1")
        names = [set(point) for point in grid.points]
        if not names or any(n != names[0] for n in names):
            _refuse(
                "the grid",
                f"points with the parameters {names}",
                "at least one point, all with the same parameters",
            )
        for point in grid.points:
            for name, value in point.items():
                if not isinstance(value, Real):
                    _refuse(f"the parameter {name!r}", repr(value), "a number")
    ids = np.asarray(grid.run_ids)
    if ids.dtype.kind not in "iu":
        _refuse("run_ids", f"type {ids.dtype}", "integers")
    if ids.shape != (rows,):
        _refuse(
            "the grid", f"{ids.size} rows (run_ids of shape {ids.shape})", f"as many as the start has: {rows}"
        )
    if ids.min() < 0 or ids.max() >= _WORD:
        _refuse("run_ids", f"{ids.min()}..{ids.max()}", "numbers from 0 to 2^32 - 1")
    columns = [ids]
    for name, value in grid.params.items():
        column = _numbers(f"the parameter {name!r}", value)
        if column.shape != (rows,) or not np.isfinite(column).all():
            _refuse(f"the parameter {name!r}", f"shape {column.shape}", f"{rows} finite numbers, one per row")
        columns.append(_of_points(name, column))
    if len(np.unique(np.stack(columns, axis=1), axis=0)) < rows:
        _refuse(
            "run_ids",
            "the same run twice at one grid point",
            "each run once, since equal runs see equal noise",
        )


def _of_points(name: str, column: np.ndarray) -> np.ndarray:
    """The column. Refuses values that `Result.rows` would take for one, and so count the same run twice."""
    values = np.unique(column)
    close = np.isclose(values[1:], values[:-1], rtol=1e-11, atol=0.0)
    if close.any():
        value = values[int(close.argmax())]
        _refuse(
            f"the parameter {name!r}", f"several values within rounding of {value:g}", "values that differ"
        )
    return column


def _run(run: Run) -> Run:
    marks = _numbers("marks", run.marks)
    if marks.ndim != 1 or not marks.size:
        _refuse("marks", f"shape {marks.shape}", "a list of iterations")
    marks = marks.astype(float)  # differences of unsigned integers would wrap around
    whole = np.isfinite(marks) & (marks == np.floor(marks))
    if not whole.all():
        _refuse("marks", _some(marks[~whole]), "whole numbers")
    if marks[0] < 1 or (np.diff(marks) <= 0).any() or marks[-1] >= _WORD:
        _refuse("marks", _some(marks), "increasing iterations from 1 to 2^32 - 1")
    if not _whole(run.seed) or not 0 <= run.seed < 2**64:
        _refuse("the seed", repr(run.seed), "a whole number from 0 to 2^64 - 1")
    if not _whole(run.threads) or run.threads < 1:
        _refuse("threads", repr(run.threads), "a whole number, at least 1")
    if run.engine not in ENGINES:
        _refuse("the engine", repr(run.engine), f"one of {', '.join(ENGINES)}")
    return replace(run, marks=marks.astype(np.int64), backend=backends.resolve(run.backend))


def _numbers(what: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        _refuse(what, "rows of different lengths", "an array of real numbers")
    if np.ma.is_masked(value):
        _refuse(what, "masked entries", "an array of real numbers without a mask")
    if array.dtype.kind not in "iuf":
        _refuse(what, f"type {array.dtype}", "real numbers")
    return array


def _whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _some(values: np.ndarray) -> str:
    text = ", ".join(f"{v:g}" for v in values[:5])
    return f"{text}, ..." if len(values) > 5 else text


def _refuse(what: str, got: Any, expected: str, part: str = "make") -> NoReturn:
    raise ProblemError(f"{what}: got {got}; wanted {expected}", part)

"""Constants and steps of a problem, stored with its result so that readers need not rebuild the batch.

This is separate from the engines, because no trajectory depends on it, and hence no simulation key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.engine.records import Problem, class_of
from workbench.engine.validate import ProblemError


def constants(problem: Problem, marks: np.ndarray) -> dict[str, np.ndarray]:
    """name -> (rows or 1, M or 1) floats: the instance's constants and its drift up to each mark, if it has them.

    Raises ProblemError for a constant that is neither a number nor a (rows, 1) column, for a drift that has no value at
    each mark, and for a name in both: claims would miss it, or take the value of another row.
    """
    instance, out = problem.instance, dict[str, np.ndarray]()
    for method, given, width in (("constants", problem.start, 1), ("drift", np.asarray(marks), len(marks))):
        if hasattr(instance, method):
            values = getattr(instance, method)(given)
            if not isinstance(values, Mapping):
                raise ProblemError(
                    f"{class_of(instance).__name__}.{method}: returns {type(values).__name__}; wanted name -> number",
                    method,
                )
            if twice := sorted(values.keys() & out.keys()):
                raise ProblemError(
                    f"{class_of(instance).__name__}.drift: {twice[0]!r} is also one of the constants", "drift"
                )
            tables = _tables(values, problem.size, width)
            if missing := sorted(values.keys() - tables.keys()):
                raise ProblemError(
                    f"{class_of(instance).__name__}.{method}: {missing[0]} is neither a number nor (rows, 1)"
                    + (" nor (M,)" if method == "drift" else ""),
                    method,
                )
            out |= tables
    return out


def steps(problem: Problem) -> dict[str, np.ndarray]:
    """name -> (rows or 1, 1) floats: the numbers in the algorithm's ``Steps``; other entries are left out."""
    return _tables(problem.steps._asdict(), problem.size, 1)


def _tables(values: Mapping[str, Any], rows: int, width: int) -> dict[str, np.ndarray]:
    """The values that are numbers, or have one number per row, or ``width`` of them."""
    arrays = {name: np.atleast_2d(np.asarray(value)) for name, value in values.items()}
    return {
        name: a.astype(float)
        for name, a in arrays.items()
        if a.dtype.kind in "biuf" and a.ndim == 2 and len(a) in (1, rows) and a.shape[1] in (1, width)
    }

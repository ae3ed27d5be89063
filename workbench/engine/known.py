"""Constants and steps of a problem, stored with its result so that readers need not rebuild the batch.

This is separate from the engines, because no trajectory depends on it, and hence no simulation key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.engine.records import Problem


def constants(problem: Problem, marks: np.ndarray) -> dict[str, np.ndarray]:
    """name -> (rows or 1, M or 1) floats: the instance's constants, and its drift up to each mark, if it has them."""
    instance, found = problem.instance, dict[str, Any]()
    if hasattr(instance, "constants"):
        found |= instance.constants(problem.start)
    if hasattr(instance, "drift"):
        found |= instance.drift(np.asarray(marks))
    return _tables(found, problem.size, len(marks))


def steps(problem: Problem) -> dict[str, np.ndarray]:
    """name -> (rows or 1, 1) floats: the numbers in the algorithm's ``Steps``."""
    return _tables(problem.steps._asdict(), problem.size, 1)


def _tables(values: dict[str, Any], rows: int, marks: int) -> dict[str, np.ndarray]:
    """The values that are numbers or have one number per row or mark."""
    found = {name: np.atleast_2d(np.asarray(value)) for name, value in values.items()}
    return {
        name: a.astype(float)
        for name, a in found.items()
        if a.dtype.kind in "biuf" and a.ndim == 2 and len(a) in (1, rows) and a.shape[1] in (1, marks)
    }

"""What a result says of its problem beside what was recorded, so that nobody makes the batch again to learn it.

It stands apart from the engines: no trajectory depends on it, so neither does the key of a simulation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.engine.records import Problem


def constants(problem: Problem, marks: np.ndarray) -> dict[str, np.ndarray]:
    """name -> (rows or 1, M or 1) floats: the instance's constants and its drift up to each mark, where it has them."""
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
    """The numbers among the values, and what has one for each row or mark."""
    found = {name: np.atleast_2d(np.asarray(value)) for name, value in values.items()}
    return {
        name: a.astype(float)
        for name, a in found.items()
        if a.dtype.kind in "biuf" and a.ndim == 2 and len(a) in (1, rows) and a.shape[1] in (1, marks)
    }

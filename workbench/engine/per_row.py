"""Which arrays of a problem have one row for each row of its batch: a type, `PerRow`, told apart here and nowhere else.

A problem and its steps are written with plain arrays, and (rows, 1) is one number per run. Data that all runs share may
have this shape as well, as a matrix of one column, or get it where a batch is cut into pieces of as many rows. So the
shape is looked at once, for the whole batch, and a field says otherwise where it must::

    labels: Array = field(metadata={"per_run": True})   # of any shape, one row for each row of the batch
    matrix: Array = field(metadata={"per_run": False})  # shared, though it may have as many rows
"""

from __future__ import annotations

import copy
import dataclasses
from operator import is_
from typing import Any

import numpy as np

from workbench.engine.records import Problem


class PerRow(np.ndarray):
    """An array whose first axis is that of the batch: (rows, 1), or declared (rows, ...)."""


def with_row_types(problem: Problem) -> Problem:
    """The problem with a `PerRow` wherever its instance and steps have an array per row; itself once typed."""
    if problem.is_typed:
        return problem
    rows = problem.size
    steps = type(problem.steps)(*(typed_record(value, rows) for value in problem.steps))
    return dataclasses.replace(
        problem, instance=typed_record(problem.instance, rows), steps=steps, is_typed=True
    )


def typed_record(record: Any, rows: int) -> Any:
    """A frozen dataclass, tuple or list, or a value of one, with a `PerRow` for each array per row."""
    if isinstance(record, np.ndarray):
        return record.view(PerRow) if record.shape == (rows, 1) else record
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        changes = {}
        for f in dataclasses.fields(record):
            value, is_per_run = getattr(record, f.name), f.metadata.get("per_run")
            new = typed_record(value, rows) if is_per_run is None else value
            changes[f.name] = np.asarray(value).view(PerRow) if is_per_run else new
        changes = {name: new for name, new in changes.items() if new is not getattr(record, name)}
        return _with_changes(record, changes) if changes else record
    if type(record) is tuple or type(record) is list:
        parts = [typed_record(value, rows) for value in record]
        return record if all(map(is_, parts, record)) else type(record)(parts)
    return record


def _with_changes(record: Any, changes: dict[str, Any]) -> Any:
    """The record with these values, of which only the type differs, so that nothing is computed again."""
    out = copy.copy(record)
    for name, value in changes.items():
        object.__setattr__(out, name, value)
    return out

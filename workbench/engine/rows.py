"""Selecting and joining rows of a batch: arrays per row are cut to the rows, everything else is shared."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from workbench.arrays import meter
from workbench.engine.per_row import PerRow, with_row_types
from workbench.engine.records import Problem, Result, Rows


def cut_problem(problem: Problem, rows: slice | np.ndarray) -> Problem:
    """Some rows of a problem (a slice, or their numbers), with their noise identities and parameters."""
    problem = with_row_types(problem)
    return Problem(
        problem.algorithm,
        cut(problem.instance, rows),
        type(problem.steps)(*(cut(value, rows) for value in problem.steps)),
        {name: value[rows] for name, value in problem.start.items()},
        Rows(problem.run_ids[rows], {name: value[rows] for name, value in problem.params.items()}),
        is_typed=True,
    )


def cut(record: Any, rows: slice | np.ndarray) -> Any:
    """The record with every `PerRow` cut to ``rows``; other arrays are data that all rows share."""
    if isinstance(record, np.ndarray):
        return record[rows] if isinstance(record, PerRow) else record
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        fields = (f.name for f in dataclasses.fields(record) if f.init)
        return dataclasses.replace(record, **{name: cut(getattr(record, name), rows) for name in fields})
    if type(record) is tuple or type(record) is list:
        return type(record)(cut(value, rows) for value in record)
    return record


def concatenate(parts: list[Result]) -> Result:
    """Results one below the other; the times add up, since the parts ran one after the other."""
    first = parts[0]

    def tables(name: str) -> dict[str, np.ndarray]:
        return {k: np.concatenate([getattr(p, name)[k] for p in parts]) for k in getattr(first, name)}

    def counts(resource: str) -> np.ndarray:
        own = [np.broadcast_to(p.calls[resource], (p.size, len(p.marks))) for p in parts]
        return np.concatenate(own)

    return dataclasses.replace(
        first,
        data=tables("data"),
        params=tables("params"),
        run_ids=np.concatenate([p.run_ids for p in parts]),
        status=np.concatenate([p.status for p in parts]),
        failed_at=np.concatenate([p.failed_at for p in parts]),
        calls=meter.compact({resource: counts(resource) for resource in first.calls}),
        elapsed=np.sum([p.elapsed for p in parts], axis=0),
    )

"""Selecting and joining rows of a batch: columns are cut to the rows, everything else is shared."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from workbench.arrays import meter
from workbench.engine.records import Problem, Result, Rows


def cut_problem(problem: Problem, rows: slice | np.ndarray) -> Problem:
    """Some rows of a problem (a slice, or their numbers), with their noise identities and parameters."""
    size = problem.size
    return Problem(
        problem.algorithm,
        cut(problem.instance, size, rows),
        cut_steps(problem.steps, size, rows),
        {name: value[rows] for name, value in problem.start.items()},
        Rows(problem.run_ids[rows], {name: value[rows] for name, value in problem.params.items()}),
    )


def cut(record: Any, size: int, rows: slice | np.ndarray) -> Any:
    """The record with every (size, 1) column cut to ``rows``.

    Other arrays are data shared by all rows, unless their field has ``metadata={"per_run": True}``.
    """
    if isinstance(record, np.ndarray):
        return record[rows] if record.shape == (size, 1) else record
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        fields = {}
        for f in (f for f in dataclasses.fields(record) if f.init):
            value = getattr(record, f.name)
            fields[f.name] = value[rows] if f.metadata.get("per_run") else cut(value, size, rows)
        return dataclasses.replace(record, **fields)
    if type(record) is tuple or type(record) is list:
        return type(record)(cut(value, size, rows) for value in record)
    return record


def cut_steps(steps: Any, size: int, rows: slice | np.ndarray) -> Any:
    return type(steps)(*(cut(v, size, rows) for v in steps))


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

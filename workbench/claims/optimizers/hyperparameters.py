"""The numbers that an optimizer is made with: the same for all runs, or a column with one for each."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Hyperparameters:
    """common: name -> number. columns: name -> (rows,), one number per run."""

    common: dict[str, float]
    columns: dict[str, np.ndarray]

    @classmethod
    def of(cls, steps: Any, rows: int) -> Hyperparameters:
        """Those in the `Steps` of a method, of which an engine has made arrays."""
        common: dict[str, float] = {}
        columns: dict[str, np.ndarray] = {}
        for name, value in steps._asdict().items():
            array = np.asarray(value)
            if array.ndim == 0:
                common[name] = value if isinstance(value, int) else float(array)
            else:  # also of a single row, which has the bits that it has among others
                columns[name] = np.broadcast_to(array.reshape(len(array), -1)[:, 0], (rows,))
        return cls(common, columns)

    def groups(self, rows: int) -> Iterator[tuple[np.ndarray, dict[str, float]]]:
        """The rows that have the same numbers, increasing, with these."""
        if not self.columns:
            yield np.arange(rows), self.common
            return
        table = np.stack(list(self.columns.values()), axis=1)
        points, of_row = np.unique(table, axis=0, return_inverse=True)
        for number, point in enumerate(points):
            values = dict(zip(self.columns, map(float, point), strict=True))
            yield np.flatnonzero(of_row.reshape(-1) == number), {**self.common, **values}


def numbers_in(value: Any, depth: int = 8) -> Iterator[float]:
    """Numbers that stand in arguments, in the defaults of a function or class, and in what a function closes over."""
    if isinstance(value, Real) and not isinstance(value, bool):
        yield float(value)
    if depth < 1:
        return
    if isinstance(value, dict):
        parts: Any = value.values()
    elif isinstance(value, tuple | list):
        parts = value
    elif isinstance(value, types.FunctionType) and value.__closure__:
        parts = [cell.cell_contents for cell in value.__closure__]
    elif isinstance(value, type | types.FunctionType):
        try:
            parts = [p.default for p in inspect.signature(value).parameters.values()]
        except (TypeError, ValueError):  # of a class that is written in C
            parts = []
    else:
        parts = []
    for part in parts:
        yield from numbers_in(part, depth - 1)

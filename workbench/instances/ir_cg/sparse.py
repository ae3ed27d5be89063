"""A level whose rows are sparse: padded rows of equal length, so that a batch of all runs is a gather and a scatter.

Needs ``bincount``, which NumPy and CuPy have and the array-API standard has not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.instances.ir_cg.levels import CURVATURE, LOSSES, check_data

Array = Any


@dataclass(frozen=True)
class SparseRows:
    """columns, entries: (n, w), row i having ``entries[i, k]`` in column ``columns[i, k]``; padded with entries 0.

    b: (n,) labels. d: number of columns. Losses and methods are those of `levels.Rows`.
    """

    columns: Array
    entries: Array
    b: Array
    d: int
    loss: str = "square"

    exact = False

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise ValueError(f"unknown loss {self.loss!r}; choose one of {', '.join(LOSSES)}")
        if isinstance(self.entries, np.ndarray):
            check_data(self.entries, self.b, self.loss)

    @property
    def n(self) -> int:
        return self.entries.shape[0]

    def value(self, x: Array, xp: Any) -> Array:
        return self._at(x, self.columns[None, ...], self.entries[None, ...], self.b[None, :], xp)[0]

    def grad(self, x: Array, xp: Any) -> Array:
        return self._at(x, self.columns[None, ...], self.entries[None, ...], self.b[None, :], xp)[1]

    def sampled(self, x: Array, sample: Any, S: int, xp: Any) -> tuple[Array, Array]:
        """(value, gradient) with S indices."""
        return self._at(x, *self._rows(sample.index(self.n, S), xp), xp)

    def pair(self, x: Array, x_old: Array, sample: Any, S: int, xp: Any) -> tuple[Array, ...]:
        rows = self._rows(sample.index(self.n, S), xp)
        (value, g), (value_old, g_old) = self._at(x, *rows, xp), self._at(x_old, *rows, xp)
        return value, value_old, g, g_old

    def _rows(self, index: Array, xp: Any) -> tuple[Array, Array, Array]:
        """Columns (runs, S, w), entries (runs, S, w) and labels (runs, S) of the sampled rows."""
        return self.columns[index], self.entries[index], self.b[index]

    def _at(self, x: Array, columns: Array, entries: Array, labels: Array, xp: Any) -> tuple[Array, Array]:
        """Mean loss (runs, 1) over the rows given, and its gradient (runs, d)."""
        runs, S = x.shape[0], entries.shape[1]
        run = xp.reshape(xp.arange(runs), (-1, 1, 1)) * self.d
        place = run + columns  # in the flattened points
        predicted = xp.sum(xp.reshape(x, (-1,))[place] * entries, axis=-1)
        values, slopes = LOSSES[self.loss](predicted, labels, xp)
        push = entries * (slopes / float(S))[..., None]
        sums = xp.bincount(xp.reshape(place, (-1,)), xp.reshape(push, (-1,)), runs * self.d)
        return xp.mean(values, axis=-1, keepdims=True), xp.reshape(sums, (runs, self.d))

    def smoothness(self) -> float:
        return CURVATURE[self.loss] * float(np.max(np.sum(self.entries**2, axis=1)))


def padded(matrix: Any, b: np.ndarray, loss: str = "square") -> SparseRows:
    """The level of a SciPy sparse matrix (n, d)."""
    rows = matrix.tocsr()
    counts = np.diff(rows.indptr)
    width = max(1, int(counts.max()))
    filled = np.arange(width) < counts[:, None]
    columns, entries = np.zeros((len(counts), width), dtype=np.int64), np.zeros((len(counts), width))
    columns[filled], entries[filled] = rows.indices, rows.data
    return SparseRows(columns, entries, b, rows.shape[1], loss)

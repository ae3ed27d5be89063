"""A data matrix (n, d), dense or sparse: products with all its rows, and losses over rows that each run samples itself.

Dense matrices are arrays, sparse ones are `Csr`; both work on NumPy and CuPy. ``times`` is A x for each run and
``transposed_times`` A' r, whole-matrix products that all runs share. ``sampled_means`` is the mean loss and its
gradient over each run's own rows, at one or two points, since recursive estimators take one sample at two;
``sampled_difference`` is the difference of the two gradients, and ``mean_gradient`` takes all rows.

On NumPy the sampled rows of a matrix that is not small, and all rows of a sparse one, are read once and in place
(`workbench.arrays.backends.gathered`), so a batch costs little more than reading its rows. The choice depends on the
matrix alone, never on the batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.arrays.backends import gathered, sparse_library
from workbench.arrays.backends.compiled import compiles
from workbench.arrays.ops import matvec

Array = Any
Loss = Callable[[Array, Array, Any], tuple[Array, Array]]
LARGE = 1 << 15  # entries from which a kernel pays; smaller matrices fit into the first caches


@dataclass(frozen=True)
class Csr:
    """Compressed sparse rows: row i has values[k] in column columns[k] for k = starts[i], ..., starts[i+1] - 1.

    values: (entries,). columns: (entries,) of int32. starts: (n + 1,) of int64. d: number of columns. `csr` makes one.
    """

    values: Array
    columns: Array
    starts: Array
    d: int

    def __post_init__(self) -> None:
        """Raises ValueError for indices outside the matrix, since kernels do not check them."""
        if not all(isinstance(part, np.ndarray) for part in (self.values, self.columns, self.starts)):
            return  # copies on a GPU were checked before
        inside = self.columns.size == 0 or (self.columns.min() >= 0 and self.columns.max() < self.d)
        monotone = self.starts.size > 0 and self.starts[0] == 0 and (np.diff(self.starts) >= 0).all()
        if not (inside and monotone and self.starts[-1] == len(self.values) == len(self.columns)):
            raise ValueError(f"the sparse rows are not those of a matrix with {self.d} columns")

    @property
    def shape(self) -> tuple[int, int]:
        return self.starts.shape[0] - 1, self.d

    @property
    def size(self) -> int:
        """Number of stored entries."""
        return self.values.shape[0]

    @cached_property
    def matrix(self) -> Any:
        """The same as a SciPy matrix, or as a CuPy one if the arrays are CuPy's."""
        library = sparse_library(self.values)
        parts = tuple(native(part) for part in (self.values, self.columns, self.starts))
        return library.csr_matrix(parts, shape=self.shape)


def csr(matrix: Any) -> Csr:
    """The `Csr` of a SciPy sparse matrix of any format."""
    rows = matrix.tocsr()
    columns, starts = rows.indices.astype(np.int32), rows.indptr.astype(np.int64)
    return Csr(np.asarray(rows.data, float), columns, starts, rows.shape[1])


def native(a: Array) -> Array:
    """An array as SciPy's or CuPy's sparse matrices take it: on other libraries these work on a NumPy copy."""
    return a if hasattr(a, "flags") else np.asarray(a)


def _contiguous(a: Array, xp: Any) -> Array:
    """The result of a sparse product, row by row, as an array of ``xp``."""
    return (
        xp.ascontiguousarray(a) if hasattr(xp, "ascontiguousarray") else xp.asarray(np.ascontiguousarray(a))
    )


def times(A: Any, x: Array, xp: Any) -> Array:
    """A x for each run: (n, d) times (runs, d) -> (runs, n)."""
    if isinstance(A, Csr):
        return _contiguous((A.matrix @ native(x).T).T, xp)
    return matvec(A, x, xp)


def transposed_times(A: Any, r: Array, xp: Any) -> Array:
    """A' r for each run: (runs, n) -> (runs, d)."""
    if isinstance(A, Csr):
        return _contiguous((A.matrix.T @ native(r).T).T, xp)
    return xp.matmul(r, A)


def largest_square(A: Any) -> float:
    """The largest |a_i|^2 of the rows; on NumPy."""
    return float(
        np.max(A.matrix.multiply(A.matrix).sum(axis=1) if isinstance(A, Csr) else np.sum(A**2, axis=1))
    )


def sampled_means(
    loss: Loss, A: Any, b: Array, index: Array, points: tuple[Array, ...], xp: Any
) -> tuple[Array, tuple[Array, ...]]:
    """Over each run's rows i in index (runs, S): the means of loss(<a_i, x>, b_i), and gradients, at the points x.

    loss: (product, label, xp) -> (value, derivative in the product), elementwise. points: one or two, (runs, d).
    Returns (runs, P), and (runs, d) for each point.
    """
    if _in_place(A, xp):
        return gathered.means(loss, _parts(A), b, index, points)
    A_B = sampled_rows(A, index, xp)
    values, slopes = loss(A_B.times(xp.stack(points, axis=1)), _labels(b, index, xp), xp)
    grads = A_B.transposed_times(slopes / float(index.shape[1]))
    return xp.mean(values, axis=-1), tuple(grads[:, p, :] for p in range(len(points)))


def sampled_difference(loss: Loss, A: Any, b: Array, index: Array, x: Array, y: Array, xp: Any) -> Array:
    """The mean gradient over each run's own rows at x less that at y, (runs, d): see `sampled_means`."""
    if _in_place(A, xp):
        return gathered.differences(loss, _parts(A), b, index, x, y)
    A_B = sampled_rows(A, index, xp)
    _, slopes = loss(A_B.times(xp.stack((x, y), axis=1)), _labels(b, index, xp), xp)
    change = (slopes[:, 0:1, :] - slopes[:, 1:2, :]) / float(index.shape[1])
    return A_B.transposed_times(change)[:, 0, :]


def mean_gradient(loss: Loss, A: Any, b: Array, x: Array, xp: Any) -> Array:
    """The mean over all rows of the gradient of loss(<a_i, x>, b_i), for each run: (runs, d)."""
    if isinstance(A, Csr) and _in_place(A, xp):
        return gathered.mean_gradient(loss, _parts(A), b, x)
    _, slope = loss(times(A, x, xp), b, xp)
    return transposed_times(A, slope / float(A.shape[0]), xp)


def _in_place(A: Any, xp: Any) -> bool:
    return xp.__name__ == "numpy" and A.size >= LARGE and compiles()


def _parts(A: Any) -> tuple[Array, ...]:
    return (A.values, A.columns, A.starts) if isinstance(A, Csr) else (A,)


def _labels(b: Array, index: Array, xp: Any) -> Array:
    """(runs, 1, S)."""
    runs, S = index.shape
    return xp.reshape(xp.take(b, xp.reshape(index, (-1,))), (runs, 1, S))


def sampled_rows(A: Any, index: Array, xp: Any) -> Any:
    """Each run's own rows, index (runs, S), with ``times`` of (runs, P, d) and ``transposed_times`` of (runs, P, S)."""
    return _SparseRows(A, index, xp) if isinstance(A, Csr) else _DenseRows(A, index, xp)


class _DenseRows:
    """The sampled rows as an array (runs, S, d)."""

    def __init__(self, A: Array, index: Array, xp: Any) -> None:
        self._rows = xp.reshape(xp.take(A, xp.reshape(index, (-1,)), axis=0), (*index.shape, A.shape[1]))
        self._xp = xp

    def times(self, points: Array) -> Array:
        """(runs, P, d) -> (runs, P, S)."""
        return self._xp.matmul(points, self._xp.matrix_transpose(self._rows))

    def transposed_times(self, weights: Array) -> Array:
        """(runs, P, S) -> (runs, P, d)."""
        return self._xp.matmul(weights, self._rows)


class _SparseRows:
    """The sampled rows of all runs as one matrix, block-diagonal: run r has its own S rows and its own d columns."""

    def __init__(self, A: Csr, index: Array, xp: Any) -> None:
        runs, S = index.shape
        rows = A.matrix[native(xp.reshape(index, (-1,)))]
        library = xp if hasattr(xp, "ascontiguousarray") else np
        run = library.searchsorted(
            rows.indptr[S::S], library.arange(rows.data.shape[0]), side="right"
        )  # of each entry
        blocks = (rows.data, rows.indices + A.d * run, rows.indptr)
        self._blocks = sparse_library(A.values).csr_matrix(blocks, shape=(runs * S, runs * A.d))
        self._runs, self._xp = runs, xp

    def times(self, points: Array) -> Array:
        return self._each(self._blocks, points)

    def transposed_times(self, weights: Array) -> Array:
        return self._each(self._blocks.T, weights)

    def _each(self, blocks: Any, values: Array) -> Array:
        """(runs, P, k) -> (runs, P, m)."""
        xp, P = self._xp, values.shape[1]
        columns = xp.reshape(xp.moveaxis(values, 1, -1), (-1, P))
        product = xp.asarray(blocks @ native(columns))
        return xp.moveaxis(xp.reshape(product, (self._runs, -1, P)), -1, 1)

"""The two semidefinite programs of a worst case, solved by Clarabel in floating point: nothing here is a bound."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.ledger.balls import BITS
from workbench.ledger.worst_cases import Setting

INSTALL = "it needs a solver: pip install 'theorem-workbench[worst-case]'"
TOLERANCE = 1e-10
PENALTY, POSITIVE = 1e-3, 1e-5  # of multipliers where few are wanted, and those that count as positive


class NoSolution(Exception):
    """The solver has no answer. The message says why."""


def is_installed() -> bool:
    return importlib.util.find_spec("clarabel") is not None


@dataclass(frozen=True)
class Arrays:
    """A setting in floating point: conditions (m), entries of the Gram matrix (q), values (n).

    products: (m + k, q) of conditions and metrics on the scaled upper triangle, values: (m + k, n).
    """

    size: int
    conditions: int
    products: sp.csr_matrix
    values: sp.csr_matrix
    constants: np.ndarray


def arrays(setting: Setting) -> Arrays:
    forms = [*setting.conditions, *setting.metrics]
    d, n = len(setting.basis), len(setting.names)
    rows = np.zeros((len(setting.vectors), d))
    for k, vector in enumerate(setting.vectors):
        for j, c in vector.items():
            rows[k, j] = midpoint(c)
    pairs = sorted({(min(u, v), max(u, v)) for f in forms for _, u, v in f.products})
    number = {pair: k for k, pair in enumerate(pairs)}
    first, second, scale = _triangle(d)
    left, right = (
        np.array(side, int).reshape(-1) for side in (zip(*pairs, strict=True) if pairs else ((), ()))
    )
    outer = rows[left][:, first] * rows[right][:, second] + rows[right][:, first] * rows[left][:, second]
    outer = sp.csr_matrix(outer * (scale / 2))
    entries = [
        (i, number[min(u, v), max(u, v)], float(c)) for i, f in enumerate(forms) for c, u, v in f.products
    ]
    return Arrays(
        d,
        len(setting.conditions),
        _sparse(entries, (len(forms), len(pairs))) @ outer,
        _sparse(
            [(i, k, float(c)) for i, f in enumerate(forms) for k, c in f.values.items()], (len(forms), n)
        ),
        np.array([float(f.constant) for f in forms]),
    )


def _sparse(entries: list[tuple[int, int, float]], shape: tuple[int, int]) -> sp.csr_matrix:
    i, j, c = zip(*entries, strict=True) if entries else ((), (), ())
    return sp.csr_matrix((np.array(c, float), (np.array(i, int), np.array(j, int))), shape=shape)


def midpoint(x: Any) -> float:
    """A ball or a fraction in floating point."""
    return float(x) if not hasattr(x, "low") else (x.low + x.high) / 2 / float(1 << BITS)


def _triangle(d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and scale of the upper triangle, column by column, as Clarabel has it."""
    second, first = np.tril_indices(d)
    return first, second, np.where(first == second, 1.0, np.sqrt(2.0))


def multipliers(a: Arrays, margin: float, null: Sequence[np.ndarray] = ()) -> np.ndarray:
    """(m + k,): multipliers of the conditions and shares of the metrics.

    margin: their matrix is at least so much times the identity. null: vectors that the matrix must map to 0; it is
    definite beside them.
    """
    return np.array(_solution(a, margin, null).x)


def example(a: Arrays, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """(Gram matrix, values) whose conditions hold with so much room: the dual solution of the same program."""
    room = np.r_[np.full(a.conditions, margin), np.zeros(len(a.constants) - a.conditions)]
    z = np.array(_solution(replace(a, constants=a.constants - room), 0.0, ()).z)
    first, second, scale = _triangle(a.size)
    gram = np.zeros((a.size, a.size))
    gram[first, second] = gram[second, first] = z[-len(first) :] / scale
    return gram, z[: a.values.shape[1]]


def _solution(a: Arrays, margin: float, null: Sequence[np.ndarray]) -> Any:
    m, k = a.conditions, len(a.constants) - a.conditions
    first, second, scale = _triangle(a.size)
    beside = np.eye(a.size) - sum((np.outer(v, v) / (v @ v) for v in null), np.zeros((a.size, a.size)))
    shares = sp.csr_matrix(np.r_[np.zeros(m), np.ones(k)])
    maps = [_map(a.size, v) @ a.products.T for v in null]
    system = sp.vstack([a.values.T, shares, *maps, -sp.eye(m + k), a.products.T]).tocsc()
    zeros = a.values.shape[1] + 1 + sum(one.shape[0] for one in maps)
    right = np.r_[np.zeros(zeros), np.zeros(m + k), -margin * beside[first, second] * scale]
    right[a.values.shape[1]] = 1.0
    return _solve(a.constants, system, right, zeros, m + k, a.size)


def fewest(a: Arrays) -> np.ndarray:
    """`multipliers` without a margin, few of which are positive: those that a penalty leaves, solved for again."""
    metrics = len(a.constants) - a.conditions
    penalty = PENALTY * np.r_[np.ones(a.conditions), np.zeros(metrics)]
    first = multipliers(replace(a, constants=a.constants + penalty), 0.0)
    mask = np.r_[first[: a.conditions] > POSITIVE, np.ones(metrics, bool)]
    some = replace(
        a,
        conditions=int(mask.sum()) - metrics,
        products=a.products[mask],
        values=a.values[mask],
        constants=a.constants[mask],
    )
    x = np.zeros(len(mask))
    x[mask] = multipliers(some, 0.0)
    return x


def _map(size: int, v: np.ndarray) -> sp.csr_matrix:
    """(size, q): the scaled triangle of a matrix to the matrix times v."""
    first, second, scale = _triangle(size)
    columns = np.arange(len(first))
    rows = sp.csr_matrix((v[second] / scale, (first, columns)), shape=(size, len(first)))
    off = first != second
    return rows + sp.csr_matrix(
        (v[first][off] / scale[off], (second[off], columns[off])), shape=(size, len(first))
    )


def _solve(cost: np.ndarray, system: Any, right: np.ndarray, zeros: int, nonnegative: int, size: int) -> Any:
    if not is_installed():
        raise NoSolution(INSTALL)
    import clarabel

    cones = [
        clarabel.ZeroConeT(zeros),
        clarabel.NonnegativeConeT(nonnegative),
        clarabel.PSDTriangleConeT(size),
    ][0 if zeros else 1 :]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = TOLERANCE
    n = len(cost)
    with _quiet():
        try:
            solution = clarabel.DefaultSolver(
                sp.csc_matrix((n, n)), cost, system, right, cones, settings
            ).solve()
        except BaseException as error:  # a panic of the solver is no Exception
            if isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise NoSolution(f"the solver failed: {error}") from None
    status = str(solution.status)
    if status not in ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations"):
        raise NoSolution(f"the solver ended with {status!r}")
    return solution


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps what the solver's library writes to standard error when it fails from the terminal."""
    stderr, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nothing)

"""A small array namespace whose numbers are SymPy expressions.

Arrays are NumPy object arrays, so indexing, broadcasting and arithmetic are NumPy's, and an instance's own ``f``,
``g``, ``phi`` run on them unchanged. The simulated code itself is differentiated symbolically.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

sqrt, log, exp, sin, cos, tanh = (
    np.frompyfunc(f, 1, 1) for f in (sp.sqrt, sp.log, sp.exp, sp.sin, sp.cos, sp.tanh)
)
abs = np.abs
matmul, matrix_transpose, arange = np.matmul, np.matrix_transpose, np.arange


def asarray(value: Any, dtype: Any = None) -> np.ndarray:
    return np.asarray(value, dtype=object)


float64 = float


def astype(value: Any, dtype: Any) -> np.ndarray:
    """Of whole numbers only: exact ones."""
    return np.frompyfunc(sp.Integer, 1, 1)(value)


def zeros(shape: Any) -> np.ndarray:
    return np.full(shape, sp.Integer(0), dtype=object)


def where(condition: Any, a: Any, b: Any) -> np.ndarray:
    pick = np.frompyfunc(lambda c, u, v: sp.Piecewise((u, c), (v, True)), 3, 1)
    return pick(condition, a, b)


def vector(name: str, d: int) -> np.ndarray:
    """One row (1, d) of real symbols."""
    return np.array([sp.symbols(f"{name}:{d}", real=True)], dtype=object)


def expression(a: Any) -> sp.Expr:
    """The only entry of a (1, 1) array."""
    (entry,) = np.asarray(a, dtype=object).reshape(-1)
    return sp.sympify(entry)

"""SymPy expressions as NumPy code, with sums and products whose limits are arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sympy import Product, Sum, lambdify
from sympy.printing.numpy import NumPyPrinter

CHUNK = 100_000  # numbers that are computed together
SETTINGS = {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True}


class _Printer(NumPyPrinter):
    """SymPy's own code calls `range`, which takes no arrays and no floats."""

    def _print_Sum(self, expression: Sum) -> str:
        return self._series("_sum", expression)

    def _print_Product(self, expression: Product) -> str:
        return self._series("_prod", expression)

    def _series(self, name: str, expression: Any) -> str:
        code = self._print(expression.function)
        for index, low, high in expression.limits:  # the first limit is the innermost one
            code = f"{name}(lambda {self._print(index)}: {code}, {self._print(low)}, {self._print(high)})"
        return code


def numpy_function(parameters: Any, result: Any, chain: Any = ()) -> Callable[..., Any]:
    """A function of the parameters, in order, that broadcasts arrays.

    chain: definitions (symbol, expression), in order, that the result uses.
    """
    return lambdify(
        parameters,
        result,
        modules=[{"_sum": _sum, "_prod": _prod}, "numpy"],
        printer=_Printer(SETTINGS),
        cse=lambda e: (list(chain), e),  # the chain as the common subexpressions
    )


def _sum(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    return _over_range(term, low, high, np.add, 0.0)


def _prod(term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    return _over_range(term, low, high, np.multiply, 1.0)


def _over_range(term: Callable[[Any], Any], low: Any, high: Any, join: np.ufunc, empty: float) -> Any:
    """term(low), ..., term(high) joined, where limits may differ from element to element; none of them: `empty`.

    Raises ValueError for limits that are no finite integers.
    """
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    if not (
        np.isfinite(low).all() and np.isfinite(high).all() and (low % 1 == 0).all() and (high % 1 == 0).all()
    ):
        raise ValueError("a sum or product needs integers as its limits, or its value in closed form")
    total = np.full(low.shape, empty)
    if not low.size or low.min() > high.max():
        return total
    with np.errstate(all="ignore"):  # outside of an element's own range a term may have no value
        shape = np.broadcast_shapes(np.shape(term(low.min())), low.shape)
        most = max(1, CHUNK // max(1, int(np.prod(shape))))
        for first in np.arange(low.min(), high.max() + 1, most):
            k = np.arange(first, min(first + most, high.max() + 1)).reshape(-1, *(1 for _ in shape))
            terms = np.where((k >= low) & (k <= high), term(k), empty)
            total = join(total, join.reduce(terms, axis=0))
    return total

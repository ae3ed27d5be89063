"""Max and Min of terms as they stand.

SymPy's own compare every term with every other one, to leave out those that never count. Constants without values are
not comparable, so that nothing is left out, and the comparisons took half of the time in which a paper is imported.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, sympify


def Max(*terms: Any) -> Expr:
    """The largest term, a `sympy.Max`; numbers are compared, terms with symbols are not."""
    return _of(sympy.Max, terms)


def Min(*terms: Any) -> Expr:
    """The least term, a `sympy.Min`; numbers are compared, terms with symbols are not."""
    return _of(sympy.Min, terms)


def _of(kind: Any, terms: tuple[Any, ...]) -> Expr:
    expressions = [sympify(term) for term in terms]
    symbolic = [e for e in expressions if e.free_symbols]
    numbers = [e for e in expressions if not e.free_symbols]
    extreme: Expr = kind(*([kind(*numbers)] if numbers else []), *symbolic, evaluate=False)
    return extreme

"""SymPy expressions as trees (`workbench.ledger.trees`): a record's formulas, and what searchers rewrite."""

from __future__ import annotations

from typing import Any

from sympy import (
    Abs,
    Add,
    E,
    Expr,
    Function,
    Indexed,
    Max,
    Min,
    Mul,
    Piecewise,
    Pow,
    Product,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    pi,
    sin,
    tanh,
)
from sympy.core.relational import Ge, Gt, Le, Lt

from workbench.theory.indicator import IsPositive, IsZero

FUNCTIONS = {exp: "exp", log: "log", Abs: "abs", tanh: "tanh", sin: "sin", cos: "cos"}
Tree = Any


class Untranslatable(ValueError):
    """An expression for which the checkers have no enclosure."""


def tree(e: Expr, functions: bool = False) -> Tree:
    """The portable tree of an expression; `functions`: other functions become functions of which nothing is known.

    Raises Untranslatable, naming an unsupported function.
    """

    def of(x: Expr) -> Tree:
        return tree(x, functions)

    if isinstance(e, Symbol):
        return e.name
    if e.is_Rational:
        return ["q", str(e)]
    if e in (pi, E):
        return ["pi"] if e == pi else ["e"]
    if isinstance(e, (Add, Mul)):
        return ["+" if isinstance(e, Add) else "*", *map(of, e.args)]
    if isinstance(e, (Max, Min)):
        return ["max" if isinstance(e, Max) else "min", *map(of, e.args)]
    if isinstance(e, Pow):
        return ["^", of(e.base), str(e.exp)] if e.exp.is_Rational else ["pow", of(e.base), of(e.exp)]
    if isinstance(e, Piecewise):
        return _cases(e.args)
    if isinstance(e, (Sum, Product)):
        body = of(e.function)
        for k, low, high in e.limits:  # the first limit is the innermost one
            body = ["sum" if isinstance(e, Sum) else "prod", k.name, of(low), of(high), body]
        return body
    if isinstance(e, Indexed) and len(e.indices) == 1:
        return ["at", str(e.base.label), of(e.indices[0])]
    if isinstance(e, (IsPositive, IsZero)):
        values = (["q", "0"], ["q", "1"]) if isinstance(e, IsPositive) else (["q", "1"], ["q", "0"])
        return ["if", of(-e.args[0]), *values]
    if type(e) in FUNCTIONS and len(e.args) == 1:
        return [FUNCTIONS[type(e)], of(e.args[0])]
    if functions and isinstance(e, Function) and e.args:
        return ["call", e.func.__name__, *map(of, e.args)]
    raise Untranslatable(f"{e.func.__name__} has no enclosure: {str(e)[:60]}")


def _cases(pieces: tuple[Any, ...]) -> Tree:
    """The pieces of a case distinction, (value, condition) each; the last one applies whatever its condition."""
    (value, condition), *rest = pieces
    if condition == True or not rest:  # noqa: E712  (a SymPy Boolean)
        return tree(value)
    other = _cases(tuple(rest))
    if isinstance(condition, (Le, Lt)):
        difference, strict = condition.rhs - condition.lhs, isinstance(condition, Lt)
    elif isinstance(condition, (Ge, Gt)):
        difference, strict = condition.lhs - condition.rhs, isinstance(condition, Gt)
    else:
        raise Untranslatable(f"a case distinction on {condition}")
    if strict:  # value where d > 0, i.e. other where -d >= 0
        return ["if", tree(-difference), other, tree(value)]
    return ["if", tree(difference), tree(value), other]

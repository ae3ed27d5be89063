"""SymPy expressions as portable trees (`workbench.ledger.enclosure`), and statements as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import (
    Abs,
    Add,
    E,
    Expr,
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
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational

from theorems.lemma import Box, Inequality

FUNCTIONS = {exp: "exp", log: "log", Abs: "abs", tanh: "tanh", sin: "sin", cos: "cos"}
Tree = Any
LONG = 60


class Untranslatable(ValueError):
    """An expression for which the checkers have no enclosure."""


def tree(e: Expr) -> Tree:
    """The portable tree of an expression. Raises Untranslatable, naming an unsupported function."""
    if isinstance(e, Symbol):
        return e.name
    if e.is_Rational:
        return ["q", str(e)]
    if e in (pi, E):
        return ["pi"] if e == pi else ["e"]
    if isinstance(e, (Add, Mul)):
        return ["+" if isinstance(e, Add) else "*", *map(tree, e.args)]
    if isinstance(e, (Max, Min)):
        return ["max" if isinstance(e, Max) else "min", *map(tree, e.args)]
    if isinstance(e, Pow):
        if e.exp.is_Rational:
            return ["^", tree(e.base), str(e.exp)]
        return ["exp", ["*", tree(e.exp), ["log", tree(e.base)]]]
    if isinstance(e, Piecewise):
        return _cases(e.args)
    if isinstance(e, Sum) and len(e.limits) == 1 and all(a.is_Integer for a in e.limits[0][1:]):
        k, low, high = e.limits[0]
        return ["sum", k.name, str(low), str(high), tree(e.function)]
    if type(e) in FUNCTIONS and len(e.args) == 1:
        return [FUNCTIONS[type(e)], tree(e.args[0])]
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


def condition(relation: Relational) -> list[Any]:
    """[tree, sign]: the relation as "tree >= 0", "tree > 0" or "tree = 0"."""
    if isinstance(relation, Eq):
        return [tree(relation.lhs - relation.rhs), "="]
    if isinstance(relation, (Le, Lt)):
        return [tree(relation.rhs - relation.lhs), ">=" if isinstance(relation, Le) else ">"]
    if isinstance(relation, (Ge, Gt)):
        return [tree(relation.lhs - relation.rhs), ">=" if isinstance(relation, Ge) else ">"]
    raise Untranslatable(f"the condition {relation} is neither an inequality nor an equation")


def box(domain: Box) -> dict[str, list[Any]]:
    """Symbol name -> [low, high, low open, high open, integer]; ends as "1/3", "oo", "-oo"."""
    return {
        s.name: [str(i.low), str(i.high), i.low_open, i.high_open, i.integer]
        for s, i in sorted(domain.items(), key=lambda item: item[0].name)
    }


def statement(check: Inequality, values: Mapping[Symbol, Expr] | None = None) -> dict[str, Any]:
    """An inequality as JSON, its constants at their printed values or at the given ones."""
    known = {c.symbol: c.printed for c in check.constants} | dict(values or {})
    lhs, rhs = (written_out(e.xreplace(known)) for e in (check.lhs, check.rhs))
    given = [written_out(g.xreplace(known)) for g in check.given]
    # SymPy has already decided conditions without symbols.
    return {
        "lhs": tree(lhs),
        "rhs": tree(rhs),
        "box": box({s: i for s, i in check.box.items() if s not in known}),
        "given": [condition(g) for g in given if isinstance(g, Relational)]
        + [[["q", "-1"], ">="] for g in given if g == False],  # noqa: E712
    }


def written_out(e: Expr) -> Expr:
    """Expands sums and products with numeric limits; sums of more than LONG terms are left as they are."""

    def short(x: Expr) -> bool:
        if not isinstance(x, (Sum, Product)) or not all(a.is_Integer for lim in x.limits for a in lim[1:]):
            return False
        return isinstance(x, Product) or len(x.limits) > 1 or x.limits[0][2] - x.limits[0][1] < LONG

    return e.replace(short, lambda x: x.doit())

"""Exact checks written with SymPy, for tests of the checkers: each function returns the `Exact` that a line would.

A box maps symbols to intervals; SymPy may simplify an expression before it becomes a tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sympy import (
    Add,
    Expr,
    Indexed,
    Integer,
    Rational,
    Sum,
    Symbol,
    ceiling,
    expand,
    floor,
    oo,
    sympify,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational

from workbench.ledger.from_sympy import tree
from workbench.theory.lemma import Check, Exact, Lemma, symbols_of
from workbench.theory.record import Paper


@dataclass(frozen=True)
class Interval:
    """The domain of one symbol: rational ends (or -oo, oo), each open or closed."""

    low: Any = -oo
    high: Any = oo
    low_open: bool = False
    high_open: bool = False
    integer: bool = False

    def side(self) -> list[Any]:
        low, high = sympify(self.low), sympify(self.high)
        if self.integer:
            low = floor(low) + 1 if self.low_open and low.is_finite else ceiling(low)
            high = ceiling(high) - 1 if self.high_open and high.is_finite else floor(high)
            return [str(low), str(high), not low.is_finite, not high.is_finite, True]
        return [str(low), str(high), self.low_open or low == -oo, self.high_open or high == oo, False]


def closed(low: Any, high: Any) -> Interval:
    return Interval(low, high)


def opened(low: Any, high: Any) -> Interval:
    return Interval(low, high, True, True)


def at_least(low: Any) -> Interval:
    return Interval(low)


def above(low: Any) -> Interval:
    return Interval(low, low_open=True)


def integers(low: Any, high: Any = oo) -> Interval:
    return Interval(low, high, integer=True)


REAL = Interval()
POSITIVE, NONNEGATIVE = above(0), at_least(0)
UNIT = closed(0, 1)
Box = Mapping[Symbol, Interval]


def nonnegative(*symbols: Symbol) -> dict[Symbol, Interval]:
    return dict.fromkeys(symbols, NONNEGATIVE)


def positive(*symbols: Symbol) -> dict[Symbol, Interval]:
    return dict.fromkeys(symbols, POSITIVE)


@dataclass(frozen=True)
class Constant:
    """A constant of a statement and its printed value."""

    symbol: Symbol
    printed: Any
    stronger: Literal["smaller", "larger"] = "smaller"


def declared(symbol: Symbol) -> Interval:
    """The values of a symbol by its declaration: real, integer, and its sign."""
    low = 0 if symbol.is_extended_nonnegative else -oo
    high = 0 if symbol.is_extended_nonpositive else oo
    if symbol.is_integer:
        return Interval(1 if symbol.is_positive else low, -1 if symbol.is_negative else high, integer=True)
    return Interval(low, high, bool(symbol.is_extended_positive), bool(symbol.is_extended_negative))


def box_of(box: Box) -> dict[str, list[Any]]:
    return {s.name: side.side() for s, side in sorted(box.items(), key=lambda item: item[0].name)}


def condition(relation: Relational) -> list[Any]:
    """[tree, sign] for tree >= 0, > 0 or = 0."""
    if isinstance(relation, Eq):
        return [tree(relation.lhs - relation.rhs), "="]
    if isinstance(relation, (Le, Lt)):
        return [tree(relation.rhs - relation.lhs), ">=" if isinstance(relation, Le) else ">"]
    return [tree(relation.lhs - relation.rhs), ">=" if isinstance(relation, Ge) else ">"]


def conditions(given: tuple[Any, ...]) -> list[Any]:
    """SymPy has already decided conditions without symbols."""
    return [condition(g) for g in given if isinstance(g, Relational)] + [
        [["q", "-1"], ">="]
        for g in given
        if g == False  # noqa: E712  (a SymPy Boolean)
    ]


def _exact(name: str, statement: dict[str, Any], constants: tuple[Constant, ...] = (), **more: Any) -> Exact:
    return Exact(
        name=name,
        statement=statement,
        constants={c.symbol.name: tree(sympify(c.printed)) for c in constants},
        stronger={c.symbol.name: c.stronger for c in constants},
        witness={str(k): str(sympify(v)) for k, v in more.pop("witness", {}).items()},
        **more,
    )


def Inequality(
    name: str,
    lhs: Any,
    rhs: Any,
    box: Box,
    given: tuple[Any, ...] = (),
    constants: tuple[Constant, ...] = (),
    **more: Any,
) -> Exact:
    """lhs <= rhs at every point of the box where the conditions hold."""
    statement = {
        "kind": "inequality",
        "lhs": tree(sympify(lhs)),
        "rhs": tree(sympify(rhs)),
        "box": box_of(box),
        "given": conditions(given),
    }
    return _exact(name, statement, constants, **more)


def Induction(
    name: str,
    total: Any,
    bound: Any,
    n: Symbol,
    start: int,
    box: Box | None = None,
    given: tuple[Any, ...] = (),
    constants: tuple[Constant, ...] = (),
    **more: Any,
) -> Exact:
    """total <= bound for every integer n >= start."""
    index, low, _ = total.limits[0]
    statement = {
        "kind": "induction",
        "op": "sum" if isinstance(total, Sum) else "prod",
        "index": index.name,
        "low": int(low),
        "term": tree(total.function),
        "bound": tree(sympify(bound)),
        "n": n.name,
        "start": start,
        "box": box_of(box or {}),
        "given": conditions(given),
    }
    return _exact(name, statement, constants, **more)


def Identity(
    name: str,
    lhs: Any,
    rhs: Any,
    n: Symbol | None = None,
    start: int = 1,
    recursion: Mapping[Any, Any] | None = None,
    **more: Any,
) -> Exact:
    """lhs = rhs wherever both have a value; with n by induction, with sequences defined by a recursion."""
    lhs, rhs = sympify(lhs), sympify(rhs)
    rules = {target: sympify(value) for target, value in (recursion or {}).items()}
    box = box_of({s: declared(s) for s in symbols_of(lhs, rhs, *rules.values()) if s != n})
    if n is not None:
        box[n.name] = [str(start), "oo", False, True, True]
    statement = {
        "kind": "identity",
        "lhs": tree(lhs, True),
        "rhs": tree(rhs, True),
        "box": box,
        "n": None if n is None else n.name,
        "start": None if n is None else start,
        "rules": [[str(t.base.label), _element(t), tree(value, True)] for t, value in rules.items()],
    }
    return _exact(name, statement, **more)


def _element(target: Indexed) -> int | None:
    return int(target.indices[0]) if target.indices[0].is_Integer else None


def LinearProgram(
    name: str,
    objective: Any,
    constraints: tuple[Relational, ...],
    claimed: Any,
    sense: str = "max",
    relation: str = "=",
    **more: Any,
) -> Exact:
    """The optimum of a linear objective under linear constraints, and the claimed one."""
    row, constant = _linear(sympify(objective))
    rows = []
    for c in constraints:
        own, right = _linear(c.rhs - c.lhs if isinstance(c, (Ge, Gt)) else c.lhs - c.rhs)
        rows.append([own, "=" if isinstance(c, Eq) else "<=", str(-right)])
    statement = {
        "kind": "program",
        "sense": sense,
        "relation": relation,
        "claimed": str(sympify(claimed)),
        "objective": row,
        "constant": str(constant),
        "rows": rows,
    }
    return _exact(name, statement, **more)


def _linear(e: Expr) -> tuple[dict[str, str], Rational]:
    row, constant = {}, Integer(0)
    for term in Add.make_args(expand(e)):
        q, factor = term.as_coeff_Mul(rational=True)
        if factor == 1:
            constant = q
        else:
            row[factor.name] = str(q)
    return row, constant


def link(
    paper: Paper, name: str, title: str, source: str, statement: str, uses: tuple[str, ...] = (), *checks: Check,
    **more: Any,
) -> Lemma:  # fmt: skip
    """A `Lemma` of a paper; `name` and `uses` are keys without the paper's prefix."""
    links = tuple(f"{paper.key}/{use}" for use in uses)
    return Lemma(f"{paper.key}/{name}", paper, title, source, statement, links, checks, **more)

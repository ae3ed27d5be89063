"""One entry of a corpus: a statement as a record of `workbench.theory.lemma`, and the reason why it is false or true.

The record is made on demand, since a malformed one may be refused when it is made. The reason of a false statement is
checked by a `witness`, computed in 120 digits or in rationals, never with the checkers under test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Symbol, symbols, sympify
from sympy.core.relational import Relational

from workbench.ledger.corpus import value
from workbench.theory.lemma import Box, Check, Identity, Induction, Inequality

# Symbols of the corpora: real ones, and whole positive ones for indices and limits.
x, y, z, t, u, v, w, a, b, c = symbols("x y z t u v w a b c", real=True)
k, n, j = symbols("k n j", integer=True, positive=True)

Point = Mapping[Symbol, Any]


@dataclass(frozen=True)
class Entry:
    """A statement with known truth.

    mechanism: how it misleads (false) or why it is hard (true). source: one sentence, why it is false or true.
    witness: confirms that it is false; None for a true statement.
    """

    name: str
    mechanism: str
    build: Callable[[], Check]
    source: str
    witness: Callable[[], bool] | None = None


def fails(
    lhs: Any, rhs: Any, box: Box, point: Mapping[Any, Any], given: tuple[Relational, ...] = ()
) -> Callable[[], bool]:
    """Witness: a point of the box where the conditions hold and lhs > rhs."""

    def confirmed() -> bool:
        at = {s: sympify(q) for s, q in point.items()}
        inside = set(at) >= set(box) and all(at[s] in side for s, side in box.items())
        return (
            inside and all(value.true(g, at) for g in given) and value.larger(sympify(lhs), sympify(rhs), at)
        )

    return confirmed


def undefined(
    lhs: Any, rhs: Any, box: Box, point: Mapping[Any, Any], given: tuple[Relational, ...] = ()
) -> Callable[[], bool]:
    """Witness: a point of the box where the conditions hold and one side has no value."""

    def confirmed() -> bool:
        at = {s: sympify(q) for s, q in point.items()}
        inside = all(at[s] in side for s, side in box.items())
        nowhere = value.undefined(sympify(lhs), at) or value.undefined(sympify(rhs), at)
        return inside and all(value.true(g, at) for g in given) and nowhere

    return confirmed


def false_inequality(
    mechanism: str,
    name: str,
    lhs: Any,
    rhs: Any,
    box: Box,
    point: Mapping[Any, Any],
    source: str = "",
    given: tuple[Relational, ...] = (),
    without_value: bool = False,
    **more: Any,
) -> Entry:
    """lhs <= rhs on the box, false (or without a value) at the point. The default source names the point."""
    at = ", ".join(f"{s} = {q}" for s, q in point.items())
    said = "a side has no value" if without_value else "the left side is larger"
    witness = (undefined if without_value else fails)(lhs, rhs, box, point, given)
    return Entry(
        name,
        mechanism,
        lambda: Inequality(name, lhs, rhs, box, given, **more),
        source or (f"At {at} {said}." if at else f"Without variables, and {said}."),
        witness,
    )


def false_induction(
    mechanism: str,
    name: str,
    total: Any,
    bound: Any,
    point: Mapping[Any, Any],
    source: str = "",
    box: Box | None = None,
    given: tuple[Relational, ...] = (),
    start: Any = 1,
    limit: Symbol = n,
    **more: Any,
) -> Entry:
    """total <= bound for all n >= start, false at the point, which gives a value to n, too."""
    inner = box or {}
    at = ", ".join(f"{s} = {q}" for s, q in point.items())

    def witness() -> bool:
        return bool(sympify(point[limit]) >= sympify(start)) and fails(total, bound, inner, point, given)()

    return Entry(
        name,
        mechanism,
        lambda: Induction(name, total, bound, limit, start, inner, given, **more),
        source or f"At {at} the left side is larger.",
        witness,
    )


def false_identity(
    mechanism: str,
    name: str,
    lhs: Any,
    rhs: Any,
    point: Mapping[Any, Any],
    source: str = "",
    **more: Any,
) -> Entry:
    """lhs = rhs, false at the point."""
    at = ", ".join(f"{s} = {q}" for s, q in point.items())

    def witness() -> bool:
        here = {s: sympify(q) for s, q in point.items()}
        one, other = sympify(lhs), sympify(rhs)
        return value.larger(one, other, here) or value.larger(other, one, here)

    return Entry(
        name,
        mechanism,
        lambda: Identity(name, lhs, rhs, **more),
        source or f"At {at} the sides differ.",
        witness,
    )


def true_inequality(
    mechanism: str, name: str, lhs: Any, rhs: Any, box: Box, source: str, given: tuple[Relational, ...] = ()
) -> Entry:
    """lhs <= rhs at every point of the box where the conditions hold."""
    return Entry(name, mechanism, lambda: Inequality(name, lhs, rhs, box, given), source)


def true_induction(
    mechanism: str,
    name: str,
    total: Expr,
    bound: Any,
    source: str,
    box: Box | None = None,
    start: int = 1,
    given: tuple[Relational, ...] = (),
) -> Entry:
    """total <= bound for all n >= start."""
    return Entry(name, mechanism, lambda: Induction(name, total, bound, n, start, box or {}, given), source)


def true_identity(mechanism: str, name: str, lhs: Any, rhs: Any, source: str, **more: Any) -> Entry:
    """lhs = rhs."""
    return Entry(name, mechanism, lambda: Identity(name, lhs, rhs, **more), source)

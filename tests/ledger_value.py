"""The value of a tree at a point, in 120 digits, independent of every checker of the ledger.

The conventions are those of real analysis: a quotient by zero, a logarithm of a number that is not positive, and a
fractional power of a negative number have no value; empty sums are 0, empty products 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mp, mpf

DIGITS = 120
SAME = mpf(10) ** -100  # relative difference below which two numbers count as equal
LONGEST = 10**6  # terms that are added one by one
FUNCTIONS = {n: getattr(mpmath, n) for n in ("exp", "sin", "cos", "tanh")} | {"abs": mpmath.fabs}
Point = Mapping[str, Any]


class NoValue(ArithmeticError):
    """The expression has no real value at the point."""


def value(tree: Any, at: Point) -> Any:
    """Raises NoValue where the tree has none; functions of which nothing is known have none anywhere."""
    with mp.workdps(DIGITS):
        return _value(tree, at)


def _value(tree: Any, at: Point) -> Any:
    if isinstance(tree, str):
        return at[tree]
    head, *args = tree
    if head == "q":
        return number(Fraction(args[0]))
    if head in ("pi", "e"):
        return +getattr(mp, head)
    if head in ("^", "pow"):
        p = Fraction(args[1]) if head == "^" else None
        return _power(_value(args[0], at), p, _value(args[1], at) if p is None else None)
    if head in ("sum", "prod"):
        return _series(head, *args, at)
    if head == "if":
        return _value(args[1] if _value(args[0], at) >= 0 else args[2], at)
    if head == "at":
        return _value(f"{args[0]}[{int(_value(args[1], at))}]", at)
    parts = [_value(part, at) for part in args]
    if head == "log":
        if parts[0] <= 0:
            raise NoValue
        return mpmath.log(parts[0])
    if head in FUNCTIONS:
        return FUNCTIONS[head](*parts)
    if head in ("+", "*"):
        return mp.fsum(parts) if head == "+" else mp.fprod(parts)
    return {"max": max, "min": min}[head](parts)


def number(q: Fraction) -> Any:
    """A rational number in 120 digits."""
    with mp.workdps(DIGITS):
        return mpf(q.numerator) / q.denominator


def _power(base: Any, p: Fraction | None, general: Any) -> Any:
    whole = p is not None and p.denominator == 1
    if (base < 0 and not whole) or (base == 0 and (general if p is None else p) < 0):
        raise NoValue
    if p is None:
        return mp.power(base, general)
    return base**p.numerator if whole else mp.power(base, mpf(p.numerator) / p.denominator)


def _series(head: str, index: str, low: Any, high: Any, term: Any, at: Point) -> Any:
    first, last = (int(_value(end, at)) for end in (low, high))
    if last >= first and not _names(index, term):  # 2,000 sums of 2,000 equal terms took a minute
        one, count = _value(term, at), last - first + 1
        return one * count if head == "sum" else one**count
    if last - first > LONGEST:  # of a term that falls: at least the integral
        with mp.workdps(20):
            return mp.quad(lambda t: _value(term, {**at, index: t}), [first, 10, 10**3, 10**6, last])
    terms = [_value(term, {**at, index: mpf(k)}) for k in range(first, last + 1)]
    return mp.fsum(terms) if head == "sum" else mp.fprod(terms)


def _names(index: str, tree: Any) -> bool:
    """Does a name occur in a tree?"""
    return tree == index if isinstance(tree, str) else any(_names(index, part) for part in tree[1:])


def larger(one: Any, other: Any, at: Point) -> bool:
    """Is the first tree larger at the point, by more than rounding?"""
    a, b = value(one, at), value(other, at)
    return bool(a - b > SAME * (1 + abs(a) + abs(b)))


def holds(condition: list[Any], at: Point) -> bool:
    """Does [tree, sign] hold at the point?"""
    v = value(condition[0], at)
    return bool({">=": v >= 0, ">": v > 0, "=": abs(v) < SAME}[condition[1]])

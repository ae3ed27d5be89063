"""The value of a SymPy expression at a point, in 120 digits, independent of every checker of the ledger.

The conventions are those of real analysis: a quotient by zero, a logarithm of a number that is not positive, and a
fractional power of a negative number have no value; empty sums are 0, empty products 1, and 0^0 = 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mpmath
from mpmath import mp, mpf
from sympy import (
    Abs,
    Add,
    And,
    E,
    Expr,
    Max,
    Min,
    Mul,
    Or,
    Piecewise,
    Pow,
    Product,
    Sum,
    Symbol,
    ceiling,
    cos,
    exp,
    factorial,
    floor,
    log,
    pi,
    sin,
    tanh,
)
from sympy.core.relational import Eq, Ge, Gt, Le

DIGITS = 120
SAME = mpf(10) ** -100  # relative difference below which two numbers count as equal
Point = Mapping[Symbol, Any]

FUNCTIONS = {
    Abs: mpmath.fabs,
    ceiling: mpmath.ceil,
    cos: mpmath.cos,
    factorial: mpmath.factorial,
    floor: mpmath.floor,
    sin: mpmath.sin,
    tanh: mpmath.tanh,
}


class NoValue(ArithmeticError):
    """The expression has no real value at the point."""


def value(e: Expr, at: Point) -> Any:
    """The expression at a point (symbol -> exact number). Raises NoValue where it is undefined."""
    with mp.workdps(DIGITS):
        return _value(e, {s: _number(v) for s, v in at.items()})


def _number(v: Any) -> Any:
    """A coordinate: a rational, or a number such as sqrt(2)."""
    if isinstance(v, Expr) and not v.is_Rational:
        return _value(v, {})
    return mpf(int(v.p)) / int(v.q) if isinstance(v, Expr) else mpf(v)


def _value(e: Expr, at: dict[Symbol, Any]) -> Any:
    if isinstance(e, Symbol):
        return at[e]
    if e.is_Rational:
        return _number(e)
    if e in (pi, E):
        return +mp.pi if e == pi else +mp.e
    if isinstance(e, (Sum, Product)):
        return _repeated(e, list(e.limits), at)
    if isinstance(e, Piecewise):
        for result, condition in e.args:
            if condition == True or (condition != False and _true(condition, at)):  # noqa: E712
                return _value(result, at)
        raise NoValue("no case applies")
    parts = [_value(a, at) for a in e.args]
    if isinstance(e, (Add, Mul)):
        return mpmath.fsum(parts) if isinstance(e, Add) else mpmath.fprod(parts)
    if isinstance(e, (Max, Min)):
        return max(parts) if isinstance(e, Max) else min(parts)
    if isinstance(e, exp):
        return mpmath.exp(parts[-1])
    if isinstance(e, Pow):
        return _power(*parts)
    if isinstance(e, log):
        if parts[0] <= 0:
            raise NoValue("a logarithm of a number that is not positive")
        return mpmath.log(parts[0])
    if type(e) in FUNCTIONS:
        return FUNCTIONS[type(e)](parts[0])
    raise NoValue(f"{e.func.__name__} has no real value here")


def _power(base: Any, p: Any) -> Any:
    if p == 0:
        return mpf(1)
    if base == 0 and p < 0:
        raise NoValue("a quotient by zero")
    if base < 0 and p != mpmath.floor(p):
        raise NoValue("a fractional power of a negative number")
    return mpmath.power(base, int(p)) if p == mpmath.floor(p) else mpmath.power(base, p)


def _repeated(e: Any, limits: list[Any], at: dict[Symbol, Any]) -> Any:
    """A sum or product; the last limit is the outermost, as in SymPy."""
    if not limits:
        return _value(e.function, at)
    index, low, high = limits[-1]
    first, last = (_value(end, at) for end in (low, high))
    total = mpf(0) if isinstance(e, Sum) else mpf(1)
    every = range(int(mpmath.ceil(first)), int(mpmath.floor(last)) + 1)
    inner = [e.function, *(end for limit in limits[:-1] for end in limit[1:])]
    if every and not any(index in x.free_symbols for x in inner):  # the same term every time
        term = _repeated(e, limits[:-1], at)
        return term * len(every) if isinstance(e, Sum) else term ** len(every)
    for i in every:
        term = _repeated(e, limits[:-1], {**at, index: mpf(i)})
        total = total + term if isinstance(e, Sum) else total * term
    return total


def _true(relation: Any, at: dict[Symbol, Any]) -> bool:
    """Does a relation hold? Numbers that agree to 100 digits are equal."""
    if isinstance(relation, (And, Or)):
        return (all if isinstance(relation, And) else any)(_true(r, at) for r in relation.args)
    left, right = _value(relation.lhs, at), _value(relation.rhs, at)
    equal = mpmath.fabs(left - right) <= SAME * (1 + mpmath.fabs(left) + mpmath.fabs(right))
    if isinstance(relation, Eq):
        return bool(equal)
    if isinstance(relation, (Ge, Le)) and equal:
        return True
    more = left > right
    return bool(not equal and (more if isinstance(relation, (Gt, Ge)) else not more))


def true(relation: Any, at: Point) -> bool:
    """Does a relation hold at a point? SymPy's own `true` and `false` are what they say."""
    if relation in (True, False):
        return bool(relation)
    with mp.workdps(DIGITS):
        return _true(relation, {s: _number(v) for s, v in at.items()})


def larger(left: Expr, right: Expr, at: Point) -> bool:
    """Is left > right at a point, by more than rounding?"""
    with mp.workdps(DIGITS):
        a, b = value(left, at), value(right, at)
        return bool(a - b > SAME * (1 + mpmath.fabs(a) + mpmath.fabs(b)))


def undefined(e: Expr, at: Point) -> bool:
    """Has the expression no value at a point?"""
    try:
        value(e, at)
    except NoValue:
        return True
    return False

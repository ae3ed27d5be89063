"""Statements that fail because a side has no value at some point of the box, or because a step changes the domain."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Integer, Le, Piecewise, Rational, exp, log, sqrt
from sympy.core.relational import Relational

from workbench.ledger.corpus.entry import Entry, false_inequality, n, x, y, z
from workbench.theory.lemma import NONNEGATIVE, REAL, UNIT, Box, closed, integers

q = Rational
AROUND = closed(-1, 1)
SQUARE = {x: UNIT, y: UNIT}


def _nowhere(
    mechanism: str, name: str, lhs: Any, rhs: Any, box: Box, point: Any, given: tuple[Relational, ...] = ()
) -> Entry:
    """An inequality of which a side has no value at a point of the box: nothing may be concluded."""
    return false_inequality(mechanism, name, lhs, rhs, box, point, given=given, without_value=True)


DIVISION = "a quotient by zero at one point"
QUOTIENTS = [
    _nowhere(DIVISION, "at an end", -1 / x, 0, {x: UNIT}, {x: 0}),
    _nowhere(DIVISION, "inside", -1 / x**2, 0, {x: AROUND}, {x: 0}),
    _nowhere(DIVISION, "absolute value", 1 / Abs(x), 1 / x**2 + 1, {x: AROUND}, {x: 0}),
    _nowhere(DIVISION, "two variables", -1 / (x + y), 0, SQUARE, {x: 0, y: 0}),
    _nowhere(DIVISION, "with an exponential", exp(-1 / x**2), 1, {x: AROUND}, {x: 0}),
    _nowhere(DIVISION, "on a diagonal", -1 / (x - y) ** 2, 0, SQUARE, {x: 1, y: 1}),
    _nowhere(DIVISION, "at the far end", -1 / (1 - x), 0, {x: UNIT}, {x: 1}),
    _nowhere(DIVISION, "cancelled", (x**2 - x) / x, x, {x: AROUND}, {x: 0}),
    _nowhere(DIVISION, "cancelled, cubic", (x**3 - 1) / (x - 1), 3 * x**2 + x + 2, {x: closed(0, 2)}, {x: 1}),
    _nowhere(
        DIVISION, "cancelled, two variables", (x**2 - y**2) / (x - y), x + y, SQUARE, {x: q(1, 3), y: q(1, 3)}
    ),
    _nowhere(
        DIVISION,
        "only at a condition's point",
        1 / (x - q(1, 3)),
        10**9,
        {x: UNIT},
        {x: q(1, 3)},
        given=(Le((x - q(1, 3)) ** 2, 0),),
    ),
    _nowhere(DIVISION, "in a condition's branch", Piecewise((0, x > 0), (1 / x, True)), 1, {x: UNIT}, {x: 0}),
]

LOGARITHM = "a logarithm of what is not positive"
LOGARITHMS = [
    _nowhere(LOGARITHM, "at 0", log(x), 0, {x: UNIT}, {x: 0}),
    _nowhere(LOGARITHM, "entropy at 0", x * log(x), 0, {x: UNIT}, {x: 0}),
    _nowhere(LOGARITHM, "of a difference", log(x - y), x, SQUARE, {x: 0, y: 1}),
    _nowhere(LOGARITHM, "squared", -(log(x) ** 2), 0, {x: UNIT}, {x: 0}),
    _nowhere(LOGARITHM, "quotient cancelled", log(2 * x), log(x) + 1, {x: AROUND}, {x: q(-1, 2)}),
    _nowhere(LOGARITHM, "powers cancelled", log(3 * x + 3) - log(x + 1), 2, {x: closed(-3, 3)}, {x: -2}),
    _nowhere(LOGARITHM, "relative entropy at 0", x * log(x / y), x * (x - y) / y, SQUARE, {x: 0, y: 1}),
    _nowhere(LOGARITHM, "exponential of a logarithm", exp(2 * log(x) / 3), 1, {x: AROUND}, {x: -1}),
]

ROOT = "a root of a negative number"
ROOTS = [
    _nowhere(ROOT, "square root", sqrt(x), 1 + x**2, {x: AROUND}, {x: -1}),
    _nowhere(ROOT, "cube root", x ** q(1, 3), 2, {x: AROUND}, {x: -1}),
    _nowhere(ROOT, "two thirds", -(x ** q(2, 3)), 0, {x: AROUND}, {x: -1}),
    _nowhere(ROOT, "cube root of a cube", (x**3) ** q(1, 3), Abs(x), {x: AROUND}, {x: -1}),
    _nowhere(ROOT, "cancelled", sqrt(2 * x + 2), sqrt(2) * sqrt(x + 1), {x: closed(-3, 3)}, {x: -2}),
    _nowhere(ROOT, "quotient cancelled", sqrt(8 * x - 8) / sqrt(x - 1), 3, {x: closed(-3, 3)}, {x: -2}),
    _nowhere(ROOT, "of a product", sqrt(x * y), (Abs(x) + Abs(y)) / 2, {x: AROUND, y: AROUND}, {x: 1, y: -1}),
    _nowhere(ROOT, "fourth power of a fourth root", sqrt(sqrt(x) - q(1, 2)), 1, {x: UNIT}, {x: 0}),
    _nowhere(
        ROOT,
        "only under a condition",
        sqrt(x - q(1, 3)),
        1,
        {x: UNIT},
        {x: q(33333333, 10**8)},
        given=(Le((x - q(1, 3)) ** 2, Integer(10) ** -16),),
    ),
]

ZERO = "a power with a variable exponent at 0 or below"
ZEROS = [
    false_inequality(ZERO, "0^0 is 1", x**y, x + q(1, 2), {x: closed(0, 0), y: UNIT}, {x: 0, y: 0}),
    false_inequality(ZERO, "0^0 is 1, at a corner", x**y, 1 - q(1, 10**9), SQUARE, {x: 0, y: 0}),
    false_inequality(ZERO, "zero to a power", 1 - x**y, 0, {x: UNIT, y: closed(1, 2)}, {x: 0, y: 1}),
    _nowhere(ZERO, "a negative base", (-2) ** x, 4, {x: closed(0, 2)}, {x: q(1, 2)}),
    _nowhere(
        ZERO,
        "a negative base at whole numbers and between",
        x**y,
        1,
        {x: AROUND, y: UNIT},
        {x: -1, y: q(1, 2)},
    ),
    _nowhere(ZERO, "zero to a negative power", -(x**y), 0, {x: UNIT, y: AROUND}, {x: 0, y: -1}),
]

CASES = "a case distinction with a gap"
GAPS = [
    _nowhere(CASES, "no second case", Piecewise((0, x > 5)), 1, {x: closed(0, 10)}, {x: 1}),
    _nowhere(CASES, "not at 0", Piecewise((1, x < 0), (2, x > 0)), 2, {x: AROUND}, {x: 0}),
    _nowhere(
        CASES,
        "not at one point, exponential",
        exp(y) * Piecewise((1, x < q(1, 3)), (1, x > q(1, 3))),
        exp(y),
        SQUARE,
        {x: q(1, 3), y: 0},
    ),
    _nowhere(
        CASES,
        "not below a line",
        Piecewise((0, x > y), (0, x < y - q(1, 2))),
        1,
        SQUARE,
        {x: q(1, 2), y: q(1, 2)},
    ),
    _nowhere(
        CASES, "whole numbers left out", Piecewise((0, n < 4), (0, n > 4)), 1, {n: integers(1, 9)}, {n: 4}
    ),
]

FORCED = "a root taken apart for negative factors"
three = closed(-2, -1)
NEGATIVE = {x: three, y: three, z: three}
apart = sqrt(x * y) * sqrt(x * z) / sqrt(y * z)  # |x| where x, y, z < 0
spot = q(-1234567, 10**6)
AT_SPOT = {x: spot, y: -1, z: -1}
FORCED_ROOTS = [
    false_inequality(
        FORCED, "at one point", apart * exp(x), x * exp(x), NEGATIVE, AT_SPOT, given=(Le((x - spot) ** 2, 0),)
    ),
    false_inequality(
        FORCED,
        "on a thin set",
        apart * exp(x),
        x * exp(x),
        NEGATIVE,
        AT_SPOT,
        given=(Le((x - spot) ** 2, Integer(10) ** -20),),
    ),
    false_inequality(
        FORCED,
        "a sum",
        apart + exp(x),
        x + exp(x),
        NEGATIVE,
        AT_SPOT,
        given=(Le((x - spot) ** 2, Integer(10) ** -20),),
    ),
    false_inequality(FORCED, "everywhere", apart, x, NEGATIVE, AT_SPOT),
    false_inequality(FORCED, "squares", sqrt(x**2), x, {x: AROUND}, {x: -1}),
    false_inequality(
        FORCED,
        "logarithm of a square",
        log(x**2),
        2 * log(Abs(x)) - q(1, 10**12),
        {x: closed(-2, -1)},
        {x: -1},
    ),
]

ENDLESS = "values at infinity"
AT_INFINITY = [
    false_inequality(
        ENDLESS, "a product of 0 and infinity", x * (1 / (x + 1)), q(1, 2), {x: NONNEGATIVE}, {x: 2}
    ),
    false_inequality(
        ENDLESS,
        "a difference of infinities",
        x - sqrt(x**2 + x),
        q(-1, 2) - q(1, 10**12),
        {x: NONNEGATIVE},
        {x: 0},
    ),
    false_inequality(
        ENDLESS,
        "a quotient of infinities",
        (x**2 + 1) / (x**2 + x + 1),
        1 - q(1, 10**9),
        {x: NONNEGATIVE},
        {x: 10**10},
    ),
    false_inequality(ENDLESS, "exponentials", exp(x) * (exp(-x) + exp(-2 * x)), 1, {x: REAL}, {x: 0}),
    false_inequality(
        ENDLESS, "a limit from below", q(1, 10**12) - 1 / x, -1 / (2 * x), {x: closed(1, 10**13)}, {x: 10**13}
    ),
]

ENTRIES = (*QUOTIENTS, *LOGARITHMS, *ROOTS, *ZEROS, *GAPS, *FORCED_ROOTS, *AT_INFINITY)

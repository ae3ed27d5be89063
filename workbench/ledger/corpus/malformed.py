"""False statements that are malformed: names, declared assumptions, constants, numbers that are not exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath import mp, mpf
from sympy import (
    Abs,
    Dummy,
    Eq,
    Float,
    Function,
    Ge,
    I,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Max,
    Min,
    Pow,
    Rational,
    Sum,
    Symbol,
    Wild,
    cos,
    exp,
    log,
    pi,
    sqrt,
)

from workbench.ledger.corpus.entry import Entry, false_induction, false_inequality, k, n, x, y
from workbench.theory.lemma import (
    POSITIVE,
    REAL,
    UNIT,
    Check,
    Constant,
    Identity,
    Induction,
    Inequality,
    Interval,
    LinearProgram,
    closed,
    integers,
)

q = Rational
TEN = Integer(10)
Build = Callable[[], Check]

# ------------------------------------------------------------------------------------------------ names

NAMES = "two symbols of one name"
positive_x, plain_x = Symbol("x", positive=True), Symbol("x")
whole_x = Symbol("x", integer=True)
one, other = Dummy("x", real=True), Dummy("x", real=True)
wild = Wild("x")
whole_n, real_n = n, Symbol("n", real=True)
SAME_NAME = [
    false_inequality(
        NAMES,
        "positive and real",
        positive_x - x,
        0,
        {positive_x: closed(2, 3), x: UNIT},
        {positive_x: 2, x: 1},
    ),
    false_inequality(
        NAMES,
        "real and without assumptions",
        plain_x,
        x,
        {plain_x: closed(2, 3), x: UNIT},
        {plain_x: 2, x: 1},
    ),
    false_inequality(
        NAMES, "real and whole", exp(whole_x), exp(x), {whole_x: integers(1, 3), x: UNIT}, {whole_x: 3, x: 0}
    ),
    false_inequality(
        NAMES, "two dummies", one - other, 0, {one: closed(2, 3), other: UNIT}, {one: 2, other: 1}
    ),
    false_inequality(NAMES, "a wild symbol", wild, x, {wild: closed(2, 3), x: UNIT}, {wild: 2, x: 1}),
    false_inequality(
        NAMES,
        "in a condition",
        x * exp(y),
        0,
        {x: closed(1, 2), y: UNIT, positive_x: closed(1, 2)},
        {x: 2, y: 0, positive_x: 1},
        given=(Ge(positive_x + x, 3), Ge(4, positive_x + 2 * x - 1)),
    ),
    false_inequality(
        NAMES,
        "in a product",
        positive_x * x,
        x**2,
        {positive_x: closed(2, 3), x: UNIT},
        {positive_x: 2, x: 1},
    ),
    false_inequality(
        NAMES,
        "the wider box",
        1 / positive_x + x,
        2,
        {positive_x: POSITIVE, x: UNIT},
        {positive_x: q(1, 10), x: 1},
    ),
    false_induction(
        NAMES,
        "the induction variable",
        Sum(real_n, (k, 1, n)),
        n * n,
        {n: 1, real_n: 2000},
        box={real_n: closed(0, 2000)},
    ),
    false_induction(
        NAMES,
        "the induction variable in the bound",
        Sum(1, (k, 1, n)),
        Max(real_n, n - Max(0, n - 2000)),
        {n: 3000, real_n: 0},
        box={real_n: UNIT},
    ),
]

some_f, other_f = Function("f"), Function("f", positive=True)
some_s, other_s = IndexedBase("S"), IndexedBase("S", positive=True)


def _distinct(name: str, lhs: Any, rhs: Any, reason: str, left: int, right: int) -> Entry:
    """An identity between two things of one name, which may have the values left and right."""
    return Entry(name, NAMES, lambda: Identity(name, lhs, rhs), reason, lambda: left != right)


SAME_NAME += [
    _distinct(
        "two functions", some_f(x), other_f(x), "One is any function, the other positive: -1 and 1.", -1, 1
    ),
    _distinct(
        "two sequences", some_s[n], other_s[n], "One is any sequence, the other positive: -1 and 1.", -1, 1
    ),
    _distinct("a function and a sequence", some_s[n], Function("S")(n), "Nothing joins them: 1 and 2.", 1, 2),
]

FRESH = "a name that a solver makes up"
fresh_roots = {Symbol(f"root!{i}", real=True): closed(0, q(1, 4)) for i in range(40)}
fresh_inverses = {Symbol(f"inverse!{i}", real=True): closed(0, q(1, 4)) for i in range(40)}
fresh_point = dict.fromkeys((*fresh_roots, *fresh_inverses), 0)
NEEDLE = q(7654321, 10**7)
SOLVER_NAMES = [
    false_inequality(
        FRESH,
        "root",
        TEN**-18 - (sqrt(x) - NEEDLE) ** 2,
        0,
        {x: UNIT, **fresh_roots},
        {x: NEEDLE**2, **fresh_point},
        "At x = 0.7654321^2 the left side is 1e-18.",
    ),
    false_inequality(
        FRESH,
        "inverse",
        TEN**-18 - (1 / x - NEEDLE) ** 2,
        0,
        {x: closed(1, 2), **fresh_inverses},
        {x: 1 / NEEDLE, **fresh_point},
        "At x = 1/0.7654321 the left side is 1e-18.",
    ),
    false_inequality(
        FRESH,
        "root, below",
        sqrt(x),
        q(1, 2),
        {x: UNIT, **fresh_roots},
        {x: 1, **fresh_point},
        "At x = 1 the left side is 1.",
    ),
    false_inequality(
        FRESH,
        "an operator",
        Symbol("+", real=True),
        0,
        {Symbol("+", real=True): UNIT},
        {Symbol("+", real=True): 1},
    ),
    false_inequality(
        FRESH,
        "infinity",
        Symbol("oo", real=True),
        0,
        {Symbol("oo", real=True): UNIT},
        {Symbol("oo", real=True): 1},
    ),
]

# ------------------------------------------------------------------------------------------------ assumptions

NARROW = "a symbol declared narrower than its box"


def _declared(
    name: str, lhs: Callable[[Symbol], Any], rhs: Any, side: Interval, at: Any, left: Any, **assumed: bool
) -> Entry:
    """lhs(s) <= rhs for a symbol with an assumption that the box does not respect.

    left: a number that lhs(at) reaches or exceeds, computed by hand for a real s.
    """
    s = Symbol("s", **assumed)
    how = ", ".join(what if yes else f"not {what}" for what, yes in assumed.items())
    right = rhs(s) if callable(rhs) else rhs

    def witness() -> bool:
        return at in side and left > (rhs(Fraction(str(at))) if callable(rhs) else rhs)

    return Entry(
        name,
        NARROW,
        lambda: Inequality(name, lhs(s), right, {s: side}),
        f"At s = {at} the left side is at least {left}; SymPy simplified it for a symbol that is {how}.",
        witness,
    )


DECLARED = [
    _declared("negative, absolute value", Abs, 0, UNIT, 1, 1, negative=True),
    _declared("negative, root", lambda s: sqrt(s**2), 0, UNIT, 1, 1, negative=True),
    _declared("negative, maximum", lambda s: Max(s, 0), 0, UNIT, 1, 1, negative=True),
    _declared("nonpositive, absolute value", Abs, 0, closed(0, 2), 2, 2, nonpositive=True),
    _declared("nonpositive, minimum", lambda s: -Min(s, 0), lambda s: -s, UNIT, 1, 0, nonpositive=True),
    _declared("extended nonnegative", Abs, lambda s: s, closed(-1, 1), -1, 1, extended_nonnegative=True),
    _declared("extended positive", lambda s: Max(-s, 0), 0, closed(-1, 1), -1, 1, extended_positive=True),
    _declared("extended negative", lambda s: Max(s, 0), 0, UNIT, 1, 1, extended_negative=True),
    _declared("even", lambda s: -((-1) ** s), -1, integers(1, 10), 1, 1, even=True),
    _declared("odd", lambda s: (-1) ** s, -1, integers(1, 10), 2, 1, odd=True),
    _declared("even, cosine", lambda s: -cos(pi * s), -1, integers(0, 10), 1, 1, even=True),
    _declared("prime", lambda s: Max(2 - s, 0) + Abs(s) - s, 0, integers(0, 10), 0, 2, prime=True),
    _declared(
        "nonzero, Kronecker",
        lambda s: KroneckerDelta(s, 0),
        0,
        integers(0, 3),
        0,
        1,
        integer=True,
        nonzero=True,
    ),
    _declared("imaginary, exponential", lambda s: Abs(exp(s)), 1, UNIT, 1, 2, imaginary=True),
    _declared("imaginary, square", lambda s: Abs(s) ** 2 + s**2, 0, UNIT, 1, 2, imaginary=True),
    _declared("zero", lambda s: s * 5, 0, UNIT, 1, 5, zero=True),
    _declared("positive, with 0", lambda s: 1 - Max(s, 0) / s, 0, UNIT, 0, 1, positive=True),
    _declared("not zero", lambda s: KroneckerDelta(s, 0), 0, closed(0, 3), 0, 1, zero=False),
    _declared(
        "extended nonzero", lambda s: KroneckerDelta(s, 0), 0, integers(0, 3), 0, 1, extended_nonzero=True
    ),
    _declared("not whole", lambda s: KroneckerDelta(s, 0), 0, integers(0, 3), 0, 1, noninteger=True),
    _declared("not rational", lambda s: KroneckerDelta(s, 0), 0, closed(0, 3), 0, 1, rational=False),
    _declared("not algebraic", lambda s: KroneckerDelta(s, 0), 0, closed(0, 3), 0, 1, algebraic=False),
    _declared("not even", lambda s: KroneckerDelta(s, 0), 0, closed(0, 3), 0, 1, even=False),
    _declared("not positive", lambda s: Max(s, 0), 0, UNIT, 1, 1, positive=False, extended_real=True),
    _declared("not nonzero", lambda s: Max(s, 0), 0, UNIT, 1, 1, nonzero=False, extended_real=True),
    _declared(
        "not negative", lambda s: Max(-s, 0), 0, closed(-1, 1), -1, 1, negative=False, extended_real=True
    ),
    _declared("whole, on an interval", lambda s: -cos(2 * pi * s), -1, UNIT, q(1, 2), 1, integer=True),
]

# ------------------------------------------------------------------------------------------------ constants

FIXED = "a constant that contradicts itself"


def _fixed(name: str, build: Build, reason: str, left: Any, right: Any) -> Entry:
    """An inequality whose constants have impossible values; left > right: the two sides at a point, by hand."""
    return Entry(name, FIXED, build, reason, lambda: left > right)


cp, cn, ci, ce = (
    Symbol("c", positive=True),
    Symbol("c", negative=True),
    Symbol("c", integer=True),
    Symbol("c", even=True),
)
cr = Symbol("c", real=True)
CONSTANTS = [
    _fixed(
        "positive, printed -3, root",
        lambda: Inequality("s", sqrt(cp**2) * x, 0, {x: UNIT}, constants=(Constant(cp, -3),)),
        "At x = 1 the left side is sqrt(9) = 3; SymPy took the root for c.",
        3,
        0,
    ),
    _fixed(
        "positive, printed -3, absolute value",
        lambda: Inequality("s", Abs(cp) * x, 0, {x: UNIT}, constants=(Constant(cp, -3),)),
        "At x = 1 the left side is |-3| = 3.",
        3,
        0,
    ),
    _fixed(
        "negative, printed 2",
        lambda: Inequality("s", Max(cn, 0) * x, 0, {x: UNIT}, constants=(Constant(cn, 2),)),
        "At x = 1 the left side is 2; SymPy dropped c from the maximum.",
        2,
        0,
    ),
    _fixed(
        "whole, printed 1/2",
        lambda: Inequality("s", -((-1) ** (2 * ci)) * x, 0, {x: UNIT}, constants=(Constant(ci, q(1, 2)),)),
        "At x = 1 the left side is -(-1)^1 = 1.",
        1,
        0,
    ),
    _fixed(
        "even, printed 1",
        lambda: Inequality("s", -((-1) ** ce) * x, 0, {x: UNIT}, constants=(Constant(ce, 1),)),
        "At x = 1 the left side is -(-1)^1 = 1.",
        1,
        0,
    ),
    _fixed(
        "a variable of the box",
        lambda: Inequality("s", x, 1, {x: closed(0, 5)}, constants=(Constant(x, 1),)),
        "At x = 5 the left side is 5.",
        5,
        1,
    ),
    _fixed(
        "a variable of the box, squared",
        lambda: Inequality("s", x**2 + y, 2, {x: closed(-5, 5), y: UNIT}, constants=(Constant(x, 1),)),
        "At x = 5, y = 0 the left side is 25.",
        25,
        2,
    ),
    _fixed(
        "two printed values",
        lambda: Inequality("s", cr * x, x, {x: UNIT}, constants=(Constant(cr, 2), Constant(cr, 1))),
        "With c = 2 at x = 1 the left side is 2, the right side 1.",
        2,
        1,
    ),
]

# ------------------------------------------------------------------------------------------------ numbers

INEXACT = "numbers that are not exact"
LESS = Fraction(0.3)  # the double nearest to 3/10 is smaller
assert Fraction(3, 10) > LESS


def _rounded(name: str, build: Build, reason: str) -> Entry:
    return Entry(name, INEXACT, build, reason, lambda: Fraction(3, 10) > LESS)


at_most_3 = closed(0, q(3, 10))
FLOATS = [
    _rounded(
        "a float on the right",
        lambda: Inequality("s", x, 0.3, {x: at_most_3}),
        "The double 0.3 is smaller than 3/10, the value at x = 3/10.",
    ),
    _rounded(
        "a float inside",
        lambda: Inequality("s", x * Float("0.3", 15) ** -1, 1, {x: at_most_3}),
        "At x = 3/10 the quotient by the double 0.3 exceeds 1.",
    ),
    _rounded(
        "a float in the box",
        lambda: Inequality("s", x, q(3, 10) - TEN**-20, {x: closed(0, 0.3)}),
        "0.3 is meant to be 3/10; at its exact value the bound is missed by 1e-20.",
    ),
    _rounded(
        "a float in a condition",
        lambda: Inequality("s", x, 0, {x: UNIT}, given=(Ge(x, 0.3),)),
        "At x = 1 the left side is 1.",
    ),
    _rounded(
        "a float in a sum",
        lambda: Induction("s", Sum(k * 0.1, (k, 1, n)), n * (n + 1) / 20, n, 1),
        "The double 0.1 is larger than 1/10, so the sum exceeds its bound at n = 1.",
    ),
    _rounded(
        "a float as a constant",
        lambda: Inequality("s", x, cr, {x: at_most_3}, constants=(Constant(cr, 0.3),)),
        "The double 0.3 is smaller than 3/10, the value at x = 3/10.",
    ),
    _rounded(
        "a float as a claimed optimum",
        lambda: LinearProgram("s", x, (x <= q(3, 10),), 0.3),
        "The optimum is 3/10, not the double 0.3.",
    ),
]


# ------------------------------------------------------------------------------------------------ no real statement

COMPLEX = "expressions that are not real"


def _not_real(name: str, lhs: Any, rhs: Any, box: dict, reason: str, witness: Callable[[], bool]) -> Entry:
    return Entry(name, COMPLEX, lambda: Inequality(name, lhs, rhs, box), reason, witness)


def _digits(f: Callable[[], bool]) -> Callable[[], bool]:
    def confirmed() -> bool:
        with mp.workdps(50):
            return bool(f())

    return confirmed


NOT_REAL = [
    _not_real(
        "imaginary left side",
        I * x,
        1,
        {x: UNIT},
        "At x = 1 the left side is i, which has no order.",
        lambda: complex(0, 1).imag > 0,
    ),
    _not_real(
        "absolute value of a complex number",
        Abs(x + I),
        1,
        {x: UNIT},
        "At x = 1 the left side is sqrt(2).",
        _digits(lambda: abs(mp.mpc(1, 1)) > 1),
    ),
    _not_real(
        "cube root of -8",
        Integer(-8) ** q(1, 3),
        -2,
        {},
        "The principal root is 1 + 1.73 i, not -2.",
        _digits(lambda: mp.im(mp.mpc(-8) ** (mpf(1) / 3)) > 1),
    ),
    _not_real(
        "sixth power of a cube root",
        x * Pow(Integer(-1), q(2, 3)),
        x,
        {x: UNIT},
        "(-1)^(2/3) is -1/2 + 0.87 i for the principal root.",
        _digits(lambda: mp.im(mp.mpc(-1) ** (mpf(2) / 3)) > 0.5),
    ),
    _not_real(
        "logarithm of -1",
        log(Integer(-1)) * x,
        0,
        {x: UNIT},
        "log(-1) is i pi.",
        _digits(lambda: mp.im(mp.log(mp.mpc(-1))) > 3),
    ),
    _not_real(
        "a relation as a side",
        Ge(x, 2),
        1,
        {x: UNIT},
        "A relation has no size; at x = 1 it is false.",
        lambda: not 1 >= 2,
    ),
    _not_real(
        "a truth value as a side",
        True,
        0,
        {x: UNIT},
        "A truth value has no size; as a number it is 1.",
        lambda: int(True) > 0,
    ),
    _not_real(
        "a pair as a side", (x, 5), 1, {x: UNIT}, "A pair has no size; its second entry is 5.", lambda: 5 > 1
    ),
]

INTERVALS = "boxes that are not boxes"


def _box(name: str, build: Build, reason: str, left: Any, right: Any) -> Entry:
    """A statement on an impossible box; left > right: the two sides at a point, by hand."""
    return Entry(name, INTERVALS, build, reason, lambda: left > right)


BOXES = [
    _box(
        "ends reversed",
        lambda: Inequality("s", x, 0, {x: closed(1, 0)}),
        "Between its ends, at x = 1, the left side is 1.",
        1,
        0,
    ),
    _box(
        "an open point",
        lambda: Inequality("s", x, 0, {x: Interval(1, 1, True, True)}),
        "The closed point x = 1 fails.",
        1,
        0,
    ),
    _box(
        "infinity as a point",
        lambda: Inequality("s", x, 0, {x: Interval("oo", "oo")}),
        "Every number near infinity is positive.",
        10**9,
        0,
    ),
    _box(
        "no domain",
        lambda: Inequality("s", x + y, 1, {x: UNIT}),
        "For y = 2 the left side is at least 2.",
        0 + 2,
        1,
    ),
    _box(
        "a number as a variable",
        lambda: Inequality("s", x + 2, 2, {x: UNIT, Integer(2): UNIT}),
        "At x = 1 the left side is 3.",
        1 + 2,
        2,
    ),
    _box(
        "an expression as a variable",
        lambda: Inequality("s", x * y, 1, {x: closed(0, 2), y: closed(0, 2), x * y: UNIT}),
        "At x = y = 2 the left side is 4.",
        2 * 2,
        1,
    ),
    _box(
        "an irrational end",
        lambda: Inequality("s", x, q(1414, 1000), {x: closed(0, sqrt(2))}),
        "At x = sqrt(2) the left side is 1.41421.",
        2,
        Fraction(1414, 1000) ** 2,
    ),
    _box(
        "a condition that is no relation",
        lambda: Inequality("s", x, 0, {x: UNIT}, given=(True,)),
        "At x = 1 the left side is 1.",
        1,
        0,
    ),
    _box(
        "a condition between expressions",
        lambda: Inequality("s", x, 0, {x: UNIT, y: UNIT}, given=(Eq(x, y) | Eq(x, 1),)),
        "At x = y = 1 the left side is 1.",
        1,
        0,
    ),
    _box(
        "an end without a value",
        lambda: Inequality("s", x, 0, {x: Interval(0, "nan")}),
        "At x = 1 the left side is 1.",
        1,
        0,
    ),
    _box(
        "reals in a box of whole numbers",
        lambda: Inequality("s", n, 5, {n: REAL}),
        "At n = 6 the left side is 6.",
        6,
        5,
    ),
]

ENTRIES = (*SAME_NAME, *SOLVER_NAMES, *DECLARED, *CONSTANTS, *FLOATS, *NOT_REAL, *BOXES)

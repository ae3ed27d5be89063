"""False statements about equations, identities and linear programs: cancelled factors, generic values, wrong optima."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sympy import (
    Abs,
    Eq,
    Expr,
    Function,
    Ge,
    Gt,
    Heaviside,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Le,
    Max,
    Min,
    Mod,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    acos,
    asin,
    atan,
    binomial,
    cos,
    exp,
    factorial,
    floor,
    log,
    pi,
    sign,
    sin,
    sqrt,
    tan,
)

from workbench.ledger.corpus.entry import Entry, a, false_identity, false_inequality, k, n, t, u, w, x, y, z
from workbench.theory.lemma import UNIT, Identity, LinearProgram, closed

q = Rational
TEN = Integer(10)
AROUND = closed(-1, 1)

# ------------------------------------------------------------------------------------------------ equations

CANCEL = "a cancelled factor that may vanish"
FIVE = {x: closed(0, 5), y: UNIT}
X5 = {x: 5, y: 0}
CANCELLED = [
    false_inequality(
        CANCEL,
        "at an end",
        exp(u),
        exp(w),
        {u: UNIT, w: UNIT, z: UNIT},
        {u: 1, w: 0, z: 0},
        given=(Eq(u * z, w * z),),
    ),
    false_inequality(
        CANCEL,
        "inside",
        exp(u),
        exp(w),
        {u: UNIT, w: UNIT, z: closed(-1, 2)},
        {u: 1, w: 0, z: 0},
        given=(Eq(u * z, w * z),),
    ),
    false_inequality(
        CANCEL,
        "a difference",
        exp(u),
        exp(w),
        {u: UNIT, w: UNIT, y: UNIT, z: UNIT},
        {u: 1, w: 0, y: 1, z: 1},
        given=(Eq(u * (z - y), w * (z - y)),),
    ),
    false_inequality(
        CANCEL,
        "the factor itself",
        a * exp(t),
        0,
        {u: UNIT, w: UNIT, a: UNIT, t: UNIT},
        {u: 0, w: 0, a: 1, t: 0},
        given=(Eq(u * a, w * a),),
    ),
    false_inequality(
        CANCEL, "a square", exp(x), 2, FIVE, {x: 5, y: q(1, 2)}, given=(Eq(x * (y - q(1, 2)) ** 2, 0),)
    ),
    false_inequality(CANCEL, "a logarithm", exp(x), 2, FIVE, X5, given=(Eq(x * log(1 + y), 0),)),
    false_inequality(
        CANCEL,
        "an absolute value",
        exp(x),
        2,
        {x: closed(0, 5), y: AROUND},
        {x: 5, y: -1},
        given=(Eq(x * (Abs(y) + y), 0),),
    ),
    false_inequality(
        CANCEL,
        "a maximum",
        exp(x),
        2,
        {x: closed(0, 5), y: AROUND},
        {x: 5, y: -1},
        given=(Eq(x * Max(y, 0), 0),),
    ),
    false_inequality(
        CANCEL,
        "a case distinction",
        exp(x),
        2,
        {x: closed(0, 5), y: AROUND},
        {x: 5, y: -1},
        given=(Eq(x * Piecewise((1, y > 0), (0, True)), 0),),
    ),
    false_inequality(
        CANCEL, "a hidden zero", exp(x), 2, FIVE, X5, given=(Eq(x * (sin(y) ** 2 + cos(y) ** 2 - 1), 0),)
    ),
    false_inequality(
        CANCEL,
        "a hidden zero, hyperbolic",
        exp(x),
        2,
        FIVE,
        X5,
        given=(Eq(x * (exp(y) * (exp(-y) + 1) - 1 - exp(y)), 0),),
    ),
    false_inequality(
        CANCEL,
        "two equations",
        exp(x),
        2,
        {x: closed(0, 5), y: UNIT, z: UNIT},
        {x: 5, y: 0, z: 0},
        given=(Eq(x * y, 0), Eq(y, z)),
    ),
    false_inequality(
        CANCEL,
        "a vanishing right side",
        exp(x - y),
        2,
        {x: closed(0, 5), y: UNIT, z: UNIT},
        {x: 5, y: 0, z: 0},
        given=(Eq(x * z, y * z**2),),
    ),
    false_inequality(
        CANCEL,
        "a polynomial",
        u**2,
        w**2,
        {u: UNIT, w: UNIT, z: UNIT},
        {u: 1, w: 0, z: 0},
        given=(Eq(u * z, w * z),),
    ),
    false_inequality(
        CANCEL,
        "a thin set",
        exp(u),
        exp(w),
        {u: UNIT, w: UNIT, z: UNIT},
        {u: 1, w: 0, z: q(1, 3)},
        given=(Eq(u * (z - q(1, 3)), w * (z - q(1, 3))),),
    ),
    false_inequality(CANCEL, "a root", exp(x), 2, FIVE, X5, given=(Eq(x * sqrt(y), 0),)),
]

JUMP = "an equation that is linear only in pieces"
JUMPS = [
    false_inequality(
        JUMP, "a jump", x * exp(y), 3, FIVE, {x: 3, y: 1}, given=(Eq(x, Piecewise((3, x > 1), (0, True))),)
    ),
    false_inequality(
        JUMP,
        "a jump at a whole number",
        exp(x),
        exp(1),
        {x: closed(0, 5)},
        {x: 4},
        given=(Eq(x, Piecewise((4, x >= 2), (1, True))),),
    ),
    false_inequality(
        JUMP,
        "a step in the coefficient",
        exp(x),
        2,
        {x: closed(0, 5)},
        {x: 2},
        given=(Eq(x * Piecewise((1, x < 1), (q(1, 2), True)), Piecewise((0, x < 1), (1, True))),),
    ),
    false_inequality(
        JUMP, "an absolute value", exp(x), 2, {x: closed(-5, 5)}, {x: 3}, given=(Eq(Abs(x), 3),)
    ),
    false_inequality(JUMP, "a maximum", exp(x), 1, {x: closed(-5, 5)}, {x: 3}, given=(Eq(Max(x, 3), 3),)),
    false_inequality(JUMP, "a square", exp(x), 1, {x: closed(-5, 5)}, {x: 2}, given=(Eq(x**2, 4),)),
]

# ------------------------------------------------------------------------------------------------ identities

GENERIC = "an identity for generic values only"
whole_n, whole_k = Symbol("N", integer=True), Symbol("K", integer=True)
from_0 = Symbol("i", integer=True, nonnegative=True)
not_negative = Symbol("p", nonnegative=True)
complex_z = Symbol("zeta", complex=True)


def _by_hand(
    mechanism: str, name: str, lhs: Any, rhs: Any, left: Any, right: Any, reason: str, **more: Any
) -> Entry:
    """An identity whose sides at a point are computed by hand."""
    return Entry(name, mechanism, lambda: Identity(name, lhs, rhs, **more), reason, lambda: left != right)


def _choose(top: int, bottom: int) -> int:
    """The binomial coefficient for any whole numbers: top (top - 1) ... / bottom!, 0 for a negative bottom."""
    if bottom < 0:
        return 0
    value = Fraction(1)
    for i in range(bottom):
        value = value * (top - i) / (i + 1)
    return int(value)


TWO_POWERS = y ** (2 * x) + z ** (2 * x)  # negative at y = z = -1, x = 1/2
GENERICS = [
    _by_hand(
        GENERIC,
        "symmetry of binomial coefficients",
        binomial(whole_n, whole_k),
        binomial(whole_n, whole_n - whole_k),
        _choose(-1, 3),
        _choose(-1, -4),
        "At N = -1, K = 3 the sides are -1 and 0.",
    ),
    _by_hand(
        GENERIC,
        "symmetry of binomial coefficients, shifted",
        binomial(whole_n + whole_k, whole_k),
        binomial(whole_n + whole_k, whole_n),
        _choose(-1, 0),
        _choose(-1, -1),
        "At N = -1, K = 0 the sides are 1 and 0.",
    ),
    _by_hand(
        GENERIC,
        "root of an even power with a symbolic exponent",
        sqrt((x ** (2 * y) + 1) ** -2),
        1 / (x ** (2 * y) + 1),
        Fraction(1),
        Fraction(-1),
        "At x = -2, y = 1/2 the power is -2, and the sides are 1 and -1.",
    ),
    _by_hand(GENERIC, "powers of 0", 0**from_0, Integer(0), Fraction(0) ** 0, 0, "0^0 is 1."),
    _by_hand(
        GENERIC,
        "real powers of 0",
        0**not_negative,
        Integer(0),
        Fraction(0) ** 0,
        0,
        "At p = 0 the left side is 1.",
    ),
    _by_hand(GENERIC, "squared sign", sign(x) ** 2, Integer(1), 0, 1, "At x = 0 the left side is 0."),
    _by_hand(
        GENERIC,
        "Kronecker delta",
        KroneckerDelta(whole_n, 20),
        Integer(0),
        1,
        0,
        "At N = 20 the left side is 1.",
    ),
    _by_hand(GENERIC, "remainder", Mod(whole_n, 10), whole_n, 12 % 10, 12, "At N = 12 the left side is 2."),
    _by_hand(
        GENERIC,
        "absolute value of a whole number",
        Abs(whole_n),
        whole_n,
        abs(-1),
        -1,
        "At N = -1 the left side is 1.",
    ),
    _by_hand(
        GENERIC, "root of a square", sqrt(whole_n**2), whole_n, abs(-1), -1, "At N = -1 the left side is 1."
    ),
    _by_hand(
        GENERIC,
        "whole part of a half",
        floor(whole_n / 2) * 2,
        whole_n,
        (3 // 2) * 2,
        3,
        "At N = 3 the left side is 2.",
    ),
    _by_hand(
        GENERIC,
        "logarithm of an exponential",
        log(exp(complex_z)),
        complex_z,
        0,
        2 * 3.14j,
        "At zeta = 2 pi i the left side is 0.",
    ),
    _by_hand(
        GENERIC,
        "squared absolute value",
        Abs(complex_z) ** 2,
        complex_z**2,
        abs(1j) ** 2,
        (1j) ** 2,
        "At zeta = i the sides are 1 and -1.",
    ),
    _by_hand(
        GENERIC,
        "Heaviside far out",
        Heaviside(x**2 - TEN**5),
        Integer(0),
        int(400**2 > 10**5),
        0,
        "At x = 400 the left side is 1.",
    ),
    _by_hand(
        GENERIC,
        "arcus functions",
        atan(x) + atan(1 / x),
        pi / 2,
        -1,
        1,
        "At x = -1 the sum is -pi/2, in units of the right side -1.",
    ),
    _by_hand(GENERIC, "arcus tangent of the tangent", atan(tan(x)), x, 0, 1, "At x = pi the left side is 0."),
    _by_hand(GENERIC, "arcus cosine of the cosine", acos(cos(x)), x, 1, -1, "At x = -1 the left side is 1."),
    _by_hand(GENERIC, "arcus sine of the sine", asin(sin(x)), x, 0, 1, "At x = pi the left side is 0."),
    _by_hand(
        GENERIC,
        "inverse of an even power with a symbolic exponent",
        sqrt(TWO_POWERS**-2),
        1 / TWO_POWERS,
        Fraction(1, 2),
        Fraction(1, -2),
        "At y = z = -1, x = 1/2 the sum of the powers is -2, and the sides are 1/2 and -1/2.",
    ),
    false_identity(GENERIC, "a point", Piecewise((1, Eq(x, 77)), (0, True)), Integer(0), {x: 77}),
    false_identity(
        GENERIC, "two irrational points", Piecewise((1, Eq(x**2, 2)), (0, True)), Integer(0), {x: sqrt(2)}
    ),
    false_identity(GENERIC, "a maximum far out", Max(x, TEN**6), TEN**6, {x: TEN**7}),
    false_identity(GENERIC, "a minimum far out", Min(x, -(TEN**6)) + TEN**6, Integer(0), {x: -(TEN**7)}),
    false_identity(GENERIC, "an absolute value far out", Abs(x - TEN**4), TEN**4 - x, {x: TEN**5}),
]

NEAR = "an identity that nearly holds"
factors = [Integer(i) for i in range(1, 10)]
vanishing: Expr = Integer(1)
for f in factors:
    vanishing *= n - f
NEARLY = [
    false_identity(
        NEAR,
        "Ramanujan's constant",
        exp(pi * sqrt(163)),
        Integer(262537412640768744),
        {},
        "The sides differ by 7.5e-13.",
    ),
    false_identity(NEAR, "pi and e", pi**4 + pi**5, exp(6), {}, "The sides differ by 1.8e-5."),
    false_identity(NEAR, "by 1e-40", (x + y) ** 2, x**2 + 2 * x * y + y**2 + TEN**-40, {x: 1, y: 1}),
    false_identity(
        NEAR,
        "by a small term",
        (x + y) ** 3,
        x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3 * (1 + TEN**-30),
        {x: 1, y: 1},
    ),
    false_identity(
        NEAR, "the first nine terms right", Sum(k, (k, 1, n)), n * (n + 1) / 2 + vanishing, {n: 10}, n=n
    ),
    false_identity(
        NEAR,
        "the first nine terms right, product",
        Product(k, (k, 1, n)),
        factorial(n) + vanishing,
        {n: 10},
        n=n,
    ),
    false_identity(
        NEAR,
        "a wrong coefficient of high order",
        (1 - x**50) / (1 - x),
        Sum(x**k, (k, 1, 49)) + 1 + TEN**-30 * x**49,
        {x: q(1, 2)},
    ),
    false_identity(NEAR, "a wrong base", Sum(2 * k - 1, (k, 1, n)), n**2 + TEN**-25, {n: 1}, n=n),
    false_identity(
        NEAR, "a wrong step", Sum(k**3, (k, 1, n)), (n * (n + 1) / 2) ** 2 + TEN**-30 * (n - 1), {n: 2}, n=n
    ),
    false_identity(NEAR, "trigonometric", sin(x) ** 2, (1 - cos(2 * x)) / 2 + TEN**-50, {x: 1}),
]

RECURSION = "a recursion that defines nothing"
S = IndexedBase("S")
g = Function("g")
RECURSIONS = [
    _by_hand(
        RECURSION,
        "a number",
        x**2,
        x,
        4,
        2,
        "The recursion 'defines' 2 as 1; at x = 2 the sides are 4 and 2.",
        n=n,
        recursion={Integer(2): Integer(1)},
    ),
    _by_hand(
        RECURSION,
        "a number in a sum",
        Sum(k, (k, 1, n)),
        n * (n + 1) / 2 + 1,
        1,
        2,
        "The recursion 'defines' 1 as 0; at n = 1 the sides are 1 and 2.",
        n=n,
        recursion={Integer(1): Integer(0)},
    ),
    _by_hand(
        RECURSION,
        "a variable",
        x,
        y,
        0,
        1,
        "The recursion 'defines' x, which is a free variable.",
        n=n,
        recursion={x: y},
    ),
    _by_hand(
        RECURSION,
        "a function of the variable",
        exp(x),
        x + 1,
        2.7 > 2,
        False,
        "The recursion 'defines' the exponential; at x = 1 the sides are 2.7 and 2.",
        n=n,
        recursion={exp(x): x + 1},
    ),
    _by_hand(
        RECURSION,
        "two values",
        S[n],
        Integer(5),
        7,
        5,
        "S[2] is 7 by the third rule.",
        n=n,
        recursion={S[n + 1]: Integer(5), S[1]: Integer(5), S[2]: Integer(7)},
    ),
    _by_hand(
        RECURSION,
        "no first value",
        S[n],
        Integer(0),
        1,
        0,
        "With S[1] = 1 the sequence is constant, 1.",
        n=n,
        recursion={S[n + 1]: S[n]},
    ),
    _by_hand(
        RECURSION,
        "in terms of itself",
        S[n],
        Integer(0),
        1,
        0,
        "Every sequence solves S[n + 1] = 2 S[n + 1] - S[n + 1].",
        n=n,
        recursion={S[n + 1]: 2 * S[n + 1] - S[n + 1]},
    ),
    _by_hand(
        RECURSION,
        "backwards",
        S[n],
        Integer(1),
        2,
        1,
        "With S[n] = 2^n the rule S[n + 2] = 4 S[n] holds.",
        n=n,
        recursion={S[n + 2]: 4 * S[n], S[1]: Integer(1), S[2]: Integer(2)},
    ),
]

# ------------------------------------------------------------------------------------------------ linear programs

PROGRAM = "a wrong optimum"
p1, p2 = Symbol("p1"), Symbol("p2")
TRIANGLE = (Le(p1 + p2, 4), Le(p1 + 3 * p2, 6), Ge(p1, 0), Ge(p2, 0))


def _program(
    mechanism: str,
    name: str,
    objective: Any,
    constraints: tuple[Any, ...],
    claimed: Any,
    reason: str,
    witness: Callable[[], bool],
    **more: Any,
) -> Entry:
    return Entry(
        name,
        mechanism,
        lambda: LinearProgram(name, objective, constraints, claimed, **more),
        reason,
        witness,
    )


def _in_triangle(s: Fraction, r: Fraction) -> bool:
    return s + r <= 4 and s + 3 * r <= 6 and s >= 0 and r >= 0


def _beaten(
    s: str, r: str, objective: Callable[[Fraction, Fraction], Fraction], claimed: Fraction
) -> Callable[[], bool]:
    """A feasible point of the triangle with a larger objective than claimed."""
    at = Fraction(s), Fraction(r)
    return lambda: _in_triangle(*at) and objective(*at) > claimed


def _bounded(
    first: Fraction, second: Fraction, cost: tuple[int, int], claimed: Fraction
) -> Callable[[], bool]:
    """Multipliers of the first two constraints whose bound on the optimum lies below the claimed one."""
    enough = first + second >= cost[0] and first + 3 * second >= cost[1]
    return lambda: min(first, second) >= 0 and enough and 4 * first + 6 * second < claimed


declared_whole, declared_sign = Symbol("p1", integer=True), Symbol("p1", nonnegative=True)
TINY = Fraction(1, 10**12)
NO_PROGRAM = "no linear program"
PROGRAMS = [
    _program(
        PROGRAM,
        "too small by 1e-12",
        3 * p1 + 2 * p2,
        TRIANGLE,
        12 - TEN**-12,
        "The vertex (4, 0) has the value 12.",
        _beaten("4", "0", lambda s, r: 3 * s + 2 * r, 12 - TINY),
    ),
    _program(
        PROGRAM,
        "too large by 1e-12",
        3 * p1 + 2 * p2,
        TRIANGLE,
        12 + TEN**-12,
        "3 times the first constraint bounds the objective by 12.",
        _bounded(Fraction(3), Fraction(0), (3, 2), 12 + TINY),
    ),
    _program(
        PROGRAM,
        "at most, too small",
        p1 + 2 * p2,
        TRIANGLE,
        q(499, 100),
        "The vertex (3, 1) has the value 5.",
        _beaten("3", "1", lambda s, r: s + 2 * r, Fraction(499, 100)),
        relation="<=",
    ),
    _program(
        PROGRAM,
        "another vertex",
        p1 + 2 * p2,
        TRIANGLE,
        4,
        "The vertex (3, 1) has the value 5.",
        _beaten("3", "1", lambda s, r: s + 2 * r, Fraction(4)),
    ),
    _program(
        PROGRAM,
        "a least value too large",
        -p1 - 2 * p2,
        TRIANGLE,
        q(-499, 100),
        "The vertex (3, 1) has the value -5.",
        _beaten("3", "1", lambda s, r: s + 2 * r, Fraction(499, 100)),
        sense="min",
        relation=">=",
    ),
    _program(
        PROGRAM,
        "a constant left out",
        p1 + 2 * p2 + 7,
        TRIANGLE,
        5,
        "The vertex (3, 1) has the value 12.",
        _beaten("3", "1", lambda s, r: s + 2 * r + 7, Fraction(5)),
    ),
    _program(
        PROGRAM, "unbounded", p1, (Ge(p1, 2),), 100, "p1 = 101 is feasible.", lambda: Fraction(101) >= 2
    ),
    _program(
        PROGRAM,
        "infeasible",
        p1,
        (Ge(p1, 2), Le(p1, 1)),
        1,
        "The claimed point p1 = 1 breaks p1 >= 2; no point is feasible, so there is no optimum.",
        lambda: not Fraction(1) >= 2,
    ),
    _program(
        PROGRAM,
        "unbounded along a ray",
        p1 - p2,
        (Ge(p1, 0), Ge(p2, 0), Le(p1 - 2 * p2, 1)),
        1,
        "The ray (2, 1) is feasible and improves the objective.",
        lambda: 2 - 2 * 1 <= 0 and 2 - 1 > 0,
    ),
    _program(
        NO_PROGRAM,
        "a jump in the objective",
        Piecewise((p1, p1 < 1), (p1 + 5, True)),
        (Le(p1, 2),),
        2,
        "At p1 = 2 the objective is 7.",
        lambda: 2 + 5 > 2,
    ),
    _program(
        NO_PROGRAM,
        "a jump in a constraint",
        p1,
        (Le(Piecewise((p1, p1 < 1), (p1 - 5, True)), 2),),
        2,
        "p1 = 7 is feasible.",
        lambda: 7 - 5 <= 2,
    ),
    _program(
        NO_PROGRAM,
        "a jump in another variable",
        p1,
        (Le(p1 + Piecewise((0, p2 < 1), (-5, True)), 2), Ge(p2, 0), Le(p2, 3)),
        2,
        "p1 = 7, p2 = 2 is feasible.",
        lambda: 7 - 5 <= 2 and 0 <= 2 <= 3,
    ),
    _program(
        NO_PROGRAM,
        "whole numbers",
        declared_whole,
        (Le(2 * declared_whole, 3),),
        q(3, 2),
        "The largest whole number is 1; 3/2 is none.",
        lambda: Fraction(3, 2).denominator != 1,
    ),
    _program(
        NO_PROGRAM,
        "a declared sign",
        declared_sign,
        (Ge(declared_sign + p2, -5), Le(p2, 0)),
        -5,
        "The least value of a variable declared nonnegative is 0.",
        lambda: not Fraction(-5) >= 0,
        sense="min",
    ),
    _program(
        NO_PROGRAM,
        "a product",
        p1 * p2,
        TRIANGLE,
        2,
        "At (3, 1) the product is 3.",
        _beaten("3", "1", lambda s, r: s * r, Fraction(2)),
    ),
    _program(
        NO_PROGRAM,
        "a square",
        p1**2,
        TRIANGLE,
        15,
        "At (4, 0) the square is 16.",
        _beaten("4", "0", lambda s, r: s * s, Fraction(15)),
    ),
    _program(
        NO_PROGRAM,
        "a strict constraint",
        p1,
        (Gt(4, p1), Ge(p1, 0)),
        4,
        "The value 4 is not attained.",
        lambda: not Fraction(4) < 4,
    ),
    _program(
        NO_PROGRAM,
        "an absolute value",
        Abs(p1),
        (Le(p1, 2), Ge(p1, -5)),
        2,
        "At p1 = -5 the objective is 5.",
        lambda: abs(Fraction(-5)) > 2,
    ),
    _program(
        NO_PROGRAM,
        "an irrational claim",
        p1,
        (Le(p1, 2),),
        sqrt(2),
        "At p1 = 2 the objective is 2.",
        lambda: Fraction(2) ** 2 > 2,
    ),
    _program(
        NO_PROGRAM,
        "a variable as a claim",
        p1,
        (Le(p1, 2),),
        p2,
        "The optimum is 2, whatever p2 is.",
        lambda: Fraction(2) != 3,
    ),
]

ENTRIES = (*CANCELLED, *JUMPS, *GENERICS, *NEARLY, *RECURSIONS, *PROGRAMS)

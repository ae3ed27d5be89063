"""False statements without a trick: they fail by very little, on a very small set, or very far out."""

from __future__ import annotations

from mpmath import mp, mpf
from sympy import (
    Abs,
    E,
    Eq,
    Expr,
    Ge,
    Integer,
    Le,
    Max,
    Min,
    Piecewise,
    Rational,
    Sum,
    cos,
    exp,
    log,
    pi,
    sin,
    sqrt,
    tanh,
)

from workbench.ledger.corpus.entry import Entry, a, b, false_inequality, k, n, t, u, v, w, x, y, z
from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    Induction,
    Interval,
    above,
    at_least,
    closed,
    integers,
    opened,
)

q = Rational
TEN = Integer(10)
ODD = q(1234567, 10**7)  # a centre that no search by halving meets
OTHER = q(7654321, 10**7)


def _small_ball(radius: int) -> list[Entry]:
    """Fails within 10^-radius of one point only."""
    deep = TEN ** (-2 * radius)
    name = "a ball of radius 1e-" + str(radius)
    plain = (x - ODD) ** 2
    plane = plain + (y - OTHER) ** 2
    centre = {x: ODD, y: OTHER}
    return [
        false_inequality(name, f"polynomial, 1e-{radius}", deep / 2, plain, {x: UNIT}, {x: ODD}),
        false_inequality(name, f"exponential, 1e-{radius}", 1 + deep / 2, exp(plain), {x: UNIT}, {x: ODD}),
        false_inequality(
            name, f"exponential, plane, 1e-{radius}", 1 + deep / 2, exp(plane), {x: UNIT, y: UNIT}, centre
        ),
        false_inequality(
            name, f"root, 1e-{radius}", deep / 2, sqrt(1 + plane) - 1, {x: UNIT, y: UNIT}, centre
        )
        if radius > 20
        else false_inequality(
            name, f"cosine, 1e-{radius}", cos(plain), 1 - deep**2 / 8, {x: closed(-1, 1)}, {x: ODD}
        ),
    ]


SMALL_BALLS = [e for radius in (5, 7, 9, 12) for e in _small_ball(radius)]


# name, lhs, rhs, box, point where the two sides are equal: the true inequality lhs <= rhs is tight there
TIES: tuple[tuple[str, Expr, Expr, dict, dict], ...] = (
    ("arithmetic and geometric mean", sqrt(x * y), (x + y) / 2, {x: POSITIVE, y: POSITIVE}, {x: 1, y: 1}),
    ("exponential and tangent", 1 + a, exp(a), {a: REAL}, {a: 0}),
    ("logarithm and tangent", log(x), x - 1, {x: POSITIVE}, {x: 1}),
    ("cosine and parabola", 1 - a**2 / 2, cos(a), {a: closed(-3, 3)}, {a: 0}),
    ("sine and identity", sin(x), x, {x: NONNEGATIVE}, {x: 0}),
    (
        "Young, exponents 3 and 3/2",
        x * y,
        x**3 / 3 + q(2, 3) * y ** q(3, 2),
        {x: UNIT, y: UNIT},
        {x: 1, y: 1},
    ),
    ("Bernoulli, power 5/2", 1 + q(5, 2) * x, (1 + x) ** q(5, 2), {x: at_least(-1)}, {x: 0}),
    ("square", 2 * a * b, a**2 + b**2, {a: REAL, b: REAL}, {a: 2, b: 2}),
    ("hyperbolic tangent", tanh(x), x, {x: NONNEGATIVE}, {x: 0}),
    ("entropy", 2 * x * log(x), x**2 - 1 + 2 * (x - 1) ** 2, {x: at_least(1)}, {x: 1}),
)


def _missed(tie: tuple[str, Expr, Expr, dict, dict], digits: int) -> Entry:
    name, lhs, rhs, box, point = tie
    gap = TEN**-digits
    return false_inequality(
        f"a tie missed by 1e-{digits}",
        f"{name}, missed by 1e-{digits}",
        lhs + gap,
        rhs,
        box,
        point,
        f"The sides without 1e-{digits} are equal at {point}.",
    )


MISSED_TIES = [_missed(tie, digits) for tie in TIES for digits in (12, 30)]

UNITS = {x: UNIT, y: UNIT, z: UNIT, t: UNIT}
ONES = {x: 1, y: 1, z: 1, t: 1}
CORNERS = [
    false_inequality("a corner", "sum", x + y, 2 - TEN**-9, {x: UNIT, y: UNIT}, {x: 1, y: 1}),
    false_inequality("a corner", "product of four", x * y * z * t, 1 - TEN**-9, UNITS, ONES),
    false_inequality(
        "a corner", "exponential", exp(x * y * z), E - TEN**-12, {x: UNIT, y: UNIT, z: UNIT}, ONES
    ),
    false_inequality("a corner", "square of the sum", (x + y + z + t) ** 2, 16 - TEN**-9, UNITS, ONES),
    false_inequality("a corner", "difference", x - y, 1 - TEN**-15, {x: UNIT, y: UNIT}, {x: 1, y: 0}),
    false_inequality("a corner", "logarithm", log(1 + x + y), log(3) - TEN**-15, {x: UNIT, y: UNIT}, ONES),
]

HALF_STEP = Piecewise((2, Ge(x, 1)), (0, True))
SPIKE = Piecewise((0, x < ODD), (2, Le(x, ODD)), (0, True))
ENDS = [
    false_inequality("a closed end", "jump at the closed end", HALF_STEP, 1, {x: UNIT}, {x: 1}),
    false_inequality(
        "a closed end",
        "jump at the closed end, exponential",
        exp(y) * HALF_STEP,
        exp(y),
        {x: UNIT, y: UNIT},
        {x: 1, y: 0},
    ),
    false_inequality("a closed end", "strict maximum", x * exp(x), E - TEN**-20, {x: UNIT}, {x: 1}),
    false_inequality(
        "a closed end", "half open", -1 / x, -1 - TEN**-20, {x: Interval(0, 1, low_open=True)}, {x: 1}
    ),
    false_inequality("a point of a case distinction", "spike", SPIKE, 1, {x: UNIT}, {x: ODD}),
    false_inequality(
        "a point of a case distinction",
        "spike, exponential",
        SPIKE * exp(y),
        exp(y),
        {x: UNIT, y: UNIT},
        {x: ODD, y: 0},
    ),
    false_inequality(
        "a point of a case distinction",
        "hole",
        Piecewise((0, x > ODD), (q(1, 3), x < ODD), (1, True)),
        q(1, 2),
        {x: UNIT},
        {x: ODD},
    ),
    false_inequality(
        "a point of a case distinction", "absolute value", 1 - TEN**8 * Abs(x - ODD), 0, {x: UNIT}, {x: ODD}
    ),
]

FAR = TEN**8
FAR_OUT = [
    false_inequality("only far out", "linear", x, TEN**12 + x / 2, {x: POSITIVE}, {x: TEN**13}),
    false_inequality("only far out", "inverse", TEN**-9, 1 / x, {x: at_least(1)}, {x: TEN**10}),
    false_inequality("only far out", "logarithm", log(x), 50, {x: POSITIVE}, {x: TEN**22}),
    false_inequality("only far out", "iterated logarithm", log(log(x)), 5, {x: at_least(2)}, {x: TEN**70}),
    false_inequality(
        "only far out", "a limit at infinity", x * log(1 + 1 / x), 1 - TEN**-8, {x: at_least(1)}, {x: TEN**9}
    ),
    false_inequality("only far out", "saturation", tanh(x), 1 - TEN**-30, {x: REAL}, {x: 100}),
    false_inequality(
        "only far out",
        "logarithm and a small power",
        log(x),
        100 * x ** q(1, 1000) - 100 + TEN,
        {x: at_least(1)},
        {x: TEN**60},
    ),
    false_inequality(
        "only far out", "two variables", x - y, TEN**9, {x: POSITIVE, y: POSITIVE}, {x: TEN**10, y: 1}
    ),
    false_inequality("only near an open end", "below 1e-30", TEN**-30, x, {x: POSITIVE}, {x: TEN**-31}),
    false_inequality("only near an open end", "logarithm", -100, log(x), {x: opened(0, 1)}, {x: TEN**-50}),
    false_inequality(
        "only near an open end", "pole", 1 / (1 - x), TEN**15, {x: opened(0, 1)}, {x: 1 - TEN**-16}
    ),
    false_inequality(
        "only near an open end", "small power", q(1, 10), x ** q(1, 20), {x: opened(0, 1)}, {x: TEN**-30}
    ),
    false_inequality(
        "only near an open end", "just above 2", 2 + TEN**-18, x, {x: above(2)}, {x: 2 + TEN**-19}
    ),
    false_inequality(
        "only at whole numbers of 1e8", "the last of the range", n, FAR - 1, {n: integers(1, FAR)}, {n: FAR}
    ),
    false_inequality(
        "only at whole numbers of 1e8",
        "one number",
        1 - (n - 123456789) ** 2,
        0,
        {n: integers(1)},
        {n: 123456789},
    ),
    false_inequality(
        "only at whole numbers of 1e8",
        "one number, exponential",
        exp(-((n - 123456789) ** 2)),
        q(1, 2),
        {n: integers(1)},
        {n: 123456789},
    ),
    false_inequality("only at whole numbers of 1e8", "logarithm", log(n), 18, {n: integers(1)}, {n: FAR}),
    false_inequality(
        "only at whole numbers of 1e8", "inverse", TEN**-8, 1 / n, {n: integers(1)}, {n: 2 * FAR}
    ),
    false_inequality("only at whole numbers of 1e8", "root", sqrt(n), 9999, {n: integers(1, FAR)}, {n: FAR}),
]


def _long_sum(name: str, term: Expr, bound: Expr, reason: str, lower: mpf) -> Entry:
    """A sum whose value at n = 10^8 (at least `lower`, by the integral of its term) exceeds a bound."""

    def witness() -> bool:
        with mp.workdps(30):
            return bool(lower > mpf(str(bound.subs(n, FAR).evalf(30))))

    return Entry(
        name, "only at whole numbers of 1e8", lambda: Induction(name, term, bound, n, 1), reason, witness
    )


def _sum(term: Expr) -> Expr:
    return Sum(term, (k, 1, n))


LONG_SUMS = [
    _long_sum(
        "harmonic sum",
        _sum(1 / k),
        Integer(18),
        "The sum is at least log(n + 1), 18.4 at n = 1e8.",
        mp.log(10**8),
    ),
    _long_sum(
        "inverse roots",
        _sum(1 / sqrt(k)),
        Integer(19000),
        "The sum is at least 2 (sqrt(n + 1) - 1), 19998 at n = 1e8.",
        mpf(19997),
    ),
    _long_sum(
        "inverse powers",
        _sum(k ** q(-3, 4)),
        Integer(390),
        "The sum is at least 4 ((n + 1)^(1/4) - 1), 396 at n = 1e8.",
        mpf(395),
    ),
    _long_sum(
        "harmonic sum and a small multiple of n",
        _sum(1 / k),
        18 + n / TEN**9,
        "At n = 1e8 the sum is at least 18.42, the bound 18.1.",
        mp.log(10**8),
    ),
]

EXPONENTS = [
    false_inequality(
        "a wrong exponent", "by 1/1000", x, x ** q(1001, 1000) + TEN**-5, {x: UNIT}, {x: q(1, 2)}
    ),
    false_inequality(
        "a wrong exponent",
        "Bernoulli below 1",
        1 + q(99, 100) * x,
        (1 + x) ** q(99, 100),
        {x: NONNEGATIVE},
        {x: 1},
    ),
    false_inequality(
        "a wrong exponent",
        "triangle inequality above 1",
        (x + y) ** q(101, 100),
        x ** q(101, 100) + y ** q(101, 100),
        {x: UNIT, y: UNIT},
        {x: 1, y: 1},
    ),
    false_inequality(
        "a wrong exponent",
        "Young, exponents not conjugate",
        x * y,
        x**3 / 3 + q(2, 3) * y ** q(8, 5),
        {x: POSITIVE, y: POSITIVE},
        {x: q(1, 10), y: q(1, 100)},
    ),
    false_inequality("a wrong exponent", "growth", log(1 + x), x ** q(1, 10), {x: NONNEGATIVE}, {x: TEN**6}),
    false_inequality(
        "a wrong exponent", "high power", x**1000, x**1001 + TEN**-6, {x: UNIT}, {x: q(999, 1000)}
    ),
    false_inequality(
        "a wrong constant",
        "Young",
        x * y,
        (x**2 + y**2) * (q(1, 2) - TEN**-9),
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: 1},
    ),
    false_inequality(
        "a wrong constant",
        "sum of squares",
        (x + y + z) ** 2,
        (3 - TEN**-10) * (x**2 + y**2 + z**2),
        {x: POSITIVE, y: POSITIVE, z: POSITIVE},
        ONES,
    ),
    false_inequality(
        "a wrong constant", "maximum of x exp(-x)", x * exp(-x), q(36787, 10**5), {x: REAL}, {x: 1}
    ),
    false_inequality(
        "a wrong constant",
        "Jordan",
        q(63662, 10**5) * x,
        sin(x),
        {x: closed(0, q(157079632, 10**8))},
        {x: q(157079632, 10**8)},
    ),
    false_inequality(
        "a wrong constant",
        "weighted mean",
        x ** q(1, 3) * y ** q(2, 3),
        q(33, 100) * x + q(67, 100) * y,
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: q(99, 100)},
    ),
    false_inequality(
        "the wrong direction",
        "Jensen, square",
        (x**2 + y**2) / 2,
        ((x + y) / 2) ** 2 + TEN**-9,
        {x: UNIT, y: UNIT},
        {x: 0, y: 1},
    ),
    false_inequality(
        "the wrong direction",
        "Jensen, logarithm",
        log((x + y) / 2),
        (log(x) + log(y)) / 2,
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: 2},
    ),
    false_inequality(
        "the wrong direction",
        "harmonic mean",
        (x + y) / 2,
        2 * x * y / (x + y),
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: 2},
    ),
    false_inequality(
        "the wrong direction",
        "roots",
        sqrt(x) + sqrt(y),
        sqrt(x + y),
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: 1},
    ),
    false_inequality(
        "the wrong direction",
        "Taylor",
        exp(x),
        1 + x + x**2 / 2 + x**3 / 6 + x**4 / 24,
        {x: opened(0, q(1, 100))},
        {x: q(1, 200)},
    ),
    false_inequality(
        "the wrong direction",
        "log-sum",
        x * log(x) + y * log(y),
        (x + y) * log((x + y) / 2),
        {x: POSITIVE, y: POSITIVE},
        {x: 1, y: 2},
    ),
]

WAVES = [
    false_inequality(
        "fast oscillation", "sine", sin(TEN**6 * x), 1 - q(1, 1000), {x: UNIT}, {x: q(1570796, 10**12)}
    ),
    false_inequality(
        "fast oscillation", "cosine at 0", cos(TEN**9 * x), 1 - TEN**-12, {x: closed(-1, 1)}, {x: 0}
    ),
    false_inequality(
        "fast oscillation",
        "sine of whole numbers",
        sin(n) ** 2,
        1 - TEN**-9,
        {n: integers(1)},
        {n: 52174},
        "cos(52174)^2 is 3.03e-11, since 52174 is close to an odd multiple of pi/2.",
    ),
    false_inequality(
        "fast oscillation", "Pythagoras", sin(x) ** 2 + cos(x) ** 2, 1 - TEN**-12, {x: closed(0, 10)}, {x: 1}
    ),
]

LEFT = (1000002, 1000018, 1000042, 1000066, 1000113, 1000116, 1000169, 1000175, 1000199)
RIGHT = (1000001, 1000025, 1000031, 1000084, 1000087, 1000134, 1000158, 1000182, 1000198)
ROOTS_LEFT, ROOTS_RIGHT = (sum((sqrt(Integer(m)) for m in side), Integer(0)) for side in (LEFT, RIGHT))
NUMBERS = [
    false_inequality(
        "numbers that nearly agree", "Ramanujan's constant", 262537412640768744, exp(pi * sqrt(163)), {}, {}
    ),
    false_inequality(
        "numbers that nearly agree",
        "Ramanujan's constant with a variable",
        262537412640768744 + x,
        exp(pi * sqrt(163)),
        {x: UNIT},
        {x: 0},
    ),
    false_inequality(
        "numbers that nearly agree",
        "sums of roots",
        ROOTS_LEFT,
        ROOTS_RIGHT,
        {},
        {},
        "The left side is larger by 3.3e-37.",
    ),
    false_inequality("numbers that nearly agree", "pi", q(103993, 33102) + TEN**-9, pi, {}, {}),
    false_inequality("numbers that nearly agree", "e", E, q(271828182845904523, 10**17), {}, {}),
    false_inequality("numbers that nearly agree", "pi and e", pi**4 + pi**5, E**6 - q(18, 10**6), {}, {}),
    false_inequality(
        "numbers that nearly agree", "logarithm of 2", log(2), q(693147180559945, 10**15), {}, {}
    ),
]

POWERS = [
    false_inequality(
        "high powers", "compound interest", (1 + 1 / x) ** 1000, E**10, {x: closed(90, 200)}, {x: 90}
    ),
    false_inequality(
        "high powers", "near 1", x**400, q(1, 2), {x: closed(0, q(999, 1000))}, {x: q(999, 1000)}
    ),
    false_inequality("high powers", "difference", x**200 - x**201, q(18, 10**4), {x: UNIT}, {x: q(200, 201)}),
    false_inequality("high powers", "at -1", x**99, -x, {x: closed(-1, q(1, 10))}, {x: q(1, 10)}),
]

# given: conditions that leave a thin set, or one whose points are not rational
THIN = [
    false_inequality(
        "a thin set of feasible points",
        "a point",
        x,
        q(1, 10),
        {x: UNIT},
        {x: ODD},
        given=(Le((x - ODD) ** 2, 0),),
    ),
    false_inequality(
        "a thin set of feasible points",
        "a small ball",
        exp(x),
        1,
        {x: UNIT},
        {x: ODD},
        given=(Le((x - ODD) ** 2, TEN**-20),),
    ),
    false_inequality(
        "a thin set of feasible points",
        "the origin",
        exp(x),
        1 - TEN**-9,
        {x: closed(-1, 1), y: closed(-1, 1)},
        {x: 0, y: 0},
        given=(Eq(x**2 + y**2, 0),),
    ),
    false_inequality(
        "a thin set of feasible points",
        "a vertex",
        x + y,
        2 - TEN**-9,
        {x: closed(0, 3), y: closed(0, 3)},
        {x: 1, y: 1},
        given=(Le(2 * x + y, 3), Le(x + 2 * y, 3)),
    ),
    false_inequality(
        "a thin set of feasible points",
        "a tangent line",
        x * exp(z),
        0,
        {x: UNIT, y: UNIT, z: UNIT},
        {x: 1, y: 0, z: 0},
        given=(Ge(x, 1), Le((x - 1) ** 2 + y**2, 0)),
    ),
    false_inequality(
        "points that are not rational",
        "square root",
        x,
        q(7, 5),
        {x: POSITIVE},
        {x: sqrt(2)},
        given=(Eq(x**2, 2),),
    ),
    false_inequality(
        "points that are not rational",
        "circle",
        x + y,
        q(1414213562, 10**9),
        {x: UNIT, y: UNIT},
        {x: sqrt(2) / 2, y: sqrt(2) / 2},
        given=(Eq(x**2 + y**2, 1),),
    ),
    false_inequality(
        "points that are not rational",
        "cube root",
        -x,
        q(-126, 100),
        {x: closed(0, 2)},
        {x: Integer(2) ** q(1, 3)},
        given=(Eq(x**3, 2),),
    ),
    false_inequality(
        "points that are not rational",
        "logarithm",
        exp(2 * x),
        q(399, 100),
        {x: UNIT},
        {x: log(2)},
        given=(Eq(exp(x), 2),),
    ),
]

DROPPED = [
    false_inequality(
        "maxima and minima",
        "the other argument",
        Max(n, x),
        n,
        {n: integers(1), x: closed(0, 5)},
        {n: 1, x: 5},
    ),
    false_inequality("maxima and minima", "close arguments", Max(x, x + TEN**-20), x, {x: UNIT}, {x: 0}),
    false_inequality("maxima and minima", "minimum", y, Min(x, y), {x: UNIT, y: UNIT}, {x: 0, y: 1}),
    false_inequality(
        "maxima and minima",
        "nested",
        Max(x, Min(y, z)),
        Min(Max(x, y), z),
        {x: UNIT, y: UNIT, z: UNIT},
        {x: 1, y: 0, z: 0},
    ),
    false_inequality(
        "maxima and minima", "positive part", Max(x, 0) + Max(-x, 0), Abs(x) - TEN**-20, {x: REAL}, {x: 0}
    ),
    false_inequality(
        "reals in place of whole numbers",
        "product of neighbours",
        x * (1 - x),
        0,
        {x: closed(0, 10)},
        {x: q(1, 2)},
    ),
    false_inequality(
        "reals in place of whole numbers", "square and line", x, x**2, {x: NONNEGATIVE}, {x: q(1, 2)}
    ),
    false_inequality(
        "reals in place of whole numbers", "power of two", x + 1, 2**x, {x: NONNEGATIVE}, {x: q(1, 2)}
    ),
    false_inequality(
        "reals in place of whole numbers", "cubes", 3 * x**2, x**3 + 2 * x, {x: NONNEGATIVE}, {x: q(3, 2)}
    ),
]

SAME_VALUE = [
    false_inequality(
        "a face of equality",
        "on a curve",
        1 + TEN**-9 - exp((x * y - 1) ** 2),
        0,
        {x: closed(q(1, 2), 2), y: closed(q(1, 2), 2)},
        {x: 1, y: 1},
    ),
    false_inequality(
        "a face of equality",
        "on a plane",
        TEN**-12,
        (u + v + w - q(1, 3)) ** 2,
        {u: UNIT, v: UNIT, w: UNIT},
        {u: q(1, 9), v: q(1, 9), w: q(1, 9)},
    ),
    false_inequality(
        "a face of equality",
        "of fourth order",
        TEN**-20,
        (x - y) ** 4,
        {x: UNIT, y: UNIT},
        {x: q(1, 3), y: q(1, 3)},
    ),
    false_inequality(
        "a face of equality",
        "beside a tie",
        x**2,
        x**3 * q(999999, 10**6) + (1 - x) ** 2,
        {x: closed(q(3, 4), 1)},
        {x: 1},
    ),
]

ENTRIES = (
    *SMALL_BALLS,
    *MISSED_TIES,
    *CORNERS,
    *ENDS,
    *FAR_OUT,
    *LONG_SUMS,
    *EXPONENTS,
    *WAVES,
    *NUMBERS,
    *POWERS,
    *THIN,
    *DROPPED,
    *SAME_VALUE,
)

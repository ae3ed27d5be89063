"""False statements about sums and products over whole numbers: malformed inductions, empty sums, shadowed indices."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from sympy import Abs, Integer, Max, Product, Rational, S, Sum, Symbol, factorial, floor, log, oo, sqrt

from workbench.ledger.corpus.entry import Entry, false_identity, false_induction, false_inequality, j, k, n, x
from workbench.theory.lemma import UNIT, Constant, Induction, Inequality, closed, integers

q = Rational
TEN = Integer(10)
late = Max(0, n - 2000)  # zero at every upper limit at which a checker could afford to try the statement
late_k = Max(0, k - 2000)
m = Symbol("m", integer=True)
i = Symbol("i", integer=True, nonnegative=True)

WITH_LIMIT = "the summand contains the upper limit"
SUMMANDS = [
    false_induction(WITH_LIMIT, "constant n", Sum(n, (k, 1, n)), n * (n + 1) / 2 + TEN**7, {n: 5000}),
    false_induction(
        WITH_LIMIT,
        "n minus the index",
        Sum(n - k, (k, 1, n)),
        Integer(0),
        {n: 2},
        "At n = 2 the sum is 1; with the limit frozen the step reads -1 <= 0.",
    ),
    false_induction(WITH_LIMIT, "late terms", Sum(late, (k, 1, n)), late * (late + 1) / 2, {n: 2002}),
    false_induction(WITH_LIMIT, "a product with n", Product(1 + late, (k, 1, n)), 1 + late, {n: 2001}),
    false_induction(
        WITH_LIMIT, "times the index", Sum(k * late, (k, 1, n)), (n + 1) * late * (late + 1), {n: 2001}
    ),
]

ON_N = "a condition on the induction variable"
CONDITIONS = [
    false_induction(
        ON_N,
        "from 5001 on",
        Sum(1, (k, 1, n)),
        Max(1, n - 4998),
        {n: 5001, x: 0},
        box={x: UNIT},
        given=(n + x >= 5001,),
    ),
    false_induction(
        ON_N,
        "from 5001 on, late terms",
        Sum(1 + late_k, (k, 1, n)),
        Max(1, n - 4998) + late * (late + 1) / 2,
        {n: 5001, x: 0},
        box={x: UNIT},
        given=(n + x >= 5001,),
    ),
    false_induction(
        ON_N,
        "two ranges",
        Sum(k, (k, 1, n)),
        Max(1, n**2 / 2 - TEN**4 * n),
        {n: 3000, x: 0},
        box={x: UNIT},
        given=((n - 1 + x) * (n - 3000 + x) >= 0,),
    ),
    false_induction(
        ON_N,
        "a condition on the variable and n",
        Sum(1, (k, 1, n)),
        Max(1, n * x),
        {n: 3000, x: q(1, 2)},
        box={x: UNIT},
        given=(n * (1 - x) >= 1500,),
    ),
]

SEVERAL = "several limits"
two = Symbol("i2", integer=True, positive=True)
LIMITS = [
    false_induction(
        SEVERAL, "late terms twice", Sum(late_k, (k, 1, n), (two, 1, 2)), late * (late + 1) / 2, {n: 2001}
    ),
    false_induction(
        SEVERAL,
        "late terms, limit n twice",
        Sum(late_k, (k, 1, n), (two, 1, n)),
        late * (late + 1) / 2,
        {n: 2001},
    ),
    false_induction(
        SEVERAL,
        "late factors twice",
        Product(1 + late_k, (k, 1, n), (two, 1, 2)),
        (1 + late) ** Max(1, late),
        {n: 2001},
    ),
    false_identity(
        SEVERAL,
        "late terms and a constant, identity",
        1 + Sum((k - 1) * (k - 2) * (k - 3) * (k - 4) * (k - 5), (k, 1, n), (two, 1, 2)),
        1 + n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5) / 6,
        {n: 6},
        n=n,
    ),
    false_identity(
        SEVERAL,
        "late terms, identity",
        Sum((k - 1) * (k - 2) * (k - 3) * (k - 4) * (k - 5), (k, 1, n), (two, 1, 2)),
        n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5) / 6,
        {n: 6},
        n=n,
    ),
]

LOWER = "a lower limit that moves with n"
LOWERS = [
    false_induction(LOWER, "one term", Sum(-late_k, (k, n, n)), -late * (late + 1) / 2, {n: 2002}),
    false_induction(
        LOWER, "the last two terms", Sum(-late_k, (k, n - 1, n)), -late * (late + 1) / 2, {n: 2010}
    ),
    false_induction(
        LOWER, "one factor", Product(1 / (1 + late_k), (k, n, n)), 1 / (1 + late) ** late, {n: 2002}
    ),
    false_induction(
        LOWER, "half of the range", Sum(-late_k, (k, floor(n / 2), n)), -late * (late + 1) / 2, {n: 4100}
    ),
]


def _started(name: str, start: object, reason: str) -> Entry:
    """sum of 1 <= n - 1/10^9 near its start: false at n = 1 for every reading of such a start."""
    needle = q(1, 10**9) - (x - q(1234567, 10**7)) ** 2
    total, bound = Sum(1 + needle, (k, 1, n)), n
    return Entry(
        name,
        "a start that is no whole number",
        lambda: Induction(name, total, bound, n, start, {x: UNIT}),  # type: ignore[arg-type]
        reason,
        lambda: sum(1 + Fraction(1, 10**9) for _ in range(1)) > 1,
    )


STARTS = [
    _started(
        "start 1/2", q(1, 2), "At n = 1, x = 0.1234567 the sum is 1 + 1e-9; between 0 and 1 there is no step."
    ),
    _started("start 3/4", q(3, 4), "At n = 1, x = 0.1234567 the sum is 1 + 1e-9; the base is tried at 0."),
    _started("start as text", "1", "At n = 1, x = 0.1234567 the sum is 1 + 1e-9."),
    _started(
        "start minus infinity", -oo, "At n = 1, x = 0.1234567 the sum is 1 + 1e-9; there is no first n."
    ),
    _started("start true", True, "At n = 1, x = 0.1234567 the sum is 1 + 1e-9; true is no number."),
]

BASE = "a wrong base"
STEP = "a step that fails late"
harmonic = Sum(1 / k, (k, 1, n))
ORDINARY = [
    false_induction(BASE, "Gauss, less 1/2", Sum(k, (k, 1, n)), n * (n + 1) / 2 - q(1, 2), {n: 1}),
    false_induction(BASE, "geometric", Sum(Integer(2) ** k, (k, 1, n)), Integer(2) ** (n + 1) - 3, {n: 1}),
    false_induction(BASE, "by 1e-12", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n) - 1 - TEN**-12, {n: 1}),
    false_induction(
        BASE,
        "a needle in the base",
        Sum(k + TEN**-14 - (x - q(1234567, 10**7)) ** 2, (k, 1, n)),
        n * (n + 1) / 2,
        {n: 1, x: q(1234567, 10**7)},
        box={x: UNIT},
    ),
    false_induction(
        BASE, "product", Product(1 - 1 / (2 * k), (k, 1, n)), q(499999, 10**6) * sqrt(2) / sqrt(n + 1), {n: 1}
    ),
    false_induction(STEP, "harmonic sum, constant", harmonic, Integer(9), {n: 5000}),
    false_induction(STEP, "late terms", Sum(1 + late_k, (k, 1, n)), n + late, {n: 2002}),
    false_induction(STEP, "slower logarithm", harmonic, q(94, 100) * log(n) + 1, {n: 5000}),
    false_induction(
        STEP, "late factor", Product(1 + late_k / TEN**6, (k, 1, n)), 1 + late / TEN**6, {n: 2003}
    ),
    false_induction(STEP, "polynomial below", Sum(k**2, (k, 1, n)), n**3 / 3 + 1000 * n, {n: 3000}),
    false_induction(
        STEP,
        "a needle in the step",
        Sum(1 + late_k * (TEN**-14 - (x - q(1234567, 10**7)) ** 2), (k, 1, n)),
        n,
        {n: 2100, x: q(1234567, 10**7)},
        box={x: UNIT},
    ),
]

EMPTY = "empty sums and products"
EMPTIES = [
    false_induction(
        EMPTY,
        "sum from 5",
        Sum(k, (k, 5, n)),
        n * (n + 1) / 2 - 10,
        {n: 1},
        "At n = 1 the sum is empty, 0, and the bound -9.",
    ),
    false_identity(
        EMPTY,
        "sum from 5, identity",
        Sum(k, (k, 5, n)),
        n * (n + 1) / 2 - 10,
        {n: 1},
        "At n = 1 the sum is empty, 0, and the right side -9.",
        n=n,
    ),
    false_identity(
        EMPTY,
        "sum to n - 3, identity",
        Sum(k, (k, 1, n - 3)),
        (n - 3) * (n - 2) / 2,
        {n: 1},
        "At n = 1 the sum is empty, 0, and the right side 1.",
        n=n,
    ),
    false_identity(
        EMPTY,
        "product from 5, identity",
        Product(k, (k, 5, n)),
        factorial(n) / 24,
        {n: 1},
        "At n = 1 the product is empty, 1, and the right side 1/24.",
        n=n,
    ),
    false_inequality(EMPTY, "sum from 5 to 1", x + Sum(k, (k, 5, 1)), -8, {x: UNIT}, {x: 0}),
    false_inequality(EMPTY, "sum from 5 to n", 1 + Sum(k, (k, 5, n)), -3, {n: integers(1, 3)}, {n: 1}),
    false_inequality(EMPTY, "sum to -100", x - Sum(k, (k, 1, -100)), -1, {x: UNIT}, {x: 1}),
    false_inequality(EMPTY, "product from 5 to 1", Product(k, (k, 5, 1)), q(1, 24), {}, {}),
    false_inequality(
        EMPTY,
        "product with a variable",
        x * Product(q(1, 2), (k, 5, n)),
        x / 2,
        {x: UNIT, n: integers(1, 3)},
        {x: 1, n: 1},
    ),
    false_induction(
        EMPTY, "product from 5", Product(q(1, 2), (k, 5, n)), Integer(2) ** (4 - n) - q(1, 100), {n: 4}
    ),
    false_inequality(EMPTY, "sum from 200 to 1", x - Sum(k, (k, 200, 1)), -1, {x: UNIT}, {x: 1}),
]

SHADOW = "an index named like another variable"
kr = Symbol("k", real=True)
nr = Symbol("n", real=True)
ki = Symbol("k", integer=True)
SHADOWS = [
    false_inequality(SHADOW, "the same symbol", k + Sum(k, (k, 1, 100)), 200, {k: integers(1, 1)}, {k: 1}),
    false_inequality(SHADOW, "a real of that name", kr + Sum(k, (k, 1, 100)), 200, {kr: UNIT}, {kr: 1}),
    false_inequality(SHADOW, "squares", kr + Sum(k**2, (k, 1, 100)), 200, {kr: UNIT}, {kr: 1}),
    false_inequality(
        SHADOW,
        "nested sums",
        33 * TEN**6 * x,
        x * Sum(k * Sum(k, (k, 1, 100)), (k, 1, 100)),
        {x: UNIT},
        {x: 1},
    ),
    false_inequality(SHADOW, "below a root", sqrt(kr + Sum(k, (k, 1, 64))), 9, {kr: UNIT}, {kr: 0}),
    false_inequality(
        SHADOW,
        "free in the summand",
        Sum(kr / k, (k, 1, 70)),
        4 + kr,
        {kr: closed(0, 70)},
        {kr: 70},
        "At k = 70 (the real one) the sum is 338.",
    ),
    false_inequality(
        SHADOW,
        "two indices of one name",
        100 + Sum(Sum(k + ki, (ki, 1, 70)), (k, 1, 70)),
        70 * 71 * 70 - TEN**3,
        {},
        {},
    ),
    false_induction(
        SHADOW,
        "the limit's name",
        Sum(nr, (k, 1, n)),
        Max(n * nr - late * nr, 0),
        {n: 2002, nr: 1},
        box={nr: UNIT},
    ),
    false_induction(
        SHADOW,
        "the limit's name in the bound",
        Sum(1, (k, 1, n)),
        n + TEN**4 - n * nr,
        {n: 20000, nr: 1},
        box={nr: UNIT},
    ),
]

POLE = "poles inside a long sum"
POLES = [
    false_inequality(
        POLE,
        "telescoping pole",
        x * Sum(1 / ((k - 50) * (k - 49)), (k, 1, 200), (j, 1, 2)),
        0,
        {x: UNIT},
        {x: 1},
        "The terms k = 49 and 50 have no value.",
        without_value=True,
    ),
    false_inequality(
        POLE,
        "telescoping pole, shifted",
        x * Sum(1 / ((k - 20) * (k - 22)), (k, 1, 300), (j, 1, 3)),
        1,
        {x: UNIT},
        {x: 1},
        "The terms k = 20 and 22 have no value.",
        without_value=True,
    ),
    false_inequality(
        POLE,
        "one limit",
        x * Sum(1 / ((k - 50) * (k - 49)), (k, 1, 200)),
        0,
        {x: UNIT},
        {x: 1},
        "The terms k = 49 and 50 have no value.",
        without_value=True,
    ),
    false_inequality(
        POLE,
        "logarithms",
        x * Sum(log(Abs(k - 30)), (k, 1, 100)),
        10**4,
        {x: UNIT},
        {x: 1},
        "The term k = 30 has no value.",
        without_value=True,
    ),
]

FROZEN = "a constant that is the induction variable"
frozen = Symbol("g", positive=True)
CONSTANTS = [
    false_induction(
        FROZEN,
        "n itself",
        Sum(1, (k, 1, n)),
        Max(n, 1) - Max(0, n - 3000),
        {n: 3001, x: 0},
        box={x: UNIT},
        constants=(Constant(n, 1),),
    ),
    Entry(
        "printed in terms of n",
        FROZEN,
        lambda: Induction(
            "printed in terms of n",
            Sum(k, (k, 1, n)),
            frozen,
            n,
            1,
            {x: UNIT},
            constants=(Constant(frozen, n),),
        ),
        "A constant cannot depend on n; at n = 2 the sum is 3, larger than n.",
        lambda: sum(range(1, 3)) > 2,
    ),
]

ENDLESS = "sums without end"
DIVERGENT = [
    Entry(
        "harmonic series",
        ENDLESS,
        lambda: Inequality("harmonic series", Sum(1 / k, (k, 1, oo)), 100, {}),
        "The series diverges.",
        lambda: sum(Fraction(1, i_ + 1) for i_ in range(2**8)) > 5,
    ),
    Entry(
        "alternating sum of signs",
        ENDLESS,
        lambda: Inequality("alternating sum of signs", Sum((-1) ** k, (k, 1, oo)), q(-1, 2), {}),
        "The series has no value; its partial sums are -1 and 0.",
        lambda: sum((-1) ** i_ for i_ in range(1, 3)) > Fraction(-1, 2),
    ),
    Entry(
        "product of twos",
        ENDLESS,
        lambda: Inequality("product of twos", Product(2, (k, 1, oo)), 100, {}),
        "The product diverges.",
        lambda: prod([2] * 7) > 100,
    ),
    false_inequality(
        ENDLESS, "infinity on the left", oo, 1, {}, {}, "Infinity is no number.", without_value=True
    ),
    false_inequality(
        ENDLESS, "no number", S.NaN, 1, {}, {}, "The left side is no number.", without_value=True
    ),
]

PARITY = "a summand simplified for its index"
kn = Symbol("k", even=True)
ko = Symbol("k", odd=True)
neven = Symbol("n", even=True)
nodd = Symbol("n", odd=True)


def _for_index(name: str, build: object, reason: str, total: Fraction, bound: Fraction) -> Entry:
    return Entry(name, PARITY, build, reason, lambda: total > bound)  # type: ignore[arg-type]


PARITIES = [
    _for_index(
        "positive index from -5",
        lambda: Inequality("s", Sum(Abs(k), (k, -5, 5)), 5, {}),
        "The sum of |k| over -5..5 is 30; for positive k SymPy sums k.",
        Fraction(sum(abs(i_) for i_ in range(-5, 6))),
        Fraction(5),
    ),
    _for_index(
        "positive index from -9, roots",
        lambda: Inequality("s", Sum(sqrt(k**2), (k, -9, 3)), 0, {}),
        "The sum of |k| over -9..3 is 51; for positive k SymPy sums k.",
        Fraction(sum(abs(i_) for i_ in range(-9, 4))),
        Fraction(0),
    ),
    _for_index(
        "even index",
        lambda: Inequality("s", -Sum((-1) ** kn, (kn, 1, 4)), -4, {}),
        "The sum of (-1)^k over 1..4 is 0; for even k SymPy sums 1.",
        Fraction(-sum((-1) ** i_ for i_ in range(1, 5))),
        Fraction(-4),
    ),
    _for_index(
        "odd index",
        lambda: Inequality("s", Sum((-1) ** ko, (ko, 1, 4)), -4, {}),
        "The sum of (-1)^k over 1..4 is 0; for odd k SymPy sums -1.",
        Fraction(sum((-1) ** i_ for i_ in range(1, 5))),
        Fraction(-4),
    ),
    _for_index(
        "even index, induction",
        lambda: Induction("s", Sum(-((-1) ** kn), (kn, 1, n)), -n, n, 1),
        "At n = 2 the sum is 0, the bound -2; for even k SymPy sums -1.",
        Fraction(0),
        Fraction(-2),
    ),
    _for_index(
        "even limit",
        lambda: Induction("s", Sum(1, (k, 1, neven)), neven * (-1) ** neven, neven, 1),
        "At n = 1 the sum is 1, the bound -1; for even n SymPy drops the sign.",
        Fraction(1),
        Fraction(-1),
    ),
    _for_index(
        "odd limit",
        lambda: Induction("s", Sum(1, (k, 1, nodd)), -nodd * (-1) ** nodd, nodd, 1),
        "At n = 2 the sum is 2, the bound -2; for odd n SymPy drops the sign.",
        Fraction(2),
        Fraction(-2),
    ),
]

ENTRIES = (
    *SUMMANDS,
    *CONDITIONS,
    *LIMITS,
    *LOWERS,
    *STARTS,
    *ORDINARY,
    *EMPTIES,
    *SHADOWS,
    *POLES,
    *CONSTANTS,
    *DIVERGENT,
    *PARITIES,
)

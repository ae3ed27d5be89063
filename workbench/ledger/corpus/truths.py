"""True statements that are hard to prove: ties, small slack, high powers, large boxes, conditions, sums, products."""

from __future__ import annotations

from math import comb

from sympy import (
    Abs,
    E,
    Eq,
    Expr,
    Ge,
    IndexedBase,
    Integer,
    Le,
    Max,
    Min,
    Piecewise,
    Product,
    Rational,
    Sum,
    Symbol,
    cos,
    exp,
    factorial,
    log,
    pi,
    sin,
    sqrt,
    symbols,
    tanh,
)

from workbench.ledger.corpus.entry import (
    Entry,
    a,
    b,
    k,
    n,
    t,
    true_identity,
    true_induction,
    true_inequality,
    u,
    v,
    w,
    x,
    y,
    z,
)
from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    Interval,
    LinearProgram,
    at_least,
    closed,
    integers,
    opened,
)

q = Rational
TEN = Integer(10)
TWO, THREE = {x: POSITIVE, y: POSITIVE}, {x: POSITIVE, y: POSITIVE, z: POSITIVE}
FOUR = {**THREE, t: POSITIVE}

MEANS = "means"
MEAN = "Weighted arithmetic and geometric mean (concavity of the logarithm)."
MEAN_ENTRIES = [
    true_inequality(MEANS, "two variables", sqrt(x * y), (x + y) / 2, TWO, MEAN),
    true_inequality(MEANS, "three variables", (x * y * z) ** q(1, 3), (x + y + z) / 3, THREE, MEAN),
    true_inequality(
        MEANS,
        "three cubes",
        3 * x * y * z,
        x**3 + y**3 + z**3,
        THREE,
        "x^3 + y^3 + z^3 - 3xyz = (x+y+z)((x-y)^2 + (y-z)^2 + (z-x)^2)/2.",
    ),
    true_inequality(MEANS, "four fourth powers", 4 * x * y * z * t, x**4 + y**4 + z**4 + t**4, FOUR, MEAN),
    true_inequality(MEANS, "weights 1/4 and 3/4", x ** q(1, 4) * y ** q(3, 4), x / 4 + 3 * y / 4, TWO, MEAN),
    true_inequality(
        MEANS, "weights 2/5 and 3/5", x ** q(2, 5) * y ** q(3, 5), q(2, 5) * x + q(3, 5) * y, TWO, MEAN
    ),
    true_inequality(
        MEANS,
        "harmonic and geometric",
        2 * x * y / (x + y),
        sqrt(x * y),
        TWO,
        "The arithmetic and geometric mean of 1/x and 1/y.",
    ),
    true_inequality(
        MEANS,
        "arithmetic and quadratic",
        (x + y) / 2,
        sqrt((x**2 + y**2) / 2),
        TWO,
        "Squares: (x - y)^2 >= 0.",
    ),
    true_inequality(
        MEANS,
        "harmonic and arithmetic, three",
        9 / (1 / x + 1 / y + 1 / z),
        x + y + z,
        THREE,
        "Cauchy-Schwarz for sqrt(x) and 1/sqrt(x).",
    ),
    true_inequality(
        MEANS,
        "logarithmic and arithmetic",
        2 * (x - 1),
        (x + 1) * log(x),
        {x: at_least(1)},
        "The derivative of the difference, log x + 1/x - 1, is >= 0.",
    ),
]


def _young(p: Rational) -> Entry:
    conjugate = p / (p - 1)
    return true_inequality(
        "Young",
        f"exponent {p}",
        x * y,
        x**p / p + y**conjugate / conjugate,
        TWO,
        f"Young's inequality, 1/({p}) + 1/({conjugate}) = 1.",
    )


YOUNG = [_young(p) for p in (Integer(2), q(3, 2), Integer(3), Integer(4), q(5, 2))] + [
    true_inequality(
        "Young",
        "with a weight",
        a * b,
        a**2 / (2 * x) + x * b**2 / 2,
        {a: REAL, b: REAL, x: POSITIVE},
        "(a/sqrt(x) - b sqrt(x))^2 >= 0.",
    ),
    true_inequality(
        "Young",
        "square of a sum",
        (a + b) ** 2,
        (1 + x) * a**2 + (1 + 1 / x) * b**2,
        {a: REAL, b: REAL, x: POSITIVE},
        "Equal to (sqrt(x) a - b/sqrt(x))^2 >= 0.",
    ),
    true_inequality(
        "Young",
        "three factors",
        x * y * z,
        (x**3 + y**3 + z**3) / 3,
        THREE,
        "Young's inequality for three factors.",
    ),
]


def _bernoulli(r: Rational) -> Entry:
    return true_inequality(
        "Bernoulli",
        f"power {r}",
        1 + r * x,
        (1 + x) ** r,
        {x: at_least(-1)},
        f"Convexity of (1 + x)^({r}), tangent at 0.",
    )


BERNOULLI = [_bernoulli(r) for r in (q(3, 2), Integer(2), q(5, 2), Integer(5), Integer(20))] + [
    true_inequality(
        "Bernoulli", "power 1/2", sqrt(1 + x), 1 + x / 2, {x: at_least(-1)}, "Concavity, tangent at 0."
    ),
    true_inequality("Bernoulli", "power -1", 1 - x, 1 / (1 + x), {x: NONNEGATIVE}, "1 - x^2 <= 1."),
    true_inequality(
        "Bernoulli",
        "power of a power",
        (1 + x) ** q(1, 4),
        1 + x / 4,
        {x: NONNEGATIVE},
        "Concavity, tangent at 0.",
    ),
]

JENSEN = [
    true_inequality(
        "Jensen", "square", ((x + y) / 2) ** 2, (x**2 + y**2) / 2, {x: REAL, y: REAL}, "(x - y)^2 >= 0."
    ),
    true_inequality(
        "Jensen",
        "fourth power",
        ((x + y) / 2) ** 4,
        (x**4 + y**4) / 2,
        {x: REAL, y: REAL},
        "Convexity of the fourth power.",
    ),
    true_inequality(
        "Jensen",
        "exponential",
        exp((x + y) / 2),
        (exp(x) + exp(y)) / 2,
        {x: closed(-2, 2), y: closed(-2, 2)},
        "Convexity of the exponential.",
    ),
    true_inequality(
        "Jensen",
        "logarithm",
        (log(x) + log(y)) / 2,
        log((x + y) / 2),
        {x: closed(1, 9), y: closed(1, 9)},
        "Concavity of the logarithm.",
    ),
    true_inequality(
        "Jensen", "root", (sqrt(x) + sqrt(y)) / 2, sqrt((x + y) / 2), TWO, "Concavity of the root."
    ),
    true_inequality("Jensen", "inverse", 2 / (x + y), (1 / x + 1 / y) / 2, TWO, "Convexity of the inverse."),
    true_inequality(
        "Jensen",
        "x log x",
        (x + y) * log((x + y) / 2),
        x * log(x) + y * log(y),
        {x: closed(q(1, 2), 3), y: closed(q(1, 2), 3)},
        "Convexity of x log x.",
    ),
]

ENTROPY = [
    true_inequality(
        "entropy",
        "log-sum",
        (x + y) * log((x + y) / (u + v)),
        x * log(x / u) + y * log(y / v),
        {s: closed(1, 2) for s in (x, y, u, v)},
        "Log-sum inequality (convexity of x log x).",
    ),
    true_inequality(
        "entropy",
        "Gibbs",
        x * log(y) + (1 - x) * log(1 - y),
        x * log(x) + (1 - x) * log(1 - x),
        {x: opened(0, 1), y: opened(0, 1)},
        "Relative entropy is >= 0.",
    ),
    true_inequality(
        "entropy",
        "Pinsker",
        2 * (x - y) ** 2,
        x * log(x / y) + (1 - x) * log((1 - x) / (1 - y)),
        {x: closed(q(1, 10), q(9, 10)), y: closed(q(1, 10), q(9, 10))},
        "Pinsker's inequality for two outcomes.",
    ),
    true_inequality(
        "entropy",
        "at most log 2",
        -x * log(x) - (1 - x) * log(1 - x),
        log(2),
        {x: opened(0, 1)},
        "Concave and symmetric, largest at 1/2.",
    ),
    true_inequality(
        "entropy", "tangent of x log x", x - 1, x * log(x), {x: POSITIVE}, "Convexity, tangent at 1."
    ),
]

TANGENTS = [
    true_inequality(
        "exponential and logarithm", "tangent", 1 + a, exp(a), {a: REAL}, "Convexity, tangent at 0."
    ),
    true_inequality(
        "exponential and logarithm",
        "second order",
        1 + x + x**2 / 2,
        exp(x),
        {x: NONNEGATIVE},
        "Taylor with nonnegative remainder.",
    ),
    true_inequality(
        "exponential and logarithm",
        "third order",
        1 + a + a**2 / 2 + a**3 / 6,
        exp(a),
        {a: REAL},
        "The remainder is a^4 exp(c)/24.",
    ),
    true_inequality(
        "exponential and logarithm",
        "sixth order",
        sum((x**d / factorial(d) for d in range(7)), Integer(0)),
        exp(x),
        {x: closed(0, 5)},
        "Taylor with nonnegative remainder.",
    ),
    true_inequality(
        "exponential and logarithm",
        "logarithm below its tangent",
        log(x),
        x - 1,
        {x: POSITIVE},
        "Concavity, tangent at 1.",
    ),
    true_inequality(
        "exponential and logarithm",
        "logarithm above",
        x / (1 + x),
        log(1 + x),
        {x: NONNEGATIVE},
        "The derivatives are 1/(1+x)^2 and 1/(1+x).",
    ),
    true_inequality(
        "exponential and logarithm",
        "root bound",
        log(1 + x),
        x / sqrt(1 + x),
        {x: NONNEGATIVE},
        "Equal at 0; the derivative of the right side is larger, as sqrt(1 + x) <= 1 + x/2.",
    ),
    true_inequality(
        "exponential and logarithm", "x exp(-x)", x * exp(-x), exp(-1), {x: REAL}, "Largest at 1."
    ),
    true_inequality(
        "exponential and logarithm",
        "hyperbolic cosine",
        (exp(a) + exp(-a)) / 2,
        exp(a**2 / 2),
        {a: closed(-3, 3)},
        "Power series, (2i)! >= 2^i i!.",
    ),
    true_inequality(
        "exponential and logarithm",
        "hyperbolic tangent",
        tanh(x),
        x,
        {x: NONNEGATIVE},
        "The derivative of tanh is at most 1.",
    ),
    true_inequality(
        "exponential and logarithm",
        "logarithm of a ratio",
        2 * (x - 1) / (x + 1),
        log(x),
        {x: at_least(1)},
        "The derivative of the difference is (x-1)^2/(x (x+1)^2).",
    ),
]

FAR = [
    true_inequality(
        "a tie at infinity",
        "logarithm of a step",
        1 / (x + 1),
        log(x + 1) - log(x),
        {x: at_least(1)},
        "Mean value theorem.",
    ),
    true_inequality(
        "a tie at infinity", "from above", log(x + 1) - log(x), 1 / x, {x: at_least(1)}, "Mean value theorem."
    ),
    true_inequality(
        "a tie at infinity",
        "step of a root",
        sqrt(x + 1) - sqrt(x),
        1 / (2 * sqrt(x)),
        {x: at_least(1)},
        "Concavity of the root.",
    ),
    true_inequality(
        "a tie at infinity", "x log(1 + 1/x)", x * log(1 + 1 / x), 1, {x: at_least(1)}, "log(1 + s) <= s."
    ),
    true_inequality(
        "a tie at infinity", "rational", (x**2 + 1) / (x**2 + x + 1), 1, {x: NONNEGATIVE}, "x >= 0."
    ),
]

CORNER = [
    true_inequality(
        "a tie at a corner", "product", x + y - 1, x * y, {x: UNIT, y: UNIT}, "(1 - x)(1 - y) >= 0."
    ),
    true_inequality(
        "a tie at a corner",
        "three factors",
        x + y + z - 2,
        x * y * z,
        {x: UNIT, y: UNIT, z: UNIT},
        "Weierstrass: products of 1 - s are at least 1 - sum of s.",
    ),
    true_inequality(
        "a tie at a corner",
        "exponential",
        exp(x * y),
        1 + (E - 1) * x * y,
        {x: UNIT, y: UNIT},
        "The chord of a convex function.",
    ),
    true_inequality(
        "a tie at a corner", "powers", x**3 * y**2, x * y, {x: UNIT, y: UNIT}, "Factors at most 1."
    ),
    true_inequality("a tie at a corner", "sine", sin(x) * y, x, {x: UNIT, y: UNIT}, "sin x <= x."),
    true_inequality(
        "a tie on a curve",
        "hyperbola",
        Integer(2),
        x * y + 1 / (x * y),
        {x: closed(q(1, 2), 2), y: closed(q(1, 2), 2)},
        "s + 1/s >= 2, equal on xy = 1.",
    ),
    true_inequality(
        "a tie on a curve",
        "circle",
        2 * (x**2 + y**2),
        (x**2 + y**2) ** 2 + 1,
        {x: closed(-2, 2), y: closed(-2, 2)},
        "(s - 1)^2 >= 0, equal on the circle.",
    ),
    true_inequality(
        "a tie on a curve",
        "exponential",
        1 + (x - y) ** 2,
        exp((x - y) ** 2),
        {x: UNIT, y: UNIT},
        "exp s >= 1 + s, equal on the diagonal.",
    ),
    true_inequality(
        "a tie on a curve",
        "line, fourth order",
        Integer(0),
        (x + 2 * y - 1) ** 4,
        {x: UNIT, y: UNIT},
        "An even power.",
    ),
    true_inequality(
        "a tie on a curve",
        "maximum",
        (x + y) / 2,
        Max(x, y),
        {x: REAL, y: REAL},
        "The mean of two numbers is at most the larger.",
    ),
]

tight = q(367879442, 10**9)  # exp(-1) = 0.36787944117...
SLACK = [
    true_inequality(
        "slack of 1e-9",
        "x exp(-x)",
        x * exp(-x),
        tight,
        {x: closed(0, 10)},
        "The maximum is exp(-1) = 0.3678794411...",
    ),
    true_inequality(
        "slack of 1e-9", "quadratic", x * (1 - x), q(1, 4) + TEN**-9, {x: REAL}, "The maximum is 1/4."
    ),
    true_inequality(
        "slack of 1e-9", "exponential", 1 + x - TEN**-9, exp(x), {x: closed(-1, 1)}, "Tangent, with slack."
    ),
    true_inequality(
        "slack of 1e-9",
        "two variables",
        x * y - TEN**-9,
        (x**2 + y**2) / 2,
        {x: closed(-5, 5), y: closed(-5, 5)},
        "(x - y)^2 >= 0, with slack.",
    ),
    true_inequality("slack of 1e-9", "sine", sin(x), 1 + TEN**-12, {x: closed(0, 100)}, "sin is at most 1."),
    true_inequality(
        "slack of 1e-9",
        "numbers",
        exp(pi * sqrt(163)),
        262537412640768744,
        {},
        "Ramanujan's constant is 7.5e-13 below the whole number.",
    ),
]

POWERS = [
    true_inequality(
        "powers of high degree",
        "x^100 - x^101",
        x**100 - x**101,
        q(37, 10**4),
        {x: UNIT},
        "The maximum is (100/101)^100/101 = 0.003660.",
    ),
    true_inequality(
        "powers of high degree",
        "x^50 (1 - x)^50",
        x**50 * (1 - x) ** 50,
        q(1, 4) ** 50,
        {x: UNIT},
        "x (1 - x) <= 1/4.",
    ),
    true_inequality(
        "powers of high degree",
        "geometric series",
        (1 - x**30) / (1 - x),
        1 / (1 - x),
        {x: opened(0, 1)},
        "x^30 >= 0.",
    ),
    true_inequality(
        "powers of high degree",
        "compound interest",
        (1 + x / 50) ** 50,
        exp(x),
        {x: closed(0, 5)},
        "1 + s <= exp s.",
    ),
    true_inequality(
        "powers of high degree",
        "odd power",
        -1,
        x**99,
        {x: closed(-1, 1)},
        "Powers of numbers in [-1, 1] stay there.",
    ),
    true_inequality(
        "powers of high degree",
        "mean of powers",
        ((x + y) / 2) ** 12,
        (x**12 + y**12) / 2,
        {x: NONNEGATIVE, y: NONNEGATIVE},
        "Convexity of the twelfth power.",
    ),
]

BIG = closed(TEN**-6, TEN**6)
WIDE = [
    true_inequality(
        "large boxes",
        "three variables",
        (x + y + z) ** 2,
        3 * (x**2 + y**2 + z**2),
        {x: BIG, y: BIG, z: BIG},
        "Cauchy-Schwarz.",
    ),
    true_inequality(
        "large boxes",
        "logarithm and root",
        log(x),
        2 * (sqrt(x) - 1),
        {x: BIG},
        "log s <= s - 1 for s = sqrt(x).",
    ),
    true_inequality(
        "large boxes",
        "quotient",
        x / (1 + x) + y / (1 + y),
        2,
        {x: closed(0, TEN**9), y: closed(0, TEN**9)},
        "Each term is at most 1.",
    ),
    true_inequality(
        "large boxes",
        "exponentials",
        exp(-x - y),
        1 / (1 + x + y),
        {x: closed(0, TEN**4), y: closed(0, TEN**4)},
        "exp s >= 1 + s.",
    ),
    true_inequality(
        "large boxes",
        "step size",
        (1 - x / (2 * y)) ** 2,
        1,
        {x: closed(0, TEN**4), y: closed(TEN**4, TEN**8)},
        "0 <= x/(2y) <= 1.",
    ),
]

CASES = [
    true_inequality(
        "maxima and case distinctions",
        "sum of maximum and minimum",
        Max(a, b) + Min(a, b),
        a + b,
        {a: REAL, b: REAL},
        "They are a and b in some order.",
    ),
    true_inequality(
        "maxima and case distinctions",
        "triangle inequality, reversed",
        Abs(Abs(a) - Abs(b)),
        Abs(a - b),
        {a: REAL, b: REAL},
        "Triangle inequality.",
    ),
    true_inequality(
        "maxima and case distinctions",
        "positive part is 1-Lipschitz",
        Abs(Max(a, 0) - Max(b, 0)),
        Abs(a - b),
        {a: REAL, b: REAL},
        "Projection onto a convex set.",
    ),
    true_inequality(
        "maxima and case distinctions",
        "Huber",
        Piecewise((a**2 / 2, a**2 <= 1), (Abs(a) - q(1, 2), True)),
        a**2 / 2,
        {a: REAL},
        "(|a| - 1)^2 >= 0.",
    ),
    true_inequality(
        "maxima and case distinctions",
        "clipping",
        Min(Max(x, 0), 1) ** 2,
        Abs(x),
        {x: closed(-5, 5)},
        "The clipped value is at most 1 and at most |x|.",
    ),
    true_inequality(
        "maxima and case distinctions",
        "median",
        Max(Min(x, y), Min(Max(x, y), z)),
        Max(x, y),
        {x: closed(-3, 3), y: closed(-3, 3), z: closed(-3, 3)},
        "Both arguments are at most max(x, y).",
    ),
    true_inequality(
        "maxima and case distinctions",
        "a jump down",
        Piecewise((x, x < 1), (0, True)),
        x,
        {x: closed(0, 3)},
        "x >= 0.",
    ),
]

GIVEN = "conditions"
CONDITIONS = [
    true_inequality(
        GIVEN,
        "Cauchy-Schwarz",
        a + b + 2 * w,
        (sqrt(x) + sqrt(y)) ** 2,
        {x: POSITIVE, y: POSITIVE, a: REAL, b: REAL, w: REAL},
        "w <= |w| <= sqrt(xy).",
        (Eq(a, x), Eq(b, y), Le(w**2, x * y)),
    ),
    true_inequality(
        GIVEN,
        "a difference of roots",
        y - x,
        z / x,
        {x: at_least(1), y: at_least(1), z: POSITIVE},
        "y - x = z/(x + y).",
        (Eq(y**2, x**2 + z),),
    ),
    true_inequality(
        GIVEN,
        "a simplex",
        x * y * z,
        q(1, 27),
        {x: UNIT, y: UNIT, z: UNIT},
        "Arithmetic and geometric mean.",
        (Eq(x + y + z, 1),),
    ),
    true_inequality(
        GIVEN,
        "a circle",
        x + y,
        sqrt(2),
        {x: closed(-1, 1), y: closed(-1, 1)},
        "Cauchy-Schwarz.",
        (Eq(x**2 + y**2, 1),),
    ),
    true_inequality(
        GIVEN,
        "an ordering",
        x * z + y * t,
        x * t + y * z,
        {x: UNIT, y: UNIT, z: UNIT, t: UNIT},
        "(y - x)(z - t) >= 0.",
        (Le(x, y), Ge(z, t)),
    ),
    true_inequality(
        GIVEN,
        "a step size",
        1 - x * y + x**2 * y**2 / 2,
        1 - x * y / 2,
        {x: POSITIVE, y: POSITIVE},
        "(x y)^2 <= x y.",
        (Le(x * y, 1),),
    ),
    true_inequality(
        GIVEN,
        "an exponential condition",
        x,
        log(2),
        {x: closed(0, 5)},
        "Monotonicity of the exponential.",
        (Le(exp(x), 2),),
    ),
    true_inequality(
        GIVEN,
        "a factor that may vanish",
        (u - w) * a,
        0,
        {u: UNIT, w: UNIT, a: UNIT},
        "u a = w a.",
        (Eq(u * a, w * a),),
    ),
    true_inequality(
        GIVEN,
        "descent",
        b,
        a - x * y / 2,
        {a: REAL, b: REAL, x: NONNEGATIVE, y: NONNEGATIVE, t: UNIT},
        "t x y <= x y with t >= 1/2.",
        (Le(b, a - x * y * t), Ge(t, q(1, 2))),
    ),
]

WAVES = [
    true_inequality(
        "trigonometric", "cosine", 1 - a**2 / 2, cos(a), {a: closed(-3, 3)}, "Taylor, alternating."
    ),
    true_inequality(
        "trigonometric", "sine below", x - x**3 / 6, sin(x), {x: closed(0, 3)}, "Taylor, alternating."
    ),
    true_inequality("trigonometric", "product", sin(x) * cos(x), q(1, 2), {x: closed(0, 7)}, "sin(2x)/2."),
    true_inequality(
        "trigonometric", "sum", sin(x) + cos(x), sqrt(2), {x: closed(0, 7)}, "sqrt(2) sin(x + pi/4)."
    ),
]

WHOLE = "true for whole numbers only"
WHOLE_NUMBERS = [
    true_inequality(WHOLE, "neighbours", n, n**2, {n: integers(1)}, "n >= 1."),
    true_inequality(
        WHOLE, "no number between", 1, (2 * n - 3) ** 2, {n: integers(1)}, "An odd number squared."
    ),
    true_inequality(
        WHOLE,
        "no number between, exponential",
        exp((n - 1) * (2 - n)),
        1,
        {n: integers(1)},
        "(n - 1)(n - 2) >= 0 for whole n.",
    ),
    true_inequality(WHOLE, "power of two", n + 1, 2**n, {n: integers(1)}, "Bernoulli."),
    true_inequality(
        WHOLE,
        "sums over a range that starts at 1/2",
        -Sum(1, (k, 1, n)),
        -1,
        {n: Interval(q(1, 2), 3, integer=True)},
        "The whole numbers of [1/2, 3] are 1, 2, 3.",
    ),
    true_inequality(
        WHOLE,
        "a condition on the number of terms",
        -Sum(k, (k, 1, n)),
        -6,
        {n: integers(1, 5)},
        "For n >= 3 the sum is at least 6.",
        (Ge(n, 3),),
    ),
    true_inequality(
        WHOLE,
        "a sum for every number of terms",
        Sum(1 / k**2, (k, 1, n)),
        2 - 1 / n,
        {n: integers(1, 12)},
        "1/k^2 <= 1/(k-1) - 1/k.",
    ),
    true_inequality(WHOLE, "a long sum", Sum(1 / k, (k, 1, 200)), 1 + log(200), {}, "Integral of 1/x."),
]

SUMS = "sums by induction"
SUM_ENTRIES = [
    true_induction(
        SUMS, "inverse roots", Sum(1 / sqrt(k), (k, 1, n)), 2 * sqrt(n) - 1, "Integral of x^(-1/2)."
    ),
    true_induction(SUMS, "harmonic sum", Sum(1 / k, (k, 1, n)), 1 + log(n), "Integral of 1/x."),
    true_induction(SUMS, "inverse squares", Sum(1 / k**2, (k, 1, n)), 2 - 1 / n, "1/k^2 <= 1/(k-1) - 1/k."),
    true_induction(
        SUMS,
        "inverse powers 3/4",
        Sum(k ** q(-3, 4), (k, 1, n)),
        4 * n ** q(1, 4) - 3,
        "Integral of x^(-3/4).",
    ),
    true_induction(
        SUMS, "roots", Sum(sqrt(k), (k, 1, n)), q(2, 3) * (n + 1) ** q(3, 2), "Integral of the root."
    ),
    true_induction(SUMS, "with a parameter", Sum(x * k, (k, 1, n)), x * n**2, "k <= 2k - 1.", {x: POSITIVE}),
    true_induction(SUMS, "geometric", Sum(q(1, 2) ** k, (k, 1, n)), Integer(1), "1 - 2^-n."),
    true_induction(
        SUMS, "geometric, sharp", Sum(q(1, 2) ** k, (k, 1, n)), 1 - q(1, 2) ** n, "Equal, by induction."
    ),
    true_induction(
        SUMS, "squares", Sum(k**2, (k, 1, n)), n * (n + 1) * (2 * n + 1) / 6, "Equal, by induction."
    ),
    true_induction(SUMS, "tail from 2", Sum(1 / (k * (k - 1)), (k, 2, n)), 1 - 1 / n, "Telescopes.", start=2),
]

PRODUCTS = "products by induction"
PRODUCT_ENTRIES = [
    true_induction(
        PRODUCTS, "Wallis", Product(1 - 1 / (2 * k), (k, 1, n)), 1 / sqrt(n + 1), "(1 - 1/(2k))^2 <= k/(k+1)."
    ),
    true_induction(PRODUCTS, "telescope", Product(1 - 1 / k, (k, 2, n)), 1 / n, "Telescopes.", start=2),
    true_induction(PRODUCTS, "growth", Product(1 + 1 / k, (k, 1, n)), n + 1, "Telescopes."),
    true_induction(
        PRODUCTS,
        "with a parameter",
        Product(1 - x / k, (k, 1, n)),
        Integer(1),
        "Factors in [0, 1].",
        {x: UNIT},
    ),
    true_induction(
        PRODUCTS,
        "exponential",
        Product(1 + x / k**2, (k, 1, n)),
        exp(x * (2 - 1 / n)),
        "1 + s <= exp s, and 1/k^2 sums to at most 2 - 1/n.",
        {x: UNIT},
    ),
]

TELESCOPES = "identities by induction"
A, V = IndexedBase("A"), IndexedBase("V")
i = Symbol("i", integer=True, nonnegative=True)
IDENTITIES = [
    true_identity(TELESCOPES, "cubes", Sum(k**3, (k, 1, n)), (n * (n + 1) / 2) ** 2, "Nicomachus.", n=n),
    true_identity(
        TELESCOPES, "telescope", Sum(1 / (k * (k + 1)), (k, 1, n)), n / (n + 1), "1/k - 1/(k+1).", n=n
    ),
    true_identity(TELESCOPES, "odd numbers", Sum(2 * k - 1, (k, 1, n)), n**2, "Differences of squares.", n=n),
    true_identity(
        TELESCOPES,
        "product",
        Product(1 - 1 / k**2, (k, 2, n)),
        (n + 1) / (2 * n),
        "Telescopes.",
        n=n,
        start=2,
    ),
    true_identity(TELESCOPES, "geometric", Sum(2**i, (i, 0, n)), 2 ** (n + 1) - 1, "Geometric series.", n=n),
    true_identity(
        TELESCOPES,
        "weights add up",
        Sum(Product(1 - A[i], (i, k + 1, n)) * A[k], (k, 2, n)),
        1 - Product(1 - A[i], (i, 2, n)),
        "Induction on n.",
        n=n,
    ),
    true_identity(
        TELESCOPES, "a recursion", V[n], V[1] + n - 1, "Induction on n.", n=n, recursion={V[n + 1]: V[n] + 1}
    ),
]

minus = Symbol("m", negative=True)
p, r = symbols("p r", positive=True)
ALGEBRA = "identities"
ALGEBRA_ENTRIES = [
    true_identity(ALGEBRA, "square", (x + y) ** 2, x**2 + 2 * x * y + y**2, "Binomial theorem."),
    true_identity(
        ALGEBRA,
        "Lagrange",
        (x**2 + y**2) * (u**2 + v**2),
        (x * u + y * v) ** 2 + (x * v - y * u) ** 2,
        "Lagrange.",
    ),
    true_identity(
        ALGEBRA, "three points", (x - z) ** 2, (x - y) ** 2 + (y - z) ** 2 + 2 * (x - y) * (y - z), "Expand."
    ),
    true_identity(ALGEBRA, "logarithm", log(p * r), log(p) + log(r), "For positive numbers."),
    true_identity(ALGEBRA, "roots", sqrt(p * r) / sqrt(p), sqrt(r), "For positive numbers."),
    true_identity(
        ALGEBRA,
        "logarithm of a square of a negative number",
        log(minus**2),
        2 * log(-minus),
        "m < 0, so m^2 = (-m)^2 with -m > 0.",
    ),
    true_identity(
        ALGEBRA,
        "tenth power",
        (x + 1) ** 10,
        sum((comb(10, c_) * x**c_ for c_ in range(11)), Integer(0)),
        "Binomial theorem.",
    ),
    true_identity(ALGEBRA, "double angle", sin(2 * x), 2 * sin(x) * cos(x), "Addition theorem."),
]

p1, p2, p3 = symbols("p1 p2 p3")
SQUARE_AND_LINE = (Le(p1 + p2, 4), Le(p1 + 3 * p2, 6), Le(p1, 3), Ge(p1, 0), Ge(p2, 0))
PROGRAM = "linear programs"


def _program(
    name: str, objective: Expr, constraints: tuple, claimed: object, source: str, **more: str
) -> Entry:
    return Entry(name, PROGRAM, lambda: LinearProgram(name, objective, constraints, claimed, **more), source)  # type: ignore[arg-type]


PROGRAMS = [
    _program(
        "a vertex",
        3 * p1 + 2 * p2,
        SQUARE_AND_LINE,
        11,
        "At (3, 1); 2 times the first constraint plus the third.",
    ),
    _program("at most", 3 * p1 + 2 * p2, SQUARE_AND_LINE, 11 + TEN**-20, "The optimum is 11.", relation="<="),
    _program(
        "an equation",
        p1 + p2,
        (Eq(p1 + 2 * p2, 4), Ge(p1, -1), Ge(p2, -2)),
        q(3, 2),
        "At p1 = -1.",
        sense="min",
    ),
    _program(
        "degenerate", p1, (Le(p1, 0), Le(p1 + p2, 0), Le(p1 - p2, 0), Ge(p1, 0)), 0, "p1 = 0 is forced."
    ),
    _program(
        "three variables",
        p1 + p2 + p3,
        (Le(p1 + p2, 1), Le(p2 + p3, 1), Le(p1 + p3, 1)),
        q(3, 2),
        "Half the sum of the constraints.",
    ),
]

ENTRIES = (
    *MEAN_ENTRIES,
    *YOUNG,
    *BERNOULLI,
    *JENSEN,
    *ENTROPY,
    *TANGENTS,
    *FAR,
    *CORNER,
    *SLACK,
    *POWERS,
    *WIDE,
    *CASES,
    *CONDITIONS,
    *WAVES,
    *WHOLE_NUMBERS,
    *SUM_ENTRIES,
    *PRODUCT_ENTRIES,
    *IDENTITIES,
    *ALGEBRA_ENTRIES,
    *PROGRAMS,
)

"""Products and sums of momentum weights: Lemma G.1 (a), (b), (c), L1106-1235.

The lines of the proofs are checked for all p, q and c. With u = 1 + c t, w = 1 + c (t + 1) and r = w/u >= 1, the
integral of (1 + c t)^-q over one step against its first and its last value is Bernoulli's inequality r^s <= 1 + s (r -
1) for s = 1 - q and for s = q. An integral by parts is the derivative of its boundary term. That a sum of a monotone
function is at most an integral is taken for granted; the monotonicity is checked. The complete sums are formed by the
sampler `smp-weight-sums`.

The lines of this project use q = 1/2, the only case that the paper needs: with u^2 = 1 + c n and v^2 = 1 + c (n + 1)
one step of an induction over the upper limit replaces the integrals.
"""

from sympy import Le, Rational, diff, exp, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    Interval,
    at_least,
    misprint,
    nonnegative,
    opened,
    positive,
)

from .chain import link
from .paper import PAPER

u, v, c, n, s, double = symbols("u v c n s double", positive=True)
b, t, m, p, q, r, scale = symbols("b t m p q r scale", positive=True)
x, lhs_c_right, rhs_c_right, lhs_own = symbols("x lhs_c_right rhs_c_right lhs_own", nonnegative=True)
weight, product = symbols("weight product", nonnegative=True)
first, last, integral, rise = symbols("first last integral rise", nonnegative=True)
top, bottom, shift = symbols("top bottom shift", real=True)
lhs_a, rhs_a, lhs_b, rhs_b, lhs_c, rhs_c, rhs_own = symbols(
    "lhs_a rhs_a lhs_b rhs_b lhs_c rhs_c rhs_own", real=True
)
ON = (PAPER.entry("smp-weight-sums"),)
OPEN_UNIT = opened(0, 1)
ROOT = (1 + c * t) ** (1 - q) / (c * (1 - q))  # an antiderivative of (1 + c t)^-q

ONE_FACTOR = Inequality("one factor", 1 - x, exp(-x), {x: UNIT})
ANTIDERIVATIVE = Identity("antiderivative of (1 + c t)^-q", diff(ROOT, t), (1 + c * t) ** (-q))
FIRST_VALUE = Inequality(
    "the integral over one step is at most its first value",
    s * log(r),
    log(1 + s * (r - 1)),
    {r: at_least(1), s: OPEN_UNIT},
    note="Bernoulli in logarithms, s = 1 - q: (w^(1-q) - u^(1-q))/(c (1-q)) <= u^-q, divided by u^(1-q); w = u + "
    "c = r u.",
)
# (1 + c_2 t)/(1 + c_1 t) with c = c_2, s = c_1
TO_LAST = Inequality(
    "the quotient of both weights grows with t",
    (1 + c * t) * (1 + s * b),
    (1 + c * b) * (1 + s * t),
    positive(c, s, b, t),
    given=(Le(t, b), Le(s, c)),
    note="c = c_2, s = c_1: (1 + c_2 t)/(1 + c_1 t) is at most its value at b.",
)
TO_LIMIT = Inequality(
    "from c_1 to c_2",
    (1 + c * n) * s,
    c * (1 + s * n),
    positive(c, s, n),
    given=(Le(s, c),),
    note="(1 + c_2 t)/(1 + c_1 t) <= c_2/c_1 with c = c_2, s = c_1.",
)
LATER = Inequality(
    "(1 + c t)^(q-1) decreases",
    m ** (q - 1),
    1,
    {m: at_least(1), q: OPEN_UNIT},
    note="m is the quotient of 1 + c t at a later and an earlier t.",
)

PRODUCT = link(
    "lem-G.1a",
    "Product of momentum weights",
    "L1106-1114, L1130-1135",
    r"The product of $1 - (1 + c t)^{-q}$ over $t = a, \ldots, b$ is at most "
    r"$\exp(((1 + a c)^{1-q} - (1 + b c)^{1-q})/(c (1 - q)))$.",
    (),
    ONE_FACTOR.states(),
    FIRST_VALUE.states(),
    ANTIDERIVATIVE,
    Inequality(
        "b in place of b + 1",
        1,
        r ** (1 - q),
        {r: at_least(1), q: OPEN_UNIT},
        note="r is the quotient of 1 + (b+1) c and 1 + b c.",
    ).states(),
    AlongTrajectory("whole products, logarithms", lhs_a, rhs_a, on=ON).states(),
    note="The statement is the product over t of the first two lines, whose exponents telescope, and the last line.",
)

# Part (b): with E(t) = exp(-(1 + c t)^(1-q)/(c (1-q))) the summand is (1 + c_1 t)^(-q/2) t^-p E(t). The integral I has
# h(t) = (1 + c t)^(-q/2) t^-p E(t) below it, and the boundary term F(t) = t^-p (1 + c t)^(q/2) E(t).
DECAY = exp(-ROOT)
BOUNDARY_B = t**-p * (1 + c * t) ** (q / 2) * DECAY
SUMMAND_B = t**-p * (1 + c * t) ** (-q / 2) * DECAY
SLOPE_B = -q * s / (2 * (1 + s * t)) - p / t - (1 + c * t) ** (-q)
SUM_B = link(
    "lem-G.1b",
    "Sum of decaying weights",
    "L1117-1120, L1136-1164",
    r"For $p \ge q$ and $c_1 \le c_2$, the sum over $t = a, \ldots, b$ of $(1 + c_1 t)^{-q/2} t^{-p}$ times the "
    r"product over $k = a, \ldots, t$ is at most $(c_2/c_1)^{q/2} (a-1)^{-p} (1 + (a-1) c_2)^{q/2} "
    r"\exp(((1 + a c_2)^{1-q} - (1 + (a-1) c_2)^{1-q})/(c_2 (1-q)))$.",
    ("lem-G.1a",),
    Inequality(
        "part (a) in each term",
        weight * product,
        weight * u / v,
        {**nonnegative(weight, product), **positive(u, v)},
        given=(Le(product, u / v),),
        note="u, v: the exponentials of (1 + a c_2)^(1-q) and (1 + t c_2)^(1-q) over c_2 (1-q).",
    ),
    Identity(
        "logarithmic derivative of the summand", diff(log(t**-p * (1 + s * t) ** (-q / 2)) - ROOT, t), SLOPE_B
    ),
    Inequality(
        "the summand decreases",
        SLOPE_B,
        0,
        {q: OPEN_UNIT, **positive(p, c, s, t)},
        note="hence the sum over t = a..b is at most the integral from a - 1 to b.",
    ),
    TO_LAST,
    TO_LIMIT,
    Identity(
        "integration by parts",
        diff(BOUNDARY_B, t),
        -SUMMAND_B + (-p / t - p * c + q * c / 2) * (1 + c * t) ** (q - 1) * SUMMAND_B,
    ),
    LATER,
    Inequality(
        "the coefficient decreases",
        p / b + p * c - q * c / 2,
        p / t + p * c - q * c / 2,
        {**positive(p, c, b, t), q: OPEN_UNIT},
        given=(Le(t, b),),
    ),
    Inequality(
        "the coefficient is positive",
        q * c / 2,
        p / b + p * c,
        {**positive(p, c, b), q: OPEN_UNIT},
        given=(Le(q, p),),
    ),
    Inequality(
        "solved for the integral",
        integral,
        (first - last) / (1 + rise),
        nonnegative(integral, first, last, rise),
        given=(Le(integral, first - last - rise * integral),),
        note="rise = (p/b + p c_2 - q c_2/2) (1 + b c_2)^(q-1).",
    ),
    Inequality(
        "the first boundary term remains",
        (first - last) / (1 + rise),
        first,
        nonnegative(first, last, rise),
    ),
    Inequality(
        "L1158 prints q for q/2",
        1,
        r ** (q / 2),
        {r: at_least(1), q: OPEN_UNIT},
        note="r = 1 + (a-1) c_2: r^(q/2) <= r^q. True, but too weak for the next line, which has q/2 again.",
    ),
    Identity(
        "collected",
        exp(top) * scale * (weight * exp(-bottom)),
        scale * weight * exp(top - bottom),
        note="top, bottom: (1 + a c_2)^(1-q) and (1 + (a-1) c_2)^(1-q) over c_2 (1-q).",
    ),
    Inequality(
        "one step for q = 1/2: growth of the roots",
        n * sqrt(1 + c * (n + 1)),
        (n + 1) * sqrt(1 + c * n),
        {n: at_least(1), c: POSITIVE},
    ),
    Inequality(
        "one step for q = 1/2: the exponential pays for h(n+1)",
        1 / v,
        2 / (u + v),
        {u: at_least(1), v: at_least(1)},
        given=(Le(u, v),),
        note="1 + 1/v <= exp(2/(u + v)). Squared, h(n+1) + F(n+1) <= F(n) is (1 + v)^2 n <= u v (n + 1) exp(4/(u "
        "+ v)); this line and the one before.",
    ),
    AlongTrajectory("whole sums", lhs_b, rhs_b, on=ON).states(),
    note="The second-to-last display omits the factor 1/2 of q and the index of c_2; the statement has both.",
)

# Part (c): h(t) = (1 + c t)^-p e(t) with e(t) = exp(((1 + c t)^(1-q) - 1)/(c (1-q))).
# By induction: A_b = sum_{t<=b} (1 + c_1 t)^-p prod_{k>t} obeys A_(b+1) = (1 - x) A_b + (1 + c_1 (b+1))^-p with
# x = (1 + c_2 (b+1))^-q. With p = 1, q = 1/2 and u^2 = 1 + c (b+1), v^2 = u^2 + c, the bound 2/u carries over to 2/v.
GROWTH = exp(((1 + c * t) ** (1 - q) - 1) / (c * (1 - q)))
SUMMAND_C = (1 + c * t) ** (-p) * GROWTH
BOUNDARY_C = (1 + c * t) ** (q - p) * GROWTH
SUM_C = link(
    "lem-G.1c",
    "Sum of accumulated weights",
    "L1123-1125, L1165-1235",
    r"The sum over $t = a, \ldots, b$ of $(1 + c_1 t)^{-p}$ times the product over $k > t$ is at most $2 (c_2/c_1)^p "
    r"(1 + (b+1) c_2)^{q-p} \exp(((1 + c_2)^{1-q} - 1)/(c_2 (1-q)))$, under a condition on $a$.",
    (),
    *(
        check.states()
        for check in misprint(
            "E9",
            AlongTrajectory(
                "whole sums, (p - q) (1 + (a-1) c_2)^(q-1) <= 1/2",
                lhs_c,
                rhs_c,
                on=ON,
                note="The integration by parts loses a factor c_2, and so does the condition.",
            ),
            "whole sums, (p - q) c_2 (1 + (a-1) c_2)^(q-1) <= 1/2",
            lhs=lhs_c_right,
            rhs=rhs_c_right,
        )
    ),
    ONE_FACTOR,
    Identity(
        "product over k > t as two exponentials",
        exp(-(top - bottom)),
        exp(-top) * exp(bottom),
        note="top, bottom: the sums of (1 + c_2 k)^-q up to b and up to t.",
    ),
    FIRST_VALUE,
    ANTIDERIVATIVE,
    Inequality(
        "the last value is at most the integral over one step",
        s * log(r),
        log(1 + s * (r - 1)),
        {r: at_least(1), s: OPEN_UNIT},
        note="Bernoulli in logarithms, s = q: w^-q <= (w^(1-q) - u^(1-q))/(c (1-q)), times (1-q) c w^q/u; w = u + "
        "c = r u.",
    ),
    TO_LAST,
    TO_LIMIT,
    Identity(
        "derivative of the summand",
        diff(SUMMAND_C, t),
        (-p * c + (1 + c * t) ** (1 - q)) * (1 + c * t) ** (-p - 1) * GROWTH,
    ),
    Inequality(
        "the summand falls before t_1",
        1,
        m ** (1 - q),
        {m: at_least(1), q: OPEN_UNIT},
        note="m is the quotient of 1 + c_2 t_1 and 1 + c_2 t, where (1 + c_2 t_1)^(1-q) = p c_2; beyond t_1 it is "
        "the other way round.",
    ),
    *misprint(
        "E9",
        Identity(
            "integration by parts",
            diff(BOUNDARY_C, t),
            SUMMAND_C - (p - q) * (1 + c * t) ** (q - p - 1) * GROWTH,
            note="L1220: the derivative of (1 + c_2 t)^(q-p) has a factor c_2.",
        ),
        "integration by parts, with c_2",
        rhs=SUMMAND_C - (p - q) * c * (1 + c * t) ** (q - p - 1) * GROWTH,
    ),
    Inequality(
        "(p - q) (1 + c t)^(q-1) is at most its value at a - 1",
        (p - q) * m ** (q - 1),
        p - q,
        {m: at_least(1), p: Interval(0, 1, low_open=True), q: OPEN_UNIT},
        witness={m: Rational(4), p: Rational(1, 4), q: Rational(1, 2)},
        note="L1222: false for p < q, which the statement allows; the next line is then true all the same.",
    ).refuted("E11"),
    Inequality(
        "the same for p >= q",
        x * m ** (q - 1),
        x,
        {x: NONNEGATIVE, m: at_least(1), q: OPEN_UNIT},
        note="x = p - q",
    ).repaired("E11"),
    Inequality(
        "the condition makes it one half",
        shift * integral,
        integral / 2,
        {shift: REAL, integral: NONNEGATIVE},
        given=(Le(shift, Rational(1, 2)),),
        note="shift = (p - q) (1 + (a-1) c_2)^(q-1); with c_2 in it after E9.",
    ),
    Inequality(
        "solved for the integral",
        integral,
        double * first,
        nonnegative(integral, first, last),
        given=(Le(integral, first - last + integral / 2),),
        constants=(Constant(double, 2),),
    ),
    Identity(
        "collected",
        exp(shift - top) * scale * (2 * weight * exp(top - bottom)),
        2 * scale * weight * exp(shift - bottom),
        note="shift, top, bottom: (1 + c_2)^(1-q), (1 + (b+1) c_2)^(1-q) and 1 over c_2 (1-q).",
    ),
    Inequality(
        "one step, without the exponential",
        double * (1 - 1 / u) / u + 1 / u**2,
        double / sqrt(u**2 + c),
        {u: at_least(1), c: POSITIVE},
        given=(Le(c, u),),
        constants=(Constant(double, 2),),
        note="By induction over b the exponential (at most e) is not needed, and the condition is c_2 <= (1 + "
        "(a+1) c_2)^(1/2).",
    ).own("E9"),
    Inequality(
        "the first sum", 1 / u**2, 2 / sqrt(u**2 + c), {u: at_least(1), c: POSITIVE}, given=(Le(c, u),)
    ).own("E9"),
    AlongTrajectory("whole sums without the exponential", lhs_own, rhs_own, on=ON).own("E9"),
    note="False under the printed condition; the corrected one excludes the noise levels 4 sigma_bar^2/alpha^2 > t_0 "
    "- 1. That a function which falls and then rises has sums below its integrals (L1200-1214) is not checked.",
)

LEMMAS = (PRODUCT, SUM_B, SUM_C)

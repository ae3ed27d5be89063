"""Products and sums of momentum weights: Lemma G.1 (a), (b), (c), L1106-1235.

The proofs use them with q = 1/2 only. Then, for n >= a and c > 0, let u^2 = 1 + c n and v^2 = 1 + c (n + 1): the
factors are 1 - 1/u, and the integral of (1 + c t)^(-1/2) from n to n + 1 is 2/(u + v). Each part reduces to one step
of an induction over the upper limit, a statement about u and v. The complete sums, for other p and q as well, are
formed by the sampler `smp-weight-sums`.
"""

from sympy import Le, exp, sqrt, symbols

from theorems.ada_minimax.chain import link
from theorems.lemma import (
    POSITIVE,
    AlongTrajectory,
    Constant,
    Inequality,
    at_least,
    closed,
    misprint,
    positive,
)

u, v, c, n, s, double = symbols("u v c n s double", positive=True)
x, lhs_c_right, rhs_c_right, lhs_own = symbols("x lhs_c_right rhs_c_right lhs_own", nonnegative=True)
lhs_a, rhs_a, lhs_b, rhs_b, lhs_c, rhs_c, rhs_own = symbols(
    "lhs_a rhs_a lhs_b rhs_b lhs_c rhs_c rhs_own", real=True
)
ON = ("ada_minimax/smp-weight-sums",)

PRODUCT = link(
    "lem-G.1a",
    "Product of momentum weights",
    "L1106-1114, L1130-1135",
    "The product of 1 - (1 + c t)^-q over t = a..b is at most exp(((1 + a c)^(1-q) - (1 + b c)^(1-q))/(c (1 - q))).",
    (),
    Inequality("one factor", 1 - x, exp(-x), {x: closed(0, 1)}),
    Inequality(
        "the integral over one step is at most its first value",
        2 / (u + v),
        1 / u,
        {u: at_least(1), v: at_least(1)},
        given=(Le(u, v),),
    ),
    AlongTrajectory("whole products, logarithms", lhs_a, rhs_a, on=ON),
)

# Part (b): sum_{t<=n} h(t) <= F(a-1) - F(n), F(t) = t^-p (1 + c t)^(q/2) E(t), h(t) = (1 + c t)^(-q/2) t^-p E(t) and
# E(t) = exp(-(1 + c t)^(1-q)/(c (1-q))): one step is h(n+1) + F(n+1) <= F(n), here divided by E(n+1), with p = q = 1/2.
SUM_B = link(
    "lem-G.1b",
    "Sum of decaying weights",
    "L1117-1120, L1136-1164",
    "For p >= q and c_1 <= c_2, the sum over t = a..b of (1 + c_1 t)^(-q/2) t^-p times the product over k = a..t is "
    "at most (c_2/c_1)^(q/2) (a-1)^-p (1 + (a-1) c_2)^(q/2) exp(((1 + a c_2)^(1-q) - (1 + (a-1) c_2)^(1-q))/(c_2 "
    "(1-q))).",
    ("lem-G.1a",),
    Inequality(
        "one step: growth of the roots",
        n * sqrt(1 + c * (n + 1)),
        (n + 1) * sqrt(1 + c * n),
        {n: at_least(1), c: POSITIVE},
    ),
    Inequality(
        "one step: the exponential pays for h(n+1)",
        1 / v,
        2 / (u + v),
        {u: at_least(1), v: at_least(1)},
        given=(Le(u, v),),
        note="1 + 1/v <= exp(2/(u + v)). Squared, h(n+1) + F(n+1) <= F(n) is (1 + v)^2 n <= u v (n + 1) exp(4/(u "
        "+ v)); this line and the one before.",
    ),
    Inequality(
        "from c_1 to c_2",
        (1 + c * n) * s,
        c * (1 + s * n),
        positive(c, s, n),
        given=(Le(s, c),),
        note="(1 + c_2 t)/(1 + c_1 t) <= c_2/c_1 with c = c_2, s = c_1.",
    ),
    AlongTrajectory("whole sums", lhs_b, rhs_b, on=ON),
    note="The second-to-last display omits the factor 1/2 of q and the index of c_2; the statement has both.",
)

# Part (c): A_b = sum_{t<=b} (1 + c_1 t)^-p prod_{k>t} obeys A_(b+1) = (1 - x) A_b + (1 + c_1 (b+1))^-p with
# x = (1 + c_2 (b+1))^-q. With p = 1, q = 1/2 and u^2 = 1 + c (b+1), v^2 = u^2 + c, the bound 2/u carries over to 2/v.
SUM_C = link(
    "lem-G.1c",
    "Sum of accumulated weights",
    "L1123-1125, L1165-1235",
    "The sum over t = a..b of (1 + c_1 t)^-p times the product over k > t is at most 2 (c_2/c_1)^p (1 + (b+1) "
    "c_2)^(q-p) exp(((1 + c_2)^(1-q) - 1)/(c_2 (1-q))), under a condition on a.",
    (),
    *misprint(
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
    "- 1.",
)

LEMMAS = (PRODUCT, SUM_B, SUM_C)

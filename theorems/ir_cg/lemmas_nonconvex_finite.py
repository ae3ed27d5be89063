"""Non-convex F, finite sums: Lemmas 13-15, Proposition 4, Theorem 6. L1063-1264."""

from sympy import Le, Max, Rational, Sum, log, sqrt, symbols

from theorems.ir_cg import nonconvex, theorems_5_6
from theorems.ir_cg.chain import DELTA, NC_FS, after_q, likely, link, measured, power_sum, program, seen, t
from theorems.ir_cg.constants import D, L_f, L_g, q, varsigma
from theorems.ir_cg.lemmas_spider import spider
from theorems.ir_cg.theorems_5_6 import OMEGA_6, P_6
from theorems.lemma import (
    Identity,
    Induction,
    Inequality,
    at_least,
    integers,
    misprint,
    opened,
    positive,
)

G_next, err_g, early, shape_17, shape_29 = seen("G_next", "err_g", "early", "shape_17", "shape_29")
sum_beta_calF, sum_beta, sum_e_late = seen("sum_beta_calF", "sum_beta", "sum_e_late")
a, u, x = symbols("a u x", positive=True)
n = symbols("n", integer=True, positive=True)  # upper limit of a sum
i = symbols("i", integer=True, nonnegative=True)  # its index

LEM_13 = link(
    "lem-13",
    "Concentration of SPIDER, general steps",
    "Lemma 13, (28), (29), L1076-1124",
    "With probability 1 - delta both errors at t are at most 8 L D sqrt(alpha^2 q/S) sqrt(log(8/delta)) for t < "
    "q, and 8 L D sqrt((s_t^(1-2w) - t^(1-2w))/(S (2w - 1))) sqrt(log(8/delta)) for t > q.",
    ("lem-7",),
    *misprint(
        "I13",
        Inequality(
            "alpha_(s-1)^2 with the 4 of L1102",
            4 * x ** Rational(-3, 2),
            (x ** Rational(-3, 4)) ** 2,
            {x: at_least(1)},
            witness={x: 1},
            note="omega = 3/4; the display claims equality.",
        ),
        "without it",
        lhs=x ** Rational(-3, 2),
    ),
    Inequality(
        "(29) for alpha = 1 at t = q + 1, q = S = 400, omega = 9/10",
        Rational(1, 200) * x,
        8 * sqrt((400 ** Rational(-4, 5) - 401 ** Rational(-4, 5)) / 320) * sqrt(log(160)) * x,
        positive(x),
        witness={x: 1},
        note="in units of L D; the mean of 400 signs is at least 1/200 in absolute value with probability "
        "0.96 > delta = 1/20.",
    ).refuted("I9"),
    Inequality(
        "(29) with alpha = log(q+1)/(q+1), omega = 3/4",
        2 * log(x),
        x,
        {x: at_least(1)},
        note="log(q+1) <= 2 (q+1)^(1/4) with x = (q+1)^(1/4): the slack of the tail bound covers alpha_q.",
    ).repaired("I9"),
    likely("first phase", early * err_g, early * spider(shape_17), uniform=False, on=(NC_FS,)),
    likely(
        "later, alpha as in Theorem 6",
        (1 - early) * err_g,
        (1 - early) * spider(shape_29),
        uniform=False,
        on=(NC_FS,),
    ).repaired("I9"),
)

SIGMA_6 = varsigma * (q + 2) ** (-P_6)
SMOOTH_6 = SIGMA_6 * L_f + L_g
POWER = Max(t - 1 - q, 0) ** (1 - OMEGA_6)
PROP_4 = link(
    "prop-4",
    "Sum of the errors after q",
    "Proposition 4, (30), L1162-1187",
    "With probability 1 - delta, for all t > q, the sum of e_i over q < i <= t is at most 8 (sigma_0 L_f + L_g) D "
    "(t - q)^(1 - omega)/(1 - omega) sqrt(log(8 (t+2)^2/delta)).",
    ("lem-13",),
    power_sum(OMEGA_6),
    after_q(
        "along runs, 4 for the 8",
        sum_e_late,
        4 * D * SMOOTH_6 * POWER / (1 - OMEGA_6) * sqrt(log(8 * (t + 1) ** 2 / DELTA)),
        NC_FS,
        note="Lemma 15 uses 4 without saying so; Pinelis' inequality gives 2 sqrt(2).",
    ).own(),
)

LEM_14 = link(
    "lem-14",
    "The first q + 1 steps",
    "Lemma 14, L1128-1158",
    "calG(x_t) <= (1-alpha)^t calG(x_0) + 2 sigma_0 sup|F| - sigma_0 alpha sum (1-alpha)^(t-1-i) calF(x_i) + "
    "(sigma_0 L_f + L_g) D^2 alpha/2 (1 + 16 sqrt(log(8 (t+2)^2/delta))), t <= q + 1.",
    ("eq-25", "lem-13"),
    Inequality(
        "weights as printed, t = 1",
        a,
        a * (1 - a),
        {a: opened(0, 1)},
        witness={a: Rational(1, 2)},
        note="calF = -1, F = 0, no curvature and no noise: the recursion gives sigma_0 alpha at t = 1.",
    ).refuted("I12"),
    Identity("weights as proved, t = 2", (1 - a) * a + a, a * (1 - a) + a).repaired("I12"),
    Induction(
        "geometric series",
        Sum((1 - u) ** i, (i, 0, n)),
        1 / u - (1 - u) ** (n + 1) / u,
        n,
        1,
        {u: opened(0, 1)},
    ),
)

OUTER_6, INNER_6 = theorems_5_6.THEOREM_6["outer"], theorems_5_6.THEOREM_6["inner"]

LEM_15 = link(
    "lem-15",
    "All steps",
    "Lemma 15, L1191-1219",
    "t^omega calG(x_t) plus the sum of beta_i calF(x_i) over i < t is at most the numerator of the outer bound of "
    "Theorem 6 at t - 1, for t > q + 1.",
    ("lem-12", "lem-14", "prop-4"),
    Inequality(
        "D in place of D^2",
        8 * D**2 * u,
        8 * D * u,
        positive(D, u),
        witness={D: 2, u: 1},
        note="2 D times Proposition 4 (with its 4), against L1215.",
    ).refuted("I10"),
    Identity("D^2", 2 * D * (4 * D * u), 8 * D**2 * u).repaired("I10"),
)

SIX = link(
    "thm-6-outer",
    "Theorem 6, outer level",
    "Theorem 6, L1068-1264",
    "The outer bound of Theorem 6.",
    ("lem-15",),
    program(nonconvex.exponents_finite_sum, Rational(-1, 4)),
    Inequality(
        "sum of the late weights, printed",
        2 * (sqrt(x) - sqrt(2)),
        Sum((i + 1) ** Rational(-1, 2), (i, 2, n)),
        {x: at_least(2), n: integers(19, 19)},
        given=(Le(x, n), Le(n, x)),
        witness={x: 19, n: 19},
        note="p = 1/2, q = 1",
    ).refuted("I11"),
    Inequality(
        "one late weight",
        2 * (sqrt(x + 1) - sqrt(x)),
        1 / sqrt(x),
        positive(x),
        note="x = i + 1: the sum over q < i <= t telescopes to 2 (sqrt(t + 2) - sqrt(q + 2)).",
    ).repaired("I11"),
    after_q(
        "along runs",
        sum_beta_calF / sum_beta,
        measured(OUTER_6.form("repaired"), at=t - 1),
        NC_FS,
        note="the recorded sums run over i < t",
    ).repaired("I10"),
)

SIX_INNER = link(
    "thm-6-inner",
    "Theorem 6, inner level",
    "Theorem 6, L1068-1264",
    "The inner bound of Theorem 6.",
    ("lem-15",),
    after_q("along runs", G_next, measured(INNER_6.form()), NC_FS),
)

LEMMAS = (LEM_13, PROP_4, LEM_14, LEM_15, SIX, SIX_INNER)

"""Non-convex F, one sample: (25), Lemma 12, Theorem 5. L952-1061."""

from sympy import Le, Rational, Symbol, symbols

from theorems.ir_cg import nonconvex, theorems_5_6
from theorems.ir_cg.chain import EACH_NC, NC, likely, link, measured, power_sum, program, seen, t
from theorems.ir_cg.constants import F_0, D, L_f, L_g, sup_F, varsigma
from theorems.ir_cg.lemmas_descent import CURVE, NOISY
from theorems.ir_cg.theorems_5_6 import OMEGA_5, OMEGA_6, P_5
from theorems.lemma import (
    REAL,
    AlongTrajectory,
    Identity,
    Inequality,
    closed,
    misprint,
    nonnegative,
    opened,
    positive,
)

alpha_t, sigma_t, F_gap, G_gap = seen("alpha_t", "sigma_t", "F_gap", "G_gap")
F_next, G_next, calF_t = seen("F_next", "G_next", "calF_t")
sum_sigma_calF, sum_sigma, sum_e = seen("sum_sigma_calF", "sum_sigma", "sum_e")
a, u, x, y, M = symbols("a u x y M", positive=True)
b = Symbol("b", nonnegative=True)
f, f_next = symbols("f f_next", real=True)

EQ_25 = link(
    "eq-25",
    "One step with both merit functions",
    "Eq. (25), L968-986",
    "alpha_t (sigma_t calF + calG)(x_t) <= sigma_t (F(x_t) - F(x_(t+1))) + calG(x_t) - calG(x_(t+1)) + 2 D alpha_t e_t "
    "+ (sigma_t L_f + L_g) D^2 alpha_t^2/2.",
    ("eq-9", "asm-1(b'), non-convex F"),
    AlongTrajectory(
        "along runs",
        alpha_t * (sigma_t * calF_t + G_gap),
        sigma_t * (F_gap - F_next) + G_gap - G_next + NOISY + CURVE,
        on=EACH_NC,
    ),
)

p, omega = P_5, OMEGA_5

LEM_12 = link(
    "lem-12",
    "Sums with both merit functions",
    "Lemma 12, L960-1005",
    "(t+1)^omega calG(x_(t+1)) - k^omega calG(x_k) <= 2 varsigma sup|F| (t+1)^(omega-p) + sigma_k F(x_k) - sum "
    "sigma_i calF(x_i) + sum (2 D e_i + (sigma_i L_f + L_g) D^2/(2 (i+1)^omega)).",
    ("eq-25",),
    *(
        Inequality(f"(t+1)^omega - 1 <= t^omega, omega = {w}", (x + 1) ** w, x**w + 1, positive(x))
        for w in (OMEGA_5, OMEGA_6)
    ),
    *misprint(
        "I7",
        Identity(
            "boundary term of L1001",
            y * (f - f_next),
            (y - b) * f + a * f - y * f_next,
            note="k = t: y = (k+1)^omega sigma_k, b = k^omega sigma_(k-1), a = sigma_k.",
        ),
        "the right boundary term",
        rhs=(y - b) * f + b * f - y * f_next,
    ),
    Inequality(
        "the inequality with the right boundary term",
        (y - b) * f + b * f - y * f_next,
        2 * M * y + a * f,
        {f: REAL, f_next: REAL, **nonnegative(b), **positive(y, M, a)},
        given=(Le(f, M), Le(-M, f), Le(f_next, M), Le(-M, f_next), Le(b, y), Le(a, y)),
        note="one summand: y = (i+1)^omega sigma_i, b = i^omega sigma_(i-1), a = sigma_k.",
    ).repaired("I7"),
    AlongTrajectory(
        "along runs, k = 0",
        t**omega * G_next + sum_sigma_calF,
        2 * varsigma * sup_F * t ** (omega - p)
        + varsigma * F_0
        + 2 * D * sum_e
        + D**2 / 2 * (varsigma * L_f + L_g) * t ** (1 - omega) / (1 - omega),
        on=(NC,),
    ),
)

OUTER_5, INNER_5 = theorems_5_6.THEOREM_5["outer"], theorems_5_6.THEOREM_5["inner"]
FIVE = link(
    "thm-5-outer",
    "Theorem 5, outer level",
    "Theorem 5, L1011-1061",
    "The outer bound of Theorem 5.",
    ("lem-12", "own-storm-omega"),
    power_sum(omega / 2),
    power_sum(omega),
    program(nonconvex.exponents_one_sample, Rational(-1, 7)),
    likely(
        "along runs, explicit",
        sum_sigma_calF / sum_sigma,
        measured(OUTER_5.form("own"), at=t - 1),
        on=(NC,),
        note="the recorded sums run over i < t",
    ).own(),
)

FIVE_INNER = link(
    "thm-5-inner",
    "Theorem 5, inner level",
    "Theorem 5, L1011-1061",
    "The inner bound of Theorem 5.",
    ("lem-12", "own-storm-omega", "own-contraction"),
    *misprint(
        "I8",
        Inequality(
            "(26) without its parentheses",
            0,
            2 * y - 1,
            {y: closed(Rational(1, 100), 1)},
            witness={y: Rational(1, 4)},
            note="F = -1, G = 0, varsigma = 1, no curvature and no noise: y = (t+1)^-p; the left side is calG = 0.",
        ),
        "with them",
        rhs=2 * y - u,
        box={y: opened(0, 1), u: opened(0, 1)},
        given=(Le(u, y),),
        note="u = (t+1)^-omega <= y.",
    ),
    likely("along runs, explicit", G_next, measured(INNER_5.form("own")), on=(NC,)).own(),
)

LEMMAS = (EQ_25, LEM_12, FIVE, FIVE_INNER)

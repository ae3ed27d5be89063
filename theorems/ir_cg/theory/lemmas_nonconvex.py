"""Non-convex F, one sample: (25), Lemma 12, Theorem 5. L952-1061."""

from sympy import Le, Rational, Sum, symbols

from workbench.theory.lemma import (
    REAL,
    AlongTrajectory,
    Identity,
    Induction,
    Inequality,
    at_least,
    closed,
    misprint,
    nonnegative,
    opened,
    positive,
)

from . import nonconvex, theorems_5_6
from .chain import EACH_NC, NC, likely, link, measured, power_sum, program, quantities, t
from .constants import F_0, D, L_f, L_g, sup_F, varsigma
from .lemmas_descent import CURVE, NOISY
from .theorems_5_6 import OMEGA_5, OMEGA_6, P_5

alpha_t, sigma_t, F_gap, G_gap = quantities("alpha_t", "sigma_t", "F_gap", "G_gap")
F_next, G_next, calF_t = quantities("F_next", "G_next", "calF_t")
sum_sigma_calF, sum_sigma, sum_e = quantities("sum_sigma_calF", "sum_sigma", "sum_e")
a, u, x, y, M = symbols("a u x y M", positive=True)
b, b_k, d, e, g, g_next, L, S, S_low = symbols("b b_k d e g g_next L S S_low", nonnegative=True)
f, f_next, f_k, merit, part, slope, total = symbols("f f_next f_k merit part slope total", real=True)
n, i = symbols("n i", integer=True, positive=True)  # upper limit and index of a sum

EQ_25 = link(
    "eq-25",
    "One step with both merit functions",
    "Eq. (25), L968-986",
    r"$\alpha_t (\sigma_t \mathcal{F} + \mathcal{G})(x_t) \le \sigma_t (F(x_t) - F(x_{t+1})) + \mathcal{G}(x_t) "
    r"- \mathcal{G}(x_{t+1}) + 2 D \alpha_t e_t + (\sigma_t L_f + L_g) D^2 \alpha_t^2/2$.",
    ("eq-9", "asm-1(b'), non-convex F"),
    Inequality(
        "from (9) with the minimum over X_opt (L970-984)",
        x * (y * merit + g),
        y * (f - f_next) + g - g_next + e,
        {**dict.fromkeys((f, f_next, merit, slope), REAL), **positive(x, y), **nonnegative(g, g_next, e)},
        given=(
            Le(y * f_next + g_next, y * f + g + x * slope + e),
            Le(slope, -y * merit - g),
        ),
        note="x = alpha_t, y = sigma_t, merit = calF(x_t), g and g_next the inner gaps, e the terms of noise and "
        "curvature; slope: the minimum of <grad Phi_t, v - x_t> over X. It is at most its value at the v of X_opt that "
        "attains calF, where convexity of G gives <grad G, v - x_t> <= -g.",
    ).states(),
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
    r"$(t+1)^\omega \mathcal{G}(x_{t+1}) - k^\omega \mathcal{G}(x_k) \le 2 \varsigma \sup|F|\,(t+1)^{\omega-p} "
    r"+ \sigma_k F(x_k) - \sum_i \sigma_i \mathcal{F}(x_i) + \sum_i (2 D e_i + (\sigma_i L_f + L_g) "
    r"D^2/(2 (i+1)^\omega))$.",
    ("eq-25", "own-power-sum"),
    Inequality(
        "omega = 2, k = t = 1",
        2**2 * Rational(3, 4) * x - x,
        0,
        {x: opened(0, 1)},
        witness={x: Rational(1, 2)},
        note="X = [0, 1], F = 0, G = x without noise (L_g = 0), x = x_1 > 0 (alpha_0 < 1): alpha_1 = 1/4, v_1 = 0, "
        "so x_2 = 3/4 x_1, and the right side is 0. The statement says 0 < p <= omega only; it needs omega <= 1.",
    )
    .refuted("I18")
    .states(),
    Inequality(
        "(25) times (t+1)^omega (L990-991)",
        y * g_next,
        u * g + y * a * (f - f_next) - a * merit + 2 * M * e + L * M**2 / (2 * y),
        {**dict.fromkeys((f, f_next, merit), REAL), **positive(y, a, M, u), **nonnegative(g, g_next, e, L)},
        given=(
            Le((a * merit + g) / y, a * (f - f_next) + g - g_next + 2 * M * e / y + L * M**2 / (2 * y**2)),
            Le(y - 1, u),
        ),
        note="y = (t+1)^omega = 1/alpha_t, u = t^omega, y - 1 <= u for omega <= 1 (`own-power-sum`); a = sigma_t, "
        "merit = calF(x_t), M = D, e = e_t, L = sigma_t L_f + L_g. The sum over k <= i <= t telescopes.",
    )
    .repaired("I18")
    .states(),
    Inequality(
        "summation by parts, one more term",
        part - b * f + (b + d) * (f - f_next) + (b + d) * f_next,
        b_k * f_k + M * (b + d - b_k),
        {**dict.fromkeys((part, f, f_next, f_k), REAL), **positive(M), **nonnegative(b, d, b_k)},
        given=(Le(part, b_k * f_k + M * (b - b_k)), Le(f, M)),
        note="b = (i+1)^omega sigma_i at i = t, b + d the next (p <= omega), b_k the first; part: the sum of b_i "
        "(F(x_i) - F(x_(i+1))) over k <= i <= t plus b F(x_(t+1)), f = F(x_(t+1)), M = sup |F|. At t = k both sides "
        "are b_k F(x_k).",
    )
    .repaired("I18")
    .states(),
    Inequality(
        "summation by parts, the end",
        part - b * f,
        2 * M * b + a * f_k,
        {**dict.fromkeys((part, f, f_k), REAL), **positive(M, a), **nonnegative(b, b_k)},
        given=(Le(part, b_k * f_k + M * (b - b_k)), Le(-M, f), Le(f_k, M), Le(-M, f_k), Le(a, b_k)),
        note="a = sigma_k <= b_k, b = varsigma (t+1)^(omega-p)",
    )
    .repaired("I18")
    .states(),
    *(
        Inequality(f"(t+1)^omega - 1 <= t^omega, omega = {w}", (x + 1) ** w, x**w + 1, positive(x))
        for w in (OMEGA_5, OMEGA_6)
    ),
    *misprint(
        "I7",
        Identity(
            "boundary term of L1001, k = t = 0",
            a * (f - f_next),
            a * f + a * f - a * f_next,
            note="a = sigma_0 = (k+1)^omega sigma_k.",
        ),
        "the right boundary term, k = t = 0",
        rhs=a * f - a * f_next,
    ),
    Identity(
        "the right boundary term",
        y * (f - f_next),
        (y - b) * f + b * f - y * f_next,
        note="k = t: y = (k+1)^omega sigma_k, b = k^omega sigma_(k-1).",
    ).repaired("I7"),
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
    ("lem-12", "ref-4", "own-storm-omega", "own-power-sum"),
    power_sum(omega / 2).states(),
    power_sum(omega).states(),
    Induction(
        "sum of sigma_i from below (L1049)",
        Sum(-(i ** (-p)), (i, 1, n)),
        (1 - (n + 1) ** (1 - p)) / (1 - p),
        n,
        1,
        note="n = t + 1, p = 2/7, both sides times -1",
        budget=20,
    ).states(),
    Inequality(
        "its second step (L1049)",
        x ** (1 - p) / 2,
        (x + 1) ** (1 - p) - 1,
        {x: at_least(1)},
        note="x = t + 1, p = 2/7",
    ).states(),
    Inequality(
        "calG >= 0 (L1044)",
        total,
        b,
        {total: REAL, **positive(x), **nonnegative(g, b)},
        given=(Le(x * g + total, b),),
        note="x = (t+1)^omega, g = calG(x_(t+1)), total as below: (26) times (t+1)^omega.",
    ).states(),
    Inequality(
        "division by the sum of sigma_i (L1053)",
        total * S_low,
        b * S,
        {total: REAL, **nonnegative(S, S_low, b)},
        given=(Le(total, b), Le(S_low, S)),
        note="total: the sum of sigma_i calF(x_i) <= b, the right-hand side of L1044-1045, nonnegative since sup |F| "
        "(t+1)^(omega-p) >= -F(x_0); S the sum of sigma_i >= S_low = varsigma (t+1)^(1-p)/(2 (1-p)). With the quoted "
        "bound of L1020 on the errors.",
    ).states(),
    program(nonconvex.exponents_one_sample, Rational(-1, 7)).states(),
    likely(
        "along runs, explicit",
        sum_sigma_calF / sum_sigma,
        measured(OUTER_5.form("own"), at=t - 1),
        on=(NC,),
        note="the recorded sums run over i < t. Slack 7e2 on these runs: no power.",
    ).own(),
)

FIVE_INNER = link(
    "thm-5-inner",
    "Theorem 5, inner level",
    "Theorem 5, L1011-1061",
    "The inner bound of Theorem 5.",
    ("lem-12", "ref-4", "own-storm-omega", "own-contraction"),
    *misprint(
        "I8",
        Inequality(
            "(26) without its parentheses",
            0,
            2 * y - 1,
            {y: closed(Rational(1, 100), 1)},
            witness={y: Rational(1, 4)},
            note="F = -1, G = 0, varsigma = 1, no curvature and no noise: y = (t+1)^-p; the left side is calG = 0. A "
            "line of the proof (L1031); the theorem is stated with O.",
        ),
        "with them",
        rhs=2 * y - u,
        box={y: opened(0, 1), u: opened(0, 1)},
        given=(Le(u, y),),
        note="u = (t+1)^-omega <= y.",
    ),
    Inequality(
        "from Lemma 12 (L1031-1040), with the right parentheses and sup |calF|",
        x * g,
        2 * M * b + f + L * d + e,
        {total: REAL, f: REAL, **positive(x, M), **nonnegative(g, b, L, d, e)},
        given=(Le(x * g, 2 * M * b + f - total + e), Le(-total, L * d)),
        note="x = t^omega, g = calG(x_t), M = sup |F|, b = varsigma t^(omega-p), f = varsigma F(x_0), total the sum of "
        "sigma_i calF(x_i), L = sup |calF|, d = varsigma t^(1-p)/(1-p), e the terms of noise and curvature.",
    ).states(),
    program(nonconvex.exponents_one_sample, Rational(-1, 7)).states(),
    likely(
        "along runs, explicit",
        G_next,
        measured(INNER_5.form("own")),
        on=(NC,),
        note="Slack 1e3 on these runs: no power.",
    ).own(),
)

LEMMAS = (EQ_25, LEM_12, FIVE, FIVE_INNER)

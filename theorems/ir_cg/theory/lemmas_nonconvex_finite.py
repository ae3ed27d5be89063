"""Non-convex F, finite sums: Lemmas 13-15, Proposition 4, Theorem 6. L1063-1264."""

from sympy import Le, Max, Rational, Sum, Symbol, binomial, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    Identity,
    Induction,
    Inequality,
    at_least,
    integers,
    nonnegative,
    opened,
    positive,
)
from workbench.theory.vocabulary import delta

from . import nonconvex, theorems_5_6
from .chain import DELTA, NC_FS, after_q, later, likely, link, measured, power_sum, program, quantities, t
from .constants import D, L_f, L_g, q, varsigma
from .lemmas_spider import spider
from .theorems_5_6 import OMEGA_6, P_6

G_next, err_g, early, shape_17, shape_29 = quantities("G_next", "err_g", "early", "shape_17", "shape_29")
sum_beta_calF, sum_beta, sum_e_late = quantities("sum_beta_calF", "sum_beta", "sum_e_late")
a, u, x, y = symbols("a u x y", positive=True)
n, i = symbols("n i", integer=True, positive=True)  # upper limit and index of a sum
j = Symbol("j", integer=True, nonnegative=True)  # index of a sum that starts at 0
A, M, S, S_low, V, W, b, e, ell, g, g_0, g_next, h, k, r, s, v = symbols(
    "A M S S_low V W b e ell g g_0 g_next h k r s v", nonnegative=True
)
Q, f, f_next, f_v, m, merit, total, u_log = symbols("Q f f_next f_v m merit total u_log", real=True)

LEM_13 = link(
    "lem-13",
    "Concentration of SPIDER, general steps",
    "Lemma 13, (28), (29), L1076-1124",
    r"With probability $1 - \delta$ both errors at $t$ are at most $8 L D \sqrt{\alpha^2 q/S} \sqrt{\log(8/\delta)}$ "
    r"for $t < q$, and $8 L D \sqrt{(s_t^{1-2w} - t^{1-2w})/(S (2w - 1))} \sqrt{\log(8/\delta)}$ for $t > q$.",
    ("lem-7", "ref-41"),
    Inequality(
        "(28) from the tail bound",
        4 * V * ell,
        64 * a**2 * x / y * ell,
        {**positive(a, x, y), **nonnegative(ell, V, k)},
        given=(4 * a**2 * k / y >= V, k <= x),
        note="In units of L^2 D^2, as in Lemma 7: x = q, y = S, a = alpha; a 4 in place of the 8 would do.",
    ).states(),
    Inequality(
        "one term of L1102, omega = 3/4",
        (x + 1) ** Rational(-3, 2),
        2 * (x ** Rational(-1, 2) - (x + 1) ** Rational(-1, 2)),
        positive(x),
        note="the sum over s_t < s <= t of s^(-2 omega) is at most the integral",
    )
    .repaired("I13")
    .states(),
    Inequality(
        "(29) from the tail bound",
        4 * V * ell,
        64 * x * ell,
        {**positive(x), **nonnegative(ell, V, v)},
        given=(4 * v >= V, v <= 4 * x),
        note="x = (s_t^(1-2w) - t^(1-2w))/(S (2w-1)), v the sum of alpha_(s-1)^2/S. v <= x where alpha_q = (q+1)^-w, "
        "and v <= 4 x with alpha_q^2 <= 4 (q+1)^-2w, shown below for omega = 3/4.",
    )
    .repaired("I9")
    .states(),
    Inequality(
        "alpha_(s-1)^2 with the 4 of L1102",
        4 * x ** Rational(-3, 2),
        (x ** Rational(-3, 4)) ** 2,
        {x: at_least(1)},
        witness={x: 1},
        note="omega = 3/4; the display claims equality.",
    ).refuted("I13"),
    Inequality(
        "(29) for alpha = 1 at t = q + 1, q = S = 400, omega = 9/10",
        Rational(1, 200) * x,
        8 * sqrt((400 ** Rational(-4, 5) - 401 ** Rational(-4, 5)) / 320) * sqrt(log(160)) * x,
        positive(x),
        witness={x: 1},
        note="in units of L D, delta = 1/20: components L x^2/2 and -L x^2/2 of one level, a strong mu x^2/2 at the "
        "other, X = [-D/2, D/2]; the iterate jumps across X at every step up to q, and the error at q + 1 is L D "
        "times the mean of 400 signs, at least 1/200 in absolute value unless the signs balance.",
    )
    .refuted("I9")
    .states(),
    Inequality(
        "probability that 400 signs balance",
        binomial(400, 200) * x,
        2**400 * Rational(1, 20) * x,
        positive(x),
        note="so the preceding line fails with probability above 19/20 > delta.",
    ).own("I9"),
    Inequality(
        "(29) with alpha = log(q+1)/(q+1), omega = 3/4",
        2 * log(x),
        x,
        {x: at_least(1)},
        note="log(q+1) <= 2 (q+1)^(1/4) with x = (q+1)^(1/4): the slack of the tail bound covers alpha_q.",
    )
    .repaired("I9")
    .states(),
    likely(
        "first phase",
        early * err_g,
        early * spider(shape_17),
        uniform=False,
        on=(NC_FS,),
        note="Slack 1.6e2 on these runs: no power.",
    ),
    likely(
        "later, alpha as in Theorem 6",
        (1 - early) * err_g,
        (1 - early) * spider(shape_29),
        uniform=False,
        on=(NC_FS,),
        note="Slack 1.5e2 on these runs: no power.",
    ).repaired("I9"),
)

SIGMA_6 = varsigma * (q + 2) ** (-P_6)
SMOOTH_6 = SIGMA_6 * L_f + L_g
ALPHA_6 = log(q + 1) / (q + 1)
POWER = Max(t - 1 - q, 0) ** (1 - OMEGA_6)
PROP_4 = link(
    "prop-4",
    "Sum of the errors after q",
    "Proposition 4, (30), L1162-1187",
    r"With probability $1 - \delta$, for all $t > q$, $\sum_{q < i \le t} e_i$ is at most $8 (\sigma_0 L_f + L_g) D "
    r"(t - q)^{1 - \omega}/(1 - \omega) \cdot \sqrt{\log(8 (t+2)^2/\delta)}$.",
    ("lem-13", "own-power-sum"),
    Inequality(
        "one error (L1176-1180)",
        u * k,
        x * v,
        {**positive(u, x), **nonnegative(k, v)},
        given=(u <= v, k <= x),
        note="u = c_i^(-2w) <= v = (i-q)^(-2w), k = i - s_i <= x = q = S: (29) gives e_i <= 8 (...) D (i-q)^-w. The "
        "sum over i is `own-power-sum`. Here alpha_q = (q+1)^-w, unlike in Lemma 13, so that (29) holds.",
    ).states(),
    power_sum(OMEGA_6),
    Inequality(
        "log(q+1)^2 <= q",
        log(1 + y**2),
        y,
        {y: POSITIVE},
        note="y^2 = q: alpha_q^2 = log(q+1)^2/(q+1)^2 <= q (q+1)^-2.",
    ).own(),
    Inequality(
        "4 for the 8, first period, alpha_q as in Theorem 6",
        V + (k - 1) * u,
        2 * x * v,
        {x: at_least(1), k: at_least(1), **nonnegative(V, v, h), u: POSITIVE},
        given=(x * h >= V, h <= v, u <= v, k <= x),
        note="x = q, k = i - q < q, V = alpha_q^2, h = (q+1)^-2, u = (q+1)^-2w bounds the later increments, v = "
        "k^-2w. So the variance proxy is at most 2 q (i-q)^-2w, and Pinelis' inequality gives e_i <= 2 sqrt(2) "
        "sqrt(2) (...) D (i-q)^-w, for every omega in (1/2, 1]. In later periods the factor 2 is not needed.",
    ).own(),
    after_q(
        "along runs, 4 for the 8",
        sum_e_late,
        4 * D * SMOOTH_6 * POWER / (1 - OMEGA_6) * sqrt(log(8 * (t + 1) ** 2 / DELTA)),
        NC_FS,
        note="Lemma 15 uses 4 without saying so. Slack 9e3 on these runs: no power.",
    ).own(),
)

LEM_14 = link(
    "lem-14",
    "The first q + 1 steps",
    "Lemma 14, L1128-1158",
    r"$\mathcal{G}(x_t) \le (1-\alpha)^t \mathcal{G}(x_0) + 2 \sigma_0 \sup|F| - \sigma_0 \alpha \sum_i "
    r"(1-\alpha)^{t-i} \mathcal{F}(x_i) + (\sigma_0 L_f + L_g) D^2 \alpha/2 \cdot (1 + 16 "
    r"\sqrt{\log(8 (t+2)^2/\delta)})$, $t \le q + 1$ (its proof has $t-1-i$).",
    ("eq-25", "lem-13", "ref-41"),
    Inequality(
        "one step (L1138-1139)",
        g_next,
        (1 - a) * g + s * (f - a * merit - f_next) + e,
        {a: opened(0, 1), **dict.fromkeys((f, f_next, merit), REAL), **nonnegative(g, g_next, s, e)},
        given=(a * (s * merit + g) <= s * (f - f_next) + g - g_next + e,),
    ),
    Inequality(
        "the terms with F (L1153-1156)",
        (1 - a) * Q + a * f,
        M,
        {a: opened(0, 1), **dict.fromkeys((Q, f), REAL), **nonnegative(M)},
        given=(Q <= M, f <= M),
        note="Q: the weighted sum of F(x_i) - F(x_(i+1)) plus F(x_(t+1)), at first F(x_0); M = sup |F|. So the sum "
        "is at most M - F(x_(t+1)) <= 2 M.",
    )
    .repaired("I12")
    .states(),
    Inequality(
        "noise and curvature (L1144-1151)",
        (1 - a) * W + 2 * x * a * b + A * x**2 * a**2 / 2,
        A * x**2 * a / 2 * (1 + 16 * ell),
        {a: opened(0, 1), **positive(x), **nonnegative(W, A, ell, b)},
        given=(A * x**2 * a / 2 * (1 + 16 * ell) >= W, b <= 4 * A * x * a * ell),
        note="W: what has accumulated, at first 0; x = D, b = e_i <= 4 A D alpha ell, (28) with the 4 that its proof "
        "gives.",
    )
    .repaired("I12")
    .states(),
    Inequality(
        "weights as printed, t = 1",
        a,
        a * (1 - a),
        {a: opened(0, 1)},
        witness={a: Rational(1, 2)},
        note="The coefficient of -sigma_0 calF(x_0) that the proof gives against the printed one. The statement is not "
        "refuted by this, see the next lines.",
    ).refuted("I12"),
    Identity("weights as proved, t = 2", (1 - a) * a + a, a * (1 - a) + a).repaired("I12").arithmetic(),
    Inequality(
        "the printed weights: the terms with F and calF",
        (1 - a) * Q + a * f + a**2 * m,
        M + a * h,
        {a: opened(0, 1), **dict.fromkeys((Q, f, f_v, m), REAL), **nonnegative(M, h)},
        given=(M + a * h >= Q, f <= M, f_v <= M, m <= f_v - f + h),
        note="The printed sum has alpha^2 sum (1-alpha)^(t-1-i) calF(x_i) more. m = -calF(x_i) <= F(v) - F(x_i) + h "
        "for v in X_opt, h = L_f D^2/2 by smoothness; Q as above with these terms, at first F(x_0) <= M.",
    ).states(),
    Inequality(
        "the printed weights: noise and curvature",
        2 + 8 * sqrt(2) * ell,
        1 + 16 * ell,
        {ell: NONNEGATIVE},
        given=(ell >= 2,),
        note="in units of A D^2 alpha/2: h is at most one unit; Pinelis' inequality bounds e_i by 2 sqrt(2) A D "
        "alpha ell; ell >= sqrt(log 72) > 2. So the lemma holds with the printed weights.",
    ).states(),
    Inequality("log 72 > 4", 4 * x, log(72) * x, positive(x)).arithmetic(),
    Induction(
        "geometric series",
        Sum((1 - u) ** j, (j, 0, n)),
        1 / u - (1 - u) ** (n + 1) / u,
        n,
        1,
        {u: opened(0, 1)},
    ),
    likely(
        "along runs, t <= q + 1",
        (1 - later) * (G_next + (1 - ALPHA_6) ** (t - 1 - q) * (q + 1) ** (-OMEGA_6) * sum_beta_calF),
        (1 - later) * nonconvex.lemma_14(t, P_6).xreplace({delta: DELTA}),
        on=(NC_FS,),
        note="sum_beta_calF runs over i < t; the factors turn the weights beta_i into those of the lemma at t. "
        "Slack 3e3 on these runs: no power.",
    ).repaired("I12"),
)

OUTER_6, INNER_6 = theorems_5_6.THEOREM_6["outer"], theorems_5_6.THEOREM_6["inner"]

LEM_15 = link(
    "lem-15",
    "All steps",
    "Lemma 15, L1191-1219",
    r"$t^\omega \mathcal{G}(x_t) + \sum_{i < t} \beta_i \mathcal{F}(x_i)$ is at most the numerator of the outer bound "
    "of Theorem 6 at $t - 1$, for $t > q + 1$.",
    ("lem-12", "lem-14", "prop-4"),
    Inequality(
        "(1 - alpha)^(q+1) <= 1/(q+1) (L1208)",
        log(1 - a) + a,
        0,
        {a: opened(0, 1)},
        note="alpha = log(q+1)/(q+1), the logarithm times q + 1",
    ),
    Inequality(
        "Lemma 12 from q + 1, Lemma 14 at q + 1, and Proposition 4",
        x * g + y * s * m + total,
        y * g_0 * v + (2 * y * s + b) * M + y * A * u**2 * a / 2 * (1 + 16 * ell) + 8 * S * u**2 * h * k + e,
        {
            **positive(x, y, u, a),
            **dict.fromkeys((f, m, total), REAL),
            **nonnegative(g, g_0, g_next, r, s, v, b, e, h, k, ell, A, M, S, W),
        },
        given=(
            x * g <= y * g_next + b * f - total + 2 * u * W + e,
            g_next <= r * g_0 + 2 * s * M - s * m + A * u**2 * a / 2 * (1 + 16 * ell),
            r <= v,
            f <= M,
            4 * S * u * h * k >= W,
        ),
        note="x = t^omega, y = (q+1)^omega, g = calG(x_t), g_next = calG(x_(q+1)), g_0 = calG(x_0), s = sigma_0, b = "
        "sigma_(q+1), m and total the early and late sums of calF, u = D, r = (1-alpha)^(q+1) <= v = 1/(q+1), W the "
        "sum of the late errors, with the 4 of `prop-4`, S = varsigma L_f + L_g, h = (t-1-q)^(1-omega)/(1-omega), k "
        "its square root of the logarithm, e the terms of Lemma 12 that are the same on both sides. Then sigma_0 and "
        "sigma_(q+1) are at most varsigma (q+1)^-p.",
    ).states(),
    Inequality(
        "D in place of D^2",
        8 * D**2 * u,
        8 * D * u,
        positive(D, u),
        witness={D: 2, u: 1},
        note="2 D times Proposition 4 (with its 4), against L1215.",
    ).refuted("I10"),
    Identity("D^2", 2 * D * (4 * D * u), 8 * D**2 * u).repaired("I10").arithmetic(),
)

SIX = link(
    "thm-6-outer",
    "Theorem 6, outer level",
    "Theorem 6, L1068-1264",
    "The outer bound of Theorem 6.",
    ("lem-15",),
    program(nonconvex.exponents_finite_sum, Rational(-1, 4)).states(),
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
    Inequality(
        "calG >= 0 (L1242)",
        total,
        b,
        {total: REAL, **positive(x), **nonnegative(g, b)},
        given=(x * g + total <= b,),
        note="Lemma 15 at t + 1: x = (t+1)^omega, g = calG(x_(t+1)), total and b as below.",
    ).states(),
    Inequality(
        "division by the sum of the weights (L1254-1258)",
        total * S_low,
        b * S,
        {total: REAL, **nonnegative(S, S_low, b)},
        given=(total <= b, S_low <= S),
        note="total: the sum of beta_i calF(x_i) <= b, the right-hand side of Lemma 15, S the sum of beta_i, S_low a "
        "right lower bound of it.",
    ).states(),
    Inequality(
        "the printed sum of the weights at t = q",
        0,
        (x + 2) ** Rational(1, 4) / 3 + 2 * (sqrt(x) - sqrt(x + 1)),
        {x: at_least(1)},
        witness={x: 1},
        note="x = q: a + b t^(1-p) of L1250 over varsigma, by which L1254 divides. Negative for q <= 3.",
    ).refuted("I19"),
    Inequality(
        "t = q: Lemma 14 at q + 1",
        y * s * m,
        y * g_0 * v + 2 * y * b * M + y * e,
        {**positive(y), m: REAL, **nonnegative(g_next, r, g_0, s, M, e, v, b)},
        given=(g_next <= r * g_0 + 2 * s * M - s * m + e, r <= v, s <= b),
        note="As in `lem-15`: y = (q+1)^omega, y s m the sum of beta_i calF(x_i) over i <= q, g_next = calG(x_(q+1)) "
        ">= 0, s = sigma_0 <= b = varsigma (q+1)^-p, r = (1-alpha)^(q+1) <= v = 1/(q+1), e the terms with L_f and L_g. "
        "What the bound has besides is not negative, and the sum of beta_i is the first term of the repaired one.",
    )
    .repaired("I19")
    .states(),
    after_q(
        "along runs",
        sum_beta_calF / sum_beta,
        measured(OUTER_6.form("repaired"), at=t - 1),
        NC_FS,
        note="the recorded sums run over i < t. Slack 6e4 on these runs: no power.",
    ).repaired("I10"),
)

SIX_INNER = link(
    "thm-6-inner",
    "Theorem 6, inner level",
    "Theorem 6, L1068-1264",
    "The inner bound of Theorem 6.",
    ("lem-15",),
    Identity(
        "the early weights (L1228-1229)",
        (1 - a) * Sum(a**j, (j, 0, n)),
        1 - a ** (n + 1),
        n=n,
        note="n = q, a stands for 1 - alpha; the weights of x_0, ..., x_q.",
    ),
    Inequality(
        "one late weight (L1230)",
        1 / sqrt(x + 1),
        2 * (sqrt(x + 1) - sqrt(x)),
        positive(x),
        note="sigma_i/varsigma = (i+1)^(-1/2), x = i: the sum over q < i < t is at most 2 (sqrt(t) - sqrt(q+1)).",
    ),
    Inequality(
        "the bounds of the integral (L1238)",
        2 * (sqrt(y) - sqrt(x + 1)),
        2 * (sqrt(y + 1) - sqrt(x)),
        positive(x, y),
        note="y = t, x = q: what L1238 prints is larger than what L1231 gives.",
    ),
    Inequality(
        "the terms with calF (L1227-1231)",
        -(y * s * m + total),
        M * (y * s * r + W),
        {**positive(y), **dict.fromkeys((m, total), REAL), **nonnegative(s, M, r, W)},
        given=(-m <= M * r, -total <= M * W),
        note="M = sup |calF|, r the sum of the early weights of m, W that of the late ones of total, y = "
        "(q+1)^omega, s = sigma_0.",
    ).states(),
    Inequality(
        "the sum of the weights (L1229-1231)",
        y * s * (1 - r) + W,
        y * b + v,
        {**positive(y), **nonnegative(s, b, W, v), r: UNIT},
        given=(s <= b, v >= W),
        note="s = varsigma (q+2)^-p <= b = varsigma (q+1)^-p, r = (1-alpha)^(q+1), W the late weights <= v = "
        "varsigma (t^(1-p) - (q+1)^(1-p))/(1-p).",
    ).states(),
    Inequality(
        "Lemma 15 divided by t^omega (L1235-1238)",
        x * g,
        b + M * k,
        {**positive(x), total: REAL, **nonnegative(g, b, M, k)},
        given=(x * g + total <= b, -total <= M * k),
        note="x = t^omega, total the sum of beta_i calF(x_i), b the right-hand side of Lemma 15, k the bound of L1231.",
    ).states(),
    program(nonconvex.exponents_finite_sum, Rational(-1, 4)).states(),
    Inequality(
        "t = q, q + 1: Lemma 14",
        x * g,
        y * g_0 * v + 2 * y * b * M + y * b * A + y * e,
        {**positive(x, y), m: REAL, **nonnegative(g, g_0, r, s, M, A, e, v, b)},
        given=(g <= r * g_0 + 2 * s * M - s * m + e, -m <= A, s <= b, x <= y, x * r <= y * v),
        note="x = t^omega, g = calG(x_t), r = (1-alpha)^t, m the weighted sum of calF(x_i) over i < t, whose weights "
        "add up to at most 1, A = sup |calF|; y, s, b, v, M, e as in `lem-15`. At t = q + 1 the last condition is r <= "
        "v, at t = q it is shown below. What the bound has besides is not negative.",
    )
    .repaired("I19")
    .states(),
    Inequality("log(1 - alpha)", log(1 - a) + a + a**2 / 2, 0, {a: opened(0, 1)}).repaired("I19"),
    Inequality(
        "(1 - alpha)^q q^omega <= (q+1)^(omega-1), q >= 2",
        (x - 1) * u_log + ell,
        Rational(3, 4) * h,
        {x: at_least(3), u_log: REAL, **nonnegative(ell, h)},
        given=(u_log <= -ell / x - ell**2 / (2 * x**2), h >= 1 / x),
        note="omega = 3/4, in logarithms: x = q + 1, ell = log x, u_log = log(1 - alpha) with alpha = ell/x, by the "
        "preceding line, h = log(x/(x - 1)) >= 1/x as in the first line of `lem-15`.",
    ).repaired("I19"),
    Inequality(
        "the same for q = 1",
        (2 - log(2)) * x,
        2 ** Rational(3, 4) * x,
        positive(x),
        note="alpha = log(2)/2, both sides times 2.",
    ).repaired("I19"),
    after_q(
        "along runs",
        G_next,
        measured(INNER_6.form()),
        NC_FS,
        note="Slack 2e6 on these runs: no power.",
    ),
)

LEMMAS = (LEM_13, PROP_4, LEM_14, LEM_15, SIX, SIX_INNER)

"""One step and its sums: (9), Lemmas 1 and 2, the averages, Proposition 1. L345-434, L526-532."""

from sympy import Expr, IndexedBase, Le, Rational, S, Sum, Symbol, symbols

from workbench.theory.lemma import (
    REAL,
    UNIT,
    AlongTrajectory,
    Identity,
    Inequality,
    at_least,
    nonnegative,
    positive,
)

from .chain import CONVEX, FINITE_SUM, ONE_SAMPLE, SET, SMOOTH, from_q, link, quantities, t
from .constants import D, L_f, L_g, q, varsigma

BOTH = (*ONE_SAMPLE, *FINITE_SUM)
alpha_t, sigma_t, e_t, F_gap, G_gap = quantities("alpha_t", "sigma_t", "e_t", "F_gap", "G_gap")
F_next, G_next, Fz_gap, slope_opt, moved = quantities("F_next", "G_next", "Fz_gap", "slope_opt", "moved")
S_t, sum_isigma, sum_drop, sum_drop_F, sum_ie = quantities(
    "S_t", "sum_isigma", "sum_drop", "sum_drop_F", "sum_ie"
)
h_next, h_first, sigma_next = quantities("h_next", "h_first", "sigma_next")
a, b, g, h, u, w, err, gap, rest, size = symbols("a b g h u w err gap rest size", real=True)
step, slope, drop, F_i, sum_F = symbols("step slope drop F_i sum_F", real=True)
n, p, s = symbols("n p s", positive=True)  # n: the t of the text
L, L_0, weights, more = symbols("L L_0 weights more", nonnegative=True)
Delta_F = Symbol("Delta_F", nonnegative=True)
N, i = symbols("N i", integer=True, positive=True)  # upper limit and index of a sum
SIGMA = IndexedBase("sigma")

CURVE = (L_f * sigma_t + L_g) * D**2 * alpha_t**2 / 2
NOISY = 2 * D * alpha_t * e_t
PHI, PHI_NEXT = sigma_t * F_gap + G_gap, sigma_t * F_next + G_next

EQ_9 = link(
    "eq-9",
    "One step against any point of X",
    "Eq. (9), L356-371",
    r"$\Phi_t(x_{t+1}) \le \Phi_t(x_t) + \alpha_t \langle \nabla\Phi_t(x_t), w - x_t \rangle + 2 D \alpha_t e_t "
    r"+ (\sigma_t L_f + L_g) D^2 \alpha_t^2/2$ for every $w \in X$, without convexity.",
    (SET, *SMOOTH),
    Identity(
        "split of the inner product",
        g * (a - b),
        (g - err) * (a - b) + err * (a - b),
        note="per coordinate, with err the estimate, a = v_t, b = x_t; the same once more for w.",
    ),
    Inequality(
        "two errors of size at most D e_t",
        u + w,
        2 * D * size,
        {u: REAL, w: REAL, **positive(D), **nonnegative(size)},
        given=(Le(u, D * size), Le(w, D * size)),
        note="Cauchy-Schwarz for v_t - x_t and w - x_t, both of length at most D.",
    ),
    Inequality(
        "smoothness on a set of diameter D",
        L * a**2 * size / 2,
        L * D**2 * a**2 / 2,
        {a: UNIT, **positive(D), **nonnegative(size, L)},
        given=(Le(size, D**2),),
        note="size = |v_t - x_t|^2.",
    ),
    Inequality(
        "one step, from smoothness and the choice of v_t",
        a * step + L * a**2 * size / 2,
        a * slope + 2 * D * a * err + L * D**2 * a**2 / 2,
        {step: REAL, slope: REAL, u: REAL, w: REAL, a: UNIT, **positive(D), **nonnegative(size, L, err)},
        given=(Le(step - u, slope + w), Le(u, D * err), Le(w, D * err), Le(size, D**2)),
        note="Exact reduction to scalars: step = <grad Phi_t, v_t - x_t>, slope the same for w, err = e_t, u and w the "
        "products of the error with v_t - x_t and x_t - w. Hypotheses: L-smoothness bounds the left side from below, "
        "v_t minimizes the estimate, Cauchy-Schwarz, and the diameter.",
    ).states(),
    AlongTrajectory("along runs, w = x_opt", PHI_NEXT - PHI, alpha_t * slope_opt + NOISY + CURVE, on=BOTH),
    AlongTrajectory("length of a step", moved, alpha_t * D, on=BOTH),
)

LEM_1 = link(
    "lem-1",
    "Descent of Phi_t",
    "Lemma 1, L345-379",
    r"$\Phi_t(x_{t+1}) - \Phi_t(x_{\mathrm{opt}}) \le (1 - \alpha_t)(\Phi_t(x_t) - \Phi_t(x_{\mathrm{opt}})) "
    r"+ (L_f \sigma_t + L_g) D^2 \alpha_t^2/2 + 2 \alpha_t D e_t$.",
    ("eq-9", CONVEX),
    Inequality(
        "(9) at w = x_opt with convexity",
        gap + a * slope,
        (1 - a) * gap,
        {gap: REAL, slope: REAL, a: UNIT},
        given=(Le(slope, -gap),),
        note="gap = Phi_t(x_t) - Phi_t(x_opt), slope = <grad Phi_t, x_opt - x_t>; the terms of curvature and noise are "
        "those of (9). This is the whole step from (9) to the lemma.",
    ).states(),
    Identity("the step of the proof", gap + a * (-gap), (1 - a) * gap).repaired("I17").arithmetic(),
    Inequality(
        "the same line with the sign of L377",
        gap + a * (-gap),
        (1 - a) * (-gap),
        {gap: REAL, a: UNIT},
        witness={gap: 1, a: Rational(1, 2)},
    ).refuted("I17"),
    AlongTrajectory("along runs", PHI_NEXT, (1 - alpha_t) * PHI + CURVE + NOISY, on=BOTH),
)

SIGMA_0 = varsigma * (q + 1) ** (-p)  # of Algorithm 2
HEAD = h_first + 2 * (SIGMA_0 * L_f + L_g) * D**2 * (t - q) + 4 * D * sum_ie  # right-hand side of (10), k = q
HEAD_1 = 2 * (varsigma * L_f + L_g) * D**2 * t + 4 * D * sum_ie  # k = 0
AVERAGED = t * (t + 1) * sigma_next * F_next + sum_drop_F


def below_head(name: str, lhs: Expr, more: Expr = S.Zero) -> tuple[AlongTrajectory, AlongTrajectory]:
    """lhs is at most the right-hand side of (10) plus `more`, along runs of both algorithms."""
    no_power = "Slack above 1e2 on these runs: no power; the line of Algorithm 2 has slack 1."
    one_sample = AlongTrajectory(f"{name} of Algorithm 1", lhs, HEAD_1 + more, on=ONE_SAMPLE, note=no_power)
    return one_sample, from_q(AlongTrajectory, f"{name} of Algorithm 2", lhs, HEAD + more)


LEM_2 = link(
    "lem-2",
    "Weighted sums, (10)",
    "Lemma 2, L381-413",
    r"With $\alpha_t = 2/(t + 2)$ for $t \ge k$: $t (t+1) h_t + \sum_{k < i \le t} (i+1) i (\sigma_{i-1} - \sigma_i) "
    r"(F(x_i) - F_{\mathrm{opt}}) \le (k+1) k h_k + 2 (\sigma_0 L_f + L_g) D^2 (t - k) + 4 D \sum_i i e_{i-1}$.",
    ("lem-1",),
    Identity(
        "the weight of a step",
        n * (n + 1) * (1 - 2 / (n + 1)),
        n * (n - 1),
        note="n = t, alpha_(t-1) = 2/(t+1)",
    ),
    Identity("weight of the error", n * (n + 1) * 2 * D * 2 / (n + 1) * u, 4 * n * D * u).arithmetic(),
    Identity(
        "a change of sigma",
        s * F_i + g,
        (s - drop) * F_i + g + drop * F_i,
        note="s = sigma_t, s - drop = sigma_(t+1), F_i and g the gaps at x_(t+1).",
    ),
    Inequality(
        "one summand of (10)",
        n * (n + 1) * (h + drop * F_i),
        n * (n - 1) * g + 2 * L_0 * D**2 + 4 * n * D * err,
        {n: at_least(1), **dict.fromkeys((h, drop, F_i, g), REAL), **positive(D), **nonnegative(L, L_0, err)},
        given=(
            Le(
                h + drop * F_i,
                (1 - 2 / (n + 1)) * g + L * D**2 * (2 / (n + 1)) ** 2 / 2 + 4 / (n + 1) * D * err,
            ),
            Le(L, L_0),
        ),
        note="n = t, g = h_(t-1), h = h_t, drop = sigma_(t-1) - sigma_t, F_i = F(x_t) - F_opt; the first condition is "
        "Lemma 1 at t - 1. At t = k both sides of (10) are equal, and each further t adds the terms of this "
        "inequality: the induction is complete.",
    ).states(),
    Inequality("weight of the curvature", n * (n + 1) * (2 / (n + 1)) ** 2 / 2, 2, {n: at_least(1)}),
    *below_head("along runs", t * (t + 1) * h_next + sum_drop_F),
)

EQ_S = link(
    "eq-S",
    "Weights of the average",
    "L526-532, L828-832",
    r"$S_t = t (t+1) \sigma_t + \sum_i (i+1) i (\sigma_{i-1} - \sigma_i) = 2 \sum_i i \sigma_{i-1} "
    r"\ge t (t+1) \sigma_t$, and $z_t$ is a convex combination of $x_1, \ldots, x_t$ (for Algorithm 2: "
    r"$x_q, \ldots, x_t$).",
    ("asm-Condition 1",),
    Identity(
        "the two forms of S_t",
        N * (N + 1) * SIGMA[N] + Sum(i * (i + 1) * (SIGMA[i - 1] - SIGMA[i]), (i, 1, N)),
        2 * Sum(i * SIGMA[i - 1], (i, 1, N)),
        n=N,
        note="k = 0; for k = q the sums start at q + 1 and (q + 1) q sigma_q is added, with the same step.",
    ).states(),
    Inequality(
        "the lower bound of S_t",
        n * (n + 1) * s,
        n * (n + 1) * s + weights,
        {**positive(n, s), **nonnegative(weights)},
        note="weights: the sum of (i+1) i (sigma_(i-1) - sigma_i), nonnegative by Condition 1. The coefficients of z_t "
        "are these terms over their sum S_t: nonnegative with sum 1, so that z_t is a convex combination.",
    ).states(),
    AlongTrajectory("along runs of Algorithm 1", S_t, 2 * sum_isigma, on=ONE_SAMPLE, relation="="),
    AlongTrajectory("the sum of drops", S_t, t * (t + 1) * sigma_next + sum_drop, on=BOTH, relation="="),
    AlongTrajectory("lower bound", t * (t + 1) * sigma_next, S_t, on=BOTH),
    from_q(AlongTrajectory, "Jensen for F", S_t * Fz_gap, AVERAGED),
    AlongTrajectory("Jensen for F, Algorithm 1", S_t * Fz_gap, AVERAGED, on=ONE_SAMPLE),
)

PROP_1 = link(
    "prop-1",
    "Both levels from (10)",
    "Proposition 1, L415-434",
    r"(11): $G(x_t) - G_{\mathrm{opt}} \le R_t/(t (t+1)) + \Delta_F (\sigma_t + \sum_i (i+1) i "
    r"(\sigma_{i-1} - \sigma_i)/(t (t+1)))$, $R_t$ the right-hand side of (10). (12): (10) with "
    r"$\sigma_t (F(x_t) - F_{\mathrm{opt}})$ in place of $h_t$.",
    ("lem-2",),
    Inequality(
        "drop the inner gap",
        s * gap,
        s * gap + h,
        {gap: REAL, **positive(s), **nonnegative(h)},
        note="G(x_t) >= G_opt: x_t is feasible.",
    ),
    Inequality(
        "drop the outer gap",
        h,
        rest + s * Delta_F,
        {gap: REAL, rest: REAL, **positive(s), **nonnegative(h, Delta_F)},
        given=(Le(s * gap + h, rest), Le(-Delta_F, gap)),
    ),
    Inequality(
        "(12) from (10)",
        n * (n + 1) * s * gap + sum_F,
        rest,
        {n: at_least(1), **dict.fromkeys((gap, sum_F, rest), REAL), **positive(s), **nonnegative(h)},
        given=(Le(n * (n + 1) * (s * gap + h) + sum_F, rest),),
        note="gap and h: the gaps of F and G at x_t; sum_F: the weighted sum of F(x_i) - F_opt.",
    ).states(),
    Inequality(
        "(11) from (10)",
        n * (n + 1) * h,
        rest + Delta_F * (n * (n + 1) * s + weights + more),
        {
            n: at_least(1),
            **dict.fromkeys((gap, sum_F, rest), REAL),
            **positive(s),
            **nonnegative(h, Delta_F, weights, more),
        },
        given=(
            Le(n * (n + 1) * (s * gap + h) + sum_F, rest),
            Le(-Delta_F, gap),
            Le(-Delta_F * weights, sum_F),
        ),
        note="As for (12), with F(x) - F_opt >= -Delta_F at x_t and at every x_i; `more` is what the sum over [t] "
        "has in addition to the one over [t] without [k].",
    ).states(),
    *below_head("(11) along runs", t * (t + 1) * G_next, Delta_F * (t * (t + 1) * sigma_next + sum_drop)),
    *below_head("(12) along runs", AVERAGED),
)

LEMMAS = (EQ_9, LEM_1, LEM_2, EQ_S, PROP_1)

"""Lemmas 9-11 and Theorem 2. L785-898."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sympy import E, Max, Rational, Symbol, sqrt, symbols

from workbench.theory.lemma import (
    REAL,
    Identity,
    Inequality,
    WithProbability,
    at_least,
    nonnegative,
    opened,
    positive,
)
from workbench.theory.record import Form

from . import theorem_2
from .chain import from_q, likely, link, logarithm, measured, quantities
from .common import C, C_bar, bound, ell, smooth
from .constants import D

G_next, Fz_gap, Gz_gap, sigma_next = quantities("G_next", "Fz_gap", "Gz_gap", "sigma_next")
OUTER = {f: theorem_2.OUTER.form(f) for f in ("printed", "repaired", "own")}
INNER = {f: theorem_2.INNER.form(f) for f in ("printed", "repaired", "own")}

x, y, s, Y = symbols("x y s Y", positive=True)  # x = q, y = t
u = Symbol("u", positive=True)
h_0 = Symbol("h_0", real=True)
a, b, g, m, r, w, A, R, V, V_t, C_t, M, l, lg, sum_ie, weights = symbols(
    "a b g m r w A R V V_t C_t M ell log_q sum_ie weights", nonnegative=True
)
FIRST = (x + 1) * (M + A * D**2 * (Rational(1, 2) + 16 * l) * lg)
SECOND = 2 * A * D**2 * (y - x)
THIRD = (8 * sqrt(2) * y - 4 * x) * A * D**2 * l
IN_PAIR = "x = q, y = t, A = sigma_0 L_f + L_g, ell = sqrt(log(16 t^2/delta)), log_q = log q"

LEM_9 = link(
    "lem-9",
    "Inner gap of the last iterate, finite sums",
    "Lemma 9, L794-811",
    r"With probability $1 - \delta$, for all $t \ge q$, $G(x_t) - G_{\mathrm{opt}} \le C_{\delta,q} \sigma_t$.",
    ("prop-1", "prop-3", "lem-8"),
    Inequality(
        "L808: 4 D times Proposition 3 against the printed term",
        4 * D * THIRD,
        D * THIRD,
        {x: at_least(1), y: at_least(1), **positive(D), **nonnegative(A, l)},
        given=(x <= y,),
        witness={x: 1, y: 1, D: 1, A: 1, l: 1},
        note="D times the bound of Proposition 3, as printed: a gap in the proof, not a counter-example to (24).",
    ).refuted("I4"),
    Inequality(
        "(11) with Lemma 8 and Proposition 3",
        (x + 1) * x * (w * h_0 + A * D**2 * (Rational(1, 2) + 16 * l) * lg / x) + SECOND + 4 * D * sum_ie,
        FIRST + SECOND + 4 * THIRD,
        {x: at_least(1), y: at_least(1), h_0: REAL, **positive(D), **nonnegative(A, l, M, w, lg, sum_ie)},
        given=(x <= y, h_0 <= M, w * x <= 1, sum_ie <= (8 * sqrt(2) * y - 4 * x) * A * D * l),
        note=f"{IN_PAIR}; h_0 = Phi_0(x_0) - Phi_0(x_opt), M its positive part, w = (1 - log q/q)^q <= 1/q. The left "
        "side is R_t of Proposition 1, the term with Delta_F is on both sides.",
    )
    .repaired("I4")
    .states(),
    Inequality(
        "the suprema (23)",
        C_t * s,
        (R + V) * s,
        {**positive(s), **nonnegative(C_t, a, b, R, V)},
        given=(C_t <= a + b, a <= R, b <= V),
        note="s = sigma_t, C_t the right-hand side of L807-809 over sigma_t, a and b its parts, R and V their "
        "suprema C_q and C_bar (with the 4) over t >= q.",
    )
    .repaired("I4")
    .states(),
    from_q(
        likely,
        "along runs",
        G_next,
        (measured(INNER["repaired"], C) + measured(INNER["repaired"], C_bar)) * sigma_next,
        note="With the closed bounds of Lemma 11. Slack 3e6 on these runs: no power.",
    ).repaired("I4"),
)
LEM_10 = link(
    "lem-10",
    "Both levels of the average, finite sums",
    "Lemma 10, L815-849",
    r"With probability $1 - \delta$, for all $t \ge q$: $F(z_t) - F_{\mathrm{opt}}$ is at most the outer bound of "
    r"Theorem 2, and $G(z_t) - G_{\mathrm{opt}} \le C_{\delta,q} (1 + V_q) \sigma_t$.",
    ("lem-9", "eq-S", "prop-1", "prop-3", "lem-8"),
    Inequality(
        "4 D times Proposition 3 against the printed term",
        4 * D * u,
        D * u,
        positive(D, u),
        witness={D: 1, u: 1},
        note="u = (8 sqrt(2) t - 4 q) (sigma_0 L_f + L_g) D sqrt(log), as in the printed step. This is a gap in the "
        "proof, not a counter-example to the bound.",
    ).refuted("I4"),
    Inequality(
        "(12) with Lemma 8 and Proposition 3",
        (x + 1) * x * (w * h_0 + A * D**2 * (Rational(1, 2) + 16 * l) * lg / x) + SECOND + 4 * D * sum_ie,
        FIRST + SECOND + 4 * THIRD,
        {x: at_least(1), y: at_least(1), h_0: REAL, **positive(D), **nonnegative(A, l, M, w, lg, sum_ie)},
        given=(x <= y, h_0 <= M, w * x <= 1, sum_ie <= (8 * sqrt(2) * y - 4 * x) * A * D * l),
        note=f"{IN_PAIR}; h_0, M, w as in Lemma 9.",
    )
    .repaired("I4")
    .states(),
    Inequality(
        "division by S_t",
        h_0 * r,
        b * g,
        {h_0: REAL, **nonnegative(r, b, g)},
        given=(h_0 <= b, r <= g),
        note="h_0 <= b: the preceding line; r = 1/S_t <= g = 1/(t (t+1) sigma_t). Jensen's inequality gives F(z_t) - "
        "F_opt <= h_0 r.",
    )
    .repaired("I4")
    .states(),
    Inequality(
        "inner level, from Lemma 9",
        C_t * (y * (y + 1) * s**2 + weights),
        C_t * (1 + V) * s * R,
        {y: at_least(1), **positive(s), **nonnegative(C_t, V, V_t, R, weights)},
        given=(weights <= V_t * y * (y + 1) * s**2, V_t <= V, y * (y + 1) * s <= R),
        note="As in Lemma 5: multiplied by R = S_t; V_t: the ratio in (23h).",
    )
    .repaired("I4")
    .states(),
    Identity(
        "the record's late term",
        OUTER["repaired"][bound] - OUTER["printed"][bound],
        3 * theorem_2.LATE * smooth * D**2 * ell / theorem_2.WEIGHT,
    ).repaired("I4"),
)
LEM_11 = link(
    "lem-11",
    "Closed bounds of the suprema, finite sums",
    "Lemma 11, L851-894",
    r"$C_q$ and $V_q$ as in Lemma 6; $\bar{C}_{\delta,q}$ is at most its closed form in Theorem 2.",
    ("lem-6",),
    Inequality(
        "the statement at t = q",
        (x + 1) * s * 1 / ((x + 1) * x * s),
        0,
        {x: at_least(1), **positive(s)},
        witness={x: 1, s: 1},
        note="X = [0, 1], F = x, G = 0, L_f = L_g = 0, x_0 = 1: F_opt = 0, the term t = q of (23f) is 1/q, and the "
        "printed bound is max F - F(x_0) + 0 = 0. s = sigma_q = sigma_0.",
    )
    .refuted("I5")
    .states(),
    Inequality(
        "Condition 4 for varsigma (t+1)^-p: sigma_0 = sigma_1",
        1,
        2**-u,
        {u: opened(0, 1)},
        witness={u: Rational(1, 2)},
        note="u = p, q >= 1, varsigma = 1; the statement says that this sequence satisfies Condition 4.",
    )
    .refuted("I15")
    .states(),
    Inequality(
        "Condition 4 at p = 3/4, behind q",
        x**4 * (x + 2) ** 3,
        (x + 1) ** 4 * (x + 1) ** 3,
        positive(x),
        note="x = t: fourth powers of t sigma_t < (t+1) sigma_(t+1).",
    ).repaired("I15"),
    Inequality(
        "first line of the bound",
        (x + 1) * (s * a + b) / Y,
        a / x + b / (x * s),
        {x: at_least(1), **positive(s, Y), **nonnegative(a, b)},
        given=((x + 1) * x * s <= Y,),
        note="a = max F - F_opt, b = max G - G_opt, s = sigma_0 = varsigma (q+1)^-p, Y = (t+1) t sigma_t, increasing "
        "in t.",
    )
    .repaired("I5")
    .states(),
    Inequality(
        "second line of the bound",
        (x + 1) * lg * (Rational(1, 2) + 16 * l) / (y * Y),
        Rational(3, 2) * g * (Rational(1, 2) + 16 * m),
        {x: at_least(2), y: at_least(2), r: at_least(1), **positive(Y), **nonnegative(lg, a, l, g, m)},
        given=(x <= y, lg <= a, r**2 <= Y, a <= g * r, l <= m * r),
        note="x = q, y = t, log_q = log q, a = log t, Y = (t+1)^(1-p), r = t^((1-p)/2), g = 2/(e (1-p)), m = "
        "sqrt(log(16/delta) + 2/(e (1-p))); a <= g r and l <= m r are L879 and L883, and 3/2 times 2/e is below 2. For "
        "q = 1 the left side is 0.",
        budget=20,
    )
    .repaired("I5")
    .states(),
    Inequality(
        "third line of the bound",
        4 * THIRD / (y * Y),
        32 * sqrt(2) * A * D**2 * m,
        {x: at_least(1), y: at_least(1), **positive(Y, D), **nonnegative(A, l, m)},
        given=(x <= y, l <= m * Y),
        note="Y = (t+1)^(1-p), A over varsigma, m = sqrt(log(16/delta) + 1/(e (1-p))): l <= m Y by log x <= x/e at x = "
        "t^(2 (1-p)).",
    )
    .repaired("I4")
    .states(),
    Inequality("3/2 times 2/e", 3 / E * u, 2 * u, positive(u)).arithmetic(),
    Inequality(
        "log(t)/t^((1-p)/2) (L879)",
        2 * r / u,
        2 * g / u,
        {**positive(u), **nonnegative(r, g)},
        given=(r <= g,),
        note="u = 1 - p, r = log(x)/x at x = t^(u/2), g = 1/e by log x <= x/e.",
    ),
    Inequality(
        "L883",
        r * a + 2 * w / u,
        a + 2 * g / u,
        {**positive(u), **nonnegative(r, a, g, w)},
        given=(r <= 1, w <= g),
        note="u = 1 - p, r = t^-u, a = log(16/delta), w = log(x)/x at x = t^u, g = 1/e.",
    ),
    Inequality(
        "M_0 (L871)",
        Max(s * h_0 + b, 0),
        a * R + V,
        {h_0: REAL, **positive(s), **nonnegative(a, b, R, V)},
        given=(s <= a, h_0 <= R, b <= V),
        note="s = sigma_0, a = varsigma, h_0 = F(x_0) - F_opt, b = G(x_0) - G_opt, R and V their maxima over X.",
    ),
    Inequality(
        "L875 at t = 1",
        (s * a + b) / s,
        s * a + b,
        {**positive(s), **nonnegative(a, b)},
        witness={s: Rational(1, 2), a: 1, b: 1},
        note="s = varsigma, a = max F - F_opt, b = max G - G_opt: the division by varsigma is lost.",
    ).refuted("I5"),
    Inequality(
        "L867 at t = q",
        (x + 1) ** Rational(9, 10) / x,
        1,
        {x: at_least(2)},
        witness={x: 2},
        note="p = 9/10, q = x: the factor of (max G - G_opt)/varsigma.",
    ).refuted("I5"),
    Inequality(
        "behind q the step holds, p = 9/10",
        (x + 1) / ((y + 1) ** Rational(1, 10) * y),
        y ** Rational(-1, 10),
        {x: at_least(1), y: at_least(2)},
        given=(x + 1 <= y,),
        note="x = q, y = t >= q + 1.",
    ).repaired("I5"),
    *logarithm(),
    errata=("I4", "I15"),
)


def along_runs(
    gap: Symbol, forms: Mapping[str, Form], errata: Mapping[str, str]
) -> Iterator[WithProbability]:
    """The gap is below the bound of each form from t = q on. `errata`: form -> the erratum that it resolves."""
    for form, label in errata.items():
        line = from_q(
            likely, f"along runs, {form}", gap, measured(forms[form]), note="Slack above 7e4: no power."
        )
        yield replace(line, form=form, erratum=label)


THM_2_OUTER = link(
    "thm-2-outer",
    "Theorem 2, outer level",
    "Theorem 2, L165-170, L896-898",
    "The outer bound of Theorem 2.",
    ("lem-10", "lem-11"),
    *(
        Inequality(
            f"the rate, from Lemma 10 as repaired: {name}",
            left,
            y * m * l * right,
            {x: at_least(1), y: at_least(1), l: at_least(1), m: at_least(1), **nonnegative(lg)},
            given=(x <= y, x * lg <= m * y),
            note="x = q, y = t, ell = sqrt(log(16 t^2/delta)), log_q = log q, m = max(1, q log q/t). Over t (t+1) "
            "sigma_t >= varsigma t t^(1-p) the three sum up to the rate, with the constant 2 M_0 + (35 + 32 sqrt(2)) "
            "(sigma_0 L_f + L_g) D^2 over varsigma.",
        ).states()
        for name, left, right in (
            ("start", x + 1, 2),
            ("first phase", (x + 1) * (Rational(1, 2) + 16 * l) * lg, 33),
            ("later", 2 * (y - x) + 4 * (8 * sqrt(2) * y - 4 * x) * l, 2 + 32 * sqrt(2)),
        )
    ),
    *along_runs(Fz_gap, OUTER, {"printed": "", "repaired": "I4", "own": ""}),
)
THM_2_INNER = link(
    "thm-2-inner",
    "Theorem 2, inner level",
    "Theorem 2, L165-170, L896-898",
    "The inner bound of Theorem 2.",
    ("lem-10", "lem-11"),
    Inequality(
        "the rate, from Lemmas 10 and 11 as repaired",
        (a + R * r) * (1 + V) * s,
        (a + R * u) * (1 + V) * y * s,
        {y: at_least(1), **positive(s, u), **nonnegative(a, R, r, V)},
        given=(r**2 <= (u**2 - 1) + y**2, u >= 1),
        note="As in Theorem 1: s = sigma_t <= varsigma t^-p, r^2 = 2/(e (1-p)) + log(16/delta), y = "
        "sqrt(log(16/delta)), u^2 = 1 + 2/(e (1-p)).",
    ).states(),
    *along_runs(Gz_gap, INNER, {"repaired": "I5", "own": ""}),
)

LEMMAS = (LEM_9, LEM_10, LEM_11, THM_2_OUTER, THM_2_INNER)

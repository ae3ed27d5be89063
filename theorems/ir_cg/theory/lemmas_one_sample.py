"""Lemmas 4-6 and Theorem 1. L489-608.

Checked here are the inequalities behind the closed bounds of the suprema (15);
`workbench.theorems.ir_cg.theory.suprema` encloses their values.
"""

from sympy import E, Expr, Rational, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    Identity,
    Inequality,
    Interval,
    above,
    at_least,
    closed,
    nonnegative,
    opened,
    positive,
)

from . import theorem_1
from .chain import C_STORM, ONE_SAMPLE, likely, link, logarithm, measured, quantities
from .common import C, C_bar, noise, sigma_T, smooth
from .constants import D, c

G_next, Fz_gap, Gz_gap, sigma_next = quantities("G_next", "Fz_gap", "Gz_gap", "sigma_next")
p, s, x, y = symbols("p s x y", positive=True)  # s = 1/t
a, r, u, v, C_t, V, V_t, weights = symbols("a r u v C_t V V_t weights", nonnegative=True)
Delta_F, R = symbols("Delta_F R", nonnegative=True)
ell = symbols("ell", nonnegative=True)  # the square root of the logarithm
OWN_OUTER, OWN_INNER = theorem_1.OUTER.form("own"), theorem_1.INNER.form("own")
REPAIRED_OUTER, REPAIRED_INNER = theorem_1.OUTER.form("repaired"), theorem_1.INNER.form("repaired")


def at_c(e: Expr) -> Expr:
    """The expression at the admissible value of Lemma 3's constant c."""
    return e.xreplace({c: C_STORM})


A, B = smooth, noise  # (sigma_0 L_f + L_g), (sigma_0 sigma_f + sigma_g)

DRIFT = link(
    "own-drift",
    "The ratio in (15a) decreases",
    "this project, for L489 and L572-578",
    r"The ratio in $C$ is $2 \sum_{i \le t} i^{1-p}/(t (t+1)^{1-p}) - 1$, which decreases in $t$: its supremum is "
    r"$2^p - 1$, and $C = 2^p (\Delta_F + (\varsigma L_f + L_g) D^2/\varsigma)$.",
    ("eq-S",),
    Identity(
        "i/(t+1) as a mean",
        x / (y + 1),
        (1 - x / (y + 1)) * x / (y + 2) + x / (y + 1) * (x + 1) / (y + 2),
        note="x = i, y = t; then concavity of u^(1-p).",
    ).own(),
    Identity(
        "weights collected",
        (1 - x / (y + 1)) + (x - 1) / (y + 1),
        y / (y + 1),
        note="the total weight of (i/(t+2))^(1-p), from i and i - 1, is t/(t+1), the ratio of the two prefactors.",
    ).own(),
    Inequality("value at t = 1 below the printed 2 p", 2**p - 1, 2 * p, {p: opened(0, 1)}).own(),
)

GROWTH = (1 + s) ** p - 1
KEPT = (1 - s) * (1 + s) ** (2 * p - 1)

SPREAD = link(
    "own-spread",
    "V is at most p/min(1, 2 (1 - p))",
    "this project, for L492 and L584-596",
    r"$V_t = a_t + r_t V_{t-1}$ with $a_t = (1+1/t)^p - 1$, $r_t = (1-1/t) (1+1/t)^{2p-1}$. From $a_t \le p/t$ and "
    r"$1 - r_t \ge \min(1, 2 - 2p)/t$ it follows that $V \le p/\min(1, 2 - 2p)$, half of Lemma 6; for $p \ge 1/2$ that "
    "is the limit.",
    ("asm-Condition 1", "own-bernoulli"),
    Identity(
        "one step of the ratio",
        (y + 1) * y * (y ** (-p) - (y + 1) ** (-p)) * (y + 1) ** (-p) / ((y + 1) * y * (y + 1) ** (-2 * p)),
        ((y + 1) / y) ** p - 1,
    ).own(),
    Inequality(
        "invariant",
        a + r * V,
        u,
        {r: closed(0, 1), **nonnegative(a, V, u)},
        given=(a <= (1 - r) * u, u >= V),
    ).own(),
    *(
        Inequality(f"a_t <= p/t, p = {value}", GROWTH.subs(p, value), value * s, {s: opened(0, 1)}).own()
        for value in (Rational(1, 4), Rational(1, 2), Rational(3, 4))
    ),
    Inequality(
        "1 - r_t >= 1/t, every p <= 1/2",
        (1 - s) * (1 + s) ** (2 * p - 1),
        1 - s,
        {p: Interval(0, Rational(1, 2), low_open=True), s: opened(0, 1)},
    ).own(),
    Inequality(
        "1 - r_t >= (2 - 2p)/t, every p > 1/2",
        (1 - s) * v,
        1 - (2 - 2 * p) * s,
        {p: opened(Rational(1, 2), 1), s: opened(0, 1), v: NONNEGATIVE},
        given=(v <= 1 + (2 * p - 1) * s,),
        note="v = (1 + s)^(2p-1), bounded by Bernoulli's inequality, like a_t = (1 + s)^p - 1 <= p s.",
    ).own(),
    Inequality(
        "V for every p",
        a + (1 - u) * V_t,
        V,
        {s: opened(0, 1), **nonnegative(a, V_t, V), p: opened(0, 1), u: closed(0, 1), v: closed(0, 1)},
        given=(a <= p * s, u >= v * s, V_t <= V, p <= v * V),
        note="a = a_t, 1 - u = r_t, V_t the preceding ratio, v = min(1, 2 - 2p), V = p/v: one step of the induction, "
        "with a_t <= p/t by Bernoulli's inequality and 1 - r_t >= v/t by the two preceding lines.",
    )
    .own()
    .states(),
    Inequality("1 - r_t >= 1/t, p = 1/4", s, (1 - KEPT).subs(p, Rational(1, 4)), {s: opened(0, 1)}).own(),
    Inequality(
        "1 - r_t >= (2 - 2p)/t, p = 3/4", s / 2, (1 - KEPT).subs(p, Rational(3, 4)), {s: opened(0, 1)}
    ).own(),
)

LEM_4 = link(
    "lem-4",
    "Inner gap of the last iterate",
    "Lemma 4, L494-511",
    r"With probability $1 - \delta$, $G(x_t) - G_{\mathrm{opt}} \le C_\delta \sigma_t$ for any $t \ge 0$"
    r" (I14: for $t \ge 1$).",
    ("prop-1", "prop-2", "own-drift"),
    Inequality("the 8 in (15b)", 4 * (x + 1) / x, 8, {x: at_least(1)}),
    Inequality(
        "(11) with Proposition 2, t >= 1",
        2 * A * D**2 * x / (x * (x + 1))
        + 4 * D * c * (4 * A * D + 3 * B) * (x + 1) ** Rational(3, 2) * ell / (x * (x + 1)),
        2 * A * D**2 / (x + 1) + 8 * c * (4 * A * D**2 + 3 * B * D) * ell / sqrt(x + 1),
        {x: at_least(1), **positive(c, D), **nonnegative(A, B, ell)},
        note="x = t, ell = sqrt(log(8 d t^2/delta)); the term with Delta_F is the same on both sides.",
    )
    .repaired("I14")
    .states(),
    Inequality(
        "the suprema (15)",
        C_t * s,
        (C + C_bar) * s,
        {**positive(s), **nonnegative(C_t, C, C_bar, u, v)},
        given=(C_t <= u + v, u <= C, v <= C_bar),
        note="s = sigma_t; C_t: the right-hand side of L508-509 over sigma_t, u and v its two parts, whose suprema "
        "over t >= 1 are C and C_bar.",
    )
    .repaired("I14")
    .states(),
    Inequality(
        "at t = 0",
        1,
        48 * u * sqrt(4 / E + log(80)),
        {u: Interval(0, Rational(1, 1000), low_open=True)},
        witness={u: Rational(1, 1000)},
        note="X = [0, 1], G = x, F = 0, exact gradients, x_0 = 1, p = 1/4, varsigma = d = 1, delta = 1/10: the gap "
        "is 1; any sigma_f = sigma_g > 0 is admissible, u = c sigma_g, and C_delta is at most the right-hand side "
        "(Lemma 6 (ii) as repaired).",
    )
    .refuted("I14")
    .states(),
    likely(
        "along runs, c admissible",
        G_next,
        at_c(measured(REPAIRED_INNER, C) + measured(REPAIRED_INNER, C_bar)) * sigma_next,
        on=ONE_SAMPLE,
        note="t >= 1, with the closed bounds of Lemma 6. Slack 2e4 on these runs: no power.",
    ).repaired("I14"),
    likely(
        "along runs, explicit",
        G_next,
        (measured(OWN_INNER, C) + measured(OWN_INNER, C_bar)) * sigma_next,
        on=ONE_SAMPLE,
        note="Slack 2e4 on these runs: no power.",
    ).own(),
    errata=("I3",),
)

LEM_5 = link(
    "lem-5",
    "Both levels of the average",
    "Lemma 5, L515-544",
    r"With probability $1 - \delta$, for all $t \ge 1$: $F(z_t) - F_{\mathrm{opt}}$ is at most the outer bound of "
    r"Theorem 1, and $G(z_t) - G_{\mathrm{opt}} \le C_\delta (1 + V) \sigma_t$.",
    ("lem-4", "eq-S", "prop-1", "prop-2"),
    Inequality(
        "printed constant against the one derived",
        8 * (4 * A * D**2 + 3 * B * D),
        4 * (4 * A * D + 3 * B),
        {**nonnegative(A), **positive(B, D)},
        witness={A: 0, B: 1, D: 1},
    ).refuted("I1"),
    Inequality(
        "the outer statement at t = 1",
        u * c / 2,
        24 * c / (sqrt(2) * 2 ** Rational(-1, 4)) * sqrt(log(80)),
        {c: POSITIVE, u: at_least(1000)},
        witness={c: 1, u: 1000},
        note="X = [-D/2, D/2] with D = u c, F = x/2, G = 0 with gradient noise +-1, sigma_f = sigma_g = varsigma = "
        "1, p = 1/4, d = 1, delta = 1/10: z_1 = v_0 follows the sign of sigma_0/2 + noise, which is wrong with "
        "probability 1/2 > delta; then the gap is D/2. No constant c helps: the bound does not contain D.",
    )
    .refuted("I1")
    .states(),
    Inequality(
        "outer level, given (12) and Proposition 2",
        (2 * A * D**2 * x + 4 * D * c * (4 * A * D + 3 * B) * (x + 1) ** Rational(3, 2) * ell)
        / (x * (x + 1)),
        2 * A * D**2 / (x + 1) + 8 * c * (4 * A * D**2 + 3 * B * D) * ell / sqrt(x + 1),
        {x: at_least(1), **positive(c, D), **nonnegative(A, B, ell)},
        note="multiplied by sigma_t, with S_t >= t (t+1) sigma_t",
    )
    .repaired("I1")
    .states(),
    Inequality(
        "division by S_t",
        u,
        v * R,
        {**positive(s), **nonnegative(u, v, R, weights)},
        given=(s <= R, u <= v * s),
        note="R = S_t >= s = t (t+1) sigma_t.",
    ),
    Inequality(
        "inner level, from Lemma 4",
        C_t * (x * (x + 1) * s**2 + weights),
        C_t * (1 + V) * s * R,
        {x: at_least(1), **positive(s), **nonnegative(C_t, V, V_t, R, weights)},
        given=(weights <= V_t * x * (x + 1) * s**2, V_t <= V, x * (x + 1) * s <= R),
        note="multiplied by R = S_t: s = sigma_t, C_t = C_delta, weights the sum of (i+1) i (sigma_(i-1) - sigma_i) "
        "sigma_i, V_t its ratio in (15d). Jensen's inequality gives S_t (G(z_t) - G_opt) <= the left side.",
    ).states(),
    Identity(
        "derived constant",
        4 * D * (4 * A * D + 3 * B) * 2,
        8 * (4 * A * D**2 + 3 * B * D),
        note="4 D from (12), (t+1)^(3/2)/((t+1) t) <= 2 (t+1)^(-1/2).",
    ).repaired("I1"),
    Identity(
        "the record's noise term",
        REPAIRED_OUTER.bound,
        2 * A * D**2 / ((theorem_1.T + 1) * sigma_T)
        + 8 * c * (4 * A * D**2 + 3 * B * D) / (sqrt(theorem_1.T + 1) * sigma_T) * theorem_1.ell,
    )
    .repaired("I1")
    .arithmetic(),
    likely(
        "outer level along runs",
        Fz_gap,
        at_c(measured(REPAIRED_OUTER)),
        on=ONE_SAMPLE,
        note="Slack 2e4 on these runs: no power.",
    ).repaired("I1"),
    errata=("I3",),
)

LEM_6 = link(
    "lem-6",
    "Closed bounds of the suprema",
    "Lemma 6, L548-604",
    r"$C \le (1 + 2p) \Delta_F + 2 (\varsigma L_f + L_g) D^2/\varsigma$, $V \le 2p/\min(1, 2 (1 - p))$, and for "
    r"$p < 1/2$, $\bar{C}_\delta$ is at most $4 c (8 (\ldots) D^2 + 6 (\ldots) D) "
    r"\sqrt{2/((1 - 2p) e) + \log(8 d/\delta)}$.",
    ("own-drift", "own-spread"),
    *logarithm(),
    Inequality(
        "mean value step (L570)",
        1 - (1 + s) ** (-p),
        p * s,
        {p: opened(0, 1), s: opened(0, 1)},
        note="s = 1/t, both sides times t^p",
    ),
    Inequality(
        "one summand of (15a) (L574)",
        (x + 1) * x * u,
        2 * p * x**2 * v,
        {x: at_least(1), p: opened(0, 1), **nonnegative(u, v)},
        given=(u <= p * v,),
        note="x = i, u = i^-p - (i+1)^-p, v = i^-(p+1): the right side is 2 p i^(1-p).",
    ),
    Inequality(
        "the largest summand (L574)",
        (1 - s) ** (1 - p),
        1,
        {p: opened(0, 1), s: opened(0, 1)},
        note="i^(1-p) <= t^(1-p) with i/t = 1 - s, and t^(1-p) <= (t+1)^(1-p) in L578.",
    ),
    Inequality(
        "C (L582)",
        Delta_F * (1 + R) + 2 * A * D**2 / (s * y),
        (1 + 2 * p) * Delta_F + 2 * A * D**2 / s,
        {p: opened(0, 1), y: at_least(1), **positive(s, D), **nonnegative(Delta_F, R, A)},
        given=(2 * p >= R,),
        note="R: the ratio in (15a), s = varsigma, y = (t+1)^(1-p) >= 1.",
    ).states(),
    Inequality(
        "V, p <= 1/2",
        p / 1,
        2 * p,
        {p: Interval(0, Rational(1, 2), low_open=True)},
        note="with `own-spread`",
    ).states(),
    Inequality(
        "V, p > 1/2",
        p / (2 - 2 * p),
        2 * p / (2 - 2 * p),
        {p: opened(Rational(1, 2), 1)},
        note="with `own-spread`",
    ).states(),
    Inequality(
        "(ii) as stated, at t = 1",
        24 * c * B * D / (sqrt(2) * 2 ** Rational(-1, 4)) * sqrt(log(80)),
        12 * c * B * D * sqrt(4 / E + log(80)),
        positive(c, B, D),
        witness={c: 1, B: 1, D: 1},
        note="L_f = L_g = 0, p = 1/4, varsigma = d = 1, delta = 1/10, B = sigma_f + sigma_g: the term t = 1 of (15b) "
        "exceeds the bound of its supremum.",
    )
    .refuted("I2")
    .states(),
    Inequality(
        "(ii) as proved (L600-602)",
        u,
        2 / (1 - 2 * p) * a + v,
        {p: opened(0, Rational(1, 2)), **nonnegative(u, v, a, C_t), r: closed(0, 1)},
        given=(u <= r * v + 2 / (1 - 2 * p) * C_t, C_t <= a),
        note="u = log(8 d t^2/delta)/(t+1)^(1-2p), v = log(8 d/delta), r = (t+1)^-(1-2p), C_t = log(y)/(t+1)^(1-2p) <= "
        "log(y)/y at y = t^(1-2p), a = 1/e.",
    )
    .repaired("I2")
    .states(),
    Identity("factors of (ii) as proved", 8 * (4 * A * D**2 + 3 * B * D), 4 * (8 * A * D**2 + 6 * B * D))
    .repaired("I2")
    .arithmetic(),
    Inequality(
        "factors of (ii) as stated",
        8 * (4 * A * D**2 + 3 * B * D),
        4 * (8 * A * D**2 + 3 * B * D),
        {**nonnegative(A, B), **positive(D)},
        witness={A: 0, B: 1, D: 1},
    ).refuted("I2"),
    Inequality(
        "Condition 3 at p = 3/4, t = 10",
        x * (x + 2) * sqrt(x + 2),
        (x + 1) * (x + 1) * sqrt(x + 1),
        {x: above(0)},
        witness={x: 10},
        note="L494, against (ii): t sigma_t^2 < (t+1) sigma_(t+1)^2 multiplied by (t+1)^(3/2) (t+2)^(3/2).",
    ).refuted("I15"),
    Inequality(
        "last step of (i) for p = 3/4",
        x ** Rational(1, 2) * (x + 1) ** Rational(1, 2),
        x,
        {x: above(0)},
        witness={x: 1},
        note="t^(2-2p)/(t (t+1)^(1-2p)) <= 1 multiplied by t, at p = 3/4.",
    ).refuted("I6"),
    Inequality(
        "its result", p / (2 - 2 * p), p / (1 - p), {p: opened(0, 1)}, note="with `own-spread`"
    ).repaired("I6"),
)

THM_1_OUTER = link(
    "thm-1-outer",
    "Theorem 1, outer level",
    "Theorem 1, L160-164, L606-608",
    "The outer bound of Theorem 1.",
    ("lem-5", "lem-6"),
    Inequality(
        "the rate, from Lemma 5 as repaired",
        2 * A * D**2 / x + R * ell,
        (2 * A * D**2 + R) * ell,
        {x: at_least(1), ell: at_least(1), **positive(D), **nonnegative(A, R)},
        note="Times varsigma (t+1)^(1/2-p): x = (t+1)^(1/2), R = 8 c (...), ell = sqrt(log(8 d t^2/delta)) >= 1.",
    ).states(),
    likely(
        "along runs, explicit",
        Fz_gap,
        measured(OWN_OUTER),
        on=ONE_SAMPLE,
        note="Slack 2e4 on these runs: no power.",
    ).own(),
)
THM_1_INNER = link(
    "thm-1-inner",
    "Theorem 1, inner level",
    "Theorem 1, L160-164, L606-608",
    "The inner bound of Theorem 1.",
    ("lem-5", "lem-6"),
    Inequality(
        "the rate, from Lemmas 5 and 6 as repaired",
        (a + R * v) * (1 + V) * s,
        (a + R * u) * (1 + V) * y * s,
        {y: at_least(1), **positive(s), **nonnegative(a, R, u, v, V)},
        given=(v**2 <= (u**2 - 1) + y**2, u >= 1),
        note="s = sigma_t <= varsigma t^-p; a bounds C, R v bounds C_bar with v^2 = 2/((1 - 2p) e) + log(8 d/delta), "
        "y = sqrt(log(8 d/delta)) >= 1, u^2 = 1 + 2/((1 - 2p) e): the constant is (a + R u)(1 + V).",
    ).states(),
    likely(
        "along runs, c admissible",
        Gz_gap,
        at_c(measured(REPAIRED_INNER)),
        on=ONE_SAMPLE,
        note="Slack 3e4 on these runs: no power.",
    ).repaired("I2"),
    likely(
        "along runs, explicit",
        Gz_gap,
        measured(OWN_INNER),
        on=ONE_SAMPLE,
        note="Slack 2e4 on these runs: no power.",
    ).own(),
)

LEMMAS = (DRIFT, SPREAD, LEM_4, LEM_5, LEM_6, THM_1_OUTER, THM_1_INNER)

"""The SPIDER estimator of Algorithm 2: Lemma 7, Lemma 8, Proposition 3. L622-783.

What is recorded at t is the error at x_(t-1); `proxy` is the sum of alpha_s^2/S since the last full gradient.
"""

from sympy import Expr, Max, Rational, Sum, Symbol, log, sqrt, symbols

from workbench.theory.lemma import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    UNIT,
    Identity,
    Induction,
    Inequality,
    above,
    at_least,
    nonnegative,
    opened,
    positive,
)

from .chain import DELTA, MOVING, NC_FS, SET, SMOOTH, from_q, likely, link, quantities, t
from .constants import D, L_f, L_g, gap_F0, gap_G0, q, varsigma

err_f, err_g, sum_ie, h_first = quantities("err_f", "err_g", "sum_ie", "h_first")
early, proxy, shape_17, shape_18 = quantities("early", "proxy", "shape_17", "shape_18")
p, w, x, y = symbols("p w x y", positive=True)
a, ell, k, r, u, v, V, size = symbols("a ell k r u v V size", nonnegative=True)
g, h, h_0 = symbols("g h h_0", real=True)
n, i = symbols("n i", integer=True, positive=True)  # upper limit and index of a sum
j = Symbol("j", integer=True, nonnegative=True)  # index of a sum that starts at 0
SIGMA_0 = varsigma * (q + 1) ** (-p)
SMOOTH_PHI = SIGMA_0 * L_f + L_g


def spider(shape: Expr) -> Expr:
    """A threshold of Lemma 7, one level: 8 L D sqrt(shape) sqrt(log(8/delta))."""
    return 8 * L_g * D * sqrt(shape) * sqrt(log(8 / DELTA))


LEM_7 = link(
    "lem-7",
    "Concentration of SPIDER",
    "Lemma 7, (17), (18), L622-690",
    r"With probability $1 - \delta$ both errors at $t$ are at most $8 L D (\log q)/\sqrt{q S} \cdot "
    r"\sqrt{\log(8/\delta)}$ for $t < q$, and $8 L D \sqrt{(t - s_t)/(S (t+1)(s_t+1))} \sqrt{\log(8/\delta)}$ for "
    r"$t > q$, $s_t$ the last multiple of $q$.",
    (SET, *SMOOTH, "asm-finite sum", "ref-41"),
    Inequality(
        "size of an increment (L642-644)",
        (u + v) / y,
        2 * x * D * a / y,
        {**positive(x, y, D), **nonnegative(u, v, a, size)},
        given=(u <= x * size, v <= x * size, size <= a * D),
        note="x = L, y = S, a = alpha_(t-1), size = |x_t - x_(t-1)|.",
    ),
    Induction(
        "sum of squared steps",
        Sum(1 / (i + 1) ** 2, (i, 1, n)),
        n / (n + 1),
        n,
        1,
        note="s_t = 0: the sum over s_t < s <= t is at most the integral, (t - s_t)/((t+1)(s_t+1)).",
    ),
    Inequality(
        "one more step, any s_t",
        1 / (y + 2) ** 2,
        (y + 1 - x) / ((y + 2) * (x + 1)) - (y - x) / ((y + 1) * (x + 1)),
        positive(x, y),
        given=(x <= y,),
        note="L668 for t = y + 1, s_t = x: with equality of both sides, 0, at t = s_t, this is the whole induction.",
    ).states(),
    Inequality(
        "(17) from the tail bound",
        4 * V * ell,
        64 * a**2 * x / y * ell,
        {**positive(x, y), **nonnegative(a, ell, V, k)},
        given=(4 * a**2 * k / y >= V, k <= x),
        note="In units of L^2 D^2: x = q, y = S, a = log q/q, k = t <= q increments, ell = log(8/delta). Then 4 "
        "exp(-lambda^2/(4 V)) <= 4 exp(-ell) = delta/2 for each level; a 4 in place of the 8 would do.",
    ).states(),
    Inequality(
        "(18) from the tail bound",
        4 * V * ell,
        64 * x * ell,
        {**positive(x), **nonnegative(ell, V, v)},
        given=(4 * v >= V, v <= 4 * x),
        note="x = (t - s_t)/(S (t+1)(s_t+1)), v the sum of alpha_(s-1)^2/S, bounded by the preceding lines.",
    ).states(),
    *(
        likely(
            name,
            when * Max(err_f / L_f, err_g / L_g),
            when * spider(shape) / L_g,
            uniform=False,
            on=(MOVING,),
            note=f"Both levels jointly. Slack {slack} on these runs.",
        )
        for name, when, shape, slack in (
            ("first phase", early, shape_17, 62),
            ("later", 1 - early, shape_18, 43),
        )
    ),
    likely(
        "Pinelis' inequality as it is",
        err_g,
        sqrt(8 * log(2 / DELTA)) * L_g * D * sqrt(proxy),
        uniform=False,
        on=(MOVING, NC_FS),
    ).own(),
    note="The proof gives 4 in place of 8 for t < q.",
)

LEM_8 = link(
    "lem-8",
    "The first q steps",
    "Lemma 8, L700-739",
    r"$\Phi_q(x_q) - \Phi_0(x_{\mathrm{opt}}) \le (1 - (\log q)/q)^q (\Phi_0(x_0) - \Phi_0(x_{\mathrm{opt}})) "
    r"+ (L_f \sigma_0 + L_g) D^2 (1/2 + 16 \sqrt{\log(16 t^2/\delta)}) (\log q)/q$.",
    ("lem-1", "lem-7", "asm-Condition 4"),
    Inequality("log(1 - u) <= -u", log(1 - w), -w, {w: opened(0, 1)}, note="u = log q/q: (1 - u)^q <= 1/q"),
    Identity(
        "what (20) gives as printed",
        2 * D * 8 * D * x * x * log(x) / x,
        16 * D**2 * x * log(x),
        note="q terms of 2 D times 8 D log q/q: q times the 16 D^2 log q/q of the lemma.",
    ).arithmetic(),
    Inequality(
        "(20) as printed against the lemma",
        16 * D**2 * log(x),
        16 * D**2 * log(x) / x,
        {x: above(1), D: POSITIVE},
        witness={x: 3, D: 1},
    ).refuted("I16"),
    Induction(
        "its geometric weights sum to at most 1",
        Sum(w * (1 - w) ** j, (j, 0, n)),
        1 - (1 - w) ** (n + 1),
        n,
        1,
        {w: opened(0, 1)},
    ).repaired("I16"),
    Inequality(
        "one step of the first phase",
        h,
        r * (1 - a) * h_0 + x * D**2 * a * (Rational(1, 2) + 16 * ell),
        {**dict.fromkeys((h, h_0, g), REAL), **positive(x, D), a: UNIT, r: UNIT, **nonnegative(ell, size)},
        given=(
            h <= (1 - a) * g + x * D**2 * a**2 / 2 + 2 * a * D * size,
            g <= r * h_0 + x * D**2 * a * (Rational(1, 2) + 16 * ell),
            size <= 8 * D * x * a * ell,
        ),
        note="Lemma 1 with a = alpha_0 = log q/q, x = sigma_0 L_f + L_g, g and h two successive gaps of Phi_0, r = "
        "(1 - a)^i, size = e_i by Lemma 7 with S = q, ell = sqrt(log(16 t^2/delta)). At i = 0 it is h_0 <= h_0 + "
        "...: the induction is complete, and needs neither (20) nor a geometric series.",
    ).states(),
    Inequality(
        "level of the union bound, i < q <= t",
        (k + 1) * (k + 2),
        2 * y**2,
        {k: NONNEGATIVE, y: at_least(1)},
        given=(k + 1 <= y,),
        note="log(8 (i+1)(i+2)/delta) <= log(16 t^2/delta).",
    ).states(),
    from_q(
        likely,
        "along runs",
        h_first,
        (q + 1)
        * q
        * (
            (1 - log(q) / q) ** q * (SIGMA_0 * gap_F0 + gap_G0)
            + SMOOTH_PHI * D**2 * (Rational(1, 2) + 16 * sqrt(log(16 * q**2 / DELTA))) * log(q) / q
        ),
        note="multiplied by (q + 1) q, at t = q. Slack 6e4 on these runs: no power.",
    ),
)

PROP_3 = link(
    "prop-3",
    "Weighted sum of the errors after q",
    "Proposition 3, (21), L743-783",
    r"With probability $1 - \delta$, for all $t > q$, $\sum_{q < i \le t} i e_{i-1}$ is at most $(8 \sqrt{2} t - 4 q) "
    r"(\sigma_0 L_f + L_g) D \sqrt{\log(16 t^2/\delta)}$.",
    ("lem-7",),
    Inequality(
        "one error of the first period (L758)",
        (k - 1 - x) / (k * (x + 1)),
        1 / x,
        {x: at_least(1), k: at_least(1)},
        given=(x + 1 <= k, k <= 2 * x),
        note="k = i, x = q; multiplied by q",
    ).states(),
    Inequality(
        "one error of a later period (L768)",
        k - x,
        y + 1,
        {**positive(x, y), k: at_least(1)},
        given=(k - 1 <= y + x - 1,),
        note="k = i, x = q, y = s_(i-1) = q floor((i-1)/q) >= i - q; the numerator (i - 1 - s)/S is at most 1.",
    ).states(),
    Inequality(
        "first period",
        (y * (y + 1) - x * (x + 1)) / (2 * x),
        sqrt(2) * y - x / 2,
        {x: at_least(1), y: at_least(1)},
        given=(x <= y, y <= 2 * x),
        note="x = q, y = t: mean of i over q < i <= t <= 2 q.",
        budget=20,
    ).states(),
    Inequality("i/(i - q) <= 2", y / (y - x), 2, positive(x, y), given=(2 * x <= y,)).states(),
    Identity(
        "both periods", (8 * sqrt(2) * 2 * x - 4 * x) + 8 * sqrt(2) * (y - 2 * x), 8 * sqrt(2) * y - 4 * x
    ).states(),
    from_q(
        likely,
        "along runs",
        sum_ie,
        (8 * sqrt(2) * t - 4 * q) * SMOOTH_PHI * D * sqrt(log(16 * t**2 / DELTA)),
        note="Slack 1e4 on these runs: no power.",
    ),
    from_q(
        likely,
        "along runs, Pinelis",
        sum_ie,
        (8 * t - 2 * sqrt(2) * q) * SMOOTH_PHI * D * sqrt(log(8 * t**2 / DELTA)),
        note="Slack 7e3 on these runs: no power.",
    ).own(),
)

LEMMAS = (LEM_7, LEM_8, PROP_3)

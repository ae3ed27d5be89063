"""The SPIDER estimator of Algorithm 2: Lemma 7, Lemma 8, Proposition 3. L622-783.

What is recorded at t is the error at x_(t-1); `proxy` is the sum of alpha_s^2/S since the last full gradient.
"""

from sympy import Expr, Rational, Sum, log, sqrt, symbols

from theorems.ir_cg.chain import DELTA, FINITE_SUM, FS, NC_FS, SET, SMOOTH, from_q, likely, link, seen, t
from theorems.ir_cg.constants import D, L_f, L_g, gap_F0, gap_G0, q, varsigma
from theorems.lemma import POSITIVE, Identity, Induction, Inequality, above, at_least, opened, positive

err_g, sum_ie, h_first = seen("err_g", "sum_ie", "h_first")
early, proxy, shape_17, shape_18 = seen("early", "proxy", "shape_17", "shape_18")
p, w, x, y = symbols("p w x y", positive=True)
n = symbols("n", integer=True, positive=True)  # upper limit of a sum
i = symbols("i", integer=True, nonnegative=True)  # its index
SIGMA_0 = varsigma * (q + 1) ** (-p)
SMOOTH_PHI = SIGMA_0 * L_f + L_g


def spider(shape: Expr) -> Expr:
    """A threshold of Lemma 7, one level: 8 L D sqrt(shape) sqrt(log(8/delta))."""
    return 8 * L_g * D * sqrt(shape) * sqrt(log(8 / DELTA))


LEM_7 = link(
    "lem-7",
    "Concentration of SPIDER",
    "Lemma 7, (17), (18), L622-690",
    "With probability 1 - delta both errors at t are at most 8 L D log q/sqrt(q S) sqrt(log(8/delta)) for t < q, "
    "and 8 L D sqrt((t - s_t)/(S (t+1)(s_t+1))) sqrt(log(8/delta)) for t > q, s_t the last multiple of q.",
    (SET, *SMOOTH, "asm-finite sum"),
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
    ),
    Identity(
        "threshold of the tail bound",
        16 * 4 * x,
        64 * x,
        note="lambda^2 = 4 * 4 L^2 D^2 * 4 x log(8/delta).",
    ),
    likely("first phase", early * err_g, early * spider(shape_17), uniform=False, on=FINITE_SUM),
    likely("later", (1 - early) * err_g, (1 - early) * spider(shape_18), uniform=False, on=FINITE_SUM),
    likely(
        "Pinelis' inequality as it is",
        err_g,
        sqrt(8 * log(2 / DELTA)) * L_g * D * sqrt(proxy),
        uniform=False,
        on=(FS, NC_FS),
    ).own(),
    note="The proof gives 4 in place of 8 for t < q.",
)

LEM_8 = link(
    "lem-8",
    "The first q steps",
    "Lemma 8, L700-739",
    "Phi_q(x_q) - Phi_0(x_opt) <= (1 - log q/q)^q (Phi_0(x_0) - Phi_0(x_opt)) + (L_f sigma_0 + L_g) D^2 (1/2 + 16 "
    "sqrt(log(16 t^2/delta))) log q/q.",
    ("lem-1", "lem-7", "asm-Condition 4"),
    Inequality("log(1 - u) <= -u", log(1 - w), -w, {w: opened(0, 1)}, note="u = log q/q: (1 - u)^q <= 1/q"),
    Identity(
        "what (20) gives as printed",
        2 * D * 8 * D * x * x * log(x) / x,
        16 * D**2 * x * log(x),
        note="q terms of 2 D times 8 D log q/q: q times the 16 D^2 log q/q of the lemma.",
    ),
    Inequality(
        "(20) as printed against the lemma",
        16 * D**2 * log(x),
        16 * D**2 * log(x) / x,
        {x: above(1), D: POSITIVE},
        witness={x: 3, D: 1},
    ).refuted("I16"),
    Induction(
        "its geometric weights sum to at most 1",
        Sum(w * (1 - w) ** i, (i, 0, n)),
        1 - (1 - w) ** (n + 1),
        n,
        1,
        {w: opened(0, 1)},
    ).repaired("I16"),
    from_q(
        likely,
        "along runs",
        h_first,
        (q + 1)
        * (
            SIGMA_0 * gap_F0
            + gap_G0
            + SMOOTH_PHI * D**2 * (Rational(1, 2) + 16 * sqrt(log(16 * q**2 / DELTA))) * log(q)
        ),
        note="multiplied by (q + 1) q, at t = q; Phi_0(x_0) - Phi_0(x_opt) >= 0 here.",
    ),
)

PROP_3 = link(
    "prop-3",
    "Weighted sum of the errors after q",
    "Proposition 3, (21), L743-783",
    "With probability 1 - delta, for all t > q, the sum of i e_(i-1) over q < i <= t is at most (8 sqrt(2) t - 4 "
    "q) (sigma_0 L_f + L_g) D sqrt(log(16 t^2/delta)).",
    ("lem-7",),
    Inequality(
        "first period",
        (y * (y + 1) - x * (x + 1)) / (2 * x),
        sqrt(2) * y - x / 2,
        {x: at_least(1), y: at_least(1)},
        given=(x <= y, y <= 2 * x),
        note="x = q, y = t: mean of i over q < i <= t <= 2 q.",
        budget=20,
    ),
    Inequality("i/(i - q) <= 2", y / (y - x), 2, positive(x, y), given=(2 * x <= y,)),
    Identity(
        "both periods", (8 * sqrt(2) * 2 * x - 4 * x) + 8 * sqrt(2) * (y - 2 * x), 8 * sqrt(2) * y - 4 * x
    ),
    from_q(
        likely,
        "along runs",
        sum_ie,
        (8 * sqrt(2) * t - 4 * q) * SMOOTH_PHI * D * sqrt(log(16 * t**2 / DELTA)),
    ),
    from_q(
        likely,
        "along runs, Pinelis",
        sum_ie,
        (8 * t - 2 * sqrt(2) * q) * SMOOTH_PHI * D * sqrt(log(8 * t**2 / DELTA)),
    ).own(),
)

LEMMAS = (LEM_7, LEM_8, PROP_3)

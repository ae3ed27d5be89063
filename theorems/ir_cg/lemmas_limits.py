"""Lemmas 16, 17 and Theorems 3, 4: finite suprema and almost sure convergence. L906-950, L1305-1359."""

from sympy import Le, sqrt, symbols

from theorems.ir_cg.chain import CONVEX, link
from theorems.lemma import Identity, Inequality, above, positive

x, y, r = symbols("x y r", positive=True)  # x = t; y, r: ratios of neighbours, such as sigma_t/sigma_(t+1)

LEM_16 = link(
    "lem-16",
    "The suprema (15) are finite",
    "Lemma 16, L1309-1349",
    "Under Conditions 1-3 C, C_bar and C_delta are finite; if L < 1, V is finite. The ratios tend to L/(2 - L) and "
    "L/(2 (1 - L)).",
    ("asm-Condition 1", "asm-Condition 2", "asm-Condition 3"),
    Identity(
        "quotient of Stolz and Cesaro for C",
        (x + 1) * x * (y - 1) / ((x + 1) * x - x * (x - 1) * y),
        (1 + 2 / (x - 1)) * (x - 1) * (y - 1) / (2 - (x - 1) * (y - 1)),
        note="t = x, sigma_(t-1)/sigma_t = y, both sides divided by t sigma_t.",
    ),
    Identity(
        "the same for V",
        (x + 2) * (x + 1) * (y - 1) / ((x + 2) * (x + 1) - (x + 1) * x * y**2),
        (x + 2) / x * x * (y - 1) / ((2 - x * (y - 1)) * (y + 1) - 2 * y),
        note="t = x, sigma_t/sigma_(t+1) = y.",
    ),
    Inequality(
        "Condition 3 bounds the ratio",
        r,
        sqrt(1 + 1 / x),
        positive(r, x),
        given=(Le(x * r**2, x + 1),),
        note="r = sigma_t/sigma_(t+1): so L <= 1/2, sharper than the L <= 1 of the proof.",
    ).own(),
    Inequality("t (sqrt(1 + 1/t) - 1) <= 1/2", 1 + 1 / x, (1 + 1 / (2 * x)) ** 2, {x: above(0)}).own(),
)
LEM_17 = link(
    "lem-17",
    "The suprema (23) are finite",
    "Lemma 17, L1353-1359",
    "Under Conditions 1, 2, 4 C_q, C_bar and C_(delta,q) are finite; if L < 1, V_q is finite.",
    ("lem-16", "asm-Condition 4"),
    Inequality(
        "Condition 3 at p = 3/4, t = 10",
        x * (x + 2) * sqrt(x + 2),
        (x + 1) * (x + 1) * sqrt(x + 1),
        {x: above(0)},
        witness={x: 10},
        note="t sigma_t^2 < (t+1) sigma_(t+1)^2 multiplied by (t+1)^(3/2) (t+2)^(3/2).",
    ).refuted("I15"),
    Inequality(
        "Condition 4 at p = 3/4",
        x**4 * (x + 2) ** 3,
        (x + 1) ** 4 * (x + 1) ** 3,
        {x: above(0)},
        note="fourth powers of t sigma_t < (t+1) sigma_(t+1).",
    ).repaired("I15"),
)
THM_3 = link(
    "thm-3",
    "Theorem 3",
    "Theorem 3, L906-932",
    "Almost surely F(x_t) tends to F_opt and G(x_t) to G_opt, Algorithm 1.",
    ("lem-4", "lem-16", "prop-1", "prop-2", CONVEX),
    note="A limit is tested by long runs, not by a checked line. L917 prints 4 c where prop-1 and prop-2 give 8 c.",
)
THM_4 = link(
    "thm-4",
    "Theorem 4",
    "Theorem 4, L934-950",
    "Almost surely F(x_t) tends to F_opt and G(x_t) to G_opt, Algorithm 2.",
    ("lem-8", "lem-9", "lem-17", "prop-1", "prop-3", CONVEX),
    note="A limit, tested like that of Theorem 3.",
)

LEMMAS = (LEM_16, LEM_17, THM_3, THM_4)

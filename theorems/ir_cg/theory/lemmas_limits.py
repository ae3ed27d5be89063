"""Lemmas 16, 17 and Theorems 3, 4: finite suprema and almost sure convergence. L906-950, L1305-1359."""

from sympy import Le, Max, Symbol, sqrt, symbols

from workbench.theory.lemma import REAL, Identity, Inequality, above, at_least, misprint, positive

from .chain import CONVEX, link

x, y, r = symbols("x y r", positive=True)  # x = t; y, r: ratios of neighbours, such as sigma_t/sigma_(t+1)
f = Symbol("f", real=True)

LEM_16 = link(
    "lem-16",
    "The suprema (15) are finite",
    "Lemma 16, L1309-1349",
    r"Under Conditions 1 to 3, $C$, $\bar{C}_\delta$ and $C_\delta$ are finite; if $L < 1$, $V$ is finite. The ratios "
    "tend to $L/(2 - L)$ and $L/(2 (1 - L))$.",
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
        "L > 1 contradicts Condition 3 (L1317-1321)",
        (x + 1) * r**2,
        x * y**2,
        positive(x, y, r),
        given=(Le((x + 1) * r, x * y), Le(r, y)),
        note="x = t, y = sigma_t, r = sigma_(t+1): Condition 3 says the opposite, strictly.",
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
    r"Under Conditions 1, 2 and 4, $C_q$, $\bar{C}_{\delta,q}$ and $C_{\delta,q}$ are finite; if $L < 1$, $V_q$ is "
    "finite.",
    ("lem-16", "asm-Condition 4"),
    note="Its proof is empty in the text.",
)
THM_3 = link(
    "thm-3",
    "Theorem 3",
    "Theorem 3, L906-932",
    r"Almost surely $F(x_t)$ tends to $F_{\mathrm{opt}}$ and $G(x_t)$ to $G_{\mathrm{opt}}$, Algorithm 1.",
    ("lem-4", "lem-16", "prop-1", "prop-2", CONVEX),
    *misprint(
        "I1",
        Inequality(
            "the 4 c of L917",
            4 * (x + 1) / x,
            4,
            {x: at_least(1)},
            witness={x: 1},
            note="4 D c (...)(t+1)^(3/2)/(t (t+1)) against 4 c (...) D (t+1)^(-1/2), x = t.",
        ),
        "8 c",
        rhs=8,
    ),
    Inequality(
        "positive parts (L918-920)",
        x * f,
        x * Max(f, 0),
        {f: REAL, **positive(x)},
        note="x = (i+1) i (sigma_(i-1) - sigma_i), f = F_opt - F(x_i).",
    ),
    note="A limit is tested by long runs, not by a checked line.",
)
THM_4 = link(
    "thm-4",
    "Theorem 4",
    "Theorem 4, L934-950",
    r"Almost surely $F(x_t)$ tends to $F_{\mathrm{opt}}$ and $G(x_t)$ to $G_{\mathrm{opt}}$, Algorithm 2.",
    ("lem-8", "lem-9", "lem-17", "prop-1", "prop-3", CONVEX),
    Inequality(
        "the factor of L947",
        4 * x * y,
        x * y,
        positive(x, y),
        witness={x: 1, y: 1},
        note="x = D, y the bound of Proposition 3.",
    ).refuted("I4"),
    note="A limit, tested like that of Theorem 3.",
)

LEMMAS = (LEM_16, LEM_17, THM_3, THM_4)

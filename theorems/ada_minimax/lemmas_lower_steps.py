"""Steps of the lower level: Eqs. (26)-(33), L667-732.

Per iteration: e = |grad_y g - g_y|, g = |g_y|, m = |grad_y g|, G = G_(k-1); the step divides by sqrt(G^2 + g^2), the
decorrelated step by sqrt(G^2 + m^2).
"""

from sympy import Le, Symbol, log, sqrt, symbols

from theorems.ada_minimax.chain import DRIFT, SADDLE, link
from theorems.lemma import (
    POSITIVE,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    Lemma,
    misprint,
    nonnegative,
    positive,
)
from theorems.vocabulary import alpha, eta, gamma, mu


def correction() -> Lemma:
    G, factor = symbols("G factor", positive=True)
    e, g, m = symbols("e g m", nonnegative=True)
    STEP, DECORRELATED = sqrt(G**2 + g**2), sqrt(G**2 + m**2)  # the two denominators
    NORMS = {**nonnegative(e, g, m), G: POSITIVE}
    return link(
        "eq-26",
        "Step against decorrelated step",
        "Eqs. (26)-(27), (30), L672-684, L696-701",
        "|eta_k - hat-eta_k| is at most eta e/(P R), so the correction sums to at most (d_bar/eta) sum eta_(k-1)^2 "
        "e_k^2; for squared steps, 2 eta_0 times that.",
        (),
        *(
            Inequality(
                f"difference of the roots, {label}", big - small, e, NORMS, given=(Le(g - m, e), Le(m - g, e))
            )
            for label, big, small in (
                ("step too small", STEP, DECORRELATED),
                ("step too large", DECORRELATED, STEP),
            )
        ),
        Inequality(
            "Eq. (27): both denominators exceed the last one",
            e**2 / (STEP * DECORRELATED),
            e**2 / G**2,
            NORMS,
        ),
        Inequality(
            "Eq. (30): sum of the two steps",
            1 / STEP + 1 / DECORRELATED,
            factor / G,
            {**nonnegative(g, m), G: POSITIVE},
            constants=(Constant(factor, 2),),
        ),
        note="The mutant with e^(13/12) is false only for e < 1 in the limit G = 0.",
    )


# S, root: the two sums and the square root of (31); mu_step = mu eta_0; d_prime = max(d_bar, eta).
S, root, mu_step, d_prime = symbols("S root mu_step d_prime", nonnegative=True)
d_bar = Symbol("d_bar", nonnegative=True)
A_1 = d_bar / eta * S + 2 * d_prime * root
ALL = 2 * (1 + 2 * mu_step) * d_bar / eta * S + 4 * (1 + mu_step) * d_prime * root
step = Symbol("step", positive=True)
COMBINED = link(
    "eq-31",
    "The two martingale parts together",
    "Eqs. (28)-(31) and below, L686-718",
    "(A) is at most 2 (1 + 2 mu eta_0) (d_bar/eta) S + 4 (1 + mu eta_0) d' root, and by Young's inequality at most "
    "d_bar^2/2 + 4 (1 + 2 mu eta_0)^2 S^2/eta^2 + eta^2/4 + 16 (1 + mu eta_0)^2 root^2.",
    ("lem-C.1", "eq-26"),
    *misprint(
        "E11",
        Identity(
            "2 (A_1) + 2 (A_2) with (31) as printed",
            2 * A_1 + 2 * (2 * mu_step * d_bar / eta * S + 2 * d_prime * step * root),
            ALL,
            note="(31) has mu in its first term only; step = eta_0, mu_step = mu eta_0.",
        ),
        "2 (A_1) + 2 mu (A_2)",
        lhs=2 * A_1 + 2 * mu * (2 * step * d_bar / eta * S + 2 * d_prime * step * root),
        rhs=ALL.xreplace({mu_step: mu * step}),
    ),
    Inequality(
        "Young, first part",
        2 * (1 + 2 * mu_step) * d_bar * S,
        d_bar**2 / 4 + 4 * (1 + 2 * mu_step) ** 2 * S**2,
        nonnegative(d_bar, S, mu_step),
        note="S stands for S/eta.",
    ),
    Inequality(
        "Young, second part",
        4 * (1 + mu_step) * d_prime * root,
        d_prime**2 / 4 + 16 * (1 + mu_step) ** 2 * root**2,
        nonnegative(d_prime, root, mu_step),
    ),
    Inequality(
        "d'^2 is at most d_bar^2 + eta^2",
        d_prime**2,
        d_bar**2 + eta**2,
        {**nonnegative(d_prime, d_bar), eta: POSITIVE},
        given=((d_prime - d_bar) * (d_prime - eta) <= 0, Le(d_bar, d_prime), Le(eta, d_prime)),
        note="d' = max(d_bar, eta)",
    ),
    note="Twins of the last line with exponent 25/12 fail only where d' equals d_bar or eta exactly, below 1.",
)


def scales() -> Lemma:
    G, t, eta_x, gamma_seen = symbols("G t eta_x gamma", positive=True)
    ratio_sum, X2, Y2 = symbols("ratio_sum X2 Y2", nonnegative=True)
    return link(
        "eq-33",
        "The x step against the y step",
        "Eqs. (32)-(33), L725-732",
        "sum eta_(x,k)^2/(mu eta_(y,k)) is at most eta (alpha + gamma)/mu (1 + log T), in every run.",
        ("lem-G.2e",),
        Inequality(
            "one term",
            alpha**2 * (gamma**2 + Y2),
            (alpha + gamma) ** 2 * (alpha**2 + X2 + Y2),
            {**positive(alpha, gamma), **nonnegative(X2, Y2)},
            note="squared",
        ),
        Inequality(
            "one term, the larger of the two suffices",
            alpha**2 * (gamma**2 + Y2),
            G**2 * (alpha**2 + X2 + Y2),
            {**positive(alpha, gamma), **nonnegative(X2, Y2), G: POSITIVE},
            given=(Le(alpha, G), Le(gamma, G)),
        ).own(),
        AlongTrajectory(
            "along runs", ratio_sum, eta_x * (alpha + gamma_seen) / mu * (1 + log(t)), on=(SADDLE, DRIFT)
        ),
        note="This is what the sum of |g_y|^2 inside alpha'_t is for.",
    )


LEMMAS = (correction(), COMBINED, scales())

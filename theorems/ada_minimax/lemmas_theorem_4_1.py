"""Last step of Theorem 4.1 (= D.4): C collects the lemmas, and C/(T eta_(x,T)); L800-840."""

from sympy import Rational, Symbol, sqrt

from theorems.ada_minimax import common, theorem_4_1
from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import FAR, SADDLE, link
from theorems.ada_minimax.collected import ROOTS, SQUARES, THIRD, collected, final
from theorems.ada_minimax.common import C, w
from theorems.ada_minimax.lemmas_bias import BLOCKS, BLOCKS_RIGHT
from theorems.lemma import POSITIVE, AlongTrajectory, Constant, Identity, Inequality, closed, misprint, opened
from theorems.vocabulary import L, T, alpha, d_1, sigma_x_bar, sigma_y

s = Symbol("s", nonnegative=True)
factor = Symbol("factor", positive=True)
PRINTED, REPAIRED = theorem_4_1.PRINTED, theorem_4_1.REPAIRED
L_Phi = theorem_4_1.L_Phi

MINIMAX = link(
    "thm-4.1",
    "Last step of Theorem 4.1 (= D.4)",
    "L816-840",
    "C collects the lemmas, and C/(T eta_(x,T)) is bounded with sum |g_y|^2 from Lemma C.3.",
    (
        *(
            "lem-D.2",
            "lem-D.3",
            "lem-5.4",
            "lem-5.5",
            "lem-5.7",
            "lem-G.2b",
            "lem-G.2c",
            "lem-G.2d",
            "lem-G.2e",
            "lem-G.3",
        ),
        *("own-adaptivity", "own-lifetime", "own-convex"),
    ),
    Identity(
        "C of the record, G.3 once and first error sigma_x_bar",
        PRINTED[C],
        collected(sigma_x_bar, sigma_x_bar, L_Phi, THIRD, BLOCKS / 2),
        note="Even so the drift term differs: t_0 - 1 + e K in place of (t_0 - 1)(1 + e K).",
    ).refuted("E5"),
    *misprint(
        "E5",
        Identity(
            "C of the record, as the lemmas give it",
            PRINTED[C],
            collected(sigma_x_bar + L * d_1, sigma_x_bar, L_Phi, THIRD, BLOCKS),
        ),
        "C of the repaired record",
        lhs=REPAIRED[C],
        rhs=collected(
            sigma_x_bar + L * d_1,
            sigma_x_bar,
            L_Phi,
            w,
            common.adaptivity_error(sigma_x_bar) / 2 + BLOCKS_RIGHT,
        ),
    ),
    *misprint(
        "E5",
        AlongTrajectory(
            "first error at most sigma_x_bar", Symbol("hat_first", nonnegative=True), sigma_x_bar, on=(FAR,)
        ),
        "first error at most sigma_x_bar + L d_1",
        rhs=sigma_x_bar + L * d_1,
        on=(FAR, SADDLE),
    ),
    *SQUARES,
    ROOTS,
    final(REPAIRED, alpha**2 + 4 * sigma_x_bar**2 * T + 2 * sigma_y**2 * T + 2 * L**2 * h.Q_T),
    Inequality(
        "the factor of alpha/sigma_low at kappa_sigma = 1",
        2 / s,
        10**6,
        {s: opened(0, 1)},
        note="L = alpha = mu = 1, s = sigma_low = sigma_bar. C of order kappa^4 (L118, L120) would be bounded.",
    ).refuted("E2"),
    Inequality(
        "the factor H in its place at kappa_sigma = 1",
        1 + Rational(201, 100) + 2 * s / sqrt(common.t_0),
        6,
        {s: opened(0, 1), common.t_0: closed(400, 10**6)},
    ).repaired("E2"),
    Inequality(
        "rounding of the main text",
        5 * s**2,
        (factor * s) ** 2 * 4,
        {s: POSITIVE},
        constants=(Constant(factor, 2),),
        note="(4 sigma^2 + sigma^2)^(1/4) <= 2 sqrt(sigma), s = sigma: 5 <= 16.",
    ),
)

LEMMAS = (MINIMAX,)

"""The last steps of Theorems 5.6, 4.1 and 4.2: C as the sum of what the lemmas deliver, and C/(T eta_T); L511-541,
L800-985.

C = Delta_1 + 2 sum eta_t |hat-eps_t| + (smoothness/2) sum eta_t^2, where |hat-eps_t| splits as in Lemmas 5.3, D.2,
E.4. Each part is a sum of Lemma G.2, G.3 or G.4 times the bound of what is weighted; all of them enter with the
factor 2.
"""

from sympy import E, Expr, Rational, Symbol, sqrt, symbols

from theorems.ada_minimax import common, theorem_4_1, theorem_4_2, theorem_5_6
from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import definition, link
from theorems.ada_minimax.common import C, Lambda, w
from theorems.ada_minimax.lemmas_bias import (
    BLOCKS,
    BLOCKS_RIGHT,
    NOISY,
    NOISY_RIGHT,
    QUIET,
    QUIET_RIGHT,
    blocks,
)
from theorems.ada_minimax.lemmas_step_sums import FIRST, MOVED, SQUARED, noise_sum
from theorems.lemma import NONNEGATIVE, POSITIVE, AlongTrajectory, Constant, Identity, Inequality
from theorems.vocabulary import (
    Delta_1,
    L,
    T,
    alpha,
    d_1,
    eta,
    l_g1,
    mu,
    mu_g,
    sigma_bar,
    sigma_g1,
    sigma_phi_bar,
    sigma_phi_low,
    sigma_x_bar,
    sigma_x_low,
    sigma_y,
)

a, b, c, s, m = symbols("a b c s m", nonnegative=True)
factor = Symbol("factor", positive=True)
THIRD = 3 * sqrt(E)


def collected(first: Expr, bar: Expr, smooth: Expr, tail: Expr, more: Expr) -> Expr:
    """C from its parts: |hat-eps_1| <= `first`, noise at most `bar`, gradient of this smoothness, and 2 * `more`."""
    noise = bar * Lambda * noise_sum(bar, tail)
    return Delta_1 + 2 * first * FIRST + 2 * noise + 2 * smooth * MOVED + smooth / 2 * SQUARED + 2 * more


# --- Theorem 5.6 ----------------------------------------------------------------------------------------------------

SINGLE = link(
    "thm-5.6",
    "Last step of Theorem 5.6",
    "L523-541",
    "C collects the lemmas, and C/(T eta_T) is at most (C/eta) (T^(-1/2) + 2 sqrt(sigma_bar/alpha) T^(-1/4)).",
    (
        "lem-5.3",
        "lem-5.4",
        "lem-5.5",
        "lem-B.4",
        "lem-G.2a",
        "lem-G.2b",
        "lem-G.2c",
        "lem-G.2d",
        "lem-G.2e",
        "own-adaptivity",
    ),
    errata=("E1",),
    checks=(
        Identity(
            "C of the record",
            definition(theorem_5_6.PRINTED, C),
            collected(sigma_bar, sigma_bar, L, THIRD, 0),
        ),
        Identity(
            "C of the repaired record",
            definition(theorem_5_6.REPAIRED, C),
            collected(sigma_bar, sigma_bar, L, w, common.adaptivity_error(sigma_bar) / 2),
            form="repaired",
            erratum="E1",
        ),
        Inequality(
            "fourth root of alpha^2 + 4 sigma_bar^2 T",
            a**4 + 4 * s**4,
            (a + factor * s) ** 4,
            {a: NONNEGATIVE, s: NONNEGATIVE},
            constants=(Constant(factor, 2),),
            note="a = sqrt(alpha), s = sqrt(sigma_bar) T^(1/4); sqrt(2) would do.",
        ),
        Identity(
            "the display",
            definition(theorem_5_6.PRINTED, common.bound),
            C / (T * eta * sqrt(alpha) / sqrt(T)) * (sqrt(alpha) + 2 * sqrt(sigma_bar) * T ** Rational(1, 4)),
        ),
        AlongTrajectory(
            "steps shrink",
            Symbol("eta_t", positive=True),
            Symbol("eta_before", positive=True),
            on=("ada_minimax/sim-ledger-single",),
        ),
    ),
)

# --- Theorems 4.1 and 4.2 -------------------------------------------------------------------------------------------

PRINTED, REPAIRED = theorem_4_1.PRINTED, theorem_4_1.REPAIRED
L_Phi = theorem_4_1.L_Phi
SQUARE = Inequality(
    "|g_y|^2 as sigma^2 + L^2 d^2",
    (s + m) ** 2,
    s**2 + m**2,
    {s: NONNEGATIVE, m: NONNEGATIVE},
    expected="violated",
    erratum="E5",
    note="s = |g_y - grad_y f| <= sigma, m = |grad_y f| <= L d.",
)
SQUARES = Inequality(
    "|g_y|^2 as 2 sigma^2 + 2 L^2 d^2",
    (s + m) ** 2,
    factor * (s**2 + m**2),
    {s: NONNEGATIVE, m: NONNEGATIVE},
    constants=(Constant(factor, 2),),
    form="repaired",
    erratum="E5",
)
ROOTS = Inequality(
    "fourth root of a sum of three",
    a**4 + b**4 + c**4,
    (a + b + c) ** 4,
    {a: NONNEGATIVE, b: NONNEGATIVE, c: NONNEGATIVE},
)


def final(form, total: Expr) -> Identity:
    """bound = C/(T eta_(x,T)) with total = alpha^2 + sum |g_x - g~_x|^2 + sum |g_y|^2."""
    return Identity(
        "the repaired display",
        definition(form, common.bound),
        C / (T * eta * sqrt(alpha) / sqrt(T)) * total ** Rational(1, 4),
        form="repaired",
        erratum="E5",
    )


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
    errata=("E2", "E5"),
    checks=(
        Identity(
            "C of the record, G.3 once and first error sigma_x_bar",
            definition(PRINTED, C),
            collected(sigma_x_bar, sigma_x_bar, L_Phi, THIRD, BLOCKS / 2),
            expected="violated",
            erratum="E5",
            note="Even so the drift term differs: t_0 - 1 + e K in place of (t_0 - 1)(1 + e K).",
        ),
        Identity(
            "C of the record, as the lemmas give it",
            definition(PRINTED, C),
            collected(sigma_x_bar + L * d_1, sigma_x_bar, L_Phi, THIRD, BLOCKS),
            expected="violated",
            erratum="E5",
        ),
        Identity(
            "C of the repaired record",
            definition(REPAIRED, C),
            collected(
                sigma_x_bar + L * d_1,
                sigma_x_bar,
                L_Phi,
                w,
                common.adaptivity_error(sigma_x_bar) / 2 + BLOCKS_RIGHT,
            ),
            form="repaired",
            erratum="E5",
        ),
        AlongTrajectory(
            "first error at most sigma_x_bar",
            Symbol("hat_first", nonnegative=True),
            sigma_x_bar,
            on=("ada_minimax/sim-ledger-far",),
            expected="violated",
            erratum="E5",
        ),
        AlongTrajectory(
            "first error at most sigma_x_bar + L d_1",
            Symbol("hat_first", nonnegative=True),
            sigma_x_bar + L * d_1,
            on=("ada_minimax/sim-ledger-far", "ada_minimax/sim-ledger-minimax"),
            form="repaired",
            erratum="E5",
        ),
        SQUARE,
        SQUARES,
        ROOTS,
        final(REPAIRED, alpha**2 + 4 * sigma_x_bar**2 * T + 2 * sigma_y**2 * T + 2 * L**2 * h.Q_T),
        Inequality(
            "rounding of the main text",
            5 * s**2,
            (factor * s) ** 2 * 4,
            {s: POSITIVE},
            constants=(Constant(factor, 2),),
            note="(4 sigma^2 + sigma^2)^(1/4) <= 2 sqrt(sigma), s = sigma: 5 <= 16.",
        ),
    ),
)

LOW, BAR = sigma_phi_low, sigma_phi_bar
TO_BILEVEL = {sigma_x_low: LOW, sigma_x_bar: BAR, L: l_g1, mu: mu_g, sigma_y: sigma_g1}
L_f, L_F, nu = theorem_4_2.L_f, theorem_4_2.L_F, theorem_4_2.nu


def bilevel(block: Expr) -> Expr:
    """A block of Lemma G.3 for the bilevel case: L becomes L_f outside the distances and l_g1 inside them."""
    return (L_f * (block / L)).expand().xreplace(TO_BILEVEL)


RIGHT = blocks(bilevel(QUIET_RIGHT), bilevel(NOISY_RIGHT), LOW, BAR)
BILEVEL = link(
    "thm-4.2",
    "Last step of Theorem 4.2 (= E.6)",
    "L961-985",
    "As for Theorem 4.1, with the Neumann bias of Lemma G.4 in addition.",
    (
        *(
            "lem-E.3",
            "lem-E.4",
            "lem-E.5",
            "lem-5.4",
            "lem-5.5",
            "lem-5.7",
            "lem-G.2b",
            "lem-G.2c",
            "lem-G.2d",
            "lem-G.2e",
        ),
        *("lem-G.3", "lem-G.4", "own-adaptivity", "own-lifetime", "own-convex"),
    ),
    errata=("E2", "E5", "E13"),
    checks=(
        Identity(
            "C of the record, as the lemmas give it",
            definition(theorem_4_2.PRINTED, C),
            collected(
                BAR + L_f * d_1,
                BAR,
                L_F,
                THIRD,
                blocks(bilevel(QUIET), bilevel(NOISY), LOW, BAR) + theorem_4_2.NEUMANN_PRINTED,
            ),
            expected="violated",
            erratum="E5",
        ),
        Identity(
            "C of the repaired record",
            definition(theorem_4_2.REPAIRED, C),
            collected(
                BAR + L_f * d_1 + nu,
                BAR,
                L_F,
                w,
                common.adaptivity_error(BAR) / 2 + RIGHT + 2 * eta * sqrt(T) * nu,
            ),
            form="repaired",
            erratum="E13",
        ),
        SQUARE,
        SQUARES,
        ROOTS,
        final(theorem_4_2.REPAIRED, alpha**2 + 4 * BAR**2 * T + 2 * sigma_g1**2 * T + 2 * l_g1**2 * h.Q_T),
    ),
)

LEMMAS = (SINGLE, MINIMAX, BILEVEL)

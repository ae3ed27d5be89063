"""Last steps of Theorems 5.6, 4.1 and 4.2: C collects the lemmas, and C/(T eta_T); L511-541, L800-840, L945-985.

C = Delta_1 + 2 sum eta_t |hat-eps_t| + (smoothness/2) sum eta_t^2, where |hat-eps_t| splits as in Lemmas 5.3, D.2, E.4.
Each part is a sum of Lemma G.2, G.3 or G.4 times the bound of what is weighted. All of them enter with the factor 2.
"""

from sympy import E, Expr, Rational, Symbol, sqrt, symbols

from workbench.theory import vocabulary as v
from workbench.theory.lemma import (
    POSITIVE,
    AlongTrajectory,
    Constant,
    Identity,
    Inequality,
    misprint,
    nonnegative,
    positive,
)
from workbench.theory.record import Form
from workbench.theory.vocabulary import L, T, alpha, d_1, eta, sigma_bar, sigma_x_bar

from . import common, theorem_4_1, theorem_4_2, theorem_5_6
from .chain import FAR, ONE_LEVEL, SADDLE, factor, link
from .common import C, Lambda, bound, w
from .hierarchical import Q_T
from .lemmas_bias import BLOCKS, BLOCKS_REPAIRED, NOISY, NOISY_REPAIRED, QUIET, QUIET_REPAIRED, blocks
from .lemmas_step_sums import FIRST, MOVED, SQUARED, noise_sum
from .theorem_4_1 import L_Phi
from .theorem_4_2 import L_F, L_f, nu

a, b, c, s, m = symbols("a b c s m", nonnegative=True)
TAIL = 3 * sqrt(E)  # the printed tail of the noise; w after E9
PARTS = ("lem-5.4", "lem-5.5", "lem-G.2b", "lem-G.2c", "lem-G.2d", "lem-G.2e", "own-adaptivity")  # in every C
BIASED = (*PARTS, "lem-5.7", "lem-G.3", "own-lifetime", "own-convex")  # in C_m and C_b
# A point at which two sides differ need not be one that the theorem's definitions allow.
ONE_START = (
    "d_1 is on the right side only, with a positive coefficient: whatever the other values, the two sides agree for "
    "one d_1 at most."
)


def collected(first: Expr, bar: Expr, smooth: Expr, tail: Expr, more: Expr) -> Expr:
    """C from its parts: |hat-eps_1| <= `first`, noise at most `bar`, gradient of this smoothness, and 2 * `more`."""
    noise = bar * Lambda * noise_sum(bar, tail)
    return v.Delta_1 + 2 * first * FIRST + 2 * noise + 2 * smooth * MOVED + smooth / 2 * SQUARED + 2 * more


def over_steps(root: Expr) -> Expr:
    """C/(T eta_T) for alpha_T = alpha/`root`^2, that is eta_T = eta sqrt(alpha)/(`root` sqrt(T))."""
    return C / (T * eta * sqrt(alpha) / sqrt(T)) * root


SINGLE = link(
    "thm-5.6",
    "Last step of Theorem 5.6",
    "L523-541",
    r"$C$ collects the lemmas, and $C/(T \eta_T)$ is at most $(C/\eta) (T^{-1/2} + 2 \sqrt{\bar{\sigma}/\alpha} "
    "T^{-1/4})$.",
    ("lem-5.3", "lem-B.4", "lem-G.2a", *PARTS),
    Identity("C of the record", theorem_5_6.PRINTED[C], collected(sigma_bar, sigma_bar, L, TAIL, 0)),
    Identity(
        "C of the repaired record",
        theorem_5_6.REPAIRED[C],
        collected(sigma_bar, sigma_bar, L, w, common.adaptivity_error(sigma_bar) / 2),
    ).repaired("E1"),
    Inequality(
        "fourth root of alpha^2 + 4 sigma_bar^2 T",
        a**4 + 4 * s**4,
        (a + factor * s) ** 4,
        nonnegative(a, s),
        constants=(Constant(factor, 2),),
        note="a = sqrt(alpha), s = sqrt(sigma_bar) T^(1/4); sqrt(2) would do.",
    ),
    Identity(
        "the display",
        theorem_5_6.PRINTED[bound],
        over_steps(sqrt(alpha) + 2 * sqrt(sigma_bar) * T ** Rational(1, 4)),
    ),
    Inequality(
        "steps shrink, squared",
        alpha / (sqrt(alpha**2 + s + m) * (T + 1)),
        alpha / (sqrt(alpha**2 + s) * T),
        {**nonnegative(s, m), **positive(alpha, T)},
        note="s, m: the sum of squares up to t = T and the next square.",
    ),
    AlongTrajectory(
        "steps shrink", Symbol("eta_t", positive=True), Symbol("eta_before", positive=True), on=(ONE_LEVEL,)
    ),
)


def display(form: Form, bar: Expr, sigma: Expr, smooth: Expr) -> tuple:
    """bound = C/(T eta_(x,T)) with the sum of |g_y|^2 at most 2 sigma^2 T + 2 L^2 Q_T, and what the display needs."""
    total = alpha**2 + 4 * bar**2 * T + 2 * sigma**2 * T + 2 * smooth**2 * Q_T
    return (
        *misprint(
            "E5",
            Inequality(
                "|g_y|^2 as sigma^2 + L^2 d^2",
                (s + m) ** 2,
                s**2 + m**2,
                nonnegative(s, m),
                note="s = |g_y - grad_y f| <= sigma, m = |grad_y f| <= L d.",
            ),
            "|g_y|^2 as 2 sigma^2 + 2 L^2 d^2",
            rhs=factor * (s**2 + m**2),
            constants=(Constant(factor, 2),),
        ),
        Inequality(
            "fourth root of a sum of three", a**4 + b**4 + c**4, (a + b + c) ** 4, nonnegative(a, b, c)
        ),
        Identity("the repaired display", form[bound], over_steps(total ** Rational(1, 4))).repaired("E5"),
    )


MINIMAX = link(
    "thm-4.1",
    "Last step of Theorem 4.1 (= D.4)",
    "L816-840",
    r"$C$ collects the lemmas, and $C/(T \eta_{x,T})$ is bounded with $\sum \|g_y\|^2$ from Lemma C.3.",
    ("lem-D.2", "lem-D.3", *BIASED),
    Identity(
        "C of the record, G.3 once and first error sigma_x_bar",
        theorem_4_1.PRINTED[C],
        collected(sigma_x_bar, sigma_x_bar, L_Phi, TAIL, BLOCKS / 2),
        note="Even so the drift term differs: t_0 - 1 + e K in place of (t_0 - 1)(1 + e K).",
    ).refuted("E5"),
    *misprint(
        "E5",
        Identity(
            "C of the record, as the lemmas give it",
            theorem_4_1.PRINTED[C],
            collected(sigma_x_bar + L * d_1, sigma_x_bar, L_Phi, TAIL, BLOCKS),
            note=ONE_START,
        ),
        "C of the repaired record",
        lhs=theorem_4_1.REPAIRED[C],
        rhs=collected(
            sigma_x_bar + L * d_1,
            sigma_x_bar,
            L_Phi,
            w,
            common.adaptivity_error(sigma_x_bar) / 2 + BLOCKS_REPAIRED,
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
    *display(theorem_4_1.REPAIRED, sigma_x_bar, v.sigma_y, L),
    Inequality(
        "rounding of the main text",
        5 * s**2,
        (factor * s) ** 2 * 4,
        {s: POSITIVE},
        constants=(Constant(factor, 2),),
        note="(4 sigma^2 + sigma^2)^(1/4) <= 2 sqrt(sigma), s = sigma: 5 <= 16.",
    ),
)

LOW, BAR = v.sigma_phi_low, v.sigma_phi_bar
TO_BILEVEL = {v.sigma_x_low: LOW, sigma_x_bar: BAR, L: v.l_g1, v.mu: v.mu_g, v.sigma_y: v.sigma_g1}


def bilevel(block: Expr) -> Expr:
    """A block of Lemma G.3 for the bilevel case: L becomes L_f outside the distances and l_g1 inside them."""
    return (L_f * (block / L)).expand().xreplace(TO_BILEVEL)


BILEVEL = link(
    "thm-4.2",
    "Last step of Theorem 4.2 (= E.6)",
    "L961-985",
    "As for Theorem 4.1, with the Neumann bias of Lemma G.4 in addition.",
    ("lem-E.3", "lem-E.4", "lem-E.5", "lem-G.4", *BIASED),
    Identity(
        "C of the record, as the lemmas give it",
        theorem_4_2.PRINTED[C],
        collected(
            BAR + L_f * d_1,
            BAR,
            L_F,
            TAIL,
            blocks(bilevel(QUIET), bilevel(NOISY), LOW, BAR) + theorem_4_2.NEUMANN_PRINTED,
        ),
        note=ONE_START,
    ).refuted("E5"),
    Identity(
        "C of the repaired record",
        theorem_4_2.REPAIRED[C],
        collected(
            BAR + L_f * d_1 + nu,
            BAR,
            L_F,
            w,
            common.adaptivity_error(BAR) / 2
            + blocks(bilevel(QUIET_REPAIRED), bilevel(NOISY_REPAIRED), LOW, BAR)
            + 2 * eta * sqrt(T) * nu,
        ),
    ).repaired("E13"),
    *display(theorem_4_2.REPAIRED, BAR, v.sigma_g1, v.l_g1),
    errata=("E2",),
    note="The mutant without the indicator of noise differs only at sigma_phi_low = 0.",
)

LEMMAS = (SINGLE, MINIMAX, BILEVEL)

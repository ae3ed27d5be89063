"""Last step of Theorem 4.2 (= E.6): that of Theorem 4.1 with the bias of the Neumann sum; L945-985."""

from sympy import Expr, sqrt

from theorems.ada_minimax import common, theorem_4_2
from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import link
from theorems.ada_minimax.collected import ROOTS, SQUARES, THIRD, collected, final
from theorems.ada_minimax.common import C, w
from theorems.ada_minimax.lemmas_bias import NOISY, NOISY_RIGHT, QUIET, QUIET_RIGHT, blocks
from theorems.lemma import Identity
from theorems.vocabulary import (
    L,
    T,
    alpha,
    d_1,
    eta,
    l_g1,
    mu,
    mu_g,
    sigma_g1,
    sigma_phi_bar,
    sigma_phi_low,
    sigma_x_bar,
    sigma_x_low,
    sigma_y,
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
    Identity(
        "C of the record, as the lemmas give it",
        theorem_4_2.PRINTED[C],
        collected(
            BAR + L_f * d_1,
            BAR,
            L_F,
            THIRD,
            blocks(bilevel(QUIET), bilevel(NOISY), LOW, BAR) + theorem_4_2.NEUMANN_PRINTED,
        ),
    ).refuted("E5"),
    Identity(
        "C of the repaired record",
        theorem_4_2.REPAIRED[C],
        collected(
            BAR + L_f * d_1 + nu,
            BAR,
            L_F,
            w,
            common.adaptivity_error(BAR) / 2 + RIGHT + 2 * eta * sqrt(T) * nu,
        ),
    ).repaired("E13"),
    *SQUARES,
    ROOTS,
    final(theorem_4_2.REPAIRED, alpha**2 + 4 * BAR**2 * T + 2 * sigma_g1**2 * T + 2 * l_g1**2 * h.Q_T),
    errata=("E2",),
    note="The mutant without the indicator of noise differs only at sigma_phi_low = 0.",
)

LEMMAS = (BILEVEL,)

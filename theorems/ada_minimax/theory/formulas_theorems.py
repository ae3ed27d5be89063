"""C of Theorems 5.6, 4.1 and 4.2: the records', and what the lemmas give."""

from sympy import E, Expr, sqrt

from workbench import vocabulary as v
from workbench.vocabulary import L, T, d_1, eta, sigma_bar, sigma_x_bar

from . import common, theorem_4_1, theorem_4_2, theorem_5_6
from .common import C, Lambda, bound, w
from .formulas_bias import BLOCKS, BLOCKS_REPAIRED, NOISY, NOISY_REPAIRED, QUIET, QUIET_REPAIRED, blocks
from .formulas_step_sums import FIRST, MOVED, SQUARED, noise_sum
from .theorem_4_1 import L_Phi
from .theorem_4_2 import L_F, L_f, nu

TAIL = 3 * sqrt(E)


def from_parts(first: Expr, bar: Expr, smooth: Expr, tail: Expr, more: Expr) -> Expr:
    """C from its parts: |hat-eps_1| <= `first`, noise at most `bar`, gradient of this smoothness, and 2 * `more`."""
    noise = bar * Lambda * noise_sum(bar, tail)
    return v.Delta_1 + 2 * first * FIRST + 2 * noise + 2 * smooth * MOVED + smooth / 2 * SQUARED + 2 * more


LOW, BAR = v.sigma_phi_low, v.sigma_phi_bar
TO_BILEVEL = {v.sigma_x_low: LOW, sigma_x_bar: BAR, L: v.l_g1, v.mu: v.mu_g, v.sigma_y: v.sigma_g1}


def bilevel(block: Expr) -> Expr:
    """A block of Lemma G.3 for the bilevel case: L becomes L_f outside the distances and l_g1 inside them."""
    return (L_f * (block / L)).expand().xreplace(TO_BILEVEL)


FORMULAS = {
    "C_5_6": theorem_5_6.PRINTED[C],
    "C_5_6_collected": from_parts(sigma_bar, sigma_bar, L, TAIL, 0),
    "C_5_6_repaired": theorem_5_6.REPAIRED[C],
    "C_5_6_collected_repaired": from_parts(
        sigma_bar, sigma_bar, L, w, common.adaptivity_error(sigma_bar) / 2
    ),
    "bound_5_6": theorem_5_6.PRINTED[bound],
    "C_4_1": theorem_4_1.PRINTED[C],
    "C_4_1_collected_once": from_parts(sigma_x_bar, sigma_x_bar, L_Phi, TAIL, BLOCKS / 2),
    "C_4_1_collected": from_parts(sigma_x_bar + L * d_1, sigma_x_bar, L_Phi, TAIL, BLOCKS),
    "C_4_1_repaired": theorem_4_1.REPAIRED[C],
    "C_4_1_collected_repaired": from_parts(
        sigma_x_bar + L * d_1,
        sigma_x_bar,
        L_Phi,
        w,
        common.adaptivity_error(sigma_x_bar) / 2 + BLOCKS_REPAIRED,
    ),
    "C_4_2": theorem_4_2.PRINTED[C],
    "C_4_2_collected": from_parts(
        BAR + L_f * d_1,
        BAR,
        L_F,
        TAIL,
        blocks(bilevel(QUIET), bilevel(NOISY), LOW, BAR) + theorem_4_2.NEUMANN_PRINTED,
    ),
    "C_4_2_repaired": theorem_4_2.REPAIRED[C],
    "C_4_2_collected_repaired": from_parts(
        BAR + L_f * d_1 + nu,
        BAR,
        L_F,
        w,
        common.adaptivity_error(BAR) / 2
        + blocks(bilevel(QUIET_REPAIRED), bilevel(NOISY_REPAIRED), LOW, BAR)
        + 2 * eta * sqrt(T) * nu,
    ),
    "bound_4_1_repaired": theorem_4_1.REPAIRED[bound],
    "bound_4_2_repaired": theorem_4_2.REPAIRED[bound],
}

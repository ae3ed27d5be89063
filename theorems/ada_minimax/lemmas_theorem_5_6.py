"""Last step of Theorem 5.6: C collects the lemmas, and C/(T eta_T); L511-541."""

from sympy import Rational, Symbol, sqrt, symbols

from theorems.ada_minimax import common, theorem_5_6
from theorems.ada_minimax.chain import ONE_LEVEL, link
from theorems.ada_minimax.collected import THIRD, collected
from theorems.ada_minimax.common import C, w
from theorems.lemma import AlongTrajectory, Constant, Identity, Inequality, nonnegative
from theorems.vocabulary import L, T, alpha, eta, sigma_bar

a, s = symbols("a s", nonnegative=True)
factor = Symbol("factor", positive=True)

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
    Identity("C of the record", theorem_5_6.PRINTED[C], collected(sigma_bar, sigma_bar, L, THIRD, 0)),
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
        theorem_5_6.PRINTED[common.bound],
        C / (T * eta * sqrt(alpha) / sqrt(T)) * (sqrt(alpha) + 2 * sqrt(sigma_bar) * T ** Rational(1, 4)),
    ),
    AlongTrajectory(
        "steps shrink", Symbol("eta_t", positive=True), Symbol("eta_before", positive=True), on=(ONE_LEVEL,)
    ),
)

LEMMAS = (SINGLE,)

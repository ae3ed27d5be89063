"""Weight of the noise: Lemma G.2 (c), L1255, L1286-1306.

c_2 = 4 sigma_bar^2/alpha^2. At high noise, c_2 > t_0 - 1, the proof needs a tail w in place of 3 sqrt(e) (E9).
"""

from sympy import E, Le, Rational, Symbol, log, sqrt, symbols

from theorems.ada_minimax import common
from theorems.ada_minimax.chain import link
from theorems.ada_minimax.lemmas_step_sums import formed, harmonic
from theorems.lemma import (
    NONNEGATIVE,
    POSITIVE,
    Constant,
    Identity,
    Inequality,
    Lemma,
    at_least,
    closed,
    misprint,
)
from theorems.vocabulary import T, sigma_bar


def at_t_0() -> Lemma:
    y, c, factor = symbols("y c factor", positive=True)
    b = Symbol("b", nonnegative=True)
    return link(
        "step-G.2c",
        "Use of Lemma G.1(c) in the proof of Lemma G.2(c)",
        "L1286-1289",
        "The condition of Lemma G.1(c) holds at a = t_0, p = 1, q = 1/2, whatever the noise.",
        ("lem-G.1c",),
        *misprint(
            "E9",
            Inequality(
                "condition of Lemma G.1(c) at a = t_0, p = 1, q = 1/2",
                c**2,
                1 + (b - 1) * c,
                {c: POSITIVE, b: at_least(400)},
                note="(1/2) c_2 (1 + (t_0 - 1) c_2)^(-1/2) <= 1/2, b = t_0: fails at high noise, 4 "
                "sigma_bar^2/alpha^2 > t_0.",
                witness={c: Rational(1600), b: Rational(659)},
            ),
            "the same for c_2 <= t_0 - 1",
            given=(Le(c, b - 1),),
        ),
        # w: for t <= 1 + c_2 the sum of bar-alpha_k^2 alone, beyond it Lemma G.1(c) as corrected.
        Inequality(
            "before 1 + c_2",
            sqrt(1 + c * (y + 1)),
            factor / 1000 * c,
            {c: closed(400, 10**9), y: closed(1, 10**9)},
            given=(Le(y, 1 + c),),
            constants=(Constant(factor, 1003),),
            note="y = t, so sum bar-alpha^2 <= (4 kappa^2/c_2) log T is at most 4.2 kappa^2 log T (1 + c_2 "
            "(t+1))^(-1/2).",
        ).repaired("E9"),
        Identity(
            "w of the record beyond that",
            sqrt((8 * E + Rational(42, 10) * log(T)) / 2),
            dict(common.repair_constants(sigma_bar))[common.w].args[1][0],
        ).repaired("E9"),
        note="Where it fails, 3 sqrt(e) becomes w = sqrt(4 e + 2.1 log T) in C.",
    )


def spread() -> Lemma:
    b = Symbol("b", nonnegative=True)
    factor = Symbol("factor", positive=True)
    return link(
        "lem-G.2c",
        "Weight of the noise",
        "L1255, L1286-1306",
        "The sum of eta_t sqrt(sum bar-beta^2 bar-alpha^2) is at most eta (t_0 - 1 + 2 e sqrt(t_0 - 2) K + 3 sqrt(e) "
        "kappa alpha/sigma_low log T).",
        ("lem-G.1c", "lem-G.2a", "step-G.2c"),
        Inequality(
            "3 sqrt(e) from 12 e kappa^2",
            sqrt(12) * b,
            factor * sqrt(2) * b,
            {b: NONNEGATIVE},
            constants=(Constant(factor, 3),),
            note="sqrt(12) (c_1 c_2)^(-1/4) = sqrt(6) alpha/sqrt(sigma_low sigma_bar); G.1(c) gives 8 in place of 12.",
        ),
        harmonic(),
        formed("c"),
        note="8 would do for 12. No run was seen to violate the printed sum; only its proof is incomplete.",
    )


LEMMAS = (at_t_0(), spread())

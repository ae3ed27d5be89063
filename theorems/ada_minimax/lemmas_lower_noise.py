"""Noise of the lower level: Lemmas C.1 and C.2, L551-626.

Minimax is read as bilevel with g = -f, so y descends on g. The decorrelated step divides by sqrt(G^2 + m^2) with
m = |grad_y g| and G = G_(k-1), both known before the sample.
"""

from sympy import Expr, Le, Symbol, log, sqrt, symbols

from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import DELTA, DRIFT, SADDLE, link
from theorems.ada_minimax.theorem_4_1 import PRINTED
from theorems.lemma import (
    NONNEGATIVE,
    AlongTrajectory,
    Identity,
    Inequality,
    Lemma,
    WithProbability,
    at_least,
    misprint,
    positive,
)
from theorems.vocabulary import L, T, delta, eta, gamma, mu, sigma_y

t = Symbol("t", positive=True)  # the iteration of the record

d_prime = Symbol("d_prime", nonnegative=True)
noise_sum = Symbol("noise_sum", real=True)
eta_y, gamma_seen = symbols("eta_y gamma", positive=True)
RHO = 1 + L / mu


def concentration(rate: Expr) -> Expr:
    """2 d' sqrt(A_t(delta') sum eta^2 e^2 + (eta/gamma)^2 sigma^2 B_t(delta')), delta' = delta/rate, T = t."""
    ell = log(60 * log(6 * t) * rate / DELTA)
    return 2 * d_prime * sqrt(16 * ell * noise_sum + (eta_y / gamma_seen * sigma_y) ** 2 * 16 * ell**2)


def doubling() -> Lemma:
    G, P, step = symbols("G P step", positive=True)
    m, d_t, d_next = symbols("m d_t d_next", nonnegative=True)
    return link(
        "step-C.1",
        "Number of scales in the proof of Lemma C.1",
        "L567-568",
        "d_(k+1) <= d_k + eta, so that log2(4T) doublings of d'_1 cover every distance.",
        ("asm-3.1", "lem-D.1", "lem-E.1"),
        *misprint(
            "E4",
            AlongTrajectory(
                "growth of the distance",
                d_next,
                d_t + eta_y,
                on=(DRIFT,),
                note="L567: d_(k+1) <= d_k + eta leaves out that y* moves by up to (L/mu) eta_x.",
            ),
            "growth of the distance, y* moving",
            rhs=d_t + RHO * eta_y,
            on=(DRIFT, SADDLE),
        ),
        Inequality(
            "number of doublings, y* moving",
            m + G * step * (t - 1),
            G * t * P,
            {G: at_least(1), t: at_least(1), m: NONNEGATIVE, **positive(step, P)},
            given=(Le(m, P), Le(step, P)),
            note="m = d_1, step = eta, P = d'_1 = max(d_1, eta), G = rho: d'_t <= rho t d'_1, so log2(4 rho T) "
            "scales a_s = 2^(s-1) d'_1 suffice. The logarithm has base 2.",
        ).repaired("E4"),
    )


def martingale() -> Lemma:
    G, step = symbols("G step", positive=True)
    m = Symbol("m", nonnegative=True)
    mart, mart_2 = symbols("mart mart_2", real=True)
    DECORRELATED = sqrt(G**2 + m**2)
    return link(
        "lem-C.1",
        "Noise of the lower level along the error",
        "L551-614",
        "With probability 1 - 2 delta, for all t <= T, the sum of hat-eta_k <grad_y g - g_y, y_k - y*_k> is at most 2 "
        "d'_t sqrt(A_t(delta') sum eta_(k-1)^2 e_k^2 + eta_0^2 sigma^2 B_t(delta')), delta' = delta/log(4T), d'_t = "
        "max(d_1, ..., d_t, eta); with hat-eta_k^2, an additional factor eta_0.",
        ("lem-A.1", "step-C.1", "asm-3.2", "asm-3.4"),
        Inequality(
            "the decorrelated step looks back",
            step / DECORRELATED,
            step / G,
            {m: NONNEGATIVE, **positive(G, step)},
        ),
        WithProbability(
            "along runs",
            mart,
            concentration(log(4 * t)),
            on=(SADDLE,),
            probability=1 - 2 * DELTA,
            erratum="E4",
        ),
        WithProbability(
            "along runs, base 2 and rho",
            mart,
            concentration(log(4 * RHO * t) / log(2)),
            on=(SADDLE,),
            probability=1 - 2 * DELTA,
        ).repaired("E4"),
        WithProbability(
            "squared steps along runs",
            mart_2,
            eta_y / gamma_seen * concentration(log(4 * t)),
            on=(SADDLE,),
            probability=1 - 2 * DELTA,
            erratum="E4",
        ),
        note="The paper bounds X_k^(s) from above only; |X| <= 1 holds as well, by (18).",
    )


RATIO = (sigma_y / gamma) ** 2
C_2 = 2 * eta**2 * log(1 + RATIO * T / 2) + 7 * eta**2 * RATIO * log(T / delta)
SQUARES = link(
    "lem-C.2",
    "Noise of the lower level in squares",
    "L616-626",
    "With probability 1 - 2 delta, for all t <= T, sum eta_(y,k-1)^2 |grad_y g - g_y|^2 is at most C_2.",
    ("asm-3.2", "asm-3.4"),
    Identity("C_2 of Theorem 4.1", PRINTED[h.C_2], C_2),
    WithProbability(
        "along runs",
        noise_sum,
        C_2.xreplace({eta: eta_y, gamma: gamma_seen, T: t, delta: DELTA}),
        on=(SADDLE,),
        probability=1 - 2 * DELTA,
    ),
    quoted=True,
)

LEMMAS = (doubling(), martingale(), SQUARES)

"""The largest distance D: Eqs. (21), (34), (35), L632-633, L734-744.

The recursion (24) is summed, its martingale bounded by `eq-31`, and d_t <= D follows by induction.
"""

from sympy import Expr, Le, Symbol, log, symbols

from theorems.ada_minimax import hierarchical as h
from theorems.ada_minimax.chain import DELTA, FAR, SADDLE, link, measured
from theorems.ada_minimax.common import A_T, B_T
from theorems.ada_minimax.hierarchical import C_1, C_2, D
from theorems.ada_minimax.theorem_4_1 import PRINTED, REPAIRED
from theorems.lemma import (
    NONNEGATIVE,
    POSITIVE,
    Constant,
    Identity,
    Inequality,
    WithProbability,
    closed,
    misprint,
    nonnegative,
)
from theorems.vocabulary import L, T, alpha, d_1, eta, gamma, mu, sigma_y

d_bar, d_next, rest, z = symbols("d_bar d_next rest z", nonnegative=True)
t = Symbol("t", positive=True)
factor = Symbol("factor", positive=True)

RISE = mu * eta / gamma
STEP_NOISE = (eta * sigma_y / gamma) ** 2


def budget(c_1: Expr, a_t: Expr, b_t: Expr) -> Expr:
    """Everything but d_bar^2/2 on the right of (24): what (21) calls D^2."""
    motion = eta * L**2 / mu**3 * (mu * eta + alpha + gamma) * (1 + log(T))
    young = eta**2 / 4 + 4 * (1 + 2 * RISE) ** 2 * C_2**2 / eta**2
    return d_1**2 + (1 + RISE) * c_1 + motion + young + 16 * (1 + RISE) ** 2 * (a_t * C_2 + STEP_NOISE * b_t)


d_t, weighted = symbols("d_t sum_mu_eta_d2", nonnegative=True)


D_SEEN, D_RIGHT = (measured(form, D, eta="eta_y") for form in (PRINTED, REPAIRED))
FOUR = 1 - 4 * DELTA

REACH = link(
    "eq-34",
    "Distances stay below D",
    "Eqs. (21), (34), (35), L632-633, L734-744",
    "With probability 1 - 4 delta, for all t <= T + 1, d_t <= D and sum mu eta_(y,k) d_k^2 <= D^2.",
    ("eq-24", "eq-31", "eq-33", "step-A.4", "lem-C.1", "lem-C.2"),
    Identity("D of the record", PRINTED[D] ** 2, budget(C_1, A_T, B_T)),
    Identity(
        "D of the repaired record", REPAIRED[D] ** 2, 2 * budget(eta**2 * C_1, h.A_rho, h.B_rho)
    ).repaired("E4"),
    *misprint(
        "E4",
        Inequality(
            "(i) the sum is D^2, not D^2/2",
            d_next**2,
            d_bar**2 / 2 + rest / 2,
            nonnegative(d_next, d_bar, rest),
            given=(Le(d_next**2, d_bar**2 / 2 + rest),),
            note="rest is the sum that (21) calls D^2; (34) goes on with D^2/2.",
            witness={d_next: 1, d_bar: 0, rest: 1},
        ),
        "(i) with D^2 twice the sum",
        rhs=d_bar**2 / 2 + factor * rest / 2,
        constants=(Constant(factor, 2),),
    ),
    *misprint(
        "E4",
        Inequality(
            "(ii) sum eta_y^2 |g_y|^2 against C_1",
            eta**2 * z,
            C_1,
            {eta: POSITIVE, z: NONNEGATIVE, C_1: POSITIVE},
            given=(Le(z, C_1),),
            note="z = sum |g_y|^2/G^2 is what Lemma A.4 bounds; eta_y = eta/G.",
        ),
        "(ii) against eta^2 C_1",
        rhs=eta**2 * C_1,
    ),
    *misprint(
        "E4",
        Inequality(
            "(v) A_t(delta/log(4T)) against A_T(delta)",
            log(6 * t) * log(4 * T),
            log(6 * T),
            {t: closed(1, 1000), T: closed(1, 1000)},
            given=(Le(t, T),),
            note="A = 16 log(60 times this over delta); false for every t <= T.",
        ),
        "(v) the other way round, for every t",
        lhs=log(6 * T),
        rhs=log(6 * t) * log(4 * T),
    ),
    Inequality(
        "the induction closes",
        d_bar**2 / 2 + D**2 / 2,
        D**2,
        {d_bar: NONNEGATIVE, D: POSITIVE},
        given=(Le(d_bar, D),),
    ),
    WithProbability("d_t <= D along runs", d_t, D_SEEN, on=(SADDLE, FAR), probability=FOUR, erratum="E4"),
    WithProbability(
        "d_t <= D along runs, repaired", d_t, D_RIGHT, on=(SADDLE, FAR), probability=FOUR
    ).repaired("E4"),
    WithProbability("Eq. (35) along runs", weighted, D_RIGHT**2, on=(SADDLE, FAR), probability=FOUR).repaired(
        "E4"
    ),
    note="No run was seen to violate the printed (21); only its proof is wrong.",
)

LEMMAS = (REACH,)

"""Lemmas 4-6 and Theorem 1. L489-608.

Checked here are the inequalities behind the closed bounds of the suprema (15); `theorems.ir_cg.suprema` encloses their
values.
"""

from sympy import Expr, Rational, sqrt, symbols

from theorems.ir_cg import theorem_1
from theorems.ir_cg.chain import C_STORM, ONE_SAMPLE, likely, link, logarithm, measured, seen
from theorems.ir_cg.common import C, C_bar, noise, sigma_T, smooth
from theorems.ir_cg.constants import D, c
from theorems.lemma import (
    Identity,
    Inequality,
    above,
    at_least,
    closed,
    nonnegative,
    opened,
    positive,
)

G_next, Fz_gap, Gz_gap, sigma_next = seen("G_next", "Fz_gap", "Gz_gap", "sigma_next")
p, s, x, y = symbols("p s x y", positive=True)  # s = 1/t
a, r, u, V = symbols("a r u V", nonnegative=True)
OWN_OUTER, OWN_INNER = theorem_1.OUTER.form("own"), theorem_1.INNER.form("own")
REPAIRED_OUTER, REPAIRED_INNER = theorem_1.OUTER.form("repaired"), theorem_1.INNER.form("repaired")


def at_c(e: Expr) -> Expr:
    """The expression at the admissible value of Lemma 3's constant c."""
    return e.xreplace({c: C_STORM})


DRIFT = link(
    "own-drift",
    "The ratio in (15a) decreases",
    "this project, for L489 and L572-578",
    "The ratio in C is 2 sum of i^(1-p)/(t (t+1)^(1-p)) - 1, i <= t, which decreases in t: its supremum is 2^p - "
    "1, and C = 2^p (Delta_F + (varsigma L_f + L_g) D^2/varsigma).",
    ("eq-S",),
    Identity(
        "i/(t+1) as a mean",
        x / (y + 1),
        (1 - x / (y + 1)) * x / (y + 2) + x / (y + 1) * (x + 1) / (y + 2),
        note="x = i, y = t; then concavity of u^(1-p).",
    ).own(),
    Identity(
        "weights collected",
        (1 - x / (y + 1)) + (x - 1) / (y + 1),
        y / (y + 1),
        note="the total weight of (i/(t+2))^(1-p), from i and i - 1, is t/(t+1), the ratio of the two prefactors.",
    ).own(),
    Inequality("value at t = 1 below the printed 2 p", 2**p - 1, 2 * p, {p: opened(0, 1)}).own(),
)

GROWTH = (1 + s) ** p - 1
KEPT = (1 - s) * (1 + s) ** (2 * p - 1)

SPREAD = link(
    "own-spread",
    "V is at most p/min(1, 2 (1 - p))",
    "this project, for L492 and L584-596",
    "V_t = a_t + r_t V_(t-1) with a_t = (1+1/t)^p - 1, r_t = (1-1/t) (1+1/t)^(2p-1). From a_t <= p/t and 1 - r_t "
    ">= min(1, 2 - 2p)/t it follows that V <= p/min(1, 2 - 2p), half of Lemma 6; for p >= 1/2 that is the limit.",
    ("asm-Condition 1",),
    Identity(
        "one step of the ratio",
        (y + 1) * y * (y ** (-p) - (y + 1) ** (-p)) * (y + 1) ** (-p) / ((y + 1) * y * (y + 1) ** (-2 * p)),
        ((y + 1) / y) ** p - 1,
    ).own(),
    Inequality(
        "invariant",
        a + r * V,
        u,
        {r: closed(0, 1), **nonnegative(a, V, u)},
        given=(a <= (1 - r) * u, u >= V),
    ).own(),
    *(
        Inequality(f"a_t <= p/t, p = {value}", GROWTH.subs(p, value), value * s, {s: opened(0, 1)}).own()
        for value in (Rational(1, 4), Rational(1, 2), Rational(3, 4))
    ),
    Inequality("1 - r_t >= 1/t, p = 1/4", s, (1 - KEPT).subs(p, Rational(1, 4)), {s: opened(0, 1)}).own(),
    Inequality(
        "1 - r_t >= (2 - 2p)/t, p = 3/4", s / 2, (1 - KEPT).subs(p, Rational(3, 4)), {s: opened(0, 1)}
    ).own(),
)

LEM_4 = link(
    "lem-4",
    "Inner gap of the last iterate",
    "Lemma 4, L494-511",
    "With probability 1 - delta, for all t >= 1, G(x_t) - G_opt <= C_delta sigma_t.",
    ("prop-1", "prop-2", "own-drift"),
    Inequality("the 8 in (15b)", 4 * (x + 1) / x, 8, {x: at_least(1)}),
    Inequality(
        "at t = 0",
        1,
        u,
        {u: closed(0, Rational(1, 1000))},
        witness={u: Rational(1, 1000)},
        note="X = [0, 1], G = x, F = 0, exact gradients, x_0 = 1: the gap is 1, and C_delta = u is "
        "arbitrarily small.",
    ).refuted("I14"),
    likely(
        "along runs, c admissible",
        G_next,
        at_c(measured(REPAIRED_INNER, C) + measured(REPAIRED_INNER, C_bar)) * sigma_next,
        on=ONE_SAMPLE,
        note="t >= 1",
    ).repaired("I14"),
    likely(
        "along runs, explicit",
        G_next,
        (measured(OWN_INNER, C) + measured(OWN_INNER, C_bar)) * sigma_next,
        on=ONE_SAMPLE,
    ).own(),
    errata=("I3",),
)

A, B = smooth, noise  # (sigma_0 L_f + L_g), (sigma_0 sigma_f + sigma_g)
LEM_5 = link(
    "lem-5",
    "Both levels of the average",
    "Lemma 5, L515-544",
    "With probability 1 - delta, for all t >= 1: F(z_t) - F_opt is at most the outer bound of Theorem 1, and "
    "G(z_t) - G_opt <= C_delta (1 + V) sigma_t.",
    ("lem-4", "eq-S", "prop-1", "prop-2"),
    Inequality(
        "printed constant against the one derived",
        8 * (4 * A * D**2 + 3 * B * D),
        4 * (4 * A * D + 3 * B),
        {**nonnegative(A), **positive(B, D)},
        witness={A: 0, B: 1, D: 1},
    ).refuted("I1"),
    Identity(
        "derived constant",
        4 * D * (4 * A * D + 3 * B) * 2,
        8 * (4 * A * D**2 + 3 * B * D),
        note="4 D from (12), (t+1)^(3/2)/((t+1) t) <= 2 (t+1)^(-1/2).",
    ).repaired("I1"),
    Identity(
        "the record's noise term",
        REPAIRED_OUTER.bound,
        2 * A * D**2 / ((theorem_1.T + 1) * sigma_T)
        + 8 * c * (4 * A * D**2 + 3 * B * D) / (sqrt(theorem_1.T + 1) * sigma_T) * theorem_1.ell,
    ).repaired("I1"),
    likely("outer level along runs", Fz_gap, at_c(measured(REPAIRED_OUTER)), on=ONE_SAMPLE).repaired("I1"),
    errata=("I3",),
)

LEM_6 = link(
    "lem-6",
    "Closed bounds of the suprema",
    "Lemma 6, L548-604",
    "C <= (1 + 2p) Delta_F + 2 (varsigma L_f + L_g) D^2/varsigma, V <= 2p/min(1, 2 (1 - p)), and for p < 1/2 "
    "C_bar is at most 4 c (8 (...) D^2 + 6 (...) D) sqrt(2/((1 - 2p) e) + log(8 d/delta)).",
    ("own-drift", "own-spread"),
    *logarithm(),
    Identity(
        "factors of (ii) as proved", 8 * (4 * A * D**2 + 3 * B * D), 4 * (8 * A * D**2 + 6 * B * D)
    ).repaired("I2"),
    Inequality(
        "factors of (ii) as stated",
        8 * (4 * A * D**2 + 3 * B * D),
        4 * (8 * A * D**2 + 3 * B * D),
        {**nonnegative(A, B), **positive(D)},
        witness={A: 0, B: 1, D: 1},
    ).refuted("I2"),
    Inequality(
        "last step of (i) for p = 3/4",
        x ** Rational(1, 2) * (x + 1) ** Rational(1, 2),
        x,
        {x: above(0)},
        witness={x: 1},
        note="t^(2-2p)/(t (t+1)^(1-2p)) <= 1 multiplied by t, at p = 3/4.",
    ).refuted("I6"),
    Inequality(
        "its result", p / (2 - 2 * p), p / (1 - p), {p: opened(0, 1)}, note="with `own-spread`"
    ).repaired("I6"),
)

THM_1_OUTER = link(
    "thm-1-outer",
    "Theorem 1, outer level",
    "Theorem 1, L160-164, L606-608",
    "The outer bound of Theorem 1.",
    ("lem-5", "lem-6"),
    likely("along runs, explicit", Fz_gap, measured(OWN_OUTER), on=ONE_SAMPLE).own(),
)
THM_1_INNER = link(
    "thm-1-inner",
    "Theorem 1, inner level",
    "Theorem 1, L160-164, L606-608",
    "The inner bound of Theorem 1.",
    ("lem-5", "lem-6"),
    likely("along runs, c admissible", Gz_gap, at_c(measured(REPAIRED_INNER)), on=ONE_SAMPLE).repaired("I2"),
    likely("along runs, explicit", Gz_gap, measured(OWN_INNER), on=ONE_SAMPLE).own(),
)

LEMMAS = (DRIFT, SPREAD, LEM_4, LEM_5, LEM_6, THM_1_OUTER, THM_1_INNER)

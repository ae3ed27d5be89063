"""The Neumann estimate: Lemmas E.2 and E.3, L875-915.

The Hessian is symmetric, so the powers of I - Hessian/l_g1 act on eigenvalues h in [mu_g, l_g1]; what is stated for a
norm is stated here for one eigenvalue, with x = 1 - h/l_g1.
"""

from sympy import Expr, IndexedBase, Le, Product, Rational, Symbol, symbols

from theorems.ada_minimax import theorem_4_2
from theorems.ada_minimax.chain import B1, link
from theorems.ada_minimax.theorem_4_2 import LEVER, sigma_phi_equation_40, sigma_phi_proof, sigma_phi_safe
from theorems.lemma import (
    UNIT,
    AlongTrajectory,
    Identity,
    Inequality,
    closed,
    misprint,
    nonnegative,
    positive,
)
from theorems.vocabulary import N, l_f0, l_g1, mu_g, sigma_f, sigma_g2

x, y = symbols("x y", nonnegative=True)
h, l, s = symbols("h l s", positive=True)
n, k = symbols("n k", integer=True, nonnegative=True)
partial = IndexedBase("partial")
sampled = symbols("h_1", real=True)

NEUMANN = link(
    "lem-E.2",
    "Bias of the truncated Neumann sum",
    "L875-880",
    "|H_yy| is at most 1/mu_g, the mean of H_yy differs from the inverse Hessian by (1 - mu_g/l_g1)^N/mu_g at most, "
    "and the mean of the estimate from bar-grad f by l_g1 l_f0/mu_g (1 - mu_g/l_g1)^N at most.",
    ("asm-3.3", "asm-3.4"),
    Identity(
        "geometric sum",
        partial[n],
        (1 - Product(x, (k, 1, n)) * (1 - (1 - x) * partial[0])) / (1 - x),
        n=n,
        start=0,
        recursion={partial[n + 1]: 1 + x * partial[n]},
        note="l_g1 times the mean of H_yy after n terms; partial[0] = 0, and 1 - x = h/l_g1.",
    ),
    Inequality(
        "the mean is at most the inverse",
        (1 - y) * x,
        x,
        {x: UNIT, y: UNIT},
        note="y = (1 - h/l_g1)^N, x = 1/h up to a scale.",
    ),
    Inequality(
        "bias of one eigenvalue",
        x * (1 - h / l) / h,
        y * (1 - s / l) / s,
        {x: UNIT, y: UNIT, **positive(s, h, l)},
        given=(Le(s, h), Le(h, l), Le(x, y)),
        note="(1 - h/l)^N/h <= (1 - mu/l)^N/mu with s = mu_g and x, y the powers N - 1.",
    ),
    *misprint(
        "E7",
        Inequality(
            "a sampled Hessian, N = 2",
            1 + (1 - sampled / l),
            l / s,
            {sampled: closed(-10, 10), **positive(l, s)},
            given=(Le(s, l), Le(sampled, l)),
            witness={sampled: Rational(1, 10), l: Rational(6, 5), s: Rational(1)},
            note="l_g1 H_yy for one sample h_1; bounds on the exact Hessian do not keep h_1 above mu_g.",
        ),
        "a sampled Hessian above mu_g, N = 2",
        given=(Le(s, sampled), Le(sampled, l)),
    ),
    Identity("nu of the record", theorem_4_2.BIAS[1], LEVER * (1 - mu_g / l_g1) ** N),
    AlongTrajectory(
        "along runs",
        Symbol("neumann_norm", nonnegative=True),
        LEVER * (1 - mu_g / l_g1) ** N,
        on=(B1,),
    ),
    quoted=True,
)

gradient, inverse, spread = symbols("gradient inverse spread", nonnegative=True)
df, dv, dJ = symbols("df dv dJ", nonnegative=True)  # sampling errors of grad_x F, grad_y F and d2_xy g
PARTS = df + dJ * inverse * gradient + l_g1 * spread * gradient + l_g1 / mu_g * dv
BOX = nonnegative(df, dv, dJ, inverse, gradient, spread, sigma_f, sigma_g2, l_f0)
BOX |= positive(l_g1, mu_g)
SAMPLES = (Le(df, sigma_f), Le(dv, sigma_f), Le(dJ, sigma_g2), Le(mu_g * inverse, 1), Le(mu_g * spread, 2))
noisy = Symbol("sigma_g2", positive=True)


def parts_bounded(slope: Expr) -> Expr:
    """Sum of the bounds of the four parts with Hessian noise, for |grad_y F| <= `slope`."""
    return sigma_f + slope * sigma_g2 / mu_g + 2 * l_g1 * slope / mu_g + l_g1 * sigma_f / mu_g


NOISE = link(
    "lem-E.3",
    "Noise of the hypergradient estimate",
    "Eq. (40), L881-915",
    "The estimate differs from its mean by at most sigma_phi_bar = sigma_f + (2 l_g1 l_f0/mu_g) I(sigma_g2 > 0) + 2 "
    "l_g1 l_f0/mu_g + l_g1 sigma_f/mu_g.",
    ("lem-E.2", "asm-3.3", "asm-3.4"),
    *misprint(
        "E8",
        Identity(
            "(40) collects the four parts",
            sigma_phi_equation_40(),
            sigma_phi_proof(),
            note="The third term of (40) has no noise factor; its own proof ends in l_f0 sigma_g2/mu_g.",
        ),
        "the proof's last line collects the four parts",
        lhs=sigma_phi_proof().subs(sigma_g2, noisy),
        rhs=parts_bounded(l_f0).subs(sigma_g2, noisy),
    ),
    *misprint(
        "E7",
        Inequality(
            "four parts, |grad_y F| <= l_f0",
            PARTS,
            parts_bounded(l_f0),
            BOX,
            given=(*SAMPLES, Le(gradient, l_f0 + sigma_f)),
            note="Assumption 3.3 bounds the mean of grad_y F by l_f0; a sample can be larger by sigma_f.",
            witness={
                **{a: Rational(1) for a in (df, dv, dJ, inverse, sigma_f, sigma_g2, l_f0, l_g1, mu_g)},
                gradient: Rational(2),
                spread: Rational(2),
            },
        ),
        "four parts, |grad_y F| <= l_f0 + sigma_f",
        rhs=parts_bounded(l_f0 + sigma_f),
    ),
    Identity(
        "the record's safe expression",
        sigma_phi_safe().subs(sigma_g2, noisy),
        parts_bounded(l_f0 + sigma_f).subs(sigma_g2, noisy),
    ).repaired("E7"),
    AlongTrajectory(
        "along runs", Symbol("noise_norm", nonnegative=True), sigma_phi_safe(), on=(B1,)
    ).repaired("E7"),
    note="All of it needs sampled Hessians between mu_g I and l_g1 I, which Assumption 3.4 does not say (E7).",
)

LEMMAS = (NEUMANN, NOISE)

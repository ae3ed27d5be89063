"""Smoothness of Phi (Lemmas D.1, E.1; L766-771, L864-874) and the Neumann estimate (Lemmas E.2, E.3; L875-915).

Differences of products are expanded one factor at a time. The norms of the pieces are numbers, and r is the distance of
the two points. For the bilevel case J, H, v stand for |d2_xy g|, the inverse Hessian and grad_y f.

The Hessian is symmetric, so the powers of I - Hessian/l_g1 act on eigenvalues h in [mu_g, l_g1]. A statement about a
norm is made here for one eigenvalue, with x = 1 - h/l_g1.
"""

from sympy import Expr, IndexedBase, Le, Product, Rational, Symbol, symbols

from workbench.theory.lemma import (
    POSITIVE,
    REAL,
    UNIT,
    AlongTrajectory,
    Identity,
    Inequality,
    misprint,
    nonnegative,
    positive,
)
from workbench.theory.vocabulary import L, N, l_f0, l_f1, l_g1, l_g2, mu, mu_g, sigma_f, sigma_g2

from . import theorem_4_1
from . import theorem_4_2 as record
from .chain import B1, B2, MATRICES, SADDLE, link
from .theorem_4_2 import L_F, LEVER, L_f

r, v, w, x, y = symbols("r v w x y", nonnegative=True)
H, G1, gradient, inverse, spread = symbols("H G_1 gradient inverse spread", nonnegative=True)
h, l, s = symbols("h l s", positive=True)
n, k = symbols("n k", integer=True, nonnegative=True)
bias_norm, d_t, drift_norm, travel = symbols("bias_norm d_t drift_norm travel", nonnegative=True)
SMOOTH = dict(record.smoothness())

MINIMAX = link(
    "lem-D.1",
    "Smoothness of Phi, minimax",
    "L766-771",
    r"$y^*$ is $L/\mu$-Lipschitz and $\Phi$ is $(\mu + L) L/\mu$-smooth.",
    ("asm-3.1",),
    Inequality(
        "y* is L/mu-Lipschitz",
        v,
        L * r / mu,
        {**nonnegative(v, r), **positive(L, mu)},
        given=(Le(mu * v**2, L * r * v),),
        note="mu v^2 <= <grad_y f(x_1, .) - grad_y f(x_2, .), ...> <= L r v at y*(x_2), with v = |y*_1 - y*_2| and r "
        "= |x_1 - x_2|.",
    ).states(),
    Inequality(
        "Phi is smooth",
        w,
        (mu + L) * L / mu * r,
        {**nonnegative(v, w, r), **positive(L, mu)},
        given=(Le(w, L * (r + v)), Le(mu * v, L * r)),
        note="grad Phi(x) = grad_x f(x, y*(x)); w is the difference of two of them.",
    ).states(),
    Identity("L_Phi of the record", theorem_4_1.L_PHI[1], L * (1 + L / mu)).arithmetic(),
    AlongTrajectory("bias along runs", bias_norm, L * d_t, on=(SADDLE,)),
    AlongTrajectory("gradients along runs", drift_norm, (mu + L) * L / mu * travel, on=(SADDLE,)),
    quoted=True,
)

dF, dJ, dv = symbols("dF dJ dv", nonnegative=True)  # norms of differences
NUMBERS = nonnegative(dF, dJ, dv, r, l_f0, l_f1, l_g1, l_g2) | {mu_g: POSITIVE}
NUMBERS[l_f1] = NUMBERS[l_g1] = POSITIVE
OPENED = dF + dJ * l_f0 / mu_g + l_g1 * dJ * l_f0 / mu_g**2 + l_g1 / mu_g * dv
BILEVEL = link(
    "lem-E.1",
    "Constants of the hypergradient",
    "Eqs. (38)-(39), L864-874",
    r"$\|\bar{\nabla} f(x, y) - \nabla \Phi(x)\|$ is at most $L_f \|y - y^*(x)\|$, $y^*$ is "
    r"$l_{g,1}/\mu_g$-Lipschitz, and $\Phi$ is $L_F$-smooth.",
    ("asm-3.3",),
    Inequality(
        "y* is l_g1/mu_g-Lipschitz",
        v,
        l_g1 * r / mu_g,
        {**nonnegative(v, r), **positive(l_g1, mu_g)},
        given=(Le(mu_g * v**2, l_g1 * r * v),),
        note="as in Lemma D.1",
    ).states(),
    Inequality(
        "the difference of inverse Hessians",
        H * dJ * G1,
        l_g2 * r / mu_g**2,
        {**nonnegative(H, G1, dJ, r, l_g2), mu_g: POSITIVE},
        given=(Le(mu_g * H, 1), Le(mu_g * G1, 1), Le(dJ, l_g2 * r)),
        note="H1^-1 - H2^-1 = H1^-1 (H2 - H1) H2^-1.",
    ).states(),
    Inequality(
        "a product of three factors",
        OPENED,
        SMOOTH[L_f] * r,
        NUMBERS,
        given=(Le(dF, l_f1 * r), Le(dv, l_f1 * r), Le(dJ, l_g2 * r)),
        note="d2_xy g, inverse Hessian and grad_y f changed one after the other; dJ bounds either second "
        "derivative.",
    ).states(),
    Identity(
        "L_f is what the products give",
        SMOOTH[L_f],
        l_f1 + l_f0 * l_g2 / mu_g + l_g1 * l_f0 * l_g2 / mu_g**2 + l_g1 * l_f1 / mu_g,
    ).states(),
    Identity(
        "L_F is L_f along (x, y*(x))",
        SMOOTH[L_F].xreplace({L_f: SMOOTH[L_f]}),
        (1 + l_g1 / mu_g) * SMOOTH[L_f],
        note="both points move: the distance in (x, y) is at most (1 + L_y) |x_1 - x_2|.",
    ).states(),
    AlongTrajectory("bias along runs", bias_norm, SMOOTH[L_f] * d_t, on=(B1, B2)),
    AlongTrajectory(
        "gradients along runs", drift_norm, SMOOTH[L_F].xreplace({L_f: SMOOTH[L_f]}) * travel, on=(B1, B2)
    ),
    quoted=True,
    note="grad Phi(x) is bar-grad f(x, y*(x)). B1 is scalar and has l_g2 = 0; B2 has d_x = 2, d_y = 3, l_g2 > 0.",
)

partial = IndexedBase("partial")
sampled = symbols("h_1", real=True)

NEUMANN = link(
    "lem-E.2",
    "Bias of the truncated Neumann sum",
    "L875-880",
    r"$\|H_{yy}\|$ is at most $1/\mu_g$, the mean of $H_{yy}$ differs from the inverse Hessian by $(1 - "
    r"\mu_g/l_{g,1})^N/\mu_g$ at most, and the mean of the estimate from $\bar{\nabla} f$ by $(l_{g,1} l_{f,0}/\mu_g) "
    r"(1 - \mu_g/l_{g,1})^N$ at most.",
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
    Inequality(
        "bias of the estimate",
        v * x * y,
        l_g1 * l_f0 * s,
        {**nonnegative(v, x, y, l_f0), **positive(l_g1, s)},
        given=(Le(v, l_g1), Le(x, s), Le(y, l_f0)),
        note="v = |d2_xy g|, x the bias of the mean of H_yy, s its bound, y = |grad_y f|: all three samples are "
        "independent.",
    ),
    Inequality(
        "a sampled Hessian, N = 2",
        1 + (1 - sampled / l),
        l / s,
        {sampled: REAL, **positive(l, s)},
        given=(Le(s, l), Le(sampled, l)),
        witness={sampled: Rational(1, 10), l: Rational(6, 5), s: Rational(1)},
        note="l_g1 H_yy for one sample h_1; bounds on the exact Hessian do not keep h_1 above mu_g.",
    )
    .states()
    .refuted("E7"),
    Inequality(
        "a sampled Hessian above mu_g, N = 2",
        1 + (1 - sampled / l),
        l / s,
        {sampled: REAL, **positive(l, s)},
        given=(Le(s, sampled), Le(sampled, l)),
    ).repaired("E7"),
    Identity("nu of the record", record.BIAS[1], LEVER * (1 - mu_g / l_g1) ** N).arithmetic(),
    AlongTrajectory(
        "along runs",
        Symbol("neumann_norm", nonnegative=True),
        LEVER * (1 - mu_g / l_g1) ** N,
        on=(B1, B2, MATRICES),
    ).states(),
    AlongTrajectory(
        "samples between mu_g and l_g1, in three dimensions",
        Symbol("H_norm", nonnegative=True),
        1 / mu_g,
        on=(MATRICES,),
    )
    .states()
    .repaired("E7"),
    quoted=True,
    note="Repaired: |H_yy| <= 1/mu_g where every sampled Hessian lies between mu_g I and l_g1 I. The bias needs no "
    "such assumption.",
)

df, dv, dJ = symbols("df dv dJ", nonnegative=True)  # sampling errors of grad_x F, grad_y F and d2_xy g
PARTS = df + dJ * inverse * gradient + l_g1 * spread * gradient + l_g1 / mu_g * dv
BOX = nonnegative(df, dv, dJ, inverse, gradient, spread, sigma_f, sigma_g2, l_f0)
BOX |= positive(l_g1, mu_g)
SAMPLES = (Le(df, sigma_f), Le(dv, sigma_f), Le(dJ, sigma_g2), Le(mu_g * inverse, 1), Le(mu_g * spread, 2))
noisy = Symbol("sigma_g2", positive=True)
Jt, J, Ht, Hm, vt, v0 = symbols("J_sample J H_sample H_mean v_sample v_mean", real=True)


def parts_bounded(slope: Expr) -> Expr:
    """Sum of the bounds of the four parts with Hessian noise, for |grad_y F| <= `slope`."""
    return sigma_f + slope * sigma_g2 / mu_g + 2 * l_g1 * slope / mu_g + l_g1 * sigma_f / mu_g


NOISE = link(
    "lem-E.3",
    "Noise of the hypergradient estimate",
    "Eq. (40), L881-915",
    r"The estimate differs from its mean by at most $\bar{\sigma}_\phi = \sigma_f + (2 l_{g,1} l_{f,0}/\mu_g) "
    r"\mathbb{I}(\sigma_{g,2} > 0) + 2 l_{g,1} l_{f,0}/\mu_g + l_{g,1} \sigma_f/\mu_g$.",
    ("lem-E.2", "asm-3.3", "asm-3.4"),
    Identity(
        "differences one after the other",
        Jt * Ht * vt - J * Hm * v0,
        (Jt - J) * Ht * vt + J * (Ht - Hm) * vt + J * Hm * (vt - v0),
        note="J, H, v: d2_xy g, H_yy, grad_y f, sampled or mean. Every product keeps the order of its factors, so the "
        "identity is one of matrices.",
    ),
    Inequality(
        "Eq. (40) with noise in d2_xy g only, N = 1",
        dJ * l_f0 / l_g1,
        2 * l_g1 * l_f0 / mu_g + 2 * l_g1 * l_f0 / mu_g,
        {**nonnegative(dJ, l_f0, sigma_g2), **positive(l_g1, mu_g)},
        given=(Le(dJ, sigma_g2), Le(mu_g, l_g1)),
        witness={
            dJ: Rational(5),
            sigma_g2: Rational(5),
            l_f0: Rational(1),
            l_g1: Rational(1),
            mu_g: Rational(1),
        },
        note="H_yy = 1/l_g1 exactly and sigma_f = 0: the error is |d2_xy G - d2_xy g| l_f0/l_g1, and (40) does not "
        "grow with sigma_g2.",
    )
    .states()
    .refuted("E8"),
    *misprint(
        "E7",
        Inequality(
            "second part, |grad_y F| <= l_f0",
            dJ * inverse * gradient,
            l_f0 * sigma_g2 / mu_g,
            {**nonnegative(dJ, inverse, gradient, sigma_g2, l_f0, sigma_f), mu_g: POSITIVE},
            given=(Le(dJ, sigma_g2), Le(mu_g * inverse, 1), Le(gradient, l_f0 + sigma_f)),
        ),
        "second part, |grad_y F| <= l_f0 + sigma_f",
        rhs=(l_f0 + sigma_f) * sigma_g2 / mu_g,
    ),
    *misprint(
        "E7",
        Inequality(
            "third part, |grad_y F| <= l_f0",
            l_g1 * spread * gradient,
            2 * l_g1 * l_f0 / mu_g,
            {**nonnegative(spread, gradient, l_f0, sigma_f), **positive(mu_g, l_g1)},
            given=(Le(mu_g * spread, 2), Le(gradient, l_f0 + sigma_f)),
        ),
        "third part, |grad_y F| <= l_f0 + sigma_f",
        rhs=2 * l_g1 * (l_f0 + sigma_f) / mu_g,
    ),
    Inequality(
        "fourth part",
        w * inverse * dv,
        l_g1 * sigma_f / mu_g,
        {**nonnegative(w, inverse, dv, sigma_f), **positive(mu_g, l_g1)},
        given=(Le(w, l_g1), Le(mu_g * inverse, 1), Le(dv, sigma_f)),
        note="w = |d2_xy g|, inverse = |E H_yy|",
    ),
    *misprint(
        "E8",
        Identity(
            "(40) collects the four parts",
            record.sigma_phi_equation_40(),
            record.sigma_phi_proof(),
            note="The third term of (40) has no noise factor; its own proof ends in l_f0 sigma_g2/mu_g.",
        ),
        "the proof's last line collects the four parts",
        lhs=record.sigma_phi_proof().subs(sigma_g2, noisy),
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
        record.sigma_phi_safe().subs(sigma_g2, noisy),
        parts_bounded(l_f0 + sigma_f).subs(sigma_g2, noisy),
    )
    .repaired("E7")
    .arithmetic(),
    AlongTrajectory(
        "along runs", Symbol("noise_norm", nonnegative=True), record.sigma_phi_safe(), on=(B1, B2, MATRICES)
    )
    .states()
    .repaired("E7"),
    note="All of it needs sampled Hessians between mu_g I and l_g1 I, which Assumption 3.4 does not say (E7).",
)

LEMMAS = (MINIMAX, BILEVEL, NEUMANN, NOISE)

"""Smoothness of Phi: Lemmas D.1 and E.1, L766-771, L864-874.

Differences of products are opened one factor at a time; the norms of the pieces are numbers, and r is the distance of
the two points. For the bilevel case J, H, v stand for |d2_xy g|, the inverse Hessian and grad_y f.
"""

from sympy import Le, symbols

from theorems.ada_minimax import theorem_4_1, theorem_4_2
from theorems.ada_minimax.chain import B1, SADDLE, link
from theorems.lemma import POSITIVE, AlongTrajectory, Identity, Inequality, nonnegative, positive
from theorems.vocabulary import L, l_f0, l_f1, l_g1, l_g2, mu, mu_g

r, v, w = symbols("r v w", nonnegative=True)
bias_norm, d_t, drift_norm, travel = symbols("bias_norm d_t drift_norm travel", nonnegative=True)
L_f, L_F = theorem_4_2.L_f, theorem_4_2.L_F
SMOOTH = dict(theorem_4_2.smoothness())

MINIMAX = link(
    "lem-D.1",
    "Smoothness of Phi, minimax",
    "L766-771",
    "y* is L/mu-Lipschitz and Phi is (mu + L) L/mu-smooth.",
    ("asm-3.1",),
    Inequality(
        "y* is L/mu-Lipschitz",
        v,
        L * r / mu,
        {**nonnegative(v, r), **positive(L, mu)},
        given=(Le(mu * v, L * r),),
        note="mu v^2 <= <grad_y f(x_1, .) - grad_y f(x_2, .), ...> <= L r v at y*(x_2), with v = |y*_1 - y*_2|, "
        "divided by v.",
    ),
    Inequality(
        "Phi is smooth",
        w,
        (mu + L) * L / mu * r,
        {**nonnegative(v, w, r), **positive(L, mu)},
        given=(Le(w, L * (r + v)), Le(mu * v, L * r)),
        note="grad Phi(x) = grad_x f(x, y*(x)); w is the difference of two of them.",
    ),
    Identity("L_Phi of the record", theorem_4_1.L_PHI[1], L * (1 + L / mu)),
    AlongTrajectory("bias along runs", bias_norm, L * d_t, on=(SADDLE,)),
    AlongTrajectory("gradients along runs", drift_norm, (mu + L) * L / mu * travel, on=(SADDLE,)),
    quoted=True,
)

H, G1 = symbols("H G_1", nonnegative=True)
dF, dJ, dv = symbols("dF dJ dv", nonnegative=True)  # norms of differences
NUMBERS = nonnegative(dF, dJ, dv, r, l_f0, l_f1, l_g1, l_g2) | {mu_g: POSITIVE}
NUMBERS[l_f1] = NUMBERS[l_g1] = POSITIVE
OPENED = dF + dJ * l_f0 / mu_g + l_g1 * dJ * l_f0 / mu_g**2 + l_g1 / mu_g * dv
BILEVEL = link(
    "lem-E.1",
    "Constants of the hypergradient",
    "Eqs. (38)-(39), L864-874",
    "|bar-grad f(x, y) - grad Phi(x)| is at most L_f |y - y*(x)|, y* is l_g1/mu_g-Lipschitz, and Phi is L_F-smooth.",
    ("asm-3.3",),
    Inequality(
        "the difference of inverse Hessians",
        H * dJ * G1,
        l_g2 * r / mu_g**2,
        {**nonnegative(H, G1, dJ, r, l_g2), mu_g: POSITIVE},
        given=(Le(mu_g * H, 1), Le(mu_g * G1, 1), Le(dJ, l_g2 * r)),
        note="H1^-1 - H2^-1 = H1^-1 (H2 - H1) H2^-1.",
    ),
    Inequality(
        "a product of three factors",
        OPENED,
        SMOOTH[L_f] * r,
        NUMBERS,
        given=(Le(dF, l_f1 * r), Le(dv, l_f1 * r), Le(dJ, l_g2 * r)),
        note="d2_xy g, inverse Hessian and grad_y f changed one after the other; dJ bounds either second "
        "derivative.",
    ),
    Identity(
        "L_f is what the products give",
        SMOOTH[L_f],
        l_f1 + l_f0 * l_g2 / mu_g + l_g1 * l_f0 * l_g2 / mu_g**2 + l_g1 * l_f1 / mu_g,
    ),
    Identity(
        "L_F is L_f along (x, y*(x))",
        SMOOTH[L_F].xreplace({L_f: SMOOTH[L_f]}),
        (1 + l_g1 / mu_g) * SMOOTH[L_f],
        note="both points move: the distance in (x, y) is at most (1 + L_y) |x_1 - x_2|.",
    ),
    AlongTrajectory("bias along runs", bias_norm, SMOOTH[L_f] * d_t, on=(B1,)),
    AlongTrajectory(
        "gradients along runs", drift_norm, SMOOTH[L_F].xreplace({L_f: SMOOTH[L_f]}) * travel, on=(B1,)
    ),
    quoted=True,
)

LEMMAS = (MINIMAX, BILEVEL)

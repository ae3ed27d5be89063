"""Appendix B: the solutions of the two inner problems, their distance, and the telescoping of F_t. L383-442.

d is the distance of two points y, w the norm of a gradient there, lam the multiplier. Lemmas B.1-B.3 and Lemma 3.2 of
Kwon et al. are quoted by the paper; checked here are this project's short proofs of what the paper uses of them.
"""

from sympy import IndexedBase, Le, Sum, symbols

from theorems.f2obo import symbols as s
from theorems.f2obo.chain import inequality, link
from theorems.f2obo.symbols import L_f0, L_f1, L_g1, L_g2, mu_g
from theorems.f2obo.theorem_3_1 import PRINTED
from theorems.lemma import Constant, Identity, misprint

d, w, move = symbols("d w move", nonnegative=True)
lam, lam_0, factor = symbols("lam lam_0 factor", positive=True)

SOLUTION = link(
    "lem-B.1",
    "The lower solution is kappa_g-Lipschitz",
    "L387-391",
    "|y*_t(x) - y*_t(x')| is at most (L_g1/mu_g) |x - x'|.",
    ("asm-2.2",),
    inequality(
        "strong convexity against smoothness",
        d,
        L_g1 / mu_g * move,
        Le(mu_g * d, w),
        Le(w, L_g1 * move),
        note="w = |grad_y g_t(x, y*_t(x'))|.",
    ),
    quoted=True,
)

PENALTY_DISTANCE = link(
    "lem-B.5",
    "Distance between the two inner solutions",
    "L416-426",
    "|y*_t(x) - y*_(lambda,t)(x)| is at most 2 L_f0/(lambda mu_g).",
    ("asm-2.1", "asm-2.2", "lem-kwon-3.2"),
    inequality(
        "from the optimality of y*_lambda",
        lam * mu_g * d,
        factor * L_f0,
        Le(mu_g * d, w),
        Le(lam * w, L_f0),
        constants=(Constant(factor, 2),),
        note="w = |grad_y g_t(x, y*_lambda)|, and lambda w = |grad_y f_t(x, y*_lambda)|. The factor 1 suffices.",
    ),
)

KWON = link(
    "lem-kwon-3.2",
    "Penalty solutions at different multipliers",
    "L422-424",
    "|y*_(lambda_1)(x_1) - y*_(lambda_2)(x_2)| is at most 2 (lambda_2 - lambda_1) L_f0/(lambda_1 lambda_2 mu_g) + "
    "3 kappa_g |x_1 - x_2|.",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "Lipschitz in x",
        (L_f1 + lam * L_g1) * 2 * mu_g,
        factor * L_g1 * lam * mu_g,
        Le(2 * L_f1, lam * mu_g),
        Le(mu_g, L_g1),
        constants=(Constant(factor, 3),),
        note="|grad_xy of the penalty function| over its strong convexity lambda mu_g/2.",
    ),
    Identity("integral over the multiplier", (lam - lam_0) / (lam * lam_0), 1 / lam_0 - 1 / lam),
    quoted=True,
)

PENALTY_GAP = link(
    "lem-B.2",
    "The penalty problem is near the bilevel one",
    "L392-398",
    "|F_t - L*_(lambda,t)| is at most D_0/lambda and |grad F_t - grad L*_(lambda,t)| at most D_1/lambda.",
    ("asm-2.1", "asm-2.2", "lem-B.5"),
    inequality(
        "values, with D_0 = L_f0^2/(2 mu_g)", L_f0 * d - lam * mu_g * d**2 / 2, L_f0**2 / (2 * lam * mu_g)
    ).own("O-15"),
    inequality(
        "gradients, with the D_1 of the records",
        (1 + s.kappa_g) * (L_f1 * d + lam * L_g2 * d**2 / 2) * lam,
        PRINTED[s.D_1],
        Le(lam * mu_g * d, L_f0),
        note="Taylor's formula for grad_x g_t and grad_y g_t at y*_t; d = |y*_lambda - y*| by the tight Lemma B.5.",
    ).own("O-15"),
    quoted=True,
    note="The paper quotes constants D_0, D_1 without values.",
)

SMOOTH = link(
    "lem-B.3",
    "Smoothness of F_t",
    "L399-407",
    "grad F_t is L_F-Lipschitz.",
    ("asm-2.1", "asm-2.2", "lem-B.1"),
    Identity("L_F in one factor", PRINTED[s.L_F], (1 + L_g1 / mu_g) ** 2 * (L_f1 + L_f0 * L_g2 / mu_g)),
    quoted=True,
)

n, k = symbols("n k", integer=True, positive=True)
P, Q = IndexedBase("P"), IndexedBase("Q")  # P_t = F_t(x_t), Q_t = F_t(x_(t+1))
p_1, p_2, q_1, q_2 = symbols("p_1 p_2 q_1 q_2", real=True)
M, v, w_0, w_1 = symbols("M v w_0 w_1", nonnegative=True)
TELESCOPE = link(
    "lem-B.4",
    "Telescoping of moving functions",
    "L408-414",
    "The sum of F_t(x_t) - F_t(x_(t+1)) is at most 2 M + V_T.",
    ("asm-2.1",),
    Identity(
        "summation by parts",
        Sum(P[k], (k, 1, n)) - Sum(Q[k], (k, 1, n)),
        P[1] - Q[n] + Sum(P[k], (k, 2, n)) - Sum(Q[k - 1], (k, 2, n)),
        n,
    ),
    *misprint(
        "O-4",
        inequality(
            "two rounds, any weights",
            w_0 * (p_1 - q_1) + w_1 * (p_2 - q_2),
            w_1 * (2 * M + v),
            *(Le(e, M) for e in (p_1, q_1, -p_1, -q_1, -q_2)),
            Le(p_2 - q_1, v),
            witness={p_1: 1, q_1: 0, p_2: 0, q_2: -1, M: 1, v: 0, w_0: 4, w_1: 1},
        ),
        "two rounds, weights that do not decrease",
        given=(*(Le(e, M) for e in (p_1, q_1, -p_1, -q_1, -q_2)), Le(p_2 - q_1, v), Le(w_0, w_1)),
        note="1/gamma_t are the weights of Lemma C.1.",
    ),
    note="The paper asks for Assumption 2.2; M belongs to Assumption 2.1.",
)

LIPSCHITZ = link(
    "lem-B.6",
    "The penalty value is Lipschitz",
    "L428-442",
    "|grad L*_(lambda,t)| is at most L_f0 (1 + 2 kappa_g).",
    ("asm-2.1", "asm-2.2", "lem-B.5"),
    inequality(
        "two gradients of g_t",
        (L_f0 + lam * L_g1 * d) * mu_g,
        L_f0 * (mu_g + factor * L_g1),
        Le(lam * mu_g * d, 2 * L_f0),
        constants=(Constant(factor, 2),),
    ),
)
LEMMAS = (SOLUTION, KWON, PENALTY_DISTANCE, PENALTY_GAP, SMOOTH, TELESCOPE, LIPSCHITZ)

"""Appendix B: the solutions of the two inner problems, their distance, and the telescoping of F_t. L383-442.

d is the distance of two points y, w the norm of a gradient there, lam the multiplier. Lemmas B.1-B.3 and Lemma 3.2 of
Kwon et al. are quoted by the paper; checked here are this project's short proofs of what the paper uses of them.
"""

from sympy import IndexedBase, Le, Symbol, symbols

from workbench.theory.lemma import Constant, Identity

from . import symbols as s
from .chain import inequality, k, link, n, sum_over_rounds
from .symbols import L_f0, L_f1, L_g1, L_g2, mu_g
from .theorem_3_1 import PRINTED

d, w, move, f_x, g_x = symbols("d w move f_x g_x", nonnegative=True)
lam, lam_0, factor = symbols("lam lam_0 factor", positive=True)
inner = Symbol("inner", real=True)

SOLUTION = link(
    "lem-B.1",
    "The lower solution is kappa_g-Lipschitz",
    "L387-391",
    r"$\|y^*_t(x) - y^*_t(x')\|$ is at most $(L_{g,1}/\mu_g) \|x - x'\|$.",
    ("asm-2.2",),
    inequality(
        "strong convexity against smoothness",
        d,
        L_g1 / mu_g * move,
        Le(mu_g * d**2, inner),
        Le(inner, w * d),
        Le(w, L_g1 * move),
        note="w = |grad_y g_t(x, y*_t(x'))|, a change of gradient from x' to x; inner: its product with y*(x') - "
        "y*(x).",
    ).states(),
    quoted=True,
)

PENALTY_DISTANCE = link(
    "lem-B.5",
    "Distance between the two inner solutions",
    "L416-426",
    r"$\|y^*_t(x) - y^*_{\lambda,t}(x)\|$ is at most $2 L_{f,0}/(\lambda \mu_g)$.",
    ("asm-2.1", "asm-2.2", "lem-kwon-3.2"),
    inequality(
        "from the optimality of y*_lambda",
        lam * mu_g * d,
        factor * L_f0,
        Le(mu_g * d**2, inner),
        Le(inner, w * d),
        Le(lam * w, L_f0),
        constants=(Constant(factor, 2),),
        note="w = |grad_y g_t(x, y*_lambda)|, lambda w = |grad_y f_t(x, y*_lambda)|; inner: its product with "
        "y*_lambda - y*. The factor 1 suffices.",
    ).states(),
    note="The text takes the limit lambda_2 to infinity in Lemma 3.2 of Kwon et al.; this is a direct proof.",
)

KWON = link(
    "lem-kwon-3.2",
    "Penalty solutions at different multipliers",
    "L422-424",
    r"For $\lambda_1 \le \lambda_2$, $\|y^*_{\lambda_1}(x_1) - y^*_{\lambda_2}(x_2)\|$ is at most "
    r"$2 (\lambda_2 - \lambda_1) L_{f,0}/(\lambda_1 \lambda_2 \mu_g) + 3 \kappa_g \|x_1 - x_2\|$.",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "gradient of the second problem at the first solution",
        lam * mu_g / 2 * d,
        (L_f1 + lam * L_g1) * move + (lam - lam_0) * L_f0 / lam_0,
        Le(lam * mu_g / 2 * d, w),
        Le(w, f_x + lam * g_x + (lam - lam_0) * inner),
        Le(f_x, L_f1 * move),
        Le(g_x, L_g1 * move),
        Le(lam_0 * inner, L_f0),
        Le(lam_0, lam),
        note="w: its norm; f_x, g_x: changes of the gradients of f_t and g_t from x_1 to x_2; inner = |grad_y g_t| "
        "there, lambda_1 inner = |grad_y f_t|. lam_0, lam: lambda_1, lambda_2.",
    ),
    inequality(
        "Lipschitz in x",
        (L_f1 + lam * L_g1) * 2 * mu_g,
        factor * L_g1 * lam * mu_g,
        Le(2 * L_f1, lam * mu_g),
        Le(mu_g, L_g1),
        constants=(Constant(factor, 3),),
        note="the line before, divided by lambda_2 mu_g/2: 2 (L_f1 + lambda L_g1)/(lambda mu_g) <= 3 kappa_g.",
    ),
    inequality(
        "both terms",
        d,
        2 * (lam - lam_0) / (lam * lam_0) * L_f0 / mu_g + 3 * L_g1 / mu_g * move,
        Le(lam * mu_g / 2 * d, (L_f1 + lam * L_g1) * move + (lam - lam_0) * L_f0 / lam_0),
        Le(2 * L_f1, lam * mu_g),
        Le(mu_g, L_g1),
        Le(lam_0, lam),
        note="from the first line.",
    ).states(),
    quoted=True,
)

PENALTY_GAP = link(
    "lem-B.2",
    "The penalty problem is near the bilevel one",
    "L392-398",
    r"$|F_t - \mathcal{L}^*_{\lambda,t}|$ is at most $D_0/\lambda$ and "
    r"$\|\nabla F_t - \nabla\mathcal{L}^*_{\lambda,t}\|$ at most $D_1/\lambda$.",
    ("asm-2.1", "asm-2.2", "lem-B.5"),
    inequality(
        "values, with D_0 = L_f0^2/(2 mu_g)",
        L_f0 * d - lam * mu_g * d**2 / 2,
        L_f0**2 / (2 * lam * mu_g),
        note="0 <= F_t - L* = f_t(y*) - f_t(y*_lambda) - lambda (g_t(y*_lambda) - g_t(y*)), d = |y*_lambda - y*|.",
    )
    .own("O-15")
    .states(),
    inequality(
        "gradients, with the D_1 of the records",
        (1 + s.kappa_g) * (L_f1 * d + lam * L_g2 * d**2 / 2) * lam,
        PRINTED[s.D_1],
        Le(lam * mu_g * d, L_f0),
        note="Taylor's formula for grad_x g_t and grad_y g_t at y*_t leaves lambda L_g2 d^2/2 each, the change of "
        "grad f_t is at most L_f1 d; those in y pass through grad_xy g (grad_yy g)^-1, at most kappa_g. d by the "
        "tight Lemma B.5.",
    )
    .own("O-15")
    .states(),
    quoted=True,
    note="The paper quotes constants D_0, D_1 without values. (14), that L* is smooth, is neither checked nor used.",
)

SMOOTH = link(
    "lem-B.3",
    "Smoothness of F_t",
    "L399-407",
    r"$\nabla F_t$ is $L_F$-Lipschitz.",
    ("asm-2.1", "asm-2.2", "lem-B.1"),
    Identity(
        "L_F in one factor", PRINTED[s.L_F], (1 + L_g1 / mu_g) ** 2 * (L_f1 + L_f0 * L_g2 / mu_g)
    ).arithmetic(),
    inequality(
        "the four changes of the hypergradient",
        L_f1 * d + L_g2 / mu_g * L_f0 * d + L_g1 * L_g2 / mu_g**2 * L_f0 * d + L_g1 / mu_g * L_f1 * d,
        PRINTED[s.L_F] * move,
        Le(mu_g * d, (mu_g + L_g1) * move),
        note="grad F = grad_x f - grad_xy g (grad_yy g)^-1 grad_y f at (x, y*(x)), which moves by d <= (1 + kappa_g) "
        "|x - x'|. Changes of grad_x f, grad_xy g, the inverse (A^-1 - B^-1 = A^-1 (B - A) B^-1), grad_y f, the other "
        "factors at their bounds.",
    ).states(),
    quoted=True,
)

P, Q, v = IndexedBase("P"), IndexedBase("Q"), IndexedBase("v")  # F_t(x_t), F_t(x_(t+1)), sup |F_t - F_(t-1)|
M = symbols("M", nonnegative=True)
TELESCOPE = link(
    "lem-B.4",
    "Telescoping of moving functions",
    "L408-414",
    r"$\sum_t (F_t(x_t) - F_t(x_{t+1}))$ is at most $2 M + V_T$.",
    ("asm-2.1",),
    Identity(
        "summation by parts",
        sum_over_rounds(P[k] - Q[k], 1),
        2 * M + sum_over_rounds(v[k]) - (M - P[1]) - (M + Q[n]) - sum_over_rounds(v[k] - P[k] + Q[k - 1]),
        n,
        note="every bracket that is subtracted is at least 0: P_k - Q_(k-1) = F_k(x_k) - F_(k-1)(x_k) <= v_k, |F| <= "
        "M.",
    ).states(),
    note="The paper asks for Assumption 2.2; M belongs to Assumption 2.1.",
)

LIPSCHITZ = link(
    "lem-B.6",
    "The penalty value is Lipschitz",
    "L428-442",
    r"$\|\nabla\mathcal{L}^*_{\lambda,t}\|$ is at most $L_{f,0} (1 + 2 \kappa_g)$.",
    ("asm-2.1", "asm-2.2", "lem-B.5"),
    inequality(
        "two gradients of g_t",
        (f_x + lam * g_x) * mu_g,
        L_f0 * (mu_g + factor * L_g1),
        Le(f_x, L_f0),
        Le(g_x, L_g1 * d),
        Le(lam * mu_g * d, 2 * L_f0),
        constants=(Constant(factor, 2),),
        note="f_x = |grad_x f_t|, g_x: the change of grad_x g_t from y* to y*_lambda, d = |y*_lambda - y*|.",
    ).states(),
)
LEMMAS = (SOLUTION, KWON, PENALTY_DISTANCE, PENALTY_GAP, SMOOTH, TELESCOPE, LIPSCHITZ)

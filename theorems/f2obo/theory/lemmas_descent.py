"""Lemma C.1: descent on F_t with an inexact gradient h_t, for any algorithm that produces h_t. L448-488.

H = |G_X(x_t, h_t)|, G = |G_X(x_t, grad F_t(x_t))|, e = |h_t - grad F_t(x_t)|; q and p are inner products with
G_X(x_t, h_t), of h_t and of grad F_t - h_t; drop = F_t(x_t) - F_t(x_(t+1)).
"""

from sympy import IndexedBase, Le, Rational, S, symbols

from workbench.theory.lemma import AlongTrajectory, Constant, Identity, closed

from . import symbols as s
from .chain import V_seen, as_recorded, inequality, k, link, n, sum_over_rounds
from .paper import PAPER
from .theorem_3_1 import PRINTED

G, H, e, a, b = symbols("G H e a b", nonnegative=True)
p, q, drop = symbols("p q drop", real=True)
gamma_t, lam, factor, T = symbols("gamma_t lam factor T", positive=True)
HALF = Rational(1, 2)
regret, error, inverse = symbols("sum_regret sum_error sum_inverse", nonnegative=True)
MULTI, SINGLE, ADAPTIVE = (PAPER.entry(f"sim-ledger-{n}") for n in ("multi", "single", "adaptive"))
LEAST_K = PAPER.entry("sim-ledger-least")
MULTI_R3, SINGLE_R3 = f"{MULTI}-r3", f"{SINGLE}-r3"
MULTI_BENT, SINGLE_BENT = f"{MULTI}-bent", f"{SINGLE}-bent"  # L_g2 > 0
MULTI_SLOW, SINGLE_SLOW = f"{MULTI}-slow", f"{SINGLE}-slow"
# The sum over the rounds, with weights w_t = 1/gamma_t: P_t = F_t(x_t), Q_t = F_t(x_(t+1)), v_t = sup |F_t - F_(t-1)|,
# V_t the sum of v_2, ..., v_t.
P, Q, v, V, w = (IndexedBase(name) for name in ("P", "Q", "v", "V", "w"))
M = symbols("M", nonnegative=True)

SMOOTH_STEP = inequality(
    "one step, Eq. (15)",
    -gamma_t * (q + p) + gamma_t**2 * s.L_F / 2 * H**2,
    -gamma_t / 2 * (1 - gamma_t * s.L_F) * H**2 + gamma_t / 2 * e**2,
    Le(H**2, q),
    Le(-e * H, p),
    note="left: the quadratic upper bound at x_(t+1) = x_t - gamma_t G_X(x_t, h_t). q >= H^2 is the property of the "
    "projection on a closed convex X.",
)
NONEXPANSIVE = inequality(
    "two gradient mappings, Eq. (16)",
    -(H**2),
    a**2 - G**2 / 2,
    Le(G, H + a),
    note="a = |G_X(x_t, grad F_t) - G_X(x_t, h_t)|.",
)
MAPPING = inequality(
    "the gradient mapping at the exact gradient",
    gamma_t * G**2,
    8 * drop + gamma_t * factor * e**2,
    Le(gamma_t / 2 * (1 - gamma_t * s.L_F) * H**2 - gamma_t / 2 * e**2, drop),
    Le(gamma_t * s.L_F, HALF),
    Le(G, H + e),
    constants=(Constant(factor, 8),),
    note="6 suffices, so 16 in the lemma could be 12.",
)
DESCENT = link(
    "lem-C.1",
    "Regret of inexact gradient steps",
    "L448-488",
    r"For $\gamma_t \le 1/(2 L_F)$, $\mathrm{BLReg}(T)$ is at most $(16 M + 8 V_T)/\gamma_T + 16 D_1^2 \sum_t "
    r"\lambda_t^{-2} + 16 \sum_t \|h_t - \nabla\mathcal{L}^*_t\|^2$.",
    ("lem-B.2", "lem-B.3", "lem-B.4"),
    SMOOTH_STEP,
    NONEXPANSIVE,
    MAPPING,
    inequality(
        "one round",
        gamma_t * G**2,
        8 * drop + 16 * gamma_t * s.D_1**2 / lam**2 + 16 * gamma_t * b**2,
        Le(gamma_t * G**2, 8 * drop + 8 * gamma_t * e**2),
        Le(e, a + b),
        Le(lam * a, s.D_1),
        note="a = |grad F_t - grad L*_t| <= D_1/lambda_t by (13), b = |grad L*_t - h_t|.",
    )
    .states()
    .repaired("O-4"),
    Identity(
        "sum over the rounds with weights that do not decrease",
        sum_over_rounds(w[k] * (P[k] - Q[k]), 1),
        w[n] * (2 * M + V[n])
        - w[1] * (M - P[1])
        - w[n] * (M + Q[n])
        - sum_over_rounds(w[k] * (v[k] - P[k] + Q[k - 1]) + (w[k] - w[k - 1]) * (M - Q[k - 1] + V[k - 1])),
        n,
        recursion={V[n + 1]: V[n] + v[n + 1], V[1]: S.Zero},
        note="w_t = 1/gamma_t. Every product that is subtracted is at least 0; the sum of |G_t|^2 is at most 8 times "
        "this plus the errors.",
    )
    .states()
    .repaired("O-4"),
    inequality(
        "F_t(x) = x on [0, 1], gamma_t = 1/100 for 17 rounds, then gamma_18 = 1",
        T - 1,
        16 * M / gamma_t,
        Le(s.L_F * gamma_t, HALF),
        box={T: closed(18, 18), M: closed(1, 1), gamma_t: closed(1, 1), s.L_F: closed(HALF, HALF)},
        note="x_1 = 1 and h_t = grad F_t = 1, so |G_t| = 1 for 17 rounds; V_T = 0. f_t does not depend on y, so L*_t "
        "= F_t and D_1 = 0 will do (for any D_1, lambda_t large enough).",
    )
    .states()
    .refuted("O-4"),
    AlongTrajectory(
        "along runs",
        regret,
        as_recorded((16 * s.M + 8 * V_seen) / gamma_t + 16 * s.D_1**2 * inverse + 16 * error, PRINTED),
        on=(MULTI, SINGLE, ADAPTIVE, MULTI_R3, SINGLE_R3, MULTI_BENT, SINGLE_BENT),
        note="gamma_t does not increase; V_seen: the variation up to round t.",
    )
    .states()
    .repaired("O-4"),
    note="True for gamma_t that do not increase, as in all uses of the paper.",
)
LEMMAS = (DESCENT,)

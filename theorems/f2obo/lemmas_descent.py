"""Lemma C.1: descent on F_t with an inexact gradient h_t, for any algorithm that produces h_t. L448-488.

H = |G_X(x_t, h_t)|, G = |G_X(x_t, grad F_t(x_t))|, e = |h_t - grad F_t(x_t)|; q and p are inner products with
G_X(x_t, h_t), of h_t and of grad F_t - h_t; drop = F_t(x_t) - F_t(x_(t+1)).
"""

from sympy import Le, Rational, symbols

from theorems.f2obo import symbols as s
from theorems.f2obo.chain import V_seen, inequality, link, seen
from theorems.f2obo.theorem_3_1 import PRINTED
from theorems.lemma import AlongTrajectory, Constant

G, H, e, a, b = symbols("G H e a b", nonnegative=True)
p, q, drop = symbols("p q drop", real=True)
gamma_t, factor = symbols("gamma_t factor", positive=True)
HALF = Rational(1, 2)
regret, error, inverse = symbols("sum_regret sum_error sum_inverse", nonnegative=True)
MULTI, SINGLE, ADAPTIVE = (f"f2obo/sim-ledger-{n}" for n in ("multi", "single", "adaptive"))
MULTI_SLOW, SINGLE_SLOW = f"{MULTI}-slow", f"{SINGLE}-slow"

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
    "For gamma_t <= 1/(2 L_F), BLReg(T) is at most (16 M + 8 V_T)/gamma_T + 16 D_1^2 sum lambda_t^-2 + 16 sum |h_t - "
    "grad L*_t|^2.",
    ("lem-B.2", "lem-B.3", "lem-B.4"),
    inequality(
        "one step, Eq. (15)",
        -gamma_t * (q + p) + gamma_t**2 * s.L_F / 2 * H**2,
        -gamma_t / 2 * (1 - gamma_t * s.L_F) * H**2 + gamma_t / 2 * e**2,
        Le(H**2, q),
        Le(-e * H, p),
        note="q >= H^2 is the property of the projection on a closed convex X.",
    ),
    MAPPING,
    inequality("two parts of the error", 8 * e**2, 16 * a**2 + 16 * b**2, Le(e, a + b)),
    AlongTrajectory(
        "along runs",
        regret,
        seen((16 * s.M + 8 * V_seen) / gamma_t + 16 * s.D_1**2 * inverse + 16 * error, PRINTED),
        on=(MULTI, SINGLE, ADAPTIVE),
        note="gamma_t does not increase; V_seen: the variation up to round t.",
    ),
    errata=("O-4",),
    note="True for gamma_t that do not increase; see lem-B.4.",
)
LEMMAS = (DESCENT,)

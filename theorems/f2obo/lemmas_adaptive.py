"""Appendix D: AF2OBO, Lemma D.1 and Theorem 4.1 with its iteration count. L898-1001.

A = L_f0/(lambda_t mu_g), X = kappa_g |x_(t-1) - x_t|, h: drift of y*; old = |y_t - y*_(lambda_(t-1),t-1)(x_(t-1))|.
"""

from sympy import Integer, Le, Symbol, log, sqrt, symbols

from theorems.f2obo import symbols as s
from theorems.f2obo.chain import H_seen, inequality, link, seen, t
from theorems.f2obo.lemmas_descent import ADAPTIVE
from theorems.f2obo.symbols import L_g1, T, kappa_g, lam_1, mu_g, tau
from theorems.f2obo.theorem_4_1 import DELTA_Y, DELTA_Z, LOGARITHM, PRINTED, REPAIRED
from theorems.lemma import AlongTrajectory, Identity, at_least, misprint, nonnegative

lam, delta, ratio = symbols("lam delta ratio", positive=True)
A, X, d, h, old, u, v, w, x, y_1, y_2 = symbols("A X d h old u v w x y_1 y_2", nonnegative=True)
# Along runs
delta_y, delta_z = symbols("delta_y delta_z", positive=True)
lam_t, dy_sq, dz_sq, start_y, start_z = symbols("lam_t dy_sq dz_sq start_y start_z", nonnegative=True)
K_y, K_z, sum_K_y, sum_start, sum_error = symbols("K_y K_z sum_K_y sum_start sum_error", nonnegative=True)
ONE = Integer(1)  # r_alpha of these runs

TOLERANCE = link(
    "eq-33",
    "Distances by gradient norms",
    "Eqs. (10), (11), (33), L911-923",
    "A gradient of norm delta_y leaves y within 2 delta_y/(lambda_t mu_g), one of norm delta_z leaves z within "
    "delta_z/mu_g.",
    ("asm-2.2",),
    inequality("strong convexity", lam * mu_g / 2 * d, w, Le(lam * mu_g / 2 * d**2, w * d)),
    AlongTrajectory("y along runs", dy_sq, 4 * delta_y**2 / (lam_t * mu_g) ** 2, on=(ADAPTIVE,)),
    AlongTrajectory("z along runs", dz_sq, delta_z**2 / mu_g**2, on=(ADAPTIVE,)),
    errata=("O-14",),
    note="Eq. (11) prints y_(t+1) for z_(t+1).",
)


PER_ROUND = (
    6 * (lam * L_g1) ** 2 * 4 * DELTA_Y**2 / (lam * mu_g) ** 2 + 3 * (lam * L_g1) ** 2 * DELTA_Z**2 / mu_g**2
)
ERROR_SUM = link(
    "lem-D.1",
    "Sum of the gradient errors, adaptive loops",
    "L902-929",
    "The sum of |h_t - grad L*_t|^2 is at most 24 kappa_g^2 + 3 lambda_1^2 kappa_g^2.",
    ("eq-20", "eq-33"),
    Identity(
        "T rounds at the last multiplier",
        (T * PER_ROUND).subs(lam, lam_1 * T**tau).expand(),
        (24 + 3 * lam_1**2) * (L_g1 / mu_g) ** 2,
    ),
    AlongTrajectory(
        "along runs", sum_error, seen((24 + 3 * lam_1**2) * kappa_g**2, REPAIRED, ONE), on=(ADAPTIVE,)
    ),
)


ONE_ROUND = link(
    "eq-34",
    "Steps of one round",
    "Eqs. (34), (35), L951-966, L988-991",
    "K_t is at most 1 + 4 lambda_t^2 L_g1^2 |y_t - y*_lambda|^2/log(1/rho_y) + 2 log(delta_y)/log(rho_y).",
    ("eq-17", "eq-c3-step"),
    inequality(
        "a step is made only above the tolerance",
        delta,
        2 * lam * L_g1 * d,
        Le(delta, w),
        Le(w, 2 * lam * L_g1 * d),
    ),
    inequality(
        "the logarithm is at most its argument",
        log(1 + x),
        x,
        note="the step that costs the factor T^(2 tau).",
    ),
    inequality(
        "two rounds (Jensen)",
        (1 + y_1) * (1 + y_2),
        (1 + (y_1 + y_2) / 2) ** 2,
        note="exponentials of both sides; over T rounds sum log(1 + u_t) <= T log(1 + sum u_t/T).",
    ).own(),
    AlongTrajectory(
        "y along runs, with its logarithm",
        K_y,
        1 + log(1 + 4 * lam_t**2 * L_g1**2 * start_y / delta_y**2) / -log(seen(s.rho_y, REPAIRED, ONE)),
        on=(ADAPTIVE,),
    ).own(),
    AlongTrajectory(
        "z along runs, with its logarithm",
        K_z,
        1 + log(1 + L_g1**2 * start_z / delta_z**2) / -log(seen(s.rho_z, REPAIRED, ONE)),
        on=(ADAPTIVE,),
    ).own(),
)


# S_y of the record at round t: the sums end at t, and only the tolerances keep the horizon T.
HORIZON = Symbol("T", positive=True, real=True)  # of the run; `seen` replaces only T of the theorems
LARGEST = s.L_f0 + 2 * s.L_f0 * kappa_g + kappa_g * sqrt((24 + 3 * lam_1**2) / HORIZON)
STARTS = seen(
    lam_1**2 * (s.d_y + s.L_f0 / (lam_1 * mu_g)) ** 2
    + 8 * 4**tau * delta_y**2 / mu_g**2 * t
    + 6 * (1 + 4**tau) * s.L_f0**2 / mu_g**2 * t
    + 12 * Symbol("gamma", positive=True) ** 2 * lam_1**2 * kappa_g**2 * LARGEST**2 * t ** (1 + 2 * tau)
    + 12 * lam_1**2 * t ** (2 * tau) * H_seen,
    REPAIRED,
    ONE,
)


START = link(
    "eq-D2-start",
    "Distance at the start of a round",
    "L970-981",
    "The sum of lambda_t^2 |y_t - y*_(lambda_t,t)(x_t)|^2 is at most 8 delta_y^2 T/mu_g^2 + 12 L_f0^2 T/mu_g^2 + "
    "12 gamma^2 lambda_1^2 kappa_g^2 L_L0^2 T^(1 + 2 tau) + 6 lambda_1^2 T^(2 tau) H_2T.",
    ("eq-18", "eq-33", "lem-B.6"),
    *misprint(
        "O-10",
        inequality(
            "the tolerance of the round before",
            lam * old,
            2 * delta / mu_g,
            Le(lam * mu_g * old, 2 * ratio * delta),
            Le(1, ratio),
            note="old <= 2 delta_y/(lambda_(t-1) mu_g), ratio = lambda_t/lambda_(t-1).",
        ),
        "the tolerance of the round before, repaired",
        rhs=2 * ratio * delta / mu_g,
        given=(Le(lam * mu_g * old, 2 * ratio * delta),),
    ),
    *misprint(
        "O-10",
        inequality(
            "2 x (18) as the text adds it up",
            2 * (u + v) ** 2,
            12 * A**2 + 12 * X**2 + 6 * h**2,
            Le(u**2 + 2 * u * v + v**2, 6 * A**2 + 6 * X**2 + 6 * h**2),
            note="the last factor should be 2 x 6.",
        ),
        "2 x (18), repaired",
        lhs=2 * (u + v + w) ** 2,
        rhs=6 * (1 + ratio**2) * A**2 + 12 * X**2 + 12 * h**2,
        box={**nonnegative(u, v, w, A, X, h), ratio: at_least(1)},
        given=(Le(u, ratio * A), Le(v, X + h), Le(w, A)),
    ),
    Identity(
        "bound on the computed gradient",
        REPAIRED[s.L_L0] - PRINTED[s.L_L0],
        kappa_g * sqrt((24 + 3 * lam_1**2) / T),
        note="the root of (33) at any t, added to Lemma B.6.",
    ).repaired("O-10"),
    AlongTrajectory("along runs, repaired", sum_start, STARTS, on=(ADAPTIVE,)).repaired("O-10"),
    errata=("O-1",),
)


THEOREM = link(
    "thm-4.1",
    "Theorem 4.1 = D.2",
    "L931-1001",
    "BLReg(T) and the number of inner steps are at most those of the record.",
    ("lem-C.1", "lem-D.1", "eq-34", "eq-D2-start"),
    Identity(
        "D.1 in C.1",
        PRINTED[s.bound].subs({s.M: 0, s.V_T: 0, s.S_tau: 0}),
        16 * (24 * kappa_g**2 + 3 * lam_1**2 * kappa_g**2),
    ),
    Identity(
        "the logarithmic count of the record",
        (LOGARITHM[s.I_y] - T) * log(1 / s.rho_y) / T,
        log(1 + 4 * L_g1**2 / (DELTA_Y**2 * T) * s.S_y),
    ).own(),
    AlongTrajectory(
        "steps of y along runs",
        sum_K_y,
        t + t / -log(seen(s.rho_y, REPAIRED, ONE)) * log(1 + 4 * L_g1**2 / (delta_y**2 * t) * sum_start),
        on=(ADAPTIVE,),
    ).own(),
    errata=("O-1", "O-3", "O-4", "O-10"),
    note="The count O(T^(1 + 2 tau) + T^(2 tau) H_2T) is right and far from sharp: see the form 'T log T'.",
)
LEMMAS = (TOLERANCE, ERROR_SUM, ONE_ROUND, START, THEOREM)

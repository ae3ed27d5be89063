"""Appendix D: AF2OBO, Lemma D.1 and Theorem 4.1 with its iteration count. L898-1001.

A = L_f0/(lambda_t mu_g), X = kappa_g |x_(t-1) - x_t|, h: drift of y*; old = |y_t - y*_(lambda_(t-1),t-1)(x_(t-1))|.
"""

from dataclasses import replace

from sympy import Expr, Integer, Le, Symbol, expand, expand_log, log, sqrt, symbols

from workbench.theory.lemma import AlongTrajectory, Identity, at_least, misprint, nonnegative

from . import symbols as s
from .chain import H_seen, as_recorded, inequality, link, t
from .lemmas_descent import ADAPTIVE
from .symbols import L_g1, T, kappa_g, lam_1, mu_g, tau
from .theorem_4_1 import DELTA_Y, DELTA_Z, LOGARITHM, PRINTED, REPAIRED

lam, delta, ratio = symbols("lam delta ratio", positive=True)
A, X, d, h, old, u, v, w, x, y_1, y_2 = symbols("A X d h old u v w x y_1 y_2", nonnegative=True)
# Along runs
delta_y, delta_z = symbols("delta_y delta_z", positive=True)
lam_t, dy_sq, dz_sq, start_y, start_z = symbols("lam_t dy_sq dz_sq start_y start_z", nonnegative=True)
K_y, K_z, sum_K_y, sum_start, sum_error = symbols("K_y K_z sum_K_y sum_start sum_error", nonnegative=True)
theta = Symbol("theta", positive=True)
inner, log_x, log_T = symbols("inner log_x log_T", real=True)
power, total, start, drift_v, S_bias = symbols("power total start drift_v S_bias", nonnegative=True)
first, fixed, late = symbols("first fixed late", nonnegative=True)
ONE = Integer(1)  # r_alpha of these runs

TOLERANCE = link(
    "eq-33",
    "Distances by gradient norms",
    "Eqs. (10), (11), (33), L911-923",
    r"A gradient of norm $\delta_y$ leaves $y$ within $2 \delta_y/(\lambda_t \mu_g)$, one of norm $\delta_z$ leaves "
    r"$z$ within $\delta_z/\mu_g$.",
    ("asm-2.2",),
    inequality(
        "y by strong convexity",
        lam * mu_g / 2 * d,
        delta,
        Le(lam * mu_g / 2 * d**2, inner),
        Le(inner, w * d),
        Le(w, delta),
        note="inner = <grad_y L_t, y_(t+1) - y*_lambda>, w = |grad_y L_t|.",
    ).states(),
    inequality(
        "z by strong convexity",
        mu_g * d,
        delta,
        Le(mu_g * d**2, inner),
        Le(inner, w * d),
        Le(w, delta),
    ).states(),
    AlongTrajectory("y along runs", dy_sq, 4 * delta_y**2 / (lam_t * mu_g) ** 2, on=(ADAPTIVE,)).states(),
    AlongTrajectory("z along runs", dz_sq, delta_z**2 / mu_g**2, on=(ADAPTIVE,)).states(),
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
    r"$\sum_t \|h_t - \nabla\mathcal{L}^*_t\|^2$ is at most $24 \kappa_g^2 + 3 \lambda_1^2 \kappa_g^2$.",
    ("eq-20", "eq-33"),
    inequality(
        "one round, Eq. (33)",
        u**2,
        24 * (L_g1 / mu_g) ** 2 * delta**2 + 3 * lam**2 * (L_g1 / mu_g) ** 2 * ratio**2,
        Le(u**2, L_g1**2 * (6 * v**2 + 3 * lam**2 * w**2)),
        Le(mu_g * v, 2 * delta),
        Le(mu_g * w, ratio),
        note="u: the error, v = lambda_t |y_(t+1) - y*_lambda|, w = |z_(t+1) - y*|; delta, ratio: delta_y, delta_z.",
    ),
    Identity(
        "T rounds at the last multiplier",
        (T * PER_ROUND).subs(lam, lam_1 * T**tau).expand(),
        (24 + 3 * lam_1**2) * (L_g1 / mu_g) ** 2,
        note="(33) at lambda_t <= lambda_T in each of T rounds.",
    ).states(),
    AlongTrajectory(
        "along runs",
        sum_error,
        as_recorded((24 + 3 * lam_1**2) * kappa_g**2, REPAIRED, ONE),
        on=(ADAPTIVE,),
        note="Slack 640: no power on these runs.",
    ).states(),
)


ONE_ROUND = link(
    "eq-34",
    "Steps of one round",
    "Eqs. (34), (35), L951-966, L988-991",
    r"$K_t$ is at most $1 + 4 \lambda_t^2 L_{g,1}^2 \|y_t - y^*_\lambda\|^2/\log(1/\rho_{\mathbf{y}}) "
    r"+ 2 \log(\delta_y)/\log(\rho_{\mathbf{y}})$.",
    ("eq-17", "eq-c3-step"),
    inequality(
        "a step is made only above the tolerance",
        delta,
        2 * lam * L_g1 * d,
        Le(delta, w),
        Le(w, 2 * lam * L_g1 * d),
    ),
    inequality(
        "all steps, Eq. (34)",
        delta**2,
        4 * lam**2 * L_g1**2 * power * old**2,
        Le(delta, 2 * lam * L_g1 * d),
        Le(d**2, power * old**2),
        note="d, old: the distances before the last step and at the start, power = rho_y^(K_t - 1).",
    ),
    inequality(
        "the logarithm is at most its argument",
        log(1 + x),
        x,
        note="the step that costs the factor T^(2 tau).",
    ),
    inequality(
        "solved for K_t",
        K_y,
        1 + (x - 2 * inner) / theta,
        Le((K_y - 1) * theta + 2 * inner, log_x),
        Le(log_x, x),
        note="x = 4 lambda_t^2 L_g1^2 |y_t - y*_lambda|^2, theta = log(1/rho_y), inner = log(delta_y); the first "
        "condition is the logarithm of (34).",
    ).states(),
    inequality(
        "all steps of z",
        delta**2,
        L_g1**2 * power * old**2,
        Le(delta, L_g1 * d),
        Le(d**2, power * old**2),
        note="as (34), power = rho_z^(M_t - 1).",
    ),
    inequality(
        "solved for M_t",
        K_z,
        1 + (x - 2 * inner) / theta,
        Le((K_z - 1) * theta + 2 * inner, log_x),
        Le(log_x, x),
        note="x = L_g1^2 |z_t - y*|^2, theta = log(1/rho_z), inner = log(delta_z).",
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
        1
        + log(1 + 4 * lam_t**2 * L_g1**2 * start_y / delta_y**2) / -log(as_recorded(s.rho_y, REPAIRED, ONE)),
        on=(ADAPTIVE,),
    ).own(),
    AlongTrajectory(
        "z along runs, with its logarithm",
        K_z,
        1 + log(1 + L_g1**2 * start_z / delta_z**2) / -log(as_recorded(s.rho_z, REPAIRED, ONE)),
        on=(ADAPTIVE,),
    ).own(),
)


# S_y of the record at round t: the sums end at t, and only the tolerances keep the horizon T.
HORIZON = Symbol("T", positive=True, real=True)  # of the run; `seen` replaces only T of the theorems
LARGEST = s.L_f0 + 2 * s.L_f0 * kappa_g + kappa_g * sqrt((24 + 3 * lam_1**2) / HORIZON)
STARTS = as_recorded(
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
    r"$\sum_t \lambda_t^2 \|y_t - y^*_{\lambda_t,t}(x_t)\|^2$ is at most $8 \delta_y^2 T/\mu_g^2 "
    r"+ 12 L_{f,0}^2 T/\mu_g^2 + 12 \gamma^2 \lambda_1^2 \kappa_g^2 L_{\mathcal{L},0}^2 T^{1 + 2 \tau} "
    r"+ 6 \lambda_1^2 T^{2 \tau} H_{2,T}$.",
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
    )
    .repaired("O-10")
    .arithmetic(),
    inequality(
        "one round, repaired",
        lam**2 * (2 * old**2 + 2 * w**2),
        8 * ratio**2 * delta**2 / mu_g**2
        + 6 * (1 + ratio**2) * s.L_f0**2 / mu_g**2
        + 12 * lam**2 * X**2
        + 12 * lam**2 * h**2,
        Le(lam * mu_g * old, 2 * ratio * delta),
        Le(w**2, 3 * (1 + ratio**2) * A**2 + 6 * X**2 + 6 * h**2),
        Le(lam * mu_g * A, s.L_f0),
        note="w: (18) as repaired; X = kappa_g gamma |G_X(x_(t-1), h_(t-1))|. Summed over t with lambda_t <= lambda_1 "
        "T^tau, and the start for t = 1.",
    ).repaired("O-10"),
    inequality(
        "all rounds, repaired",
        sum_start,
        first + fixed + 12 * late * T * X**2 + 12 * late * h,
        Le(sum_start, first + fixed + 12 * X**2 * u + 12 * v),
        Le(u, late * T),
        Le(v, late * h),
        note="first: t = 1, fixed = (8 4^tau delta_y^2 + 6 (1 + 4^tau) L_f0^2) T/mu_g^2, X = kappa_g gamma times the "
        "largest computed gradient, late = lambda_1^2 T^(2 tau), h = H_2T; u, v: the sums of lambda_t^2 and of "
        "lambda_t^2 times the squared drift.",
    )
    .states()
    .repaired("O-10"),
    AlongTrajectory("along runs, repaired", sum_start, STARTS, on=(ADAPTIVE,)).states().repaired("O-10"),
    errata=("O-1",),
)


def _regret(bound: Expr) -> Expr:
    """The bound of the record in the units of the last step."""
    units = {s.M: start * s.gamma, s.V_T: drift_v * s.gamma, s.S_tau: S_bias * lam_1**2 / s.D_1**2}
    return expand(bound.subs(units))


def _count(steps: Expr, rate: Expr) -> Expr:
    """A number of inner steps of the record in theta = log(1/rate) and log_T = log(T)."""
    return expand_log(steps, force=True).subs({log(rate): -theta, log(T): log_T})


REGRET = inequality(
    "the regret of the record",
    total,
    _regret(PRINTED[s.bound]),
    Le(total, 16 * start + 8 * drift_v + 16 * S_bias + 16 * sum_error),
    Le(sum_error, (24 + 3 * lam_1**2) * kappa_g**2),
    note="start = M/gamma, drift_v = V_T/gamma, S_bias = D_1^2 S_tau/lambda_1^2; Lemma D.1 in Lemma C.1.",
)
THEOREM = link(
    "thm-4.1",
    "Theorem 4.1 = D.2",
    "L931-1001",
    r"$\mathrm{BLReg}(T)$ and the number of inner steps are at most those of the record.",
    ("lem-C.1", "lem-D.1", "eq-34", "eq-D2-start"),
    REGRET,
    replace(REGRET, name="the regret of the record, repaired", rhs=_regret(REPAIRED[s.bound]))
    .states()
    .repaired("O-10"),
    inequality(
        "steps of y, repaired",
        K_y,
        _count(REPAIRED[s.I_y], s.rho_y),
        Le(K_y, T + (4 * L_g1**2 * sum_start + T * log_T) / theta),
        Le(sum_start, s.S_y),
        note="(35) with -2 log(delta_y) = log(T), and the sum of lambda_t^2 |y_t - y*_lambda|^2; theta = log(1/rho_y).",
    )
    .states()
    .repaired("O-10"),
    inequality(
        "steps of z, repaired",
        K_z,
        _count(REPAIRED[s.I_z], s.rho_z),
        Le(K_z, T + (L_g1**2 * sum_start + (1 + 2 * tau) * T * log_T) / theta),
        Le(sum_start, s.S_z),
        note="L995 with -2 log(delta_z) = (1 + 2 tau) log(T), and the sum of |z_t - y*_t|^2; theta = log(1/rho_z).",
    )
    .states()
    .repaired("O-10"),
    inequality(
        "steps of z in one round",
        2 * L_g1**2 * (old**2 + v**2),
        2 * (L_g1 / mu_g) ** 2 * delta**2 + 4 * L_g1**2 * X**2 + 4 * L_g1**2 * h**2,
        Le(mu_g * old, delta),
        Le(v, X + h),
        note="L996-997: old = |z_t - y*_(t-1)| <= delta_z/mu_g.",
    ),
    Identity(
        "the logarithmic count of the record",
        (LOGARITHM[s.I_y] - T) * log(1 / s.rho_y) / T,
        log(1 + 4 * L_g1**2 / (DELTA_Y**2 * T) * s.S_y),
    )
    .own()
    .arithmetic(),
    AlongTrajectory(
        "steps of y along runs",
        sum_K_y,
        t
        + t / -log(as_recorded(s.rho_y, REPAIRED, ONE)) * log(1 + 4 * L_g1**2 / (delta_y**2 * t) * sum_start),
        on=(ADAPTIVE,),
    ).own(),
    errata=("O-1", "O-3", "O-4", "O-10"),
    note="The count O(T^(1 + 2 tau) + T^(2 tau) H_2T) is right and far from sharp: see the form 'T log T'.",
)
LEMMAS = (TOLERANCE, ERROR_SUM, ONE_ROUND, START, THEOREM)

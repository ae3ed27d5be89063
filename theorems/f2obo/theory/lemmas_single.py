"""Section C.2: one inner step per round, Lemmas C.6-C.8 and Theorem 3.2. L669-896.

step = beta_t lambda_t mu_g/2 = 1/(4 kappa_g), zstep = alpha mu_g. F = |grad_y f_t - grad_y f_(t-1)|, Gd the same of g,
jump = lambda_t - lambda_(t-1).
"""

from dataclasses import replace

from sympy import (
    Add,
    Expr,
    IndexedBase,
    Integer,
    Le,
    Rational,
    Sum,
    Symbol,
    expand,
    pi,
    simplify,
    sqrt,
    symbols,
)

from workbench.theory.lemma import (
    AlongTrajectory,
    Constant,
    Identity,
    Induction,
    Interval,
    at_least,
    misprint,
    nonnegative,
    positive,
)

from . import symbols as s
from .chain import SPARE, as_recorded, inequality, k, later, link, n, unrolling
from .lemmas_descent import SINGLE, SINGLE_BENT, SINGLE_R3, SINGLE_SLOW
from .paper import PAPER
from .symbols import L_f0, L_g1, kappa_g, mu_g, tau
from .theorem_3_2 import PRINTED, REPAIRED

lam, lam_0, factor, kappa, step, zstep = symbols("lam lam_0 factor kappa step zstep", positive=True)
p, q, t_1, x, rho, ratio, before, after = symbols("p q t_1 x rho ratio before after", positive=True)
F, Gd, X, d, move, v, w = symbols("F Gd X d move v w", nonnegative=True)
gain, first, rest, total, R_sum, S_bias = symbols("gain first rest total R_sum S_bias", nonnegative=True)
i = Symbol("i", integer=True, nonnegative=True)  # index of a sum from 0
# Along runs
dy_sq, dz_sq, rhs_y, rhs_z, drift_y = symbols("dy_sq dz_sq rhs_y_sl rhs_z_sl drift_y", nonnegative=True)
drift_sl, sum_error, sum_regret = symbols("drift_sl sum_error sum_regret", nonnegative=True)
S_T, C_S_printed, C_S_repaired = symbols("S_T C_S_printed C_S_repaired", nonnegative=True)
spread, spread_bound, spread_printed = symbols("spread spread_bound spread_printed", nonnegative=True)
HALF, QUARTER = Rational(1, 2), Rational(1, 4)

YOUNG = link(
    "eq-24",
    "One step against a moving target",
    "Eq. (24), L686-694",
    r"$\|y_{t+1} - y^*_{\lambda_t,t}(x_t)\|^2$ is at most $(1 - 1/(8 \kappa_g)) \|y_t - y^*_{\lambda_{t-1},t-1}"
    r"(x_{t-1})\|^2 + 16 \kappa_g \|y^*_{\lambda_{t-1},t-1}(x_{t-1}) - y^*_{\lambda_t,t}(x_t)\|^2$.",
    ("eq-17",),
    inequality(
        "Young's inequality",
        (1 - step) * (d + w) ** 2,
        (1 - step / 2) * d**2 + factor / (4 * step) * w**2,
        box={step: Interval(0, QUARTER, low_open=True)},
        constants=(Constant(factor, 16),),
        note="left: (17), and the triangle inequality; step = 1/(4 kappa_g): factor/(4 step) = factor kappa_g. The "
        "factor 8 suffices.",
    ).states(),
)


MOTION = link(
    "eq-31",
    "Drift of the penalty solution by gradients",
    "Eqs. (25)-(31), L696-742",
    r"$\|y^*_{\lambda_{t-1},t-1}(x_{t-1}) - y^*_{\lambda_t,t}(x_t)\|^2$ is at most $18 \kappa_g^2 \|x_{t-1} - x_t\|^2 "
    r"+ 24 F^2/(\lambda_t \mu_g)^2 + 24 \mathrm{Gd}^2/\mu_g^2 + 96 L_{f,0}^2 L_{g,1}^2 "
    r"(\lambda_t - \lambda_{t-1})^2/(\mu_g^2 \lambda_t \lambda_{t-1})^2$, with $F$ and $\mathrm{Gd}$ bounds on "
    r"$\|\nabla_y f_t - \nabla_y f_{t-1}\|$ and $\|\nabla_y g_t - \nabla_y g_{t-1}\|$.",
    ("lem-kwon-3.2", "lem-B.5", "asm-2.1", "asm-2.2"),
    inequality(
        "strong convexity of the new problem, Eq. (26)",
        lam * mu_g / 2 * w,
        v,
        Le(lam * mu_g / 2 * w**2, d),
        Le(d, v * w),
        note="d = <grad_y L_t at the old solution, old minus new solution>, v: the norm of that gradient.",
    ),
    Identity(
        "gradient of the new problem, (27) minus (28)",
        p + lam * q - (x + lam_0 * rho),
        (p - x) + lam * (q - rho) + (lam - lam_0) * rho,
        note="each coordinate of the gradients: p, q of f_t and g_t, x, rho of f_(t-1) and g_(t-1).",
    ),
    inequality(
        "gradient of the old lower function",
        mu_g * lam_0 * v,
        2 * L_f0 * L_g1,
        Le(v, L_g1 * d),
        Le(mu_g * lam_0 * d, 2 * L_f0),
        note="v = |grad_y g_(t-1)(x, y*_lambda)|, d: the distance of Lemma B.5.",
    ),
    inequality(
        "gradient of the new problem at the old solution, (26)-(29)",
        lam * mu_g / 2 * w,
        F + lam * Gd + 2 * L_f0 * L_g1 / (mu_g * lam_0) * (lam - lam_0),
        Le(lam_0, lam),
        Le(lam * mu_g / 2 * w, F + lam * Gd + (lam - lam_0) * v),
        Le(mu_g * lam_0 * v, 2 * L_f0 * L_g1),
        note="v = |grad_y g_(t-1)(x, y*_lambda)|.",
    ),
    inequality(
        "three terms squared, Eq. (30)",
        w**2,
        12 * F**2 + 12 * Gd**2 + 48 * d**2,
        Le(w, 2 * F + 2 * Gd + 4 * d),
        note="F, Gd, d for F/(lambda_t mu_g), Gd/mu_g and L_f0 L_g1 (lambda_t - lambda_(t-1))/(mu_g^2 lambda_t "
        "lambda_(t-1)): the line before, divided by lambda_t mu_g/2.",
    ),
    inequality(
        "two moves, Eq. (25)",
        (move + w) ** 2,
        18 * X**2 + 2 * w**2,
        Le(move, 3 * X),
        note="X = kappa_g |x_(t-1) - x_t|; move by Lemma 3.2 of Kwon et al.",
    ),
    inequality(
        "all four terms, Eq. (31)",
        (move + w) ** 2,
        18 * X**2 + 24 * F**2 + 24 * Gd**2 + 96 * d**2,
        Le(move, 3 * X),
        Le(w, 2 * F + 2 * Gd + 4 * d),
        note="the units of (30).",
    ).states(),
    AlongTrajectory("along runs", drift_y, drift_sl, on=(SINGLE, SINGLE_R3, SINGLE_BENT)).states(),
)


X_sq, J_sq, G_sq, h_sq = (IndexedBase(x) for x in ("X_sq", "J_sq", "G_sq", "h_sq"))
j, x_2, f_2, g_2 = symbols("j x_2 f_2 g_2", nonnegative=True)
Y_ROUND = link(
    "lem-C.6",
    "Error of y with one step per round",
    "L673-753",
    r"$\|y_{t+1} - y^*_{\lambda_t,t}\|^2$ is at most $\rho_{\mathbf{y}}^{t-1}$ times its first value plus sums over "
    r"$\rho_{\mathbf{y}}^j$ with factors $288 \kappa_g^3$ (steps of $x$), $1536 L_{f,0}^2 \kappa_g^3/\mu_g^2$ "
    r"(multiplier), $384 \kappa_g/\mu_g^2$ (gradients of $f$, $g$).",
    ("eq-24", "eq-31"),
    Identity(
        "(31) in (24)",
        (
            16 * kappa * (18 * kappa**2 * x_2 + 24 * f_2 / (lam * mu_g) ** 2 + 24 * g_2 / mu_g**2)
            + 16 * kappa * 96 * L_f0**2 * L_g1**2 / mu_g**4 * j
        ).subs(kappa, L_g1 / mu_g),
        (
            288 * kappa**3 * x_2
            + 1536 * L_f0**2 * kappa**3 / mu_g**2 * j
            + 384 * kappa / (lam * mu_g) ** 2 * f_2
            + 384 * kappa / mu_g**2 * g_2
        ).subs(kappa, L_g1 / mu_g),
        note="x_2, j, f_2, g_2: the squares of the step of x, of the jump of 1/lambda_t and of the changes of the "
        "gradients.",
    ),
    replace(
        unrolling(288 * X_sq[k] + 1536 * J_sq[k] + 384 * G_sq[k]),
        note=f"{SPARE} X_sq: kappa_g^3 times the step of x squared, J_sq: L_f0^2 kappa_g^3/mu_g^2 times that of "
        "1/lambda_t, G_sq: kappa_g/mu_g^2 times the two changes of gradients.",
    ),
    AlongTrajectory(
        "along runs",
        later(dy_sq),
        rhs_y,
        on=(SINGLE, SINGLE_R3, SINGLE_BENT),
        note="Slack 1200: no power on these runs.",
    ).states(),
)


Z_ROUND = link(
    "lem-C.7",
    "Error of z with one step per round",
    "L755-774",
    r"$\|z_{t+1} - y^*_t\|^2$ is at most $\rho_{\mathbf{z}}^{t-1}$ times its first value plus sums over "
    r"$\rho_{\mathbf{z}}^j$ with factors $8 \kappa_g^2/(\alpha \mu_g)$ (steps of $x$) and $8/(\alpha \mu_g)$ (drift), "
    r"$\rho_{\mathbf{z}} = 1 - \alpha \mu_g/2$.",
    ("eq-c3-step", "lem-B.1"),
    inequality(
        "Young's inequality",
        (1 - zstep) * (d + v) ** 2,
        (1 - zstep / 2) * d**2 + factor / zstep * (X**2 + w**2),
        Le(v, X + w),
        box={zstep: Interval(0, 1, low_open=True)},
        constants=(Constant(factor, 8),),
        note="v: how far y* moves, X = kappa_g |x_(t-1) - x_t|, w: its drift. The factor 4 suffices.",
    ),
    replace(
        unrolling(8 * X_sq[k] + 8 * h_sq[k]),
        note=f"{SPARE} X_sq, h_sq: kappa_g^2 times the step of x squared and the drift squared, over alpha mu_g.",
    ),
    AlongTrajectory("along runs", later(dz_sq), rhs_z, on=(SINGLE, SINGLE_R3, SINGLE_BENT)).states(),
)


def _jumps(power: int, last: int, rate: Expr) -> Expr:
    """S(T) of L817 at tau = `power`, where lambda_1 cancels."""
    jump = [Integer(0), Integer(0)]
    jump += [Rational(m**power - (m - 1) ** power, (m * (m - 1)) ** power) ** 2 for m in range(2, last + 1)]
    return Add(
        *(t ** (2 * power) * rate ** (t - m) * jump[m] for t in range(2, last + 1) for m in range(2, t + 1))
    )


def _printed_C_S(power: int, last: int, rate: Expr) -> Expr:
    """C_S of L837 at tau = `power`."""
    first = [Rational(2 ** (2 * power + 2), t**2) for t in range(2, last + 1)]
    second = [
        rate ** (t // 2 + 1) * Rational(t ** (2 * power), 2 ** (2 * power + 2)) for t in range(2, last + 1)
    ]
    return power**2 * Add(*first, *second) / (1 - rate)


MULTIPLIER = link(
    "eq-CS",
    "Sum of the multiplier's jumps",
    "L815-839",
    r"$S(T) = \sum_t \lambda_t^2 \sum_m \rho_{\mathbf{y}}^{t-m} (\lambda_m - \lambda_{m-1})^2/"
    r"(\lambda_m \lambda_{m-1})^2$ is at most $C_S$.",
    (),
    inequality(
        "mean value of the power, tau = 2",
        t_1**2 - (t_1 - 1) ** 2,
        2 * (t_1 - 1),
        box={t_1: at_least(2)},
        note="L819: m^tau - (m-1)^tau <= tau (m-1)^(tau-1), which needs tau <= 1.",
    ).refuted("O-5"),
    inequality(
        "m - 1 against m",
        1 / (t_1 - 1) ** 2,
        1 / t_1**2,
        box={t_1: at_least(2)},
        note="L821 writes these as nearly equal.",
    ).refuted("O-5"),
    inequality(
        "the weight of a jump, repaired (tau = 1/2, in square roots)",
        (p - q) ** 2,
        QUARTER / q**2,
        Le(q, p),
        Le(p**2, q**2 + 1),
        note="p^2 = m, q^2 = m - 1: (sqrt(m) - sqrt(m-1))^2 <= tau^2 (m-1)^(2 tau - 2).",
    ).repaired("O-5"),
    inequality(
        "the first half of the weights",
        t_1,
        2 * (t_1 - d),
        Le(2 * d, t_1),
        note="d = j <= t/2: 1/(t - j) <= 2/t, to the power 2 tau + 2.",
    ),
    inequality(
        "the second half of the weights", Integer(2), t_1 - d, Le(d + 2, t_1), note="d = j: 1/(t - j) <= 1/2."
    ),
    Identity(
        "geometric sum",
        (1 - rho) * Sum(rho**i, (i, 0, n)),
        1 - rho * rho**n,
        n,
        note="so a sum of rho_y^j from j_0 on is at most rho_y^(j_0)/(1 - rho_y).",
    ),
    inequality(
        "tau = 3, kappa_g = 1, T = 9",
        lam * _jumps(3, 9, Rational(7, 8)),
        lam * _printed_C_S(3, 9, Rational(7, 8)),
        note="S(T) and C_S as rational numbers; lam: any positive factor. C_S is enough for tau <= 1/2.",
    )
    .states()
    .refuted("O-5"),
    Induction(
        "sum of 1/(m-1)^2",
        Sum(1 / (i + 1) ** 2, (i, 0, n)),
        2 - 1 / (n + 1),
        n,
        1,
        note="the record has the limit pi^2/6.",
    ).repaired("O-5"),
    Identity("the record's C_S", REPAIRED[s.C_S], tau**2 * pi**2 / 6 * s.A_y).repaired("O-5").arithmetic(),
    AlongTrajectory(
        "whole sums",
        S_T,
        C_S_printed,
        on=(PAPER.entry("smp-jumps"),),
        note="tau below 1/2 only, where it is true although the proof is wrong.",
    ),
    AlongTrajectory(
        "whole sums, repaired", S_T, C_S_repaired, on=(PAPER.entry("smp-jumps"),), note="tau below 1/2"
    )
    .states()
    .repaired("O-5"),
)


SPREAD = link(
    "own-spread",
    "Geometric weights under a growing multiplier",
    "this project, for O-5",
    r"For $\tau \le 1/2$, $\sum_{t \ge m} \lambda_t^2 \rho^{t-m}$ is at most $\lambda_m^2 (1 - \rho)^{-1 - 2 \tau}$.",
    (),
    inequality(
        "one factor", p + q, p * (1 + q), box={p: at_least(1)}, note="p = m, q = k: 1 + k/m <= 1 + k."
    ).own("O-5"),
    inequality(
        "tangent of the power (Jensen), tau = 1/4",
        x,
        (1 + x**2) / 2,
        note="x^2 = (1+k)/mean: (1+k)^(2 tau) <= mean^(2 tau) (1 + 2 tau ((1+k)/mean - 1)) for 2 tau <= 1.",
    ).own("O-5"),
    Identity(
        "mean of 1 + k under the weights (1 - rho) rho^k, up to n",
        (1 - rho) ** 2 * Sum((1 + i) * rho**i, (i, 0, n)),
        1 - (n + 2) * rho * rho**n + (n + 1) * rho**2 * rho**n,
        n,
        note="tends to 1/(1 - rho)^2.",
    ).own("O-5"),
    AlongTrajectory("whole sums", spread, spread_bound, on=(PAPER.entry("smp-weights"),)).own("O-5").states(),
)


EARLIER = positive(lam, lam_0, before, after, factor)
FED_BACK = s.C_g * 4**tau * s.A * (s.lam_1 * s.gamma) ** 2
LATE = s.lam_1**2 * s.T ** (2 * tau)
SUMMED = 2 * (
    s.c_tau * s.Delta_1
    + s.c_lam * s.C_S
    + 3 * FED_BACK * (sum_regret + s.D_1**2 / s.lam_1**2 * s.S_tau)
    + s.c_gz * LATE / (1 - s.rho_z) * s.H_2T
    + s.c_g * LATE / (1 - s.rho_y) * (s.E_fT + s.E_gT)
)
S_xy, S_xz, S_x, lag, jumps, drift, start, drift_v = symbols(
    "S_xy S_xz S_x lag jumps drift start drift_v", nonnegative=True
)
alpha = Symbol("alpha", positive=True)
FIRST_PART = "first = c_tau Delta_1, jumps = c_lambda C_S, S_bias = D_1^2 S_tau/lambda_1^2"
ERROR_SUM = link(
    "lem-C.8",
    "Sum of the gradient errors, single loop",
    "L776-868",
    r"$\sum_t \|h_t - \nabla\mathcal{L}^*_t\|^2$ is at most $2 c_\tau \Delta_1 + 2 c_\lambda C_S "
    r"+ 6 c_\gamma C_g/(1 - \rho) \cdot (\mathrm{BLReg} + D_1^2 S_\tau/\lambda_1^2) "
    r"+ 2 \lambda_T^2 (c_g' H_{2,T}/(1 - \rho_{\mathbf{z}}) "
    r"+ c_g (E^f_{\mathbf{y},T} + E^g_{\mathbf{y},T})/(1 - \rho_{\mathbf{y}}))$.",
    ("eq-20", "eq-23", "eq-CS", "lem-B.2", "lem-C.6", "lem-C.7", "own-spread"),
    Identity(
        "C_g of the record",
        PRINTED[s.C_g],
        6 * L_g1**2 * 288 * kappa_g**3 + 3 * L_g1**2 * 8 * kappa_g**2 / (s.r_alpha / kappa_g),
        note="alpha mu_g = r_alpha/kappa_g.",
    ).arithmetic(),
    inequality(
        "Lemmas C.6 and C.7 in (20): the steps of x",
        6 * 288 * kappa**3 * S_xy + 3 * 8 * kappa**2 / (alpha * mu_g) * S_xz,
        (6 * 288 * kappa**3 + 3 * 8 * kappa**2 / (alpha * mu_g)) * S_x,
        Le(S_xy, S_x),
        Le(S_xz, S_x),
        note="in units of lambda_t^2 L_g1^2. The sums with rho_y and rho_z are at most those with rho; the other four "
        "terms only name their coefficients.",
    ),
    *misprint(
        "O-12",
        inequality("1/lambda^2 <= 1 in the term of f_t", F**2 / lam**2, F**2),
        "1/lambda^2 <= 1 for lambda >= 1",
        box={**nonnegative(F), lam: at_least(1)},
    ),
    *misprint(
        "O-6b",
        Identity("c_g as printed", PRINTED[s.c_g], 6 * L_g1**2 * 384 * kappa_g / mu_g**2),
        "c_g as Lemma C.6 gives it",
        lhs=REPAIRED[s.c_g],
    ),
    inequality(
        "a jump at m = 2 without the growth of lambda_t, tau = 1/2",
        lam * Sum((i + 2) / 2 * Rational(7, 8) ** i, (i, 0, 40)),
        8 * lam,
        note="the step to 1/(1 - rho) in L842, at kappa_g = 1 (rho = 7/8), divided by lambda_2^2; lam: the jump.",
    ).refuted("O-5"),
    *misprint(
        "O-5",
        inequality(
            "the step of x was made with gamma_(t-1)",
            lam * before,
            factor,
            Le(lam_0 * before, factor),
            Le(lam * after, factor),
            Le(lam_0, lam),
            Le(after, before),
            note="factor = sqrt(c_gamma); before, after: gamma_(t-1), gamma_t.",
        ),
        "the step of x, repaired",
        rhs=ratio * factor,
        box={**EARLIER, ratio: at_least(1)},
        given=(Le(lam_0 * before, factor), Le(lam, ratio * lam_0)),
        note="ratio = (t/(t-1))^tau, at most 2^tau.",
    ),
    *misprint(
        "O-5",
        inequality(
            "three parts of a step of x, L849-850",
            (v + w + d) ** 2,
            3 * v**2 + 3 * w**2 + d**2,
        ),
        "three parts of a step of x, with all three factors",
        rhs=3 * v**2 + 3 * w**2 + 3 * d**2,
    ),
    Identity(
        "gamma_t at its largest, L862-863",
        3 * s.C_g / (1 - rho) * sqrt((1 - rho) / (6 * s.C_g)) ** 2,
        HALF,
        note="lambda_t gamma_t = sqrt((1 - rho)/(6 C_g)) makes 3 c_gamma C_g/(1 - rho) = 1/2.",
    ),
    inequality(
        "rearranged",
        sum_error,
        2 * first + 2 * jumps + 6 * gain * (R_sum + S_bias) + 2 * drift,
        Le(sum_error, first + jumps + 3 * gain * (R_sum + S_bias + sum_error) + drift),
        Le(6 * gain, 1),
        note=f"{FIRST_PART}, drift: the three terms with lambda_T^2; gain = c_gamma C_g 4^tau sum (1+k)^(2 tau) rho^k "
        "(printed: c_gamma C_g/(1 - rho)). The condition: (32), own-spread, the steps of x, (13).",
    )
    .states()
    .repaired("O-5"),
    AlongTrajectory(
        "along runs, repaired",
        sum_error,
        as_recorded(SUMMED, REPAIRED),
        on=(SINGLE_SLOW,),
        note="gamma of Theorem 3.2, smaller than this lemma requires. Slack 7e4: no power on these runs.",
    )
    .states()
    .repaired("O-5"),
    note="L850 lacks a factor 3. Repaired: sum (1+k)^(2 tau) rho^k for 1/(1 - rho), and 4^tau.",
)


def in_units(bound: Expr) -> Expr:
    """The repaired bound in the units of the last step; drift: all three terms with lambda_T^2."""
    late = s.lam_1**2 * s.T ** (2 * tau)
    units = {
        s.M: start * s.gamma_T,
        s.V_T: drift_v * s.gamma_T,
        s.S_tau: S_bias * s.lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.C_S: jumps / s.c_lam,
        s.H_2T: drift * (1 - s.rho_z) / (s.c_gz * late),
        s.E_fT: lag * (1 - s.rho_y) / (s.c_g * late),
        s.E_gT: w * (1 - s.rho_y) / (s.c_g * late),
    }
    return expand(simplify(bound.subs(units)))


THEOREM = link(
    "thm-3.2",
    "Theorem 3.2 = C.9",
    "L870-896",
    r"$\mathrm{BLReg}(T)$ is at most the bound of the record.",
    ("lem-C.1", "lem-C.8"),
    inequality(
        "Lemma C.8 in Lemma C.1",
        total,
        16 * start
        + 8 * drift_v
        + (16 + 96 * gain) * S_bias
        + 32 * first
        + 32 * jumps
        + 96 * gain * total
        + 32 * drift,
        Le(total, 16 * start + 8 * drift_v + 16 * S_bias + 16 * sum_error),
        Le(sum_error, 2 * first + 2 * jumps + 6 * gain * (total + S_bias) + 2 * drift),
        note=f"start = M/gamma_T, drift_v = V_T/gamma_T, {FIRST_PART}, gain = c_gamma C_g/(1 - rho).",
    ),
    Identity(
        "gamma_t at its largest, L889-890",
        96 * s.C_g / (1 - rho) * (sqrt((1 - rho) / (3 * s.C_g)) / 8) ** 2,
        HALF,
        note="lambda_t gamma_t = sqrt((1 - rho)/(3 C_g))/8 makes 96 c_gamma C_g/(1 - rho) = 1/2.",
    ),
    *misprint(
        "O-5",
        inequality("the factor 2 is lost", total, rest, Le(total, rest + total / 2)),
        "the factor 2 is kept",
        rhs=2 * rest,
    ),
    Identity(
        "16 x 6 c_gamma C_g A at the largest c_gamma", 96 * REPAIRED[s.c_gamma] * s.C_g * 4**tau * s.A, HALF
    ).repaired("O-5"),
    inequality(
        "the bound of the record, repaired",
        total,
        in_units(REPAIRED[s.bound]),
        Le(total, 16 * start + 8 * drift_v + 16 * S_bias + 16 * sum_error),
        Le(sum_error, 2 * first + 2 * jumps + 6 * gain * (total + S_bias) + 2 * (drift + lag + w)),
        Le(192 * gain, 1),
        note=f"the bound of the record in the units of the first line; {FIRST_PART}; drift, lag, w: the terms of "
        "H_2T, E^f, E^g. gain = c_gamma C_g 4^tau A, by the line before at most 1/192.",
    )
    .states()
    .repaired("O-5"),
    Identity("the record's first term", PRINTED[s.bound].coeff(s.M), 16 / s.gamma_T).arithmetic(),
    errata=("O-4", "O-6b", "O-12", "O-16"),
)
LEMMAS = (YOUNG, MOTION, Y_ROUND, Z_ROUND, MULTIPLIER, SPREAD, ERROR_SUM, THEOREM)

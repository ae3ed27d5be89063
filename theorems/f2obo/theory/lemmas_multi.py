"""Section C.1: inner loops of K steps, Lemmas C.2-C.4 and Theorem 3.1. L490-667.

Norms: A = L_f0/(lambda_t mu_g), X = kappa_g |x_(t-1) - x_t|, h = |y*_(t-1)(x_t) - y*_t(x_t)|. ratio =
lambda_t/lambda_(t-1), between 1 and 2^tau; power stands for rho^K.
"""

from dataclasses import replace

from sympy import (
    Expr,
    IndexedBase,
    Integer,
    Le,
    Product,
    Rational,
    S,
    Sum,
    Symbol,
    exp,
    expand,
    factorial,
    log,
    symbols,
)

from workbench.theory.lemma import AlongTrajectory, Constant, Identity, Inequality, at_least, misprint
from workbench.theory.record import Form
from workbench.theory.special import Gamma

from . import symbols as s
from .chain import SPARE, as_recorded, inequality, k, later, link, n, unrolling
from .common import transient_printed
from .lemmas_descent import (
    ADAPTIVE,
    LEAST_K,
    MULTI,
    MULTI_BENT,
    MULTI_R3,
    MULTI_SLOW,
    SINGLE,
    SINGLE_BENT,
    SINGLE_R3,
)
from .paper import PAPER
from .symbols import L_f0, L_f1, L_g1, kappa_g, lam_1, mu_g, rho, tau
from .theorem_3_1 import PRINTED, REPAIRED

alpha, beta, lam, factor, ratio, theta, x = symbols("alpha beta lam factor ratio theta x", positive=True)
# d: distance to the solution; G: norm of the gradient there; A, X, h as above.
A, G, X, d, h, u, v, w, f_part, y_part, z_part = symbols(
    "A G X d h u v w f_part y_part z_part", nonnegative=True
)
gain, first, total, R_sum, S_bias = symbols("gain first total R_sum S_bias", nonnegative=True)
drop, drift, start, drift_v = symbols("drop drift start drift_v", nonnegative=True)
kappa = Symbol("kappa", positive=True)
inner = Symbol("inner", real=True)
power, old, new = symbols("power old new", nonnegative=True)
moves = symbols("S_b S_x S_h S_xy S_hy S_xz S_hz", nonnegative=True)
U, a, D_sq, X_sq, h_sq_k = (IndexedBase(name) for name in ("U", "a", "D_sq", "X_sq", "h_sq"))
# Along runs
dx_sq, dy_sq, dz_sq, h_sq, lam_t, drift_y = symbols("dx_sq dy_sq dz_sq h_sq lam_t drift_y", nonnegative=True)
rhs_y, rhs_z, error_sq, sum_error = symbols("rhs_y rhs_z error_sq sum_error", nonnegative=True)
sum_regret, sum_weights = symbols("sum_regret sum_weights", nonnegative=True)
ROUNDS = (MULTI, SINGLE, MULTI_R3, SINGLE_R3, MULTI_BENT, SINGLE_BENT)

Y_STEP = link(
    "eq-17",
    "One inner step of y",
    "Eq. (17), L503-514",
    r"$\|y^{k+1} - y^*_\lambda\|^2$ is at most $(1 - \beta_t \lambda_t \mu_g/2) \|y^k - y^*_\lambda\|^2$.",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "gradient descent",
        d**2 - 2 * beta * inner + beta**2 * G**2,
        (1 - beta * lam * mu_g / 2) * d**2,
        Le(lam * mu_g / 2 * d**2, inner),
        Le(G**2, 2 * lam * L_g1 * inner),
        Le(2 * beta * lam * L_g1, 1),
        note="left: |y^(k+1) - y*|^2 expanded. inner = <grad_y L_t, y - y*_lambda>; the conditions are strong "
        "convexity lambda mu_g/2 and co-coercivity at smoothness 2 lambda L_g1, by the next two lines.",
    ).states(),
    inequality(
        "smoothness of the penalty function",
        L_f1 + lam * L_g1,
        factor * lam * L_g1,
        Le(2 * L_f1, lam * mu_g),
        Le(mu_g, L_g1),
        constants=(Constant(factor, 2),),
    ),
    inequality(
        "strong convexity of the penalty function",
        lam * mu_g / 2,
        lam * mu_g - L_f1,
        Le(2 * L_f1, lam * mu_g),
    ),
)

Z_STEP = link(
    "eq-c3-step",
    "One inner step of z",
    "L548-554",
    r"$\|z^{k+1} - y^*\|^2$ is at most $(1 - \alpha \mu_g) \|z^k - y^*\|^2$.",
    ("asm-2.2",),
    inequality(
        "gradient descent",
        d**2 - 2 * alpha * inner + alpha**2 * G**2,
        (1 - alpha * mu_g) * d**2,
        Le(mu_g * d**2, inner),
        Le(G**2, L_g1 * inner),
        Le(alpha * L_g1, 1),
        note="left: |z^(k+1) - y*|^2 expanded; strong convexity and co-coercivity of g_t.",
    ).states(),
)

SEEN = 6 * kappa_g**2 * dx_sq + 6 * h_sq


TRIANGLE = (Le(v, X + h), Le(w, A))
DRIFT = link(
    "eq-18",
    "Drift of the penalty solution",
    "Eq. (18), L521-528",
    r"$\|y^*_{\lambda_{t-1},t-1}(x_{t-1}) - y^*_{\lambda_t,t}(x_t)\|^2$ is at most $6 L_{f,0}^2/(\lambda_t \mu_g)^2 "
    r"+ 6 \kappa_g^2 \|x_{t-1} - x_t\|^2 + 6 \|y^*_{t-1}(x_t) - y^*_t(x_t)\|^2$.",
    ("lem-B.1", "lem-B.5"),
    *misprint(
        "O-1",
        inequality(
            "three distances",
            (u + v + w) ** 2,
            6 * A**2 + 6 * X**2 + 6 * h**2,
            *TRIANGLE,
            Le(u, ratio * A),
            box={ratio: at_least(1)},
            witness={A: Rational(1, 2), X: 0, h: 0, u: 1, v: 0, w: Rational(1, 2), ratio: 2},
            note="u, w: penalty distances by the tight Lemma B.5. The witness is g = y^2/2, f_1 = y, f_2 = -y, tau = "
            "1, lambda_1 = 1: y* moves from -1 to 1/2.",
        ).states(),
        "three distances, repaired",
        rhs=3 * (1 + ratio**2) * A**2 + 6 * X**2 + 6 * h**2,
        note="ratio^2 <= 4^tau.",
    ),
    AlongTrajectory(
        "along runs, repaired",
        drift_y,
        as_recorded(3 * (1 + 4**tau) * L_f0**2 / (lam_t * mu_g) ** 2 + SEEN, REPAIRED),
        on=ROUNDS,
    )
    .states()
    .repaired("O-1"),
)


ENOUGH = Identity(
    "K makes 2 rho^K = rho",
    2 * exp(-theta * (1 + log(2) / theta)),
    exp(-theta),
    note="K = 1 - log(2)/log(rho), rho = exp(-theta); a larger K only helps.",
)


Y_LOOP = link(
    "lem-C.2",
    "Error of y after K steps",
    "L494-536",
    r"$\|y_{t+1} - y^*_{\lambda_t,t}\|^2$ is at most $\rho_{\mathbf{y}}^{t-1}$ times its first value plus "
    r"$12 L_{f,0}^2/\mu_g^2$ times the sum of $\rho_{\mathbf{y}}^{j+K}/\lambda_{t-j}^2$, $12 \kappa_g^2$ times that of "
    r"$\|x_{t-1-j} - x_{t-j}\|^2$, $12$ times that of the drift.",
    ("eq-17", "eq-18"),
    replace(
        unrolling(S.Zero, "K steps"),
        shows="line",
        note="E_k: the distance squared before step k, (17) in each.",
    ),
    ENOUGH,
    inequality("two distances", (d + w) ** 2, 2 * d**2 + 2 * w**2),
    inequality(
        "one round, repaired",
        new**2,
        rho * old**2 + 6 * (1 + ratio**2) * power * A**2 + 12 * power * X**2 + 12 * power * h**2,
        Le(new**2, power * (2 * old**2 + 2 * w**2)),
        Le(w**2, 3 * (1 + ratio**2) * A**2 + 6 * X**2 + 6 * h**2),
        Le(2 * power, rho),
        note="(17) K times, and (18) as repaired; ratio^2 <= 4^tau.",
    ).repaired("O-1"),
    replace(
        unrolling(6 * D_sq[k] + 12 * X_sq[k] + 12 * h_sq_k[k]),
        note=f"{SPARE} rho^K times: D_sq: (1 + 4^tau) A^2, X_sq: X^2, h_sq: h^2.",
    ).repaired("O-1"),
    inequality(
        "g = y^2/2, f_1 = y, f_2 = -y, lambda_1 = 1, 4 inner steps",
        (1 + 1 / lam) ** 2 / 4**4,
        12 / lam**2 * Rational(3, 4) ** 4,
        box={lam: at_least(1)},
        witness={lam: 128},
        note="lambda_2 = 128 (tau = 7), beta_t = 1/(2 lambda_t L_g1), rho_y = 3/4, y_1 = y_2 = -1 = y*_(lambda_1,1); "
        "y*_2 = 1/128, and each step halves the distance.",
    )
    .states()
    .refuted("O-1"),
    AlongTrajectory(
        "along runs, repaired",
        later(dy_sq),
        rhs_y,
        on=(LEAST_K,),
        note="Slack 370: these runs would not notice a smaller error.",
    )
    .states()
    .repaired("O-1"),
    note="12 L_f0^2 becomes 6 (1 + 4^tau) L_f0^2.",
)


Z_LOOP = link(
    "lem-C.3",
    "Error of z after K steps",
    "L538-563",
    r"$\|z_{t+1} - y^*_t\|^2$ is at most $\rho_{\mathbf{z}}^{t-1}$ times its first value plus $4 \kappa_g^2 \sum_j "
    r"\rho_{\mathbf{z}}^{j+K} \|x_{t-1-j} - x_{t-j}\|^2$ plus $4 \sum_j \rho_{\mathbf{z}}^{j+K}$ times the drift.",
    ("eq-c3-step", "lem-B.1"),
    replace(unrolling(S.Zero, "K steps"), shows="line"),
    inequality(
        "y* moves with x and with t",
        2 * v**2,
        factor * X**2 + factor * h**2,
        Le(v, X + h),
        constants=(Constant(factor, Integer(4)),),
    ),
    inequality(
        "one round",
        new**2,
        rho * old**2 + 4 * power * X**2 + 4 * power * h**2,
        Le(new**2, power * (2 * old**2 + 2 * v**2)),
        Le(v, X + h),
        Le(2 * power, rho),
    ),
    replace(unrolling(4 * X_sq[k] + 4 * h_sq_k[k]), note=f"{SPARE} X_sq, h_sq: rho^K times X^2 and h^2."),
    AlongTrajectory("along runs", later(dz_sq), rhs_z, on=(LEAST_K,)).states(),
)


GRADIENT_ERROR = link(
    "eq-20",
    "Error of the computed gradient",
    "Eq. (20), L576-584",
    r"$\|h_t - \nabla\mathcal{L}^*_t\|^2$ is at most $3 \lambda_t^2 L_{g,1}^2 (2 \|y_{t+1} - y^*_\lambda\|^2 "
    r"+ \|z_{t+1} - y^*\|^2)$.",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "three gradients",
        (f_part + y_part + z_part) ** 2,
        6 * (lam * L_g1 * d) ** 2 + 3 * (lam * L_g1 * w) ** 2,
        Le(f_part, L_f1 * d),
        Le(y_part, lam * L_g1 * d),
        Le(z_part, lam * L_g1 * w),
        Le(L_f1, lam * L_g1),
        note="d, w: the distances of y_(t+1) and z_(t+1). L_f1 <= lambda L_g1 follows from lambda > 2 L_f1/mu_g.",
    ).states(),
    AlongTrajectory(
        "along runs",
        error_sq,
        6 * lam_t**2 * L_g1**2 * dy_sq + 3 * lam_t**2 * L_g1**2 * dz_sq,
        on=(*ROUNDS, ADAPTIVE),
    ).states(),
)


TRANSIENT = link(
    "eq-23",
    "Weight of the first error",
    "Eq. (23), L606-620",
    r"$\sum_t \lambda_t^2 \rho^{t-1}$ is at most $c_\tau = \lambda_1^2 e^\theta (\Gamma(2 \tau + 1)/"
    r"\theta^{2 \tau + 1} + 1)$.",
    (),
    Identity(
        "the record's c_tau",
        transient_printed()[1],
        lam_1**2 * exp(s.theta) * (Gamma(2 * tau + 1) / s.theta ** (2 * tau + 1) + 1),
    ).arithmetic(),
    *misprint(
        "O-7",
        Identity(
            "the multiplier as a product, as printed",
            Product((k + 1) / k, (k, 1, n)),
            n,
            n,
            note="lambda_t/lambda_1 to the power 1/tau; the upper limit should be t - 1.",
        ),
        "the multiplier as a product",
        rhs=n + 1,
        note="at n = t - 1 this is t.",
    ),
    inequality(
        "tau = 16, theta = 19/2, T = 30",
        lam_1**2 * Sum(k**32 * exp(-Rational(19, 2) * (k - 1)), (k, 1, 30)),
        lam_1**2 * exp(Rational(19, 2)) * (factorial(32) / Rational(19, 2) ** 33 + 1),
        note="The line of the text bounds sum minus integral by 1, which is the maximum of the summand only for small "
        "tau; (23) itself holds for tau <= 3.",
    )
    .states()
    .refuted("O-16"),
    inequality(
        "x^m e^(-theta x) is largest at m/theta",
        log(x) + 1 - x,
        0,
        note="with theta x/m for x: log of the ratio to the value at the top, divided by m.",
    ).repaired("O-16"),
    AlongTrajectory(
        "along the rounds",
        sum_weights,
        REPAIRED[s.c_tau].xreplace({s.theta: -log(rho)}),
        on=(PAPER.entry("smp-weights"),),
        note="tau below 1/2",
    )
    .states()
    .repaired("O-16"),
)

FED_BACK = s.gamma**2 * s.C_lam * kappa_g**2 / (1 - rho)
SUMMED = (
    2 * s.c_tau * s.Delta_1
    + (288 * (1 + 4**tau) * s.c * kappa_g**3 * L_f0**2 + 8 * FED_BACK * s.D_1**2) / lam_1**2 * s.S_tau
    + 4 * FED_BACK * sum_regret
    + 2 * s.C_lam / (1 - rho) * s.H_2T
)


S_b, S_x, S_h, S_xy, S_hy, S_xz, S_hz = moves
CONVOLVED = Identity(
    "geometric weights summed over the rounds",
    (1 - rho) * Sum(U[k], (k, 1, n)),
    Sum(a[k], (k, 1, n)) - rho * U[n],
    n,
    recursion={U[n + 1]: rho * U[n] + a[n + 1], U[1]: a[1]},
    note="U_t: sum of rho^j a_(t-j). So the double sum is at most sum a_t/(1 - rho).",
)
FOUR_KAPPA = Identity(
    "sum of rho_y^j at r_beta = 1/2",
    1 / (1 - PRINTED[s.rho_y]).subs(s.r_beta, Rational(1, 2)),
    4 * kappa_g,
)
ERROR_SUM = link(
    "lem-C.4",
    "Sum of the gradient errors",
    "L565-640",
    r"$\sum_t \|h_t - \nabla\mathcal{L}^*_t\|^2$ is at most $2 c_\tau \Delta_1 + [576 c \kappa_g^3 L_{f,0}^2 "
    r"+ 8 \gamma^2 C_\lambda \kappa_g^2 D_1^2/(1 - \rho)]/\lambda_1^2 \cdot S_\tau "
    r"+ 4 \gamma^2 C_\lambda \kappa_g^2/(1 - \rho) \cdot \mathrm{BLReg} + 2 C_\lambda/(1 - \rho) \cdot H_{2,T}$.",
    ("eq-20", "eq-23", "lem-B.2", "lem-C.2", "lem-C.3"),
    Identity(
        "Lemmas C.2 and C.3 in (20)",
        6 * lam**2 * L_g1**2 * power * (12 * L_f0**2 / mu_g**2 * S_b + 12 * kappa**2 * S_xy + 12 * S_hy)
        + 3 * lam**2 * L_g1**2 * power * (4 * kappa**2 * S_xz + 4 * S_hz),
        72 * (L_g1 / mu_g) ** 2 * L_f0**2 * lam**2 * power * S_b
        + 72 * lam**2 * kappa**2 * L_g1**2 * power * S_xy
        + 72 * lam**2 * L_g1**2 * power * S_hy
        + 12 * lam**2 * kappa**2 * L_g1**2 * power * S_xz
        + 12 * lam**2 * L_g1**2 * power * S_hz,
        note="S_b, S_xy, S_hy, S_xz, S_hz: the sums over j; the first errors apart. 72 becomes 36 (1 + 4^tau).",
    ),
    inequality(
        "one round, Eq. (21)",
        6 * old + 3 * new + power * (72 * S_b + 72 * (S_xy + S_hy) + 12 * (S_xz + S_hz)),
        first + s.c * (72 * S_b + 84 * S_x + 84 * S_h),
        Le(6 * old + 3 * new, first),
        Le(power, s.c),
        Le(S_xy, S_x),
        Le(S_xz, S_x),
        Le(S_hy, S_h),
        Le(S_hz, S_h),
        note="in units of L_g1^2, power = lambda_t^2 rho^K <= c, first = lambda_t^2 rho^(t-1) Delta_1'. The sums with "
        "rho_y and rho_z are at most those with rho.",
    ),
    CONVOLVED,
    FOUR_KAPPA,
    Identity("sum of rho_y^j for any r_beta", 1 / (1 - REPAIRED[s.rho_y]), 2 * kappa_g / s.r_beta).repaired(
        "O-3"
    ),
    inequality(
        "the steps of x",
        (u + v + w) ** 2,
        2 * u**2 + 4 * v**2 + 4 * w**2,
        note="|G_X(x, h)|: |G_X(x, grad F)|, |grad F - grad L*|, |h - grad L*|; gamma^2 times this.",
    ),
    inequality(
        "rearranged",
        sum_error,
        2 * first + 2 * drop + 8 * gain * S_bias + 4 * gain * R_sum + 2 * drift,
        Le(sum_error, first + drop + gain * (2 * R_sum + 4 * S_bias + 4 * sum_error) + drift),
        Le(4 * gain, Rational(1, 2)),
        note="first = c_tau Delta_1, drop = 144 (1 + 4^tau) c kappa_g^3 L_f0^2 S_tau/lambda_1^2 (printed: 288), "
        "S_bias = D_1^2 S_tau/lambda_1^2, drift = C_lambda H_2T/(1 - rho), gain = gamma^2 C_lambda kappa_g^2/(1 - "
        "rho), at most 1/16 by the condition on gamma. The condition: (21) summed over t, the weights summed, the "
        "steps of x, (13).",
    )
    .states()
    .repaired("O-1"),
    Identity(
        "lambda_T^2 rho^K <= c",
        log(lam_1**2 * s.T ** (2 * tau)) + (log(s.c) - 2 * log(lam_1) - 2 * tau * log(s.T)),
        log(s.c),
        note="K log(rho) at the least K; the paper omits 2 log(lambda_1).",
    ).repaired("O-2"),
    AlongTrajectory(
        "along runs, repaired",
        sum_error,
        as_recorded(SUMMED, REPAIRED),
        on=(MULTI_SLOW,),
        note="gamma of Theorem 3.1, smaller than this lemma requires. Slack 7e5: no power on these runs.",
    )
    .states()
    .repaired("O-1"),
    inequality(
        "the printed K",
        2 * log(lam_1) + log(s.c),
        log(s.c),
        box={lam_1: at_least(2)},
        note="log(lambda_T^2 rho^K) at the least printed K, where 2 tau log(T) has cancelled.",
    ).refuted("O-2"),
    errata=("O-12", "O-16"),
    note="576 becomes 288 (1 + 4^tau).",
)


def in_units(bound: Expr, drop_c: Expr) -> Expr:
    """The bound of a form in the units of the last step.

    start = M/gamma, drift_v = V_T/gamma, S_bias = D_1^2 S_tau/lambda_1^2, first = c_tau Delta_1, drop = c kappa_g^3
    L_f0^2 S_tau/lambda_1^2, gain = gamma^2 C_lambda kappa_g^2/(1 - rho), drift = C_lambda H_2T/(1 - rho).
    """
    e = bound.subs(s.C_lam, gain * (1 - rho) / (s.gamma * kappa_g) ** 2)
    e = e.subs(s.c, drop_c * lam_1**2 / (kappa_g**3 * L_f0**2 * s.S_tau))
    units = {
        s.M: start * s.gamma,
        s.V_T: drift_v * s.gamma,
        s.S_tau: S_bias * lam_1**2 / s.D_1**2,
        s.Delta_1: first / s.c_tau,
        s.H_2T: drift * (s.gamma * kappa_g) ** 2 / gain,
    }
    return expand(e.subs(units))


def last_step(name: str, form: Form, factor: Expr, four: Expr) -> Inequality:
    """Lemma C.4, with `factor` for its 576, in Lemma C.1."""
    return inequality(
        name,
        total,
        in_units(form[s.bound].subs(s.r_beta, Rational(1, 2)), drop).subs(4**tau, four),
        Le(total, 16 * start + 8 * drift_v + 16 * S_bias + 16 * sum_error),
        Le(
            sum_error,
            2 * first + factor * drop + 8 * gain * S_bias + 4 * gain * total + 2 * drift,
        ),
        Le(256 * gain, 1),
        note="the bound of the record in units: start = M/gamma, drift_v = V_T/gamma, S_bias = D_1^2 "
        "S_tau/lambda_1^2, first = c_tau Delta_1, drop = c kappa_g^3 L_f0^2 S_tau/lambda_1^2, gain = gamma^2 C_lambda "
        "kappa_g^2/(1 - rho), drift = C_lambda H_2T/(1 - rho).",
    ).states()


FOUR = Symbol("four_tau", positive=True)  # 4^tau
THEOREM = link(
    "thm-3.1",
    "Theorem 3.1 = C.5",
    "L642-667",
    r"$\mathrm{BLReg}(T)$ is at most the bound of the record.",
    ("lem-C.1", "lem-C.4"),
    inequality(
        "Lemma C.4 in Lemma C.1",
        total,
        16 * start
        + 8 * drift_v
        + (16 + 128 * gain) * S_bias
        + 32 * first
        + 9216 * drop
        + 32 * drift
        + 64 * gain * total,
        Le(total, 16 * start + 8 * drift_v + 16 * S_bias + 16 * sum_error),
        Le(sum_error, 2 * first + 576 * drop + 8 * gain * S_bias + 4 * gain * total + 2 * drift),
    ),
    last_step("the bound of the record", PRINTED, Integer(576), FOUR),
    last_step("the bound of the record, repaired", REPAIRED, 288 * (1 + FOUR), FOUR).repaired("O-1"),
    errata=("O-2", "O-3", "O-4", "O-7", "O-12", "O-16"),
)
LEMMAS = (Y_STEP, Z_STEP, DRIFT, Y_LOOP, Z_LOOP, GRADIENT_ERROR, TRANSIENT, ERROR_SUM, THEOREM)

"""Section C.1: inner loops of K steps, Lemmas C.2-C.4 and Theorem 3.1. L490-667.

Norms: A = L_f0/(lambda_t mu_g), X = kappa_g |x_(t-1) - x_t|, h = |y*_(t-1)(x_t) - y*_t(x_t)|. ratio =
lambda_t/lambda_(t-1), between 1 and 2^tau. Unrolled sums are checked as the recursion that they solve: with
E_t <= rho E_(t-1) + b_t, E_t/rho^t is at most E_1/rho + sum b_k/rho^k.
"""

from sympy import IndexedBase, Integer, Le, Product, Rational, Sum, Symbol, exp, log, symbols

from theorems.f2obo import symbols as s
from theorems.f2obo.chain import inequality, link, seen
from theorems.f2obo.common import transient_printed
from theorems.f2obo.lemmas_descent import ADAPTIVE, MULTI, MULTI_SLOW, SINGLE
from theorems.f2obo.symbols import L_f0, L_f1, L_g1, kappa_g, lam_1, mu_g, rho, tau
from theorems.f2obo.theorem_3_1 import PRINTED, REPAIRED
from theorems.lemma import AlongTrajectory, Constant, Identity, at_least, misprint
from theorems.special import Gamma

alpha, beta, lam, factor, ratio, theta, x = symbols("alpha beta lam factor ratio theta x", positive=True)
# d: distance to the solution; G: norm of the gradient there; A, X, h as above.
A, G, X, d, h, u, v, w, f_part, y_part, z_part = symbols(
    "A G X d h u v w f_part y_part z_part", nonnegative=True
)
gain, first, rest, total, R_sum, S_bias = symbols("gain first rest total R_sum S_bias", nonnegative=True)
inner = Symbol("inner", real=True)
n, k = symbols("n k", integer=True, positive=True)  # upper limit and index of a sum or product
E, b = IndexedBase("E"), IndexedBase("b")
# Along runs
dx_sq, dy_sq, dz_sq, h_sq, lam_t, drift_y = symbols("dx_sq dy_sq dz_sq h_sq lam_t drift_y", nonnegative=True)
rhs_y, rhs_z, error_sq, sum_error = symbols("rhs_y rhs_z error_sq sum_error", nonnegative=True)
sum_regret, sum_weights = symbols("sum_regret sum_weights", nonnegative=True)
ROUNDS = (MULTI, SINGLE)

Y_STEP = link(
    "eq-17",
    "One inner step of y",
    "Eq. (17), L503-514",
    "|y^(k+1) - y*_lambda|^2 is at most (1 - beta_t lambda_t mu_g/2) |y^k - y*_lambda|^2.",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "gradient descent",
        d**2 - 2 * beta * inner + beta**2 * G**2,
        (1 - beta * lam * mu_g / 2) * d**2,
        Le(lam * mu_g / 2 * d**2, inner),
        Le(G**2, 2 * lam * L_g1 * inner),
        Le(2 * beta * lam * L_g1, 1),
        note="inner = <grad_y L_t, y - y*_lambda>; strong convexity lambda mu_g/2, smoothness 2 lambda L_g1.",
    ),
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
    "|z^(k+1) - y*|^2 is at most (1 - alpha mu_g) |z^k - y*|^2.",
    ("asm-2.2",),
    inequality(
        "gradient descent",
        d**2 - 2 * alpha * inner + alpha**2 * G**2,
        (1 - alpha * mu_g) * d**2,
        Le(mu_g * d**2, inner),
        Le(G**2, L_g1 * inner),
        Le(alpha * L_g1, 1),
    ),
)

SEEN = 6 * kappa_g**2 * dx_sq + 6 * h_sq


TRIANGLE = (Le(v, X + h), Le(w, A))
DRIFT = link(
    "eq-18",
    "Drift of the penalty solution",
    "Eq. (18), L521-528",
    "|y*_(lambda_(t-1),t-1)(x_(t-1)) - y*_(lambda_t,t)(x_t)|^2 is at most 6 L_f0^2/(lambda_t mu_g)^2 + 6 kappa_g^2 "
    "|x_(t-1) - x_t|^2 + 6 |y*_(t-1)(x_t) - y*_t(x_t)|^2.",
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
            witness={A: 1, X: 0, h: 0, u: 2, v: 0, w: 1, ratio: 2},
            note="u, w: penalty distances by the tight Lemma B.5. Attained by g = y^2/2, f_1 = y, f_2 = -y, tau "
            "= 1.",
        ),
        "three distances, repaired",
        rhs=3 * (1 + ratio**2) * A**2 + 6 * X**2 + 6 * h**2,
        note="ratio^2 <= 4^tau.",
    ),
    AlongTrajectory(
        "along runs, repaired",
        drift_y,
        seen(3 * (1 + 4**tau) * L_f0**2 / (lam_t * mu_g) ** 2 + SEEN, REPAIRED),
        on=ROUNDS,
    ).repaired("O-1"),
)


UNROLLED = Identity(
    "unrolling",
    E[n] * rho**-n,
    E[0] + Sum(b[k] * rho**-k, (k, 1, n)),
    n,
    recursion={E[n + 1]: rho * E[n] + b[n + 1], E[1]: rho * E[0] + b[1]},
    note="for equality in every step; E_0 stands for E_1/rho.",
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
    "|y_(t+1) - y*_(lambda_t,t)|^2 is at most rho_y^(t-1) times its first value plus 12 L_f0^2/mu_g^2 times the "
    "sum of rho_y^(j+K)/lambda_(t-j)^2, 12 kappa_g^2 times that of |x_(t-1-j) - x_(t-j)|^2, 12 times that of the "
    "drift.",
    ("eq-17", "eq-18"),
    inequality("two distances", (d + w) ** 2, 2 * d**2 + 2 * w**2, note="then twice (18): 12 = 2 x 6."),
    ENOUGH,
    UNROLLED,
    AlongTrajectory("along runs, repaired", dy_sq, rhs_y, on=(MULTI,)).repaired("O-1"),
    note="12 L_f0^2 becomes 6 (1 + 4^tau) L_f0^2.",
)


Z_LOOP = link(
    "lem-C.3",
    "Error of z after K steps",
    "L538-563",
    "|z_(t+1) - y*_t|^2 is at most rho_z^(t-1) times its first value plus 4 kappa_g^2 sum rho_z^(j+K) |x_(t-1-j) - "
    "x_(t-j)|^2 + 4 sum rho_z^(j+K) times the drift.",
    ("eq-c3-step", "lem-B.1"),
    inequality(
        "y* moves with x and with t",
        2 * v**2,
        factor * X**2 + factor * h**2,
        Le(v, X + h),
        constants=(Constant(factor, Integer(4)),),
    ),
    UNROLLED,
    AlongTrajectory("along runs", dz_sq, rhs_z, on=(MULTI,)),
)


GRADIENT_ERROR = link(
    "eq-20",
    "Error of the computed gradient",
    "Eq. (20), L576-584",
    "|h_t - grad L*_t|^2 is at most 3 lambda_t^2 L_g1^2 (2 |y_(t+1) - y*_lambda|^2 + |z_(t+1) - y*|^2).",
    ("asm-2.1", "asm-2.2"),
    inequality(
        "three gradients",
        (f_part + y_part + z_part) ** 2,
        6 * (lam * L_g1 * d) ** 2 + 3 * (lam * L_g1 * w) ** 2,
        Le(f_part, L_f1 * d),
        Le(y_part, lam * L_g1 * d),
        Le(z_part, lam * L_g1 * w),
        Le(L_f1, lam * L_g1),
        note="d, w: the distances of y_(t+1) and z_(t+1).",
    ),
    AlongTrajectory(
        "along runs",
        error_sq,
        6 * lam_t**2 * L_g1**2 * dy_sq + 3 * lam_t**2 * L_g1**2 * dz_sq,
        on=(MULTI, SINGLE, ADAPTIVE),
    ),
)


TRANSIENT = link(
    "eq-23",
    "Weight of the first error",
    "Eq. (23), L606-620",
    "The sum of lambda_t^2 rho^(t-1) is at most c_tau = lambda_1^2 e^theta (Gamma(2 tau + 1)/theta^(2 tau + 1) + 1).",
    (),
    Identity(
        "the record's c_tau",
        transient_printed()[1],
        lam_1**2 * exp(s.theta) * (Gamma(2 * tau + 1) / s.theta ** (2 * tau + 1) + 1),
    ),
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
        "x^m e^(-theta x) is largest at m/theta",
        log(x) + 1 - x,
        0,
        note="with theta x/m for x: log of the ratio to the value at the top, divided by m.",
    ).repaired("O-16"),
    AlongTrajectory(
        "along the rounds",
        sum_weights,
        REPAIRED[s.c_tau].xreplace({s.theta: -log(rho)}),
        on=("f2obo/smp-weights",),
    ).repaired("O-16"),
)

FED_BACK = s.gamma**2 * s.C_lam * kappa_g**2 / (1 - rho)
SUMMED = (
    2 * s.c_tau * s.Delta_1
    + (288 * (1 + 4**tau) * s.c * kappa_g**3 * L_f0**2 + 8 * FED_BACK * s.D_1**2) / lam_1**2 * s.S_tau
    + 4 * FED_BACK * sum_regret
    + 2 * s.C_lam / (1 - rho) * s.H_2T
)


ERROR_SUM = link(
    "lem-C.4",
    "Sum of the gradient errors",
    "L565-640",
    "The sum of |h_t - grad L*_t|^2 is at most 2 c_tau Delta_1 + [576 c kappa_g^3 L_f0^2 + 8 gamma^2 C_lambda "
    "kappa_g^2 "
    "D_1^2/(1 - rho)]/lambda_1^2 S_tau + 4 gamma^2 C_lambda kappa_g^2/(1 - rho) BLReg + 2 C_lambda/(1 - rho) H_2T.",
    ("eq-20", "eq-23", "lem-B.2", "lem-C.2", "lem-C.3"),
    Identity("the factors 72 + 12", 6 * 12 + 3 * 4, Integer(84)),
    Identity(
        "sum of rho_y^j at r_beta = 1/2",
        1 / (1 - PRINTED[s.rho_y]).subs(s.r_beta, Rational(1, 2)),
        4 * kappa_g,
    ),
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
        2 * first + 2 * gain * (2 * R_sum + 4 * S_bias),
        Le(sum_error, first + gain * (2 * R_sum + 4 * S_bias + 4 * sum_error)),
        Le(4 * gain, Rational(1, 2)),
        note="gain = gamma^2 C_lambda kappa_g^2/(1 - rho), at most 1/16 by the condition on gamma.",
    ),
    Identity(
        "lambda_T^2 rho^K <= c",
        log(lam_1**2 * s.T ** (2 * tau)) + (log(s.c) - 2 * log(lam_1) - 2 * tau * log(s.T)),
        log(s.c),
        note="K log(rho) at the least K; the paper omits 2 log(lambda_1).",
    ).repaired("O-2"),
    AlongTrajectory(
        "along runs, repaired",
        sum_error,
        seen(SUMMED, REPAIRED),
        on=(MULTI_SLOW,),
        note="gamma of Theorem 3.1, smaller than this lemma requires.",
    ).repaired("O-1"),
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


THEOREM = link(
    "thm-3.1",
    "Theorem 3.1 = C.5",
    "L642-667",
    "BLReg(T) is at most the bound of the record.",
    ("lem-C.1", "lem-C.4"),
    Identity("C.4 in C.1", Integer(16) * 576, Integer(9216)),
    Identity("16 x 4 gain at the largest gamma", Integer(64) / 256, Rational(1, 4)),
    inequality("rearranged", total, 2 * rest, Le(total, rest + 64 * gain * total), Le(256 * gain, 1)),
    Identity(
        "the record's bias term",
        PRINTED[s.bound].coeff(s.S_tau).subs(s.gamma, 0),
        32 * s.D_1**2 / lam_1**2 + 2 * 16 * 576 * s.c * kappa_g**3 * L_f0**2 / lam_1**2,
    ),
    Identity(
        "the repaired bias term",
        REPAIRED[s.bound].coeff(s.S_tau).subs(s.gamma, 0).subs(s.r_beta, Rational(1, 2)),
        32 * s.D_1**2 / lam_1**2 + 2 * 16 * 288 * (1 + 4**tau) * s.c * kappa_g**3 * L_f0**2 / lam_1**2,
    ).repaired("O-1"),
    errata=("O-2", "O-3", "O-4", "O-7", "O-12", "O-16"),
)
LEMMAS = (Y_STEP, Z_STEP, DRIFT, Y_LOOP, Z_LOOP, GRADIENT_ERROR, TRANSIENT, ERROR_SUM, THEOREM)

"""Lemma 12, the error of the recursive estimates, and the potential (76)-(84) of Theorem 2. L101."""

from functools import partial

from sympy import Eq, Expr, Ge, Le, Rational, Symbol, symbols

from workbench.theory.lemma import Identity, Inequality, at_least, closed, misprint, nonnegative

from .chain import RECURSIVE, R, V, W, X, Y, Z, b, eta, inequality, link
from .lemmas_estimator import O_3, O_4, constant, curvature
from .lemmas_momentum import (
    DESCENT_56,
    FALL_F,
    FALL_Y,
    PRINTED_WEIGHT,
    UPPER,
    WEIGHT,
    V_next,
    W_next,
    assembled,
    collected,
    cost_v,
    cost_w,
    in_expectation,
    kappa,
    left_of_x_with,
    own_v,
    own_w,
    parameters_small,
    ratio,
)
from .symbols import L_0, L_2, L_K, L_g, b_l, b_u, c_1, c_2, gamma, k, lam, mu_g, rho, sigma

beta = Symbol("beta", positive=True)
noise_sq, moved_sq = symbols("noise_sq moved_sq", nonnegative=True)
u_1, u_2 = symbols("u_1 u_2", real=True)
a_x, a_y = symbols("a_x a_y", nonnegative=True)
w, before, after, sample, old_sample = symbols("w before after sample old_sample", real=True)
r, r_next = symbols("r r_next", real=True)
y_1, y_2, a_1, a_2 = symbols("y_1 y_2 a_1 a_2", real=True)
apart = Symbol("apart", nonnegative=True)  # (y_1 - y_2)^2
NEAR = {y_1: closed(-1, 1), y_2: closed(-1, 1), beta: UPPER, **nonnegative(W)}


def one_step(spread: Expr, variance: Expr, square: Expr, name: str, note: str) -> Inequality:
    """Lemma 12 for w from y_2 to y_1: spread = E|n_1 - (1 - beta) n_2|^2 of the noises of (6), the same sample."""
    return Inequality(
        name,
        (1 - beta) ** 2 * W + spread,
        bounded(variance, square, (y_1 - y_2) ** 2),
        NEAR,
        note=note,
    )


def bounded(variance: Expr, square: Expr, apart: Expr) -> Expr:
    """The right side of (73) for one step of squared length ``apart``, with the square of L_K."""
    return (1 - beta) * W + 2 * beta**2 * variance + 4 * square * apart


def within(low: Expr | int, high: Expr | int) -> dict:
    """The box of the repaired lines: a_1, a_2 (phi'' or f_y at the two points) on their range."""
    return {a_1: closed(low, high), a_2: closed(low, high), beta: UPPER, **nonnegative(W, apart)}


# O-3: (6) is q^k with q = 1 - phi''/2 and k one of 0, 1; its noise is (1 - q)/2 with a fair sign.
SPREAD_3 = (curvature(y_1) / 4 - (1 - beta) * curvature(y_2) / 4) ** 2
# O-4: (6) is zeta 6 (3/4)^k f_y with k one of 0, ..., 5; its mean is 0.
MOMENT_4 = 6 * sum((Rational(9, 16) ** j for j in range(6)), Rational(0))
SPREAD_4 = MOMENT_4 * (y_1 / (1 + y_1**2) - (1 - beta) * y_2 / (1 + y_2**2)) ** 2
O_4_K = {**O_4, "K": 6}
LEMMA_12 = link(
    "lem-12",
    "Error of w and v in VR-BiAdam",
    "(72), (73), L101",
    r"$\mathbb{E}\|w - \nabla f - R\|^2$ contracts by $1 - \beta$, up to $2 \beta^2 \sigma^2$ and $4 L_K^2 \eta^2$ "
    r"(moves of $x$, $y$); that of $v$ with $\alpha$ and $L_g$ in place of $\beta$ and $L_K$.",
    ("lem-3", "lem-4", "asm-3", "asm-6"),
    *misprint(
        "O-3",
        one_step(
            SPREAD_3,
            Rational(1, 4),
            constant("printed", **O_3),
            "L_K with L_f^2 in the last term",
            "the instance of Lemma 4: K = 2, sigma^2 = 1/4; the printed L_K is 0. R_t and the mean drop out.",
        ).states(),
        "L_K with C_fy^2 in the last term, the same instance",
        lhs=(1 - beta) ** 2 * W + (a_1 - (1 - beta) * a_2) ** 2 / 16,
        rhs=bounded(Rational(1, 4), constant("repaired", **O_3), apart),
        box=within(1, 2),
        given=(Le((a_1 - a_2) ** 2, apart),),
        shows="line",
    ),
    *misprint(
        "O-4",
        one_step(
            SPREAD_4,
            MOMENT_4 / 4,
            constant("printed", **O_4_K),
            "L_K with bounds of the means",
            "the instance of Lemma 4 with K = 6 on |x| <= 1/4, sigma^2 = E(6)^2 at most.",
        ).states(),
        "L_K with second moments of the samples, the same instance",
        lhs=(1 - beta) ** 2 * W + MOMENT_4 * (a_1 - (1 - beta) * a_2) ** 2,
        rhs=bounded(MOMENT_4 / 4, constant("repaired", **O_4_K), apart),
        box=within(-Rational(1, 2), Rational(1, 2)),
        given=(Le((a_1 - a_2) ** 2, apart),),
        shows="line",
    ),
    Identity(
        "(74): error and noises apart",
        sample + (1 - beta) * (w - old_sample) - after - r_next,
        (1 - beta) * (w - before - r)
        + beta * (sample - after - r_next)
        + (1 - beta) * (sample - after - r_next - (old_sample - before - r)),
        note="before, after: the surrogate at t and t + 1, sample and old_sample: the estimates there with the sample "
        "of "
        "t + 1, r: their biases.",
    ),
    inequality("two parts of the noise", (u_1 + u_2) ** 2, 2 * (u_1**2 + u_2**2), note="each coordinate."),
    *misprint(
        "O-13",
        inequality(
            "noise with a fresh sample at the old point",
            (1 + (1 - beta) ** 2) * sigma**2,
            2 * beta**2 * sigma**2,
            box={beta: UPPER},
            note="x_(t+1) = x_t, y_(t+1) = y_t: independent noises of variance sigma^2 with the factors 1 and -(1 - "
            "beta).",
        ),
        "noise with the same sample at the old point",
        lhs=beta**2 * sigma**2,
    ),
    inequality(
        "from x and y apart to both",
        moved_sq,
        2 * L_K**2 * (X + Z),
        Le(moved_sq, 2 * (L_K**2 * X + L_K**2 * Z)),
        note="Lemma 4 twice, through (x_(t+1), y_t).",
    ),
    inequality(
        "(73)",
        W_next,
        (1 - beta) * W + 2 * beta**2 * sigma**2 + 4 * L_K**2 * eta**2 * (X + Z),
        Le(W_next, (1 - beta) ** 2 * W + 2 * beta**2 * noise_sq + 2 * (1 - beta) ** 2 * moved_sq),
        Le(noise_sq, sigma**2),
        Le(moved_sq, 2 * L_K**2 * eta**2 * (X + Z)),
        box={beta: UPPER},
        note="for any L_K with which Lemma 4 is true; noise_sq: variance of (6), moved_sq: E|change of (6)|^2, which "
        "bounds "
        "the variance of the change.",
    )
    .states()
    .repaired("O-3"),
    inequality(
        "(72)",
        V_next,
        (1 - beta) * V + 2 * beta**2 * sigma**2 + 4 * L_g**2 * eta**2 * (X + Z),
        Le(V_next, (1 - beta) ** 2 * V + 2 * beta**2 * noise_sq + 2 * (1 - beta) ** 2 * moved_sq),
        Le(noise_sq, sigma**2),
        Le(moved_sq, L_g**2 * eta**2 * (a_x + a_y) ** 2),
        Eq(X, a_x**2),
        Eq(Z, a_y**2),
        box={beta: UPPER},
        note="beta is alpha_(t+1) here.",
    ).states(),
    in_expectation("(72) along runs", "v_next_sq", "rhs_72", RECURSIVE),
    in_expectation("(73) along runs, repaired", "w_next_sq", "rhs_73", RECURSIVE).repaired("O-3"),
)

# ------------------------------------------------------------------------------------------- the steps, (78)

p, q, c = symbols("p q c", positive=True)  # (m + t)^(1/3), (m + t - 1)^(1/3), 2^(2/3)
m, t = symbols("m t", positive=True)
STEPS = link(
    "eq-78",
    "1/eta_t grows slowly",
    "(78), L101",
    r"$m \ge 2$ implies $1/\eta_t - 1/\eta_{t-1} \le (2/(3 k^3)) \eta_t$.",
    (),
    inequality(
        "concavity of the cube root",
        p - q,
        1 / (3 * q**2),
        Le(p**3, q**3 + 1),
        note="p = (m + t)^(1/3), q = (m + t - 1)^(1/3).",
    ),
    inequality("m + t - 1 >= m/2 + t", m / 2 + t, m + t - 1, box={m: at_least(2), t: at_least(1)}),
    inequality(
        "2^(2/3)",
        1 / (3 * q**2),
        c / (3 * p**2),
        Le(p**3, 2 * q**3),
        Ge(c**3, 4),
        note="c = 2^(2/3), m + t <= 2 (m + t - 1).",
    ),
    inequality(
        "(78)",
        (p - q) / k,
        2 / (3 * k**3) * (k / p),
        Le(p - q, c / (3 * p**2)),
        Le(c**3, 4),
        Le(k, p),
        note="eta_t = k/p <= 1.",
    ).states(),
)

# ------------------------------------------------------------------------------------------- (76)-(80)

eta_before = Symbol("eta_before", positive=True)
DECAY = 2 / (3 * k**3)
AT_MOST = {eta: UPPER}
GAP = 1 / eta - 1 / eta_before
OWN_NOISE_V, OWN_NOISE_W = 2 * c_1**2 * eta**3 * sigma**2, 2 * c_2**2 * eta**3 * sigma**2
FALL_V = -125 * L_0**2 / (6 * mu_g**2) * eta * V + 4 * L_g**2 * eta * (X + Z) + OWN_NOISE_V
FALL_W = -Rational(9, 2) * eta * W + 4 * L_K**2 * eta * (X + Z) + OWN_NOISE_W
DIFFERENCES = (
    inequality(
        "(76)",
        V_next / eta - V / eta_before,
        (GAP - c_1 * eta) * V + 4 * L_g**2 * eta * (X + Z) + OWN_NOISE_V,
        Le(V_next, (1 - c_1 * eta**2) * V + 2 * c_1**2 * eta**4 * sigma**2 + 4 * L_g**2 * eta**2 * (X + Z)),
        box=AT_MOST,
        note="from (72) at alpha_(t+1) = c_1 eta_t^2.",
    ),
    inequality(
        "(77)",
        W_next / eta - W / eta_before,
        (GAP - c_2 * eta) * W + 4 * L_K**2 * eta * (X + Z) + OWN_NOISE_W,
        Le(W_next, (1 - c_2 * eta**2) * W + 2 * c_2**2 * eta**4 * sigma**2 + 4 * L_K**2 * eta**2 * (X + Z)),
        box=AT_MOST,
        note="from (73) at beta_(t+1) = c_2 eta_t^2.",
    ),
    inequality(
        "(79)",
        (GAP - c_1 * eta) * V,
        -125 * L_0**2 / (6 * mu_g**2) * eta * V,
        Le(GAP, DECAY * eta),
        Le(DECAY + 125 * L_0**2 / (6 * mu_g**2), c_1),
        box=AT_MOST,
        note="the factor of |e^v|^2 in (76), by (78) and the bound on c_1.",
    ),
    inequality(
        "(80)",
        (GAP - c_2 * eta) * W,
        -Rational(9, 2) * eta * W,
        Le(GAP, DECAY * eta),
        Le(DECAY + Rational(9, 2), c_2),
        box=AT_MOST,
        note="the factor of |e^w|^2 in (77), by (78) and the bound on c_2.",
    ),
)

# ------------------------------------------------------------------------------------------- (83), (84)

GAMMA = Le(
    4 * gamma**2 * (24 * L_2**2 * lam**2 * mu_g**2 + 125 * b_u**2 * L_0**2 * kappa**2),
    6 * lam**2 * mu_g**2 * rho**2,
)


left_of_x = partial(left_of_x_with, 4 * L_2**2)
OWN_V = -own_v * V + cost_v * eta * (X + Z) + OWN_NOISE_V
OWN_W = -own_w * W + cost_w * eta * (X + Z) + OWN_NOISE_W

# One step of the O-2 instance, where v_t = y_t: y_2 = 1 - lambda eta_1/b_1 with eta_1 = 1/6 (k = 1, m = 215),
# lambda = b_l/6 = 1/12, b_1 = 1. Over gamma L_0^2.
b_2 = Symbol("b_2", positive=True)
ONE_STEP = 60 * (b_2 * (1 - Rational(1, 12) * Rational(1, 6)) ** 2 - 1)
POTENTIAL = link(
    "eq-84",
    "Decrease of the potential of VR-BiAdam",
    "(76)-(84), L101",
    r"$\Theta_{t+1} - \Theta_t$ is at most "
    r"$-(\gamma \eta_t/(4 \rho)) \Phi_t - (\rho \eta_t/(4 \gamma)) \|\tilde{x} - x_t\|^2$, up to noise and bias.",
    ("lem-5", "lem-9", "lem-10", "lem-12", "eq-78", "asm-7"),
    *parameters_small("eta_t^3 (m + t) = k^3", 3, k, 2),
    *DIFFERENCES,
    DESCENT_56,
    Identity(
        "(83): the terms collected",
        FALL_F + PRINTED_WEIGHT * FALL_Y + gamma / rho * (FALL_V + FALL_W),
        -gamma * eta / (4 * rho) * (L_0**2 * Y + 2 * W)
        - left_of_x(b, b).xreplace({L_2**2: L_g**2 + L_K**2}) * eta * X
        - (15 * b * L_0**2 * gamma / (4 * lam * mu_g * rho) - 4 * (L_g**2 + L_K**2) * gamma / rho) * eta * Z
        + 4 * eta * gamma / rho * R
        + 2 * (c_1**2 + c_2**2) * gamma * sigma**2 / rho * eta**3,
        note="L_2^2 = L_g^2 + L_K^2.",
    ),
    inequality(
        "(83): the move of x",
        rho / (4 * gamma),
        left_of_x(b, b),
        GAMMA,
        Le(b, b_u),
        note="the condition of Theorem 2 has the factor 2 that Theorem 1 lacks.",
    ),
    inequality(
        "(83): the move of y",
        0,
        15 * b * L_0**2 * gamma / (4 * lam * mu_g * rho) - 4 * L_2**2 * gamma / rho,
        Le(16 * L_2**2 * mu_g * lam, 15 * b_l * L_0**2),
        Le(b_l, b),
        note="the text's last expression has L for L_2.",
    ),
    *misprint(
        "O-2",
        inequality(
            "(84) in one step with b_2 up to 2",
            ONE_STEP,
            -Rational(1, 24),
            box={b_2: closed(Rational(1, 2), 2)},
            note="the instance of eq-59 with v_t = y_t, k = 1, m = 215, lambda = 1/12, both sides over gamma L_0^2: "
            "b_2 Y_2 - "
            "b_1 Y_1 against -eta_1 Y_1/4.",
        ).states(),
        "(84) in one step, b_t not increasing",
        box={b_2: closed(Rational(1, 2), 1)},
        shows="line",
    ),
    inequality(
        "weight b_u: Y",
        L_0**2 * gamma * eta / (4 * rho),
        WEIGHT * eta * mu_g * lam / (4 * b) - L_0**2 * eta * gamma / rho,
        Le(b, b_u),
    ).repaired("O-2"),
    inequality(
        "weight b_u: V",
        WEIGHT * 25 * eta * lam / (6 * mu_g * b) + gamma / rho * (GAP - c_1 * eta),
        0,
        Le(GAP, DECAY * eta),
        Le(DECAY + 125 * L_0**2 * ratio / (6 * mu_g**2), c_1),
        Le(b_u, ratio * b),
        box=AT_MOST,
        note="ratio = b_u/b_l.",
    ).repaired("O-2"),
    inequality(
        "weight b_u: W",
        gamma * eta / (2 * rho),
        gamma / rho * (c_2 * eta - GAP) - 4 * eta * gamma / rho,
        Le(GAP, DECAY * eta),
        Le(DECAY + Rational(9, 2), c_2),
        box=AT_MOST,
    ),
    inequality("weight b_u: the move of x", rho / (4 * gamma), left_of_x(b_u, b), GAMMA, Le(b, b_u)).repaired(
        "O-2"
    ),
    inequality(
        "weight b_u: the move of y",
        4 * L_2**2 * gamma / rho * eta,
        WEIGHT * Rational(3, 4) * eta,
        Le(16 * L_2**2 * mu_g * lam, 15 * b_l * L_0**2),
        Le(b_l, b_u),
    ).repaired("O-2"),
    Identity(
        "(83) with the weight b_u: the terms collected",
        FALL_F + WEIGHT * FALL_Y + gamma / rho * (OWN_V + OWN_W),
        4 * eta * gamma / rho * R
        + 2 * (c_1**2 + c_2**2) * gamma * sigma**2 / rho * eta**3
        - collected(gamma / rho * own_v, cost_v + cost_w)
        - (gamma / rho * own_w - 4 * eta * gamma / rho) * W,
        note="(76), (77): own_v = c_1 eta - (1/eta_t - 1/eta_(t-1)), own_w with c_2; cost_v = 4 L_g^2, cost_w = 4 "
        "L_K^2.",
    ).repaired("O-2"),
    assembled(
        "(84), repaired",
        "change: Theta_(t+1) - Theta_t with the weight b_u, rest: noise 2 (c_1^2 + c_2^2) gamma sigma^2 eta^3/rho and "
        "the "
        "term of R.",
    ).repaired("O-2"),
    in_expectation("(84) along runs, repaired", "fall", "rhs_84", RECURSIVE).repaired("O-2"),
)
LEMMAS = (LEMMA_12, STEPS, POTENTIAL)

"""Lemma 11, the error of the moving averages, and the potential (54)-(59) of Theorem 1. L97."""

from functools import partial

from sympy import Eq, Expr, Integer, Le, Rational, Symbol, symbols

from workbench.theory.lemma import Identity, Inequality, InExpectation, Interval, closed, misprint

from . import common
from .chain import MOMENTUM, R, R_next, V, W, X, Y, Z, b, eta, inequality, link
from .symbols import L_0, L_1, L, L_g, b_l, b_u, c_1, c_2, gamma, k, lam, m, mu_g, rho, sigma

UPPER = Interval(0, 1, low_open=True)
beta, alpha = symbols("beta alpha", positive=True)
V_next, W_next, squared, part = symbols("V_next W_next squared part", nonnegative=True)
old, new = symbols("old new", real=True)
r, r_next = symbols("r r_next", real=True)
w, before, after, sample = symbols("w before after sample", real=True)
a_x, a_y = symbols("a_x a_y", nonnegative=True)
kappa = Symbol("kappa", nonnegative=True)


def in_expectation(name: str, lhs: str, rhs: str, on: str, note: str = "") -> InExpectation:
    return InExpectation(name, Symbol(lhs, real=True), Symbol(rhs, real=True), on=(on,), note=note)


LEMMA_11 = link(
    "lem-11",
    "Error of w and v in BiAdam",
    "(49), (50), L97",
    r"$\mathbb{E}\|w - \nabla f - R\|^2$ contracts by $1 - \beta_{t+1}$, up to $\beta^2 \sigma^2$, "
    r"$(3 L_0^2 \eta^2/\beta)$ (moves of $x$, $y$) and $(3/\beta) (\|R_t\|^2 + \|R_{t+1}\|^2)$; that of $v$ by "
    r"$1 - \alpha$, up to $\alpha^2 \sigma^2$ and $(2 L_g^2 \eta^2/\alpha)$ (moves).",
    ("lem-8", "asm-2", "asm-6"),
    Identity(
        "(51): error, noise and change apart",
        beta * sample + (1 - beta) * w - after - r_next,
        (1 - beta) * (w - before - r)
        + beta * (sample - after - r_next)
        + (1 - beta) * (before + r - (after + r_next)),
        note="before, after: the surrogate at t and t + 1, sample: the estimate at t + 1, r: its bias R.",
    ),
    inequality(
        "Young at beta",
        (1 - beta) ** 2 * (old + new) ** 2,
        (1 - beta) ** 2 * (1 + beta) * old**2 + (1 - beta) ** 2 * (1 + 1 / beta) * new**2,
        box={beta: UPPER},
        note="each coordinate: old that of w_t - grad f - R_t, new that of the change of grad f + R.",
    ),
    inequality("contraction", (1 - beta) ** 2 * (1 + beta), 1 - beta, box={beta: UPPER}),
    inequality("factor of the change", (1 - beta) ** 2 * (1 + 1 / beta), 1 / beta, box={beta: UPPER}),
    inequality(
        "three parts of the change",
        (new + r - r_next) ** 2,
        3 * (new**2 + r**2 + r_next**2),
        note="each coordinate of the changes of grad f and of R.",
    ),
    inequality(
        "(49)",
        W_next,
        (1 - beta) * W + beta**2 * sigma**2 + 3 * L_0**2 * eta**2 / beta * (X + Z) + 3 / beta * (R + R_next),
        Le(W_next, beta**2 * sigma**2 + (1 - beta) * W + part / beta),
        Le(part, 3 * (squared + R + R_next)),
        Le(squared, L_0**2 * eta**2 * (X + Z)),
        box={beta: UPPER},
        note="part: squared change of grad f + R; squared: that of grad f, by Lemma 8 at x_(t+1) = x_t + eta (x~ - "
        "x_t).",
    ).states(),
    inequality(
        "(50)",
        V_next,
        (1 - alpha) * V + alpha**2 * sigma**2 + 2 * L_g**2 * eta**2 / alpha * (X + Z),
        Le(V_next, alpha**2 * sigma**2 + (1 - alpha) * V + squared / alpha),
        Le(squared, L_g**2 * eta**2 * (a_x + a_y) ** 2),
        Eq(X, a_x**2),
        Eq(Z, a_y**2),
        box={alpha: UPPER},
        note="squared: that of the change of grad_y g, L_g-Lipschitz in x and in y.",
    ).states(),
    in_expectation("(49) along runs", "w_next_sq", "rhs_49", MOMENTUM),
    in_expectation("(50) along runs", "v_next_sq", "rhs_50", MOMENTUM),
)

# ------------------------------------------------------------------------------------------- (54)-(57)

SQUARE = common.L_1[1] ** 2  # L_1^2
MOVE_V = 12 * L_g**2 * mu_g**2 / (125 * L_0**2)
MOVE_W = 2 * L_0**2 / 3
NOISE = m * eta**2 * sigma**2 / k**2
F_next, F = symbols("F_next F", real=True)
n_sq, error_sq = symbols("n_sq error_sq", nonnegative=True)


def fall_v(weight: Expr = eta) -> Expr:
    """The right side of (54); the text has lost the factor eta_t of the first term."""
    return -125 * L_0**2 / (6 * mu_g**2) * weight * V + MOVE_V * eta * (X + Z) + NOISE


FALL_W = -Rational(9, 2) * eta * W + MOVE_W * eta * (X + Z) + 2 / (3 * eta) * (R + R_next) + NOISE
FALL_F = (
    4 * eta * gamma / rho * W
    + 4 * eta * gamma / rho * R
    + L_0**2 * eta * gamma / rho * Y
    - rho * eta / (2 * gamma) * X
)
FALL_Y = (
    -eta * mu_g * lam / (4 * b) * Y
    - Rational(3, 4) * eta * Z
    + 25 * eta * lam / (6 * mu_g * b) * V
    + 25 * kappa**2 * eta * b / (6 * mu_g * lam) * X
)
AT_MOST = {eta: UPPER}
root_m, ratio, reach = symbols("root_m ratio reach", positive=True)
momentum, noise, spent, spread = symbols("momentum noise spent spread", nonnegative=True)
SUMMED = "momentum, noise, spent and spread: the factors of Lemma 11, which the lines before bound."
STEP_V = Le(V_next, (1 - momentum) * V + noise + spent * (X + Z))
STEP_W = Le(W_next, (1 - momentum) * W + noise + spent * (X + Z) + spread * (R + R_next))
DIFFERENCES = (
    inequality(
        "(54): noise",
        c_1**2 * eta**2 * sigma**2,
        NOISE,
        Le(c_1 * k, root_m),
        Eq(m, root_m**2),
        note="c_1 <= sqrt(m)/k; (55) likewise with c_2.",
    ),
    inequality(
        "(54): moves", 2 * L_g**2 * eta**2 / (c_1 * eta), MOVE_V * eta, Le(125 * L_0**2, 6 * mu_g**2 * c_1)
    ),
    *misprint(
        "O-14",
        inequality(
            "(54), without eta_t",
            V_next - V,
            fall_v(Integer(1)),
            STEP_V,
            Le(125 * L_0**2 / (6 * mu_g**2) * eta, momentum),
            Le(noise, NOISE),
            Le(spent, MOVE_V * eta),
            box=AT_MOST,
            note=SUMMED,
        ),
        "(54)",
        rhs=fall_v(),
    ),
    inequality("(55): moves", 3 * L_0**2 * eta**2 / (c_2 * eta), MOVE_W * eta, Le(9, 2 * c_2)),
    inequality("(55): bias", 3 / (c_2 * eta), 2 / (3 * eta), Le(9, 2 * c_2)),
    inequality(
        "(55)",
        W_next - W,
        FALL_W,
        STEP_W,
        Le(Rational(9, 2) * eta, momentum),
        Le(noise, NOISE),
        Le(spent, MOVE_W * eta),
        Le(spread, 2 / (3 * eta)),
        box=AT_MOST,
        note=SUMMED,
    ),
)


def parameters_small(name: str, order: int, step: Expr, power: int) -> tuple[Inequality, ...]:
    """eta_t <= 1, 2 L eta_t gamma <= rho and c_1 eta_t^power <= 1; root: m^(1/order), reach: (m + t)^(1/order)."""
    at = {eta: step / reach}
    below = Le(root_m, reach)
    return (
        inequality(
            "eta_t <= 1", step / reach, 1, Le(step, root_m), below, note=f"{name}; root_m = m^(1/{order})."
        ),
        inequality(
            "gamma <= rho/(2 L eta_t)",
            2 * L * eta.xreplace(at) * gamma,
            rho,
            Le(4 * L * step * gamma, root_m * rho),
            below,
        ),
        inequality(
            "alpha_(t+1) <= 1",
            (c_1 * eta**power).xreplace(at),
            1,
            Le(c_1 * step, root_m),
            Le(step, root_m),
            below,
            note="beta_(t+1) likewise.",
        ),
    )


DESCENT_56 = inequality(
    "(56)",
    F_next - F,
    FALL_F,
    Le(F_next, F + eta * gamma / rho * n_sq - rho * eta / (2 * gamma) * X),
    Le(n_sq, L_0**2 * Y + 2 * error_sq),
    Le(error_sq, 2 * W + 2 * R),
    note="Lemmas 9 and 7; error_sq = |w - grad f|^2, at most twice that of w - grad f - R_t and of R_t.",
)

# ------------------------------------------------------------------------------------------------------- (58), (59)

PRINTED_WEIGHT = 5 * b * L_0**2 * gamma / (lam * mu_g * rho)
WEIGHT = 5 * b_u * L_0**2 * gamma / (lam * mu_g * rho)  # as repaired
REST = 2 * gamma / (3 * rho * eta) * (R + R_next) + 4 * eta * gamma / rho * R
GAMMA_PRINTED = Le(
    gamma**2 * (6 * L_1**2 * lam**2 * mu_g**2 + 125 * b_u**2 * L_0**2 * kappa**2),
    6 * lam**2 * mu_g**2 * rho**2,
)
GAMMA_HALF = Le(4 * GAMMA_PRINTED.lhs, GAMMA_PRINTED.rhs)
change, rest = symbols("change rest", real=True)
c_Y, c_V, c_W, c_X, c_Z = symbols("c_Y c_V c_W c_X c_Z", real=True)
cost_v, cost_w = symbols("cost_v cost_w", nonnegative=True)
own_v, own_w = symbols("own_v own_w", real=True)


def fifty_eight(weight: Expr) -> Expr:
    """What (54)-(57) add up to, (54) with ``weight`` in place of eta_t."""
    return FALL_F + PRINTED_WEIGHT * FALL_Y + gamma / rho * (fall_v(weight) + FALL_W)


def left_of_x_with(square: Expr, at: Expr, own: Expr) -> Expr:
    """Half of rho/gamma less what x's moves cost: own = b_t of the step, at = b of the weight."""
    drift = 125 * at * own * L_0**2 * kappa**2 * gamma / (6 * mu_g**2 * lam**2 * rho)
    return rho / (2 * gamma) - square * gamma / rho - drift


left_of_x = partial(left_of_x_with, L_1**2)


def collected(own: Expr, cost: Expr) -> Expr:
    """What the potential with the weight b_u loses of Y, V, W, X, Z in one step, before its coefficients are bounded.

    own: what the momentum of v takes of V beside what the weight adds. cost: factor of the moves, L_1^2 or 4 L_2^2.
    """
    return (
        (WEIGHT * eta * mu_g * lam / (4 * b) - L_0**2 * eta * gamma / rho) * Y
        + (own - WEIGHT * 25 * eta * lam / (6 * mu_g * b)) * V
        + (rho / (2 * gamma) - cost * gamma / rho - WEIGHT * 25 * kappa**2 * b / (6 * mu_g * lam)) * eta * X
        + (WEIGHT * Rational(3, 4) - cost * gamma / rho) * eta * Z
    )


def assembled(name: str, note: str) -> Inequality:
    """The potential's line from the collected terms, with the bounds that the lines before give their coefficients."""
    terms = c_Y * Y + c_V * V + c_W * W + c_X * X + c_Z * Z
    return inequality(
        name,
        change,
        -gamma * eta / (4 * rho) * (L_0**2 * Y + 2 * W) - rho * eta / (4 * gamma) * X + rest,
        Le(change, rest - terms),
        Le(L_0**2 * gamma * eta / (4 * rho), c_Y),
        Le(0, c_V),
        Le(gamma * eta / (2 * rho), c_W),
        Le(rho * eta / (4 * gamma), c_X),
        Le(0, c_Z),
        note=f"{note} c_Y, c_V, c_W, c_X, c_Z: the coefficients of the collected terms, bounded by the lines before.",
    ).states()


OWN_V = -own_v * V + cost_v * eta * (X + Z) + c_1**2 * eta**2 * sigma**2
OWN_W = -own_w * W + cost_w * eta * (X + Z) + 2 / (3 * eta) * (R + R_next) + c_2**2 * eta**2 * sigma**2

# One step of the O-2 instance: x_t = 0, y_1 = v_1 = 1, k = 2, m = 99, so that eta_1 = 1/5; c_1 = c_2 = 9/2, so that
# alpha_2 = 9/10; b_1 = 1, b_l = 1/2, lambda = b_l/6 = 1/12. Over gamma L_0^2.
b_2 = Symbol("b_2", positive=True)
Y_AFTER = 1 - Rational(1, 12) * Rational(1, 5)
V_AFTER = Rational(9, 10) * Y_AFTER + Rational(1, 10)
L_0_O2 = Rational(153, 800)  # 8 a^2 (1 + c^2) at a = 3/20, c = 1/4
ONE_STEP = 60 * (b_2 * Y_AFTER**2 - 1) + (V_AFTER - Y_AFTER) ** 2 / L_0_O2

POTENTIAL = link(
    "eq-59",
    "Decrease of the potential of BiAdam",
    "(54)-(59), L97",
    r"$\Gamma_{t+1} - \Gamma_t$ is at most "
    r"$-(\gamma \eta_t/(4 \rho)) \Phi_t - (\rho \eta_t/(4 \gamma)) \|\tilde{x} - x_t\|^2$, up to noise and bias.",
    ("lem-5", "lem-9", "lem-10", "lem-11", "asm-7"),
    *parameters_small("eta_t^2 (m + t) = k^2", 2, k, 1),
    *DIFFERENCES,
    DESCENT_56,
    *misprint(
        "O-14",
        Identity(
            "(58): the terms collected, (54) without eta_t",
            fifty_eight(Integer(1)),
            -gamma * eta / (4 * rho) * (L_0**2 * Y + 2 * W)
            - left_of_x(b, b).xreplace({L_1**2: SQUARE}) * eta * X
            - (15 * b * L_0**2 * gamma / (4 * lam * mu_g * rho) - SQUARE * gamma / rho) * eta * Z
            + 2 * m * gamma * sigma**2 / (k**2 * rho) * eta**2
            + REST,
            note="L_1^2 = 12 L_g^2 mu^2/(125 L_0^2) + 2 L_0^2/3.",
        ),
        "(58): the terms collected",
        lhs=fifty_eight(eta),
    ),
    *misprint(
        "O-1",
        inequality(
            "(58): the move of x",
            rho / (4 * gamma),
            left_of_x(b, b),
            GAMMA_PRINTED,
            Le(b, b_u),
            note="at the printed largest gamma, b_t = b_u the right side is -rho/(2 gamma).",
        ),
        "(58): the move of x, half of gamma",
        given=(GAMMA_HALF, Le(b, b_u)),
    ),
    inequality(
        "(58): the move of y",
        0,
        15 * b * L_0**2 * gamma / (4 * lam * mu_g * rho) - L_1**2 * gamma / rho,
        Le(4 * L_1**2 * mu_g * lam, 15 * b_l * L_0**2),
        Le(b_l, b),
    ),
    *misprint(
        "O-2",
        inequality(
            "(59) in one step with b_2 up to 2",
            ONE_STEP,
            -Rational(1, 20),
            box={b_2: closed(Rational(1, 2), 2)},
            note="f = (a/2) x^2, g = y^2/2 - c x y, a = 3/20, c = 1/4, L_0^2 = 153/800, x_1 = 0, y_1 = 1, rho = 1, k = "
            "2, m = 99, c_1 = c_2 = 9/2, b_1 = 1, b_l = 1/2, lambda = 1/12, both sides over gamma L_0^2: b_2 Y_2 - b_1 "
            "Y_1 and V_2 against -eta_1 Y_1/4.",
        ).states(),
        "(59) in one step, b_t not increasing",
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
        WEIGHT * 25 * eta * lam / (6 * mu_g * b),
        gamma / rho * c_1 * eta,
        Le(125 * L_0**2 * ratio, 6 * mu_g**2 * c_1),
        Le(b_u, ratio * b),
        note="ratio = b_u/b_l.",
    ).repaired("O-2"),
    inequality(
        "weight b_u: W",
        gamma * eta / (2 * rho),
        gamma / rho * c_2 * eta - 4 * eta * gamma / rho,
        Le(9, 2 * c_2),
    ),
    inequality(
        "weight b_u: the move of x",
        rho / (4 * gamma),
        left_of_x(b_u, b),
        GAMMA_HALF,
        Le(b, b_u),
    ).repaired("O-2"),
    inequality(
        "weight b_u: the move of y",
        L_1**2 * gamma / rho * eta,
        WEIGHT * Rational(3, 4) * eta,
        Le(4 * L_1**2 * mu_g * lam, 15 * b_l * L_0**2),
        Le(b_l, b_u),
    ).repaired("O-2"),
    inequality(
        "the moves cost L_1^2",
        2 * L_g**2 / c_1 + 3 * L_0**2 / c_2,
        SQUARE,
        Le(125 * L_0**2, 6 * mu_g**2 * c_1),
        Le(9, 2 * c_2),
    ),
    inequality("bias over c_2", 3 / (c_2 * eta) * (R + R_next), 2 / (3 * eta) * (R + R_next), Le(9, 2 * c_2)),
    Identity(
        "(58) with the weight b_u: the terms collected",
        FALL_F + WEIGHT * FALL_Y + gamma / rho * (OWN_V + OWN_W),
        REST
        + (c_1**2 + c_2**2) * gamma * sigma**2 / rho * eta**2
        - collected(gamma / rho * own_v, cost_v + cost_w)
        - (gamma / rho * own_w - 4 * eta * gamma / rho) * W,
        note="(50), (49): own_v = c_1 eta, own_w = c_2 eta, cost_v = 2 L_g^2/c_1, cost_w = 3 L_0^2/c_2, and 2/(3 eta) "
        "for "
        "3/(c_2 eta).",
    ).repaired("O-2"),
    assembled(
        "(59), repaired",
        "change: Gamma_(t+1) - Gamma_t with the weight b_u, rest: noise (c_1^2 + c_2^2) gamma sigma^2 eta^2/rho and "
        "the "
        "terms of R.",
    ).repaired("O-2"),
    in_expectation("(59) along runs, repaired", "fall", "rhs_59", MOMENTUM).repaired("O-2"),
)
LEMMAS = (LEMMA_11, POTENTIAL)

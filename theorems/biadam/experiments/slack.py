"""Where the bounds of Theorems 1 and 3 are lost: the lines of their proofs (L97) on a compliant run.

Both proofs bound the mean of Phi_t/(4 rho^2) + |x~ - x_t|^2/(4 gamma^2) by the potential of (59), and differ in how
they get there. The runs take every parameter from the repaired conditions, as the printed ones are not enough (O-1).
"""

from __future__ import annotations

from functools import partial

from sympy import Expr, Rational, sqrt

from workbench import Theorem, powers, profile
from workbench.claims import Step, Waterfall, data

from ..theory import symbols as s
from ..theory import theorem_1
from ..theory.symbols import T, b_u, c_1, c_2, gamma, k, lam, m, mu_g, rho
from .study import CASES, STUDY, THEOREM_1, THEOREM_3, compliant, known

SIMULATION = STUDY.watched(
    "slack", "BiAdam on TRIG, sums of its proof", "biadam", partial(compliant, THEOREM_1), powers(12, 14, 17),
    profile(48, 96, 200), "slack", record=("A_squared_mean", "b"), kind="compliant",
    chosen="all parameters at the limits of the repaired conditions; A_t = I, b_t = 1",
)  # fmt: skip


ETA_T = k / sqrt(m + T)
TO_MEAN = 1 / (T * ETA_T * gamma * rho)  # from the sum of the potential's falls to the mean of (61)
WEIGHT = 5 * b_u * s.L_0**2 * gamma / (lam * mu_g * rho)  # of |y - y*|^2 in the potential; b_t = b_u
X, Y, Z, V, W, R = (data(f"sum_{name}") for name in "XYZVWR")  # weighted by eta_t
FALL_F, FALL_Y, FALL_V, FALL_W = (data(f"start_{name}") - data(f"end_{name}") for name in "FYVW")
NOISE, BIAS = data("sum_noise"), data("sum_bias")
OWN_X, COST = rho / (4 * gamma), 2 * s.L_g**2 / c_1 + 3 * s.L_0**2 / c_2
MOVE_X = 25 * s.kappa**2 * b_u / (6 * mu_g * lam)


def squared() -> tuple[tuple[str, Expr, str], ...]:
    """Bounds of the mean of Phi_t/(4 rho^2) + |x~ - x_t|^2/(4 gamma^2), line by line: name, value, source."""
    of_w = gamma / rho * (Rational(9, 2) * W + 4 * R)
    descent = FALL_F - OWN_X * X + gamma / rho * (s.L_0**2 * Y / 4 + W / 2)
    split = FALL_F - OWN_X * X + Rational(5, 4) * gamma / rho * s.L_0**2 * Y + of_w
    young = WEIGHT * (25 * lam / (6 * mu_g * b_u) * V + MOVE_X * X - Rational(3, 4) * Z)
    contracted = FALL_F - OWN_X * X + WEIGHT * FALL_Y + young + of_w
    moves = (WEIGHT * MOVE_X - OWN_X + gamma / rho * COST) * X + (
        gamma / rho * COST - Rational(3, 4) * WEIGHT
    ) * Z
    telescoped = FALL_F + WEIGHT * FALL_Y + gamma / rho * (FALL_V + FALL_W) + NOISE + BIAS
    start = s.Delta_1 + WEIGHT * data("start_Y") + gamma / rho * (data("start_V") + data("start_W"))
    return (
        ("mean of squares", data("sum_parts") / T, ""),
        ("eta_T for every eta_t", data("sum_fall") * TO_MEAN, "(60), L97"),
        ("descent of F", (descent + gamma / rho * data("sum_error")) * TO_MEAN, "Lemma 9, (56), L97"),
        ("error of w against grad F in parts", split * TO_MEAN, "Lemma 7, (56), L97"),
        ("contraction of y", contracted * TO_MEAN, "Lemma 10, (57), L97"),
        ("recursions of v and w", (telescoped + moves) * TO_MEAN, "Lemma 11, (54), (55), L97"),
        ("drop the moves of x and y", telescoped * TO_MEAN, "(58), (59), L97"),
        ("drop the last potential", (start + NOISE + BIAS) * TO_MEAN, "(60), L97"),
        (
            "variances, biases and sums of eta_t",
            theorem_1.REPAIRED.in_parameters(s.G) * sqrt(m + T) / T,
            "Lemma 3, (61), L97",
        ),
    )


def steps_1() -> tuple[Step, ...]:
    last = sqrt(2) / (rho * T)
    lines = squared()
    repaired = theorem_1.REPAIRED.in_parameters(s.bound)
    return (
        Step("take the bias R_t out", data("sum_split") / T + last, "(64), Lemma 3, L97"),
        Step("Jensen, over t and runs", sqrt(data("sum_split_sq") / T) + last, "(62), L97"),
        Step("(a + b + c)^2 <= 3 (a^2 + b^2 + c^2)", sqrt(12 * lines[0][1]) + last, "(62), L97"),
        *(Step(name, sqrt(12 * value) + last, source) for name, value, source in lines[1:]),
        Step("(m + T)^(1/4) <= m^(1/4) + T^(1/4)", repaired, "(63), L97"),
        Step("c_1, c_2 <= sqrt(m)/k, log(m + T)", s.bound, "(54), (61), L97; Theorem 1, L49"),
    )


def steps_3() -> tuple[Step, ...]:
    lines = squared()
    size = sqrt(data("sum_norms") / T)
    last = 12 / (rho * T) ** 2
    return (
        Step("gradient by the metric", data("sum_product") / T, "(68), L97"),
        Step("Cauchy-Schwarz", size * sqrt(data("sum_metric_sq") / T), "(69), L97"),
        Step("squares of sums, R_t taken out", size * sqrt(24 * lines[0][1] + last), "(70), L97"),
        *(Step(name, size * sqrt(24 * value + last), source) for name, value, source in lines[1:]),
        Step("roots of sums", THEOREM_3.in_parameters("repaired"), "last lines of Theorem 6, L97"),
        Step("c_1, c_2 <= sqrt(m)/k, log(m + T), m^(1/2)", s.bound, "Theorem 3, L93"),
    )


def waterfall(theorem: Theorem, measured: str, steps: tuple[Step, ...]) -> Waterfall:
    return Waterfall(
        theorem, SIMULATION, data(measured) / T, steps, known=known, where=CASES["nonconvex"],
        name="BiAdam on TRIG, not convex",
    )  # fmt: skip


WATERFALLS = (
    waterfall(THEOREM_1, "sum_metric", steps_1()),
    waterfall(THEOREM_3, "sum_grad", steps_3()),
)

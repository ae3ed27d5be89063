"""Theorem 2 = 7: VR-BiAdam (Algorithm 2) on a closed convex set X. L51-53, L101."""

from sympy import Expr, Integer, Rational, Symbol, log, sqrt

from workbench.theory import Case, Definition, Form, Law, Max, expansion

from . import assumptions as asm
from . import common, theorem_1
from . import symbols as s
from .paper import PAPER
from .symbols import L_0, M, T, c_1, c_2, gamma, k, lam, m, mu_g, rho, sigma

THIRD = Rational(1, 3)
DECAY = 2 / (3 * k**3)  # 1/eta_t - 1/eta_(t-1) <= (2/(3 k^3)) eta_t


def _limits(estimator: Definition, momentum_y: Expr) -> tuple[Definition, ...]:
    return (
        estimator,
        common.L_2,
        (s.c_1_least, DECAY + momentum_y),
        (s.c_2_least, DECAY + Rational(9, 2)),
        (s.m_least, Max(Integer(2), k**3, (c_1 * k) ** 3, (c_2 * k) ** 3)),
        *common.step_limits(4 * s.L_2**2, 24 * s.L_2**2, m**THIRD, 2),
    )


TEXTS = {
    s.c_2_least: "c_2 >= 2/(3 k^3) + 9/2",
    s.m_least: "m >= max(2, k^3, (c_1 k)^3, (c_2 k)^3)",
    s.lam_most: "lambda <= min(15 b_l L_0^2/(16 L_2^2 mu), b_l/(6 L_g))",
    s.gamma_most: "gamma <= min(sqrt(6) lambda mu rho/(2 sqrt(24 L_2^2 lambda^2 mu^2 + 125 b_u^2 L_0^2 kappa^2)), "
    "m^(1/3) rho/(4 L k))",
}
PRINTED_TEXTS = {s.c_1_least: "c_1 >= 2/(3 k^3) + 125 L_0^2/(6 mu^2)", **TEXTS}
REPAIRED_TEXTS = {s.c_1_least: "c_1 >= 2/(3 k^3) + 125 L_0^2 b_u/(6 mu^2 b_l)", **TEXTS}


def terms_of_m(b_1: Expr, unit: Expr = rho) -> tuple[Definition, ...]:
    """The five terms of M (L53); unit = 1 and Delta_1 times rho give M' of Theorem 4."""
    return (
        (s.gap, s.Delta_1 * (rho if unit == 1 else 1 / rho) / (k * gamma)),
        (s.start, 5 * b_1 * L_0**2 * s.Delta_0 / (unit**2 * k * lam * mu_g)),
        (s.first, 2 * m**THIRD * sigma**2 / (unit**2 * k**2)),
        (s.noise, 2 * k**2 * (c_1**2 + c_2**2) * sigma**2 * log(m + T) / unit**2),
        (s.bias_1, 6 * k * (m + T) ** THIRD / (unit**2 * T)),
    )


def repaired_terms_of_m(unit: Expr = rho) -> tuple[Definition, ...]:
    """b_u for b_1 (O-2), the sum of R with its 1/eta_T (O-6). The noise term is sharper, not corrected."""
    return (
        *terms_of_m(s.b_u, unit)[:3],
        (s.noise, 2 * k**2 * (c_1**2 + c_2**2) * sigma**2 * log(1 + T / m) / unit**2),
        (s.bias_1, 6 * (m + T) ** (2 * THIRD) / (unit**2 * T**2)),
    )


SUM = s.gap + s.start + s.first + s.noise + s.bias_1


def _bound(last: Expr) -> tuple[Definition, ...]:
    root = 2 * sqrt(3 * M)
    return (
        (M, SUM),
        (s.early, root * m ** Rational(1, 6) / sqrt(T)),
        (s.late, root / T**THIRD),
        (s.last, last),
        theorem_1.ADD_UP,
    )


HEAD_PRINTED: tuple[Definition, ...] = (
    *common.SMOOTHNESS,
    common.LENGTH,
    *_limits(common.L_K_PRINTED, common.MOMENTUM_Y),
)
HEAD_REPAIRED: tuple[Definition, ...] = (
    *common.SMOOTHNESS,
    common.LENGTH,
    *_limits(common.L_K_REPAIRED, common.MOMENTUM_Y * common.SPREAD),
)
CONDITIONS_PRINTED = asm.extreme(HEAD_PRINTED, PRINTED_TEXTS, "L53")
CONDITIONS_REPAIRED = asm.extreme(HEAD_REPAIRED, REPAIRED_TEXTS, "L53 with O-2, O-3, O-4")

CHAIN_PRINTED = (*HEAD_PRINTED, *terms_of_m(s.b_1), *_bound(sqrt(2) / T))
CHAIN_REPAIRED = (*HEAD_REPAIRED, *repaired_terms_of_m(), *_bound(sqrt(2) / (rho * T)))

PRINTED: Form = common.form("printed", CHAIN_PRINTED, "Theorem 2, L53; Theorem 7, L101", CONDITIONS_PRINTED)
REPAIRED: Form = common.form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: Theorem 2 with the weight b_u, the repaired L_K, and the terms of R as they add up",
    CONDITIONS_REPAIRED,
    ("O-2", "O-3", "O-4", "O-6", "O-7"),
)

# Exponents of T that the terms contribute at k = m = O(1) (Remark 2): under the root, times T^-1/3.
TERMS = {
    "objective gap": -THIRD,
    "lower start": -THIRD,
    "first sample": -THIRD,
    "noise": -THIRD,
    "bias, increasing steps": -2 * THIRD,
    "early steps": Rational(-1, 2),
    "bias of the metric": Integer(-1),
}
LAW = Law("rate", {}, TERMS, (), "L53, Remark 2: T^-1/3 up to logarithms")


def _largest_steps() -> dict[Symbol, Expr]:
    """lambda and gamma at the printed limits, which shrink with K and so with T (O-9)."""
    definitions = dict(HEAD_PRINTED)
    in_parameters = expansion((*HEAD_PRINTED, (lam, definitions[s.lam_most])))
    return {lam: in_parameters(lam), gamma: in_parameters(definitions[s.gamma_most])}


CASES = (
    Case("rate", {}, -THIRD, "L53"),
    Case("noiseless", {sigma: Integer(0)}, -THIRD, "L53 at sigma = 0"),
    Case("variance of order K", theorem_1.K_VARIANCE, -THIRD, "L53, the sigma of Assumption 6 with (6)"),
    Case("largest steps", _largest_steps(), -THIRD, "L53, lambda and gamma at their limits"),
)
ASSUMES = (asm.CURVATURE, asm.SAMPLES, asm.BOUNDED, asm.ESTIMATES, asm.MATRICES)

THEOREM = common.theorem(
    key=PAPER.entry("thm-2"),
    title="VR-BiAdam, constrained",
    method="biadam.vr_biadam",
    statement=r"The mean over $t \le T$ of $\mathbb{E}\|G_X(x_t, \nabla F(x_t), \gamma)\|$ is at most that of "
    r"$\mathbb{E}\,\mathcal{G}_t$, which is at most "
    r"$2 \sqrt{3 M} m^{1/6}/T^{1/2} + 2 \sqrt{3 M}/T^{1/3} + \sqrt{2}/T$.",
    source="Theorem 2 (L53), restated as Theorem 7 (L101)",
    metric=theorem_1.THEOREM.metric,
    assumes=ASSUMES,
    forms=(PRINTED, REPAIRED),
    cases=CASES,
    laws=(LAW,),
    schedule=theorem_1.SCHEDULE,
    conditions=asm.COMMON,
)

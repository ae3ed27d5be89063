"""Theorem 1 = 5: BiAdam (Algorithm 1) on a closed convex set X. L47-49, L97."""

from sympy import Expr, Integer, Rational, log, sqrt

from workbench.theory import Case, Definition, Law, Max

from . import assumptions as asm
from . import common
from . import symbols as s
from .paper import PAPER
from .symbols import L_0, G, T, c_1, c_2, gamma, k, lam, m, mu_g, rho, sigma

QUARTER = Rational(1, 4)


def _limits(momentum_y: Expr, least_m: Expr, divisor: int) -> tuple[Definition, ...]:
    return (
        (s.c_1_least, momentum_y),
        (s.c_2_least, Rational(9, 2)),
        (s.m_least, least_m),
        *common.step_limits(s.L_1**2, 6 * s.L_1**2, sqrt(m), divisor),
    )


SQUARES = (k**2, (c_1 * k) ** 2, (c_2 * k) ** 2)
TEXTS = {
    s.c_2_least: "c_2 >= 9/2",
    s.lam_most: "lambda <= min(15 b_l L_0^2/(4 L_1^2 mu), b_l/(6 L_g))",
}
PRINTED_TEXTS = {
    s.c_1_least: "c_1 >= 125 L_0^2/(6 mu^2)",
    s.m_least: "m >= max(k^2, (c_1 k)^2, (c_2 k)^2)",
    **TEXTS,
    s.gamma_most: "gamma <= min(sqrt(6) lambda mu rho/sqrt(6 L_1^2 lambda^2 mu^2 + 125 b_u^2 L_0^2 kappa^2), "
    "sqrt(m) rho/(4 L k))",
}
REPAIRED_TEXTS = {
    s.c_1_least: "c_1 >= 125 L_0^2 b_u/(6 mu^2 b_l)",
    s.m_least: "m >= max(1, k^2, (c_1 k)^2, (c_2 k)^2)",
    **TEXTS,
    s.gamma_most: "gamma <= min(sqrt(6) lambda mu rho/(2 sqrt(6 L_1^2 lambda^2 mu^2 + 125 b_u^2 L_0^2 kappa^2)), "
    "sqrt(m) rho/(4 L k))",
}


def terms_of_g(b_1: Expr, unit: Expr = rho) -> tuple[Definition, ...]:
    """The six terms of G (L49), their sum not included; unit = 1 and Delta_1 times rho give G' of Theorem 3."""
    return (
        (s.gap, s.Delta_1 * (rho if unit == 1 else 1 / rho) / (k * gamma)),
        (s.start, 5 * b_1 * L_0**2 * s.Delta_0 / (unit**2 * k * lam * mu_g)),
        (s.first, 2 * sigma**2 / (unit**2 * k)),
        (s.noise, 2 * m * sigma**2 / (unit**2 * k) * log(m + T)),
        (s.bias_1, 4 * (m + T) / (9 * unit**2 * k * T**2)),
        (s.bias_2, 8 * k / (unit**2 * T)),
    )


def repaired_terms_of_g(unit: Expr = rho) -> tuple[Definition, ...]:
    """b_u for b_1 (O-2), the sums of R with their 1/eta_T (O-6). The noise term is sharper, not corrected."""
    start = terms_of_g(s.b_u, unit)[:3]
    return (
        *start,
        (s.noise, (c_1**2 + c_2**2) * k * sigma**2 / unit**2 * log(1 + T / m)),
        (s.bias_1, 8 * (m + T + 1) ** Rational(3, 2) / (9 * unit**2 * k**2 * T**2)),
        (s.bias_2, 8 * sqrt(m + T) / (unit**2 * T**2)),
    )


SUM = s.gap + s.start + s.first + s.noise + s.bias_1 + s.bias_2
ADD_UP: Definition = (s.bound, s.early + s.late + s.last)


def _bound(last: Expr) -> tuple[Definition, ...]:
    root = 2 * sqrt(3 * G)
    return (
        (G, SUM),
        (s.early, root * m**QUARTER / sqrt(T)),
        (s.late, root / T**QUARTER),
        (s.last, last),
        ADD_UP,
    )


HEAD_PRINTED: tuple[Definition, ...] = (
    *common.SMOOTHNESS,
    common.LENGTH,
    common.L_1,
    *_limits(common.MOMENTUM_Y, Max(*SQUARES), 1),
)
HEAD_REPAIRED: tuple[Definition, ...] = (
    *common.SMOOTHNESS,
    common.LENGTH,
    common.L_1,
    *_limits(common.MOMENTUM_Y * common.SPREAD, Max(Integer(1), *SQUARES), 2),
)
CONDITIONS_PRINTED = asm.extreme(HEAD_PRINTED, PRINTED_TEXTS, "L49")
CONDITIONS_REPAIRED = asm.extreme(HEAD_REPAIRED, REPAIRED_TEXTS, "L49 with O-1, O-2, O-10")

CHAIN_PRINTED = (*HEAD_PRINTED, *terms_of_g(s.b_1), *_bound(sqrt(2) / T))
CHAIN_REPAIRED = (*HEAD_REPAIRED, *repaired_terms_of_g(), *_bound(sqrt(2) / (rho * T)))

PRINTED = common.form("printed", CHAIN_PRINTED, "Theorem 1, L49; Theorem 5, L97", CONDITIONS_PRINTED)
REPAIRED = common.form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: Theorem 1 with the weight b_u, half of gamma, and the terms of R as they add up",
    CONDITIONS_REPAIRED,
    ("O-1", "O-2", "O-6", "O-7", "O-10"),
)

# Exponents of T that the terms contribute to the bound at k = m = O(1) (Remark 1): under the root, times T^-1/4.
TERMS = {
    "objective gap": -QUARTER,
    "lower start": -QUARTER,
    "first sample": -QUARTER,
    "noise": -QUARTER,
    "bias, decreasing steps": -3 * QUARTER,
    "bias, increasing steps": -3 * QUARTER,
    "early steps": -2 * QUARTER,
    "bias of the metric": Integer(-1),
}
LAW = Law("rate", {}, TERMS, (), "L49, Remark 1: T^-1/4 up to logarithms")
# The variance of (6) grows like K where grad^2_xy g grad_y f does not vanish; then G has one more logarithm (O-9).
K_VARIANCE = {sigma: sqrt(common.LENGTH[1])}
CASES = (
    Case("rate", {}, -QUARTER, "L49"),
    Case("noiseless", {sigma: Integer(0)}, -QUARTER, "L49 at sigma = 0"),
    Case("variance of order K", K_VARIANCE, -QUARTER, "L49, the sigma of Assumption 6 with (6)"),
)
SCHEDULE = {
    "k": k,
    "m": m,
    "c_1": c_1,
    "c_2": c_2,
    "lam": lam,
    "gamma": gamma,
    "rho": rho,
    "K": common.LENGTH[1],
    "L_g": s.L_g,
}
ASSUMES = (asm.CURVATURE, asm.LIPSCHITZ, asm.BOUNDED, asm.ESTIMATES, asm.MATRICES)

THEOREM = common.theorem(
    key=PAPER.entry("thm-1"),
    title="BiAdam, constrained",
    method="biadam.biadam",
    statement=r"The mean over $t \le T$ of $\mathbb{E}\|G_X(x_t, \nabla F(x_t), \gamma)\|$ is at most that of "
    r"$\mathbb{E}\,\mathcal{G}_t$, which is at most "
    r"$2 \sqrt{3 G} m^{1/4}/T^{1/2} + 2 \sqrt{3 G}/T^{1/4} + \sqrt{2}/T$.",
    source="Theorem 1 (L49), restated as Theorem 5 (L97)",
    metric=r"mean over $t \le T$ of $\mathbb{E}\,\mathcal{G}_t$, $\mathcal{G}_t = \|\tilde{x}_{t+1} - x_t\|/\gamma "
    r"+ (\sqrt{2} \|w_t - \nabla f(x_t, y_t)\| + L_0 \|y_t - y^*(x_t)\|)/\rho$",
    assumes=ASSUMES,
    forms=(PRINTED, REPAIRED),
    cases=CASES,
    laws=(LAW,),
    schedule=SCHEDULE,
    conditions=asm.COMMON,
)

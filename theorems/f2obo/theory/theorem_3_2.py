"""Theorem 3.2 = C.9: F2OBO with one inner step per round (single loop). L184-194, L776-896."""

from sympy import Expr, Integer, Rational, S, pi, sqrt

from workbench.theory import Case, Condition, Definition, Form, Min, PowerSum, Theorem

from . import assumptions as asm
from . import common
from . import symbols as s
from .paper import PAPER
from .symbols import T, kappa_g, lam_1, mu_g, rho, rho_y, rho_z, tau
from .theorem_3_1 import GENERIC

RATES = common.rates(1 - 1 / (8 * kappa_g), 1 - s.r_alpha / (2 * kappa_g))  # L682, L762


def _coefficients(gradient: Expr) -> tuple[Definition, ...]:
    """c_lambda, C_g, c_g, c_g' of L801-804 at alpha = r_alpha/L_g1; `gradient`: the divisor of 384 kappa_g in c_g.

    (288 in C_g: the LaTeX of the text file has 88, its plain text and Lemma C.6 have 288.)
    """
    drift = 8 * kappa_g / s.r_alpha  # 8/(alpha mu_g)
    return (
        (s.c_lam, 6 * s.L_g1**2 * 1536 * s.L_f0**2 * kappa_g**3 / mu_g**2),
        (s.C_g, 6 * s.L_g1**2 * 288 * kappa_g**3 + 3 * s.L_g1**2 * kappa_g**2 * drift),
        (s.c_g, 6 * s.L_g1**2 * 384 * kappa_g / gradient),
        (s.c_gz, 3 * s.L_g1**2 * drift),
    )


def _step(c_gamma: Expr) -> tuple[Definition, ...]:
    """c_gamma; gamma with gamma_t = gamma t^-tau and lambda_t^2 gamma_t^2 <= c_gamma (L887-890); gamma_T."""
    first = s.r_gamma * Min(1 / (2 * s.L_F), sqrt(s.c_gamma) / lam_1)
    return (s.c_gamma, c_gamma), (s.gamma, first), (s.gamma_T, s.gamma * T**-tau)


def _multiplier_sum() -> Definition:
    """C_S of L837. Its second sum has no closed form; floor(t/2) + 1 >= (t+1)/2 and Jensen bound it."""
    half = (1 - sqrt(rho_y)) ** (-1 - 2 * tau) * rho_y
    sums = 2 ** (2 * tau + 2) * (PowerSum(T, 2) - 1) + half / 2 ** (2 * tau + 2)
    return s.C_S, tau**2 * sums / (1 - rho_y)


def _multiplier_sum_repaired() -> Definition:
    """S(T) of L817: lambda_m^2 times the jump is at most tau^2/(m-1)^2, and the geometric weights cost a factor A_y."""
    return s.C_S, tau**2 * pi**2 / 6 * s.A_y


def _bound(factor: int, bias: Expr, upper: Expr) -> Expr:
    """L894-895, the terms in the paper's order; `factor` is 1 as printed and 2 where the doubling is kept.

    `bias` multiplies D_1^2/lambda_1^2 S_tau; `upper` multiplies 32 c_g E^f.
    """
    slow = lam_1**2 * T ** (2 * tau)
    return (
        factor * 16 * s.M / s.gamma_T
        + factor * 8 * s.V_T / s.gamma_T
        + bias * s.D_1**2 / lam_1**2 * s.S_tau
        + factor * 32 * s.c_tau * s.Delta_1
        + factor * 32 * s.c_lam * s.C_S
        + factor * 32 * s.c_gz * slow / (1 - rho_z) * s.H_2T
        + factor * 32 * s.c_g * (upper * s.E_fT + slow / (1 - rho_y) * s.E_gT)
    )


CHAIN_PRINTED: tuple[Definition, ...] = (
    *common.smoothness(),
    *RATES,
    *_coefficients(mu_g),
    *_step((1 - rho) / (192 * s.C_g)),
    common.transient_printed(),
    *common.start(2),
    *common.first_error(),
    common.bias_sum(),
    _multiplier_sum(),
    (s.bound, _bound(1, 16 + 96 * s.c_gamma * s.C_g / (1 - rho), lam_1**2 * T ** (2 * tau) / (1 - rho_y))),
)
_REPAIRED_HEAD: tuple[Definition, ...] = (
    *common.smoothness(),
    *RATES,
    *common.spread(),
    *_coefficients(mu_g**2),
    *_step(1 / (192 * s.C_g * 4**tau * s.A)),
    common.transient_repaired(),
    *common.start(1),
    *common.first_error_short(),
    common.bias_sum(),
    _multiplier_sum_repaired(),
)
# 33 = 32 + 192 c_gamma C_g 4^tau A at the largest c_gamma.
CHAIN_REPAIRED = (*_REPAIRED_HEAD, (s.bound, _bound(2, Integer(33), lam_1**2 * T ** (2 * tau) / (1 - rho_y))))
CHAIN_SHARP = (*_REPAIRED_HEAD, (s.bound, _bound(2, Integer(33), s.A_y)))


def _schedule(chain: tuple[Definition, ...]) -> dict[str, Expr]:
    """beta_t lambda_t = 1/(2 L_g1), gamma_t = gamma t^-tau, K_t = 1."""
    beta = 1 / (2 * lam_1 * s.L_g1)
    return common.schedule(chain, beta=beta, p=tau, K=S.One, K_0=S.Zero, K_log=S.Zero)


PRINTED = Form("printed", CHAIN_PRINTED, "end of the proof of Theorem C.9, L894-895")
REPAIRED = Form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: Theorem C.9 with O-4, O-5, O-6b, O-12 and O-16",
    repairs=("O-4", "O-5", "O-6b", "O-12", "O-16"),
    schedule=_schedule(CHAIN_REPAIRED),
    conditions=(asm.LAMBDA_ONE,),
)
SHARP = Form(
    "sharp in E^f",
    CHAIN_SHARP,
    "this project: (30) divides the drift of f_t by lambda_t^2; kept, E^f needs no T^(2 tau)",
    repairs=("O-4", "O-5", "O-6b", "O-16"),
    schedule=_schedule(CHAIN_REPAIRED),
    own=True,
)

ONES, STILL = (dict.fromkeys(s.DRIFT, value) for value in (Integer(1), S.Zero))
THIRD, QUARTER = Rational(1, 3), Rational(1, 4)
CASES = (
    Case("static", {tau: THIRD, **STILL}, THIRD, "L190 (8)"),
    Case("bounded variation", {tau: THIRD, **ONES}, 2 * THIRD, "L190 (8)"),
    Case("values move", {tau: QUARTER, **ONES, s.V_T: T**common.HALF}, 3 * QUARTER, "L187"),
    Case("only f_t moves", {tau: THIRD, **STILL, s.E_fT: T**THIRD}, Integer(1), "L187"),
)
TERMS = {
    "start": tau,
    "value drift": tau + s.v,
    "bias": 1 - 2 * tau,
    "inner drift": 2 * tau + s.h,
    "upper gradient drift": 2 * tau + s.e,
    "lower gradient drift": 2 * tau + s.g,
}
RANGE = (tau <= common.HALF,)
LAWS = (
    common.law("regret", TERMS, "L187: T^tau (1 + V_T) + T^(1 - 2 tau) + T^(2 tau) P_T", RANGE),
    common.law(
        "regret, sharp in E^f",
        {**TERMS, "upper gradient drift": s.e},
        "this project: E^f in place of T^(2 tau) E^f",
        RANGE,
    ),
)

THEOREM = Theorem(
    key=PAPER.entry("thm-3.2"),
    paper=PAPER,
    title="F2OBO, deterministic, single loop",
    method="f2obo.f2obo",
    statement=r"With one inner step per round the bilevel local regret is at most $O(T^\tau (1 + V_T) + T^{1 - 2 \tau} "
    r"+ T^{2 \tau} P_T)$, $P_T = H_{2,T} + E^f_{\mathbf{y},T} + E^g_{\mathbf{y},T}$.",
    source="Theorem 3.2 (L184-194), with constants at the end of the proof of Theorem C.9 (L894-896)",
    metric=r"$\mathrm{BLReg}(T)$, $\sum_{t \le T} \|\mathcal{G}_{\mathcal{X}}(x_t, \nabla F_t(x_t), \gamma_t)\|^2$",
    assumes=(asm.UPPER, asm.LOWER),
    probability=S.One,
    forms=(PRINTED, REPAIRED, SHARP),
    cases=CASES,
    schedule=_schedule(CHAIN_PRINTED),
    generic=GENERIC,
    notation=s.NOTATION,
    laws=LAWS,
    conditions=(
        *asm.COMMON,
        asm.TAU_HALF,
        asm.ALPHA_POSITIVE,
        asm.ALPHA,
        asm.BETA,
        Condition(s.r_beta >= common.HALF, "beta_t = 1/(2 lambda_t L_g1), that is r_beta = 1/2", "L184"),
    ),
)

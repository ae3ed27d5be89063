"""Theorem 3.1 = C.5: F2OBO (Algorithm 1) with logarithmically many inner steps. L168-176, L642-667."""

from sympy import Expr, Gt, Integer, Rational, S, ceiling, log, sqrt

from workbench.theory import Case, Condition, Definition, Form, Max, Min, Theorem

from . import assumptions as asm
from . import common
from . import symbols as s
from .paper import PAPER
from .symbols import T, kappa_g, lam_1, rho, tau

# beta_t lambda_t mu_g/2 = r_beta/(2 kappa_g); alpha mu_g = r_alpha/kappa_g (L496, L540).
RATES = common.rates(1 - s.r_beta / (2 * kappa_g), 1 - s.r_alpha / kappa_g)
GAMMA_PRINTED = s.r_gamma * Min(1 / (2 * s.L_F), sqrt((1 - rho) / s.C_lam) / (16 * kappa_g))


def _bound(drop: Expr) -> Expr:
    """L646; `drop`: the constant of the term that lambda_t^2 rho^K <= c leaves."""
    bias = (
        32 * s.D_1**2 / lam_1**2
        + drop * s.c * kappa_g**3 * s.L_f0**2 / lam_1**2
        + 256 * s.gamma**2 * s.C_lam * kappa_g**2 * s.D_1**2 / (lam_1**2 * (1 - rho))
    )
    return (
        32 * s.M / s.gamma
        + 16 / s.gamma * s.V_T
        + bias * s.S_tau
        + 64 * s.c_tau * s.Delta_1
        + 64 * s.C_lam / (1 - rho) * s.H_2T
    )


def _inner_steps(goal: Expr) -> Expr:
    """The least whole K with 2 rho^K <= rho and log(rho) K <= goal (L170)."""
    return ceiling(Max(1 - log(2) / log(rho), goal / log(rho)))


K_PRINTED = _inner_steps(log(s.c) - 2 * tau * log(T))
K_REPAIRED = _inner_steps(log(s.c) - 2 * log(lam_1) - 2 * tau * log(T))  # O-2: lambda_T^2 rho^K <= c

_HEAD = (*common.smoothness(), *RATES, (s.C_lam, 84 * s.c * s.L_g1**2), (s.gamma, GAMMA_PRINTED))
CHAIN_PRINTED: tuple[Definition, ...] = (
    *_HEAD,
    common.transient_printed(),
    *common.start(2),
    *common.first_error(),
    common.bias_sum(),
    (s.bound, _bound(Integer(18432))),
)
# 18432 becomes 9216 (1 + 4^tau) (O-1); sum_j rho_y^j is 2 kappa_g/r_beta, the printed 4 kappa_g at r_beta = 1/2.
CHAIN_REPAIRED: tuple[Definition, ...] = (
    *_HEAD,
    common.transient_repaired(),
    *common.start(1),
    *common.first_error_short(),
    common.bias_sum(),
    (s.bound, _bound(4608 * (1 + 4**tau) / s.r_beta)),
)
# Own: c is free and may shrink with the horizon, at the price of only log(T)/log(1/rho) more inner steps.
CHAIN_SHRINKING = ((s.c, s.c_0 / T), *CHAIN_REPAIRED)


def _schedule(
    chain: tuple[Definition, ...], K: Expr, K_0: Expr = S.Zero, K_log: Expr = S.Zero
) -> dict[str, Expr]:
    """gamma_t = gamma and K_t = max(K, ceil(K_0 + K_log log t))."""
    return common.schedule(chain, p=S.Zero, K=K, K_0=K_0, K_log=K_log)


PRINTED = Form("printed", CHAIN_PRINTED, "Theorem C.5, L642-648")
REPAIRED = Form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: Theorem C.5 with O-1, O-2, O-3, O-12 and O-16",
    repairs=("O-1", "O-2", "O-3", "O-12", "O-16"),
    schedule=_schedule(CHAIN_REPAIRED, K_REPAIRED),
)
ANYTIME = Form(
    "anytime",
    CHAIN_REPAIRED,
    "this project: lambda_t^2 rho^(K_t) <= c at each t gives the same unrolled coefficients as a fixed K",
    repairs=REPAIRED.repairs,
    schedule=_schedule(
        CHAIN_REPAIRED,
        ceiling(1 - log(2) / log(rho)),
        (log(s.c) - 2 * log(lam_1)) / log(rho),
        -2 * tau / log(rho),
    ),
    own=True,
)
SHRINKING = Form(
    "shrinking c",
    CHAIN_SHRINKING,
    "this project: Theorem C.5 at c = c_0/T; H_2T is divided by T, for log(T)/log(1/rho) more inner steps",
    repairs=REPAIRED.repairs,
    schedule=_schedule(CHAIN_SHRINKING, K_REPAIRED),
    conditions=(Condition(Gt(s.c_0, 0, evaluate=False), "c_0 > 0", "this project"),),
    own=True,
)

CONSTANT = {s.V_T: Integer(1), s.H_2T: Integer(1)}
CASES = (
    Case("tau above 1/2", {tau: Rational(3, 4), **CONSTANT}, Integer(0), "L667: O(1 + V_T + H_2T)"),
    Case("tau at 1/2", {tau: common.HALF, **CONSTANT}, Integer(0), "L667: O(log T + V_T + H_2T)"),
    Case("tau below 1/2", {tau: Rational(1, 4), **CONSTANT}, common.HALF, "L174: sum of t^(-2 tau)"),
    Case(
        "drift",
        {tau: Rational(3, 4), s.V_T: T**common.HALF, s.H_2T: T ** Rational(3, 4)},
        Rational(3, 4),
        "L174",
    ),
)
# Causes of a term, here and in the other theorems: the start (M and the errors of round 1), the bias D_1/lambda_t of
# the penalty, and the drift of the values (V_T) and of the inner solutions (H_2T).
TERMS = {"start": S.Zero, "bias": 1 - 2 * tau, "value drift": s.v, "inner drift": s.h}
LAWS = (
    common.law("regret", TERMS, "L174: sum of t^(-2 tau) + V_T + H_2T"),
    common.law(
        "regret, appendix",
        {**TERMS, "bias": 1 - tau},
        "L667: T^(1 - tau) where T^(1 - 2 tau) holds (O-7)",
        (tau <= common.HALF,),
    ),
    common.law(
        "regret, shrinking c", {**TERMS, "inner drift": s.h - 1}, "this project: H_2T/T in place of H_2T"
    ),
)
ONES = (s.mu_g, s.L_f1, s.d_y, s.d_z, s.r_alpha, s.r_gamma, s.V_T, s.H_2T, s.E_fT, s.E_gT)
GENERIC = dict.fromkeys(ONES, Integer(1)) | {
    s.L_f0: Integer(2),
    s.L_g1: Integer(2),
    s.L_g2: Rational(1, 2),
    s.M: Integer(3),
    lam_1: Integer(3),
    s.r_beta: common.HALF,
    tau: Rational(1, 3),
}

THEOREM = Theorem(
    key=PAPER.entry("thm-3.1"),
    paper=PAPER,
    title="F2OBO, deterministic, K of order log T",
    method="f2obo.f2obo",
    statement=r"The bilevel local regret is at most $O(\sum_{t \le T} t^{-2 \tau} + V_T + H_{2,T})$, with a number $K$ "
    r"of inner steps per round that grows like $\log T$.",
    source="Theorem 3.1 (L168-176), restated with constants as Theorem C.5 (L642-667)",
    metric=r"$\mathrm{BLReg}(T)$, $\sum_{t \le T} \|\mathcal{G}_{\mathcal{X}}(x_t, \nabla F_t(x_t), \gamma)\|^2$",
    assumes=(asm.UPPER, asm.LOWER),
    probability=S.One,
    forms=(PRINTED, REPAIRED, ANYTIME, SHRINKING),
    cases=CASES,
    schedule=_schedule(CHAIN_PRINTED, K_PRINTED),
    generic={**GENERIC, s.c: Integer(1), s.c_0: Integer(1)},
    notation=s.NOTATION,
    laws=LAWS,
    conditions=(*asm.COMMON, *asm.STEPS, asm.C_POSITIVE),
)

"""Theorem 5.1 = E.5 and Corollary 5.2: SF2OBO (Algorithm 3), in expectation. L283-293, L1217-1244."""

from sympy import Expr, Ge, Integer, Le, Rational, S, Symbol, ceiling, log, sqrt

from workbench.theory import Case, Condition, Definition, Form, Max, Min, PowerSum, Theorem

from . import assumptions as asm
from . import common
from . import symbols as s
from .paper import PAPER
from .symbols import T, a, b, kappa_g, lam_1, rho, sigma, tau
from .theorem_3_1 import GENERIC


def _rates(K_2: Expr) -> tuple[Definition, ...]:
    """2 q_t^(K_t) <= rho_y and 2 p_t^(K_t) <= rho_z for all t >= 2 (L1067, L1124).

    q_t^(K_t) <= exp(-log t) = 1/t and p_t^(K_t) <= t^-4: the worst round is t = 2 for q (whose value is taken, at
    K_2 inner steps), unless 2/3 from t >= 3 is larger; and 2/16 for p.
    """
    q_2 = 1 - 2 ** (tau - b) / (4 * kappa_g)
    return common.rates(Max(Rational(2, 3), 2 * q_2**K_2), Rational(1, 8))


K_2 = 4 * kappa_g * Max(2 ** (b - tau), 2**a) * log(2)
RATES_PRINTED, RATES_REPAIRED = _rates(K_2), _rates(ceiling(K_2))
# c_lambda: lambda_t^2 q_t^(K_t) <= lambda_1^2 t^(2 tau - 1).
SHARED: tuple[Definition, ...] = ((s.gap, 1 - rho), (s.c_lam, lam_1**2))


def _gamma(divisor: Expr) -> Definition:
    """min(1/(2 L_F), sqrt((1 - rho)/(7 c_lambda))/(divisor kappa_g L_g1)), L1219."""
    cap = sqrt(s.gap / (7 * s.c_lam)) / (divisor * kappa_g * s.L_g1)
    return s.gamma, s.r_gamma * Min(1 / (2 * s.L_F), cap)


def _bound(drop: Expr, noise: Expr, fed_back: Expr, inner: Expr) -> Expr:
    """L1241-1243.

    drop: factor of the penalty distances. noise, fed_back: factors of the upper variance (144, 96768). inner: T^(2
    tau) times the sums of the inner variances, or what replaces it.
    """
    gain = s.gamma**2 * kappa_g**2 * s.L_g1**2 * s.c_lam / s.gap
    bias = 48 + drop * kappa_g**2 * s.L_f0**2 * s.c_lam / (s.gap * s.D_1**2) + 32256 * gain
    upper = noise * lam_1**2 + fed_back * lam_1**2 * gain
    return (
        32 * s.M / s.gamma
        + 16 / s.gamma * s.V_T
        + bias * s.D_1**2 / lam_1**2 * s.S_tau
        + 96 * s.c_tau * s.Delta_1
        + 8064 * s.L_g1**2 * s.c_lam / s.gap * s.H_2T
        + sigma**2 * upper * PowerSum(T, s.B_1 - 2 * tau)
        + 2592 * lam_1**2 * kappa_g * sigma**2 * inner
    )


POOLED = T ** (2 * tau) / s.gap * (PowerSum(T, b + s.B_2 - tau) + PowerSum(T, a + s.B_2))
# lambda_t^2 stays inside the sum over t: sum_(t>=m) lambda_t^2 rho^(t-m) <= lambda_m^2 A.
CONVOLVED = s.A * (PowerSum(T, b + s.B_2 - 3 * tau) + PowerSum(T, a + s.B_2 - 2 * tau))

# The first inner loop is empty (log 1 = 0) or one noisy step, with alpha_1 = 1/L_g1, beta_1 lambda_1 = 1/(2 L_g1).
NOISY_START = {"noise_y": sigma**2 / (2 * s.L_g1**2), "noise_z": sigma**2 / s.L_g1**2}

CHAIN_PRINTED: tuple[Definition, ...] = (
    *common.smoothness(),
    *RATES_PRINTED,
    *SHARED,
    _gamma(Integer(48)),
    common.transient_printed(),
    *common.start(2, **NOISY_START),
    *common.first_error_short(),
    common.bias_sum(),
    (s.bound, _bound(Integer(6912), Integer(144), Integer(96768), POOLED)),
)
_REPAIRED: tuple[Definition, ...] = (
    *common.smoothness(),
    *RATES_REPAIRED,
    *common.spread(),
    *SHARED,
    _gamma(48 * sqrt(2)),
    common.transient_repaired(),
    *common.start(1, **NOISY_START),
    *common.first_error_short(),
    common.bias_sum(),
)
DROP = 3456 * (1 + 4**tau)
CHAIN_REPAIRED = (*_REPAIRED, (s.bound, _bound(DROP, Integer(240), Integer(161280), POOLED)))
CHAIN_CONVOLVED = (*_REPAIRED, (s.bound, _bound(DROP, Integer(240), Integer(161280), CONVOLVED)))


def _schedule(chain: tuple[Definition, ...]) -> dict[str, Expr]:
    """alpha_t = alpha t^-a, batches t^B_1 (upper) and t^B_2 (inner), K_t = K max(t^(b - tau), t^a) log t."""
    alpha, beta = 1 / s.L_g1, 1 / (2 * lam_1 * s.L_g1)
    return common.schedule(chain, alpha=alpha, a=a, beta=beta, b=b, K=4 * kappa_g, B_1=s.B_1, B_2=s.B_2)


UNSAID = (asm.B_AT_LEAST_TAU, asm.LAMBDA_ONE)
PRINTED = Form("printed", CHAIN_PRINTED, "end of the proof of Theorem E.5, L1241-1243")
REPAIRED = Form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: Theorem E.5 with O-1, O-8, O-9, O-12 and O-16",
    repairs=("O-1", "O-8", "O-9", "O-12", "O-16"),
    schedule=_schedule(CHAIN_REPAIRED),
    conditions=UNSAID,
)
CONVOLUTION = Form(
    "convolved",
    CHAIN_CONVOLVED,
    "this project: lambda_t^2 kept inside the inner-noise sums, so that large inner batches help as claimed",
    repairs=REPAIRED.repairs,
    schedule=_schedule(CHAIN_REPAIRED),
    conditions=UNSAID,
    own=True,
)

CORNER = {tau: Rational(1, 6), a: S.Zero, b: Rational(1, 6), s.B_1: Rational(2, 3), s.B_2: Rational(2, 3)}
ONES = {s.V_T: Integer(1), s.H_2T: Integer(1)}
TWO_THIRDS = Rational(2, 3)
FREE: dict[Symbol, Expr] = {x: x for x in (tau, a, b, s.B_1, s.B_2)}
RANGE = (tau <= common.HALF, b >= tau)
SMALL_BATCHES = (b + s.B_2 - tau <= 1, a + s.B_2 <= 1)
NOISELESS: dict[str, Expr] = {"bias": 1 - 2 * tau, "value drift": s.v, "inner drift": s.h}
TERMS = {
    **NOISELESS,
    "upper variance": 1 + 2 * tau - s.B_1,
    "inner variance of y": 1 + 3 * tau - b - s.B_2,
    "inner variance of z": 1 + 2 * tau - a - s.B_2,
}
LAWS = (
    common.law("regret", TERMS, "L286: T^(1-2 tau) + sigma^2 max(...) + V_T + H_2T", RANGE, FREE),
    common.law(
        "regret, small inner batches",
        TERMS,
        "L286, where the sums of the inner variances grow: b + B_2 - tau <= 1 and a + B_2 <= 1",
        (*RANGE, *SMALL_BATCHES),
        FREE,
    ),
    common.law("regret, noiseless", NOISELESS, "L286 at sigma = 0", RANGE, {**FREE, sigma: S.Zero}),
)
CASES = (
    Case("corollary 5.2", {**CORNER, **ONES}, TWO_THIRDS, "L293"),
    Case("noiseless", {**CORNER, **ONES, sigma: S.Zero}, TWO_THIRDS, "L293"),
    Case(
        "tau = 1/4, large upper batch",
        {tau: Rational(1, 4), a: S.Zero, b: Rational(1, 4), s.B_1: Integer(1), s.B_2: Integer(1), **ONES},
        common.HALF,
        "L286",
    ),
    Case(
        "very large inner batch",
        {tau: Rational(2, 5), a: S.Zero, b: Rational(2, 5), s.B_1: Integer(2), s.B_2: Integer(2), **ONES},
        Rational(1, 5),
        "L286",
    ),
)
KWARGS = {
    "paper": PAPER,
    "metric": r"$\mathbb{E}\,\mathrm{BLReg}(T)$, mean of "
    r"$\sum_{t \le T} \|\mathcal{G}_{\mathcal{X}}(x_t, \nabla F_t(x_t), \gamma)\|^2$",
    "assumes": asm.ASSUMPTIONS,
    "probability": S.One,
    "schedule": _schedule(CHAIN_PRINTED),
    "notation": s.NOTATION,
    "kind": "expectation",
}
CONDITIONS = (*asm.COMMON, asm.TAU_HALF, *asm.BATCHES)
GENERIC_5 = {**GENERIC, sigma: Integer(1), **CORNER}

THEOREM = Theorem(
    key=PAPER.entry("thm-5.1"),
    title="SF2OBO, stochastic",
    method="f2obo.sf2obo",
    statement=r"The expected bilevel local regret is at most $O(T^{1 - 2 \tau} + \sigma^2 \max(T^{1 + 2 \tau - B_1}, "
    r"T^{1 + 3 \tau - b - B_2}, T^{1 + 2 \tau - a - B_2}) + V_T + H_{2,T})$.",
    source="Theorem 5.1 (L283-289), with constants at the end of the proof of Theorem E.5 (L1241-1244)",
    forms=(PRINTED, REPAIRED, CONVOLUTION),
    cases=CASES,
    laws=LAWS,
    generic=GENERIC_5,
    conditions=CONDITIONS,
    **KWARGS,
)


def _is(symbol: Expr, value: Expr) -> tuple[Condition, ...]:
    """symbol = value, as two inequalities with room for the rounding of 1/6 and 2/3."""
    slack, text = Rational(1, 10**12), f"{symbol} = {value}"
    near = (Le(symbol, value + slack, evaluate=False), Ge(symbol, value - slack, evaluate=False))
    return tuple(Condition(r, text, "L293") for r in near)


COROLLARY = Theorem(
    key=PAPER.entry("cor-5.2"),
    title="SF2OBO at tau = b = 1/6, a = 0, B_1 = B_2 = 2/3",
    method="f2obo.sf2obo",
    statement=r"The expected bilevel local regret is at most $O(T^{2/3} (1 + \sigma^2) + V_T + H_{2,T})$.",
    source="Corollary 5.2 (L291-295)",
    forms=(PRINTED, REPAIRED, CONVOLUTION),
    cases=(
        CASES[0],
        CASES[1],
        Case("drift", {**CORNER, s.V_T: T**TWO_THIRDS, s.H_2T: T**TWO_THIRDS}, TWO_THIRDS, "L64, L297"),
    ),
    laws=(
        common.law(
            "regret",
            {cause: exponent.xreplace(CORNER) for cause, exponent in TERMS.items()},
            "L293",
            at=CORNER,
        ),
    ),
    generic=GENERIC_5,
    conditions=(*CONDITIONS, *(c for symbol, value in CORNER.items() for c in _is(symbol, value))),
    **KWARGS,
)
THEOREMS = (THEOREM, COROLLARY)

"""Theorem 4.1 = D.2: AF2OBO (Algorithm 2), inner loops that stop by a gradient test. L234-244, L931-1001."""

from collections.abc import Callable

from sympy import Expr, Integer, S, expand_log, log, sqrt

from workbench.theory import Case, Definition, Form, Theorem

from . import assumptions as asm
from . import common
from . import symbols as s
from .paper import PAPER
from .symbols import T, kappa_g, lam_1, mu_g, rho_y, rho_z, tau
from .theorem_3_1 import GENERIC, RATES

DELTA_Y, DELTA_Z = T**-common.HALF, T ** (-common.HALF - tau)  # L235
# The penalty value is L_L0-Lipschitz (Lemma B.6, L432); the repaired L_L0 also bounds the computed gradient.
L_L0 = s.L_f0 + 2 * s.L_f0 * s.L_g1 / mu_g
ERROR = kappa_g * sqrt((24 + 3 * lam_1**2) / T)  # square root of (33) at any t <= T

REGRET = (
    16 * s.M / s.gamma
    + 8 / s.gamma * s.V_T
    + 16 * s.D_1**2 / lam_1**2 * s.S_tau
    + 384 * kappa_g**2
    + 48 * lam_1**2 * kappa_g**2
)  # L935


HEAD: tuple[Definition, ...] = (*common.smoothness(), *RATES, (s.gamma, s.r_gamma / (2 * s.L_F)))


def _count_printed(delta: Expr, rate: Expr, scale: Expr, total: Expr) -> Expr:
    """(1 + 2 log(delta)/log(rho)) T + scale/log(1/rho) * total: (35), L966, L995."""
    return (1 + 2 * expand_log(log(1 / delta)) / log(1 / rate)) * T + scale / log(1 / rate) * total


def _count_logarithm(delta: Expr, rate: Expr, scale: Expr, total: Expr) -> Expr:
    """T + T/log(1/rho) log(1 + scale/(delta^2 T) total): (34) with its logarithm kept, and Jensen."""
    return T + T / log(1 / rate) * log(1 + scale / (delta**2 * T) * total)


def _tail(count: Callable[[Expr, Expr, Expr, Expr], Expr]) -> tuple[Definition, ...]:
    """I_T = I^y_T + I^z_T, S_tau, and the regret."""
    return (
        (s.I_y, count(DELTA_Y, rho_y, 4 * s.L_g1**2, s.S_y)),
        (s.I_z, count(DELTA_Z, rho_z, s.L_g1**2, s.S_z)),
        (s.I_T, s.I_y + s.I_z),
        common.bias_sum(),
        (s.bound, REGRET),
    )


def _drift_y_printed() -> Expr:
    """L981."""
    fixed = 8 * DELTA_Y**2 / mu_g**2 * T + 12 * s.L_f0**2 / mu_g**2 * T
    moving = 12 * s.gamma**2 * lam_1**2 * kappa_g**2 * s.L_L0**2 * T ** (1 + 2 * tau)
    return fixed + moving + 6 * lam_1**2 * T ** (2 * tau) * s.H_2T


def _drift_y_repaired() -> Expr:
    """Sum of lambda_t^2 |y_t - y*_(lambda_t,t)(x_t)|^2 with O-1 and O-10: t = 1, 4^tau, and 12 for 6."""
    first = lam_1**2 * (s.d_y + s.L_f0 / (lam_1 * mu_g)) ** 2
    fixed = 8 * 4**tau * DELTA_Y**2 / mu_g**2 * T + 6 * (1 + 4**tau) * s.L_f0**2 / mu_g**2 * T
    moving = 12 * s.gamma**2 * lam_1**2 * kappa_g**2 * s.L_L0**2 * T ** (1 + 2 * tau)
    return first + fixed + moving + 12 * lam_1**2 * T ** (2 * tau) * s.H_2T


def _drift_z(first: Expr) -> Expr:
    """Sum of |z_t - y*_t(x_t)|^2, L995-997; `first` is the term of t = 1."""
    return first + 2 * DELTA_Z**2 / mu_g**2 * T + 4 * s.gamma**2 * kappa_g**2 * s.L_L0**2 * T + 4 * s.H_2T


CHAIN_PRINTED: tuple[Definition, ...] = (
    *HEAD,
    (s.L_L0, L_L0),
    (s.S_y, _drift_y_printed()),
    (s.S_z, _drift_z(S.Zero)),
    *_tail(_count_printed),
)
_REPAIRED: tuple[Definition, ...] = (
    *HEAD,
    (s.L_L0, L_L0 + ERROR),
    (s.S_y, _drift_y_repaired()),
    (s.S_z, _drift_z(s.d_z**2)),
)
CHAIN_REPAIRED = (*_REPAIRED, *_tail(_count_printed))
CHAIN_LOGARITHM = (*_REPAIRED, *_tail(_count_logarithm))

PRINTED = Form("printed", CHAIN_PRINTED, "Theorem D.2, L935, L981-997")
REPAIRED = Form(
    "repaired",
    CHAIN_REPAIRED,
    "this project: the regret of Theorem D.2, its iteration count with O-1, O-3 and O-10",
    repairs=("O-1", "O-3", "O-10"),
)
LOGARITHM = Form(
    "T log T",
    CHAIN_LOGARITHM,
    "this project: (34) gives the logarithm of a squared distance; kept instead of log u <= u, it yields T log T",
    repairs=REPAIRED.repairs,
    own=True,
)

BOUNDED = {s.V_T: Integer(1), s.H_2T: Integer(1)}
OSCILLATING = {s.V_T: S.Zero, s.H_2T: 4 * (T - 1)}  # the example of L246-254
CASES = (
    Case("regret, tau = 1", {tau: S.One, **BOUNDED}, Integer(0), "L240: O(1 + V_T)"),
    Case("regret, tau = 1/2", {tau: common.HALF, **BOUNDED}, Integer(0), "L240: O(log T + V_T)"),
    Case("regret, oscillation", {tau: common.HALF, **OSCILLATING}, Integer(0), "L254: O(log T)"),
    Case(
        "iterations, tau = 1/2", {tau: common.HALF, **BOUNDED}, Integer(2), "L240: O(T^2 + T H_2T)", of=s.I_T
    ),
    Case("iterations, tau = 1", {tau: S.One, **BOUNDED}, Integer(3), "L240: O(T^3)", of=s.I_T),
    Case("iterations, oscillation", {tau: common.HALF, **OSCILLATING}, Integer(2), "L240", of=s.I_T),
)
LAWS = (
    common.law(
        "regret", {"start": S.Zero, "bias": 1 - 2 * tau, "value drift": s.v}, "L236: sum of t^(-2 tau) + V_T"
    ),
    common.law(
        "iterations",
        {"outer steps": 1 + 2 * tau, "inner drift": 2 * tau + s.h},
        "L236: T^(1 + 2 tau) + T^(2 tau) H_2T",
        of=s.I_T,
    ),
    common.law("iterations, T log T", {"rounds": S.One}, "this project: T log T", of=s.I_T),
)

THEOREM = Theorem(
    key=PAPER.entry("thm-4.1"),
    paper=PAPER,
    title="AF2OBO, deterministic, adaptive inner loops",
    method="f2obo.af2obo",
    statement=r"The bilevel local regret is at most $O(\sum_{t \le T} t^{-2 \tau} + V_T)$, whatever the drift of the "
    r"lower solution, with $O(T^{1 + 2 \tau} + T^{2 \tau} H_{2,T})$ inner steps.",
    source="Theorem 4.1 (L234-240), restated with constants as Theorem D.2 (L931-1001)",
    metric=r"$\mathrm{BLReg}(T)$, $\sum_{t \le T} \|\mathcal{G}_{\mathcal{X}}(x_t, \nabla F_t(x_t), \gamma)\|^2$; "
    r"$\mathcal{I}_T$, the inner steps of both loops",
    assumes=(asm.UPPER, asm.LOWER),
    probability=S.One,
    forms=(PRINTED, REPAIRED, LOGARITHM),
    cases=CASES,
    schedule=common.schedule(CHAIN_PRINTED, delta_y=DELTA_Y, delta_z=DELTA_Z),
    generic=GENERIC,
    notation=s.NOTATION,
    laws=LAWS,
    conditions=(*asm.COMMON, *asm.STEPS),
)

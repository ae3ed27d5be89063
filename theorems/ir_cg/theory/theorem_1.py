"""Theorem 1: IR-SCG (Algorithm 1), one sample per level and step. L160-164; Lemmas 4-6, L494-604.

Both bounds hold jointly, for all t >= 1, with probability 1 - delta. Lemma 3 leaves its absolute constant c open. The
forms "own" do without it: for noise of norm at most sigma_f, sigma_g almost surely, Pinelis' inequality for martingales
in a Hilbert space bounds the error of the estimator at t, for both levels jointly and in any dimension, by
(4 L D + 2 sigma) sqrt(2 log(4/delta)/(3 (t + 1))).
"""

from dataclasses import replace

from sympy import E, Expr, Rational, S, log, sqrt

from workbench import vocabulary as v
from workbench.theory import Case, Condition, Definition, Form

from . import assumptions as a
from . import common
from . import constants as k
from .common import T, bound, ell, noise, sigma_T, smooth
from .paper import PAPER

HALF = Rational(1, 2)
CHAIN = (common.SIGMA_T, *common.PHI_0)
ELL: Definition = (ell, sqrt(log(8 * k.d * T**2 / v.delta)))
ELL_OWN: Definition = (ell, sqrt(log(8 * T**2 / v.delta)))
DRIFT = 2 * smooth * k.D**2 / ((T + 1) * sigma_T)
BOTH = 4 * smooth * k.D**2 + 3 * noise * k.D
BOTH_OWN = 4 * smooth * k.D**2 + 2 * noise * k.D
# 4 D sum i e_(i-1) <= 4 sqrt(2/3) (2/3) (t+1)^(3/2) (...): Proposition 2 with the error bound above.
STORM = Rational(8, 3) * sqrt(Rational(2, 3))
B = 1 - 2 * k.p  # log(t^2)/t^B is what the supremum in (15b) is about


def _outer(
    name: str, logs: tuple[Definition, ...], error: Expr, source: str, repairs: tuple[str, ...] = ()
) -> Form:
    """The outer bound with `error` as its noise term."""
    return common.form(name, (*CHAIN, *logs, (bound, DRIFT + error)), source, repairs)


OUTER_FORMS = (
    _outer(
        "printed",
        (ELL,),
        4 * k.c * (4 * smooth * k.D + 3 * noise) / (sqrt(T + 1) * sigma_T) * ell,
        "Lemma 5, L519",
    ),
    _outer(
        "repaired",
        (ELL,),
        8 * k.c * BOTH / (sqrt(T + 1) * sigma_T) * ell,
        "this project: Lemma 5 with the constant of Lemma 4 (L508)",
        ("I1",),
    ),
    _outer(
        "own",
        (ELL_OWN,),
        STORM * BOTH_OWN * sqrt(T + 1) / (T * sigma_T) * ell,
        "this project: almost surely bounded noise, explicit constant, dimension-free",
        ("I1", "I3"),
    ),
    _outer("exact gradients", (), S.Zero, "this project: (12) with e_t = 0", ("I1", "I3")),
)


def _inner(name: str, C_: Expr, C_bar_: Expr, V_: Expr, source: str, repairs: tuple[str, ...] = ()) -> Form:
    """C_delta (1 + V) sigma_t of Lemma 5 with closed bounds of the suprema (15)."""
    return common.form(name, (*CHAIN, *common.inner_gap(C_, C_bar_, V_)), source, repairs)


def _c_bar(of_noise: int) -> Expr:
    """The bound of Lemma 6 (ii) on (15b) with a factor 3 (as stated, L561) or 6 (as proved, L602)."""
    size = 8 * smooth / k.varsigma * k.D**2 + of_noise * noise / k.varsigma * k.D
    return 4 * k.c * size * sqrt(2 / (B * E) + log(8 * k.d / v.delta))


C_CLOSED = (1 + 2 * k.p) * k.Delta_F + 2 * smooth * k.D**2 / k.varsigma
C_EXACT = 2**k.p * (k.Delta_F + smooth * k.D**2 / k.varsigma)  # both ratios of (15a) decrease from t = 1
C_BAR_OWN = 2 * STORM * BOTH_OWN / k.varsigma * sqrt(common.log_supremum(1, 8 / v.delta, B))

INNER_FORMS = (
    _inner("printed", C_CLOSED, _c_bar(3), common.spread_printed(k.p), "Lemmas 5 and 6, L520, L556, L561"),
    _inner(
        "repaired",
        C_CLOSED,
        _c_bar(6),
        common.spread_printed(k.p),
        "this project: Lemma 6 with the factor 6 of its proof (L602)",
        ("I2",),
    ),
    _inner(
        "own",
        C_EXACT,
        C_BAR_OWN,
        common.spread_own(k.p),
        "this project: almost surely bounded noise, explicit constant, sharper suprema",
        ("I2", "I3"),
    ),
)

OUTER = common.theorem(
    key=PAPER.entry("thm-1-outer"),
    title="IR-SCG, outer level",
    method="ir_cg.ir_scg",
    statement=r"With probability $1 - \delta$, for all $t \ge 1$: $F(z_t) - F_{\mathrm{opt}} = "
    r"O(t^{-(1/2 - p)} \sqrt{\log(d t^2/\delta)})$.",
    source="Theorem 1 (L160-164), with the constants of Lemma 5 (L515-538)",
    metric=r"$F(z_t) - F_{\mathrm{opt}}$",
    assumes=(*a.SMOOTH_SET, a.CONVEX, a.NOISE, a.HALF_RANGE),
    forms=OUTER_FORMS,
    cases=(Case("rate", {}, -(HALF - k.p), "L164"),),
    schedule=common.CONVEX_1,
    conditions=(Condition(k.p < HALF, "p < 1/2", "L162"), *common.POSITIVE),
)
INNER = replace(
    OUTER,
    key=PAPER.entry("thm-1-inner"),
    title="IR-SCG, inner level",
    method="ir_cg.ir_scg",
    statement=r"With probability $1 - \delta$, for all $t \ge 1$: $G(z_t) - G_{\mathrm{opt}} = "
    r"O(t^{-p} \sqrt{\log(d/\delta)})$.",
    source="Theorem 1 (L160-164), with the constants of Lemmas 5 and 6 (L515-604)",
    metric=r"$G(z_t) - G_{\mathrm{opt}}$",
    forms=INNER_FORMS,
    cases=(Case("rate", {}, -k.p, "L164"),),
)

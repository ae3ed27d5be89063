"""Theorem 2: IR-FSCG (Algorithm 2), finite sums. L165-170; Lemmas 8-11, L700-894.

Both bounds hold jointly, for all t >= q, with probability 1 - delta; S = q. The forms "own" use Pinelis' inequality
with its factor 2 exp(-x^2/(2 s)) where the proof of Lemma 7 has 4 exp(-x^2/(4 s)): constants 2 sqrt(2) and 4 sqrt(2) in
place of 8 and 8, log(8 t^2/delta) in place of log(16 t^2/delta).
"""

from dataclasses import replace

from sympy import E, Expr, Rational, log, sqrt

from workbench import vocabulary as v
from workbench.theory import Case, Condition, Definition, Form

from . import assumptions as a
from . import common
from . import constants as k
from .common import M_0, T, bound, ell, sigma_T, smooth
from .paper import PAPER

HALF = Rational(1, 2)
ELL: Definition = (ell, sqrt(log(16 * T**2 / v.delta)))
ELL_OWN: Definition = (ell, sqrt(log(8 * T**2 / v.delta)))
WEIGHT = (T + 1) * T * sigma_T
DRIFT = 2 * smooth * k.D**2 * (T - k.q)
LATE = 8 * sqrt(2) * T - 4 * k.q  # Proposition 3, (21), L747
LATE_OWN = 4 * sqrt(2) * (sqrt(2) * T - k.q / 2)


def _start(factor: Expr, logs: Expr = ell) -> Expr:
    """(q + 1) q times the bound of Lemma 8 on Phi_q(x_q) - Phi_0(x_opt), L704-705; printed with factor 16."""
    return (k.q + 1) * (M_0 + smooth * k.D**2 * (HALF + factor * logs) * log(k.q))


def _outer(
    name: str, logs: Definition, start: Expr, late: Expr, source: str, repairs: tuple[str, ...] = ()
) -> Form:
    """The bound of Lemma 10, L820-821."""
    total = _start(start) + DRIFT + late * smooth * k.D**2 * ell
    return common.form(name, (*common.FINITE_SUM, logs, (bound, total / WEIGHT)), source, repairs, k.q)


OUTER_FORMS = (
    _outer("printed", ELL, 16, LATE, "Lemma 10, L820-821"),
    _outer("repaired", ELL, 16, 4 * LATE, "this project: Lemma 10 with the 4 of (10) kept", ("I4",)),
    _outer("own", ELL_OWN, 4 * sqrt(2), 4 * LATE_OWN, "this project: Pinelis' inequality as it is", ("I4",)),
)

PER_SIGMA = k.L_f + k.L_g / k.varsigma
SUP_LOG = sqrt(2 / (E * (1 - k.p)) + log(16 / v.delta))
C_CLOSED = (1 + 2 * k.p) * k.Delta_F + 2 * (k.varsigma * k.L_f + k.L_g) * k.D**2 / k.varsigma
# sup of (t - q)/((t + 1) t sigma_t): at most that of (t - q) t^(p - 2), which is at t = q (2 - p)/(1 - p).
C_OWN = 2**k.p * k.Delta_F + 2 * smooth * k.D**2 / k.varsigma * k.q ** (k.p - 1) * (1 - k.p) ** (1 - k.p) * (
    2 - k.p
) ** (k.p - 2)


def _c_bar(first: Expr, late: int) -> Expr:
    """Lemma 11, L859-861: `first` is its first line, `late` the factor of its last (8, or 32 with the lost 4)."""
    middle = 2 / (1 - k.p) * PER_SIGMA * k.D**2 * (HALF + 16 * SUP_LOG)
    return (
        first + middle + late * sqrt(2) * PER_SIGMA * k.D**2 * sqrt(1 / (E * (1 - k.p)) + log(16 / v.delta))
    )


FIRST_PRINTED = k.range_F - k.gap_F0 + (k.range_G - k.gap_G0) / k.varsigma
FIRST_REPAIRED = k.range_F / k.q + (k.q + 1) ** k.p / k.q * k.range_G / k.varsigma
# (q + 1)(...)/((t + 1) t sigma_t) decreases in t: exact at t = q. The rest by `log_supremum`.
C_BAR_OWN = _start(4 * sqrt(2), sqrt(log(8 * k.q**2 / v.delta))) * (k.q + 1) ** (k.p - 1) / (
    k.varsigma * k.q
) + 32 * smooth * k.D**2 / k.varsigma * sqrt(common.log_supremum(k.q, 8 / v.delta, 2 * (1 - k.p)))


def _inner(name: str, C_: Expr, C_bar_: Expr, V_: Expr, source: str, repairs: tuple[str, ...] = ()) -> Form:
    """C_(delta,q) (1 + V_q) sigma_t of Lemma 10 with closed bounds of the suprema (23)."""
    chain = (*common.FINITE_SUM, *common.inner_gap(C_, C_bar_, V_))
    return common.form(name, chain, source, repairs, k.q)


INNER_FORMS = (
    _inner(
        "printed",
        C_CLOSED,
        _c_bar(FIRST_PRINTED, 8),
        common.spread_printed(k.p),
        "Lemmas 10 and 11, L822, L855-861",
    ),
    _inner(
        "repaired",
        C_CLOSED,
        _c_bar(FIRST_REPAIRED, 32),
        common.spread_printed(k.p),
        "this project: Lemma 11 with the exact first line and the factor 4 restored",
        ("I4", "I5"),
    ),
    _inner("own", C_OWN, C_BAR_OWN, common.spread_own(k.p), "this project: sharper suprema", ("I4", "I5")),
)

AT_START = {T: k.q}  # t = q while q grows: max(1, q log q/t) is then log q
OUTER = common.theorem(
    key=PAPER.entry("thm-2-outer"),
    title="IR-FSCG, outer level",
    method="ir_cg.ir_fscg",
    statement=r"With probability $1 - \delta$, for all $t \ge q$: $F(z_t) - F_{\mathrm{opt}} = "
    r"O(\max(1, (q \log q)/t)\,t^{-(1 - p)} \sqrt{\log(t^2/\delta)})$.",
    source="Theorem 2 (L165-170), with the constants of Lemma 10 (L815-843)",
    metric=r"$F(z_t) - F_{\mathrm{opt}}$",
    assumes=(*a.SMOOTH_SET, a.CONVEX, a.FINITE_SUM, a.UNIT_RANGE),
    forms=OUTER_FORMS,
    cases=(
        Case("rate", {}, -(1 - k.p), "L169"),
        Case("t = q", AT_START, -(1 - k.p), "L169, up to the factor log q", variable=k.q),
    ),
    schedule=common.CONVEX_2,
    conditions=(Condition(k.p < 1, "p < 1", "L167"), *common.POSITIVE, common.PERIOD),
)
INNER = replace(
    OUTER,
    key=PAPER.entry("thm-2-inner"),
    title="IR-FSCG, inner level",
    method="ir_cg.ir_fscg",
    statement=r"With probability $1 - \delta$, for all $t \ge q$: $G(z_t) - G_{\mathrm{opt}} = "
    r"O(t^{-p} \sqrt{\log(1/\delta)})$.",
    source="Theorem 2 (L165-170), with the constants of Lemmas 10 and 11 (L815-894)",
    metric=r"$G(z_t) - G_{\mathrm{opt}}$",
    forms=INNER_FORMS,
    cases=(Case("rate", {}, -k.p, "L170"),),
)

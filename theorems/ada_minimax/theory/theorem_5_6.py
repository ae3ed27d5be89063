"""Theorem 5.6 = B.5: Ada-NSGDM (Algorithm 3), single level. L202-208, L511-541."""

from sympy import E, Integer, Rational, S, sqrt

from workbench import Case, Form, Theorem
from workbench import vocabulary as v

from . import common
from .assumptions import NOISE, SMOOTH
from .common import FIXED_T, HALF, LOW_NOISE, QUARTER, C, bound
from .paper import PAPER

low, bar = v.sigma_low, v.sigma_bar

C_PRINTED = common.common_part(bar, bar, v.L, 3 * sqrt(E)) + common.drift_error(v.L)  # Eq. (17), L520-522
C_REPAIRED = (
    common.common_part(bar, bar, v.L, common.w) + common.drift_error(v.L) + common.adaptivity_error(bar)
)
RATE = C / v.eta * (v.T**-HALF + 2 * sqrt(bar) / (sqrt(v.alpha) * v.T**QUARTER))

PRINTED = Form(
    "printed",
    (*common.noise_constants(low, bar, whole_t_0=False), (C, C_PRINTED), (bound, RATE)),
    "Theorem B.5, Eqs. (16)-(17), L511-522",
    covers=common.covers(low, bar),
)
REPAIRED = Form(
    "repaired",
    (
        *common.noise_constants(low, bar, whole_t_0=True),
        *common.repair_constants(bar),
        (C, C_REPAIRED),
        (bound, RATE),
    ),
    "this project: Theorem B.5 with the additions of E1 and E9",
    covers=common.covers(low, bar),
    repairs=("E1", "E9"),
)

CASES = (
    Case("noiseless", {low: S.Zero, bar: S.Zero}, -HALF, "L210"),
    Case("noisy", {}, -QUARTER, "L210"),
    Case("low noise", {low: LOW_NOISE, bar: LOW_NOISE}, -HALF, "L210, L120: sigma_bar = O(T^-1/2)"),
    common.kappa_case(low, bar, "L208, L522: C of order kappa_sigma^4"),
    Case("sigma", {low: bar, **FIXED_T}, HALF, "L90: sqrt(sigma_bar) T^-1/4", variable=bar),
)

THEOREM = Theorem(
    key=PAPER.entry("thm-5.6"),
    paper=PAPER,
    title="Ada-NSGDM, single level",
    method="ada_minimax.ada_nsgdm",
    statement=r"With probability $1 - 3 \delta$ the running mean of the gradient norm is at most $(C/\eta) (T^{-1/2} "
    r"+ 2 \sqrt{\bar{\sigma}/\alpha} T^{-1/4})$, without knowledge of the noise.",
    source="Theorem 5.6 (L202-208), restated as Theorem B.5 (L511-541)",
    metric=r"mean over $t \le T$ of $\|\nabla f(x_t)\|$",
    assumes=(SMOOTH, NOISE),
    probability=1 - 3 * v.delta,
    forms=(PRINTED, REPAIRED),
    cases=CASES,
    schedule={"alpha": v.alpha, "eta": v.eta},
    generic={**common.GENERIC, v.L: Integer(2), low: HALF, bar: Rational(3, 4)},
    notation=common.NOTATION,
)

"""Theorem 4.1 = D.4: Ada-Minimax (Algorithm 1). L112-120, L800-840."""

from sympy import Abs, Integer, Rational, S, Symbol, sqrt

from workbench import Case, Form, Theorem
from workbench import vocabulary as v
from workbench.theory import IsZero

from . import common
from . import hierarchical as h
from .assumptions import MINIMAX_NOISE, MINIMAX_SMOOTH
from .common import FIXED_T, HALF, LOW_NOISE, QUARTER
from .paper import PAPER

low, bar = v.sigma_x_low, v.sigma_x_bar
L_Phi = Symbol("L_Phi", positive=True)
LEVEL = h.Level(smooth_Phi=L_Phi, bias=v.L, L=v.L, mu=v.mu, sigma=v.sigma_y, low=low, bar=bar)
L_PHI = (L_Phi, (v.mu + v.L) * v.L / v.mu)  # Lemma D.1, L770

COVERS = common.covers(low, bar)

PRINTED = Form("printed", (L_PHI, *h.chain_printed(LEVEL)), "Theorem D.4, L800-815", covers=COVERS)
# The main text sets sigma_x_bar = sigma_y, so this form covers nothing else, and rounds (5 sigma^2)^(1/4) up
# to 2 sqrt(sigma).
MAIN = Form(
    "main text",
    (L_PHI, *h.chain_printed(LEVEL, last=2 * sqrt(bar))),
    "Theorem 4.1, L112-116",
    covers=COVERS * IsZero(Abs(bar - v.sigma_y)),
)
REPAIRED = Form(
    "repaired",
    (L_PHI, *h.chain_repaired(LEVEL)),
    "this project: Theorem D.4 with E1, E2, E4, E5, E9 and E13",
    covers=COVERS,
    repairs=("E1", "E2", "E4", "E5", "E9", "E13"),
)

NOISES = (low, bar, v.sigma_y)
CASES = (
    Case("noiseless", dict.fromkeys(NOISES, S.Zero), -HALF, "L120"),
    Case("noisy", {}, -QUARTER, "L120"),
    Case("noise in y only", {low: S.Zero, bar: S.Zero}, -QUARTER, "from the display, L804-805"),
    Case("low noise", dict.fromkeys(NOISES, LOW_NOISE), -HALF, "L120: sigma_x_bar = O(T^-1/2)"),
    common.kappa_case(low, bar, "L118: C_m of order kappa_sigma^4", {v.sigma_y: S.One}),
    common.vanishing_case(low, bar, "L118: C_m of order kappa_sigma^4, here 1", [v.sigma_y]),
    Case("sigma", {low: bar, v.sigma_y: bar, **FIXED_T}, HALF, "L120: sqrt(sigma_x_bar)", variable=bar),
)

THEOREM = Theorem(
    key=PAPER.entry("thm-4.1"),
    paper=PAPER,
    title="Ada-Minimax, nonconvex-strongly-concave",
    method="ada_minimax.ada_minimax",
    statement=r"With probability $1 - 7 \delta$ the running mean of $\|\nabla \Phi\|$ is at most "
    r"$C_m/(\eta \sqrt{\alpha})$ times $T^{-1/2}$, $T^{-3/8}$ and $T^{-1/4}$ terms, the last two vanishing "
    "with the noise.",
    source="Theorem 4.1 (L112-120), restated as Theorem D.4 (L800-840); eta_x = eta_y = eta",
    metric=r"mean over $t \le T$ of $\|\nabla \Phi(x_t)\|$",
    assumes=(MINIMAX_SMOOTH, MINIMAX_NOISE),
    probability=1 - 7 * v.delta,
    forms=(PRINTED, MAIN, REPAIRED),
    cases=CASES,
    schedule=h.SCHEDULE,
    generic={
        **h.GENERIC,
        v.L: Integer(2),
        v.mu: Integer(1),
        low: HALF,
        bar: Rational(3, 4),
        v.sigma_y: Rational(3, 4),
    },
    notation={**h.NOTATION, L_Phi: r"L_\Phi"},
)

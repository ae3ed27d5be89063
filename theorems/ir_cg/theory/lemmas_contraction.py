"""This project's sharper rates for non-convex F, from (25) with its contraction kept."""

from sympy import Le, Rational, Symbol, log, sqrt, symbols

from workbench.theory.lemma import (
    AlongTrajectory,
    Inequality,
    at_least,
    closed,
    nonnegative,
    opened,
    positive,
)

from . import nonconvex, theorems_5_6
from .chain import EACH_NC, NC_FS_OWN, NC_OWN, after_q, likely, link, measured, program, quantities, t
from .constants import D, L_f, L_g
from .theorems_5_6 import OMEGA_5, OMEGA_OWN, OMEGA_OWN_FS, P_OWN, P_OWN_FS

alpha_t, sigma_t, e_t, G_gap, G_next = quantities("alpha_t", "sigma_t", "e_t", "G_gap", "G_next")
sum_sigma_calF, sum_sigma = quantities("sum_sigma_calF", "sum_sigma")
sum_beta_calF, sum_beta = quantities("sum_beta_calF", "sum_beta")
a, x, y = symbols("a x y", positive=True)
b, g, s, v = symbols("b g s v", nonnegative=True)

CONTRACTION = link(
    "own-contraction",
    "Inner bound with the contraction kept",
    "this project, from (25)",
    r"If $g_{t+1} \le (1 - \alpha_t) g_t + \alpha_t b (t+1)^{-s}$ with $\alpha_t = (t+1)^{-\omega}$ and "
    r"$s \le \omega < 1$, then $g_t \le b t^{-s}/(1 - s (2^\omega - 1))$.",
    ("eq-25",),
    Inequality(
        "(1 + 1/t)^s <= 1 + s/t",
        (1 + x) ** Rational(2, 5),
        1 + Rational(2, 5) * x,
        positive(x),
        note="s = 2/5 = omega/2.",
    ).own(),
    *(
        Inequality(
            f"((t+1)^omega - 1)/t <= 2^omega - 1, omega = {w}",
            ((x + 1) ** w - 1),
            (2**w - 1) * x,
            {x: at_least(1)},
        ).own()
        for w in (OMEGA_OWN, OMEGA_5)
    ),
    Inequality(
        "inductive step",
        (1 - a) * g * (1 + v) + a * b,
        g,
        {a: opened(0, 1), **nonnegative(g, v, b), s: closed(0, 1)},
        given=(Le((1 - a) * v, a * s), Le(b, g * (1 - s))),
        note="in units of (t+1)^-s: v = s/t; here s stands for s (2^omega - 1) and g for the claimed factor.",
    ).own(),
    AlongTrajectory(
        "the recursion along runs",
        G_next,
        (1 - alpha_t) * G_gap
        + alpha_t
        * (
            sigma_t * (Symbol("sup_calF") + D * Symbol("sup_grad_F"))
            + 2 * D * e_t
            + alpha_t * (sigma_t * L_f + L_g) * D**2 / 2
        ),
        on=EACH_NC,
    ).own(),
)

OWN_RATE = link(
    "own-nonconvex-inner",
    "Sharper exponents of Theorem 5",
    "this project, from (25) and L1059",
    r"At $(p, \omega) = (1/5, 4/5)$ both levels decay like $t^{-1/5}$.",
    ("own-contraction", "own-storm-omega", "lem-12"),
    program(nonconvex.exponents_one_sample_own, Rational(-1, 5)),
    likely(
        "along runs",
        G_next,
        measured(theorems_5_6.OWN["inner"].form("own")),
        on=(NC_OWN,),
        note="Slack 1e3 on these runs: no power.",
    ).own(),
    likely(
        "outer level along runs",
        sum_sigma_calF / sum_sigma,
        measured(theorems_5_6.OWN["outer"].form("own"), at=t - 1),
        on=(NC_OWN,),
        note="Slack 6e2 on these runs: no power.",
    ).own(),
    note=f"p = {P_OWN}, omega = {OMEGA_OWN}.",
)

OWN_RATE_FS = link(
    "own-nonconvex-fs-inner",
    "Sharper exponents of Theorem 6",
    "this project, from (25) and L1262",
    r"At $(p, \omega) = (1/3, 2/3)$ both levels decay like $t^{-1/3}$.",
    ("own-contraction", "lem-13", "lem-15"),
    program(nonconvex.exponents_finite_sum_own, Rational(-1, 3)),
    Inequality(
        "the first increment behind q, omega = 2/3",
        3 * log(x),
        sqrt(2) * x,
        {x: at_least(1)},
        note="log(q+1)^2 <= 2 (q+1)^(2/3) with x = (q+1)^(1/3): alpha_q counts as at most two later increments.",
    ).own(),
    Inequality(
        "indices of one period, first",
        (x + y) / (x + 1),
        2,
        {x: at_least(1), y: at_least(1)},
        given=(Le(y, x),),
        note="x = q, i + 1 = x + y <= 2 q.",
    ).own(),
    Inequality(
        "indices of one period, later",
        (x + y) / (x + 1),
        2,
        {x: at_least(1), y: at_least(1)},
        given=(Le(2 * y, x),),
        note="x = s_i >= 2 q, y = q, i + 1 <= x + y.",
    ).own(),
    Inequality(
        "what is left of the start, omega = 2/3",
        (x + 1) ** Rational(2, 3),
        x ** Rational(2, 3) + 1,
        positive(x),
        note="1 - (i+1)^-omega <= (i/(i+1))^omega.",
    ).own(),
    after_q(
        "along runs",
        G_next,
        measured(theorems_5_6.OWN_FS["inner"].form("own")),
        NC_FS_OWN,
        note="Slack 4e4 on these runs: no power.",
    ).own(),
    after_q(
        "outer level along runs",
        sum_beta_calF / sum_beta,
        measured(theorems_5_6.OWN_FS["outer"].form("own"), at=t - 1),
        NC_FS_OWN,
        note="Slack 7e5 on these runs: no power.",
    ).own(),
    note=f"p = {P_OWN_FS}, omega = {OMEGA_OWN_FS}.",
)

LEMMAS = (CONTRACTION, OWN_RATE, OWN_RATE_FS)

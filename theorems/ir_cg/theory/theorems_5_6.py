"""The records of Theorems 5 and 6 (non-convex F), and of this project's sharper rates."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Rational

from workbench import Case, Form, Theorem

from . import assumptions as a
from . import common, nonconvex
from . import constants as k
from .paper import PAPER

P_5, OMEGA_5 = Rational(2, 7), Rational(6, 7)  # L1013
P_6, OMEGA_6 = Rational(1, 2), Rational(3, 4)  # L1070
P_OWN, OMEGA_OWN = Rational(1, 5), Rational(4, 5)
P_OWN_FS, OMEGA_OWN_FS = Rational(1, 3), Rational(2, 3)
OWN_NOISE = "this project: almost surely bounded noise, explicit constant, dimension-free"


def _pair(
    key: str,
    title: str,
    forms: Mapping[str, tuple[Form, ...]],
    claimed: Rational,
    source: str,
    schedule: Mapping[str, Expr],
    assumes: tuple[Any, ...],
) -> dict[str, Theorem]:
    """The two levels of a non-convex theorem, under one schedule."""
    merit = r", $\mathcal{F}(x) = \max_{v \in X_{\mathrm{opt}}} \nabla F(x)^\top (x - v)$"
    metrics = {
        "outer": (r"weighted mean of $\mathcal{F}(x_i)$ over $i \le t$", merit),
        "inner": (r"$G(x_t) - G_{\mathrm{opt}}$", ""),
    }
    printed = rf"$O(t^{{{claimed}}} \log(d t^2/\delta))$"
    rate = printed if key.startswith("thm-") else rf"$O(t^{{{claimed}}})$ up to logarithms"
    return {
        level: common.theorem(
            key=PAPER.entry(f"{key}-{level}"),
            title=f"{title}, {level} level",
            statement=rf"With probability $1 - \delta$, for all $t$: {metric} is {rate}{where}.",
            source=source,
            metric=metric + where,
            assumes=assumes,
            forms=forms[level],
            cases=(Case("rate", {}, claimed, source),),
            schedule=schedule,
            generic={s: e for s, e in common.GENERIC.items() if s not in (k.p, k.omega)},
            notation={**common.NOTATION, **nonconvex.NOTATION},
        )
        for level, (metric, where) in metrics.items()
    }


THEOREM_5 = _pair(
    "thm-5",
    "IR-SCG, non-convex F",
    {
        "outer": (
            nonconvex.outer_5("printed", P_5, OMEGA_5, "L1053-1055"),
            nonconvex.outer_5("own", P_5, OMEGA_5, OWN_NOISE),
        ),
        "inner": (
            nonconvex.inner_5("printed", P_5, OMEGA_5, k.sup_F, "L1039-1040, with t + q read as t + 1"),
            nonconvex.inner_5(
                "repaired",
                P_5,
                OMEGA_5,
                k.sup_calF,
                "this project: L1039-1040 with the supremum of L1035",
                ("I8",),
            ),
            nonconvex.inner_own(P_5, OMEGA_5, f"{OWN_NOISE}, the contraction of (25) kept"),
        ),
    },
    Rational(-1, 7),
    "Theorem 5, L1011-1061",
    common.nonconvex_1(P_5, OMEGA_5),
    (*a.SMOOTH_SET, a.INNER_CONVEX, a.NOISE),
)

THEOREM_6 = _pair(
    "thm-6",
    "IR-FSCG, non-convex F",
    {
        "outer": (
            nonconvex.outer_6("printed", P_6, OMEGA_6, nonconvex.BETA_PRINTED, 1, "L1254-1258"),
            nonconvex.outer_6(
                "repaired",
                P_6,
                OMEGA_6,
                nonconvex.BETA_REPAIRED,
                2,
                "this project: L1254-1258 with D^2 of Lemma 15 and a correct lower bound on the sum of weights, from "
                "t = q on",
                ("I10", "I11", "I19"),
                k.q,
            ),
        ),
        "inner": (
            nonconvex.inner_6("printed", P_6, OMEGA_6, "L1235-1238"),
            nonconvex.inner_6(
                "repaired", P_6, OMEGA_6, "this project: L1235-1238 from t = q on", ("I19",), k.q
            ),
        ),
    },
    Rational(-1, 4),
    "Theorem 6, L1068-1264",
    common.nonconvex_2(P_6, OMEGA_6),
    (*a.SMOOTH_SET, a.INNER_CONVEX, a.FINITE_SUM),
)

OWN = _pair(
    "own-nonconvex",
    "IR-SCG, non-convex F, with the contraction kept (this project)",
    {
        "outer": (nonconvex.outer_5("own", P_OWN, OMEGA_OWN, OWN_NOISE),),
        "inner": (nonconvex.inner_own(P_OWN, OMEGA_OWN, f"{OWN_NOISE}, the contraction of (25) kept"),),
    },
    Rational(-1, 5),
    "this project, from (25), L986",
    common.nonconvex_1(P_OWN, OMEGA_OWN),
    (*a.SMOOTH_SET, a.INNER_CONVEX, a.NOISE),
)

# With omega = 2/3 the sums of Lemma 15 hold with the same constants: Pinelis' inequality gives 4 sqrt(2) for the 8.
OWN_FS = _pair(
    "own-nonconvex-fs",
    "IR-FSCG, non-convex F, with the contraction kept (this project)",
    {
        "outer": (
            nonconvex.outer_6(
                "own",
                P_OWN_FS,
                OMEGA_OWN_FS,
                nonconvex.BETA_REPAIRED,
                2,
                "this project: Lemma 15 at other exponents",
            ),
        ),
        "inner": (
            nonconvex.inner_own_finite(P_OWN_FS, OMEGA_OWN_FS, "this project, the contraction of (25) kept"),
        ),
    },
    Rational(-1, 3),
    "this project, from (25), L986",
    common.nonconvex_2(P_OWN_FS, OMEGA_OWN_FS),
    (*a.SMOOTH_SET, a.INNER_CONVEX, a.FINITE_SUM),
)

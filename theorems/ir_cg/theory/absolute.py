"""This project's corollary: the absolute outer gap, under a Hoelderian error bound of the inner level.

Figures 1 and 2 plot |F(z_t) - F_opt|, but the theorems bound F(z_t) - F_opt from above only. If
G(x) - G_opt >= (a/r) dist(x, X_opt)^r and F is M-Lipschitz on X, the projection of z_t onto X_opt gives
F(z_t) - F_opt >= -M (r (G(z_t) - G_opt)/a)^(1/r).
"""

from sympy import Integer, Rational

from workbench import Assumption, Case, Form
from workbench.theory import Max
from workbench.vocabulary import constant

from . import assumptions as a
from . import common, theorem_1
from . import constants as k
from .common import bound
from .paper import PAPER

HOELDER = (
    constant("hoelder_a", "a", "factor of the error bound of G"),
    constant("hoelder_r", "r", "exponent of the error bound of G, at least 1"),
)
hoelder_a, hoelder_r = (x.symbol for x in HOELDER)
ERROR_BOUND = Assumption(
    "error bound",
    r"$G(x) - G_{\mathrm{opt}} \ge (a/r) \operatorname{dist}(x, X_{\mathrm{opt}})^r$ on $X$, and $\|\nabla F\|$ is "
    r"bounded on $X$ by $\sup\|\nabla F\|$.",
    (hoelder_a, hoelder_r, k.sup_grad_F),
    "this project",
)


def _form() -> Form:
    inner, outer = theorem_1.INNER.form("own"), theorem_1.OUTER.form("own")
    below = k.sup_grad_F * (hoelder_r * inner.in_parameters() / hoelder_a) ** (1 / hoelder_r)
    return common.form("own", ((bound, Max(outer.in_parameters(), below)),), "this project, from Theorem 1")


QUADRATIC = {hoelder_r: Integer(2)}
THEOREM = common.theorem(
    key=PAPER.entry("own-absolute-gap"),
    title="IR-SCG, absolute outer gap under an error bound (this project)",
    method="ir_cg.ir_scg",
    statement=r"With probability $1 - \delta$, for $t \ge 1$: "
    r"$|F(z_t) - F_{\mathrm{opt}}| = O(t^{-\min(1/2 - p, p/r)})$ up to logarithms.",
    source="this project",
    metric=r"$|F(z_t) - F_{\mathrm{opt}}|$",
    assumes=(*a.SMOOTH_SET, a.CONVEX, a.NOISE, a.HALF_RANGE, ERROR_BOUND),
    forms=(_form(),),
    cases=(
        Case("r = 2, p = 1/4", {**QUADRATIC, k.p: Rational(1, 4)}, Rational(-1, 8), "this project: p/r"),
        Case(
            "r = 2, p = 1/3", {**QUADRATIC, k.p: Rational(1, 3)}, Rational(-1, 6), "this project: both meet"
        ),
        Case(
            "r = 1", {hoelder_r: Integer(1), k.p: Rational(1, 4)}, Rational(-1, 4), "this project: both meet"
        ),
    ),
    schedule=common.CONVEX_1,
    generic={**common.GENERIC, hoelder_a: Integer(1), hoelder_r: Integer(2)},
    notation={**common.NOTATION, **{x.symbol: x.latex for x in HOELDER}},
)

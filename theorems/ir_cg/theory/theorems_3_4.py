"""Theorems 3 and 4: almost sure convergence of the last iterate, without a rate. L906-950.

There is no bound to compute, so the records have no forms and no cases. What can be computed is whether a sequence
sigma_t obeys Conditions 1-4: `Regularization` holds a sequence and the limit L that Condition 2 asks for.
"""

from dataclasses import dataclass

from sympy import Expr, Integer, Symbol, log

from workbench import Theorem

from . import assumptions as a
from . import common
from . import constants as k
from .paper import PAPER

t = Symbol("t", nonnegative=True)


@dataclass(frozen=True, eq=False)
class Regularization:
    """sigma_t as a formula in t, and the limit L of t (sigma_t/sigma_(t+1) - 1) (Condition 2, L480)."""

    name: str
    sigma: Expr
    L: Expr


POWER = Regularization("power", k.varsigma * (t + 1) ** (-k.p), k.p)  # Theorems 1 and 2, for t >= q
LOGARITHM = Regularization("logarithm", 1 / log(t + 3), Integer(0))  # this project's: slower than every power


def _limit(number: int, algorithm: str, conditions: tuple[a.Assumption, ...], source: str) -> Theorem:
    return common.theorem(
        key=PAPER.entry(f"thm-{number}"),
        title=f"{algorithm}, last iterate",
        statement=r"Almost surely $F(x_t)$ tends to $F_{\mathrm{opt}}$ and $G(x_t)$ to $G_{\mathrm{opt}}$.",
        source=source,
        metric=r"$F(x_t) - F_{\mathrm{opt}}$ and $G(x_t) - G_{\mathrm{opt}}$",
        assumes=(*a.SMOOTH_SET, a.CONVEX, *conditions),
        probability=Integer(1),
        forms=(),
        cases=(),
        schedule=common.CONVEX_1 if number == 3 else common.CONVEX_2,
    )


THEOREM_3 = _limit(
    3, "IR-SCG", (a.NOISE, a.DECREASING, a.REGULAR, a.SLOW), "Theorem 3, L906-932, for any sigma_t as assumed"
)
THEOREM_4 = _limit(
    4,
    "IR-FSCG",
    (a.FINITE_SUM, a.DECREASING, a.REGULAR, a.HELD),
    "Theorem 4, L934-950, for any sigma_t as assumed",
)

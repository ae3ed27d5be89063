"""Remark 1 (L213): what an accuracy eps on both levels costs, in stochastic oracle calls.

Not a bound in t, so the records have no forms: the exponents follow from the rates of Theorems 1 and 2. Where both gaps
are O(t^-r), t = O(eps^(-1/r)) iterations bring them below eps, up to logarithms; r is the smaller of two rates that
pull p in opposite directions, so the best p is where they meet. The calls per iteration are counted by level: one
sample of IR-SCG; of IR-FSCG n every q iterations and S in between, which is 2 q - 1 on average for S = q = sqrt(n).
"""

from dataclasses import dataclass

from sympy import Expr, Integer, Rational, solve

from workbench import Theorem
from workbench.theory import Max

from . import common, theorem_1, theorem_2
from . import constants as k
from .paper import PAPER


@dataclass(frozen=True, eq=False)
class Cost:
    """outer, inner: whose rates decide. p, exponent: as printed, calls = O(eps^exponent).

    calls: per iteration and level, on average over a period.
    """

    theorem: Theorem
    outer: Theorem
    inner: Theorem
    p: Expr
    exponent: Expr
    calls: Expr

    def exponent_at(self, p: Expr) -> Expr:
        """Exponent of eps in the number of iterations, from the slower of the two rates at p."""
        return 1 / Max(*(level.case("rate").claimed.subs(k.p, p) for level in (self.outer, self.inner)))

    def best_p(self) -> Expr:
        """The p at which the two rates are equal."""
        outer, inner = (level.case("rate").claimed for level in (self.outer, self.inner))
        (p,) = solve(outer - inner, k.p)
        return p


def _remark(algorithm: str, title: str, statement: str, outer: Theorem) -> Theorem:
    return common.theorem(
        key=PAPER.entry(f"rem-1-{algorithm}"),
        title=title,
        statement=statement,
        source="Remark 1, L213",
        metric=r"oracle calls until both gaps are at most $\epsilon$",
        assumes=outer.assumes,
        forms=(),
        cases=(),
        schedule=outer.schedule,
        conditions=outer.conditions,
    )


ONE_SAMPLE = Cost(
    _remark(
        "ir-scg",
        "IR-SCG, oracle calls",
        r"With $p = 1/4$, both gaps are at most $\epsilon$ after $O(\epsilon^{-4})$ stochastic oracle calls, up to "
        "logarithms.",
        theorem_1.OUTER,
    ),
    theorem_1.OUTER,
    theorem_1.INNER,
    Rational(1, 4),
    Integer(-4),
    Integer(1),
)
FINITE_SUM = Cost(
    _remark(
        "ir-fscg",
        "IR-FSCG, oracle calls",
        r"With $p = 1/2$ and $S = q = \sqrt{n}$, both gaps are at most $\epsilon$ after $O(\sqrt{n} \epsilon^{-2})$ "
        "stochastic oracle calls, up to logarithms.",
        theorem_2.OUTER,
    ),
    theorem_2.OUTER,
    theorem_2.INNER,
    Rational(1, 2),
    Integer(-2),
    2 * k.q - 1,
)

"""Table 1 (L29-35) and the complexities quoted after Theorem 3 (L268), as data.

The table counts samples for E|grad F| <= eps on the problem with m lower levels, so a method of order eps^(-q) has
E|grad F|^2 of order N^(-2/q) after N samples.
"""

from dataclasses import dataclass

from sympy import Expr, Integer, Rational, Symbol

from workbench import vocabulary as v

from . import constants as k

eps, m, mu = k.accuracy, k.m, v.mu


@dataclass(frozen=True, eq=False)
class Row:
    """batch: size of a mini-batch, up to a factor. tasks: lower levels processed per iteration, up to a factor."""

    method: str
    batch: Expr
    loops: int
    samples: Expr
    tasks: Expr

    @property
    def order(self) -> Expr:
        """q of the order eps^(-q)."""
        return -self.samples.as_powers_dict()[eps]

    @property
    def slope(self) -> Expr:
        """Exponent of the number of samples in E|grad F|^2."""
        return -2 / self.order


TABLE_1 = (
    Row("RSVRB", Integer(1), 1, k.C_p / (m * eps**3), Integer(1)),
    Row("STABLE", Integer(1), 1, m / eps**4, m),
    Row("TTSA", Integer(1), 1, m / eps**5, m),
    Row("stocBiO", eps**-2, 2, m / eps**4, m),
    Row("BSA", Integer(1), 2, m / eps**6, m),
)

# Samples for E|x - x_*|^2 <= eps, of RE-RSVRB under gradient dominance, of the others under strong convexity, up to
# logarithms (TTSA).
GRADIENT_DOMINANT: dict[str, Expr] = {
    "RE-RSVRB": m / (mu**2 * eps),
    "STABLE": m / (mu**4 * eps),
    "TTSA": m / (mu**3 * eps ** Rational(3, 2)),
    "BSA": m / (mu**5 * eps**2),
}

COLUMNS: dict[str, Symbol] = {"accuracy": eps, "tasks": m, "C(p)": k.C_p, "gradient dominance": mu}

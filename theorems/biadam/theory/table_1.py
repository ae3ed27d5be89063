"""Table 1: samples that a method needs for E|grad F(x)| <= epsilon, O(epsilon^-power). L9, L49, L53, L119.

Of the table the text has the caption only (L9). The powers are those that the text states: of the others in its related
work (L119), of the paper's own methods after their theorems. Batch size, constraints and assumption codes of the other
rows are lost and left out.
"""

from dataclasses import dataclass

from sympy import Expr, Integer

from workbench import Theorem


@dataclass(frozen=True)
class Complexity:
    """One row. samples: the power of 1/epsilon. logarithm: stated up to logarithms."""

    method: str
    authors: str
    loops: str
    samples: Expr
    logarithm: bool
    batch: str
    source: str


SINGLE, DOUBLE = "single", "double"
TABLE_1 = (
    Complexity("BSA", "Ghadimi & Wang 2018", DOUBLE, Integer(6), False, "", "L119"),
    Complexity("stocBiO", "Ji et al. 2021", DOUBLE, Integer(4), False, "large", "L119"),
    Complexity("TTSA", "Hong et al. 2020", SINGLE, Integer(5), False, "not large", "L119"),
    Complexity("SUSTAIN", "Khanduri et al. 2021", SINGLE, Integer(3), False, "", "L119"),
    Complexity("SVRB", "Guo & Yang 2021", SINGLE, Integer(3), False, "", "L119"),
    Complexity("MRBO", "Yang et al. 2021", SINGLE, Integer(3), False, "", "L119"),
    Complexity("BiAdam", "this paper", SINGLE, Integer(4), True, "not large", "L49, Remark 1"),
    Complexity("VR-BiAdam", "this paper", SINGLE, Integer(3), True, "not large", "L53, Remark 2"),
)


def samples(theorem: Theorem, case: str = "rate", form: str = "printed") -> Expr:
    """The power of 1/epsilon that the theorem's bound gives: (K + 2) T samples, with K of order log T."""
    return -1 / theorem.exponent(case, form)

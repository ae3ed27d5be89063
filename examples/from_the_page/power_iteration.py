"""Power iteration: the squared tangent to the leading eigenvector falls by (lambda_2/lambda_1)^2 in each step.

Eigenvalues 2, 1 and 1/2: the factor is 1/4. False versions: 1/5, and the constant of one eigenvector alone.
"""

from fractions import Fraction

import workbench as wb

VALUES = (Fraction(2), Fraction(1), Fraction(1, 2))
STUDY = wb.Study(__name__, "Power iteration")


def tangent(T):
    x = [Fraction(1)] * 3
    while True:
        yield (x[1] ** 2 + x[2] ** 2) / x[0] ** 2
        x = [a * z for a, z in zip(VALUES, x, strict=True)]


CURVE = STUDY.reading("factor", STUDY.exact_curve(tangent, horizon=60, metric="tangent^2"))
CLAIMS = (
    CURVE.geometric(factor=1 / 4),
    CURVE.geometric(factor=1 / 5, or_faster=True, refutes="false version: the factor is 1/5"),
    CURVE.at_most(lambda T: 8 * Fraction(1, 4) ** T, "8/4^T"),
    CURVE.at_most(
        lambda T: 4 * Fraction(1, 4) ** T, "4/4^T", refutes="false version: without the third eigenvector"
    ),
)

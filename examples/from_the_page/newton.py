"""Newton's method for sqrt 2: x_k^2 - 2 is at most 2^(-2^k): the number of digits doubles, and does not triple."""

from fractions import Fraction

import workbench as wb

STUDY = wb.Study(__name__, "Newton's method for sqrt 2")


def error(T):
    x = Fraction(3, 2)
    while True:
        yield x * x - 2
        x = (x + 2 / x) / 2


CURVE = STUDY.reading("digits", STUDY.exact_curve(error, horizon=10, metric="x^2 - 2"))
CLAIMS = (
    CURVE.at_most(lambda T: Fraction(1, 2 ** (2**T)), "2^-2^k"),
    CURVE.at_most(lambda T: Fraction(1, 2 ** (3**T)), "2^-3^k", refutes="false version: of third order"),
)

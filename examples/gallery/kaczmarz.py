"""Randomized Kaczmarz: E|x_t - x*|^2 <= (1 - lambda)^t |x_0 - x*|^2, lambda the least eigenvalue of the mean of a a'.

Source: Strohmer, Vershynin, "A Randomized Kaczmarz Algorithm with Exponential Convergence", J. Fourier Anal. Appl. 15
(2009), Theorem 2. Two unit rows, (1, 0) and (3/5, 4/5), drawn uniformly; x - x* is projected onto the complement of
the row. The mean of a a' has eigenvalues 4/5 and 1/5, so that the bound is (4/5)^t.

Level, derived here: from the second projection on |x - x*|^2 is kept if the row is drawn again, else multiplied by
cos^2 = 9/25; its mean falls by 17/25 per step. The recursion of E e e' is computed in fractions. Near misses: the
factor 1 % off, a factor 0.67 as upper bound, relaxed steps.
"""

from fractions import Fraction

import workbench as wb

ROWS = ((Fraction(1), Fraction(0)), (Fraction(3, 5), Fraction(4, 5)))
STUDY = wb.Study(__name__, "Randomized Kaczmarz")


def projected(m, row, relaxed):
    """(1, 1), (1, 2) and (2, 2) of P M P for P = I - relaxed a a'."""
    a, b = row
    p, q, s = 1 - relaxed * a * a, -relaxed * a * b, 1 - relaxed * b * b
    u, v, w = m
    return (
        p * p * u + 2 * p * q * v + q * q * w,
        p * q * u + (p * s + q * q) * v + q * s * w,
        q * q * u + 2 * q * s * v + s * s * w,
    )


def error(relaxed):
    def values(T):
        m = (Fraction(0), Fraction(0), Fraction(1))
        while True:
            yield m[0] + m[2]
            both = [projected(m, row, relaxed) for row in ROWS]
            m = tuple((x + y) / 2 for x, y in zip(*both, strict=True))

    return values


FULL = STUDY.exact_curve(error(Fraction(1)), horizon=120, name="full", metric="E|x - x*|^2")
HALF = STUDY.exact_curve(
    error(Fraction(1, 2)), horizon=120, name="half", metric="E|x - x*|^2", wrong="half steps"
)
CURVE = STUDY.reading("thm-2", FULL)
CLAIMS = (
    CURVE.at_most(lambda T: Fraction(4, 5) ** (T - 1), "(4/5)^(T - 1)"),
    CURVE.geometric(factor=17 / 25),
    CURVE.geometric(factor=0.99 * 17 / 25).caught(),
    CURVE.geometric(factor=0.67, or_faster=True, tag="upper").caught(),
    CURVE.at_most(lambda T: Fraction(2, 3) ** (T - 1), "(2/3)^(T - 1)").caught(),
    STUDY.reading("thm-2", HALF).geometric(factor=17 / 25, or_faster=True).caught(),
)

"""Polyak's step (f - f*)/|g|^2: the best f - f* of T iterates is at most G R/sqrt T, and no better.

Sources: Polyak, "Minimization of Unsmooth Functionals", USSR Comput. Math. Math. Phys. 9 (1969); Hazan, Kakade,
"Revisiting the Polyak step size" (2019, arXiv 1905.00313), Theorem 1. From memory.

Worst function for each T, run here in fractions: f(x) = max |x_j| in T coordinates from x_j = 1, so that G = 1, R^2 =
T. A step sets one coordinate to 0, and all T iterates have f = 1. So (f/(G R))^2 = 1/T: the bound, squared, is
attained. Near misses: the exponent, two thirds of the bound, and twice the step, which turns coordinates over.
"""

from fractions import Fraction

import workbench as wb

v = wb.vocabulary
STUDY = wb.Study(__name__, "Polyak step")


def best(times, share=1):
    """(min f/(G R))^2 over ``times`` T iterates in T coordinates. share: of Polyak's step."""

    def value(T):
        x = [Fraction(1)] * T
        least = Fraction(1)
        for t in range(times * T - 1):
            j = max(range(t, t + T), key=lambda i: abs(x[i % T])) % T  # the largest, looked for from t on
            x[j] -= share * x[j]  # the subgradient is the sign of x_j
            least = min(least, max(map(abs, x)))
        return least**2 / T

    return value


SIZES = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192]
POLYAK = STUDY.exact_curve(best(1), at=SIZES, name="polyak", metric="square", title="Polyak step")
DOUBLE = STUDY.exact_curve(
    best(4, 2),
    at=SIZES,
    name="double",
    metric="square",
    title="Twice the step, 4 T iterates",
    wrong="twice the step",
)
CURVE, TWICE = (STUDY.reading("thm-1", sim, claimed=-1) for sim in (POLYAK, DOUBLE))
CLAIMS = (
    CURVE.at_most(1 / v.T, "1/T"),
    CURVE.equals(1 / v.T, "1/T"),
    CURVE.tight(),
    CURVE.caught(claimed=-1.1),
    CURVE.at_most(4 / (9 * v.T), "(2/3)^2 of it").caught(),
    TWICE.at_most(1 / (4 * v.T), "1/(4 T)").caught(),
)

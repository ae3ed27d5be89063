"""Random coordinate descent: E f(x_k) - f* <= (1 - sigma/n)^k (f(x_0) - f*) for coordinates drawn uniformly.

Source: Nesterov, "Efficiency of Coordinate Descent Methods on Huge-Scale Optimization Problems", SIAM J. Optim. 22
(2012), Theorem 2; from memory. Each coordinate has curvature 1, sigma is the strong convexity. f = x'A x/2 in n = 3
coordinates with A_ij = 1/2 off the diagonal: sigma = 1/2, bound (5/6)^k; separable f (A = I): sigma = 1, bound (2/3)^k.

Moments, derived here, in fractions: a step sets the gradient's drawn entry to 0, x <- (I - e_i e_i'A) x, and E x x' is
the mean over i of P M P'. For A = I every step removes a third of the mean: the bound is attained. Near misses: the
factor 1 % off, a bound with n + 1 in place of n, steps of half the length.
"""

from fractions import Fraction

import numpy as np

import workbench as wb

N = 3
STUDY = wb.Study(__name__, "Random coordinate descent")


def gap(correlation, share=Fraction(1)):
    """E f - f* at T = k + 1 from the eigenvector of the least eigenvalue. share: of the step."""
    A = np.array([[Fraction(1) if i == j else correlation for j in range(N)] for i in range(N)])
    maps = [
        np.array(
            [[Fraction(int(r == c)) - share * int(r == i) * A[i, c] for c in range(N)] for r in range(N)]
        )
        for i in range(N)
    ]

    def values(T):
        x = np.array([Fraction(1), Fraction(-1), Fraction(0)])
        moments = np.outer(x, x)
        while True:
            yield np.trace(A @ moments) / 2
            moments = sum(P @ moments @ P.T for P in maps) / Fraction(N)

    return values


def curve(name, title, *given, **more):
    sim = STUDY.exact_curve(gap(*given), horizon=150, name=name, title=title, metric="gap", **more)
    return STUDY.reading("thm-2", sim)


HALF, SEPARABLE = (
    curve("half", "Correlation 1/2", Fraction(1, 2)),
    curve("separable", "Separable", Fraction(0)),
)
SHORT = curve("short", "Half steps", Fraction(0), Fraction(1, 2), wrong="half steps")
START = Fraction(1, 2), Fraction(1)  # of both functions at (1, -1, 0)
CLAIMS = (
    HALF.at_most(lambda T: START[0] * Fraction(5, 6) ** (T - 1), "(5/6)^k"),
    SEPARABLE.at_most(lambda T: START[1] * Fraction(2, 3) ** (T - 1), "(2/3)^k"),
    SEPARABLE.equals(lambda T: START[1] * Fraction(2, 3) ** (T - 1), "(2/3)^k"),
    SEPARABLE.geometric(factor=2 / 3),
    SEPARABLE.geometric(factor=0.99 * 2 / 3).caught(),
    SHORT.at_most(lambda T: START[1] * Fraction(2, 3) ** (T - 1), "(2/3)^k").caught(),
    HALF.at_most(lambda T: START[0] * Fraction(2, 3) ** (T - 1), "(2/3)^k").caught(),
)

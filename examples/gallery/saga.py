"""SAGA: E|x_k - x*|^2 <= (1 - mu/(2 (mu n + L)))^k times a constant of the start.

Source: Defazio, Bach, Lacoste-Julien, "SAGA: A Fast Incremental Gradient Method With Support for Non-Strongly Convex
Composite Objectives", NIPS 2014, Theorem 1 and Corollary 1, step 1/(2 (mu n + L)). From memory. f_i = a_i (x -
b_i)^2/2, a = 1/2, 1, 3/2 as curvatures; mu = 1/2, L = 3/2 of the components, table filled at x_0 = 1, so that the
constant is 1 + (n/(mu n + L)) (f(x_0) - f*) = 3/2.

Moments, derived here, in fractions: distance and table entries to x* obey a random linear map, drawn uniformly from n;
the matrix of their second moments is the mean of A M A'. Near misses: the factor 1 % off, a table that is never
updated.
"""

from fractions import Fraction

import numpy as np

import workbench as wb

A = np.array([Fraction(1, 2), Fraction(1), Fraction(3, 2)])
N, MU, L = len(A), min(A), max(A)
ETA = 1 / (2 * (MU * N + L))
STUDY = wb.Study(__name__, "SAGA")


def steps(updated):
    """The maps of (x - x*, table - x*): one for each component that may be drawn."""
    for j in range(N):
        new = np.array([[Fraction(int(r == c)) for c in range(N + 1)] for r in range(N + 1)])
        new[0, 0] -= ETA * A[j]
        new[0, j + 1] += ETA * A[j]
        new[0, 1:] -= ETA * A / N
        if updated:
            new[j + 1] = [Fraction(int(c == 0)) for c in range(N + 1)]
        yield new


def square(updated):
    def values(T):
        moments = np.full((N + 1, N + 1), Fraction(1))
        while True:
            yield moments[0, 0]
            moments = sum(step @ moments @ step.T for step in steps(updated)) / Fraction(N)

    return values


SAGA = STUDY.exact_curve(square(True), horizon=240, name="saga", metric="E|x - x*|^2")
STALE = STUDY.exact_curve(
    square(False), horizon=240, name="stale", metric="E|x - x*|^2", title="First table", wrong="first table"
)
CURVE = STUDY.reading("thm-1", SAGA)
MATRIX = sum(np.kron(step, step) for step in steps(True)).astype(float) / N
FACTOR = max(abs(np.linalg.eigvals(MATRIX)))  # of the second moments, per step
CLAIMS = (
    CURVE.at_most(lambda T: Fraction(3, 2) * (1 - MU * ETA) ** (T - 1), "(3/2) (11/12)^k"),
    CURVE.geometric(factor=FACTOR),
    CURVE.geometric(factor=0.99 * FACTOR).caught(),
    STUDY.reading("thm-1", STALE).geometric(factor=float(1 - MU * ETA), or_faster=True).caught(),
)

"""SVRG: E f(w_s) - f* <= alpha^s (f(w_0) - f*), alpha = 1/(gamma eta (1 - 2 L eta) m) + 2 L eta/(1 - 2 L eta).

Source: Johnson, Zhang, "Accelerating Stochastic Gradient Descent using Predictive Variance Reduction", NIPS 2013,
Theorem 1 (Option II: the next snapshot is a uniform one of m inner iterates). From memory. f_i = a_i (x - b_i)^2/2
with a = 1/2, 3/2, so that L = 3/2, gamma = 1; eta = 1/10, m = 50: alpha = 5/7.

Moments, derived here, in fractions: an inner step is e <- (1 - eta a_i) e - eta (1 - a_i) w for the distances e and w
of iterate and snapshot, whatever the b_i; so E e^2, E e w follow from the means over i, and an epoch multiplies E w^2
by a fraction. Near misses: the factor 1 % off, another bound, a snapshot that is never taken anew.
"""

from fractions import Fraction

import workbench as wb

A, ETA, M = (Fraction(1, 2), Fraction(3, 2)), Fraction(1, 10), 50
ALPHA = 1 / (ETA * (1 - 3 * ETA) * M) + 3 * ETA / (1 - 3 * ETA)
STUDY = wb.Study(__name__, "SVRG")


def mean(numbers):
    return sum(numbers) / Fraction(len(A))


def inner(square, cross, snapshot):
    """E e^2 and E e w after one inner step; snapshot: E w^2."""
    keep, take = [1 - ETA * a for a in A], [-ETA * (1 - a) for a in A]
    both = mean(k * q for k, q in zip(keep, take, strict=True))
    return (
        mean(k * k for k in keep) * square + 2 * both * cross + mean(q * q for q in take) * snapshot,
        mean(keep) * cross + mean(take) * snapshot,
    )


def gap(T):
    """E f(w_s) - f*, relative to the first, at T = s + 1."""
    square = cross = total = Fraction(1)
    for _ in range(M - 1):
        square, cross = inner(square, cross, Fraction(1))
        total += square
    return ((total / M) ** s for s in range(T))


def stale(T):
    """The same at T = k + 1 inner steps behind one snapshot."""
    square = cross = Fraction(1)
    while True:
        yield square
        square, cross = inner(square, cross, Fraction(1))


SVRG = STUDY.exact_curve(gap, horizon=60, name="svrg", metric="gap")
STALE = STUDY.exact_curve(
    stale, horizon=400, name="stale", metric="gap", title="One snapshot", wrong="one snapshot"
)
CURVE, FACTOR = STUDY.reading("thm-1", SVRG), next(x for s, x in enumerate(gap(2)) if s)
CLAIMS = (
    CURVE.at_most(lambda T: ALPHA ** (T - 1), "(5/7)^s"),
    CURVE.geometric(factor=float(FACTOR)),
    CURVE.geometric(factor=0.99 * float(FACTOR)).caught(),
    CURVE.at_most(lambda T: Fraction(1, 9) ** (T - 1), "9^-s").caught(),
    STUDY.reading("thm-1", STALE).geometric(factor=0.9, or_faster=True).caught(),
)

"""Randomized gossip: E|x_k - mean|^2 <= lambda_2^k |x_0 - mean|^2, lambda_2 of the mean of the averaging matrices.

Source: Boyd, Ghosh, Prabhakar, Shah, "Randomized Gossip Algorithms", IEEE Trans. Inf. Theory 52 (2006), Theorem 3 and
its proof; from memory. In each step an edge of the graph, drawn uniformly, averages the numbers of its two ends.

Moments, derived here, in fractions: the averaging matrix W is a projection, E x x' is the mean of W M W. On the
complete graph of 5 all directions are alike: the factor is exactly 1 - 1/(n - 1) = 3/4. On a ring of n edges 1 -
lambda_2 = (1 - cos(2 pi/n))/n, so that the time grows like n^3/(2 pi^2). Near misses: the factor 1 % off, n^2.9, the
bound of the complete graph on a path.
"""

from fractions import Fraction
from itertools import combinations
from math import pi

import numpy as np

import workbench as wb

STUDY = wb.Study(__name__, "Randomized gossip")
COMPLETE, PATH = list(combinations(range(5), 2)), [(i, i + 1) for i in range(4)]


def average(i, j):
    """The matrix that puts the mean of x_i and x_j in both places."""
    W = np.array([[Fraction(int(r == c)) for c in range(5)] for r in range(5)])
    W[np.ix_([i, j], [i, j])] = Fraction(1, 2)
    return W


def spread(edges):
    """E|x_k - mean|^2 at T = k + 1 from one number apart."""
    maps = [average(i, j) for i, j in edges]

    def values(T):
        x = np.array([Fraction(int(i == 0)) - Fraction(1, 5) for i in range(5)])
        moments = np.outer(x, x)
        while True:
            yield np.trace(moments)
            moments = sum(W @ moments @ W for W in maps) / Fraction(len(maps))

    return values


def time_on_ring(n):
    """1/(1 - lambda_2), from the mean matrix itself: each number is averaged with either neighbour once in n steps."""
    right = np.roll(np.eye(n), 1, axis=0)
    mean = (1 - 1 / n) * np.eye(n) + (right + right.T) / (2 * n)
    return 1 / (1 - np.sort(np.linalg.eigvalsh(mean))[-2])


FULL = STUDY.exact_curve(
    spread(COMPLETE), horizon=100, name="complete", metric="spread", title="Complete graph"
)
LINE = STUDY.exact_curve(spread(PATH), horizon=100, name="path", metric="spread", title="Path")
RING = STUDY.exact_curve(
    time_on_ring, at=[round(2 ** (k / 2)) for k in range(6, 18)], name="ring", metric="time", title="Ring"
)
CURVE, IN_N = STUDY.reading("thm-3", FULL), STUDY.reading("time", RING, claimed=3)
CLAIMS = (
    CURVE.equals(lambda T: Fraction(4, 5) * Fraction(3, 4) ** (T - 1), "(3/4)^k"),
    CURVE.geometric(factor=3 / 4),
    CURVE.geometric(factor=0.99 * 3 / 4).caught(),
    STUDY.reading("thm-3", LINE).geometric(factor=3 / 4, or_faster=True).caught(),
    IN_N.tight(),
    IN_N.level(lambda T, **_: T**3 / (2 * pi**2), "n^3/(2 pi^2)"),
    IN_N.caught(claimed=2.9),
)

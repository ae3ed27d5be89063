"""Bilevel by unrolling N inner steps: the error does not vanish, and is of order kappa^2, not kappa^3.

Sources: Ji, Liu, Liang, Ying, NeurIPS 2022 (arXiv 2205.14224); a submission to ICLR 2026 (OpenReview HDqO1nHLmd)
lowers its bound from kappa^3 to kappa^2. First instance: g = (y - x)^2/2, f = ((x - 1)^2 + (y + 1)^2)/2, inner step
1/2, warm start, outer step 1/4: the method stops at x = 1/(2^(N + 1) - 1), the solution is 0. Second: g = mu y^2/2 - x
y (mu = 1/kappa), f = x^2/2 + y, inner step 1, N = 1: it stops where the hypergradient is kappa (1 - 1/kappa).

Why: the derivative through N steps is (1 - (1 - s mu)^N) of that of y*. Fooled: with N = 10 the error is 0.0005, and
the gradient that the method sees goes to 0. Derived here; all in fractions.
"""

from fractions import Fraction

import workbench as wb

FALSE = (
    "older analyses and practice: with warm start a fixed number of inner steps suffices, the error vanishes"
)
STUDY = wb.Study(__name__, "Unrolling")


def outer(T, N):
    """|x| of the first instance; N inner steps, and the gradient through these alone."""
    x, y = Fraction(1), Fraction(0)
    while True:
        yield abs(x)
        for _ in range(N):
            y += (x - y) / 2
        through = 1 - Fraction(1, 2**N)  # dy/dx of the N steps
        x = rounded(x - Fraction(1, 4) * ((x - 1) + through * (y + 1)))
        y = rounded(y)


def rounded(z):
    """To 60 binary digits, so that the fractions do not grow for ever."""
    return Fraction(round(z * 2**60), 2**60)


def error(kappa):
    """The squared hypergradient where the second instance stops, N = 1: one step of the method does not move it."""
    mu = Fraction(1, kappa)
    through = Fraction(1)  # dy/dx of one step y <- y - (mu y - x)
    x = -through
    y = x / mu
    assert (y - (mu * y - x), x + through) == (y, 0)
    return (x + 1 / mu) ** 2


STOPS = STUDY.exact_curve(outer, horizon=400, grid={"N": [1, 2, 5]}, name="stops", metric="distance")
ONE, TWO, FIVE = (STUDY.reading("distance", STOPS, N=n) for n in (1, 2, 5))
IN_KAPPA = STUDY.exact_curve(
    error, at=[2**j for j in range(6, 21)], name="kappa", metric="squared_hypergradient"
)
SQUARE = STUDY.reading("kappa", IN_KAPPA, claimed=2)
CLAIMS = (
    *(r.limit(to=0, within=1e-4, refutes=FALSE) for r in (ONE, TWO, FIVE)),
    *(r.limit(to=1 / (2 ** (n + 1) - 1), tag="stops") for n, r in ((1, ONE), (2, TWO), (5, FIVE))),
    SQUARE.equals((wb.vocabulary.T - 1) ** 2, "(kappa - 1)^2"),
    SQUARE.tight(),
    SQUARE.caught(claimed=1),
)

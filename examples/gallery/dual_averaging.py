"""Regularized dual averaging: regret (1/(2 sigma)) (1 + log T) for strongly convex regularizers, O(G^2 log T/sigma).

Sources: Xiao, "Dual Averaging Methods for Regularized Stochastic Learning and Online Optimization", JMLR 11 (2010),
Theorem 1 and Section 3.2 (regret of order log T); Nesterov, Math. Program. 120 (2009). From memory. Losses g_t x +
x^2/2 (sigma = 1) with fair signs g_t; x_(t+1) minimizes the average loss so far: x_(t+1) = -(g_1 + ... + g_t)/t.

Level, derived here: E x_t^2 = 1/(t - 1) and E g_t x_t = 0, while the best fixed point has -E S_T^2/(2 T) = -1/2; the
mean regret is (1 + H_(T-1))/2, in fractions below. Near misses: bounded, two logarithms, T^0.1, two thirds of it, and
averages with half the regularizer, x = -2 S/t, whose regret grows four times as fast.
"""

from fractions import Fraction

import workbench as wb

STUDY = wb.Study(__name__, "Dual averaging")


def regret(scale):
    """The mean regret at T = 1, 2, ... of x_(t+1) = -scale S_t/t."""

    def values(T):
        total = Fraction(1, 2)
        for t in range(1, T + 1):
            yield total
            total += Fraction(scale * scale, 2 * t)

    return values


def longer(T):
    """The same in floating point, over a longer horizon."""
    total = 0.5
    for t in range(1, T + 1):
        yield total
        total += 1 / (2 * t)


EXACT = STUDY.exact_curve(regret(1), horizon=400, name="exact", metric="regret")
WIDE = STUDY.exact_curve(
    regret(2),
    horizon=400,
    name="wide",
    metric="regret",
    title="Half the regularizer",
    wrong="half the regularizer",
)
LONG = STUDY.exact_curve(longer, horizon=100_000, name="long", metric="regret")
CURVE, FAR, WRONG = (STUDY.reading("thm-1", sim) for sim in (EXACT, LONG, WIDE))


def bound(T):
    """(1 + H_(T-1))/2"""
    return sum((Fraction(1, t) for t in range(1, T)), Fraction(1)) / 2


CLAIMS = (
    CURVE.equals(bound, "(1 + H_(T-1))/2"),
    FAR.logarithmic(power=0, logs=1),
    FAR.diverges(),
    FAR.bounded().caught(),
    FAR.logarithmic(power=0, logs=2).caught(),
    FAR.logarithmic(power=0.1, logs=1).caught(),
    CURVE.at_most(lambda T: bound(T) * Fraction(2, 3), "two thirds of it").caught(),
    WRONG.at_most(bound, "(1 + H_(T-1))/2").caught(),
)

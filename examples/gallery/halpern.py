"""Halpern iteration: |x_k - T x_k| <= 2 |x_0 - x*|/(k + 1) for every nonexpansive T, and no better.

Source: Lieder, "On the Convergence Rate of the Halpern-Iteration", Optim. Lett. 15 (2021), Theorem 2.1. x_(k+1) =
x_0/(k + 2) + (1 - 1/(k + 2)) T x_k. T = -1 on the line, x_0 = 1; in fractions.

Level, derived here: (k + 2) x_(k+1) = 1 - (k + 1) x_k, so that (k + 1) x_k is 1, 0, 1, 0, ...: the bound is attained
at every even k. Near misses: the constant 1.5 times smaller, the exponent off by 0.1, a logarithm; and the plain
iteration x <- T x, which goes to and fro.
"""

from fractions import Fraction

import workbench as wb

v = wb.vocabulary
STUDY = wb.Study(__name__, "Halpern iteration")


def residual(anchored):
    """|x_k - T x_k| at T = k + 1 = 1, 2, ..."""

    def values(T):
        x = Fraction(1)
        for k in range(T):
            yield abs(2 * x)
            weight = Fraction(anchored, k + 2)
            x = weight - (1 - weight) * x

    return values


HALPERN = STUDY.exact_curve(residual(1), horizon=4001, name="halpern", metric="residual")
PLAIN = STUDY.exact_curve(residual(0), horizon=4001, name="plain", metric="residual", wrong="no anchor")
ALL = STUDY.reading("thm-2.1", HALPERN, claimed=-1)
EVEN = STUDY.reading("thm-2.1", HALPERN, claimed=-1, view=wb.iterates(first=2, period=2), since=0.1)
CLAIMS = (
    ALL.at_most(2 / v.T, "2/(k + 1)"),
    ALL.at_most(4 / (3 * v.T), "two thirds of it").caught(),
    EVEN.rate(),
    EVEN.tight(),
    EVEN.caught(claimed=-1.1, since=None),
    EVEN.logarithmic(power=-1, logs=1).caught(),
    STUDY.reading("thm-2.1", PLAIN, claimed=-1).caught(),
)

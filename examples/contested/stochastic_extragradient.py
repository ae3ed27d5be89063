"""Stochastic extragradient on bilinear games with independent samples: the mean square grows, whatever the steps.

Sources: Chavdarova, Gidel, Fleuret, Lacoste-Julien, NeurIPS 2019 (arXiv 1904.08598); Hsieh et al., NeurIPS 2020 (arXiv
2003.10162). Game E[a] x y, a in {3, 0, 0}, drawn afresh for both half steps, eta = 1/10. What the deterministic method
has, a contraction by 1 - eta^2 + eta^4 = 0.9901, does not hold up to noise (which vanishes at the solution).

Why: |z|^2 is multiplied by (1 - eta^2 a_1 a_2)^2 + eta^2 a_2^2, of mean 1 + eta^2 + 9 eta^4 > 1. With the same sample
(Mishchenko et al., arXiv 1905.11373) it is 1 - 3 eta^2 + 27 eta^4 = 0.9727. Both are computed here in fractions, from
all outcomes. Fooled: with a in {2, 0} and eta = 0.03 the factor is 1 + 3.2e-6, unseen for 10^5 steps, and the mean is
carried by rare runs, which a few thousand do not contain.
"""

from fractions import Fraction
from itertools import product

import workbench as wb

FALSE = "folklore: with independent samples extragradient contracts by 1 - eta^2 + eta^4 up to noise"
ETA, OUTCOMES = Fraction(1, 10), (3, 0, 0)
STUDY = wb.Study(__name__, "Stochastic extragradient")


def multiplier(pairs):
    """The mean of what |z|^2 is multiplied by, over equally likely (a_1, a_2)."""
    factors = [(1 - ETA**2 * a * b) ** 2 + ETA**2 * b**2 for a, b in pairs]
    return Fraction(sum(factors), len(factors))


def mean_square(pairs):
    def values(T):
        square, by = Fraction(1), multiplier(pairs)
        while True:
            yield square
            square *= by

    return values


INDEPENDENT = list(product(OUTCOMES, OUTCOMES))
SAME = [(a, a) for a in OUTCOMES]
APART = STUDY.exact_curve(
    mean_square(INDEPENDENT), horizon=500, name="independent", metric="E|z|^2", title="Independent samples"
)
AS_ONE = STUDY.exact_curve(mean_square(SAME), horizon=500, name="same", metric="E|z|^2", title="Same sample")
GROWS, FALLS = (STUDY.reading("mean-square", curve) for curve in (APART, AS_ONE))
EXACT_FACTOR = 1 + ETA**2 + 9 * ETA**4
CLAIMS = (
    GROWS.geometric(factor=0.9901, or_faster=True, refutes=FALSE),
    GROWS.diverges(),
    GROWS.equals(lambda T: EXACT_FACTOR ** (T - 1), "(1 + eta^2 + 9 eta^4)^(T - 1)"),
    FALLS.geometric(factor=0.9727),
    FALLS.geometric(factor=0.963).caught(),
)

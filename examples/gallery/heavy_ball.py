"""Heavy ball on quadratics: the factor (sqrt kappa - 1)/(sqrt kappa + 1) per step, the best of all, up to a factor k.

Source: Polyak, "Some Methods of Speeding up the Convergence of Iteration Methods", USSR Comput. Math. Math. Phys. 4
(1964), Theorem 9; from memory. x_(k+1) = x_k - alpha grad f(x_k) + beta (x_k - x_(k-1)), alpha = 4/(sqrt L + sqrt
mu)^2, beta the square of the factor. L = 9, mu = 1: alpha = 1/4, beta = 1/4, factor 1/2; in fractions.

Level, derived here: on both eigenvalues the roots coincide; from rest the coordinates are (k + 1)/2 and (3 k - 1)/2
times (+-1/2)^(k - 1). So |x_k|^2 is not of order 4^-k: it has a factor k^2. Near misses: the factor 5 % off, the level
without k^2, plain descent with its best step, whose factor is 4/5.
"""

from fractions import Fraction

import workbench as wb

STUDY = wb.Study(__name__, "Heavy ball")


def squares(alpha, beta, power=0):
    """|x_k|^2/k^power at T = k on the eigenvalues 1 and 9, from rest."""

    def values(T):
        x = old = (Fraction(1), Fraction(1))
        for k in range(1, T + 1):
            yield sum(a * a for a in x) / k**power
            new = tuple(a - alpha * h * a + beta * (a - b) for h, a, b in zip((1, 9), x, old, strict=True))
            x, old = new, x

    return values


BALL = STUDY.exact_curve(squares(Fraction(1, 4), Fraction(1, 4)), horizon=400, name="ball", metric="|x|^2")
OVER = STUDY.exact_curve(
    squares(Fraction(1, 4), Fraction(1, 4), 2), horizon=400, name="over", metric="|x|^2/k^2", title="Over k^2"
)
PLAIN = STUDY.exact_curve(
    squares(Fraction(1, 5), 0),
    horizon=400,
    name="plain",
    metric="|x|^2",
    title="Descent",
    wrong="no momentum",
)
CURVE, RATIO, DESCENT = (STUDY.reading("thm-9", sim) for sim in (BALL, OVER, PLAIN))
CLAIMS = (
    CURVE.equals(lambda T: Fraction((T + 1) ** 2 + (3 * T - 1) ** 2, 4**T), "((k + 1)^2 + (3 k - 1)^2)/4^k"),
    RATIO.geometric(factor=1 / 4),
    RATIO.geometric(factor=0.95 / 4).caught(),
    CURVE.at_most(lambda T: Fraction(2, 4 ** (T - 1)), "2/4^(k - 1)").caught(),
    DESCENT.geometric(factor=16 / 25),
    DESCENT.geometric(factor=1 / 4, or_faster=True).caught(),
)

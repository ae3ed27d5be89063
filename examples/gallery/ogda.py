"""Optimistic gradient descent-ascent: linear convergence on a bilinear game, where descent-ascent diverges.

Source: Daskalakis, Ilyas, Syrgkanis, Zeng, "Training GANs with Optimism", ICLR 2018 (arXiv 1711.00141), Theorem 1
(last iterate); linear rates: Mokhtari, Ozdaglar, Pattathil, AISTATS 2020, Theorem 3. z <- z - 2 eta F(z) + eta
F(z_prev), F(x, y) = (y, -x), eta = 3/10, in fractions.

Level, derived here: on x + iy the method is z <- (1 + 2 i eta) z - i eta z_prev; the larger root of its equation has
the modulus 0.9449. Near misses: the factor 1 % off, gradient descent-ascent (the optimism left out), which multiplies
|z|^2 by 1 + eta^2 in every step.
"""

from cmath import sqrt
from fractions import Fraction

import workbench as wb

ETA = Fraction(3, 10)
STUDY = wb.Study(__name__, "Optimistic gradient descent-ascent")


def squares(optimism):
    """|z|^2 in fractions; optimism: 1, or 0 for plain descent-ascent."""

    def values(T):
        x, y = x_prev, y_prev = Fraction(1), Fraction(1)
        while True:
            yield x * x + y * y
            g_x, g_y = (1 + optimism) * y - optimism * y_prev, -(1 + optimism) * x + optimism * x_prev
            x_prev, y_prev, x, y = x, y, x - ETA * g_x, y - ETA * g_y

    return values


def root():
    """The larger modulus of r^2 = (1 + 2 i eta) r - i eta."""
    b, c = 1 + 2j * float(ETA), 1j * float(ETA)
    return max(abs((b + sign * sqrt(b * b - 4 * c)) / 2) for sign in (-1, 1))


FACTOR = root() ** 2
OGDA = STUDY.exact_curve(squares(1), horizon=600, name="ogda", metric="|z|^2", title="OGDA")
GDA = STUDY.exact_curve(squares(0), horizon=600, name="gda", metric="|z|^2", title="Descent-ascent")
CURVE, PLAIN = STUDY.reading("thm-1", OGDA), STUDY.reading("thm-1", GDA)
CLAIMS = (
    CURVE.geometric(factor=FACTOR),
    CURVE.geometric(factor=0.99 * FACTOR).caught(),
    PLAIN.geometric(factor=FACTOR, or_faster=True).caught(),
    PLAIN.diverges(),
    PLAIN.equals(lambda T: 2 * (1 + ETA**2) ** (T - 1), "2 (1 + eta^2)^(T - 1)"),
)

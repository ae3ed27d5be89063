"""Hardmax attention as Frank-Wolfe: "all tokens go to the origin, J <= 2/(t + 1) diam^2" is false.

Source: Alcalde, Geshkovski, Ruiz-Balet, arXiv 2508.09628v1, Theorem 3.1 (quoted from a summary; the constant is
unchecked). Method: x_i <- x_i + 2/(t + 2) (y_i - x_i) for all tokens at once, y_i the point of their hull with the
least <x_i, y>; t = 0, 1, ...; J = |x|^2 / 2, the largest over the tokens, and 0 in the hull at the start.

Why: the first step is 1, so that every token jumps onto a token, and after the second the hull need not hold 0 any
more. From (-1, 5) both tokens are 1 or more from t = 2 on; the smaller one is then the hull's point next to 0, and
stays. Fooled: the bound starts 144 times above the limit 1/2, so that 60 steps show nothing, and symmetric starts do
converge.
"""

from fractions import Fraction

import workbench as wb

v = wb.vocabulary
FALSE = "Alcalde, Geshkovski, Ruiz-Balet, arXiv 2508.09628v1, Theorem 3.1: J <= 2/(t + 1) diam^2 (constant unchecked)"
STUDY = wb.Study(__name__, "Hardmax attention")


def tokens(a, b):
    """The two tokens after step 0, 1, 2, ..., in fractions."""
    x, t = [Fraction(a), Fraction(b)], 0
    while True:
        low, high = min(x), max(x)
        x = [z + Fraction(2, t + 2) * ((low if z > 0 else high) - z) for z in x]
        t += 1
        yield x


def largest(T, a, b):
    return (max(z * z for z in x) / 2 for x in tokens(a, b))


def smaller(T, a, b):
    return (min(x) for x in tokens(a, b))


POINTS = [{"a": -1, "b": 5}, {"a": -1, "b": 1}, {"a": -1, "b": 100}]
J = STUDY.exact_curve(largest, horizon=2000, grid=POINTS, metric="J")
SMALL = STUDY.exact_curve(smaller, horizon=2000, grid=POINTS[:1], name="smaller", metric="smaller_token")
ASYMMETRIC = STUDY.reading("thm-3.1", J, POINTS[0], claimed=-1)
SYMMETRIC = STUDY.reading("thm-3.1", J, POINTS[1], claimed=-1)
FAR = STUDY.reading("thm-3.1", J, POINTS[2], claimed=-1)
STAYS = STUDY.reading("smaller", SMALL, POINTS[0])
CLAIMS = (
    ASYMMETRIC.at_most(2 * 6**2 / v.T, "the bound", refutes=FALSE),
    FAR.at_most(2 * 101**2 / v.T, "the bound", refutes=FALSE),
    ASYMMETRIC.rate(refutes=FALSE),
    ASYMMETRIC.limit(to=1 / 2),  # the token that stays at 1
    STAYS.equals(lambda T, a, b: -1 if T == 1 else 1, "1 from step 1 on"),
    SYMMETRIC.at_most(2 * 2**2 / v.T, "the bound"),
)

"""Proximal point: f(x_N) - f* <= |x_0 - x*|^2/(2 N lambda); the best constant is 1/4, and it is attained.

Sources: Guler, "On the convergence of the proximal point algorithm for convex minimization", SIAM J. Control Optim. 29
(1991), Theorem 2.1 (1/2); Taylor, Hendrickx, Glineur, SIAM J. Optim. 27 (2017), Theorem 4.1 (1/4). From memory.

Worst function for each horizon, as in the second source: f(x) = s |x| with s = 1/(2 N), x_0 = 1, lambda = 1. A step
moves by s towards 0, so that f(x_N) = s (1 - N s) = 1/(4 N); run here in fractions. Near misses: two thirds of it,
T^-1.1, steps 1/k, and a step of half the length.
"""

from fractions import Fraction

import workbench as wb

v = wb.vocabulary
STUDY = wb.Study(__name__, "Proximal point")
HORIZONS = [2**k for k in range(2, 13)]


def gap(step):
    """f(x_N) - f* at N on its worst function; step: k -> lambda_k."""

    def value(N):
        x, s = Fraction(1), Fraction(1, 2 * N)
        for k in range(1, N + 1):
            x = max(x - step(k) * s, 0) if x > 0 else min(x + step(k) * s, 0)
        return s * abs(x)

    return value


PROX = STUDY.exact_curve(gap(lambda k: 1), at=HORIZONS, name="prox", metric="gap")
SHRINK = STUDY.exact_curve(
    gap(lambda k: Fraction(1, 2**k)),
    at=HORIZONS,
    name="shrink",
    metric="gap",
    title="Steps 2^-k",
    wrong="steps 2^-k",
)
HALF = STUDY.exact_curve(
    gap(lambda k: Fraction(1, 2)),
    at=HORIZONS,
    name="half",
    metric="gap",
    title="Half steps",
    wrong="half steps",
)
CURVE = STUDY.reading("thm-2.1", PROX, claimed=-1)
CLAIMS = (
    CURVE.at_most(1 / (2 * v.T), "1/(2 N)"),
    CURVE.equals(1 / (4 * v.T), "1/(4 N)"),
    CURVE.tight(),
    CURVE.caught(claimed=-1.1),
    CURVE.at_most(1 / (6 * v.T), "two thirds of it").caught(),
    *(STUDY.reading("thm-2.1", sim).at_most(1 / (4 * v.T), "1/(4 N)").caught() for sim in (SHRINK, HALF)),
)

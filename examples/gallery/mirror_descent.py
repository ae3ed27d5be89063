"""Entropic mirror descent on the simplex: f(average) - f* <= G sqrt(2 log d/T): the dimension enters by a logarithm.

Sources: Beck, Teboulle, "Mirror descent and nonlinear projected subgradient methods for convex optimization", Oper.
Res. Lett. 31 (2003), Theorem 5.1; Bubeck, "Convex Optimization" (2015), Theorem 4.2. From memory. Steps sqrt(2 log
d/T) for a horizon T, f(x) = <(0, 1, ..., 1), x>, from the centre.

Level, derived here: the weight of the best corner is 1/(1 + (d - 1) exp(-eta t)), whose complement, the gap, sums to
about log(d)/eta. So the gap of the average is sqrt(log d/(2 T)), half the bound. Near misses: the exponents 0.1 off,
1.5 times the level, a root of d in place of that of log d, steps of order T^-3/4.
"""

from math import exp, log, sqrt

import workbench as wb

STUDY = wb.Study(__name__, "Mirror descent")


def gap(d, power=0.5):
    """The gap of the average of T iterates, at T. power: of the step."""

    def value(T):
        eta = sqrt(2 * log(d)) * T**-power
        return sum(1 - 1 / (1 + (d - 1) * exp(-eta * t)) for t in range(T)) / T

    return value


def in_dimension(d):
    return gap(d)(10_000)


HORIZONS = [2**k for k in range(6, 15)]
ENTROPY = STUDY.exact_curve(gap(1000), at=HORIZONS, name="entropy", metric="gap")
SHORT = STUDY.exact_curve(
    gap(1000, 0.75), at=HORIZONS, name="short", metric="gap", title="Steps T^-3/4", wrong="steps T^-3/4"
)
SIZES = STUDY.exact_curve(in_dimension, at=[4**k for k in range(2, 12)], name="dimension", metric="gap")
CURVE, IN_D = STUDY.reading("thm-5.1", ENTROPY, claimed=-0.5), STUDY.reading("dimension", SIZES, claimed=0.5)
CLAIMS = (
    CURVE.level(lambda T, **_: (2 * log(1000) / T) ** 0.5, "the bound", tag="bound").caught(),
    CURVE.rate(),
    CURVE.tight(),
    CURVE.level(lambda T, **_: (log(1000) / (2 * T)) ** 0.5, "sqrt(log d/(2 T))"),
    IN_D.logarithmic(power=0, logs=0.5),
    CURVE.caught(claimed=-0.6),
    CURVE.level(lambda T, **_: 1.5 * (log(1000) / (2 * T)) ** 0.5, "1.5 times that").caught(),
    IN_D.tight().caught(),
    STUDY.reading("thm-5.1", SHORT, claimed=-0.5).caught(),
)

"""Momentum under drift: "unavoidably worse, by (1 - beta)^-2" is made by the steps that the theorems admit.

Source: Sahu, Hogan, Wells, arXiv 2601.12238 (v1; conditions on the steps from a reproduction's transcription,
unchecked). f_t = mu (x - v t)^2 / 2, heavy ball x <- x - eta mu (x - v t) + beta (x - x_prev); SGD is beta = 0; mu =
1, no noise.

Why: with a minimizer of constant velocity the lag is v (1 - beta)/(eta mu), exactly: (1 - beta) times that of SGD at
the same step, and equal at the same effective step eta/(1 - beta). At the theorems' largest steps, mu/L^2 and mu (1 -
beta)^2/(4 L^2), the ratio is 4/(1 - beta). The curves are along n = 1/(1 - beta). Fooled: the theorems' own steps were
compared, or noise at equal steps was taken for drift. (Other drifts can hurt: resonance, where 1 - beta < eta mu.)
"""

from fractions import Fraction

import workbench as wb

FALSE = "Sahu, Hogan, Wells, arXiv 2601.12238 (wording unchecked): under drift momentum is unavoidably worse"
ETA = Fraction(1, 10)  # of SGD: mu/L^2 would be 1
STUDY = wb.Study(__name__, "Momentum under drift")


def settles(lag, eta, beta):
    """Whether a lag repeats itself under one step of heavy ball while the minimizer moves by 1."""
    x_prev, x = -1 - lag, -lag  # at times -1 and 0, the minimizer being at -1 and 0
    new = x - eta * x + beta * (x - x_prev)
    return new == 1 - lag


def ratio(eta_of):
    """n -> lag of heavy ball with beta = 1 - 1/n over that of SGD with the step ETA."""

    def value(n):
        beta = 1 - Fraction(1, n)
        lag = (1 - beta) / eta_of(n)
        assert settles(lag, eta_of(n), beta)
        assert settles(1 / ETA, ETA, Fraction(0))
        return lag * ETA

    return value


SIZES = [2**j for j in range(1, 13)]
EQUAL = STUDY.exact_curve(
    ratio(lambda n: ETA), at=SIZES, name="equal", metric="lag_ratio", title="Equal steps"
)
SAME = STUDY.exact_curve(
    ratio(lambda n: ETA / n), at=SIZES, name="effective", metric="lag_ratio", title="Equal effective steps"
)
ADMITTED = STUDY.exact_curve(
    ratio(lambda n: ETA * Fraction(1, 4 * n**2)),
    at=SIZES,
    name="admitted",
    metric="lag_ratio",
    title="Largest steps admitted",
)
AT_EQUAL, AT_EFFECTIVE, AT_ADMITTED = (
    STUDY.reading("lag", curve, claimed=claimed, since=0.0)
    for curve, claimed in ((EQUAL, -1), (SAME, 0), (ADMITTED, 1))
)
CLAIMS = (
    AT_EQUAL.diverges(refutes=FALSE),
    AT_EQUAL.tight(),
    AT_EFFECTIVE.limit(to=1),
    AT_EFFECTIVE.bounded(),
    AT_ADMITTED.tight(),
    AT_ADMITTED.equals(4 * wb.vocabulary.T, "4 n"),
)

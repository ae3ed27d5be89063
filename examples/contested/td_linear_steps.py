"""TD(0) and Q-learning with steps 1/t: "an error of order t^-1/2" has an exponent that depends on the discount.

Sources: Even-Dar, Mansour, JMLR 2003: exponential in 1/(1 - gamma) for linear steps; Devraj, Meyn, arXiv 1707.03770.
One state, reward 1: Q <- Q + (1/t)(1 + gamma Q - Q), from Q = 0; the error is relative to 1/(1 - gamma).

Why: the error is prod (1 - (1 - gamma)/s), which is t^-(1 - gamma)/Gamma(gamma). At gamma = 0.9 an error of 0.1 needs
5 * 10^9 steps. Fooled: gamma = 1/2, the textbook example, has exactly the exponent 1/2, and none of this is random.
"""

from math import gamma as Gamma

import workbench as wb

FALSE = "folklore: steps c/t, c independent of the problem, give an error O(t^-1/2)"
STUDY = wb.Study(__name__, "TD(0) with steps 1/t")


def error(T, gamma):
    q = 0.0
    for t in range(1, T + 1):
        q += (1 + gamma * q - q) / t
        yield abs(q - 1 / (1 - gamma)) * (1 - gamma)


TD = STUDY.exact_curve(
    error, horizon=wb.profile(100_000, 300_000, 1_000_000), grid={"gamma": [0.5, 0.75, 0.9]}, metric="error"
)
HALF, QUARTER, TENTH = (STUDY.reading("error", TD, gamma=g, claimed=-1 / 2) for g in (0.5, 0.75, 0.9))


def level(T, gamma, **_):
    return T ** -(1 - gamma) / Gamma(gamma)


CLAIMS = (
    TENTH.rate(refutes=FALSE),
    QUARTER.rate(refutes=FALSE),
    HALF.rate(),
    *(r.tight(claimed=-c) for r, c in ((HALF, 0.5), (QUARTER, 0.25), (TENTH, 0.1))),
    *(r.level(level, "t^-(1 - gamma)/Gamma(gamma)") for r in (HALF, QUARTER, TENTH)),
)

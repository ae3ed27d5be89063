"""Adam: "regret of order sqrt T" fails on a convex problem in one dimension.

Sources: Kingma, Ba, ICLR 2015 (arXiv 1412.6980), Theorem 4.1; Reddi, Kale, Kumar, ICLR 2018 (arXiv 1904.09237). x in
[-1, 1], f_t(x) = C x if t mod 3 = 1, else -x; beta_1 = 0, beta_2 = 1/(1 + C^2), steps alpha/sqrt t, C = 3, alpha =
1/2. Regret against the best point, -1: that of one period is C x - 2 x + (C - 2).

Why: a large gradient is divided by its own size, so that two small steps up outweigh one down, and x goes to +1, the
worst point: R_T = (2/3)(C - 2) T. AMSGrad, the largest v so far, is of order sqrt T. Fooled: beta_2 = 0.99 shows
nothing on this instance; beta_2 is small against the period, and the problem is chosen after it.
"""

from math import sqrt

import workbench as wb

FALSE = "Kingma, Ba, ICLR 2015, Theorem 4.1: the regret of Adam is O(sqrt T)"
C, ALPHA = 3.0, 0.5
STUDY = wb.Study(__name__, "Adam")


def regret(beta_2, remember):
    """The cumulated regret at t = 1, 2, ...; remember: AMSGrad, the largest v so far."""

    def values(T):
        x = v = largest = total = 0.0
        for t in range(1, T + 1):
            g = C if t % 3 == 1 else -1.0
            total += g * (x + 1)
            yield total
            v = beta_2 * v + (1 - beta_2) * g * g
            largest = max(largest, v) if remember else v
            x = min(1.0, max(-1.0, x - ALPHA * g / sqrt(t * largest)))

    return values


def of(name, title, beta_2, remember=False):
    curve = STUDY.exact_curve(
        regret(beta_2, remember), horizon=300_000, name=name, title=title, metric="regret"
    )
    return STUDY.reading("thm-4.1", curve, claimed=1 / 2, view=wb.iterates(first=3, period=3))


ADAM = of("adam", "Adam, beta_2 = 1/(1 + C^2)", 1 / (1 + C * C))
AMSGRAD = of("amsgrad", "AMSGrad", 1 / (1 + C * C), remember=True)
SLOW = of("slow", "Adam, beta_2 = 0.99", 0.99)
CLAIMS = (
    ADAM.rate(refutes=FALSE),
    ADAM.tight(claimed=1),
    ADAM.level(lambda T, **_: 2 / 3 * (C - 2) * T, "(2/3)(C - 2) T"),
    AMSGRAD.rate(),
    SLOW.rate(),  # what a finite check with the usual beta_2 sees
)

"""AMSGrad: regret of order sqrt T where Adam's grows like T; the two differ in one statement.

Source: Reddi, Kale, Kumar, "On the Convergence of Adam and Beyond", ICLR 2018 (arXiv 1904.09237), Theorems 1 and 4,
Corollary 1; from memory. x in [-1, 1], f_t(x) = C x if t mod 3 = 1, else -x; C = 3, beta_1 = 0, beta_2 = 1/(1 + C^2),
steps alpha/sqrt t, alpha = 1/2; regret against the best point, -1.

Levels, derived here: Adam goes to +1, the worst point, where a period costs 2 (C - 2): (2/3) T. AMSGrad keeps the
largest v, so that one large gradient outweighs two small ones. On f_t = |x| it goes to and fro over 0 by its steps
alpha/sqrt t: |x_t| is about half of one, the regret alpha sqrt T. Near misses: T^0.4, 1.5 times the level,
Adam itself.
"""

from math import sqrt

import workbench as wb

C, ALPHA, BETA = 3.0, 0.5, 0.1
STUDY = wb.Study(__name__, "AMSGrad", view=wb.iterates(first=3, period=3))


def regret(keeps, slope):
    """The cumulated regret at t = 1, 2, ... keeps: of (largest, v); slope: (t, x) -> g, loss above the best."""

    def values(T):
        x, v, largest, total = 0.0, 0.0, 0.0, 0.0
        for t in range(1, T + 1):
            g, loss = slope(t, x)
            total += loss
            yield total
            v = BETA * v + (1 - BETA) * g * g
            largest = keeps(largest, v)
            x = min(1.0, max(-1.0, x - ALPHA * g / sqrt(t * largest)))

    return values


def periodic(t, x):
    g = C if t % 3 == 1 else -1.0
    return g, g * (x + 1)


def distance(t, x):
    return (1.0 if x >= 0 else -1.0), abs(x)


def of(name, keeps, slope, **more):
    sim = STUDY.exact_curve(regret(keeps, slope), horizon=300_000, name=name, metric="regret", **more)
    return STUDY.reading("cor-1", sim, claimed=1 / 2)


AMSGRAD = of("amsgrad", max, periodic)
ADAM = of("adam", lambda largest, v: v, periodic, title="Adam", wrong="the last v")
ATTAINED = of("distance", max, distance, title="AMSGrad on |x|")
CLAIMS = (
    AMSGRAD.rate(),
    ATTAINED.tight(),
    ATTAINED.level(lambda T, **_: ALPHA * T**0.5, "alpha sqrt T"),
    ATTAINED.caught(claimed=0.4),
    ATTAINED.level(lambda T, **_: ALPHA * T**0.5 / 1.5, "two thirds of it").caught(),
    ADAM.tight(claimed=1),
    ADAM.level(lambda T, **_: 2 / 3 * (C - 2) * T, "(2/3)(C - 2) T"),
    ADAM.caught(),
)

"""Nesterov's method with component gradients: the mean square diverges where SGD contracts.

Sources: Assran, Rabbat, ICML 2020 (arXiv 2002.12414); Liu, Belkin, ICLR 2020 (arXiv 1810.13395). f = mean of h_i
x^2/2, all minima at 0; y = x + beta (x - x_prev), x <- y - h_i y, i uniform, beta = (1 - sqrt mu)/(1 + sqrt mu), mu
the least h_i.

Why: (E x^2, E x x_prev, E x_prev^2) follows a linear recursion, computed here without runs. One h = 0.9 and nine of
0.01: the factor is 1.161 per step, and 0.883 for SGD. With h = 0.9 and h = 0.001 at equal chance it is 1.082, while
the typical run falls by e^-0.31 per step. Fooled: in that instance a thousand runs converge, and the mean over them
with them (runs = 1000 in the picture, beside runs = inf): it is carried by runs that are not drawn. What holds in
expectation is decided by the moments alone.
"""

from itertools import islice
from math import inf, sqrt

import numpy as np

import workbench as wb

FALSE = "folklore: the guarantee of SGD under interpolation carries over to Nesterov's method with component gradients"
STUDY = wb.Study(__name__, "Nesterov with components")
ALL, TYPICAL = (0.9, *[0.01] * 9), (0.9, 0.001)


def mean_square(components, momentum):
    """E x_t^2 at t = 1, 2, ..."""
    mu = min(components)
    beta = (1 - sqrt(mu)) / (1 + sqrt(mu)) if momentum else 0.0
    once = sum(1 - h for h in components) / len(components)
    twice = sum((1 - h) ** 2 for h in components) / len(components)

    def values(T):
        xx = xp = pp = 1.0
        while True:
            yield xx
            yx = (1 + beta) * xx - beta * xp
            yy = (1 + beta) ** 2 * xx - 2 * beta * (1 + beta) * xp + beta**2 * pp
            xx, xp, pp = twice * yy, once * yx, xx

    return values


def seen(T, runs):
    """The mean of x_t^2 over so many runs on the two components, drawn with a fixed seed; exactly for runs = inf."""
    if runs == inf:
        yield from islice(mean_square(TYPICAL, momentum=True)(T), T)
        return
    draws, x = np.random.default_rng(1), np.ones(int(runs))
    before, beta = x, (1 - sqrt(min(TYPICAL))) / (1 + sqrt(min(TYPICAL)))
    for _ in range(T):
        yield float(np.mean(x**2))
        y = x + beta * (x - before)
        x, before = y - draws.choice(TYPICAL, x.size) * y, x


def of(name, values, **grid):
    curve = STUDY.exact_curve(values, horizon=400, name=name, metric="mean of x^2", title=name, **grid)
    return [STUDY.reading("mean-square", curve, point) for point in grid.get("grid", [{}])]


(EVERY,), (SGD,) = of("ten", mean_square(ALL, momentum=True)), of("sgd", mean_square(ALL, momentum=False))
DRAWN, RARE = of("two", seen, grid=[{"runs": 1000}, {"runs": inf}])
CLAIMS = (
    EVERY.geometric(factor=0.9, or_faster=True, refutes=FALSE),
    EVERY.diverges(),
    RARE.geometric(factor=0.99, or_faster=True, refutes=FALSE),
    RARE.limit(to=0, within=1e-3, refutes=FALSE),
    DRAWN.limit(to=0, within=1e-3),  # what a thousand runs show
    SGD.geometric(factor=0.8831),
    SGD.geometric(factor=0.874).caught(),
)
